package main

import (
	"container/heap"
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"
)

// way is what lies between: how long datagrams take, and which never arrive.
type way struct {
	delay, jitter time.Duration // jitter to both sides
	loss          float64       // the part that never arrives
	reorder       float64       // the part that takes twice as long, and so comes after later ones
}

// arrival is a datagram that has come, or will have at its time.
type arrival struct {
	at       int64 // ns by the run's clock
	n        int   // in order of sending
	src, dst netip.AddrPort
	data     []byte
}

// line is a socket, as who sends through it sees it.
type line interface {
	send(b []byte, to netip.AddrPort) error
	address() netip.AddrPort
	// read puts what comes into a mailbox, until the line is closed.
	read(*mailbox) error
	Close() error
}

// mailbox is the receiving end of lines. What they deliver lies there until the way
// has let it through. Any goroutine may call it.
type mailbox struct {
	clock clock
	way   way

	mu      sync.Mutex
	rng     *rand.Rand
	arrived arrivals
	count   int
	lost    int
}

func newMailbox(c clock, w way, seed uint64) *mailbox {
	return &mailbox{clock: c, way: w, rng: rand.New(rand.NewPCG(seed, 22))}
}

// largest is more than a datagram of the game's has.
const largest = 2048

// put sends a datagram on its way.
func (m *mailbox) put(src, dst netip.AddrPort, b []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := m.clock.now() // within the lock: nothing comes before what has been taken
	if !handshake(b) {  // what is measured begins after it
		if m.rng.Float64() < m.way.loss {
			m.lost++
			return
		}
		at += int64(m.way.delay) + int64(float64(m.way.jitter)*(2*m.rng.Float64()-1))
		if m.rng.Float64() < m.way.reorder {
			at += int64(m.way.delay)
		}
	}
	m.count++
	heap.Push(&m.arrived, arrival{at, m.count, src, dst, append([]byte(nil), b...)})
}

// take removes the arrivals whose time is one that due tells, in order.
func (m *mailbox) take(due func(at int64) bool) (out []arrival) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.arrived) > 0 && due(m.arrived[0].at) {
		out = append(out, heap.Pop(&m.arrived).(arrival))
	}
	return out
}

func (m *mailbox) losses() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.lost
}

// arrivals are a heap, the next one first.
type arrivals []arrival

func (a arrivals) Len() int { return len(a) }
func (a arrivals) Less(i, j int) bool {
	return a[i].at < a[j].at || a[i].at == a[j].at && a[i].n < a[j].n
}
func (a arrivals) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *arrivals) Push(x any)   { *a = append(*a, x.(arrival)) }
func (a *arrivals) Pop() any {
	last := len(*a) - 1
	x := (*a)[last]
	(*a)[last] = arrival{}
	*a = (*a)[:last]
	return x
}

// clock is the run's: ns since it began.
type clock interface{ now() int64 }

// wallClock is a clock that goes by itself.
type wallClock struct{ began time.Time }

func (c wallClock) now() int64 { return int64(time.Since(c.began)) }

// wait sleeps until a time, or until the run is over; it reports whether it is not.
func wait(c clock, at int64, done <-chan struct{}) bool {
	t := time.NewTimer(time.Duration(at - c.now()))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-done:
		return false
	}
}

// socket is a line of the operating system's.
type socket struct{ *net.UDPConn }

// send hands a datagram over; what is dropped then is lost like any other.
func (s socket) send(b []byte, to netip.AddrPort) error {
	_, err := s.WriteToUDPAddrPort(b, to)
	return err
}

func (s socket) address() netip.AddrPort { return s.LocalAddr().(*net.UDPAddr).AddrPort() }

func (s socket) read(m *mailbox) error {
	dst := s.address()
	b := make([]byte, largest)
	for {
		n, src, err := s.ReadFromUDPAddrPort(b)
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		m.put(src, dst, b[:n])
	}
}

// listen opens a socket of the loopback; port 0 is any.
func listen(port int) (socket, error) {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return socket{}, err
	}
	const room = 4 << 20 // what comes while a busy machine does not get to reading it
	return socket{conn}, errors.Join(conn.SetReadBuffer(room), conn.SetWriteBuffer(room))
}

// listenPair opens two sockets with neighbouring ports, as a server of the game has.
func listenPair() (lower, upper socket, err error) {
	for range 50 {
		if lower, err = listen(0); err != nil {
			return socket{}, socket{}, err
		}
		if upper, err = listen(int(lower.address().Port()) + 1); err == nil {
			return lower, upper, nil
		}
		_ = lower.Close()
	}
	return socket{}, socket{}, err
}
