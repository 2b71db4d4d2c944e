package ecs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"
)

// A snapshot is a [Header], then blocks: of one section after another, each at
// most blockBytes before it was compressed, with a checksum of what stands in the
// file; then an empty block that says that this was all.
//
//	header   magic 8, version 4, rows 4, layout 8, settings 8, tables 32, tick 8, hash 8, CRC 4
//	block    section 1, method 1, 0 0, number 4, bytes 4, stored 4, CRC of stored 4, CRC of these 4, stored

// What a snapshot is refused for. Each is wrapped with what and where.
var (
	ErrLayout   = errors.New("ecs: snapshot of another layout")
	ErrTables   = errors.New("ecs: snapshot for other tables")
	ErrSettings = errors.New("ecs: snapshot of an engine with other options")
	ErrCutShort = errors.New("ecs: snapshot is cut short")
	ErrDamaged  = errors.New("ecs: snapshot is damaged")
)

// Header says what a snapshot is of.
type Header struct {
	Rows     uint32
	Layout   uint64 // a digest of the types that are written
	Settings uint64 // and of what the embedder chose
	Tables   [32]byte
	Tick     uint64
	Hash     uint64 // of the state
}

const (
	magic       = "gaitsnap"
	version     = 1
	headerBytes = 8 + 4 + 4 + 8 + 8 + 32 + 8 + 8 + 4
	blockHead   = 24
	blockBytes  = 1 << 20
	endSection  = 0xFF
)

// How a block is stored.
const (
	methodRaw byte = iota
	methodZstd
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// append appends the header's bytes.
func (h *Header) append(b []byte) []byte {
	from := len(b)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, h.Rows)
	b = binary.LittleEndian.AppendUint64(b, h.Layout)
	b = binary.LittleEndian.AppendUint64(b, h.Settings)
	b = append(b, h.Tables[:]...)
	b = binary.LittleEndian.AppendUint64(b, h.Tick)
	b = binary.LittleEndian.AppendUint64(b, h.Hash)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[from:], castagnoli))
}

// Writer writes a snapshot. Its methods never fail; [Writer.Close] says what did.
type Writer struct {
	to      io.Writer
	err     error
	section byte
	number  uint32
	raw     []byte // of the block in hand
	stored  []byte
	zstd    *zstd.Encoder // nil: not compressed
	bytes   int64         // before compression
}

// NewWriter begins a snapshot, compressed or not.
func NewWriter(to io.Writer, h Header, compressed bool) *Writer {
	w := &Writer{to: to}
	if compressed {
		// one at a time, so that no goroutine is started
		w.zstd, w.err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	}
	w.write(h.append(nil))
	w.bytes = headerBytes
	return w
}

func (w *Writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.to.Write(b)
	}
}

// Section begins a section.
func (w *Writer) Section(s byte) {
	w.flush()
	w.section = s
}

// flush writes what is in hand.
func (w *Writer) flush() {
	w.full()
	if len(w.raw) > 0 {
		w.block(w.raw)
		w.raw = w.raw[:0]
	}
}

func (w *Writer) block(raw []byte) {
	method, stored := methodRaw, raw
	if w.zstd != nil && len(raw) > 0 {
		if w.stored = w.zstd.EncodeAll(raw, w.stored[:0]); len(w.stored) < len(raw) {
			method, stored = methodZstd, w.stored
		}
	}
	var head [blockHead]byte
	head[0], head[1] = w.section, method
	binary.LittleEndian.PutUint32(head[4:], w.number)
	binary.LittleEndian.PutUint32(head[8:], uint32(len(raw)))
	binary.LittleEndian.PutUint32(head[12:], uint32(len(stored)))
	binary.LittleEndian.PutUint32(head[16:], crc32.Checksum(stored, castagnoli))
	binary.LittleEndian.PutUint32(head[20:], crc32.Checksum(head[:20], castagnoli))
	w.write(head[:])
	w.write(stored)
	w.number++
	w.bytes += blockHead + int64(len(raw))
}

// Close writes the end, and returns the first error that there was.
func (w *Writer) Close() error {
	w.Section(endSection)
	w.block(nil)
	return w.err
}

// Bytes is how many bytes there would be without compression.
func (w *Writer) Bytes() int64 { return w.bytes }

// Raw appends bytes as they are.
func (w *Writer) Raw(b []byte) {
	w.raw = append(w.raw, b...)
	w.full()
}

