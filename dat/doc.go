// Package dat reads and writes the retail data files (spec 21): the container
// with its directory, folders of loose records, and the records themselves; and
// it compiles records into [Tables], the flat form that movers play from.
//
// Every byte is checked. A refusal names file, record, offset and reason.
package dat
