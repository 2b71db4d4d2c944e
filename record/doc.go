// Package record keeps what an engine is given in a folder, so that a process that
// ends, however it ends, is taken up where it stood: snapshots of the state, and a
// log of all inputs since.
//
//	NNNNNNNNNNNNNNNN.snap   the state after commit N
//	NNNNNNNNNNNNNNNN.log    the commits from N on
//
// A [Log] writes them: [Log.Commit] once a tick, [Log.Snapshot] now and then.
// [Recover] makes the engine again, and [Resume] goes on writing.
//
// # What is promised
//
// When Commit returns, what it wrote has been handed to the operating system: a
// process that is killed at any moment later loses none of it, and one that is killed
// inside Commit loses at most what that was to write. Against the machine's own end
// there is [Options.Sync].
//
// Every commit has a checksum, and the hash of a part of the state, another each time, so
// that after [Options.HashEvery] of them all of it has been looked at: a replay that comes to
// another state is found in the tick in which it does or at most so many later, and is told
// with the tick and with whose part it is. A log that ends in the middle of a commit, or in
// zeros that a file system put where a commit was to be, has a torn tail, which is dropped
// with a warning; anything else that is wrong with it is an error ([ErrDamaged], [ErrDiverged]).
// So is a log that is missing between others. One that is missing behind them is told, with a
// warning, where it began behind the newest snapshot; else what is left is what a recording
// looks like that ended earlier, and [Report] says on which tick.
//
// What is older goes only when a newer snapshot has been written, is on the disk, and was
// read again and found to be the same state.
//
// This package touches files; engines know of none.
package record
