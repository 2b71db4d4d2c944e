package transport

// Dir is a direction.
type Dir uint8

// The directions.
const (
	Unknown Dir = iota
	C2S         // client to server
	S2C         // server to client
)

// String returns c2s, s2c or unknown.
func (d Dir) String() string {
	return [...]string{"unknown", "c2s", "s2c"}[min(d, 3)%3]
}

// The bounds of a direction (22 §4.3, §6, §12).
const (
	SeenWindow  = 16_384  // numbers back in which a second copy is known as one
	MaxJump     = 100_000 // numbers: beyond that checking stops, and nothing is missing in between
	keySearch   = 64      // draws to either side
	maxMisses   = 16      // in a row
	maxIdleKeys = 1 << 20 // keys drawn beyond keysAPacket for every packet: a flood of gaps is not followed
	keysAPacket = 256
	recentSize  = 256 // numbers back of which time and key are known
)

// Counts are the tallies of one direction of a connection.
type Counts struct {
	Datagrams uint64            `json:"datagrams"` // those refused included
	Bytes     uint64            `json:"bytes"`
	Refused   [kindCount]uint64 `json:"-"`
	ByFlag    [32]uint64        `json:"-"` // packets taken that have the flag, by bit

	Verified        uint64  `json:"verified"` // of the packets taken, by checksum (22 §4.4)
	Failed          uint64  `json:"failed"`
	Unverifiable    uint64  `json:"unverifiable"`
	Duplicates      uint64  `json:"duplicates"` // copies of an encrypted packet; their fragments are skipped
	Missing         uint64  `json:"missing"`    // encrypted numbers that never came
	Requested       uint64  `json:"requested"`  // numbers that the receiver asked for again
	Late            uint64  `json:"late"`       // messages that the client only got by a later copy (22 §6)
	LateSeconds     float64 `json:"late_seconds"`
	Company         uint64  `json:"company"` // against the rules of 22 §3 and §2; taken
	OddlyEncrypted  uint64  `json:"oddly_encrypted"`
	LongRequests    uint64  `json:"long_requests"` // of more than [MaxRequested] numbers
	Jumps           uint64  `json:"jumps"`         // breaks in the numbers after which checking began afresh or stopped
	CheckingStopped bool    `json:"checking_stopped"`

	Messages     uint64 `json:"messages"`
	MessageBytes uint64 `json:"message_bytes"`
	Short        uint64 `json:"short"`      // messages of fewer than 4 bytes; dropped
	OddQueues    uint64 `json:"odd_queues"` // messages on queue 0 or 12 and above; taken
	FragmentCounts
}

// RefusedAll returns how many datagrams were refused.
func (c *Counts) RefusedAll() (n uint64) {
	for _, r := range c.Refused {
		n += r
	}
	return n
}

// RefusedFragments returns how many fragments were refused by themselves.
func (c *Counts) RefusedFragments() (n uint64) {
	for _, r := range c.FragmentCounts.Refused {
		n += r
	}
	return n
}

// direction is what is known of the packets of one direction.
type direction struct {
	counts   Counts
	assembly Reassembly

	keys   *KeyStream // nil without the handshake, and when checking has stopped
	offset int64      // draws that plain packets with a number of their own have not made (22 §4.3)
	misses int

	any              bool // an encrypted number came
	back             bool // and the last one was far behind
	low, high        uint32
	distinct         uint64
	seen             [SeenWindow / 64]uint64 // by number modulo SeenWindow, of the window below high
	recent           []recent                // by number modulo recentSize
	last             uint32                  // of any sequenced packet
	lastAny          bool
	file             int // of the last sequenced packet
	lastMissingCount uint64
}

// recent is what is remembered of a number for when its second copy comes.
type recent struct {
	number, key uint32
	at          int64 // ns, of the first copy
	requested   bool
}

// check verifies an encrypted packet by the key of its number (22 §4.3, §4.4), or
// by that of its first copy; it reports false when that fails.
func (d *direction) check(p *Packet, copyOf *recent) bool {
	key := p.Key()
	if d.keys == nil || p.Sequence < 2 {
		switch {
		case copyOf == nil:
			d.counts.Unverifiable++
		case copyOf.key == key:
			d.counts.Verified++
		default:
			d.counts.Failed++
			return false
		}
		return true
	}
	draw := int64(p.Sequence) - 2 - d.offset
	if draw > maxIdleKeys+keysAPacket*int64(d.counts.Datagrams) {
		d.stop()
		d.counts.Unverifiable++
		return true
	}
	found, known := d.find(key, draw)
	switch {
	case found:
		d.misses = 0
		d.counts.Verified++
	case !known:
		d.counts.Unverifiable++ // a copy from long ago
	default:
		d.counts.Failed++
		if d.misses++; d.misses == maxMisses {
			d.stop()
		}
		return false
	}
	return true
}

