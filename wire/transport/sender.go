package transport

import "fmt"

// Sender writes the datagrams of one direction of a connection: numbers, keys,
// blob ids, fragments packed as the known senders do (22 §2, §4.3, §5.1). What it
// sent can be sent again. It is for tests and recorders; it waits for nothing and
// answers nobody.
type Sender struct {
	Recipient uint16 // the id that the receiver gave to this connection
	Interval  uint16 // stamped on what is sent from now on

	dir    Dir
	keys   *KeyStream
	number uint32 // last used
	blob   uint32 // the next one's counter
	sent   [sentKept]sent
	parts  []Fragment
	buffer []byte
}

// sentKept is how many packets back one can be sent again.
const sentKept = 512

type sent struct {
	number uint32
	bytes  []byte
}

// firstNumber is the number of the first sequenced packet of each side (22 §2).
const firstNumber = 2

// NewSender returns the sender of a direction, with the seed that the connect
// request names for it. Nothing has been sent yet.
func NewSender(dir Dir, seed uint32) *Sender {
	s := &Sender{dir: dir, keys: NewKeyStream(seed), number: firstNumber - 1}
	if dir == C2S {
		s.blob = 1 // the client counts from 1
	}
	return s
}

// Number returns the number that was used last, 1 before any.
func (s *Sender) Number() uint32 { return s.number }

// Send appends a sequenced, encrypted packet of p's sections and these parts to
// dst. The header of p is filled in.
func (s *Sender) Send(dst []byte, p Packet, parts ...Fragment) ([]byte, error) {
	p.Flags |= Encrypted
	if len(parts) > 0 {
		p.Flags |= HasFragments
	}
	n := s.number + 1
	key, ok := s.keys.Key(uint64(n - firstNumber))
	if !ok {
		return dst, fmt.Errorf("transport: number %d lies beyond the key stream", n)
	}
	p.Sequence, p.Header.Recipient, p.Interval, p.Iteration = n, s.Recipient, s.Interval, 1
	at := len(dst)
	dst, err := p.Append(dst, key, parts...)
	if err != nil {
		return dst, err
	}
	s.number = n
	kept := &s.sent[n%sentKept]
	kept.number, kept.bytes = n, append(kept.bytes[:0], dst[at:]...)
	return dst, nil
}

// Plain appends a plain packet of p's sections to dst: one without a number of its
// own, stamped with the last used, or with 0 in handshake, keep-alive and disconnect.
func (s *Sender) Plain(dst []byte, p Packet) ([]byte, error) {
	p.Flags &^= Encrypted
	p.Header.Recipient, p.Iteration = s.Recipient, 1
	p.Sequence = s.number
	if p.Flags&unsequencedFlags != 0 {
		p.Sequence = 0
	}
	if p.Flags&(LoginRequest|WorldLoginRequest|KeepAlive) != 0 {
		p.Header.Recipient, p.Iteration = 0, 0
	}
	return p.Append(dst, 0)
}

// Messages packs messages on one queue into as many datagrams as they need and
// hands each to emit; the bytes are good until the next.
func (s *Sender) Messages(queue uint16, messages [][]byte, emit func(datagram []byte)) error {
	s.parts = s.parts[:0]
	room := MaxPacketSize - HeaderSize
	flush := func() (err error) {
		if len(s.parts) == 0 {
			return nil
		}
		if s.buffer, err = s.Send(s.buffer[:0], Packet{}, s.parts...); err != nil {
			return err
		}
		emit(s.buffer)
		s.parts, room = s.parts[:0], MaxPacketSize-HeaderSize
		return nil
	}
	for _, m := range messages {
		if len(m) == 0 || len(m) > MaxCount*MaxFragmentPayload {
			return fmt.Errorf("transport: a message of %d bytes is not sent", len(m))
		}
		id := s.blobID(queue)
		count := (len(m) + MaxFragmentPayload - 1) / MaxFragmentPayload
		for i := range count {
			part := m[i*MaxFragmentPayload : min((i+1)*MaxFragmentPayload, len(m))]
			if room < FragmentHeaderSize+len(part) {
				if err := flush(); err != nil {
					return err
				}
			}
			s.parts = append(s.parts, Fragment{ID: id, Count: uint16(count), Index: uint16(i), Queue: queue, Payload: part})
			room -= FragmentHeaderSize + len(part)
		}
	}
	return flush()
}

// blobID is that of the next message: servers leave its high half at 0x80000000,
// clients stamp it with the counter (22 §5.1).
func (s *Sender) blobID(queue uint16) uint64 {
	n := s.blob
	s.blob++
	if s.dir == S2C {
		return 0x80000000<<32 | uint64(n)
	}
	high := uint64(0x03000000)
	if queue == 4 || queue == 5 || queue == 8 {
		high = 0x23000000
	}
	return (high|uint64(n&0xFFFF))<<32 | uint64(n)
}

// Resend appends a packet again, as a retransmission: its number and its key stay
// the same. It is not ok when that was too long ago, or never.
func (s *Sender) Resend(dst []byte, number uint32) (_ []byte, ok bool) {
	kept := &s.sent[number%sentKept]
	if kept.number != number || number < firstNumber {
		return dst, false
	}
	var p Packet
	if Parse(kept.bytes, &p) != nil {
		return dst, false
	}
	s.parts = s.parts[:0]
	for f := range p.Fragments() {
		s.parts = append(s.parts, f)
	}
	key := p.Key()
	p.Flags = p.Flags&(lastingFlags|Encrypted) | Retransmission // others do not survive
	dst, err := p.Append(dst, key, s.parts...)
	return dst, err == nil
}