// full writes the blocks that are full.
func (w *Writer) full() {
	at := 0
	for ; len(w.raw)-at >= blockBytes; at += blockBytes {
		w.block(w.raw[at : at+blockBytes])
	}
	w.raw = w.raw[:copy(w.raw, w.raw[at:])]
}

// U32, U64, F64, Bool and String append values; the last its length first.
func (w *Writer) U32(v uint32)  { w.raw = binary.LittleEndian.AppendUint32(w.raw, v) }
func (w *Writer) U64(v uint64)  { w.raw = binary.LittleEndian.AppendUint64(w.raw, v) }
func (w *Writer) F64(v float64) { w.U64(math.Float64bits(v)) }
func (w *Writer) Bool(v bool) {
	if v {
		w.raw = append(w.raw, 1)
	} else {
		w.raw = append(w.raw, 0)
	}
}
func (w *Writer) String(b []byte) {
	w.U32(uint32(len(b)))
	w.Raw(b)
}

// WriteRows appends rows, each by itself: as many bytes as there are rows.
func WriteRows[T any](w *Writer, rows []T) {
	w.raw = appendEach(w.raw, rows)
	w.full()
}

// WriteColumn appends rows field by field, at most [ColumnRows] of them.
func WriteColumn[T any](w *Writer, rows []T) {
	w.raw = AppendRows(w.raw, rows)
	w.full()
}

// ColumnRows is how many rows of a column are written together: enough for a
// field's values to lie together, few enough to stay in the cache.
const ColumnRows = 256

// Reader reads a snapshot. After the first error, which [Reader.Err] returns, its
// methods return zeros.
type Reader struct {
	Header  Header
	from    io.Reader
	err     error
	section byte
	number  uint32
	at      int64  // in the file, of the block in hand
	next    int64  // of the next
	raw     []byte // what has been read of the section, but for what was taken
	taken   int
	stored  []byte
	zstd    *zstd.Decoder
}

// NewReader begins to read a snapshot: its header, of which everything but the
// layout is for the caller to judge.
func NewReader(from io.Reader, layout uint64) (*Reader, error) {
	r := &Reader{from: from}
	var b [headerBytes]byte
	if _, err := io.ReadFull(from, b[:]); err != nil {
		return nil, short(err, "header")
	}
	if string(b[:8]) != magic {
		return nil, fmt.Errorf("%w: it does not begin as one", ErrDamaged)
	}
	if crc32.Checksum(b[:headerBytes-4], castagnoli) != binary.LittleEndian.Uint32(b[headerBytes-4:]) {
		return nil, fmt.Errorf("%w: its header's checksum", ErrDamaged)
	}
	h := &r.Header
	h.Rows = binary.LittleEndian.Uint32(b[12:])
	h.Layout = binary.LittleEndian.Uint64(b[16:])
	h.Settings = binary.LittleEndian.Uint64(b[24:])
	copy(h.Tables[:], b[32:])
	h.Tick = binary.LittleEndian.Uint64(b[64:])
	h.Hash = binary.LittleEndian.Uint64(b[72:])
	if v := binary.LittleEndian.Uint32(b[8:]); v != version {
		return nil, fmt.Errorf("%w: version %d, not %d", ErrLayout, v, version)
	}
	if h.Layout != layout {
		return nil, fmt.Errorf("%w: %016x, not %016x", ErrLayout, h.Layout, layout)
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(16*blockBytes), zstd.WithDecoderMaxWindow(blockBytes))
	if err != nil {
		return nil, err
	}
	r.zstd, r.next = d, headerBytes
	return r, nil
}

// short says of the end of a file in the wrong place what it is.
func short(err error, where string) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%w in the %s", ErrCutShort, where)
	}
	return fmt.Errorf("ecs: reading a snapshot's %s: %w", where, err)
}

// Err returns the first error.
func (r *Reader) Err() error { return r.err }

// Fail refuses the snapshot for what it says.
func (r *Reader) Fail(format string, v ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: section %d, in the block at byte %d: %s", ErrDamaged, r.section, r.at, fmt.Sprintf(format, v...))
	}
}

// Section goes on to a section; nothing of the one before must be left.
func (r *Reader) Section(s byte) {
	if r.taken != len(r.raw) {
		r.Fail("%d bytes are left over", len(r.raw)-r.taken)
	}
	r.section = s
}

// Close looks for the end.
func (r *Reader) Close() error {
	r.Section(endSection)
	if r.err == nil {
		r.block()
	}
	if r.err == nil && r.taken != len(r.raw) {
		r.Fail("something comes after the end")
	}
	return r.err
}