// find looks for a key at a draw, then around it; a hit there moves the offset.
func (d *direction) find(key uint32, draw int64) (found, known bool) {
	if draw >= 0 {
		k, ok := d.keys.Key(uint64(draw))
		if known = ok; ok && k == key {
			return true, true
		}
	}
	for n := int64(1); n <= keySearch; n++ {
		for _, shift := range [2]int64{-n, n} {
			if at := draw + shift; at >= 0 {
				if k, ok := d.keys.Key(uint64(at)); ok && k == key {
					d.offset -= shift
					return true, true
				}
			}
		}
	}
	return false, known
}

// stop ends the checking of keys, if there is any.
func (d *direction) stop() {
	d.counts.CheckingStopped = d.counts.CheckingStopped || d.keys != nil
	d.keys = nil
}

// number notes an encrypted number; it reports whether it came before, with what
// is remembered of that copy if it is not long ago.
func (d *direction) number(n uint32, key uint32, at int64) (copyOf *recent, duplicate bool) {
	switch {
	case !d.any:
		d.begin(n)
	case n > d.high:
		if n-d.high > MaxJump {
			d.jump(n)
			break
		}
		d.clear(d.high+1, n)
		d.high = n
	case d.high-n == SeenWindow: // the last that is no jump, and the first that nothing is noted of
		d.low, d.back = min(d.low, n), false
		return nil, false
	case d.high-n > SeenWindow:
		if d.back = !d.back; d.back { // one copy from long ago is no new beginning
			d.counts.Jumps++
			d.stop()
			return nil, false
		}
		d.jump(n)
	default:
		d.low = min(d.low, n)
	}
	d.back = false
	word, bit := &d.seen[n%SeenWindow/64], uint64(1)<<(n%64)
	duplicate = *word&bit != 0
	*word |= bit
	if d.recent == nil {
		d.recent = make([]recent, recentSize)
	}
	r := &d.recent[n%recentSize]
	if duplicate {
		if r.number != n {
			r = nil
		}
		return r, true
	}
	d.distinct++
	*r = recent{number: n, key: key, at: at}
	return nil, false
}

// unsee takes back that a number came.
func (d *direction) unsee(n uint32) {
	d.seen[n%SeenWindow/64] &^= 1 << (n % 64)
	d.distinct--
}

// begin starts to count numbers at n.
func (d *direction) begin(n uint32) {
	d.any, d.low, d.high, d.distinct = true, n, n, 0
	clear(d.seen[:])
}

// jump closes the account of missing numbers and begins another: across it nothing
// is missing, and no key is known to belong to what number (22 §12).
func (d *direction) jump(n uint32) {
	d.lastMissingCount += d.gap()
	d.counts.Jumps++
	d.begin(n)
	d.stop()
}

// gap is how many numbers are missing since the account was opened.
func (d *direction) gap() uint64 {
	if !d.any {
		return 0
	}
	return uint64(d.high-d.low) + 1 - d.distinct
}

// clear forgets the numbers a to b, which come into the window.
func (d *direction) clear(a, b uint32) {
	if b-a >= SeenWindow {
		clear(d.seen[:])
		return
	}
	for n := a; n != b+1; n++ {
		d.seen[n%SeenWindow/64] &^= 1 << (n % 64)
	}
}

// continues reports that a number may follow those seen so far.
func (d *direction) continues(n uint32, ahead, behind uint32) bool {
	return !d.lastAny || n-d.last <= ahead || d.last-n <= behind
}

// requested notes that the receiver asks for numbers again.
func (d *direction) requested(list Numbers) {
	n := min(list.Len(), SeenWindow)
	d.counts.Requested += uint64(list.Len())
	for i := range n {
		if d.recent != nil {
			if r := &d.recent[list.At(i)%recentSize]; r.number == list.At(i) {
				r.requested = true
			}
		}
	}
}

// snapshot is the tallies so far.
func (d *direction) snapshot() Counts {
	c := d.counts
	c.Missing = d.lastMissingCount + d.gap()
	c.FragmentCounts = d.assembly.Counts
	return c
}
