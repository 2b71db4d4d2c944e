package collision_test

import (
	"fmt"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
)

// A ball of half a metre is put down on a plane at height 20, half a metre above
// it, and goes on from there over the border of its landblock.
func Example() {
	tables := &dat.Tables{}
	s := collision.Sweep{World: &collision.World{Tables: tables, Shapes: &tables.Shapes, Land: collision.NewFlat(20)}}
	body := collision.Body{
		Guid: 1, SphereCount: 1, Spheres: [2]dat.Sphere{{Centre: space.Vec3{0, 0, 0.5}, Radius: 0.5}},
		StepUp: 0.6, StepDown: 0.6, State: components.Gravity,
	}
	at := space.Position{Cell: 0xA9B4003D, Frame: space.Frame{Origin: space.Vec3{191, 100, 20.5}, Rotation: space.IdentityQuat}}
	if !s.Place(&body, &at, true) {
		fmt.Println("no room")
	}
	at = *s.Position()
	fmt.Println(at.Cell, at.Frame.Origin, s.OnWalkable())

	to := at
	to.Frame.Origin[0] += 2
	fmt.Println(s.Move(&body, &at, &to, &collision.Standing{Ground: s.Contact, OnWalkable: true}))
	fmt.Println(s.Position().Cell, s.Position().Frame.Origin, s.OnWalkable())
	// Output:
	// 2847146045 [191 100 20] true
	// true
	// 2863923205 [1 100 20] true
}
