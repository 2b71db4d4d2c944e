package collision

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// Transition is what became of an insertion (14 §1 TransitionState).
type Transition uint8

const (
	OK Transition = 1 + iota
	Collided
	Adjusted // moved: try again
	Slid     // moved along something: try again
)

// insertType is how a body is put into a cell (14 §1).
type insertType uint8

const (
	transition       insertType = iota
	placement                   // only overlap counts
	initialPlacement            // pushed out of solids; bodies do not count
)

// infoBits are the state bits of the object info (14 §1).
type infoBits uint32

const (
	inContact   infoBits = 0x1
	onWalkable  infoBits = 0x2
	pathClipped infoBits = 0x8
	freeRotate  infoBits = 0x10
	edgeSlide   infoBits = 0x200
	ignoreCreat infoBits = 0x400
)

// The constants of spec 11 §1 that a sweep reads, metres or cosines.
const (
	Eps                = space.Eps
	FloorZ             = components.FloorZ
	LandingZ   float32 = 0.0871557 // walkable for who lands
	stepHeight float32 = 0.04      // of who does not walk
)

// walkable is a polygon that a step down ended on (14 §1).
type walkable struct {
	ok      bool
	polygon int32      // in Shapes.Polygons
	sphere  dat.Sphere // the check sphere, in the polygon's axes and scale
	up      space.Vec3 // likewise
	place   space.Position
	scale   float32
}

// Sweep is one body on its way. It is reused from sweep to sweep and big, so
// there is one for each goroutine. The exported fields are results.
type Sweep struct {
	World *World

	body *Body
	info infoBits

	// sphere path
	count   int // spheres
	current space.Position
	centre  [2]space.Vec3 // global centres at current, in its block
	check   space.Position
	global  [2]dat.Sphere // global spheres at check, in its block
	reach   float32       // of the spheres in plan, from the centre of the first, wherever swing takes them
	swing   float32       // how far off they may be for who turns on the way, m
	turned  [2]space.Vec3 // the spheres' centres, turned
	bottom  space.Vec3    // from the first one's centre to the low point, turned likewise,
	lowest  space.Vec3    // and as it was when the spheres were placed last
	turn    space.Quat    // by this
	begin   space.Position
	end     space.Position
	backup  space.Position // of check
	// the cells of the positions; that of check may be none while its id is not
	currentCell, checkCell, backupCell cell

	// localspace: the spheres as one obstacle sees them
	local       [2]dat.Sphere
	localCentre [2]space.Vec3 // at current
	localUp     space.Vec3
	localPlace  space.Position
	localAxes   space.Axes // of localPlace
	localScale  float32

	insert              insertType
	stepUp, stepDown    bool
	collide             bool
	checkWalkable       bool
	obstructionEthereal bool
	hitsInterior        bool
	buildingCheck       bool
	negPolyHit          bool
	negStepUp           bool
	sliding             bool // placement allows sliding
	stepUpNormal        space.Vec3
	negNormal           space.Vec3
	allowance           float32 // a normal's z above it is walkable
	interp              float32 // walk_interp
	amount              float32 // step_down_amount, m
	walkable            walkable

	// collision info, and the results
	Contact       Ground
	LastKnown     Ground
	Slide         direction
	Hit           direction // the collision normal
	Stationary    int       // frames stationary fall
	Environment   bool      // collided with the environment
	KillsVelocity bool      // the body's velocity is to be zeroed, whatever the sweep ends with
	Collisions    []uint32  // guids of the bodies met, in order, no duplicates

	// Asked are cells whose lists' order was asked for, for [Crowd.Bring]; the
	// caller empties it.
	Asked []space.CellID

	cells   []cell         // the cell array
	ids     []space.CellID // of Stroll
	entries []entry        // lists that were made up for ([Crowd.ordered])
	calm    float32        // for how many ticks nobody and nothing can come near who strolls
	near    bool           // Stroll goes beside something, through what may count as solid
}

// Position is where the body has come.
func (s *Sweep) Position() *space.Position { return &s.current }

// Present reports whether that place lies in a cell that is there; otherwise
// the body is lost (11 §8.1).
func (s *Sweep) Present() bool { return s.currentCell.present() }

// OnWalkable reports whether the body came to stand on walkable ground.
func (s *Sweep) OnWalkable() bool { return s.Contact.Valid && s.Contact.Plane.Normal[2] >= FloorZ }

