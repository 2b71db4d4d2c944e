package position

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/gait-engine/gait/space"
)

// line is what the replay needs of a trace's line.
type line struct {
	Tick     uint64     `json:"tick"`
	Guid     string     `json:"guid"`
	Cell     string     `json:"cell"`
	Origin   [3]float32 `json:"origin"`
	Rotation [4]float32 `json:"rotation"`
	Sticky   string     `json:"sticky"`
}

func (l *line) place(t *testing.T) space.Position {
	var cell uint32
	if _, err := fmt.Sscan(l.Cell, &cell); err != nil {
		t.Fatal(err)
	}
	q := l.Rotation
	return space.Position{Cell: space.CellID(cell), Frame: space.Frame{
		Origin: l.Origin, Rotation: space.Quat{W: q[0], V: space.Vec3{q[1], q[2], q[3]}},
	}}
}

// readTrace returns the lines of two figures, the one that sticks and its target,
// by tick; it skips the test where the trace is not there.
func readTrace(t *testing.T, name string) (a, b []line) {
	dir := os.Getenv("GAIT_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	file, err := os.Open(filepath.Join(dir, "scenarios", "expected", name+".jsonl.gz"))
	if err != nil {
		t.Skip(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	a, b = []line{{}}, []line{{}} // tick 0
	for in := json.NewDecoder(text); in.More(); {
		var l line
		if err := in.Decode(&l); err != nil {
			t.Fatal(err)
		}
		if l.Guid == "0x50000001" {
			a = append(a, l)
		} else {
			b = append(b, l)
		}
	}
	return a, b
}

// The figure that sticks is moved by the rules here alone, its target by the trace.
func TestScenariosOfSticking(t *testing.T) {
	const radius = .6788225 // m, of both
	for name, x := range map[string]struct {
		runRate float32
		from    uint64   // the tick whose end both are taken over at
		sticks  []uint64 // ticks with an order to stick
		unstick uint64
		arrives bool // it sticks in the update of tick from
		last    uint64
	}{
		"sticky-follow":  {1.53, 1, []uint64{10, 22, 80}, 86, false, 130},
		"sticky-arrival": {1.27, 31, nil, 0, true, 150},
	} {
		lines, target := readTrace(t, name)
		c := newCrowd(t, 16)
		a, b := c.add(lines[x.from].place(t)), c.add(target[x.from].place(t))
		a.Traits.Radius, b.Traits.Radius = radius, radius
		a.maxSpeed = 4 * x.runRate
		b.Body.Transient = 0 // not moved here
		c.tick = x.from
		if x.arrives {
			a.StickTo(b.guid(), radius, 1)
		}
		for k := x.from + 1; k <= x.last; k++ {
			c.begin(k)
			for _, s := range x.sticks {
				if k == s {
					a.StickTo(b.guid(), radius, 1)
				}
			}
			if k == x.unstick {
				a.Unstick()
			}
			c.step()
			b.Pose.Position = target[k].place(t)
			want, got := lines[k].place(t), a.Pose.Position
			if d := space.Distance(&want, &got); d > 1e-3 || got.Cell != want.Cell || a.Stuck() != (lines[k].Sticky != "0x0") {
				t.Fatalf("%s: tick %d: at %v, want %v; stuck %v, want %s", name, k, got, want, a.Stuck(), lines[k].Sticky)
			}
			turn := math.Remainder(float64(space.Heading(got.Frame.Rotation)-space.Heading(want.Frame.Rotation)), 360)
			if math.Abs(turn) > .1 {
				t.Fatalf("%s: tick %d: turned %v off", name, k, turn)
			}
		}
	}
}
