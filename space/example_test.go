package space_test

import (
	"fmt"

	"github.com/gait-engine/gait/space"
)

// A body that faces east takes one step of its animation, which is written as
// it sees things: 2 m forward and 1 m up.
func ExampleCombine() {
	body := space.Frame{
		Origin:   space.Vec3{10, 20, 0},
		Rotation: space.SetHeading(space.IdentityQuat, 90),
	}
	step := space.Frame{Origin: space.Vec3{0, 2, 1}, Rotation: space.IdentityQuat}
	moved := space.Combine(body, step)
	fmt.Printf("%.1f heading %.0f\n", moved.Origin, space.Heading(moved.Rotation))
	back := space.Subtract(moved, step)
	fmt.Printf("%.1f heading %.0f\n", back.Origin, space.Heading(back.Rotation))
	// Output:
	// [12.0 20.0 1.0] heading 90
	// [10.0 20.0 0.0] heading 90
}

// Walking a metre over the eastern border of a landblock changes the block and
// brings x back to its beginning.
func ExampleAdjustToOutside() {
	cell, at := space.AdjustToOutside(0xA9B40001, space.Vec3{193, 10, 5})
	fmt.Printf("%08X %v\n", uint32(cell), at)
	cell, at = space.AdjustToOutside(0xA9B40001, space.Vec3{-1, 10, 5})
	fmt.Printf("%08X %v\n", uint32(cell), at)
	cell, _ = space.AdjustToOutside(0x00010001, space.Vec3{-1, 10, 5}) // west of the world
	fmt.Printf("%08X\n", uint32(cell))
	// Output:
	// AAB40001 [1 10 5]
	// A8B40039 [191 10 5]
	// 00000000
}

// Headings are compass degrees, clockwise from north.
func ExampleHeading() {
	q := space.IdentityQuat
	fmt.Printf("%.0f\n", space.Heading(q))
	q = space.Rotate(q, space.Vec3{0, 0, -3.14159265 / 2}) // a quarter turn to the right
	fmt.Printf("%.0f\n", space.Heading(q))
	fmt.Printf("%.0f\n", space.Heading(space.SetHeading(q, 225)))
	// Output:
	// 0
	// 90
	// 225
}

// The gap between two bodies, each a standing cylinder: side by side, and one
// floating above the other.
func ExampleCylinderDistance() {
	place := func(x, z float32) *space.Position {
		return &space.Position{
			Cell:  0xA9B40001,
			Frame: space.Frame{Origin: space.Vec3{x, 10, z}, Rotation: space.IdentityQuat},
		}
	}
	fmt.Println(space.CylinderDistance(0.5, 2, place(10, 0), 0.5, 2, place(13, 0)))
	fmt.Println(space.CylinderDistance(3, 2, place(10, 0), 3, 2, place(10, 5)))
	// Output:
	// 2
	// 3
}

// Positions in different landblocks have the way between them all the same.
func ExampleOffset() {
	a := space.Position{Cell: 0xA9B4003D, Frame: space.Frame{Origin: space.Vec3{190, 100, 5}, Rotation: space.IdentityQuat}}
	b := space.Position{Cell: 0xAAB40005, Frame: space.Frame{Origin: space.Vec3{2, 103, 17}, Rotation: space.IdentityQuat}}
	fmt.Println(space.Offset(&a, &b), space.Distance(&a, &b))
	fmt.Printf("%.1f\n", space.HeadingTo(&a, &b))
	// Output:
	// [4 3 12] 13
	// 53.1
}

// The cells a sphere touches near a corner, in the order that decides which of
// them contains its centre.
func ExampleCellsTouched() {
	centre := space.Vec3{96, 96, 0}
	cells, _ := space.CellsTouched(nil, 0xA9B40001, centre, 0.5)
	fmt.Printf("%08X\n", cells)
	fmt.Printf("%08X\n", uint32(space.ContainingLandCell(cells, 0xA9B40001, centre)))
	// Output:
	// [A9B40025 A9B4001D A9B4001C A9B40024]
	// A9B40024
}
