package capture

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/gait-engine/gait/wire/transport"
)

// record is one entry of a capture, a view of the reader's buffer.
type record struct {
	at    int64 // ns since 1970, or since the recording began
	timed bool
	link  uint32
	frame []byte // from the link layer on

	bare     bool // no frame, but what follows
	datagram []byte
	dir      transport.Dir
	pair     int
}

// source reads a container.
type source interface {
	// next reads a record; io.EOF, or a refusal of the rest, ends it. skip says that
	// there was one and it is refused, which is counted.
	next(r *record, c *Counts) (skip bool, err error)
	format() string
	absolute() bool // times are since 1970
}

// Reader reads the datagrams of one capture.
type Reader struct {
	source source
	counts Counts
	links  links
	record record
	in     counter

	began bool
	start int64
	last  int64
	err   error
	done  func()
}

// readSize is the buffer of a stream: a record lies in it whole.
const readSize = 2 * MaxRecord

// counter counts what a stream was asked for.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// NewReader finds out what a stream holds, by its first bytes, and reads it. What
// it is not is refused by an error that says what to do (22 §9).
func NewReader(r io.Reader) (*Reader, error) {
	c := &Reader{}
	c.in.r = r
	if err := c.open(bufio.NewReaderSize(&c.in, readSize), true); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Magics are the first bytes of what is told apart by them.
const (
	gzipMagic = "\x1F\x8B"
	zstdMagic = "\x28\xB5\x2F\xFD"
	zipMagic  = "PK\x03\x04"
	zipEmpty  = "PK\x05\x06"
	sevenZip  = "7z\xBC\xAF\x27\x1C"
	rarMagic  = "Rar!\x1A\x07"
	bomMagic  = "\xEF\xBB\xBF"
)

func starts(b []byte, magic string) bool {
	return len(b) >= len(magic) && string(b[:len(magic)]) == magic
}

// open finds the container of a stream; compression may lie around it once.
func (c *Reader) open(b *bufio.Reader, outer bool) (err error) {
	head, err := b.Peek(16)
	if len(head) == 0 {
		if err == io.EOF {
			return fmt.Errorf("%w: it is empty", ErrFormat)
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("%w: it is cut before anything is in it", ErrArchive)
		}
		return err
	}
	text := firstLine(b)
	err = nil // there are fewer than 16
	switch {
	case starts(head, sevenZip), starts(head, rarMagic):
		return fmt.Errorf("%w: 7z and rar archives are not read; unpack them, or pack them as zip", ErrUnpack)
	case starts(head, zipMagic), starts(head, zipEmpty):
		return fmt.Errorf("%w: a zip inside of a stream; give the file itself", ErrArchive)
	case starts(head, gzipMagic), starts(head, zstdMagic):
		if !outer {
			return fmt.Errorf("%w: compressed twice", ErrArchive)
		}
		return c.openCompressed(b, starts(head, gzipMagic))
	case pcapOrder(head) != nil:
		c.source, err = newPcap(b)
	case starts(head, sectionMagic):
		c.source = &pcapng{b: b}
	case len(text) == 0:
		return fmt.Errorf("%w: it is empty", ErrFormat)
	case text[0] == '{':
		c.source = &jsonLines{b: b}
	default:
		return fmt.Errorf("%w: it begins with % X; pcap, pcapng and JSON lines are read, gzip, zstd and zip around them", ErrFormat, head[:min(4, len(head))])
	}
	return err
}

// firstLine looks for where text begins, behind a byte order mark, empty lines and
// spaces (22 §9.5): it returns some of it, nothing if a whole record's length is blank.
func firstLine(b *bufio.Reader) (text []byte) {
	for n := 16; n <= MaxRecord && len(text) == 0; n *= 2 {
		head, err := b.Peek(n)
		if text = bytes.TrimSpace(bytes.TrimPrefix(head, []byte(bomMagic))); err != nil {
			break
		}
	}
	return text
}

func (c *Reader) openCompressed(b *bufio.Reader, zipped bool) error {
	limit := &expansion{in: &c.in.n}
	if zipped {
		z, err := gzip.NewReader(b)
		if err != nil {
			return fmt.Errorf("%w: gzip: %w", ErrArchive, err)
		}
		limit.r = z
	} else {
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(32<<20))
		if err != nil {
			return fmt.Errorf("%w: zstd: %w", ErrArchive, err)
		}
		limit.r, c.done = z, z.Close
	}
	return c.open(bufio.NewReaderSize(limit, readSize), false)
}

