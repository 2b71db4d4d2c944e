package ground

import (
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// houseInside is the environment that the house's rooms are made of.
const houseInside uint32 = dat.EnvironmentLast

// The house, metres in its own axes: outside from −houseEast to houseEast and from
// −houseNorth to houseNorth, a door in the middle of its south side, a wall along
// y 0 with a door in it, which parts the front room from the back room.
const (
	houseEast  = 5
	houseNorth = 7
	wallThick  = 0.25
	inEast     = houseEast - wallThick
	inNorth    = houseNorth - wallThick
	half       = wallThick / 2 // of the wall between the rooms
	roof       = 4
	ceiling    = 3.5
	floor      = 0.125
	doorHalf   = 1
	doorTop    = 2.625
	cellar     = -buried // how far down the outer walls go
)

// The four kinds of upright and level rectangles, by where they face.
func facingX(x, y0, y1, z0, z1, to float32) face {
	return turned(face{{x, y0, z0}, {x, y1, z0}, {x, y1, z1}, {x, y0, z1}}, to > 0)
}

func facingY(y, x0, x1, z0, z1, to float32) face {
	return turned(face{{x0, y, z0}, {x1, y, z0}, {x1, y, z1}, {x0, y, z1}}, to < 0)
}

func facingZ(z, x0, x1, y0, y1, to float32) face {
	return turned(face{{x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}}, to > 0)
}

// turned returns a face as it is, or as seen from behind.
func turned(f face, asItIs bool) face {
	if asItIs {
		return f
	}
	return face{f[3], f[2], f[1], f[0]}
}

// doorWall is a wall along x with a door in its middle.
func doorWall(y, east, z0, z1, to float32) []face {
	return []face{
		facingY(y, -east, -doorHalf, z0, z1, to),
		facingY(y, doorHalf, east, z0, z1, to),
		facingY(y, -doorHalf, doorHalf, doorTop, z1, to),
	}
}

// passage is what is inside a doorway that goes through a wall.
func passage(y0, y1 float32) []face {
	return []face{
		facingX(-doorHalf, y0, y1, floor, doorTop, 1), facingX(doorHalf, y0, y1, floor, doorTop, -1),
		facingZ(doorTop, -doorHalf, doorHalf, y0, y1, -1), facingZ(floor, -doorHalf, doorHalf, y0, y1, 1),
	}
}

// shell is the house from outside: it has no underside, and a hole where its door is.
func shell() []face {
	faces := []face{
		facingZ(roof, -houseEast, houseEast, -houseNorth, houseNorth, 1),
		facingX(-houseEast, -houseNorth, houseNorth, cellar, roof, -1),
		facingX(houseEast, -houseNorth, houseNorth, cellar, roof, 1),
		facingY(houseNorth, -houseEast, houseEast, cellar, roof, 1),
	}
	faces = append(faces, doorWall(-houseNorth, houseEast, cellar, roof, -1)...)
	return append(faces, facingY(-houseNorth, -doorHalf, doorHalf, cellar, floor, -1))
}

// room is a room from inside, but for its south and north walls.
func room(y0, y1 float32) []face {
	return []face{
		facingZ(floor, -inEast, inEast, y0, y1, 1), facingZ(ceiling, -inEast, inEast, y0, y1, -1),
		facingX(-inEast, y0, y1, floor, ceiling, 1), facingX(inEast, y0, y1, floor, ceiling, -1),
	}
}

// The house's two cell structures, and its two cells in their order.
const (
	front = iota
	back
	rooms
)

// addHouse adds the models of the house.
func (m *maker) addHouse() {
	put(m, &m.out.Portal, shellModel, model(shellModel, shell()), dat.EncodeGfxObj)

	inFront := room(-inNorth, -half)
	inFront = append(inFront, doorWall(-inNorth, inEast, floor, ceiling, 1)...)
	inFront = append(inFront, doorWall(-half, inEast, floor, ceiling, -1)...)
	inFront = append(inFront, passage(-houseNorth, -inNorth)...)
	inFront = append(inFront, passage(-half, 0)...)
	inBack := append(room(half, inNorth), facingY(inNorth, -inEast, inEast, floor, ceiling, -1))
	inBack = append(inBack, doorWall(half, inEast, floor, ceiling, 1)...)
	inBack = append(inBack, passage(0, half)...)

	door := func(y, to float32) face { return facingY(y, -doorHalf, doorHalf, floor, doorTop, to) }
	e := &dat.Environment{ID: houseInside, Cells: []dat.CellStructure{
		structure(front, inFront, []face{door(-houseNorth, -1), door(0, 1)}, -houseNorth, 0),
		structure(back, inBack, []face{door(0, -1)}, 0, inNorth),
	}}
	put(m, &m.out.Portal, houseInside, e, dat.EncodeEnvironment)
}

// structure makes a room of its faces and its portals. It contains what lies
// between its walls, from the ground to the ceiling, from y0 to y1.
func structure(number uint32, faces, portals []face, y0, y1 float32) dat.CellStructure {
	s := dat.CellStructure{Number: number, PhysicsTree: treeOf(faces), CellTree: &dat.BSPNode{Tag: "LEAF", Index: 1}}
	s.Polygons = polygons(portals, &s.Vertices)
	for i := range portals {
		s.Portals = append(s.Portals, uint16(i))
	}
	s.Physics = polygons(faces, &s.Vertices)
	for _, p := range [...]dat.Plane{
		{Normal: space.Vec3{0, 0, -1}, D: ceiling}, {Normal: space.Vec3{0, 0, 1}},
		{Normal: space.Vec3{-1, 0, 0}, D: inEast}, {Normal: space.Vec3{1, 0, 0}, D: inEast},
		{Normal: space.Vec3{0, -1, 0}, D: y1}, {Normal: space.Vec3{0, 1, 0}, D: -y0},
	} {
		s.CellTree = &dat.BSPNode{Tag: "BPnn", Plane: p, Pos: s.CellTree}
	}
	return s
}

// The bits of a portal's flags (spec 21 §8.3).
const (
	exact    = 1
	outwards = 4
	nowhere  = 0xFFFF
)

// build stands a house on the land.
func (s *site) build(f space.Frame) {
	first := uint16(0x100 + s.info.Cells)
	s.info.Buildings = append(s.info.Buildings, dat.BuildingRecord{
		Model: shellModel, Frame: f, Leaves: 1,
		Portals: []dat.BuildingPortalRecord{{Flags: exact, OtherCell: first + front, Cells: []uint16{first + front, first + back}}},
	})
	portals := [rooms][]dat.CellPortalRecord{
		front: {{Flags: exact | outwards, OtherCell: nowhere}, {Flags: exact, Polygon: 1, OtherCell: first + back}},
		back:  {{Flags: exact, OtherCell: first + front, OtherPortal: 1}},
	}
	for i := range uint16(rooms) {
		c := &dat.EnvCell{
			ID: uint32(s.x)<<24 | uint32(s.y)<<16 | uint32(first+i), Flags: dat.SeenOutside,
			Environment: uint16(houseInside & 0xFFFF), Structure: i, Frame: f,
			Portals: portals[i], Visible: []uint16{first + front, first + back},
		}
		if i == back { // with a post in it
			const hasObjects = 2
			at := f
			at.Origin = space.Add(f.Origin, space.LocalToGlobalVec(f.Rotation, space.Vec3{2, 4, floor}))
			c.Flags |= hasObjects
			c.Objects = []dat.ObjectRecord{{Model: postSetup, Frame: at}}
		}
		s.rooms = append(s.rooms, c)
	}
	s.info.Cells += rooms
}
