package record

import (
	"bytes"
	"io"
	"testing"
)

// FuzzFrame reads anything as the frames of a log: it ends, with no more room taken
// than the bytes can expand to, and what it takes for a frame can be written again.
func FuzzFrame(f *testing.F) {
	var c coder
	f.Add(bytes.Clone(c.frame(&entry{commit: 3, tick: 9, tape: []byte("tape")})))
	f.Add(bytes.Clone(c.frame(&entry{commit: 3, tick: 9, parts: 64, hash: 5, tape: bytes.Repeat([]byte("tape"), 100)})))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bytes.NewReader(b)
		for {
			x, size, err := c.next(r)
			if err != nil {
				if err == io.EOF && r.Len() > 0 {
					t.Error("it ends before its end")
				}
				return
			}
			if size < frameHead || x.tape == nil {
				t.Errorf("%d bytes", size)
			}
			var again coder
			y, _, err := again.next(bytes.NewReader((&coder{}).frame(&x)))
			if err != nil || y.commit != x.commit || y.tick != x.tick || y.parts != x.parts || y.hash != x.hash || !bytes.Equal(y.tape, x.tape) {
				t.Errorf("%+v becomes %+v: %v", x, y, err)
			}
		}
	})
}
