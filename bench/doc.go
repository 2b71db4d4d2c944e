// Package bench makes the loads that the engine's speed is measured under, and
// measures it. A figure of speed names its load, its count of remotes, the
// number of workers and whether the sweep was on.
//
// In order:
//
//	load.go        the loads and what they are
//	rng.go         the random numbers
//	mover.go       the ideal mover: what a remote does and where it then is
//	errand.go      what a mover of the busy load does besides
//	place.go       where remotes start, and from world metres to cells and back
//	terrain.go     what they walk on when the engine sweeps; ground/ makes the land
//	population.go  a real world's placements, read from a file
//	stream.go      all movers' messages, encoded, by tick
//	faults.go      what the field makes of a load's messages
//	run.go         a run: spawn, warm up, feed and tick against the clock
//	floor.go       what copying the bytes of a tick costs on the same machine
//	cost.go        what the stages of a tick cost
//	collector.go   what the garbage collector did
//	result.go      the figures, as a JSON object and as a table
//	watch.go       where remotes were while their ideal movers were somewhere else
//	scan.go        how they grow with the number of remotes, and with workers
//
// # The loads
//
// 30 ticks a second. In the mixed load every mover stands for 0–6 s and then
// repeats: walk forward at speed 1 for 2–5 s; run forward at a speed s of its
// own, 1.0–2.5, for R = 3–8 s, with a turn (right or left, speed 1.5) from
// 0.2–0.35 R that lasts 0.5–1.5 s but ends by 0.6 R, and a walk from
// 0.65–0.75 R for 0.1–0.2 R; stand for 2–6 s. Every change is a movement event,
// and for every full second that it has been on the move there is a position
// event with where the ideal mover is, ±0.2 m in x and y, one in a hundred being
// 1 m off in a random direction instead.
//
// Busy is mixed in pairs, 3–12 m apart at the start, whose movers each run five
// errands a minute besides their cycle, in a drawn order, each somewhere in its
// own twelve seconds: two move-tos with default parameters (0xF74C of type 7 to a
// place 3–12 m away, of type 6 to the other of the pair), a stick to the other
// (type 0 with the sticky option, what it does kept), a one-shot action (type 0
// with one action, what it does kept), and a jump. What the cycle changes in
// between ends a move-to or a stick; one that ends by itself is followed by a
// position event. A jump is straight up: a vector update (0xF74E) with 2.5–4 m/s
// and, when a body in free fall would be back, one with nothing and a position
// event on the ground; a server sends no position on the ground in between. Without
// a sweep nobody sees the ground go, so the remote keeps its course and rises at
// that speed until the landing fetches it down. Errors are larger than mixed's by
// what a move-to and an action do that an ideal mover does not: it turns and walks
// at once, and goes on while it acts.
//
// Dense is mixed in nine landblocks. Storm is mixed with a movement event and a
// position event for every mover in every tick. Idle sends nothing.
//
// With a population the movers are its placements, on their own scale, as the
// humanoid or the creature (see [Placement.Gait]), and an ideal mover has its
// gait's speeds times the scale. Indoors it keeps its cell and its origin is not
// normalised. A large creature at a high s runs tens of metres a second: more than
// its leash (13 §4) lets a remote go on one position event a second. The error of
// such a load is that of the rules, and not to be compared with that of humanoids.
//
// With a sweep the movers start where one can stand, on a plane or on a land (see
// [LoadGround]), and are as high as the ground below them; they know of nothing
// else in the way, so that errors are larger by what remotes run into.
//
// # Invariants
//
// A load is a function of its name, its seed and its number of remotes, on every
// machine: it draws from generators of its own, one a mover, seeded by seed and
// mover. So the first k movers of a load without a population do the same
// whatever the count. Messages of a tick are in mover order, a mover's movement
// event before its position event.
//
// Messages are encoded before the clock starts. A load that would take more
// than [WindowBytes] is made in windows of whole ticks, and the clock stands
// while a window is made.
package bench
