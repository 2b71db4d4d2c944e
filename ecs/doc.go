// Package ecs is where remotes live: a world over arche with one archetype,
// its columns as plain slices, constant chunks of rows for workers, spawns and
// removals that wait for one point of the tick, and the state hash. It knows
// components, not rules.
//
// # Lifetimes
//
// [Columns] and rows are good until the next [World.Apply] that spawns or
// removes: growth moves columns, a removal swaps the last row into the gap.
// Keep guids, not rows, across ticks.
package ecs
