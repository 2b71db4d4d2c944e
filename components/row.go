package components

// Row is one remote: a pointer to each of its components. It is good until
// rows move, which spawns and removals do between ticks.
type Row struct {
	Identity    *Identity
	Traits      *Traits
	Pose        *Pose
	Anchors     *Anchors
	Body        *Body
	Sequence    *Sequence
	MotionState *MotionState
	Interpreted *Interpreted
	Raw         *Box[Raw]
	Interpreter *Interpreter
	Pending     *Pending
	Chase       *Chase
	Leash       *Leash
	Stamps      *Stamps
	Rest        *Rest
	Errand      *Errands
	Touch       *Touch
}
