package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/s2"

	"github.com/gait-engine/gait/systems"
)

// A log file is a head, then frames, one a commit:
//
//	head    magic 8, layout 8, settings 8, tables 32, first commit 8, CRC 4
//	frame   commit 8, bytes 4, stored 4, CRC of stored 4, CRC of these 4, stored
//	bytes   tick 8, parts 4, hash 8, tape
//
// The hash is that of one of so many parts of the state: the commit's number modulo
// these says of which. There is none where they are 0.
//
// What is stored is compressed where that makes it less: each commit by itself, lest
// one have to wait for the next, and with S2. The fastest level of zstd, in which snapshots
// are, makes a fifth less of it, and alone takes 15 hundredths of a tick of 2,000 remotes
// (load mixed), 6 of 100,000 and 26 where each is sent two messages a tick; S2 takes 2, 1 and 5.

var (
	// ErrDamaged refuses a log, or a folder, that holds what was not written like this.
	ErrDamaged = errors.New("record: damaged")
	// ErrNone says that a folder is not there, or holds no recording.
	ErrNone = errors.New("record: no recording")
	// ErrOther refuses a log of an engine with other tables, options or types of input, or of another format.
	ErrOther = errors.New("record: log of another engine, or of another format")
	// ErrDiverged says that an engine did not come to the state that was recorded.
	ErrDiverged = errors.New("record: the replay came to another state")
)

const (
	logMagic   = "gaitlog2"
	headBytes  = 8 + 8 + 8 + 32 + 8 + 4
	frameHead  = 24
	entryBytes = 20
	// maxFrame bounds a commit, in bytes of inputs: far more than a tick can want.
	maxFrame = 1 << 30
	// maxExpansion is what a stored byte can become, as S2 is defined: its densest element
	// is of 5 bytes and repeats so many. A flood of one message comes near it.
	maxExpansion = (1<<24 + 1<<16 + 4) / 5
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// head is that of a log file of an engine, but for where it begins.
func head(e *systems.Engine, first uint64) []byte {
	b := append(make([]byte, 0, headBytes), logMagic...)
	b = binary.LittleEndian.AppendUint64(b, systems.TapeLayout())
	b = binary.LittleEndian.AppendUint64(b, e.Settings())
	id := e.Tables().Identity
	b = append(b, id[:]...)
	b = binary.LittleEndian.AppendUint64(b, first)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// entry is what a commit says.
type entry struct {
	commit uint64
	tick   uint64 // after it
	parts  uint32 // of the state, of which one was hashed; 0: none
	hash   uint64
	tape   []byte
}

// part is which part of the state the hash is of.
func (x *entry) part() uint32 { return uint32(x.commit % uint64(x.parts)) }

// coder makes frames and opens them.
type coder struct{ raw, out []byte }

// frame returns an entry's bytes, good until the next.
func (c *coder) frame(x *entry) []byte {
	c.raw = binary.LittleEndian.AppendUint64(c.raw[:0], x.tick)
	c.raw = binary.LittleEndian.AppendUint32(c.raw, x.parts)
	c.raw = binary.LittleEndian.AppendUint64(c.raw, x.hash)
	c.raw = append(c.raw, x.tape...)

	if most := frameHead + s2.MaxEncodedLen(len(c.raw)); cap(c.out) < most {
		c.out = make([]byte, most+most/4)
	}
	stored := s2.Encode(c.out[frameHead:cap(c.out)], c.raw)
	if len(stored) >= len(c.raw) {
		stored = c.out[frameHead:][:copy(c.out[frameHead:cap(c.out)], c.raw)]
	}
	c.out = c.out[:frameHead+len(stored)]
	h := c.out[:frameHead]
	binary.LittleEndian.PutUint64(h, x.commit)
	binary.LittleEndian.PutUint32(h[8:], uint32(len(c.raw)))
	binary.LittleEndian.PutUint32(h[12:], uint32(len(stored)))
	binary.LittleEndian.PutUint32(h[16:], crc32.Checksum(stored, castagnoli))
	binary.LittleEndian.PutUint32(h[20:], crc32.Checksum(h[:20], castagnoli))
	return c.out
}

// errTorn says that a file ends before a frame does.
var errTorn = errors.New("it ends in the middle of a commit")

// errSum says that bytes are not what their checksum is of.
var errSum = fmt.Errorf("%w: the checksum", ErrDamaged)

// next reads a frame; io.EOF says that there is none, errTorn that there is part of
// one, and errSum that it is not what was written, as far as its size goes then. The
// tape is good until the next.
func (c *coder) next(r io.Reader) (x entry, size int64, err error) {
	var h [frameHead]byte
	switch _, err := io.ReadFull(r, h[:]); {
	case err == io.ErrUnexpectedEOF:
		return x, 0, errTorn
	case err != nil:
		return x, 0, err
	}
	if crc32.Checksum(h[:20], castagnoli) != binary.LittleEndian.Uint32(h[20:]) {
		return x, frameHead, fmt.Errorf("%w of a commit's head", errSum)
	}
	raw, stored := binary.LittleEndian.Uint32(h[8:]), binary.LittleEndian.Uint32(h[12:])
	if raw < entryBytes || raw > maxFrame || stored > raw || uint64(raw) > uint64(stored)*maxExpansion {
		return x, 0, fmt.Errorf("%w: a commit of %d bytes in %d", ErrDamaged, raw, stored)
	}
	b, err := c.read(r, int(stored))
	if err != nil {
		return x, 0, err
	}
	if crc32.Checksum(b, castagnoli) != binary.LittleEndian.Uint32(h[16:]) {
		return x, frameHead + int64(stored), fmt.Errorf("%w of a commit", errSum)
	}
	if stored < raw {
		if n, err := s2.DecodedLen(b); err != nil || n != int(raw) {
			return x, 0, fmt.Errorf("%w: a commit unpacks to %d bytes, not %d (%v)", ErrDamaged, n, raw, err)
		}
		if c.raw, err = s2.Decode(c.raw[:cap(c.raw)], b); err != nil {
			return x, 0, fmt.Errorf("%w: a commit does not unpack: %w", ErrDamaged, err)
		}
		b = c.raw
	}
	return entry{
		commit: binary.LittleEndian.Uint64(h[:]), tick: binary.LittleEndian.Uint64(b),
		parts: binary.LittleEndian.Uint32(b[8:]), hash: binary.LittleEndian.Uint64(b[12:]), tape: b[entryBytes:],
	}, frameHead + int64(stored), nil
}

// read reads n bytes, taking no more room than there are.
func (c *coder) read(r io.Reader, n int) ([]byte, error) {
	c.out = c.out[:0]
	for len(c.out) < n {
		at := len(c.out)
		c.out = append(c.out, make([]byte, min(n-at, 1<<20))...)
		if _, err := io.ReadFull(r, c.out[at:]); err != nil {
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				err = errTorn
			}
			return nil, err
		}
	}
	return c.out, nil
}
