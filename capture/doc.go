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
// The two container formats are read here and not by gopacket's reader, which is
// what writes them, and what tests compare with: the rules ask for bounds on
// records, blocks and interfaces, for going on after a bad block, and for a
// recorder's second header in the middle of a file, none of which can be put upon
// a reader from outside.
package capture
