package transport

import (
	"cmp"
	"encoding/binary"
	"errors"
	"net/netip"
	"slices"

	"github.com/gait-engine/gait/wire"
)

// Datagram is one UDP payload of a capture.
type Datagram struct {
	At       int64 // ns since the first record of all; not falling within a file
	Src, Dst netip.AddrPort
	Dir      Dir    // where the capture says so; Unknown is found out
	Data     []byte // good during the call
}

// Options are a reader's policies.
type Options struct {
	// Strict refuses encrypted packets whose checksum fails; else they are counted
	// and kept (22 §4.4).
	Strict bool
}

// Handler is told of what a [Reader] finds. Each may be nil.
type Handler struct {
	Message func(c *Connection, m *Message) // m is good during the call
	Closed  func(c *Connection)
}

// The bounds of a reader (22 §7, §9.4, §10, §12).
const (
	MaxConnections       = 4096
	MaxConnectionsClient = 64 // of one client with one server
	MaxFlows             = 65_536
	MaxHeld              = 64       // datagrams of a flow, until it is known who the server is
	MaxHeldBytes         = 16 << 20 // of all flows
	flowTrial            = 5        // datagrams of which flowProof must be ours
	flowProof            = 2
	besides              = 30 * 1_000_000_000  // ns that a connection goes on beside the next one on its key
	silence              = 140 * 1_000_000_000 // ns after which it has ended, unless its numbers continue
	maxPause             = 900 * 1_000_000_000 // ns: nothing continues after that
	sweepEvery           = 60 * 1_000_000_000
	continueAhead        = 5000 // numbers
	continueBehind       = 64
	hookClientPort       = 12345
	firstServerPort      = 9000
	lastServerPort       = 10013
)

// ReaderCounts are the tallies of what belongs to no connection.
type ReaderCounts struct {
	Datagrams, Bytes   uint64 // all
	ForeignFlows       uint64 // pairs of endpoints that speak something else, or gave no sign who serves
	ForeignDatagrams   uint64
	Knocks             uint64 // login requests that nobody had answered
	Refused            [kindCount]uint64
	TooManyConnections uint64 // datagrams that would have opened one more
}

// Reader finds connections and messages in the datagrams of captures, of any
// number of clients and servers, from both sides, without taking part (22 §6, §7).
// What it holds is bounded whatever comes. One goroutine at a time.
type Reader struct {
	options Options
	handler Handler
	counts  ReaderCounts

	flows  map[flowKey]*flow
	groups map[groupKey]*group
	all    []*Connection
	live   []*Connection // those that had not ended at the last sweep
	held   int           // bytes
	open   allOpen       // of all connections
	file   int
	swept  int64 // ns: when silent connections were last looked for
	packet Packet
	told   Message

	lastFlow  *flow // of the datagram before, most likely of the next too
	lastKey   flowKey
	lastGroup *group
	lastPeers groupKey
}

// endpoint is an IPv4 address and a port.
type endpoint uint64

// flowKey is a pair of endpoints, the smaller one first.
type flowKey struct{ a, b endpoint }

// flow is what passes between two endpoints.
type flow struct {
	ours, foreign  bool // known to be
	sided          bool // it is known who the client is
	clientFirst    bool // then: it is the smaller endpoint
	trials, proofs int
	held           []Datagram
	bytes          int
}

// groupKey is a client and a server, whatever the server's port.
type groupKey struct {
	client endpoint
	server uint32
}

type group struct{ connections []*Connection } // oldest first

// NewReader returns a reader that tells h.
func NewReader(o Options, h Handler) *Reader {
	return &Reader{options: o, handler: h, flows: map[flowKey]*flow{}, groups: map[groupKey]*group{}}
}

// Connections returns the connections so far, in order of appearance.
func (r *Reader) Connections() []*Connection { return r.all }

// Counts returns the tallies of what belongs to no connection.
func (r *Reader) Counts() ReaderCounts { return r.counts }

// NextFile says that the datagrams to come are of another file: what goes on in it
// must show by its numbers that it does (22 §9.4).
func (r *Reader) NextFile() { r.file++ }

// Add reads a datagram. What it is refused for is counted, never an error: one
// bad datagram does not spoil another.
func (r *Reader) Add(d *Datagram) {
	r.counts.Datagrams++
	r.counts.Bytes += uint64(len(d.Data))
	if d.At-r.swept > sweepEvery {
		r.sweep(d.At)
	}
	src, ok1 := pack(d.Src)
	dst, ok2 := pack(d.Dst)
	if !ok1 || !ok2 {
		r.counts.ForeignDatagrams++
		return
	}
	if d.Dir != Unknown {
		r.dispatch(d, d.Dir, src, dst)
		return
	}
	f, key := r.flow(src, dst)
	switch {
	case f == nil || f.foreign:
		r.counts.ForeignDatagrams++
	case f.ours:
		r.dispatch(d, dirOf(f.clientFirst, key.a == src), src, dst)
	default:
		r.try(f, key, d, src, dst)
	}
}

