package components

// Stamps are the nine sequence numbers of an object (spec 11 §11, 20 §5).
type Stamps struct {
	Slot [9]uint16 // in the order of the descriptor (20 §2.7); package wire names them
	// Unseen has bit k set while slot k has held no stamp yet, as for an object
	// that was not created by a message: its first stamp is newer, whatever it is.
	Unseen uint16
}

// Meet readies slot k for a stamp that comes: one that was never seen is newer.
func (s *Stamps) Meet(k int, stamp uint16) {
	if s.Unseen>>k&1 != 0 {
		s.Unseen &^= 1 << k
		s.Slot[k] = stamp - 1
	}
}

// Accept is [Stamps.Meet] for a stamp whose first sight is no news: the slot
// counts as having held it already.
func (s *Stamps) Accept(k int, stamp uint16) {
	if s.Unseen>>k&1 != 0 {
		s.Unseen &^= 1 << k
		s.Slot[k] = stamp
	}
}
