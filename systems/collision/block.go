package collision

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// Block is a landblock as sweeps meet it: its record, and the objects of the
// land, its neighbours' too, that stand in its cells.
type Block struct {
	plots   [64]plot // by land cell
	Land    *dat.Block
	Statics []Obstacle

	furnished atomic.Bool // what follows, and Statics, are there
	first     []int32     // cell k's statics are list[first[k]:first[k+1]]: 64 land cells, then the rooms
	list      []still
	bytes     int64 // as counted
}

// plot is a land cell: what nearly every step over it has to know, in one line
// of memory.
type plot struct {
	planes   [2]Plane      // of its triangles, in the order of [dat.Block.Triangle]
	flags    atomic.Uint32 // below
	first, n int32         // its statics are Block.list[first:][:n]
	swne     bool          // its diagonal runs SW–NE
	building int16         // in Land.Buildings, −1 none
	water    dat.Water
	sea      bool // all of the block is water
	_        [14]byte
}

// The flags of a plot, all clear until its block is furnished.
const (
	plotKnown  uint32 = 1 << iota // it is
	plotOpen                      // it is no sea, and all may enter
	plotClosed                    // somebody may not enter
)

// still is an object of the land in a cell: its index in Statics, how far around
// where it stands it reaches in plan, and the rectangle that holds what of it can
// be touched; in the axes of the block, metres.
type still struct {
	index                    int32
	x, y, reach              float32
	west, east, south, north float32
}

// beside reports whether what can be touched of it does not come within far of a
// point, in plan. Whether that lies in what it counts as solid is another thing.
func (e *still) beside(x, y, far float32) bool {
	return x < e.west-far || x > e.east+far || y < e.south-far || y > e.north+far
}

// beyond reports whether it does not reach to within far of a point, in plan.
func (e *still) beyond(x, y, far float32) bool {
	x, y = x-e.x, y-e.y
	far += e.reach
	return float32(x*x)+float32(y*y) > float32(far*far)
}

// slot is where a block is found.
type slot struct {
	block atomic.Pointer[Block]
	used  atomic.Uint32 // the land's epoch when it was last met
}

// Land are the landblocks that sweeps run over, loaded when one is first met and
// dropped when memory runs short ([Land.Limit]). It is safe for concurrent use.
type Land struct {
	tables  *dat.Tables
	sources []dat.Source
	flat    *Block
	epoch   atomic.Uint32   // counts ticks, for telling which blocks were met in the last
	slots   [256 * 256]slot // by x<<8 | y

	furnishing sync.Mutex // is taken before mu
	mu         sync.Mutex
	loaded     []int32 // whose blocks are there, in order of loading
	errs       []error
	memory     memory
	failed     atomic.Uint64
}

// MaxLandErrors bounds how many errors a [Land] keeps.
const MaxLandErrors = 64

// defaultPlacement is how an object is posed (15 §3).
const defaultPlacement uint32 = 0x65

// absent stands for a block that is not on record.
var absent = func() *Block {
	b := &Block{}
	for i := range b.plots {
		b.plots[i].flags.Store(plotKnown)
	}
	return b
}()

// NewLand returns the land that sources have on record. t are the tables that
// [dat.LoadLand] made of the models on it. Blocks are read when they are first
// met, and one that cannot be read counts as not on record from then on: call
// [Land.LoadAll] first, or look at [Land.Errors] from time to time. Package gait counts and logs them.
func NewLand(t *dat.Tables, sources ...dat.Source) *Land {
	return &Land{tables: t, sources: sources, memory: memory{limit: DefaultLandBytes}}
}

// NewFlat returns an endless plane at some height, metres (14 §10 "flat").
func NewFlat(ground float32) *Land {
	b := &dat.Block{}
	for i := range b.Heights {
		b.Heights[i] = ground
	}
	for i := range b.Planes {
		b.Planes[i] = Plane{Normal: space.Vec3{0, 0, 1}, D: -ground}
	}
	f := newBlock(b)
	f.first = make([]int32, 65)
	f.open()
	f.furnished.Store(true)
	return &Land{flat: f}
}

// Check reports what keeps an engine with these tables from running on the land.
func (l *Land) Check(t *dat.Tables) error {
	switch {
	case slices.Contains(l.sources, nil):
		return errors.New("a source of it is nil")
	case l.flat == nil && l.tables != t:
		return errors.New("the land was made for other tables")
	case l.flat == nil && len(t.Heights) == 0:
		return errors.New("the tables have no region, which holds the heights of land: dat.LoadLand reads it")
	case l.flat != nil && !(space.Abs(l.flat.Land.Heights[0]) <= maxGround):
		return fmt.Errorf("the ground lies at %v m", l.flat.Land.Heights[0])
	}
	return nil
}

// Flat returns how high endless level ground lies, metres; ok is false of any other land.
func (l *Land) Flat() (height float32, ok bool) {
	if l.flat == nil {
		return 0, false
	}
	return l.flat.Land.Heights[0], true
}