// pack makes an endpoint, which is none unless it is IPv4.
func pack(a netip.AddrPort) (endpoint, bool) {
	addr := a.Addr()
	if addr.Is4In6() {
		addr = addr.Unmap()
	}
	if !addr.Is4() {
		return 0, false
	}
	b := addr.As4()
	return endpoint(binary.BigEndian.Uint32(b[:]))<<16 | endpoint(a.Port()), true
}

func (e endpoint) port() uint16    { return uint16(e) }
func (e endpoint) address() uint32 { return uint32(e >> 16) }

func (e endpoint) withPort(port uint16) netip.AddrPort {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], e.address())
	return netip.AddrPortFrom(netip.AddrFrom4(b), port)
}

func dirOf(clientFirst, fromFirst bool) Dir {
	if clientFirst == fromFirst {
		return C2S
	}
	return S2C
}

// flow finds what passes between two endpoints, nil when there are too many.
func (r *Reader) flow(src, dst endpoint) (*flow, flowKey) {
	key := flowKey{min(src, dst), max(src, dst)}
	if r.lastFlow != nil && key == r.lastKey {
		return r.lastFlow, key
	}
	f := r.flows[key]
	if f == nil {
		if len(r.flows) == MaxFlows {
			r.forget()
		}
		if len(r.flows) == MaxFlows {
			r.counts.ForeignFlows++
			return nil, key
		}
		f = &flow{}
		r.flows[key] = f
	}
	r.lastFlow, r.lastKey = f, key
	return f, key
}

// forget makes room for flows: all go of which nothing good is known.
func (r *Reader) forget() {
	for key, f := range r.flows { // all that fit, so the order does not show
		if f.foreign || !f.ours {
			if !f.foreign {
				r.drop(f)
			}
			delete(r.flows, key)
		}
	}
	r.lastFlow = nil
}

// drop gives a flow up.
func (r *Reader) drop(f *flow) {
	r.counts.ForeignFlows++
	r.counts.ForeignDatagrams += uint64(len(f.held))
	f.foreign = true
	r.release(f)
}

func (r *Reader) release(f *flow) (held []Datagram) {
	held = f.held
	r.held -= f.bytes
	f.held, f.bytes = nil, 0
	return held
}

// try looks at a datagram of a flow that is not known yet: is it ours, and which
// side is the server? Until then its datagrams are held back (22 §7.1, §9.4).
func (r *Reader) try(f *flow, key flowKey, d *Datagram, src, dst endpoint) {
	p := &r.packet
	parsed := Parse(d.Data, p) == nil
	sign := Unknown // direction of this datagram
	if parsed {
		f.proofs++
		if p.Flags&Encrypted == 0 && p.PlainOK() {
			f.proofs = flowProof // a sum of 32 bits is proof enough
		}
		sign = evidence(p)
		if sign == Unknown {
			sign = hookEvidence(src, dst)
		}
		if known := r.known(src, dst); known != Unknown { // the other port of a connection
			f.proofs = flowProof
			if sign == Unknown {
				sign = known
			}
		}
	}
	if sign != Unknown && !f.sided {
		f.sided, f.clientFirst = true, (sign == C2S) == (src == key.a)
	}
	f.trials++
	f.held = append(f.held, Datagram{At: d.At, Src: d.Src, Dst: d.Dst, Data: slices.Clone(d.Data)})
	f.bytes += len(d.Data)
	r.held += len(d.Data)
	switch {
	case f.sided && f.proofs >= flowProof:
		r.accept(f, key)
	case f.trials >= flowTrial && f.proofs < flowProof, r.held > MaxHeldBytes:
		r.drop(f)
	case len(f.held) == MaxHeld:
		r.settle(f, key)
	}
}

// settle decides a flow by its ports, which only break ties, or drops it.
func (r *Reader) settle(f *flow, key flowKey) {
	a, b := serverPort(key.a.port()), serverPort(key.b.port())
	if f.proofs < flowProof || !f.sided && a == b {
		r.drop(f)
		return
	}
	if !f.sided {
		f.sided, f.clientFirst = true, b
	}
	r.accept(f, key)
}

func serverPort(p uint16) bool { return p >= firstServerPort && p <= lastServerPort }

