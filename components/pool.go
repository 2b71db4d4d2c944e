package components

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/gait-engine/gait/space"
)

// Slab names a run of items in a [Pool]; 0 is none. Its low 5 bits are the
// size class, the rest the run's number in it, from 1.
type Slab uint32

const (
	slabBytes   = 64 // what the smallest slab takes at most, unless one item takes more
	slabClasses = 27 // class k holds the smallest slab's items <<k
	slabPages   = 27 // page p holds 1<<p slabs, whose numbers have 27 bits
	storePages  = 28 // of a store:
	storeItems  = 8  // page p holds storeItems<<p items
)

// smallest is the number of items of the smallest slab: what fits a cache line, since most
// lists that are in a pool are short, and the closer they lie the more of them are in the cache.
func (p *Pool[T]) smallest() uint32 {
	var zero T
	return 1 << (bits.Len32(max(1, uint32(slabBytes/unsafe.Sizeof(zero)))) - 1) // the compiler works it out
}

// Pool keeps what lists hold beyond their inline room. Slabs never move, so
// workers may use theirs while another takes a new one. Taking and giving back is
// locked, but for what a branch has at hand ([Pools.Branch]). The zero Pool is ready.
//
// Which slab a list got is not state: it depends on who asked first, and
// neither hash nor snapshot sees it.
type Pool[T any] struct {
	shared[slabs[T]]
	hand *[handClasses]hand // of a branch
}

// shared is what a pool has in common with its branches, made when first asked for.
type shared[T any] struct {
	once sync.Once
	at   *T
}

func (s *shared[T]) get() *T {
	s.once.Do(func() { s.at = new(T) })
	return s.at
}

// join has s be what other is.
func (s *shared[T]) join(other *shared[T]) {
	s.once.Do(func() { s.at = other.get() })
}

type slabs[T any] struct {
	mu    sync.Mutex
	class [slabClasses]slabClass[T]
}

type slabClass[T any] struct {
	pages [slabPages][]T
	heads [slabPages][]uint32 // by slab: where in it the first item lies
	free  [slabPages]bitset   // by page: the slabs that nobody has,
	has   uint32              // and which pages have one
	made  int                 // pages so far
	live  [slabPages]uint32   // by page: slabs that are out,
	out   uint32              // on all pages,
	most  uint32              // and at most since the last Trim
}

// bitset is a set of numbers from 0, whose lowest is found with few looks.
type bitset struct {
	words []uint64
	above []uint64 // a bit for each word that is not 0
	low   int      // where in above to look first: all before are 0
}

// allBelow returns the set of the numbers below n, a power of two.
func allBelow(n int) bitset {
	b := bitset{words: make([]uint64, (n+63)/64), above: make([]uint64, (n+64*64-1)/(64*64))}
	for i := range b.words {
		b.words[i] = 1<<min(n, 64) - 1
		b.above[i/64] |= 1 << (i % 64)
	}
	return b
}

func (b *bitset) add(n uint32) {
	b.words[n/64] |= 1 << (n % 64)
	b.above[n/(64*64)] |= 1 << (n / 64 % 64)
	b.low = min(b.low, int(n/(64*64)))
}

// pop takes the lowest out of a set that is not empty.
func (b *bitset) pop() (n uint32) {
	for b.above[b.low] == 0 {
		b.low++
	}
	word := 64*b.low + bits.TrailingZeros64(b.above[b.low])
	n = uint32(64*word + bits.TrailingZeros64(b.words[word]))
	if b.words[word] &= b.words[word] - 1; b.words[word] == 0 {
		b.above[b.low] &= b.above[b.low] - 1
	}
	return n
}

const (
	handClasses = 4  // larger slabs are taken seldom
	handSlabs   = 64 // half as many are taken or given back at a time
)

// hand are slabs of one class that a branch has at hand, the next to take last: what was
// given back last, since that is in the cache, or else one after the other as they lie.
type hand struct {
	n     int
	next  int // how many to take when none is left: one, then twice as many each time
	slabs [handSlabs]Slab
}

// classFor returns the smallest class with room for n items.
func (p *Pool[T]) classFor(n int) uint32 {
	least := p.smallest()
	if n <= int(least) {
		return 0
	}
	return uint32(bits.Len(uint(n-1)) - bits.Len32(least-1))
}

