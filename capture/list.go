package capture

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Part is one capture in a file, by itself or in an archive.
type Part struct {
	Name   string // of the file, and of the members that lead to it, in printable characters
	Format string
	Size   int64 // bytes of its stream, before what compresses it is undone; in an archive after
	// Start is when its first record was made; zero when the container does not say, or
	// there is none.
	Start time.Time
	Err   error // why it is not read; nothing else holds then, but the name

	path    string
	members []int // indices, one a level of archives
}

// List finds the captures in a file: the file itself, or what an archive holds,
// archives in it included (22 §9.6). What cannot be read is listed with its error;
// members that are no captures are passed over and counted. Names in archives are
// shown, never used as paths.
func List(path string) (parts []Part, others int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, err
	}
	l := lister{path: path, room: MaxNested}
	if err := l.file(f, size, path, nil); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	return l.parts, l.others, nil
}

type lister struct {
	path   string
	parts  []Part
	others int
	seen   int
	room   int64 // bytes that archives in archives may still come to
}

// file lists what a file holds, at some depth of archives.
func (l *lister) file(f io.ReaderAt, size int64, name string, members []int) error {
	if !isZip(f) {
		l.one(io.NewSectionReader(f, 0, size), size, name, members)
		return nil
	}
	if len(members) == MaxDepth {
		return fmt.Errorf("%w: archives in archives beyond %d", ErrArchive, MaxDepth)
	}
	z, err := openZip(f, size)
	if err != nil {
		return err
	}
	for i, m := range z.File {
		if m.FileInfo().IsDir() {
			continue
		}
		if l.seen++; l.seen > MaxMembers {
			return fmt.Errorf("%w: more than %d members", ErrArchive, MaxMembers)
		}
		inner := append(append([]int(nil), members...), i)
		shown := name + "/" + printable(m.Name)
		if err := l.member(m, shown, inner); err != nil {
			l.parts = append(l.parts, Part{Name: shown, Err: err})
		}
	}
	return nil
}

// printable is a member's name without what a terminal would act on: whoever made the
// archive chose it.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return utf8.RuneError
	}, name)
}

func (l *lister) member(m *zip.File, name string, members []int) error {
	r, err := openMember(m)
	if err != nil {
		return err
	}
	defer r.Close()
	head := make([]byte, 4)
	n, _ := io.ReadFull(r, head)
	if !starts(head[:n], zipMagic) {
		again, err := openMember(m)
		if err != nil {
			return err
		}
		defer again.Close()
		l.one(again, int64(min(m.UncompressedSize64, MaxExpanded)), name, members)
		return nil
	}
	f, size, err := spool(m, l.room)
	l.room -= size // of what turned out damaged too: it has been unpacked
	if err != nil {
		return err
	}
	defer f.Close()
	return l.file(f, size, name, members)
}

// one lists a stream, by its first record.
func (l *lister) one(r io.Reader, size int64, name string, members []int) {
	c, err := NewReader(r)
	if errors.Is(err, ErrFormat) && len(members) > 0 {
		l.others++ // notes and the like that lie beside captures
		return
	}
	p := Part{Name: name, Size: size, Err: err, path: l.path, members: members}
	if err == nil {
		defer c.Close()
		p.Format = c.Format()
		p.Start = c.firstRecord()
	}
	l.parts = append(l.parts, p)
}

func isZip(f io.ReaderAt) bool {
	head := make([]byte, 4)
	n, _ := f.ReadAt(head, 0)
	return starts(head[:n], zipMagic) || starts(head[:n], zipEmpty)
}

// openZip reads the directory of an archive, which is held whole. Members that share
// bytes are how little comes to much.
func openZip(f io.ReaderAt, size int64) (*zip.Reader, error) {
	d := &directory{r: f, left: MaxDirectory}
	z, err := zip.NewReader(d, size)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrArchive, err)
	}
	d.read = true
	for _, m := range z.File {
		if size -= int64(min(m.CompressedSize64, math.MaxInt64)); size < 0 {
			return nil, fmt.Errorf("%w: its members are larger than it is", ErrArchive)
		}
	}
	return z, nil
}

