// Package wire is messages in and out: the motion, position and lifecycle
// messages of a server, and a client's own movement actions, decoded into plain
// values and encoded from them (spec 20). One reassembled message a buffer,
// opcode first; packets and fragments are another room's.
//
// # Order
//
//	Opcode, Guid        peek, without decoding
//	Decoder             decode: strict or lenient, counted; DecodeMovement,
//	                    DecodePosition and Decode are it without the counting
//	InstanceGate first, then MovementGate, PositionGate, Take …
//	                    is the message too old? Functions of Slots alone
//	Parked              what came before its object's create
//	Command, ClampSpeed, HoldKey, Settle …
//	                    from what was sent to what may be used
//	Append              encode
//
// # What holds
//
// A message that decodes holds no NaN and no infinity, its rotations are of
// unit length within the client's tolerance, its cells are cells, its guids are
// not 0, and its counts were checked against its bytes before anything was made
// of them. Everything else is refused by an [*Error] that names message, field,
// offset and [Kind].
//
// Values are kept as sent. Flags, option bits and bits of no meaning stay in
// the decoded form, so that Append gives back the same bytes; only pads that
// were not zero and bytes after the end are lost, and those are counted. A
// value made from scratch gets its flags from its content by its Fresh method.
// Append refuses a value whose flags and content disagree, rather than lose
// anything, and refuses what decoding would refuse.
//
// Decoding into a value of the caller's, and appending to a buffer with room,
// allocate nothing; a refusal allocates its error. Slices of a decoded [Create]
// are views of the buffer.
//
// Stamps, headings in degrees, metres and seconds are the spec's. The package
// knows neither entities nor time: [Parked] is told the time by its caller.
package wire