func (p *Pool[T]) take(class uint32) Slab {
	if p.hand == nil || class >= handClasses {
		var one [1]Slab
		p.takeSome(class, one[:])
		return one[0]
	}
	h := &p.hand[class]
	if h.n == 0 {
		h.n = max(h.next, 1)
		h.next = min(2*h.n, handSlabs/2)
		p.takeSome(class, h.slabs[:h.n])
	}
	h.n--
	return h.slabs[h.n]
}

func (p *Pool[T]) give(s Slab) {
	class := s & 31
	if p.hand == nil || class >= handClasses {
		p.giveSome([]Slab{s})
		return
	}
	h := &p.hand[class]
	if h.n == handSlabs {
		p.giveSome(h.slabs[:handSlabs/2])
		h.n = copy(h.slabs[:], h.slabs[handSlabs/2:])
	}
	h.slabs[h.n] = s
	h.n++
}

// takeSome takes slabs of one class for all of some room, the lowest last.
func (p *Pool[T]) takeSome(class uint32, room []Slab) {
	all := p.get()
	all.mu.Lock()
	defer all.mu.Unlock()
	c := &all.class[class]
	for i := range room {
		room[len(room)-1-i] = Slab(c.take(int(p.smallest()<<class))<<5 | class)
	}
	c.out += uint32(len(room))
	c.most = max(c.most, c.out)
}

// take returns the number of a slab of so many items: the lowest that is free, so that
// what is in use lies close together, and the last pages become empty.
func (c *slabClass[T]) take(items int) (n uint32) {
	if c.has == 0 {
		page := c.made
		c.pages[page] = make([]T, items<<page)
		c.heads[page] = make([]uint32, 1<<page)
		c.free[page] = allBelow(1 << page)
		c.has = 1 << page
		c.made++
	}
	page := bits.TrailingZeros32(c.has)
	n = 1<<page + c.free[page].pop()
	if c.live[page]++; c.live[page] == 1<<page {
		c.has &^= 1 << page
	}
	return n
}

// giveSome gives slabs of one class back.
func (p *Pool[T]) giveSome(given []Slab) {
	p.at.mu.Lock()
	defer p.at.mu.Unlock()
	c := &p.at.class[given[0]&31]
	for _, s := range given {
		n := uint32(s >> 5)
		page := bits.Len32(n) - 1
		c.free[page].add(n - 1<<page)
		c.has |= 1 << page
		c.live[page]--
	}
	c.out -= uint32(len(given))
}

// branch makes b a pool with the same slabs, and some at hand.
func (p *Pool[T]) branch(b *Pool[T]) {
	b.join(&p.shared)
	b.hand = new([handClasses]hand)
}

// lay gives back what a branch has at hand.
func (p *Pool[T]) lay() {
	if p.hand == nil {
		return
	}
	for i := range p.hand {
		h := &p.hand[i]
		if h.n > 0 {
			p.giveSome(h.slabs[:h.n])
		}
		h.n, h.next = 0, 0
	}
}

// keptPages are pages of a class that a pool keeps once it has them.
const keptPages = 6

// Trim gives back the memory of slabs that nobody has and that were not needed since
// it was last called, if there is more than twice as much as was: a burst's, as when
// many remotes come at once. No list may change meanwhile.
func (p *Pool[T]) Trim() {
	all := p.get()
	for i := range all.class {
		all.class[i].trim()
	}
}

func (c *slabClass[T]) trim() {
	top := c.made
	for top > keptPages && c.live[top-1] == 0 && 2*c.most < 1<<(top-1) {
		top--
	}
	c.most = c.out
	if top == c.made {
		return
	}
	clear(c.pages[top:])
	clear(c.heads[top:])
	clear(c.free[top:])
	c.made = top
	c.has &= 1<<top - 1
}

// run returns the whole of slab s.
func (p *Pool[T]) run(s Slab) []T {
	class, n := uint32(s&31), uint32(s>>5)
	page := bits.Len32(n) - 1
	size := p.smallest() << class
	at := (n - 1<<page) * size
	return p.at.class[class].pages[page][at : at+size : at+size]
}

