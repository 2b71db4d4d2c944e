package position

import "github.com/gait-engine/gait/components"

// SetState replaces the whole state word and does to the body what the changed
// bits entail (spec 11 §2 set_state, set_hidden). It returns which of
// LIGHTING_ON, NODRAW and HIDDEN changed: on HIDDEN the caller removes the
// sequence's link animations, and tells children and cell where there are any.
func SetState(b *components.Body, state components.StateBits) (changed components.StateBits) {
	changed = (b.State ^ state) & sideEffectBits
	b.State = state
	if changed&components.Hidden != 0 {
		// what is hidden takes part in no collision; what is shown again reports them
		b.State &^= collidingStateBits
		if state&components.Hidden != 0 {
			b.State |= components.IgnoreCollisions
		} else {
			b.State |= components.ReportCollisions
		}
	}
	return changed
}