// maxGround is how high or low level ground may lie, metres.
const maxGround = 1e5

// cell returns a cell by its id.
func (l *Land) cell(id space.CellID) cell {
	c := cell{id: id, room: -1}
	if !id.InboundValid() {
		return c
	}
	b := l.block(id.BlockX(), id.BlockY())
	if b == absent {
		return c
	}
	if i := id.Index(); i >= 0x100 {
		if int(i-0x100) >= len(b.Land.Cells) {
			return c
		}
		c.room = int32(i - 0x100)
	}
	c.block = b
	return c
}

// block returns a landblock, absent when it is not on record.
func (l *Land) block(x, y int32) *Block {
	if l.flat != nil {
		return l.flat
	}
	s := &l.slots[x<<8|y]
	b := s.block.Load()
	if b == nil {
		b = l.fetch(x, y)
	}
	if now := l.epoch.Load(); s.used.Load() != now { // written once a tick, since workers share it
		s.used.Store(now)
	}
	return b
}

// Fetch has what a step in a land cell needs come nearer, as [Crowd.Fetch] does;
// it is for the engine.
func (l *Land) Fetch(id space.CellID) int32 {
	if _, p := l.plot(id); p != nil {
		return int32(p.flags.Load())
	}
	return 0
}

// FetchList goes on from Fetch where there are objects of the land in the cell.
func (l *Land) FetchList(id space.CellID) int32 {
	if b, p := l.plot(id); b != nil && p.flags.Load() != 0 && p.n > 0 {
		list := b.list[p.first:][:p.n]
		return list[0].index + list[len(list)-1].index
	}
	return 0
}

// plot finds a land cell of a block that is loaded, nil otherwise.
func (l *Land) plot(id space.CellID) (*Block, *plot) {
	i := id.Index() - 1
	if i >= 0x40 {
		return nil, nil
	}
	b := l.flat
	if b == nil {
		b = l.slots[id>>16].block.Load()
	}
	if b == nil {
		return nil, nil
	}
	return b, &b.plots[i]
}

// fetch loads a landblock. One that cannot be read counts as not on record, and
// the reason is kept.
func (l *Land) fetch(x, y int32) *Block {
	l.mu.Lock()
	defer l.mu.Unlock()
	slot := &l.slots[x<<8|y].block
	if b := slot.Load(); b != nil {
		return b
	}
	b := absent
	land, err := dat.CompileBlock(l.tables, uint8(x), uint8(y), l.sources...)
	if err != nil {
		if len(l.errs) < MaxLandErrors {
			l.errs = append(l.errs, err)
		}
		l.failed.Add(1)
	}
	if err == nil && land != nil {
		b = newBlock(land)
		for i := range land.Buildings {
			id, _ := space.AdjustToOutside(space.CellID(uint32(x)<<24|uint32(y)<<16|1), land.Buildings[i].Frame.Origin)
			if k := id.Index() - 1; id.BlockX() == x && id.BlockY() == y && b.plots[k].building < 0 {
				b.plots[k].building = int16(i)
			}
		}
		l.count(b)
	}
	slot.Store(b)
	l.loaded = append(l.loaded, x<<8|y)
	return b
}

// Errors returns what was wrong with blocks that could not be read, the first [MaxLandErrors] of them.
func (l *Land) Errors() []error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]error(nil), l.errs...)
}

// Failed returns how many blocks could not be read. It takes no lock: for who asks every tick.
func (l *Land) Failed() uint64 { return l.failed.Load() }

func newBlock(land *dat.Block) *Block {
	b := &Block{Land: land}
	for i := range b.plots {
		p := &b.plots[i]
		p.planes, p.swne, p.building = [2]Plane(land.Planes[2*i:]), land.SWNE[i], -1
		p.water, p.sea = land.Water[i], land.Whole == dat.EntirelyWater
	}
	return b
}

// open sets the flags of the plots, once it is known what stands in them.
func (b *Block) open() {
	for k := range b.plots {
		p := &b.plots[k]
		p.first, p.n = b.first[k], b.first[k+1]-b.first[k]
		flags := plotKnown
		if len(b.Land.Restrictions) > 0 {
			flags |= plotClosed
		} else if !p.sea {
			flags |= plotOpen
		}
		p.flags.Store(flags)
	}
}

// building returns the building on a land cell.
func (b *Block) building(id space.CellID) (*dat.Building, bool) {
	i := b.plots[id.Index()-1].building
	if i < 0 {
		return nil, false
	}
	return &b.Land.Buildings[i], true
}

// standing returns which of Statics stand in a cell, in the order in which they
// are met.
func (b *Block) standing(c *cell) []still {
	if c.room < 0 {
		p := &b.plots[c.id.Index()-1]
		return b.list[p.first:][:p.n]
	}
	k := int(c.room) + 64
	return b.list[b.first[k]:b.first[k+1]]
}

