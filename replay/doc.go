// Package replay turns recordings into moving remotes: it feeds what each client
// of a capture was told into an engine of its own, at the recorded times, and
// measures how well the engine had predicted it (spec 22 §11).
//
// # Order
//
//	Run          captures ─▶ datagrams ─▶ connections ─▶ a View each ─▶ Report
//	View         one client's view: an engine, its ticks, who is own and who watches
//	samples      where a remote was, where it was said to be, and what it did then
//	Summary      distributions of them
//	Paths        where remotes were around the largest errors
//	Tallies      what became of messages, by guid
//
// # What holds
//
// A message with time t is applied at the start of tick ⌊t·hz⌋ + 1 and never held
// back. The same files at the same rate come to the same hash.
//
// Nothing is measured that cannot be: a position event is either a sample, or in
// exactly one count that says why not. What is held is bounded: see the Max
// constants.
package replay
