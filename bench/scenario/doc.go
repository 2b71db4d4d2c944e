// Package scenario runs small complete simulations from files and says where
// the outcome differs from what is expected. A scenario is tables, entities and
// events by tick; a trace is what a correct engine makes of it, one line an
// entity a tick. Other implementations of the same motion system write the same
// traces, so an equal trace is evidence from outside.
//
//	[Parse], [Load]    JSON in, strictly: unknown keys and impossible values are refused
//	[Run]              the scenario on an engine, its trace out
//	[Compare]          two traces, by the tolerance of the format
//	[Allowed]          differences that are known, each with the rule that explains it
//
// Files are input from outside: every limit has a name (MaxTicks, ...), and no
// input makes the package panic or allocate more than the input's own size
// warrants.
package scenario
