// Package capture is the files that recordings of the game come in, read and
// written (spec 22 §9, §10): pcap and pcapng, sniffed or made by the recorder in
// the client, and JSON lines; with gzip or zstd around them, or in zip archives.
// What it hands on are datagrams with endpoints and times, for
// [github.com/gait-engine/gait/wire/transport.Reader].
//
// # Order
//
//	List          the captures in a file, sorted by none: archives hold several
//	Part.Open     one of them
//	NewReader     one, from any stream; what it is is told by its first bytes
//	Reader.Next   its datagrams
//	Writer        pcapng that others read too
//
// # What holds
//
// Everything streams. Names and ports decide nothing. A file that ends inside a
// record ends there; one that breaks a rule of its container is refused from there
// on, with what was read before it kept. Every record is in exactly one count.
//
// The two container formats are read here and not by gopacket's readers, which are
// only for what is written, and for tests to compare with. They are fast enough. But
// they do not go on after a block that is refused by itself, having lost its end; they
// take what a file says of itself for a bound, any length for a block's, any number of
// interfaces, which they keep, and times beyond their own arithmetic; and they read a
// recorder's second header as a record. Whoever guards them against all that has read
// every record and block before they do. TestGopacketsReaders holds each of these
// against them: when it fails, look whether they can have the work.
package capture
