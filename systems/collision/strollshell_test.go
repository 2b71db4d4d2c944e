package collision

import (
	"math"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// A house whose rotation is as far from unit length as is valid (10 §2) is met no farther
// in than by the whole algorithm: its shell lies where that sees it.
func TestStrollAtAShellOfInexactRotation(t *testing.T) {
	r := newStroller(t)
	g := *r.w.Shapes
	// the end of a long wall: one upright face through the house's own origin, facing east
	face := []space.Vec3{{0, -0.5, 0}, {0, 0.5, 0}, {0, 0.5, 2}, {0, -0.5, 2}}
	polygon := dat.Polygon{First: int32(len(g.Vertices)), Count: 4, Normal: space.Vec3{1, 0, 0}}
	node := dat.Node{Centre: space.Vec3{-60, 0, 1}, Radius: 60.0105, Leaf: true, First: int32(len(g.Leaves)), Count: 1, Pos: dat.None, Neg: dat.None}
	hull := dat.Hull{Root: int32(len(g.Nodes)), Cell: dat.None, FirstPolygon: int32(len(g.Polygons)), PolygonCount: 1,
		Min: space.Vec3{0, -0.5, 0}, Max: space.Vec3{0, 0.5, 2}}
	g.Leaves = append(g.Leaves[:len(g.Leaves):len(g.Leaves)], int32(len(g.Polygons)))
	g.Vertices = append(g.Vertices[:len(g.Vertices):len(g.Vertices)], face...)
	g.Polygons = append(g.Polygons[:len(g.Polygons):len(g.Polygons)], polygon)
	g.Nodes = append(g.Nodes[:len(g.Nodes):len(g.Nodes)], node)
	g.Hulls = append(g.Hulls[:len(g.Hulls):len(g.Hulls)], hull)
	r.w.Shapes = &g

	house := &r.w.Land.block(0xA9, 0xB4).Land.Buildings[0]
	house.Hull, house.PortalCount = int32(len(g.Hulls)-1), 0
	for _, norm2 := range []float64{1, 1.00095} {
		house.Frame.Rotation = space.Quat{V: space.Vec3{0, 0, float32(math.Sqrt(norm2))}} // about: it faces west
		if !space.ValidQuat(house.Frame.Rotation) {
			t.Fatal("not valid")
		}
		at := space.Position{Cell: 0xA9B40001}
		at.Frame.Origin = space.Add(house.Frame.Origin, space.Vec3{-2, 0, 0})
		if !r.stands(t, at) {
			t.Fatal("no room")
		}
		for range 40 {
			if _, did := r.strolls(t, space.Vec3{0.045, 0, 0}); !did {
				break
			}
		}
		t.Logf("norm² %v: strolls up to %v m before it", norm2, house.Frame.Origin[0]-r.from.Frame.Origin[0])
	}
}
