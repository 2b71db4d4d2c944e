package wire

import "github.com/gait-engine/gait/space"

// Create is 0xF745, create object, or 0xF7DB, update object (20 §2.7). Of its
// three parts the engine needs the physics descriptor; the appearance is
// measured and kept as it came, the game data after the descriptor as well.
type Create struct {
	Update     bool // 0xF7DB: always rebuilds
	Guid       uint32
	Appearance Appearance
	Physics    Descriptor
	Rest       []byte // the game-data descriptor, not looked at
}

// Opcode returns [OpCreate] or [OpUpdate].
func (m *Create) Opcode() uint32 {
	if m.Update {
		return OpUpdate
	}
	return OpCreate
}

func (m *Create) read(r *reader) {
	*m = Create{}
	r.opcode = r.u32("opcode")
	m.Update = r.opcode == OpUpdate
	if r.opcode != OpCreate && !m.Update {
		r.fail(ErrOpcode, "opcode", 0)
	}
	m.Guid = r.guid("guid")
	m.Appearance.read(r)
	m.Physics.read(r)
	m.Rest = r.bytes(r.left(), "game data")
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *Create) Append(dst []byte) ([]byte, error) {
	w := write(dst, m.Opcode())
	w.guid(m.Guid, "guid")
	m.Appearance.write(&w)
	m.Physics.write(&w)
	w.b = append(w.b, m.Rest...)
	return w.end()
}

// Appearance is an appearance block, kept opaque (20 §2.7).
type Appearance struct {
	Palettes uint8 // numbers of swaps
	Textures uint8
	Models   uint8
	Raw      []byte // from the marker to before the pad; empty writes as no swaps
}

const appearanceMarker = 0x11

func (a *Appearance) read(r *reader) {
	at := r.i
	if r.u8("appearance marker") != appearanceMarker {
		r.fail(ErrType, "appearance marker", at)
	}
	a.Palettes, a.Textures, a.Models = r.u8("palette count"), r.u8("texture count"), r.u8("model count")
	// the least that each can be: packed ids of two bytes
	need := 5*uint32(a.Textures) + 3*uint32(a.Models)
	if a.Palettes > 0 {
		need += 2 + 4*uint32(a.Palettes)
	}
	if !r.room(need, 1, "appearance counts", at+1) {
		return
	}
	if a.Palettes > 0 {
		r.packedID("base palette")
	}
	for range a.Palettes {
		r.packedID("palette")
		r.u16("palette offset and length")
	}
	for range a.Textures {
		r.u8("texture part")
		r.packedID("old texture")
		r.packedID("new texture")
	}
	for range a.Models {
		r.u8("model part")
		r.packedID("model")
	}
	a.Raw = r.b[at:r.i:r.i]
	r.align4()
}

// packedID passes over a packed id (20 §1).
func (r *reader) packedID(field string) {
	if r.u16(field)&0x8000 != 0 {
		r.u16(field)
	}
}

func (a *Appearance) write(w *writer) {
	raw := a.Raw
	if len(raw) == 0 {
		w.need(a.Palettes|a.Textures|a.Models == 0, "appearance")
		w.u8(appearanceMarker)
		w.u8(0)
		w.u16(0)
		return
	}
	// it must measure as what it says it is, or the descriptor would be lost
	r := reader{b: raw}
	var m Appearance
	m.read(&r)
	w.need(len(m.Raw) == len(raw) && m.Palettes == a.Palettes && m.Textures == a.Textures && m.Models == a.Models,
		"appearance")
	w.b = append(w.b, raw...)
	w.align4()
}

// The flag bits of a [Descriptor] (20 §2.7).
const (
	PhysSetup           = 0x00001
	PhysMotionTable     = 0x00002
	PhysVelocity        = 0x00004
	PhysAcceleration    = 0x00008
	PhysOmega           = 0x00010
	PhysParent          = 0x00020
	PhysChildren        = 0x00040
	PhysScale           = 0x00080
	PhysFriction        = 0x00100
	PhysElasticity      = 0x00200
	PhysSoundTable      = 0x00800
	PhysScriptTable     = 0x01000
	PhysDefaultScript   = 0x02000
	PhysScriptIntensity = 0x04000
	PhysPosition        = 0x08000
	PhysMovement        = 0x10000
	PhysPlacement       = 0x20000
	PhysTranslucency    = 0x40000
)

// Defaults of fields that a descriptor leaves out (20 §2.7).
const (
	DefaultScale      = 1
	DefaultFriction   = 0.95
	DefaultElasticity = 0.05
)

