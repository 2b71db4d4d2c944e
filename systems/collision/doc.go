// Package collision is the sweep: whether a body may go where its step leads,
// and where it ends if not (spec 14).
//
// A [Sweep] takes a [Body] from one position to another, or puts it down
// somewhere. The body is up to two spheres; it is moved in sub-steps no longer
// than its radius, and each sub-step is inserted into the cells it touches. A
// cell answers with its terrain (L1), its building or its own walls (L4, L3)
// and the bodies that stand in it (L2, L3); the answer moves the spheres, and
// the sub-step is tried again. In order of reading:
//
//	world.go, block.go   what a sweep runs against: land, shapes, the crowd
//	cells.go             which cells spheres touch, and which one holds a point
//	path.go, sweep.go    the state of a sweep; the loop over sub-steps
//	insert.go, step.go   one sub-step; stepping up and down, sliding
//	place.go             putting a body down
//	terrain.go           L1
//	object.go, ball.go, cylinder.go   L2
//	polygon.go, tree.go, hull.go      L3
//	indoors.go           L4
//	crowd.go             who is registered in which cell
//	memory.go            which landblocks are kept
//	probe.go             where a body stands, for who only asks
//
// A sweep reads the world and writes nothing but itself; what comes of it is in
// its result fields for the caller to commit. Sweeps of different bodies run
// side by side, each with a Sweep of its own. Once warm they allocate nothing.
package collision
