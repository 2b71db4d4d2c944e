package transport

import "encoding/binary"

// Hash is the sum that checksums are made of (22 §4.1): the length shifted left
// by 16, each whole dword, and what is left over shifted down from the top.
func Hash(p []byte) uint32 {
	sum := uint32(len(p)) << 16
	for len(p) >= 16 {
		a, b := binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:])
		sum += uint32(a) + uint32(a>>32) + uint32(b) + uint32(b>>32)
		p = p[16:]
	}
	for len(p) >= 4 {
		sum += binary.LittleEndian.Uint32(p)
		p = p[4:]
	}
	shift := 24
	for _, b := range p {
		sum += uint32(b) << shift
		shift -= 8
	}
	return sum
}

// checksumHole is what the checksum field counts as in the header's own hash.
const checksumHole = 0xBADD70DD

// headerHash is the hash of the 20 header bytes, without the checksum in them.
func headerHash(b []byte) uint32 {
	return Hash(b[:HeaderSize]) - binary.LittleEndian.Uint32(b[8:]) + checksumHole
}

// Key is what an encrypted packet's payload hash was mixed with, if its checksum
// is right: it can always be computed, and is then compared (22 §4.1).
func (p *Packet) Key() uint32 { return p.Checksum - p.HeaderHash ^ p.PayloadHash }

// PlainOK reports whether the checksum of a plain packet is right.
func (p *Packet) PlainOK() bool { return p.Checksum == p.HeaderHash+p.PayloadHash }
