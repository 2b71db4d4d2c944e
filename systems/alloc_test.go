package systems

import (
	"encoding/binary"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire"
)

// House rule 6: steady state allocates nothing, per tick or per message: for who
// idles, runs, turns, chases, acts and changes stance, on one worker or two.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, workers := range []int{1, 2} {
		for _, busy := range []bool{false, true} {
			r := newRig(t, Options{Workers: workers, ChunkRows: 16}).laned()
			r.unchecked = true
			const n = 96
			var messages [][]byte
			for i := range uint32(n) {
				if i%3 == 0 {
					r.spawn(creature(me+i, 100, 100))
				} else {
					r.spawn(human(me+i, 100, 100))
				}
				if busy {
					d := does{forward: []uint32{run, walk, ready}[i%3], turn: []uint32{0, right}[i%2], spin: 1}
					if i%8 == 0 {
						d.actions = []wire.Action{wire.NewAction(wire.CommandIndex(wave), 1, false, 3)}
					}
					messages = append(messages, encode(t, r.movement(me+i, d)), encode(t, r.position(me+i, spot(100, 105, 0))),
						encode(t, r.vector(me+i, [3]float32{0, 1, 0}, [3]float32{})), encode(t, r.state(me+i, NewSpawn(1, spot(0, 0, 0)).State)))
				}
			}
			r.tick(1)
			tick := uint16(0)
			step := func() {
				tick++
				for k, b := range messages {
					if (k/4+int(tick))%5 != 0 && k%4 != 1 {
						continue
					}
					switch k % 4 { // the stamp of this tick
					case 0:
						binary.LittleEndian.PutUint16(b[10:], tick)
						if len(b) > 32 && tick%40 == 0 { // the first action's
							at := len(b) - 6
							binary.LittleEndian.PutUint16(b[at:], tick&0x7FFF)
						}
					case 1:
						binary.LittleEndian.PutUint16(b[len(b)-6:], tick)
					default:
						binary.LittleEndian.PutUint16(b[len(b)-2:], tick)
					}
					if err := r.e.Inbound(b); err != nil {
						t.Fatal(err)
					}
				}
				r.e.Tick()
			}
			for range 300 {
				step()
			}
			for _, o := range r.e.Outcomes() {
				if o.Verdict != Applied {
					t.Fatalf("%+v", o)
				}
			}
			if got := testing.AllocsPerRun(200, step); got != 0 {
				t.Errorf("%d workers, busy %v: %v allocations a tick", workers, busy, got)
			}
		}
	}
}

// Also where messages have much told, and updates little.
func TestManyToldByMessagesAllocatesNothing(t *testing.T) {
	const n, ticks = 6000, 30
	r := newRig(t, Options{})
	r.unchecked = true
	for i := range uint32(n) {
		r.spawn(human(me+i, 108, 108))
	}
	r.tick(60)
	var messages [][]byte
	for k := range ticks {
		for i := range uint32(n) {
			messages = append(messages, encode(r, r.teleportTo(me+i, spot(100+float32(k), 100, 0))))
		}
	}
	step := func() {
		for _, m := range messages[:n] {
			if err := r.e.Inbound(m); err != nil {
				t.Fatal(err)
			}
		}
		messages = messages[n:]
		r.tick(1)
		if told := len(r.e.Events()); told < n {
			t.Fatalf("%d events", told)
		}
	}
	for range ticks / 2 {
		step()
	}
	if got := testing.AllocsPerRun(ticks/2-1, step); got != 0 {
		t.Errorf("%v allocations a tick", got)
	}
}

// Nor does looking at a remote.
func TestInspectAllocatesNothing(t *testing.T) {
	r := standing(t, Options{})
	var at space.CellID
	look := func(v *components.Row, _ *components.Pools) { at = v.Pose.Cell }
	if got := testing.AllocsPerRun(100, func() { r.e.Inspect(me, look) }); got != 0 || at == 0 {
		t.Errorf("%v allocations a look, in cell %08X", got, at)
	}
}
