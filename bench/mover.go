package bench

import (
	"math"

	"github.com/gait-engine/gait/space"
)

// Gait is a kind of body: which records it is spawned with, and how an ideal
// mover of it moves.
type Gait struct {
	Name        string
	MotionTable uint32
	Setup       uint32
	Walk, Run   float64 // m/s at speed 1
	Turn        float64 // rad/s at speed 1
	Action      uint32  // full command of a one-shot action that it has a way into
}

// The two gaits that the fixtures hold. The creature's speeds are its cycles'.
var (
	Humanoid = Gait{"humanoid", 0x09000001, 0x02000001, 3.12, 4, 1.5, 0x13000087}
	Creature = Gait{"creature", 0x09000007, 0x02000007, 2.5, 6, 2, 0x10000062}
)

// What the mixed load draws, in seconds, speeds, or parts of the run.
const (
	firstIdleMax             = 6.0
	walkMin, walkMax         = 2.0, 5.0
	runMin, runMax           = 3.0, 8.0
	speedMin, speedMax       = 1.0, 2.5
	turnAtMin, turnAtMax     = 0.2, 0.35 // of the run
	turnMin, turnMax         = 0.5, 1.5
	turnEnd                  = 0.6        // of the run
	toggleAtMin, toggleAtMax = 0.65, 0.75 // of the run
	toggleMin, toggleMax     = 0.1, 0.2   // of the run
	standMin, standMax       = 2.0, 6.0
	turnSpeed                = 1.5
	noise                    = 0.2 // m, in x and y, either way
	strayPart                = 0.01
	stray                    = 1.0 // m
)

// step is where in its cycle a mover is.
type step uint8

// The steps of a cycle in order; a mover leaves one when the time of the next has come.
const (
	stands step = iota
	walks
	runs
	turns // while running
	runsOn
	toggles // a walk, without stopping
	runsAgain
	stepCount
)

// purposes of a mover's generators
const (
	forStart = iota
	forScript
	forNoise
)

// mover is an ideal mover: it does what its remote is told, exactly.
type mover struct {
	worldPoint
	heading float64 // rad, compass: 0 north, clockwise
	clock   float64 // s, when the current cycle ends
	gait    *Gait
	area    *area        // in which it stays outdoors, nil for all of the world
	indoors space.CellID // its cell when that is indoors, else 0
	scale   float32
	speed   float32          // of its runs
	due     [stepCount]int32 // tick at which each step begins; stands: of the next cycle's end
	nextPos int32            // tick of the next position event
	script  rng
	noise   rng
	step    step
	left    bool   // this cycle's turn
	moves   uint16 // stamps last sent
	places  uint16
}

// begin stands the mover at its start, part-way into a first idle.
func (m *mover) begin(s *start, a *area, seed uint64, index int) {
	*m = mover{
		worldPoint: inWorld(s.position.Cell, s.position.Frame.Origin),
		heading:    headingOf(s.position.Frame.Rotation),
		gait:       s.gait,
		area:       a,
		scale:      s.scale,
		script:     newRNG(seed, index, forScript),
		noise:      newRNG(seed, index, forNoise),
	}
	if s.position.Cell.Indoors() {
		m.indoors = s.position.Cell
	}
	m.speed = float32(m.script.within(speedMin, speedMax))
	m.clock = m.script.within(0, firstIdleMax)
	m.plan()
}

