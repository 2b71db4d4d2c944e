package wire

// The flag bits of a [Raw] (20 §3).
const (
	RawHoldKey       = 0x001
	RawStyle         = 0x002
	RawForward       = 0x004
	RawForwardHold   = 0x008
	RawForwardSpeed  = 0x010
	RawSidestep      = 0x020
	RawSidestepHold  = 0x040
	RawSidestepSpeed = 0x080
	RawTurn          = 0x100
	RawTurnHold      = 0x200
	RawTurnSpeed     = 0x400

	rawCountShift = 11
	rawCountBits  = MaxActions << rawCountShift
)

// Raw is a raw state (20 §3): which keys a client holds, as full command ids.
// A field that was not sent holds its default.
type Raw struct {
	Flags         uint32 // as received; Fresh derives them from the content
	HoldKey       uint32 // 0 invalid, 1 none, 2 run; pass all four through HoldKey on use
	Style         uint32
	Forward       uint32
	ForwardHold   uint32
	ForwardSpeed  float32 // clamp on use with ClampSpeed, as the other two
	Sidestep      uint32
	SidestepHold  uint32
	SidestepSpeed float32
	Turn          uint32
	TurnHold      uint32
	TurnSpeed     float32
	Count         uint8 // of Actions
	Actions       [MaxActions]Action
}

// NewRaw returns the raw state of which every field is the default.
func NewRaw() Raw {
	return Raw{Style: CommandNonCombat, Forward: CommandReady, ForwardSpeed: 1, SidestepSpeed: 1, TurnSpeed: 1}
}

// List returns the actions, a view.
func (s *Raw) List() []Action { return s.Actions[:min(s.Count, MaxActions)] }

// Fresh sets the flags by the client's rule: what equals its default is not
// sent (20 §3, §6).
func (s *Raw) Fresh() {
	f := uint32(min(s.Count, MaxActions)) << rawCountShift
	set := func(bit uint32, on bool) {
		if on {
			f |= bit
		}
	}
	set(RawHoldKey, s.HoldKey != 0)
	set(RawStyle, s.Style != CommandNonCombat)
	set(RawForward, s.Forward != CommandReady)
	set(RawForwardHold, s.ForwardHold != 0)
	set(RawForwardSpeed, s.ForwardSpeed != 1)
	set(RawSidestep, s.Sidestep != 0)
	set(RawSidestepHold, s.SidestepHold != 0)
	set(RawSidestepSpeed, s.SidestepSpeed != 1)
	set(RawTurn, s.Turn != 0)
	set(RawTurnHold, s.TurnHold != 0)
	set(RawTurnSpeed, s.TurnSpeed != 1)
	s.Flags = f
}

func (s *Raw) read(r *reader) {
	f := r.u32("raw flags")
	*s = NewRaw()
	s.Flags = f
	if f&RawHoldKey != 0 {
		s.HoldKey = r.u32("hold key")
	}
	if f&RawStyle != 0 {
		s.Style = r.u32("style")
	}
	if f&RawForward != 0 {
		s.Forward = r.u32("forward")
	}
	if f&RawForwardHold != 0 {
		s.ForwardHold = r.u32("forward hold key")
	}
	if f&RawForwardSpeed != 0 {
		s.ForwardSpeed = r.f32("forward speed")
	}
	if f&RawSidestep != 0 {
		s.Sidestep = r.u32("sidestep")
	}
	if f&RawSidestepHold != 0 {
		s.SidestepHold = r.u32("sidestep hold key")
	}
	if f&RawSidestepSpeed != 0 {
		s.SidestepSpeed = r.f32("sidestep speed")
	}
	if f&RawTurn != 0 {
		s.Turn = r.u32("turn")
	}
	if f&RawTurnHold != 0 {
		s.TurnHold = r.u32("turn hold key")
	}
	if f&RawTurnSpeed != 0 {
		s.TurnSpeed = r.f32("turn speed")
	}
	if n := f >> rawCountShift & MaxActions; n != 0 && r.room(n, 8, "action count", r.i) {
		s.Count = uint8(n)
		for i := range s.Actions[:n] {
			s.Actions[i] = r.action()
		}
	}
}

func (s *Raw) write(w *writer) {
	f := s.Flags
	if s.Count > MaxActions {
		w.fail(ErrCount, "action count")
	}
	w.need(f&rawCountBits>>rawCountShift == uint32(s.Count), "action count")
	w.u32(f)
	word := func(bit, v, absent uint32, field string) {
		if f&bit != 0 {
			w.u32(v)
		} else {
			w.need(v == absent, field)
		}
	}
	word(RawHoldKey, s.HoldKey, 0, "hold key")
	word(RawStyle, s.Style, CommandNonCombat, "style")
	word(RawForward, s.Forward, CommandReady, "forward")
	word(RawForwardHold, s.ForwardHold, 0, "forward hold key")
	w.speed(f&RawForwardSpeed != 0, s.ForwardSpeed, "forward speed")
	word(RawSidestep, s.Sidestep, 0, "sidestep")
	word(RawSidestepHold, s.SidestepHold, 0, "sidestep hold key")
	w.speed(f&RawSidestepSpeed != 0, s.SidestepSpeed, "sidestep speed")
	word(RawTurn, s.Turn, 0, "turn")
	word(RawTurnHold, s.TurnHold, 0, "turn hold key")
	w.speed(f&RawTurnSpeed != 0, s.TurnSpeed, "turn speed")
	w.actions(s.List())
}
