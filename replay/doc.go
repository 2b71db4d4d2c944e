// Package replay turns recordings into moving remotes: it feeds what each client
// of a capture was told into an engine of its own, at the recorded times, and
// measures how well the engine had predicted it (spec 22 §11).
//
// # Order
//
//	Run          captures ─▶ datagrams ─▶ connections ─▶ a View each ─▶ Report
//	View         one client's view: an engine, its ticks, who is own and who watches
//	samples      where a remote was, where it was said to be, and what it did then
//	raw          the player moved by what his own client sends, instead of left out
//	Summary      distributions of them
//	Paths        where remotes were around the largest errors
//	Tallies      what became of messages, by guid
//
// # What holds
//
// A message with time t is applied at the start of tick ⌊t·hz⌋ + 1 and never held
// back. The same files at the same rate come to the same hash.
//
// The player's own object is left out, or moved as others see it, or by what his
// client sends (22 §11.3; [Own]). Of the last, every position that the client sends is
// measured, and then, but in the air, is where the body is put: an error is that of the
// time since the message before, and the errors do not add up. How fast he runs is in none of the client's
// messages: it is taken from the first echo of his running, and until then is 1. Jumps
// have the velocity that the message says.
//
// Nothing is measured that cannot be: a position event is either a sample, or in
// exactly one count that says why not. What is held is bounded: see the Max
// constants.
package replay