// block reads the next block, which is to be of the section in hand.
func (r *Reader) block() {
	if r.err != nil {
		return
	}
	r.at = r.next
	where := fmt.Sprintf("block at byte %d", r.at)
	damaged := func(what string) { r.err = fmt.Errorf("%w: %s: %s", ErrDamaged, where, what) }
	var head [blockHead]byte
	if _, err := io.ReadFull(r.from, head[:]); err != nil {
		r.err = short(err, where)
		return
	}
	if crc32.Checksum(head[:20], castagnoli) != binary.LittleEndian.Uint32(head[20:]) {
		damaged("the checksum of its head")
		return
	}
	raw, stored := binary.LittleEndian.Uint32(head[8:]), binary.LittleEndian.Uint32(head[12:])
	switch {
	case head[0] != r.section || binary.LittleEndian.Uint32(head[4:]) != r.number:
		damaged(fmt.Sprintf("it is number %d, of section %d", binary.LittleEndian.Uint32(head[4:]), head[0]))
	case raw > blockBytes || stored > raw || head[1] == methodRaw && stored != raw || head[1] > methodZstd || head[2] != 0 || head[3] != 0:
		damaged("its head makes no sense")
	case (raw == 0) != (r.section == endSection):
		damaged("it is empty, or the end is not")
	}
	if r.err != nil {
		return
	}
	r.stored = sized(r.stored, int(stored))
	if _, err := io.ReadFull(r.from, r.stored); err != nil {
		r.err = short(err, where)
		return
	}
	if crc32.Checksum(r.stored, castagnoli) != binary.LittleEndian.Uint32(head[16:]) {
		damaged("its checksum")
		return
	}
	r.raw = append(r.raw[:0], r.raw[r.taken:]...)
	r.taken = 0
	if head[1] == methodRaw {
		r.raw = append(r.raw, r.stored...)
	} else {
		had := len(r.raw)
		b, err := r.zstd.DecodeAll(r.stored, r.raw)
		if err != nil || len(b)-had != int(raw) {
			damaged(fmt.Sprintf("it unpacks to %d bytes, not %d (%v)", len(b)-had, raw, err))
			return
		}
		r.raw = b
	}
	r.number++
	r.next += blockHead + int64(stored)
}

func sized(b []byte, n int) []byte {
	if n > cap(b) {
		return make([]byte, n)
	}
	return b[:n]
}

// more reports whether there are n bytes, having read on where there were not.
func (r *Reader) more(n int) bool {
	for r.err == nil && len(r.raw)-r.taken < n {
		r.block()
	}
	return r.err == nil
}

// Raw takes n bytes, good until the next call; nil where they are not there.
func (r *Reader) Raw(n int) []byte {
	if !r.more(n) {
		return nil
	}
	b := r.raw[r.taken:][:n:n]
	r.taken += n
	return b
}

// U32, U64, F64, Bool and String take values.
func (r *Reader) U32() uint32 {
	if b := r.Raw(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}
func (r *Reader) U64() uint64 {
	if b := r.Raw(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}
func (r *Reader) F64() float64 { return math.Float64frombits(r.U64()) }
func (r *Reader) Bool() bool {
	b := r.Raw(1)
	if b != nil && b[0] > 1 {
		r.Fail("%d is no truth", b[0])
	}
	return b != nil && b[0] == 1
}
func (r *Reader) String(most int) []byte {
	n := int(r.U32())
	if n < 0 || n > most {
		r.Fail("%d bytes where at most %d may be", n, most)
		return nil
	}
	return r.Raw(n)
}

// TakeRows takes rows that [WriteRows] wrote.
func TakeRows[T any](r *Reader, rows []T) {
	for i := range rows {
		take(r, rows[i:i+1])
	}
}

// TakeColumn takes rows that [WriteColumn] wrote.
func TakeColumn[T any](r *Reader, rows []T) { take(r, rows) }

func take[T any](r *Reader, rows []T) {
	if r.err != nil || len(rows) == 0 {
		return
	}
	// a block more than there may be is no harm, but there need not be one
	most := LayoutOf[T]().MostBytes(len(rows))
	for len(r.raw)-r.taken < most {
		rest, err := ReadRows(r.raw[r.taken:], rows, true)
		if err == nil {
			r.taken = len(r.raw) - len(rest)
			return
		}
		if r.block(); r.err != nil {
			return
		}
	}
	rest, err := ReadRows(r.raw[r.taken:], rows, true)
	if err != nil {
		r.Fail("%v", err)
		return
	}
	r.taken = len(r.raw) - len(rest)
}
