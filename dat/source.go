package dat

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Source is where records come from: a container ([File]) or a folder of loose
// records ([Folder]).
type Source interface {
	// Name is what the source is called in refusals.
	Name() string
	// IDs returns the ids in first..last, both included, ascending.
	IDs(first, last uint32) []uint32
	// Read returns a record's bytes, checked to begin with its id, in memory
	// that is the caller's. A record that is not there is ErrNotFound.
	Read(id uint32) ([]byte, error)
}

var (
	_ Source = (*File)(nil)
	_ Source = (*Folder)(nil)
)

// Folder is a folder of loose records, one a file, named <8 hex digits>.bin.
// Safe for concurrent use, as its file system is.
type Folder struct {
	fsys  fs.FS
	dir   string
	files map[uint32]string
	ids   []uint32
}

// OpenFolder lists the records in a folder of fsys ("." for its root); os.DirFS
// makes a file system of a folder on disk. Files that do not end in .bin, and
// folders, are passed over; a .bin file with another name is refused.
func OpenFolder(fsys fs.FS, dir string) (*Folder, error) {
	list, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{fsys: fsys, dir: dir, files: map[uint32]string{}}
	for _, e := range list {
		name, bin := strings.CutSuffix(e.Name(), ".bin")
		if !bin || e.IsDir() {
			continue
		}
		full := path.Join(dir, e.Name())
		id, err := strconv.ParseUint(name, 16, 32)
		if err != nil || len(name) != 8 {
			return nil, &Error{File: full, Offset: -1, Kind: ErrName}
		}
		if other, twice := f.files[uint32(id)]; twice {
			return nil, &Error{File: full, Record: uint32(id), Offset: -1, Kind: ErrTwice, Reason: "also in " + other}
		}
		f.files[uint32(id)] = full
	}
	f.ids = slices.Sorted(maps.Keys(f.files))
	return f, nil
}

// Name is the folder's path.
func (f *Folder) Name() string { return f.dir }

// IDs returns the ids of the records in first..last, both included, ascending.
func (f *Folder) IDs(first, last uint32) []uint32 {
	i, _ := slices.BinarySearch(f.ids, first)
	n, there := slices.BinarySearch(f.ids, last)
	if there {
		n++
	}
	if n <= i {
		return nil
	}
	return slices.Clone(f.ids[i:n])
}

// Read returns a record's bytes after checking that they begin with its id.
func (f *Folder) Read(id uint32) ([]byte, error) {
	name, ok := f.files[id]
	if !ok {
		return nil, &Error{File: f.dir, Record: id, Offset: -1, Kind: ErrNotFound}
	}
	b, err := f.read(name)
	if err != nil {
		return nil, &Error{File: name, Record: id, Offset: -1, Kind: err}
	}
	if len(b) > MaxRecord {
		return nil, &Error{File: name, Record: id, Offset: -1, Kind: ErrLimit, Reason: fmt.Sprintf("at most %d bytes are read", MaxRecord)}
	}
	if e := checkEcho(b, id); e != nil {
		return nil, inFile(e, name, id)
	}
	return b, nil
}

// read returns at most one byte more than a record may have.
func (f *Folder) read(name string) ([]byte, error) {
	file, err := f.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(file, MaxRecord+1))
	return b, errors.Join(err, file.Close())
}