// head is where in slab s the first item lies: what leaves in front moves nothing.
func (p *Pool[T]) head(s Slab) *uint32 {
	n := uint32(s >> 5)
	page := bits.Len32(n) - 1
	return &p.at.class[s&31].heads[page][n-1<<page]
}

// Bytes returns the memory that the pool has taken.
func (p *Pool[T]) Bytes() uintptr {
	var zero T
	var n uintptr
	all := p.get()
	for i := range all.class {
		for _, page := range all.class[i].pages {
			n += uintptr(len(page)) * unsafe.Sizeof(zero)
		}
		for _, page := range all.class[i].heads {
			n += uintptr(len(page)) * 4
		}
		for _, page := range all.class[i].free {
			n += uintptr(len(page.words)+len(page.above)) * 8
		}
	}
	return n
}

// List is a sequence of T: inline while it fits A, an array of T, and wholly in
// one slab of a pool beyond that. Copying a List copies ownership; only the
// holder of the row changes it. What stands last is never the array: one of no items
// there would take room.
type List[T, A any] struct {
	Len    uint32
	Inline A
	Over   Slab // 0 exactly while the items fit inline
}

func (l *List[T, A]) inline() []T {
	var zero T
	if unsafe.Sizeof(l.Inline) < unsafe.Sizeof(zero) {
		return nil // no inline room
	}
	// A is an array of T by construction of every List type in this package
	return unsafe.Slice((*T)(unsafe.Pointer(&l.Inline)), unsafe.Sizeof(l.Inline)/unsafe.Sizeof(zero))
}

// Items returns the items in order, for reading and writing in place. The
// slice is good until the list is next changed.
func (l *List[T, A]) Items(p *Pool[T]) []T {
	if l.Len >= uint32(unsafe.Sizeof(l.Inline)/unsafe.Sizeof(*new(T))) {
		return l.over(p)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&l.Inline)), l.Len) // inline() would keep the compiler from having this in line
}

// over is Items of a list whose room is full, or which has none: there is nothing to point at then.
func (l *List[T, A]) over(p *Pool[T]) []T {
	if room := l.inline(); int(l.Len) <= len(room) {
		return room[:l.Len]
	}
	run, head := p.run(l.Over), uint32(0)
	if len(run) > int(l.Len) { // else it is full, and a look is saved
		head = *p.head(l.Over)
	}
	return run[head : head+l.Len]
}

// Push appends v.
func (l *List[T, A]) Push(p *Pool[T], v T) { *l.Add(p) = v }

// Add appends an item, whatever it holds, for the caller to set.
func (l *List[T, A]) Add(p *Pool[T]) *T {
	room, head := l.inline(), uint32(0)
	if l.Over != 0 {
		room, head = p.run(l.Over), *p.head(l.Over)
	} else if int(l.Len) < len(room) {
		l.Len++
		return &room[l.Len-1]
	}
	if int(head+l.Len) == len(room) {
		if head > 0 {
			copy(room, room[head:])
		} else {
			s := p.take(p.classFor(len(room) + 1))
			copy(p.run(s), room)
			if l.Over != 0 {
				p.give(l.Over)
			}
			l.Over = s
			room = p.run(s)
		}
		head, *p.head(l.Over) = 0, 0
	}
	l.Len++
	return &room[head+l.Len-1]
}

// Insert puts v before item i.
func (l *List[T, A]) Insert(p *Pool[T], i int, v T) {
	l.Push(p, v)
	items := l.Items(p)
	copy(items[i+1:], items[i:])
	items[i] = v
}

// Remove takes items [from, to) out.
func (l *List[T, A]) Remove(p *Pool[T], from, to int) {
	items := l.Items(p)
	left := items[:len(items)-(to-from)]
	if from == 0 && l.Over != 0 {
		*p.head(l.Over) += uint32(to)
		left = items[to:]
	} else {
		copy(items[from:], items[to:])
	}
	l.keep(p, left)
}

// Clear takes everything out.
func (l *List[T, A]) Clear(p *Pool[T]) { l.keep(p, nil) }

