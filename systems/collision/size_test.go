package collision

import (
	"testing"
	"unsafe"
)

// What every step reads of its own is one line of memory, and so is what one that
// looks reads of another and of the ground.
func TestLines(t *testing.T) {
	if n := unsafe.Sizeof(shadow{}); n != 64 {
		t.Errorf("a shadow takes %d bytes", n)
	}
	if n := unsafe.Sizeof(Obstacle{}); n != 64 {
		t.Errorf("an obstacle takes %d bytes", n)
	}
	if n := unsafe.Sizeof(plot{}); n != 64 {
		t.Errorf("a plot takes %d bytes", n)
	}
}