// Descriptor is a physics descriptor (20 §2.7). A field that was not sent holds
// its default, 0 where there is none.
type Descriptor struct {
	Flags uint32 // as received; Fresh derives them from the content
	State uint32 // the physics state word (11 §2)

	HasBody        bool   // PhysMovement with something in it
	Body           Body   // then: what the object is doing; its stamps are slots 1 and 5 of Stamps
	BodyAutonomous uint32 // then: not 0 when a client's own input

	Placement   uint32         // resting pose key, without PhysMovement
	Position    space.Position // as sent; Settle it on use
	MotionTable uint32         // data ids
	SoundTable  uint32
	ScriptTable uint32
	Setup       uint32

	Parent         uint32 // guid of the holder
	ParentLocation uint32
	children       []byte

	Scale                  float32
	Friction               float32
	Elasticity             float32
	Translucency           float32
	Velocity               space.Vec3 // metres a second; clamp on use with ClampVelocity
	Acceleration           space.Vec3
	Omega                  space.Vec3 // radians a second
	DefaultScript          uint32
	DefaultScriptIntensity float32

	Stamps Slots
}

// NewDescriptor returns a descriptor of which every field is the default.
func NewDescriptor() Descriptor {
	return Descriptor{Scale: DefaultScale, Friction: DefaultFriction, Elasticity: DefaultElasticity}
}

// Children returns the number of children.
func (p *Descriptor) Children() int { return len(p.children) / 8 }

// Child returns the guid and the location of child i.
func (p *Descriptor) Child(i int) (guid, location uint32) {
	r := reader{b: p.children, i: 8 * i}
	return r.u32("child"), r.u32("location")
}

// AddChild adds a child. It copies the list, which may be a view of a message.
func (p *Descriptor) AddChild(guid, location uint32) {
	w := writer{b: p.children[:len(p.children):len(p.children)]}
	w.u32(guid)
	w.u32(location)
	p.children = w.b
}

// Fresh sets the flags from the content: what equals its default, or is all 0,
// is not sent. Bits of no meaning are cleared.
func (p *Descriptor) Fresh() {
	p.Flags = 0
	set := func(bit uint32, on bool) {
		if on {
			p.Flags |= bit
		}
	}
	if p.HasBody {
		p.Body.Fresh()
	}
	set(PhysMovement, p.HasBody)
	set(PhysPlacement, !p.HasBody && p.Placement != 0)
	set(PhysPosition, p.Position != space.Position{})
	set(PhysMotionTable, p.MotionTable != 0)
	set(PhysSoundTable, p.SoundTable != 0)
	set(PhysScriptTable, p.ScriptTable != 0)
	set(PhysSetup, p.Setup != 0)
	set(PhysParent, p.Parent != 0)
	set(PhysChildren, len(p.children) > 0)
	set(PhysScale, p.Scale != DefaultScale)
	set(PhysFriction, p.Friction != DefaultFriction)
	set(PhysElasticity, p.Elasticity != DefaultElasticity)
	set(PhysTranslucency, p.Translucency != 0)
	set(PhysVelocity, p.Velocity != space.Vec3{})
	set(PhysAcceleration, p.Acceleration != space.Vec3{})
	set(PhysOmega, p.Omega != space.Vec3{})
	set(PhysDefaultScript, p.DefaultScript != 0)
	set(PhysScriptIntensity, p.DefaultScriptIntensity != 0)
}

var stampFields = []field{{"position stamp", 2}, {"movement stamp", 2}, {"state stamp", 2}, {"vector stamp", 2},
	{"teleport stamp", 2}, {"server-control stamp", 2}, {"force-position stamp", 2}, {"appearance stamp", 2},
	{"instance stamp", 2}}

// read expects a zeroed p.
func (p *Descriptor) read(r *reader) {
	f := r.u32("descriptor flags")
	p.Flags = f
	p.State = r.u32("physics state")
	has := func(bit uint32) bool { return f&bit != 0 }
	if has(PhysMovement) {
		p.readBody(r)
	} else if has(PhysPlacement) {
		p.Placement = r.u32("placement")
	}
	if has(PhysPosition) {
		p.Position = r.position()
	}
	if has(PhysMotionTable) {
		p.MotionTable = r.u32("motion table")
	}
	if has(PhysSoundTable) {
		p.SoundTable = r.u32("sound table")
	}
	if has(PhysScriptTable) {
		p.ScriptTable = r.u32("physics script table")
	}
	if has(PhysSetup) {
		p.Setup = r.u32("setup")
	}
	if has(PhysParent) {
		p.Parent = r.guid("parent")
		p.ParentLocation = r.u32("parent location")
	}
	if has(PhysChildren) {
		p.readChildren(r)
	}
	p.Scale, p.Friction, p.Elasticity = DefaultScale, DefaultFriction, DefaultElasticity
	if has(PhysScale) {
		p.Scale = r.f32("scale")
	}
	if has(PhysFriction) {
		p.Friction = r.f32("friction")
	}
	if has(PhysElasticity) {
		p.Elasticity = r.f32("elasticity")
	}
	if has(PhysTranslucency) {
		p.Translucency = r.f32("translucency")
	}
	if has(PhysVelocity) {
		p.Velocity = r.vec3("velocity")
	}
	if has(PhysAcceleration) {
		p.Acceleration = r.vec3("acceleration")
	}
	if has(PhysOmega) {
		p.Omega = r.vec3("omega")
	}
	if has(PhysDefaultScript) {
		p.DefaultScript = r.u32("default script")
	}
	if has(PhysScriptIntensity) {
		p.DefaultScriptIntensity = r.f32("default script intensity")
	}
	b := r.block(18, stampFields)
	for k := range p.Stamps {
		p.Stamps[k] = u16(b, 2*k)
	}
	r.align4()
}