// Cells appends the ids of the cells that the body lies in, in the order of the
// cell array, to dst. Those that are not there count.
func (s *Sweep) Cells(dst []space.CellID) []space.CellID {
	for i := range s.cells {
		dst = append(dst, s.cells[i].id)
	}
	return dst
}

// reset makes s ready for a new sweep of body.
func (s *Sweep) reset(body *Body) {
	s.body, s.info = body, 0
	s.count = body.SphereCount
	for i := range s.count {
		s.global[i].Radius = body.Spheres[i].Radius
	}
	s.turn.W = float32(math.NaN()) // nothing has been turned yet, and no rotation says that it has
	s.currentCell, s.checkCell, s.backupCell = cell{}, cell{}, cell{}
	s.insert, s.swing = transition, 0
	s.stepUp, s.stepDown, s.collide, s.checkWalkable, s.obstructionEthereal = false, false, false, false, false
	s.hitsInterior, s.buildingCheck, s.negPolyHit, s.negStepUp, s.sliding = false, false, false, false, true
	s.walkable.ok = false
	s.allowance, s.interp, s.amount = 0, 1, 0
	s.KillsVelocity = false
	s.cells = s.cells[:0]
	s.resetCollisions()
}

// resetCollisions forgets all that was hit; planes and normals become zero (14 §2, W-20).
func (s *Sweep) resetCollisions() {
	s.Contact, s.LastKnown = Ground{}, Ground{}
	s.Slide, s.Hit = direction{}, direction{}
	s.Stationary, s.Environment = 0, false
	s.Collisions = s.Collisions[:0]
}

func (s *Sweep) is(b infoBits) bool { return s.info&b != 0 }

func (s *Sweep) missile() bool { return s.body.State&components.Missile != 0 }

// steps reports whether the body may step down (14 §1).
func (s *Sweep) steps() bool { return !s.missile() }

// allowable is the walkable test of a normal (14 §1): strictly above the allowance.
func (s *Sweep) allowable(z float32) bool { return z > s.allowance }

// turnSpheres turns the centres as check is turned, which few steps of a sweep change.
func (s *Sweep) turnSpheres() {
	q := &s.check.Frame.Rotation
	if s.turns(q) {
		return
	}
	a := s.turnTo(q, &s.turned)
	s.turn = *q
	of(&a.Z).times(-s.body.Spheres[0].Radius).to(&s.bottom)
	s.reach = s.body.reach(&s.turned) + s.swing
}

// turnTo makes turned the centres, turned by q.
func (s *Sweep) turnTo(q *space.Quat, turned *[2]space.Vec3) (a space.Axes) {
	space.AxesTo(&a, q)
	for i := range s.count {
		out(&a, of(&s.body.Spheres[i].Centre)).to(&turned[i])
	}
	return a
}

// turns reports whether the centres at hand are turned by q.
func (s *Sweep) turns(q *space.Quat) bool {
	t := &s.turn
	return q.W == t.W && q.V[0] == t.V[0] && q.V[1] == t.V[1] && q.V[2] == t.V[2]
}

// centres returns the centres, turned by q: in room, unless they are at hand.
func (s *Sweep) centres(q *space.Quat, room *[2]space.Vec3) *[2]space.Vec3 {
	if s.turns(q) {
		return &s.turned
	}
	s.turnTo(q, room)
	return room
}

// placeSpheres puts the spheres where check is (14 §3).
func (s *Sweep) placeSpheres() {
	s.turnSpheres()
	s.lowest = s.bottom
	o := &s.check.Frame.Origin
	for i := range s.count {
		g, t := &s.global[i].Centre, &s.turned[i]
		g[0], g[1], g[2] = o[0]+t[0], o[1]+t[1], o[2]+t[2]
	}
}

// low is the low point at check: below the centre of sphere 0 in the body's own axes (14 §3).
func (s *Sweep) low() space.Vec3 { return of(&s.global[0].Centre).plus(of(&s.lowest)).array() }

// checkCurrent makes check what current is.
func (s *Sweep) checkCurrent() {
	s.check, s.checkCell = s.current, s.currentCell
	s.placeSpheres()
}

// currentCheck makes current what check is.
func (s *Sweep) currentCheck() {
	s.current, s.currentCell = s.check, s.checkCell
	s.turnSpheres()
	o := &s.check.Frame.Origin
	for i := range s.count {
		g, t := &s.centre[i], &s.turned[i]
		g[0], g[1], g[2] = o[0]+t[0], o[1]+t[1], o[2]+t[2]
	}
}

