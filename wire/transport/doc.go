// Package transport is the session layer of the game: how messages travel in UDP
// datagrams, read from recordings and written for tests and recorders (spec 22).
// It opens no socket and takes part in nothing.
//
// # Order
//
//	Parse              one datagram: header, sections, fragments
//	Reassembly         fragments of one direction to messages
//	KeyStream          what encrypted checksums are mixed with
//	Reader             datagrams of many clients and servers to [Connection]s and
//	                   [Message]s, each with its time
//	Sender, Packet.Append
//	                   the other way
//
// # What holds
//
// All content travels in the clear; only checksums are mixed with keys, whose
// seeds are in the handshake. So captures that begin after it are read as well,
// with their encrypted checksums counted as unverifiable.
//
// Nothing is put into another order: a message goes on when its last piece
// arrives. (Of a flow whose sides are not known yet the first datagrams are held
// back; their messages keep their time, and may come after those of the other port.)
// Second copies of a numbered packet are known by the number and skipped. Every
// datagram given to a [Reader] is in exactly one count: foreign, a knock, refused,
// beyond the bounds, or one direction of one connection.
//
// Input is hostile: every length is checked against what is there, each refusal
// has a [Kind], one datagram spoils no other, and whatever comes, memory stays
// within the bounds that have names here. Content that is secret, the
// authentication in login requests, is skipped unread.
package transport