// expansion refuses what grows out of all proportion (22 §12).
type expansion struct {
	r   io.Reader
	in  *int64 // compressed bytes so far, or in all
	out int64
}

func (e *expansion) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.out += int64(n)
	switch {
	case e.out > MaxExpanded:
		return 0, fmt.Errorf("%w: it expands to more than %d GiB", ErrArchive, MaxExpanded>>30)
	case e.out > freeExpansion && e.out/maxRatio > *e.in:
		return 0, fmt.Errorf("%w: it expands to more than %d times its size", ErrArchive, maxRatio)
	case err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF):
		return n, fmt.Errorf("%w: %w", ErrArchive, err)
	}
	return n, err
}

// Close gives back what reading took. The stream itself is the caller's.
func (c *Reader) Close() {
	if c.done != nil {
		c.done()
		c.done = nil
	}
}

// Format names the container.
func (c *Reader) Format() string { return c.source.format() }

// Counts returns the tallies so far.
func (c *Reader) Counts() Counts { return c.counts }

// Offset returns how many bytes of the stream were read, ahead of what is handed on.
func (c *Reader) Offset() int64 { return c.in.n }

// Start returns when the first record was made; not ok without one, or when the
// container has only times since its recording began.
func (c *Reader) Start() (at time.Time, ok bool) {
	return time.Unix(0, c.start), c.began && c.source.absolute()
}

// Span returns the time to the latest record so far, from the first, or from when the
// recording began where times count from that.
func (c *Reader) Span() time.Duration { return time.Duration(c.last) }

// firstRecord reads the first record that is one, and returns when it was made.
func (c *Reader) firstRecord() time.Time {
	for range maxBadRecords {
		switch skip, err := c.source.next(&c.record, &c.counts); {
		case err != nil || !c.source.absolute():
			return time.Time{}
		case !skip && c.record.timed:
			return time.Unix(0, c.record.at).UTC()
		}
	}
	return time.Time{}
}

// maxBadRecords is how far the beginning of a capture is looked at for a time.
const maxBadRecords = 1000

// Next reads the next datagram into d. io.EOF ends the capture; any other error
// refuses the rest of it, and what was read before it stands. Times count from the
// capture's first record and do not fall (22 §10).
func (c *Reader) Next(d *transport.Datagram) error {
	for c.err == nil {
		r := &c.record
		skip, err := c.source.next(r, &c.counts)
		if err != nil {
			c.err = c.end(err)
			break
		}
		c.counts.Records++
		if skip {
			continue
		}
		d.At = c.time(r)
		if r.bare {
			d.Dir, d.Data = r.dir, r.datagram
			d.Src, d.Dst = relayed(r.dir, r.pair)
			c.counts.Datagrams++
			return nil
		}
		if c.links.datagram(r.link, r.frame, d, &c.counts) {
			d.Dir = transport.Unknown
			c.counts.Datagrams++
			return nil
		}
	}
	return c.err
}

// end makes the error that ends a capture. A file that is cut ends as others do,
// but is known to be; compression that is cut, too.
func (c *Reader) end(err error) error {
	c.links.end(&c.counts)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		c.counts.CutTail = true
		err = io.EOF
	}
	if err == io.EOF && c.counts.Datagrams == 0 && c.counts.Link > 0 && c.counts.Link == c.counts.Records {
		return fmt.Errorf("%w %d is not read; Ethernet, loopback, raw IP and Linux cooked are", ErrLink, c.links.unknown)
	}
	return err
}

// farBack is by how much a clock may step back without being remarked on.
const farBack = int64(time.Second)

// time returns when a record was made, since the first.
func (c *Reader) time(r *record) int64 {
	at := r.at
	switch {
	case !r.timed:
		c.counts.Untimed++
		at = c.start + c.last
	case !c.began && !c.source.absolute():
		c.began = true // times count from 0, wherever the first one is
	case !c.began:
		c.began, c.start = true, at
	}
	if at -= c.start; at < c.last {
		c.counts.Backwards++
		c.counts.BackwardsFar = c.counts.BackwardsFar || c.last-at > farBack
		at = c.last
	}
	c.last = at
	return at
}
