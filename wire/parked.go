package wire

import "unsafe"

// The bounds on parked messages (20 §7).
const (
	MaxParkedPerGuid = 32
	MaxParkedGuids   = 4096
	ParkedSeconds    = 30
	// MaxParkedBytes is ours: without it the other bounds admit gigabytes.
	MaxParkedBytes = 32 << 20
	// buffers above this are not kept for reuse, nor any when more than so many
	// messages were parked and none is left
	parkedKeep      = 512
	parkedKeepNodes = 4096
)

// none is the link that leads nowhere.
const none = int32(-1)

// parkedMessage is a link in two chains: all messages in order of arrival, and
// those of its guid.
type parkedMessage struct {
	msg            []byte
	at             float64
	guid           uint32
	before, after  int32 // of all
	earlier, later int32 // of the guid; later also chains the free ones
}

type parkedGuid struct {
	first, last int32
	count       int
}

// Parked keeps copies of messages whose object is not there yet, until its
// create (20 §5.1). What is beyond the bounds goes oldest first; when a guid too
// many comes, the guid that owns the oldest message goes whole. The order in
// which messages come out is the order in which they came. The zero Parked is
// ready; once warm it allocates nothing. One goroutine at a time.
type Parked struct {
	// Dropped counts messages lost to a bound, Expired those lost to age.
	Dropped, Expired uint64

	nodes        []parkedMessage
	free         int32 // meaningful once nodes exist
	first, last  int32
	count, bytes int
	guids        map[uint32]parkedGuid // looked up, never ranged over
	out          [][]byte
}

// Len returns the number of messages parked.
func (p *Parked) Len() int { return p.count }

// Guids returns the number of guids that have messages parked.
func (p *Parked) Guids() int { return len(p.guids) }

// Bytes returns the memory that parked messages take, with what is kept for more.
func (p *Parked) Bytes() uintptr {
	n := uintptr(cap(p.nodes)) * unsafe.Sizeof(parkedMessage{})
	for i := range p.nodes {
		n += uintptr(cap(p.nodes[i].msg))
	}
	return n
}

// Has reports whether anything is parked under guid.
func (p *Parked) Has(guid uint32) bool { _, known := p.guids[guid]; return known }

// Add parks a copy of msg under guid at the time now, in seconds. It drops the
// oldest where a bound asks for it; a message larger than all the room there is
// is dropped itself.
func (p *Parked) Add(guid uint32, now float64, msg []byte) {
	if len(msg) > MaxParkedBytes {
		p.Dropped++
		return
	}
	if p.guids == nil {
		p.guids = make(map[uint32]parkedGuid)
		p.free, p.first, p.last = none, none, none
	}
	g, known := p.guids[guid]
	switch {
	case !known && len(p.guids) == MaxParkedGuids:
		oldest := p.nodes[p.first].guid
		for n := p.guids[oldest].count; n > 0; n-- {
			p.drop(p.guids[oldest].first)
		}
	case known && g.count == MaxParkedPerGuid:
		p.drop(g.first)
	}
	for p.bytes+len(msg) > MaxParkedBytes {
		p.drop(p.first)
	}
	i := p.alloc()
	n := &p.nodes[i]
	n.msg = append(n.msg[:0], msg...)
	n.at, n.guid = now, guid
	n.before, n.after = p.last, none
	if p.last != none {
		p.nodes[p.last].after = i
	} else {
		p.first = i
	}
	p.last = i
	g, known = p.guids[guid] // the bounds may have changed it
	if !known {
		g = parkedGuid{first: i, last: none}
	} else {
		p.nodes[g.last].later = i
	}
	n.earlier, n.later = g.last, none
	g.last = i
	g.count++
	p.guids[guid] = g
	p.count++
	p.bytes += len(msg)
}

// Take removes what is parked under guid and returns it in order of arrival.
// The slices are good until the next Add or Take.
func (p *Parked) Take(guid uint32) [][]byte {
	p.out = p.out[:0]
	g, known := p.guids[guid]
	if !known {
		return p.out
	}
	for i := g.first; i != none; {
		next := p.nodes[i].later
		p.out = append(p.out, p.nodes[i].msg)
		p.remove(i)
		i = next
	}
	return p.out
}

// Expire drops what has been parked for more than 30 s at the time now. The
// caller's clock must not run backwards.
func (p *Parked) Expire(now float64) {
	for p.count > 0 && now-p.nodes[p.first].at > ParkedSeconds {
		p.remove(p.first)
		p.Expired++
	}
}

// Each calls f for every parked message in order of arrival; adding them in
// that order to an empty Parked makes the same one.
func (p *Parked) Each(f func(guid uint32, at float64, msg []byte)) {
	if p.count == 0 {
		return
	}
	for i := p.first; i != none; i = p.nodes[i].after {
		f(p.nodes[i].guid, p.nodes[i].at, p.nodes[i].msg)
	}
}

func (p *Parked) drop(i int32) {
	p.remove(i)
	p.Dropped++
}

// alloc returns a free node, with whatever buffer it has.
func (p *Parked) alloc() int32 {
	if i := p.free; i != none {
		p.free = p.nodes[i].later
		return i
	}
	p.nodes = append(p.nodes, parkedMessage{})
	return int32(len(p.nodes) - 1)
}

// remove takes a node out of both chains. Its bytes stay as they are until the
// node is used again.
func (p *Parked) remove(i int32) {
	n := &p.nodes[i]
	if n.before != none {
		p.nodes[n.before].after = n.after
	} else {
		p.first = n.after
	}
	if n.after != none {
		p.nodes[n.after].before = n.before
	} else {
		p.last = n.before
	}
	g := p.guids[n.guid]
	if n.earlier != none {
		p.nodes[n.earlier].later = n.later
	} else {
		g.first = n.later
	}
	if n.later != none {
		p.nodes[n.later].earlier = n.earlier
	} else {
		g.last = n.earlier
	}
	if g.count--; g.count == 0 {
		delete(p.guids, n.guid)
	} else {
		p.guids[n.guid] = g
	}
	p.count--
	p.bytes -= len(n.msg)
	if cap(n.msg) > parkedKeep {
		n.msg = nil
	}
	n.later = p.free
	p.free = i
	if p.count == 0 && len(p.nodes) > parkedKeepNodes {
		p.nodes, p.free = nil, none
	}
}
