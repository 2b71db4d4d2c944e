package collision

import (
	"testing"

	"github.com/gait-engine/gait/bench/ground"
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// What is asked of places about a house of the island: its walls are solid, its
// rooms and what lies around it are not.
func TestProbeHouse(t *testing.T) {
	tables, land := island(t, 16)
	l := land()
	if err := l.Furnish(); err != nil {
		t.Fatal(err)
	}
	w := &World{Tables: tables, Shapes: &tables.Shapes, Land: l}
	s := &Sweep{World: w}
	body := &Body{SphereCount: 2, Spheres: [2]dat.Sphere{{Centre: space.Vec3{0, 0, 0.475}, Radius: 0.48}, {Centre: space.Vec3{0, 0, 1.35}, Radius: 0.48}}, State: components.DefaultState}
	r := ground.Around(16)
	houses := 0
	for x := r.West; x < r.West+r.Width; x++ {
		for y := r.South; y < r.South+r.Depth; y++ {
			b := l.block(int32(x), int32(y)).Land
			for i := range b.Buildings {
				houses++
				f := b.Buildings[i].Frame
				outdoors, _ := space.AdjustToOutside(space.CellID(x<<24|y<<16|1), f.Origin)
				front := space.CellID(x<<24 | y<<16 | 0x100 + 2*i)
				for _, c := range []struct {
					what          string
					cell          space.CellID
					at            space.Vec3 // in the house's axes
					solid, inside bool
				}{
					{"before the door", outdoors, space.Vec3{0, -7.6, 0.005}, false, true},
					{"along the south wall", outdoors, space.Vec3{3, -7.4825, 0.005}, false, true},
					{"against the south wall", outdoors, space.Vec3{3, -7.475, 0.005}, true, true},
					{"in the east wall", outdoors, space.Vec3{5.2, 0, 0.005}, true, true},
					{"in the front room", front, space.Vec3{0, -4, 0.13}, false, true},
					{"in its floor", front, space.Vec3{0, -4, 0.12}, true, true},
					{"in its wall", front, space.Vec3{4.5, -4, 0.13}, true, true},
					{"behind its wall", front, space.Vec3{4.9, -4, 0.13}, true, false},
					{"in the door of the back room", front, space.Vec3{0, -0.05, 0.13}, false, true},
					{"in the back room", front + 1, space.Vec3{-1, 3, 0.13}, false, true},
					{"against its post", front + 1, space.Vec3{2, 3.4, 0.13}, true, true},
				} {
					p := space.Position{Cell: c.cell, Frame: space.Frame{Origin: space.Add(f.Origin, space.LocalToGlobalVec(f.Rotation, c.at)), Rotation: space.IdentityQuat}}
					if got := s.Solid(body, &p, 0.001); got != c.solid {
						t.Errorf("%s of house %d in (%#x, %#x): solid %v", c.what, i, x, y, got)
					}
					if got := w.Contains(body, &p); got != c.inside {
						t.Errorf("%s of house %d in (%#x, %#x): contained %v", c.what, i, x, y, got)
					}
					deep, ok := w.Sunk(body, &p)
					if ok == c.cell.Indoors() || ok && space.Abs(deep) > 1e-4 {
						t.Errorf("%s of house %d in (%#x, %#x): %v m below the ground, %v", c.what, i, x, y, deep, ok)
					}
				}
			}
		}
	}
	if houses < 20 {
		t.Errorf("%d houses", houses)
	}
	p := space.Position{Cell: space.CellID(r.West<<24 | r.South<<16 | 1), Frame: space.Identity}
	if !w.Sea(p.Cell) || w.Sea(0xA9B40001) || w.Sea(0x01010001) {
		t.Error("the sea is elsewhere")
	}
	p.Cell = 0x01010001
	if _, ok := w.Sunk(body, &p); ok || w.Contains(body, &p) || s.Solid(body, &p, 0) {
		t.Error("something is where no block is")
	}
}
