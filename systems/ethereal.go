package systems

import "github.com/gait-engine/gait/components"

// setEthereal has others pass through m, or no more: that waits until nobody
// stands in it, and is tried again with every step (11 §2 set_ethereal).
func (m *mover) setEthereal(on bool) {
	r := m.row()
	b := r.Body
	b.Transient &^= components.CheckEthereal
	if on {
		b.State |= components.Ethereal
		return
	}
	b.State &^= components.Ethereal
	w := m.w
	if w.e.land != nil && r.Identity.Parent == 0 && m.inWorld() && w.sweeper.Overlaps(m.on, &w.body) {
		b.State |= components.Ethereal
		b.Transient |= components.CheckEthereal
	}
}