// accept takes a flow as ours, and what was held back of it.
func (r *Reader) accept(f *flow, key flowKey) {
	f.ours = true
	for _, h := range r.release(f) {
		src, _ := pack(h.Src)
		dst, _ := pack(h.Dst)
		r.dispatch(&h, dirOf(f.clientFirst, src == key.a), src, dst)
	}
}

// evidence tells a packet's direction by what only one side sends (22 §7.1).
func evidence(p *Packet) Dir {
	switch {
	case p.Flags&clientFlags != 0:
		return C2S
	case p.Flags&serverFlags != 0:
		return S2C
	}
	for f := range p.Fragments() {
		if f.Count == 1 && len(f.Payload) >= 4 {
			switch binary.LittleEndian.Uint32(f.Payload) {
			case wire.OpAction:
				return C2S
			case wire.OpOrdered, wire.OpCreate, wire.OpPosition, wire.OpMovement:
				return S2C
			}
		}
		if top := f.ID >> 56; top == 0x03 || top == 0x23 {
			return C2S
		}
	}
	return Unknown
}

// hookEvidence tells the direction by the address that the client hook writes (22 §9.4).
func hookEvidence(src, dst endpoint) Dir {
	const client = endpoint(0x7F000001<<16 | hookClientPort)
	switch {
	case src == client && dst != client:
		return C2S
	case dst == client && src != client:
		return S2C
	}
	return Unknown
}

// known tells the direction by a connection between the same hosts at the
// neighbouring port.
func (r *Reader) known(src, dst endpoint) Dir {
	for _, dir := range [2]Dir{C2S, S2C} {
		client, server := src, dst
		if dir == S2C {
			client, server = dst, src
		}
		if g := r.groups[groupKey{client, server.address()}]; g != nil {
			for _, c := range g.connections {
				if p := c.Server.Port(); p == server.port() || p == server.port()-1 {
					return dir
				}
			}
		}
	}
	return Unknown
}

// dispatch finds the connection of a datagram whose direction is known.
func (r *Reader) dispatch(d *Datagram, dir Dir, src, dst endpoint) {
	client, server := src, dst
	if dir == S2C {
		client, server = dst, src
	}
	key := groupKey{client, server.address()}
	g := r.lastGroup
	if g == nil || key != r.lastPeers {
		g = r.groups[key]
		if g != nil {
			r.lastGroup, r.lastPeers = g, key
		}
	}
	p := &r.packet
	err := Parse(d.Data, p)
	refusal, _ := errors.AsType[*Error](err)
	if err == nil && p.Flags&Encrypted == 0 && !p.PlainOK() {
		refusal = &Error{Kind: ErrChecksum} // damaged: it says nothing of whose it is, and opens nothing (22 §4.4, §12)
	}
	if refusal != nil {
		if g != nil {
			if c := g.newest(server.port(), server.port()); c != nil {
				r.take(c, dir, p, refusal, d)
				return
			}
		}
		r.counts.Refused[refusal.Kind]++
		return
	}
	c := r.connection(g, key, dir, server, d, p)
	if c == nil {
		return // counted
	}
	r.take(c, dir, p, nil, d)
}

// lowerPort is the lower port of a server, by one that a packet went to or came from (22 §7.1).
func lowerPort(dir Dir, p *Packet, port uint16) uint16 {
	upper := dir == S2C && p.Flags&ConnectRequest == 0 || dir == C2S && p.Flags&(ConnectResponse|KeepAlive) != 0
	if upper {
		return port - 1
	}
	return port
}

// newest finds the last connection whose lower port is the one expected, else one
// to which the port belongs.
func (g *group) newest(expected, port uint16) *Connection {
	var near *Connection
	for _, c := range slices.Backward(g.connections) {
		p := c.Server.Port()
		if c.Closed {
			continue
		}
		if p == expected {
			return c
		}
		if near == nil && (p == port || p == port-1) {
			near = c
		}
	}
	return near
}

