package capture

import (
	"bytes"
	"testing"
)

// 256 trains may be open (22 §9.3): a piece of one of them opens no other, and loses none.
func TestSpec22_9_3_LastPieceOfTheOldestTrain(t *testing.T) {
	var all trains
	var c Counts
	name := func(i int) train { return train{id: uint16(i)} }
	for i := range maxTrains {
		all.add(name(i), 0, true, bytes.Repeat([]byte{1}, 64), 0, &c)
	}
	if w := all.add(name(0), 64, false, make([]byte, 8), 1, &c); w == nil || c.Lost != 0 {
		t.Errorf("%d bytes, %+v", len(w), c)
	}
}
