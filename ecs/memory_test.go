package ecs

import "testing"

// The parts are all of the columns, each once.
func TestMemoryIsOfAllColumns(t *testing.T) {
	w := NewWorld(1000)
	spawn(t, w, 1, 0)
	apply(w)
	columns, seen, all := uintptr(0), map[string]bool{}, uintptr(0)
	for _, m := range w.Memory() {
		if seen[m.Part] {
			t.Errorf("%s is there twice", m.Part)
		}
		seen[m.Part] = true
		all += m.Bytes
		switch m.Part {
		case "entities", "index", "guids and order", "pools":
		default:
			columns += m.Bytes
		}
	}
	if columns%RowBytes != 0 || columns/RowBytes < 1000 {
		t.Errorf("columns take %d bytes, %d a row", columns, RowBytes)
	}
	if all != w.Bytes() {
		t.Errorf("%d bytes in parts, %d in all", all, w.Bytes())
	}
}
