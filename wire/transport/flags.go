package transport

import (
	"math/bits"
	"strings"
)

// Flags is the word that says what is in a packet (22 §3).
type Flags uint32

// The flags, in the order in which their sections lie in a packet.
const (
	Retransmission     Flags = 1 << 0
	Encrypted          Flags = 1 << 1 // the checksum is
	HasFragments       Flags = 1 << 2
	ServerSwitch       Flags = 1 << 8
	LoginServer        Flags = 1 << 9
	Empty1             Flags = 1 << 10
	Referral           Flags = 1 << 11
	RequestRetransmit  Flags = 1 << 12
	RejectRetransmit   Flags = 1 << 13
	Acknowledge        Flags = 1 << 14
	Disconnect         Flags = 1 << 15
	LoginRequest       Flags = 1 << 16
	WorldLoginRequest  Flags = 1 << 17
	ConnectRequest     Flags = 1 << 18
	ConnectResponse    Flags = 1 << 19
	NetError           Flags = 1 << 20
	NetErrorDisconnect Flags = 1 << 21
	KeepAlive          Flags = 1 << 22
	TimeSync           Flags = 1 << 24
	EchoRequest        Flags = 1 << 25
	EchoResponse       Flags = 1 << 26
	Flow               Flags = 1 << 27
	ignoredFlags       Flags = 0xF8       // bits 3 to 7, which the client ignores
	undefinedFlags     Flags = 0xF0800000 // which make it drop the packet
	aloneFlags               = LoginServer | Empty1 | Referral | Disconnect | LoginRequest | WorldLoginRequest | ConnectRequest | ConnectResponse | NetError | NetErrorDisconnect | KeepAlive
	lastingFlags             = HasFragments | ServerSwitch | Referral | NetErrorDisconnect | TimeSync | EchoRequest | EchoResponse | Flow
	sectionFlags             = ^(Retransmission | Encrypted | HasFragments | ignoredFlags | undefinedFlags)
	clientFlags              = LoginRequest | WorldLoginRequest | ConnectResponse | KeepAlive | EchoRequest | Flow
	serverFlags              = ConnectRequest | Referral | ServerSwitch | EchoResponse
	unsequencedFlags         = LoginRequest | WorldLoginRequest | ConnectRequest | ConnectResponse | Disconnect | KeepAlive
)

var flagNames = [32]string{
	0: "retransmission", 1: "encrypted checksum", 2: "fragments", 8: "server switch", 9: "login server address",
	10: "empty 1", 11: "referral", 12: "request retransmit", 13: "reject retransmit", 14: "acknowledge",
	15: "disconnect", 16: "login request", 17: "world login request", 18: "connect request", 19: "connect response",
	20: "net error", 21: "net error disconnect", 22: "keep-alive", 24: "time sync", 25: "echo request",
	26: "echo response", 27: "flow",
}

// FlagName returns the name of the flag with a bit number, "" when it has none.
func FlagName(bit int) string { return flagNames[bit&31] }

// String names the flags.
func (f Flags) String() string {
	var names []string
	for rest := uint32(f); rest != 0; rest &= rest - 1 {
		bit := bits.TrailingZeros32(rest)
		if name := flagNames[bit]; name != "" {
			names = append(names, name)
		} else {
			names = append(names, "undefined")
		}
	}
	return strings.Join(names, ", ")
}
