package components

// Values is one remote by value: what a spawn carries until it gets its row.
type Values struct {
	Cold
	Pose     Pose
	Body     Body
	Sequence Sequence
	Pending  Pending
	Chase    Chase
	Leash    Leash
	Rest     Rest
	Touch    Touch
}

// Row returns pointers to the components of v.
func (v *Values) Row() Row {
	r := Row{
		Pose: &v.Pose, Body: &v.Body, Sequence: &v.Sequence, Pending: &v.Pending,
		Chase: &v.Chase, Leash: &v.Leash, Rest: &v.Rest, Touch: &v.Touch,
	}
	r.SetCold(&v.Cold)
	return r
}

// SetCold points r at the parts of c.
func (r *Row) SetCold(c *Cold) {
	r.Identity, r.Stamps, r.Traits = &c.Identity, &c.Stamps, &c.Traits
	r.Interpreter, r.Interpreted, r.MotionState, r.Raw = &c.Interpreter, &c.Interpreted, &c.MotionState, &c.Raw
	r.Anchors, r.Errand = &c.Anchors, &c.Errand
}

// Release gives back what the lists of r hold in the pools.
func (r *Row) Release(p *Pools) {
	r.Sequence.Nodes.Clear(&p.Nodes)
	r.MotionState.Modifiers.Clear(&p.Speeded)
	r.MotionState.Actions.Clear(&p.Speeded)
	r.Interpreted.Actions.Clear(&p.Actions)
	if s := r.Raw.Get(&p.Raws); s != nil {
		s.Actions.Clear(&p.Actions)
	}
	r.Raw.Free(&p.Raws)
	r.Pending.Anims.Clear(&p.PendingAnims)
	r.Pending.Motions.Clear(&p.PendingMotions)
	r.Chase.Queue.Clear(&p.Chase)
	r.Anchors.BlipTo.Free(&p.Places)
	r.Anchors.Leash.Free(&p.Places)
	r.Errand.Release(p)
	if m := r.Touch.Met.Get(&p.Mets); m != nil {
		m.Records.Clear(&p.Encounters)
	}
	r.Touch.Met.Free(&p.Mets)
}
