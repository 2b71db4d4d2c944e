package metrics_test

import (
	"fmt"
	"log"
	"reflect"
	"strings"
	"testing"

	"github.com/gait-engine/gait"
	"github.com/gait-engine/gait/metrics"
	"github.com/prometheus/client_golang/prometheus"
)

// scrape returns what Prometheus would read: name{label} and value.
func scrape(t testing.TB, s gait.Stats) map[string]float64 {
	t.Helper()
	r := prometheus.NewPedanticRegistry()
	r.MustRegister(metrics.New(func() gait.Stats { return s }))
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := f.GetName()
			for _, l := range m.GetLabel() {
				name += "{" + l.GetValue() + "}"
			}
			got[name] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	return got
}

// TestEveryCounterIsShown: each number of Stats, set alone, shows somewhere.
func TestEveryCounterIsShown(t *testing.T) {
	var leaves func(v reflect.Value, name string, f func(string, reflect.Value))
	leaves = func(v reflect.Value, name string, f func(string, reflect.Value)) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				leaves(v.Field(i), v.Type().Field(i).Name, f)
			}
		case reflect.Array:
			for i := range v.Len() {
				leaves(v.Index(i), fmt.Sprintf("%s[%d]", name, i), f)
			}
		default:
			f(name, v)
		}
	}
	var s gait.Stats
	n := 0
	leaves(reflect.ValueOf(&s).Elem(), "", func(name string, v reflect.Value) {
		n++
		set := reflect.ValueOf(1_000_000_000).Convert(v.Type())
		v.Set(set)
		shown := 0
		for _, value := range scrape(t, s) {
			if value != 0 {
				shown++
			}
		}
		if shown != 1 {
			t.Errorf("%s shows in %d metrics", name, shown)
		}
		v.SetZero()
	})
	if all := scrape(t, s); len(all) != n {
		t.Errorf("%d metrics, %d counters", len(all), n)
	}
}

func Example() {
	engine, err := gait.New(gait.Options{})
	if err != nil {
		log.Fatal(err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(metrics.New(engine.Stats))
	_ = engine.Inbound([]byte("nonsense"))
	engine.Tick()

	families, err := registry.Gather() // promhttp.HandlerFor(registry, …) serves it
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if v := m.GetCounter().GetValue(); v > 0 && strings.HasPrefix(f.GetName(), "gait_refused") {
				fmt.Println(f.GetName(), m.GetLabel()[0].GetValue(), v)
			}
		}
	}
	// Output:
	// gait_refused_total opcode 1
}

// Nothing to read is found out where it is given, not at the first scrape.
func TestNoStats(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("taken")
		}
	}()
	metrics.New(nil)
}
