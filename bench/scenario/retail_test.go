package scenario

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
)

// The scenarios on land by the retail clock, in frames of every length: invariants
// hold, and there is one answer for all workers and chunks.
func TestRetailClockOnLand(t *testing.T) {
	frames := []float64{0.034, 0.05, 0.21, 0.04, 0.47, 0.22, 0.034, 0.9}
	run := func(s *Scenario, o systems.Options) uint64 {
		t.Helper()
		var err error
		tables := tables(t, s)
		o.Tables, o.Viewer, o.TicksPerSecond, o.RetailClock = tables, s.Viewer, s.TickHz, true
		if o.Land, err = s.land(tables); err != nil {
			t.Fatal(err)
		}
		e, err := systems.New(o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Entities {
			if err := e.Spawn(s.Entities[i]); err != nil {
				t.Fatal(err)
			}
		}
		for _, guid := range []uint32{0x7F000001, 0x7F000002} { // things held, by the first and by each other
			held := systems.NewSpawn(guid, space.Position{})
			held.Setup = tables.Setups[0].ID
			if held.Parent, held.Location = s.Entities[0].Guid, guid&1; guid == 0x7F000002 {
				held.Parent = guid - 1
			}
			if err := e.Spawn(held); err != nil {
				t.Fatal(err)
			}
		}
		events, now, sum := s.Events, 0.0, uint64(0)
		for i := 0; now < float64(s.Ticks)/s.TickHz; i++ {
			for len(events) > 0 && float64(events[0].Tick)/s.TickHz <= now {
				if ev := &events[0]; ev.Message != nil {
					err = e.Inbound(ev.Message)
				} else {
					err = e.Command(ev.Command)
				}
				if err != nil {
					t.Fatal(err)
				}
				events = events[1:]
			}
			if _, err := e.AdvanceTo(now); err != nil {
				t.Fatal(err)
			}
			if err := e.Check(); err != nil {
				t.Fatalf("%s at %v s: %v", s.Name, now, err)
			}
			sum = sum*31 + e.Hash()
			if i%9 == 4 { // put down and taken again
				if err := e.Command(systems.Command{Guid: 0x7F000001, Do: systems.DoPosition, Place: s.Entities[0].Place, Contact: true}); err != nil {
					t.Fatal(err)
				}
			} else if i%9 == 8 {
				if err := e.Command(systems.Command{Guid: 0x7F000001, Do: systems.DoParent, Target: s.Entities[0].Guid}); err != nil {
					t.Fatal(err)
				}
			}
			now += frames[i%len(frames)]
		}
		return sum
	}
	n := 0
	root := filepath.Join(testdata, "scenarios")
	for _, name := range files(t, root) {
		if !strings.HasPrefix(name, "world/") {
			continue
		}
		s := load(t, root, name)
		want := run(s, systems.Options{})
		for _, o := range []systems.Options{{Workers: 3, ChunkRows: 1}, {Workers: 2, ChunkRows: 2}} {
			if got := run(s, o); got != want {
				t.Errorf("%s: %d workers: %x, want %x", s.Name, o.Workers, got, want)
			}
		}
		n++
	}
	if n < 20 {
		t.Errorf("%d scenarios on land", n)
	}
}
