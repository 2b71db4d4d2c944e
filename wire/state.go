package wire

// MaxActions is the number of actions that the five count bits can say.
const MaxActions = 31

// Action is one action of a state, 8 bytes (20 §2.1).
type Action struct {
	Index  uint16 // command index
	Packed uint16 // stamp and autonomous bit
	Speed  float32
}

// NewAction packs an action: index of the command, its 15-bit stamp, whether
// it is autonomous, its speed.
func NewAction(index, stamp uint16, autonomous bool, speed float32) Action {
	a := Action{Index: index, Packed: stamp & 0x7FFF, Speed: speed}
	if autonomous {
		a.Packed |= 0x8000
	}
	return a
}

// Stamp returns the 15-bit action stamp.
func (a Action) Stamp() uint16 { return a.Packed & 0x7FFF }

// Autonomous reports whether the action came from the object's own client.
func (a Action) Autonomous() bool { return a.Packed&0x8000 != 0 }

// Command returns the action's id; ok is false when the index names none and
// the action is to be dropped (20 §7).
func (a Action) Command() (id uint32, ok bool) {
	id = Command(a.Index)
	return id, id != CommandInvalid
}

func (r *reader) action() Action {
	return Action{Index: r.u16("command index"), Packed: r.u16("action stamp"), Speed: r.f32("action speed")}
}

func (w *writer) actions(a []Action) {
	for i := range a {
		w.u16(a[i].Index)
		w.u16(a[i].Packed)
		w.f32(a[i].Speed, "action speed")
	}
}

// The flag bits of a [State] (20 §2.1).
const (
	StateStyle         = 0x01
	StateForward       = 0x02
	StateForwardSpeed  = 0x04
	StateSidestep      = 0x08
	StateSidestepSpeed = 0x10
	StateTurn          = 0x20
	StateTurnSpeed     = 0x40

	stateCountShift = 7
	stateCountBits  = MaxActions << stateCountShift
)

// State is an interpreted state (20 §2.1): what the mover does, as command
// indices. A field that was not sent holds its default; all of it replaces
// what the mover did before, nothing is "left unchanged".
type State struct {
	Flags         uint32 // as received; Fresh derives them from the content
	Style         uint16
	Forward       uint16
	Sidestep      uint16
	Turn          uint16
	ForwardSpeed  float32 // clamp on use with ClampSpeed, as the other two
	SidestepSpeed float32
	TurnSpeed     float32
	Count         uint8 // of Actions
	Actions       [MaxActions]Action
}

const (
	defaultStyle   = uint16(CommandNonCombat & 0xFFFF)
	defaultForward = uint16(CommandReady & 0xFFFF)
)

// NewState returns the state of which every field is the default: standing,
// non-combat.
func NewState() State {
	return State{Style: defaultStyle, Forward: defaultForward, ForwardSpeed: 1, SidestepSpeed: 1, TurnSpeed: 1}
}

// StyleID returns the style's id, non-combat when the index names none (R1.5, 20 §7).
func (s *State) StyleID() uint32 {
	if id := Command(s.Style); id != CommandInvalid {
		return id
	}
	return CommandNonCombat
}

// ForwardID returns the forward command's id, ready when the index names none (20 §7).
func (s *State) ForwardID() uint32 {
	if id := Command(s.Forward); id != CommandInvalid {
		return id
	}
	return CommandReady
}

// SidestepID returns the sidestep command's id, 0 for none (20 §7).
func (s *State) SidestepID() uint32 { return axisID(s.Sidestep) }

// TurnID returns the turn command's id, 0 for none (20 §7).
func (s *State) TurnID() uint32 { return axisID(s.Turn) }

func axisID(index uint16) uint32 {
	if id := Command(index); id != CommandInvalid {
		return id
	}
	return 0
}

// List returns the actions, a view.
func (s *State) List() []Action { return s.Actions[:min(s.Count, MaxActions)] }

// Fresh sets the flags by the client's rule: what equals its default is not
// sent (20 §6).
func (s *State) Fresh() {
	f := uint32(min(s.Count, MaxActions)) << stateCountShift
	set := func(bit uint32, on bool) {
		if on {
			f |= bit
		}
	}
	set(StateStyle, s.Style != defaultStyle)
	set(StateForward, s.Forward != defaultForward)
	set(StateSidestep, s.Sidestep != 0)
	set(StateTurn, s.Turn != 0)
	set(StateForwardSpeed, s.ForwardSpeed != 1)
	set(StateSidestepSpeed, s.SidestepSpeed != 1)
	set(StateTurnSpeed, s.TurnSpeed != 1)
	s.Flags = f
}

func (s *State) read(r *reader) {
	f := r.u32("state flags")
	s.Flags = f
	s.Style, s.Forward = defaultStyle, defaultForward
	s.ForwardSpeed, s.SidestepSpeed, s.TurnSpeed = 1, 1, 1
	if f&StateStyle != 0 {
		s.Style = r.u16("style")
	}
	if f&StateForward != 0 {
		s.Forward = r.u16("forward")
	}
	if f&StateSidestep != 0 {
		s.Sidestep = r.u16("sidestep")
	}
	if f&StateTurn != 0 {
		s.Turn = r.u16("turn")
	}
	if f&StateForwardSpeed != 0 {
		s.ForwardSpeed = r.f32("forward speed")
	}
	if f&StateSidestepSpeed != 0 {
		s.SidestepSpeed = r.f32("sidestep speed")
	}
	if f&StateTurnSpeed != 0 {
		s.TurnSpeed = r.f32("turn speed")
	}
	if n := f >> stateCountShift & MaxActions; n != 0 && r.room(n, 8, "action count", r.i) {
		s.Count = uint8(n)
		for i := range s.Actions[:n] {
			s.Actions[i] = r.action()
		}
	}
	r.align4()
}

func (s *State) write(w *writer) {
	f := s.Flags
	if s.Count > MaxActions {
		w.fail(ErrCount, "action count")
	}
	w.need(f&stateCountBits>>stateCountShift == uint32(s.Count), "action count")
	w.u32(f)
	if w.kind != 0 {
		return
	}
	index := func(bit uint32, v, absent uint16, field string) {
		if f&bit != 0 {
			w.u16(v)
		} else {
			w.need(v == absent, field)
		}
	}
	index(StateStyle, s.Style, defaultStyle, "style")
	index(StateForward, s.Forward, defaultForward, "forward")
	index(StateSidestep, s.Sidestep, 0, "sidestep")
	index(StateTurn, s.Turn, 0, "turn")
	w.speed(f&StateForwardSpeed != 0, s.ForwardSpeed, "forward speed")
	w.speed(f&StateSidestepSpeed != 0, s.SidestepSpeed, "sidestep speed")
	w.speed(f&StateTurnSpeed != 0, s.TurnSpeed, "turn speed")
	w.actions(s.List())
	w.align4()
}

// speed writes a speed that is sent, and refuses one that is not and is not 1.
func (w *writer) speed(sent bool, v float32, field string) {
	if sent {
		w.f32(v, field)
	} else {
		w.need(v == 1, field)
	}
}

// empty reports whether s holds nothing at all, as in a body of another type.
func (s *State) empty() bool {
	return s.Flags == 0 && s.Style|s.Forward|s.Sidestep|s.Turn == 0 &&
		s.ForwardSpeed == 0 && s.SidestepSpeed == 0 && s.TurnSpeed == 0 && s.Count == 0
}
