package transport

import "testing"

// The check values of 22 §4.2.
func TestKeyStreamBegins(t *testing.T) {
	want := []uint32{0x5DA22D96, 0xDB3BA3B6, 0x9FD967F9, 0x07487047, 0x0A8E4664, 0x74803C1F, 0xEEFDEC2C, 0xA4E4FB92}
	k := NewKeyStream(0xDEADBEEF)
	for i, w := range want {
		if got, ok := k.Key(uint64(i)); got != w || !ok {
			t.Errorf("draw %d is %08X, want %08X", i, got, w)
		}
	}
	if got, _ := NewKeyStream(0x99E77855).Key(0); got != 0xAD497DF3 {
		t.Errorf("the other seed begins with %08X", got)
	}
}

// A key can be had again for as long as its history reaches, in any order.
func TestKeyHistory(t *testing.T) {
	k, again := NewKeyStream(7), NewKeyStream(7)
	const n = 3 * KeyHistory
	keys := make([]uint32, n)
	for i := range keys {
		keys[i], _ = k.Key(uint64(i))
		if back := i - KeyHistory; back >= 0 {
			if got, ok := k.Key(uint64(back)); !ok || got != keys[back] {
				t.Fatalf("draw %d after %d: %08X, %v", back, i, got, ok)
			}
		}
	}
	if got, ok := again.Key(n - 1); !ok || got != keys[n-1] {
		t.Errorf("drawn at once, %d is %08X", n-1, got)
	}
	if _, ok := again.Key(0); ok {
		t.Error("the first key is still known")
	}
}