// restriction returns the restriction object of a cell, 0 none.
func (c *cell) restriction() uint32 {
	if c.indoors() {
		return c.indoor().Restriction
	}
	b := c.block
	if b == nil { // as in [Sweep.open]
		return 0
	}
	if b.plots[c.id.Index()-1].flags.Load()&(plotKnown|plotClosed) == plotKnown {
		return 0
	}
	for _, r := range b.Land.Restrictions {
		if r.Key == uint32(c.id) || r.Key == c.id.Index() {
			return r.Object
		}
	}
	return 0
}

// furnish puts the objects of the land into the cells of a block: its own and
// those of its neighbours that reach over (W-23), in the order of their blocks.
func (l *Land) furnish(b *Block) {
	if b.furnished.Load() {
		return
	}
	x, y := b.Land.X, b.Land.Y
	var near []*Block
	for dx := int32(-1); dx <= 1; dx++ { // ids ascend by x, then y
		for dy := int32(-1); dy <= 1; dy++ {
			if nx, ny := x+dx, y+dy; nx >= 0 && ny >= 0 && nx < 255 && ny < 255 {
				if n := l.block(nx, ny); n.Land != nil {
					near = append(near, n)
				}
			}
		}
	}
	l.furnishing.Lock() // and not mu: what stands at the border of a neighbour loads the next one
	defer l.furnishing.Unlock()
	if b.furnished.Load() {
		return
	}
	lists := make([][]int32, 64+len(b.Land.Cells))
	f := finder{world: &World{Tables: l.tables, Shapes: &l.tables.Shapes, Land: l}}
	for _, n := range near {
		for i := range n.Land.Statics {
			o := l.static(n.Land, i)
			o.Reach = f.world.reachStill(&o)
			f.list, f.outside, f.interior = f.list[:0], false, false
			f.register(&o, true)
			here := int32(-1)
			for k := range f.list {
				c := &f.list[k]
				if !c.present() || !c.id.SameBlock(base(b.Land)) { // b itself may have been dropped
					continue
				}
				if here < 0 {
					here = int32(len(b.Statics))
					b.Statics = append(b.Statics, o)
				}
				at := int(c.room) + 64
				if c.room < 0 {
					at = int(c.id.Index()) - 1
				}
				lists[at] = append(lists[at], here)
			}
		}
	}
	b.first = make([]int32, len(lists)+1)
	for k := range lists {
		for _, i := range lists[k] {
			o := &b.Statics[i]
			at := o.Place.Frame.Origin
			if !o.Place.Cell.SameBlock(base(b.Land)) {
				at = space.Add(at, space.BlockOffset(base(b.Land), o.Place.Cell))
			}
			e := still{index: i, x: at[0], y: at[1], reach: o.Reach}
			low, high := f.world.rectangle(o)
			e.west, e.east, e.south, e.north = at[0]+low[0], at[0]+high[0], at[1]+low[1], at[1]+high[1]
			b.list = append(b.list, e)
		}
		b.first[k+1] = int32(len(b.list))
	}
	b.open()
	l.mu.Lock()
	if l.slots[x<<8|y].block.Load() == b {
		l.count(b)
	}
	l.mu.Unlock()
	b.furnished.Store(true)
}

// static makes an obstacle of static i of a block.
func (l *Land) static(b *dat.Block, i int) Obstacle {
	st := &b.Statics[i]
	base := base(b)
	o := Obstacle{Scale: 1, State: components.Static, Setup: st.Setup, Parts: dat.None}
	o.Place.Frame = st.Frame
	if i < int(b.Outdoor) {
		o.Place.Cell, o.Place.Frame.Origin = space.AdjustToOutside(base|1, st.Frame.Origin)
	} else {
		for k := range b.Cells {
			if c := &b.Cells[k]; int32(i) >= c.FirstStatic && int32(i) < c.FirstStatic+c.StaticCount {
				o.Place.Cell = base | space.CellID(0x100+k)
			}
		}
	}
	if o.Setup >= 0 {
		t := l.tables
		figure := &t.Setups[o.Setup]
		if pose, _ := t.Placement(o.Setup, defaultPlacement); pose >= 0 {
			o.Parts, o.Posed = int32(t.Poses[pose].PartsAt), int32(figure.PartCount)
		}
		if figure.PhysicsBSP {
			o.State |= components.HasPhysicsBSP
		}
	} else if o.Parts = st.Hull; o.Parts >= 0 && l.tables.Shapes.Hulls[o.Parts].Root >= 0 {
		o.State |= components.HasPhysicsBSP
	}
	return o
}

// LoadAll reads every block on record, and returns the first error. It is for
// land that is small, or that is to be proven good before use: a block that
// cannot be read while the engine runs counts as not on record ([Land.Errors]).
func (l *Land) LoadAll() error {
	for _, s := range l.sources {
		for _, id := range s.IDs(0, math.MaxUint32) {
			if id := space.CellID(id); id.Index() == 0xFFFF && id.InboundValid() {
				l.block(id.BlockX(), id.BlockY())
			}
		}
	}
	if errs := l.Errors(); len(errs) > 0 {
		return errs[0]
	}
	return nil
}
