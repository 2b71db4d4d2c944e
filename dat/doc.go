// Package dat reads and writes the retail data files (spec 21) and compiles
// them into [Tables], the flat form that movers play from.
//
// In order from the bytes up:
//
//   - [Open] and [OpenFile] read a container, [Write] makes one; [OpenFolder]
//     reads a folder of loose records. Both are a [Source].
//   - The Decode functions turn a record's bytes into a struct, and the Encode
//     functions back into the same bytes: order, duplicates, fill and rotations
//     are kept as stored; only a length in a longer form than it needs is
//     written in the shortest. There is a pair for each of [MotionTable], [Animation],
//     [Setup], [GfxObj], [Environment], [Region], [LandBlock], [LandBlockInfo]
//     and [EnvCell].
//   - [Compile] makes [Tables] of them, and [Load] does all of it at once;
//     [LoadLand] does so with what bodies collide with, and [CompileBlock] makes
//     a [Block] of one landblock's records.
//
// # Tables
//
// Tables are immutable and safe for any number of goroutines. Everything in
// them is found by index; None is the index of nothing. What the records leave
// open is settled when they are compiled: the bounds of clips (R2.1), missing
// animations (R2.2), duplicate keys (the last wins), hooks of type 4 (dropped,
// R2.33) and rotations of all zeros (the identity, so that playing one never
// makes a NaN). Their Identity says whether two tables are the same.
//
// [Tables.PlaySeconds] and [PlayClip.HookSeconds] are what playing shows;
// [Tables.AnimationLength] and its like reproduce a server's timing, which
// counts otherwise (spec 03 §3.12).
//
// # Shapes and landblocks
//
// [Shapes] are the polygons and trees of all models and cell structures, a
// [Hull] each, without pointers. A [Block] holds one landblock: its ground, its
// statics and buildings, its indoor cells. A polygon has a plane, a tree is one
// and no deeper than [MaxTreeDepth], a sphere with polygons in it has a size, and
// every index is in range: what does not hold to that is refused as
// [ErrGeometry] or [ErrMissing] when it is compiled.
//
// The ids of land and of models overlap. A container is asked only for the
// records of its own data set; a [Folder] may hold both.
//
// # Hostile files
//
// Every count is checked against the bytes that are left before anything is
// allocated, every float is finite, every id is echoed, every byte is used. A
// refusal is an [Error] that names file, record, offset and reason, of a kind
// to match with errors.Is. Nothing panics on input.
package dat