// connection finds whose packet it is, or opens a connection for it (22 §7.3). It
// returns nil when it is nobody's, which it counts.
func (r *Reader) connection(g *group, key groupKey, dir Dir, server endpoint, d *Datagram, p *Packet) *Connection {
	port := server.port()
	expected := lowerPort(dir, p, port)
	var c *Connection
	if g != nil {
		c = g.newest(expected, port)
	}
	switch {
	case p.Flags&(LoginRequest|WorldLoginRequest) != 0:
		if c == nil {
			r.counts.Knocks++ // alone it opens nothing: another client may be knocking
		}
		return c
	case p.Flags&ConnectRequest != 0, p.Flags&ConnectResponse != 0:
		if c != nil {
			if same := g.withCookie(c, p.Cookie); same != nil {
				if !same.again(r.file) {
					return same
				}
				same.gone = true // its recording is over
			}
			if c.Cookie == 0 && !c.dirs[0].lastAny && !c.dirs[1].lastAny {
				return c
			}
		}
		return r.opened(g, key, server.withPort(expected), d)
	case c == nil:
		if p.Flags&Disconnect != 0 && p.Sequence == 0 {
			r.counts.Knocks++
			return nil
		}
		return r.opened(g, key, server.withPort(expected), d)
	case p.Sequence == 0:
		return c
	}
	if c.replaces(g) {
		c = g.nearest(c, dir, p.Sequence, d.At)
	}
	v := c.dir(dir)
	silent := d.At - c.Last
	if silent > silence || c.gone || v.lastAny && v.file != r.file {
		if silent > maxPause || !v.continues(p.Sequence, continueAhead, continueBehind) {
			return r.opened(g, key, server.withPort(c.Server.Port()), d)
		}
		if silent > silence {
			c.Pauses++
		}
	}
	return c
}

// withCookie finds the connection of a handshake on the key of c.
func (g *group) withCookie(c *Connection, cookie uint64) *Connection {
	for _, o := range slices.Backward(g.connections) {
		if o.Server == c.Server && !o.Closed && o.Cookie == cookie {
			return o
		}
	}
	return nil
}

// again reports that a handshake in a file is another recording of c's own, since c is
// long past it in one before.
func (c *Connection) again(file int) bool {
	for i := range c.dirs {
		if d := &c.dirs[i]; d.lastAny && d.file != file && d.last > firstNumber+continueBehind {
			return true
		}
	}
	return false
}

// replaces reports that an older connection may go on beside c.
func (c *Connection) replaces(g *group) bool {
	return len(g.connections) > 1 && slices.ContainsFunc(g.connections, func(o *Connection) bool {
		return o != c && !o.Closed && o.Server == c.Server
	})
}

// nearest finds the connection whose last number is nearest, at most 64 behind.
func (g *group) nearest(c *Connection, dir Dir, n uint32, at int64) *Connection {
	best, least := c, uint32(1)<<31
	for _, o := range slices.Backward(g.connections) {
		if o.Closed || o.Server != c.Server || o.gone && o != c || o.replaced && at-o.superseded > besides {
			continue
		}
		last := o.dir(dir).last
		if !o.dir(dir).lastAny {
			last = 1
		}
		away := n - last
		if n < last {
			if away = last - n; away > continueBehind {
				continue
			}
		}
		if away < least {
			best, least = o, away
		}
	}
	return best
}

// opened opens a connection, nil when there are too many.
func (r *Reader) opened(g *group, key groupKey, server netip.AddrPort, d *Datagram) *Connection {
	if len(r.all) == MaxConnections || g != nil && len(g.connections) == MaxConnectionsClient {
		r.counts.TooManyConnections++
		return nil
	}
	if g == nil {
		g = &group{}
		r.groups[key] = g
		r.lastGroup, r.lastPeers = g, key
	}
	c := &Connection{ID: len(r.all) + 1, Client: key.client.withPort(key.client.port()), Server: server, First: d.At, Last: d.At}
	for i := range c.dirs {
		c.dirs[i].assembly.shared = &r.open
	}
	for _, o := range g.connections {
		if o.Server != server || o.Closed {
			continue
		}
		if o.gone || o.replaced && d.At-o.superseded > besides || d.At-o.Last > besides {
			r.end(o)
		} else if !o.replaced {
			o.replaced, o.superseded = true, d.At
		}
	}
	g.connections = append(g.connections, c)
	r.all, r.live = append(r.all, c), append(r.live, c)
	return c
}

// sweep ends connections of which nothing can come any more.
func (r *Reader) sweep(at int64) {
	r.swept = at
	live := r.live[:0]
	for _, c := range r.live {
		for i := range c.dirs { // of one who is silent none is looked at otherwise (22 §5.3)
			c.dirs[i].assembly.expire(at)
		}
		if at-c.Last > maxPause || c.gone && at-c.Last > besides {
			r.end(c)
		}
		if !c.Closed {
			live = append(live, c)
		}
	}
	clear(r.live[len(live):])
	r.live = live
}

// Close says that there is no more: flows that nothing was known of are dropped,
// and all connections end.
func (r *Reader) Close() {
	keys := make([]flowKey, 0, len(r.flows))
	for key, f := range r.flows {
		if !f.foreign && len(f.held) > 0 {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(x, y flowKey) int { // the first seen first
		return cmp.Or(cmp.Compare(r.flows[x].held[0].At, r.flows[y].held[0].At), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	for _, key := range keys {
		r.settle(r.flows[key], key)
	}
	for _, c := range r.all {
		r.end(c)
	}
}