// directory bounds what is read until the directory has been.
type directory struct {
	r    io.ReaderAt
	left int
	read bool
}

func (d *directory) ReadAt(p []byte, at int64) (int, error) {
	if !d.read {
		if d.left -= len(p); d.left < 0 {
			return 0, fmt.Errorf("its directory is larger than %d MiB", MaxDirectory>>20)
		}
	}
	return d.r.ReadAt(p, at)
}

// memberReader reads a member of an archive within its bounds.
type memberReader struct {
	io.Reader
	io.Closer
}

const zipEncrypted = 1 // bit of a member's flags

func openMember(m *zip.File) (io.ReadCloser, error) {
	if m.Flags&zipEncrypted != 0 {
		return nil, fmt.Errorf("%w: %q is encrypted; unpack it first", ErrArchive, m.Name)
	}
	r, err := m.Open()
	if err != nil {
		return nil, fmt.Errorf("%w: %q: %w", ErrArchive, m.Name, err)
	}
	packed := int64(min(m.CompressedSize64, MaxExpanded))
	return memberReader{&expansion{r: r, in: &packed}, r}, nil
}

// spooled is a file that is gone when it is closed.
type spooled struct{ *os.File }

// Close closes and removes it.
func (f spooled) Close() error { return errors.Join(f.File.Close(), os.Remove(f.Name())) }

// spool unpacks an archive in an archive into a file, since a directory at its end
// can only be read there, if it comes to no more than room bytes.
func spool(m *zip.File, room int64) (_ spooled, size int64, err error) {
	r, err := openMember(m)
	if err != nil {
		return spooled{}, 0, err
	}
	defer r.Close()
	f, err := os.CreateTemp("", "capture-*.zip")
	if err != nil {
		return spooled{}, 0, err
	}
	if size, err = io.Copy(f, io.LimitReader(r, room)); err == nil && size == room {
		err = fmt.Errorf("archives in archives come to more than %d GiB", MaxNested>>30)
	}
	if err != nil {
		return spooled{}, size, errors.Join(fmt.Errorf("%w: %q: %w", ErrArchive, m.Name, err), spooled{f}.Close())
	}
	return spooled{f}, size, nil
}

// PartReader is a part that is open.
type PartReader struct {
	*Reader
	close []io.Closer // outermost first
}

// Close gives back what reading took, files included.
func (p *PartReader) Close() (err error) {
	if p.Reader != nil {
		p.Reader.Close()
	}
	for i := len(p.close) - 1; i >= 0; i-- {
		err = errors.Join(err, p.close[i].Close())
	}
	return err
}

// Open opens a part that [List] found.
func (p *Part) Open() (_ *PartReader, err error) {
	if p.Err != nil {
		return nil, p.Err
	}
	r := &PartReader{}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", p.Name, errors.Join(err, r.Close()))
		}
	}()
	f, err := os.Open(p.path)
	if err != nil {
		return nil, err
	}
	r.close = append(r.close, f)
	var stream io.Reader = f
	for depth, member := range p.members {
		size, err := f.Seek(0, io.SeekEnd)
		if err != nil {
			return nil, err
		}
		z, err := openZip(f, size)
		if err != nil {
			return nil, err
		}
		if member >= len(z.File) {
			return nil, fmt.Errorf("%w: it has changed", ErrArchive)
		}
		if depth < len(p.members)-1 {
			inner, _, err := spool(z.File[member], MaxNested)
			if err != nil {
				return nil, err
			}
			r.close = append(r.close, inner)
			f = inner.File
			continue
		}
		m, err := openMember(z.File[member])
		if err != nil {
			return nil, err
		}
		r.close = append(r.close, m)
		stream = m
	}
	r.Reader, err = NewReader(stream)
	return r, err
}