// keep has the list consist of items, which lie where they are to, and comes back
// inline when they fit.
func (l *List[T, A]) keep(p *Pool[T], items []T) {
	l.Len = uint32(len(items))
	if l.Over == 0 {
		return
	}
	if room := l.inline(); len(items) <= len(room) {
		copy(room, items)
		p.give(l.Over)
		l.Over = 0
	}
}

// Part makes l, a copy, what can be kept without its pool: it says no more where
// its items lie, nor anything in room that it does not use. It returns the items
// that do not fit inline, good until the list that it was copied from is changed.
func (l *List[T, A]) Part(p *Pool[T]) (beyond []T) {
	if l.Over != 0 {
		beyond = l.Items(p)
		l.Over = 0
		clear(l.inline())
		return beyond
	}
	clear(l.inline()[l.Len:])
	return nil
}

// Join gives a list that [List.Part] was done to room for the items that do not
// fit inline, and returns it for them to be put there; nil when there are none. ok
// is false when no such list can have been.
func (l *List[T, A]) Join(p *Pool[T]) (beyond []T, ok bool) {
	if l.Over != 0 || int(l.Len) > int(p.smallest())<<(slabClasses-1) {
		return nil, false
	}
	if int(l.Len) <= len(l.inline()) {
		return nil, true
	}
	l.Over = p.take(p.classFor(int(l.Len)))
	*p.head(l.Over) = 0
	return l.Items(p), true
}

// Beyond is how many items a list that [List.Part] was done to has in its pool.
func (l *List[T, A]) Beyond() int {
	if int(l.Len) <= len(l.inline()) {
		return 0
	}
	return int(l.Len)
}

// Box is a T that a remote has only once it needs one: 0 is none. It lies in a
// pool of its own.
type Box[T any] struct{ at Slab }

// Empty reports whether there is none.
func (b *Box[T]) Empty() bool { return b.at == 0 }

// Get returns the T, nil when there is none. The pointer is good until Free.
func (b *Box[T]) Get(p *Store[T]) *T {
	if b.at == 0 {
		return nil
	}
	return p.item(b.at)
}

// Value returns a copy of the T, a zero one when there is none.
func (b *Box[T]) Value(p *Store[T]) (v T) {
	if b.at != 0 {
		v = *p.item(b.at)
	}
	return v
}

// Make returns the T, a zero one when there was none.
func (b *Box[T]) Make(p *Store[T]) *T {
	if b.at == 0 {
		b.at = p.take()
		var zero T
		*p.item(b.at) = zero
	}
	return p.item(b.at)
}

// Free gives the T back.
func (b *Box[T]) Free(p *Store[T]) {
	if b.at != 0 {
		p.give(b.at)
		b.at = 0
	}
}

// Part makes b, a copy, what can be kept without its store, and returns the T, nil
// when there is none.
func (b *Box[T]) Part(p *Store[T]) *T {
	v := b.Get(p)
	if v != nil {
		b.at = 1
	}
	return v
}

// Join makes the T anew of a box that [Box.Part] was done to, nil when there was
// none. ok is false when no such box can have been.
func (b *Box[T]) Join(p *Store[T]) (v *T, ok bool) {
	if b.at > 1 {
		return nil, false
	}
	if b.at == 0 {
		return nil, true
	}
	b.at = 0
	return b.Make(p), true
}

// Store is where boxes lie: a [Pool] of single items. The zero Store is ready.
type Store[T any] struct{ shared[items[T]] }

type items[T any] struct {
	mu    sync.Mutex
	pages [storePages][]T
	free  []Slab
	used  uint32
}

func (s *Store[T]) take() Slab {
	all := s.get()
	all.mu.Lock()
	defer all.mu.Unlock()
	if last := len(all.free) - 1; last >= 0 {
		n := all.free[last]
		all.free = all.free[:last]
		return n
	}
	all.used++
	page, _ := s.place(Slab(all.used))
	if all.pages[page] == nil {
		all.pages[page] = make([]T, storeItems<<page)
	}
	return Slab(all.used)
}

func (s *Store[T]) give(n Slab) {
	s.at.mu.Lock()
	defer s.at.mu.Unlock()
	s.at.free = append(s.at.free, n)
}

// place returns the page of item n, from 1, and its index there.
func (s *Store[T]) place(n Slab) (page int, at uint32) {
	k := uint32(n) - 1 + storeItems
	page = bits.Len32(k) - bits.Len32(storeItems)
	return page, k - storeItems<<page
}

