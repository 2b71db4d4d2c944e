package ground

import (
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// The models that stand about, at the top of their ranges, out of the way of shipped ones.
const (
	stepModel uint32 = dat.GfxObjLast - iota
	platformModel
	wallModel
	crateModel
	wedgeModel
	jambModel
	lintelModel
	boulderShape
	pillarShape
	shellModel
)

const (
	archSetup uint32 = dat.SetupLast - iota
	boulderSetup
	pillarSetup
	postSetup
)

// Sizes in metres.
const (
	buried       = 4   // how far things reach below the ground that they stand on
	rise         = 0.3 // of a step of the stairs
	tread        = 0.6
	flight       = 5 // steps up to a platform, which is one more
	stairsHalf   = 2 // half the stairs' width
	platformHalf = 4 // half a platform's side
	wallHalf     = 6 // half a wall's length
	archHalf     = 1 // half the way through an arch
	pillarRadius = 0.6
	postRadius   = 0.2
	pillarHeight = 3
	boulderSize  = 1.5 // its radius
)

// addModels adds everything that stands on the land but the house.
func (m *maker) addModels() {
	solid := func(id uint32, faces []face) { put(m, &m.out.Portal, id, model(id, faces), dat.EncodeGfxObj) }
	solid(stepModel, box(space.Vec3{-stairsHalf, 0, -buried}, space.Vec3{stairsHalf, tread, rise}))
	solid(platformModel, box(space.Vec3{-platformHalf, -platformHalf, -buried}, space.Vec3{platformHalf, platformHalf, (flight + 1) * rise}))
	solid(wallModel, box(space.Vec3{-wallHalf, -0.25, -buried}, space.Vec3{wallHalf, 0.25, 3}))
	solid(crateModel, box(space.Vec3{-1.5, -1.5, -buried}, space.Vec3{1.5, 1.5, 0.5}))
	// a face of 1 up to 1.5 across, 56.3°, with a drop behind
	solid(wedgeModel, prism([]space.Vec3{{0, -4, -buried}, {0, 4, -buried}, {0, 4, 6}, {0, 2, 6}, {0, -4, -3}}, -5, 5))
	solid(jambModel, box(space.Vec3{-0.5, -0.5, -buried}, space.Vec3{0.5, 0.5, 3}))
	solid(lintelModel, box(space.Vec3{-archHalf - 1, -0.5, 0}, space.Vec3{archHalf + 1, 0.5, 0.5}))
	m.addShape(boulderShape, boulderSize, -boulderSize, boulderSize)
	m.addShape(pillarShape, pillarRadius, 0, pillarHeight)

	at := func(x, y, z float32) space.Frame {
		return space.Frame{Origin: space.Vec3{x, y, z}, Rotation: space.IdentityQuat}
	}
	const physicsTree = 8
	m.addSetup(&dat.Setup{
		ID: archSetup, Flags: physicsTree, Parts: []uint32{jambModel, jambModel, lintelModel},
		Placements: []dat.Placement{{Parts: []space.Frame{at(-archHalf-0.5, 0, 0), at(archHalf+0.5, 0, 0), at(0, 0, 3)}}},
		Height:     3.5, Radius: archHalf + 1,
	})
	thing := func(id, shape uint32) *dat.Setup {
		return &dat.Setup{ID: id, Parts: []uint32{shape}, Placements: []dat.Placement{{Parts: []space.Frame{at(0, 0, 0)}}}}
	}
	boulder := thing(boulderSetup, boulderShape)
	boulder.Spheres, boulder.Height, boulder.Radius = []dat.Sphere{{Radius: boulderSize}}, boulderSize, boulderSize
	m.addSetup(boulder)
	column := func(id uint32, radius float32) {
		s := thing(id, pillarShape)
		s.Cylinders = []dat.Cylinder{{Low: space.Vec3{0, 0, -buried}, Radius: radius, Height: buried + pillarHeight}}
		s.Height, s.Radius = pillarHeight, radius
		m.addSetup(s)
	}
	column(pillarSetup, pillarRadius)
	column(postSetup, postRadius)
}

// addSetup adds a setup, whose sorting sphere follows from its size.
func (m *maker) addSetup(s *dat.Setup) {
	s.Sorting = dat.Sphere{Centre: space.Vec3{0, 0, s.Height / 2}, Radius: float32(s.Height/2) + s.Radius}
	s.Selection = s.Sorting
	put(m, &m.out.Portal, s.ID, s, dat.EncodeSetup)
}

// addShape adds a model with a box and nothing to collide with.
func (m *maker) addShape(id uint32, half, low, high float32) {
	g := &dat.GfxObj{ID: id}
	for _, x := range [2]float32{-half, half} {
		for _, y := range [2]float32{-half, half} {
			for _, z := range [2]float32{low, high} {
				vertex(&g.Vertices, space.Vec3{x, y, z})
			}
		}
	}
	put(m, &m.out.Portal, id, g, dat.EncodeGfxObj)
}