// move is add_offset_to_check_pos: the spheres are translated, not derived anew (14 §3).
func (s *Sweep) move(v space.Vec3) {
	s.check.Frame.Origin = space.Add(s.check.Frame.Origin, v)
	for i := range s.count {
		s.global[i].Centre = space.Add(s.global[i].Centre, v)
	}
}

// enter is adjust_check_pos: check goes into a cell, which for an outdoor one
// changes the block that its numbers count from (14 §3).
func (s *Sweep) enter(id space.CellID) {
	if !id.Indoors() && !id.SameBlock(s.check.Cell) {
		s.move(space.BlockOffset(id, s.check.Cell))
	}
	s.check.Cell = id
}

// save and restore keep check for later (14 §3).
func (s *Sweep) save() { s.backup, s.backupCell = s.check, s.checkCell }

func (s *Sweep) restore() {
	s.check, s.checkCell = s.backup, s.backupCell
	s.placeSpheres()
}

// travel is how far sphere i has come from current to check (14 §3, block offset included).
func (s *Sweep) travel(i int) space.Vec3 {
	d := space.Sub(s.global[i].Centre, s.centre[i])
	if s.check.Cell.SameBlock(s.current.Cell) {
		return d
	}
	return space.Add(d, space.BlockOffset(s.current.Cell, s.check.Cell))
}

// currentCentre is the centre of sphere i at current, in the block of check.
func (s *Sweep) currentCentre(i int) space.Vec3 {
	if s.check.Cell.SameBlock(s.current.Cell) {
		return s.centre[i]
	}
	return space.Add(s.centre[i], space.BlockOffset(s.check.Cell, s.current.Cell))
}

// shifted returns a point of check's block as the block of cell sees it (14 §3).
func (s *Sweep) shifted(v space.Vec3, cell space.CellID) space.Vec3 {
	if cell.SameBlock(s.check.Cell) {
		return v
	}
	return space.Add(v, space.BlockOffset(cell, s.check.Cell))
}

// localize is cache_localspace: the spheres in the axes of something that stands
// at p, in units of its scale (14 §3).
func (s *Sweep) localize(p *space.Position, scale float32) {
	s.localPlace, s.localScale = *p, scale
	axes := &s.localAxes
	space.AxesTo(axes, &p.Frame.Rotation)
	in(axes, vec{0, 0, 1}).to(&s.localUp)
	toCheck, toCurrent := space.Offset(p, &s.check), space.Offset(p, &s.current)
	var room [2][2]space.Vec3
	check, current := s.centres(&s.check.Frame.Rotation, &room[0]), s.centres(&s.current.Frame.Rotation, &room[1])
	for i := range s.count {
		c := in(axes, of(&toCheck).plus(of(&check[i])))
		o := in(axes, of(&toCurrent).plus(of(&current[i])))
		if scale != 1 {
			c, o = c.over(scale), o.over(scale)
		}
		c.to(&s.local[i].Centre)
		s.local[i].Radius = s.body.Spheres[i].Radius / scale
		o.to(&s.localCentre[i])
	}
}

func divided(v space.Vec3, by float32) space.Vec3 { return of(&v).over(by).array() }

// setCollide notes that the body runs into something it may land on (14 §3).
func (s *Sweep) setCollide(n space.Vec3) {
	s.collide = true
	s.save()
	s.stepUpNormal, s.interp = n, 1
}

// setNegPolyHit notes that a polygon was struck from behind (14 §3).
func (s *Sweep) setNegPolyHit(stepUp bool, n space.Vec3) {
	s.negStepUp, s.negPolyHit = stepUp, true
	s.negNormal = space.Vec3{-n[0], -n[1], -n[2]}
}

// onRecorded is check_walkables: whether the recorded polygon still carries the
// body. The recorded sphere shrinks with every call (14 §3, W-15).
func (s *Sweep) onRecorded() bool {
	w := &s.walkable
	if !w.ok {
		return true
	}
	w.sphere.Radius *= 0.5
	return carries(s.World.Shapes, w.polygon, &w.sphere, &w.up, 1)
}

// killVelocity has the body's velocity zeroed (14 §1).
func (s *Sweep) killVelocity() { s.KillsVelocity = true }

// collideWith records a body that was met.
func (s *Sweep) collideWith(guid uint32) {
	for _, g := range s.Collisions {
		if g == guid {
			return
		}
	}
	s.Collisions = append(s.Collisions, guid)
}

// environment records that something fixed was met by a body in the air.
func (s *Sweep) environment() {
	if !s.is(inContact) {
		s.Environment = true
	}
}