// readBody reads the movement body, which must be exactly as long as the
// message says.
func (p *Descriptor) readBody(r *reader) {
	at := r.i
	n := r.u32("movement length")
	if n == 0 || !r.room(n, 1, "movement length", at) {
		return
	}
	all, end := r.b, r.i+int(n)
	r.b = all[:end]
	p.Body.read(r)
	if r.i != end {
		r.fail(ErrCount, "movement length", at)
	}
	if r.kind == ErrShort { // short of its own length, not of the message
		r.kind, r.field, r.at = ErrCount, "movement length", at
	}
	r.b = all
	p.HasBody = true
	p.BodyAutonomous = r.u32("movement autonomous")
}

func (p *Descriptor) readChildren(r *reader) {
	at := r.i
	n := r.u32("child count")
	if !r.room(n, 8, "child count", at) {
		return
	}
	at = r.i
	p.children = r.bytes(8*int(n), "children")
	for i := range p.Children() {
		if guid, _ := p.Child(i); guid == 0 {
			r.fail(ErrGuid, "child", at+8*i)
		}
	}
}

func (p *Descriptor) write(w *writer) {
	f := p.Flags
	w.u32(f)
	w.u32(p.State)
	p.writeBody(w)
	if f&(PhysMovement|PhysPlacement) == PhysPlacement {
		w.u32(p.Placement)
	} else {
		w.need(p.Placement == 0, "placement")
	}
	if f&PhysPosition != 0 {
		w.position(&p.Position)
	} else {
		w.need(p.Position == space.Position{}, "position")
	}
	word := func(bit, v uint32, field string) {
		if f&bit != 0 {
			w.u32(v)
		} else {
			w.need(v == 0, field)
		}
	}
	word(PhysMotionTable, p.MotionTable, "motion table")
	word(PhysSoundTable, p.SoundTable, "sound table")
	word(PhysScriptTable, p.ScriptTable, "physics script table")
	word(PhysSetup, p.Setup, "setup")
	if f&PhysParent != 0 {
		w.guid(p.Parent, "parent")
		w.u32(p.ParentLocation)
	} else {
		w.need(p.Parent|p.ParentLocation == 0, "parent")
	}
	if f&PhysChildren != 0 {
		w.u32(uint32(p.Children()))
		for i := range p.Children() {
			guid, location := p.Child(i)
			w.guid(guid, "child")
			w.u32(location)
		}
	} else {
		w.need(p.Children() == 0, "children")
	}
	float := func(bit uint32, v, absent float32, field string) {
		if f&bit != 0 {
			w.f32(v, field)
		} else {
			w.need(v == absent, field)
		}
	}
	vector := func(bit uint32, v space.Vec3, field string) {
		if f&bit != 0 {
			w.vec3(v, field)
		} else {
			w.need(v == space.Vec3{}, field)
		}
	}
	float(PhysScale, p.Scale, DefaultScale, "scale")
	float(PhysFriction, p.Friction, DefaultFriction, "friction")
	float(PhysElasticity, p.Elasticity, DefaultElasticity, "elasticity")
	float(PhysTranslucency, p.Translucency, 0, "translucency")
	vector(PhysVelocity, p.Velocity, "velocity")
	vector(PhysAcceleration, p.Acceleration, "acceleration")
	vector(PhysOmega, p.Omega, "omega")
	word(PhysDefaultScript, p.DefaultScript, "default script")
	float(PhysScriptIntensity, p.DefaultScriptIntensity, 0, "default script intensity")
	for _, s := range p.Stamps {
		w.u16(s)
	}
	w.align4()
}

func (p *Descriptor) writeBody(w *writer) {
	w.need(p.Flags&PhysMovement != 0 || !p.HasBody, "movement")
	w.need(p.HasBody || p.Body == Body{} && p.BodyAutonomous == 0, "movement")
	if p.Flags&PhysMovement == 0 {
		return
	}
	at := len(w.b)
	w.u32(0)
	if !p.HasBody {
		return
	}
	p.Body.write(w)
	n := writer{b: w.b[at:at]}
	n.u32(uint32(len(w.b) - at - 4))
	w.u32(p.BodyAutonomous)
}