func (s *Store[T]) item(n Slab) *T {
	page, at := s.place(n)
	return &s.at.pages[page][at]
}

// branch makes b a store with the same items.
func (s *Store[T]) branch(b *Store[T]) { b.join(&s.shared) }

// Bytes returns the memory that the store has taken.
func (s *Store[T]) Bytes() uintptr {
	var zero T
	var n uintptr
	all := s.get()
	for _, page := range all.pages {
		n += uintptr(len(page)) * unsafe.Sizeof(zero)
	}
	return n + uintptr(cap(all.free))*4
}

// Pools are the overflow pools of one world.
type Pools struct {
	Nodes          Pool[Node]
	Speeded        Pool[Speeded]
	Actions        Pool[Action]
	PendingAnims   Pool[PendingAnim]
	PendingMotions Pool[PendingMotion]
	Chase          Pool[ChaseNode]
	MoveToNodes    Pool[MoveToNode]
	Voyeurs        Pool[Voyeur]
	Encounters     Pool[Encounter]

	Places         Store[space.Position]
	Raws           Store[Raw]
	Errands        Store[Errand]
	MoveTos        Store[MoveTo]
	Stickies       Store[Sticky]
	Targets        Store[Target]
	TargetManagers Store[TargetManager]
	Ramps          Store[Ramp]
	Mets           Store[Met]
}

// Branch returns pools of the same slabs and items for one worker, who has some of
// the small slabs at hand and then waits for nobody. Lists may pass from branch to branch.
// What a branch has at hand counts as taken, until [Pools.Lay].
func (p *Pools) Branch() *Pools {
	b := new(Pools)
	p.Nodes.branch(&b.Nodes)
	p.Speeded.branch(&b.Speeded)
	p.Actions.branch(&b.Actions)
	p.PendingAnims.branch(&b.PendingAnims)
	p.PendingMotions.branch(&b.PendingMotions)
	p.Chase.branch(&b.Chase)
	p.MoveToNodes.branch(&b.MoveToNodes)
	p.Voyeurs.branch(&b.Voyeurs)
	p.Encounters.branch(&b.Encounters)
	p.Places.branch(&b.Places)
	p.Raws.branch(&b.Raws)
	p.Errands.branch(&b.Errands)
	p.MoveTos.branch(&b.MoveTos)
	p.Stickies.branch(&b.Stickies)
	p.Targets.branch(&b.Targets)
	p.TargetManagers.branch(&b.TargetManagers)
	p.Ramps.branch(&b.Ramps)
	p.Mets.branch(&b.Mets)
	return b
}

// Lay gives back what a branch has at hand; other pools have nothing there.
func (p *Pools) Lay() {
	p.Nodes.lay()
	p.Speeded.lay()
	p.Actions.lay()
	p.PendingAnims.lay()
	p.PendingMotions.lay()
	p.Chase.lay()
	p.MoveToNodes.lay()
	p.Voyeurs.lay()
	p.Encounters.lay()
}

// Trim is [Pool.Trim] of all of them.
func (p *Pools) Trim() {
	p.Nodes.Trim()
	p.Speeded.Trim()
	p.Actions.Trim()
	p.PendingAnims.Trim()
	p.PendingMotions.Trim()
	p.Chase.Trim()
	p.MoveToNodes.Trim()
	p.Voyeurs.Trim()
	p.Encounters.Trim()
}

// Bytes returns the memory that the pools have taken.
func (p *Pools) Bytes() uintptr {
	return p.Nodes.Bytes() + p.Speeded.Bytes() + p.Actions.Bytes() + p.PendingAnims.Bytes() + p.PendingMotions.Bytes() +
		p.Chase.Bytes() + p.MoveToNodes.Bytes() + p.Voyeurs.Bytes() + p.Encounters.Bytes() +
		p.Places.Bytes() + p.Raws.Bytes() + p.Errands.Bytes() + p.MoveTos.Bytes() + p.Stickies.Bytes() +
		p.Targets.Bytes() + p.TargetManagers.Bytes() + p.Ramps.Bytes() + p.Mets.Bytes()
}