// plan draws the next cycle: it begins when the clock says.
func (m *mover) plan() {
	r, t := &m.script, m.clock
	tick := func(s float64) int32 { return int32(math.Ceil(s * TicksPerSecond)) }
	m.due[walks] = tick(t)
	t += r.within(walkMin, walkMax)
	run := r.within(runMin, runMax)
	turn := float64(run * r.within(turnAtMin, turnAtMax))
	turned := min(turn+r.within(turnMin, turnMax), float64(run*turnEnd))
	toggle := float64(run * r.within(toggleAtMin, toggleAtMax))
	toggled := toggle + float64(run*r.within(toggleMin, toggleMax))
	m.due[runs] = tick(t)
	m.due[turns] = tick(t + turn)
	m.due[runsOn] = tick(t + turned)
	m.due[toggles] = tick(t + toggle)
	m.due[runsAgain] = tick(t + toggled)
	t += run
	m.due[stands] = tick(t)
	m.left = r.next()>>63 != 0
	m.clock = t + r.within(standMin, standMax)
}

// change takes the step that is due at a tick, if one is.
func (m *mover) change(tick int32) bool {
	next := (m.step + 1) % stepCount
	if tick < m.due[next] {
		return false
	}
	m.step = next
	switch next {
	case stands:
		m.plan()
	case walks:
		m.nextPos = tick + TicksPerSecond
	}
	return true
}

// reports reports whether a position event is due at a tick: one for every
// second on the move.
func (m *mover) reports(tick int32) bool {
	if m.step == stands || tick < m.nextPos {
		return false
	}
	m.nextPos += TicksPerSecond
	return true
}

// command is what a mover does, in the words of an interpreted state.
type command struct {
	forward   uint32 // full command
	speed     float32
	turning   bool
	turnSpeed float32 // negative to the left
}

// Full commands.
const (
	ready       = 0x41000003
	walkForward = 0x45000005
	runForward  = 0x44000007
	turnRight   = 0x6500000D
)

// does returns what the mover does in its step.
func (m *mover) does() command {
	switch m.step {
	case stands:
		return command{forward: ready, speed: 1, turnSpeed: 1}
	case walks, toggles:
		return command{forward: walkForward, speed: 1, turnSpeed: 1}
	}
	c := command{forward: runForward, speed: m.speed, turnSpeed: 1}
	if m.step == turns {
		c.turning, c.turnSpeed = true, turnSpeed
		if m.left {
			c.turnSpeed = -turnSpeed
		}
	}
	return c
}

// advance moves the mover on by a tick, along the chord of the arc that it
// walks in it: with no turn, a straight line.
func (m *mover) advance() {
	c := m.does()
	var v float64
	switch c.forward {
	case walkForward:
		v = m.gait.Walk
	case runForward:
		v = float64(m.gait.Run * float64(c.speed))
	default:
		return
	}
	way := float64(float64(v*float64(m.scale)) * tickSeconds)
	mid := m.heading
	if c.turning {
		half := float64(float64(m.gait.Turn*float64(c.turnSpeed)) * (tickSeconds / 2))
		mid = m.heading + half
		m.heading += 2 * half
		if m.heading >= 2*math.Pi || m.heading < -2*math.Pi {
			m.heading = math.Mod(m.heading, 2*math.Pi)
		}
		way = float64(way * float64(space.Sin(half)/half))
	}
	s, cos := space.SinCos(mid)
	m.x += float64(way * s)
	m.y += float64(way * cos)
	m.keepIn()
}

// keepIn keeps the mover in its area, or near its landblock.
func (m *mover) keepIn() {
	if m.indoors == 0 {
		m.area.keep(&m.worldPoint)
		return
	}
	x, y := float64(m.indoors.BlockX())*space.BlockSide, float64(m.indoors.BlockY())*space.BlockSide
	m.x = min(max(m.x, x-indoorReach), x+indoorReach)
	m.y = min(max(m.y, y-indoorReach), y+indoorReach)
}

// seen returns where a position event says that the mover is.
func (m *mover) seen() worldPoint {
	p, r := m.worldPoint, &m.noise
	if r.unit() < strayPart {
		s, c := space.SinCos(r.within(0, 2*math.Pi))
		p.x += float64(stray * s)
		p.y += float64(stray * c)
		return p
	}
	p.x += r.within(-noise, noise)
	p.y += r.within(-noise, noise)
	return p
}
