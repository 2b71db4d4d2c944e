package components

// Cold is what a tick does not look at and an event does: it lies together, so
// that an event for a remote whose memory is cold fetches few lines from one
// page instead of a line each from many. What a movement event reads comes first.
type Cold struct {
	Identity    Identity
	Stamps      Stamps
	Traits      Traits
	Interpreter Interpreter
	Interpreted Interpreted
	MotionState MotionState
	Raw         Box[Raw]
	Anchors     Anchors
	Errand      Errands
}
