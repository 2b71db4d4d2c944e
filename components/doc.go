// Package components says what a remote is: plain structs of fixed size, one
// file a concern, without Go pointers, slices, maps or strings, so that a
// column of any of them is one flat block that the collector never scans. They
// refer to tables by index. What has no bound of its own (a queue, a list)
// keeps the common case inside the struct and the rare one in a [Pool].
//
// Components hold no behaviour. Package ecs keeps them in columns; the rules
// that change them live under systems.
package components
