// Package ground makes the land that loads and tests run over where no cell file
// is given: a seeded one, written as a valid pair of a portal and a cell file.
//
// It is an island: a rectangle of landblocks whose outermost are sea, which no
// body enters. Within, rolling hills with cliffs and ponds; boulders and pillars
// wherever they fall; and in about every third block a level yard with houses of
// two rooms, stairs of boxes up to platforms, crates, walls, arches and wedges
// too steep to walk on. In order of reading:
//
//	land.go     the land: its seed and rectangle, its records, its files
//	noise.go    seeded noise in whole numbers
//	terrain.go  heights and water
//	scatter.go  what stands where
//	models.go   what those things are made of
//	house.go    the house and its two rooms
//	solid.go    polygons made into models, and their physics trees
//
// Everything is a function of the seed and the place, in whole numbers or in
// floats with every product converted, so the files have the same bytes on every
// machine. Lands of one seed agree in the ground that they share, but for their
// coasts.
package ground
