// Package dat reads and writes the retail data files (spec 21) and compiles
// them into [Tables], the flat form that movers play from.
//
// In order from the bytes up:
//
//   - [Open] and [OpenFile] read a container, [Write] makes one; [OpenFolder]
//     reads a folder of loose records. Both are a [Source].
//   - [DecodeMotionTable], [DecodeAnimation] and [DecodeSetup] turn a record's
//     bytes into a struct, and the Encode functions back into the same bytes:
//     order, duplicates, fill and rotations are kept as stored.
//   - [Compile] makes [Tables] of them, and [Load] does all of it at once.
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
// # Hostile files
//
// Every count is checked against the bytes that are left before anything is
// allocated, every float is finite, every id is echoed, every byte is used. A
// refusal is an [Error] that names file, record, offset and reason, of a kind
// to match with errors.Is. Nothing panics on input.
//
// Geometry and land (spec 21 §7, §8) are read as plain bytes, by id.
package dat
