package components

// Values is one remote by value: what a spawn carries until it gets its row.
type Values struct {
	Identity    Identity
	Traits      Traits
	Pose        Pose
	Anchors     Anchors
	Body        Body
	Sequence    Sequence
	MotionState MotionState
	Interpreted Interpreted
	Raw         Raw
	Interpreter Interpreter
	Pending     Pending
	Chase       Chase
	Leash       Leash
	Stamps      Stamps
	Rest        Rest
	Errand      Errand
}

// Row returns pointers to the fields of v.
func (v *Values) Row() Row {
	return Row{
		Identity: &v.Identity, Traits: &v.Traits, Pose: &v.Pose, Anchors: &v.Anchors, Body: &v.Body,
		Sequence: &v.Sequence, MotionState: &v.MotionState, Interpreted: &v.Interpreted, Raw: &v.Raw,
		Interpreter: &v.Interpreter, Pending: &v.Pending, Chase: &v.Chase, Leash: &v.Leash,
		Stamps: &v.Stamps, Rest: &v.Rest, Errand: &v.Errand,
	}
}

// Release gives back what the lists of r hold in the pools.
func (r *Row) Release(p *Pools) {
	r.Sequence.Nodes.Clear(&p.Nodes)
	r.MotionState.Modifiers.Clear(&p.Speeded)
	r.MotionState.Actions.Clear(&p.Speeded)
	r.Interpreted.Actions.Clear(&p.Actions)
	r.Raw.Actions.Clear(&p.Actions)
	r.Pending.Anims.Clear(&p.PendingAnims)
	r.Pending.Motions.Clear(&p.PendingMotions)
	r.Chase.Queue.Clear(&p.Chase)
	if m := r.Errand.MoveTo.Get(&p.MoveTos); m != nil {
		m.Nodes.Clear(&p.MoveToNodes)
	}
	r.Errand.MoveTo.Free(&p.MoveTos)
	r.Errand.Sticky.Free(&p.Stickies)
	r.Errand.Target.Free(&p.Targets)
	r.Errand.Stood.Free(&p.Stoods)
	r.Errand.Voyeurs.Clear(&p.Voyeurs)
}
