package systems

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// A snapshot may come from anywhere: one with every checksum in order can still say
// anything. What is then restored is an engine whose ticks go on, whatever they do.

// The places of things in a snapshot's bytes.
const (
	headerBytes = 84
	blockHead   = 24
	blockMost   = 1 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// reseal gives a header the checksum that it should have.
func reseal(b []byte) []byte {
	binary.LittleEndian.PutUint32(b[headerBytes-4:], crc32.Checksum(b[:headerBytes-4], castagnoli))
	return b
}

// part is a section of a snapshot, unpacked.
type part struct {
	section byte
	raw     []byte
}

// unpacked takes a snapshot apart, the header aside.
func unpacked(t testing.TB, b []byte) (parts []part) {
	t.Helper()
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for b = b[headerBytes:]; b[0] != 0xFF; {
		stored := b[blockHead:][:binary.LittleEndian.Uint32(b[12:])]
		if b[1] != 0 {
			if stored, err = d.DecodeAll(stored, nil); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(parts); n > 0 && parts[n-1].section == b[0] {
			parts[n-1].raw = append(parts[n-1].raw, stored...)
		} else {
			parts = append(parts, part{b[0], bytes.Clone(stored)})
		}
		b = b[blockHead+binary.LittleEndian.Uint32(b[12:]):]
	}
	return parts
}

// packed puts a snapshot together, with every checksum in order.
func packed(header []byte, parts []part) []byte {
	b := reseal(bytes.Clone(header[:headerBytes]))
	number := uint32(0)
	block := func(section byte, raw []byte) {
		at := len(b)
		b = append(b, section, 0, 0, 0)
		b = binary.LittleEndian.AppendUint32(b, number)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(raw)))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(raw)))
		b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(raw, castagnoli))
		b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[at:], castagnoli))
		b = append(b, raw...)
		number++
	}
	for _, p := range parts {
		for raw := p.raw; len(raw) > 0; {
			n := min(len(raw), blockMost)
			block(p.section, raw[:n])
			raw = raw[n:]
		}
	}
	block(0xFF, nil)
	return b
}

// forgery is a scene's snapshot, taken apart, and the options that it is restored under.
type forgery struct {
	o      Options
	header []byte
	parts  []part
}

func forgeries(t testing.TB) (all []forgery) {
	t.Helper()
	for _, land := range []string{"none", "flat"} {
		r := scene(t, sceneOptions(t, land))
		onward(t, r.e, 31)
		grow(r.e)
		stir(t, r.e)
		b := snapshotOf(t, r.e)
		all = append(all, forgery{r.e.options, b[:headerBytes], unpacked(t, b)})
	}
	return all
}

// survives restores a forged snapshot and, where that is not refused, has it tick.
func (f *forgery) survives(t testing.TB, parts []part) (restored bool) {
	t.Helper()
	began := time.Now()
	e, err := restore(f.o, bytes.NewReader(packed(f.header, parts)), true)
	if err == nil {
		for range 25 {
			stir(t, e)
			e.Tick()
			e.Hash()
			if _, err := e.CreateMessage(nil, me+5); err != nil && e.Len() == 0 {
				t.Fatal(err)
			}
		}
		snapshotOf(t, e)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Fatalf("it took %v", took)
	}
	return err == nil
}

// What was packed again as it was is what it was.
func TestForgeryPacks(t *testing.T) {
	for _, f := range forgeries(t) {
		if !f.survives(t, f.parts) {
			t.Fatal("refused")
		}
	}
}

// TestForgedSnapshot changes a few words at a time, to what is likely to hurt.
func TestForgedSnapshot(t *testing.T) {
	tries := 2500
	if testing.Short() {
		tries = 150
	}
	draw := rand.New(rand.NewPCG(1, 2))
	all := forgeries(t)
	restored := 0
	for range tries {
		f := &all[draw.IntN(len(all))]
		parts := make([]part, len(f.parts))
		for i, p := range f.parts {
			parts[i] = part{p.section, bytes.Clone(p.raw)}
		}
		for range 1 + draw.IntN(3) {
			raw := parts[draw.IntN(len(parts))].raw
			if len(raw) < 8 {
				continue
			}
			hurt(raw, draw.IntN(len(raw)-7), draw.Uint32())
		}
		if f.survives(t, parts) {
			restored++
		}
	}
	if restored == 0 || restored == tries {
		t.Errorf("%d of %d were restored", restored, tries)
	}
	t.Logf("%d of %d were restored", restored, tries)
}

// hurt changes up to four bytes at a place.
func hurt(raw []byte, at int, how uint32) {
	v := raw[at:]
	old := binary.LittleEndian.Uint32(v)
	switch how % 10 {
	case 0:
		v[0] ^= 1 << (how >> 8 % 8)
	case 1:
		binary.LittleEndian.PutUint32(v, old+1)
	case 2:
		binary.LittleEndian.PutUint32(v, old-1)
	case 3:
		binary.LittleEndian.PutUint32(v, 0)
	case 4:
		binary.LittleEndian.PutUint32(v, 0xFFFFFFFF)
	case 5:
		binary.LittleEndian.PutUint32(v, 0x7F7FFFFF) // the largest float
	case 6:
		binary.LittleEndian.PutUint32(v, 0x7F800000) // infinite
	case 7:
		binary.LittleEndian.PutUint32(v, how)
	case 8:
		binary.LittleEndian.PutUint32(v, how%64)
	case 9:
		binary.LittleEndian.PutUint32(v, 0x50000001+how>>8%44) // somebody
	}
}

// FuzzForgedSnapshot lets the fuzzer choose what is changed, six bytes a change.
func FuzzForgedSnapshot(f *testing.F) {
	all := forgeries(f)
	f.Add(uint8(0), []byte{1, 0, 0, 4, 0, 0})
	f.Add(uint8(1), []byte{6, 9, 0, 3, 0, 0, 2, 200, 1, 5, 0, 0})
	f.Fuzz(func(t *testing.T, which uint8, changes []byte) {
		x := &all[int(which)%len(all)]
		parts := make([]part, len(x.parts))
		for i, p := range x.parts {
			parts[i] = part{p.section, bytes.Clone(p.raw)}
		}
		for ; len(changes) >= 6; changes = changes[6:] {
			raw := parts[int(changes[0])%len(parts)].raw
			if len(raw) >= 8 {
				at := int(binary.LittleEndian.Uint16(changes[1:])) * 7
				hurt(raw, at%(len(raw)-7), uint32(changes[3])|uint32(changes[4])<<8|uint32(changes[5])<<16)
			}
		}
		x.survives(t, parts)
	})
}
