// Package metrics shows the counters of an engine to Prometheus:
//
//	prometheus.MustRegister(metrics.New(engine.Stats))
//
// A scrape reads [gait.Stats] once, and holds up no tick. The engine knows nothing
// of this package, and who does without it does without its dependency.
package metrics

import (
	"github.com/gait-engine/gait"
	"github.com/gait-engine/gait/systems"
	"github.com/prometheus/client_golang/prometheus"
)

// metric is one name, with what is read for it.
type metric struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	read func(s *gait.Stats, tell func(v float64, labels ...string))
}

// collector reads the counters at every scrape.
type collector struct {
	stats   func() gait.Stats
	metrics []metric
}

// New returns a collector of what stats returns, which is called from the
// goroutines of scrapes: [gait.Engine.Stats] is made for that. To tell several engines
// apart, register each with labels of its own ([prometheus.WrapRegistererWith]).
func New(stats func() gait.Stats) prometheus.Collector {
	if stats == nil { // no scrape is the place to find out
		panic("metrics: New was given no stats to read.")
	}
	c := &collector{stats: stats}
	one := func(kind prometheus.ValueType, name, help string, read func(s *gait.Stats) float64) {
		c.add(kind, name, help, func(s *gait.Stats, tell func(float64, ...string)) { tell(read(s)) })
	}
	const counter, gauge = prometheus.CounterValue, prometheus.GaugeValue
	one(gauge, "gait_tick", "Number of the last tick.", func(s *gait.Stats) float64 { return float64(s.Tick) })
	one(gauge, "gait_remotes", "Remotes that are there.", func(s *gait.Stats) float64 { return float64(s.Remotes) })
	one(gauge, "gait_unknown_remotes", "Remotes made of what is unknown.", func(s *gait.Stats) float64 { return float64(s.Unknown) })
	one(gauge, "gait_waiting_inputs", "Inputs that wait for the next tick.", func(s *gait.Stats) float64 { return float64(s.Waiting) })
	one(gauge, "gait_waiting_bytes", "Bytes of inputs that wait for the next tick.", func(s *gait.Stats) float64 { return float64(s.WaitingBytes) })
	one(gauge, "gait_parked_messages", "Messages that wait for their remote.", func(s *gait.Stats) float64 { return float64(s.ParkedNow) })
	c.add(counter, "gait_inputs_total", "Inputs taken for a tick, by kind.", func(s *gait.Stats, tell func(float64, ...string)) {
		tell(float64(s.Messages), "message")
		tell(float64(s.Actions), "action")
		tell(float64(s.Commands), "command")
		tell(float64(s.Spawns), "spawn")
		tell(float64(s.Removals), "removal")
	}, "kind")
	c.add(counter, "gait_outcomes_total", "What became of messages, actions and commands, refusals apart.", func(s *gait.Stats, tell func(float64, ...string)) {
		tell(float64(s.Applied), systems.Applied.String())
		tell(float64(s.Parked), systems.Parked.String())
		tell(float64(s.Stale), systems.Stale.String())
		tell(float64(s.Ignored), systems.Ignored.String())
	}, "verdict")
	c.add(counter, "gait_refused_total", "Inputs that were refused, by reason.", func(s *gait.Stats, tell func(float64, ...string)) {
		for r, n := range s.Refused {
			tell(float64(n), gait.Reason(r).String())
		}
	}, "reason")
	one(counter, "gait_decoded_messages_total", "Messages that were decoded.", func(s *gait.Stats) float64 { return float64(s.Decoded) })
	c.add(counter, "gait_oddities_total", "Oddities in messages that were decoded.", func(s *gait.Stats, tell func(float64, ...string)) {
		tell(float64(s.Pads), "pad")
		tell(float64(s.Trailing), "trailing")
	}, "kind")
	c.add(counter, "gait_lost_messages_total", "Messages that were parked and then dropped.", func(s *gait.Stats, tell func(float64, ...string)) {
		tell(float64(s.ParkedDropped), "room")
		tell(float64(s.ParkedExpired), "age")
	}, "reason")
	one(counter, "gait_unknown_refused_total", "First sights for which there was no room.", func(s *gait.Stats) float64 { return float64(s.UnknownRefused) })
	one(counter, "gait_land_errors_total", "Blocks of land that could not be read.", func(s *gait.Stats) float64 { return float64(s.LandErrors) })
	one(counter, "gait_events_total", "Events.", func(s *gait.Stats) float64 { return float64(s.Events) })
	one(counter, "gait_outbound_messages_total", "Messages to send.", func(s *gait.Stats) float64 { return float64(s.Outbound) })
	one(counter, "gait_outbound_bytes_total", "Bytes of messages to send.", func(s *gait.Stats) float64 { return float64(s.OutboundBytes) })
	one(counter, "gait_outbound_failed_total", "Messages that could not be written.", func(s *gait.Stats) float64 { return float64(s.OutboundFails) })
	one(counter, "gait_tick_seconds_total", "Seconds in ticks; with a stopwatch.", func(s *gait.Stats) float64 { return s.Ticks.Seconds() })
	one(gauge, "gait_last_tick_seconds", "Seconds of the last tick; with a stopwatch.", func(s *gait.Stats) float64 { return s.Last.Seconds() })
	one(counter, "gait_record_seconds_total", "Seconds in writing the recording; with a stopwatch.", func(s *gait.Stats) float64 { return s.Record.Seconds() })
	c.add(counter, "gait_stage_seconds_total", "Seconds by stage, summed over workers; with a stopwatch.", func(s *gait.Stats, tell func(float64, ...string)) {
		for i, d := range s.Stages {
			tell(d.Seconds(), systems.Stage(i).String())
		}
	}, "stage")
	return c
}

func (c *collector) add(kind prometheus.ValueType, name, help string, read func(*gait.Stats, func(float64, ...string)), labels ...string) {
	c.metrics = append(c.metrics, metric{prometheus.NewDesc(name, help, labels, nil), kind, read})
}

// Describe implements [prometheus.Collector].
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for i := range c.metrics {
		to <- c.metrics[i].desc
	}
}

// Collect implements [prometheus.Collector].
func (c *collector) Collect(to chan<- prometheus.Metric) {
	s := c.stats()
	for i := range c.metrics {
		m := &c.metrics[i]
		m.read(&s, func(v float64, labels ...string) { to <- prometheus.MustNewConstMetric(m.desc, m.kind, v, labels...) })
	}
}
