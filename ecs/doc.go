// Package ecs is where remotes live: a world over arche with one archetype,
// its columns as plain slices, constant chunks of rows for workers, spawns and
// removals that wait for one point of the tick, the state hash, and snapshots. It
// knows components, not rules.
//
// # Snapshots
//
// A [Writer] and a [Reader] know of blocks and checksums, a [Layout] of how flat
// structs are written: both are for whoever keeps state, and [World.Save] and
// [World.Load] do it for a world. What is written follows from the types themselves,
// so that a component may change without a word here; its digest is in the [Header],
// and a snapshot of other types is refused.
//
// # Lifetimes
//
// [Columns] and rows are good until the next [World.Apply] that spawns or
// removes: growth moves columns, a removal swaps the last row into the gap.
// Keep guids, not rows, across ticks.
package ecs
