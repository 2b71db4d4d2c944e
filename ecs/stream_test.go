package ecs

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

// streamed is how many numbers there are in the second section.
const streamed = blockBytes / 2

// written is a stream with some of everything, in two sections.
func written(t testing.TB, compressed bool) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, Header{Rows: 3, Layout: 7, Settings: 8, Tables: [32]byte{9}, Tick: 10, Hash: 11}, compressed)
	w.Section(4)
	w.U32(1)
	w.U64(2)
	w.F64(-0.25)
	w.Bool(true)
	w.String([]byte("string"))
	w.Section(9) // of several blocks
	for i := range uint32(streamed) {
		w.U32(i % 5000 * 7)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := int64(b.Len()); compressed == (n == w.Bytes()) {
		t.Errorf("%d bytes, %d without compression", n, w.Bytes())
	}
	return b.Bytes()
}

// readAll reads it.
func readAll(from io.Reader) error {
	r, err := NewReader(from, 7)
	if err != nil {
		return err
	}
	if r.Header != (Header{3, 7, 8, [32]byte{9}, 10, 11}) {
		return errors.New("another header")
	}
	r.Section(4)
	a, b, d, e, f := r.U32(), r.U64(), r.F64(), r.Bool(), string(r.String(6))
	if r.Err() == nil && (a != 1 || b != 2 || d != -0.25 || !e || f != "string") {
		return errors.New("other values")
	}
	r.Section(9)
	for i := uint32(0); i < streamed && r.Err() == nil; i++ {
		if r.U32() != i%5000*7 && r.Err() == nil {
			return errors.New("other rows")
		}
	}
	return r.Close()
}

func TestStreamComesBack(t *testing.T) {
	for _, compressed := range []bool{false, true} {
		b := written(t, compressed)
		if err := readAll(bytes.NewReader(b)); err != nil {
			t.Error(err)
		}
		if err := readAll(iotest.OneByteReader(bytes.NewReader(b))); err != nil {
			t.Error(err)
		}
	}
}

// A byte that is flipped in something large is found, and so is what is missing.
func TestStreamIsChecked(t *testing.T) {
	b := written(t, true)
	draw := rand.New(rand.NewPCG(5, 6))
	tries := 300
	if testing.Short() {
		tries = 20
	}
	for range tries {
		at, flip := draw.IntN(len(b)), byte(1+draw.IntN(255))
		b[at] ^= flip
		if err := readAll(bytes.NewReader(b)); !errors.Is(err, ErrDamaged) {
			t.Fatalf("byte %d ^%02x: %v", at, flip, err)
		}
		b[at] ^= flip
		if n := draw.IntN(len(b)); !errors.Is(readAll(bytes.NewReader(b[:n])), ErrCutShort) {
			t.Fatalf("%d bytes", n)
		}
	}
	no := errors.New("no")
	if err := readAll(io.MultiReader(bytes.NewReader(b[:5000]), iotest.ErrReader(no))); !errors.Is(err, no) || errors.Is(err, ErrCutShort) {
		t.Errorf("a reader that fails: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Who reads less, or more, than there is has read something else.
func TestStreamIsReadToTheEnd(t *testing.T) {
	b := written(t, true)
	for name, read := range map[string]func(r *Reader){
		"less":    func(r *Reader) { r.U32() },
		"more":    func(r *Reader) { r.Raw(10_000) },
		"longer":  func(r *Reader) { r.Raw(4 + 8 + 8 + 1); r.String(5) },
		"nothing": func(r *Reader) {},
		"truth":   func(r *Reader) { r.Raw(4); r.Raw(8); r.Raw(7); r.Bool() },
		"section": func(r *Reader) { r.Section(5); r.U32() },
	} {
		r, err := NewReader(bytes.NewReader(b), 7)
		if err != nil {
			t.Fatal(err)
		}
		r.Section(4)
		read(r)
		if err := r.Close(); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		if r.U32() != 0 || r.Raw(1) != nil || !errors.Is(r.Err(), ErrDamaged) {
			t.Errorf("%s: reads on", name)
		}
	}
}

// The first error of writing is told at the end.
func TestWriteError(t *testing.T) {
	no := errors.New("no")
	w := NewWriter(failing{no}, Header{}, true)
	w.Section(1)
	w.U32(3)
	if err := w.Close(); !errors.Is(err, no) {
		t.Error(err)
	}
}
