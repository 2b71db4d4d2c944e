package dat

import (
	"cmp"
	"io/fs"
	"slices"
)

// Load reads and compiles what playing needs out of the sources: every motion
// table, animation and setup. Nothing else in them is touched; cell files are
// passed over. A record that
// several sources have is taken from the first of them, so put a folder of
// changes before the file that it changes.
func Load(sources ...Source) (*Tables, error) {
	r, err := ReadRecords(sources...)
	if err != nil {
		return nil, err
	}
	return Compile(r)
}

// ReadRecords decodes what [Load] compiles, by the same precedence, ascending by id.
func ReadRecords(sources ...Source) (Records, error) {
	var r Records
	var err error
	if r.Motions, err = readKind(sources, MotionTableFirst, MotionTableLast, DecodeMotionTable); err != nil {
		return Records{}, err
	}
	if r.Anims, err = readKind(sources, AnimationFirst, AnimationLast, DecodeAnimation); err != nil {
		return Records{}, err
	}
	if r.Setups, err = readKind(sources, SetupFirst, SetupLast, DecodeSetup); err != nil {
		return Records{}, err
	}
	return r, nil
}

// LoadLand is [Load] with what bodies collide with: every model, every
// environment and the region, which must be there.
func LoadLand(sources ...Source) (*Tables, error) {
	r, err := ReadRecords(sources...)
	if err != nil {
		return nil, err
	}
	if err := r.ReadLand(sources...); err != nil {
		return nil, err
	}
	return Compile(r)
}

// ReadLand decodes what [LoadLand] compiles besides what [Load] does, by the same precedence, ascending by id.
func (r *Records) ReadLand(sources ...Source) error {
	var err error
	if r.GfxObjs, err = readKind(sources, GfxObjFirst, GfxObjLast, DecodeGfxObj); err != nil {
		return err
	}
	if r.Environments, err = readKind(sources, EnvironmentFirst, EnvironmentLast, DecodeEnvironment); err != nil {
		return err
	}
	regions, err := readKind(sources, RegionID, RegionID, DecodeRegion)
	if err != nil {
		return err
	}
	if len(regions) == 0 {
		return recordError(RegionID, ErrNotFound, "")
	}
	r.Region = regions[0]
	return nil
}

// holds reports whether records of this data set are to be looked for in s: the
// ids of land and of models overlap, so that a container is asked only for its
// own. A folder may hold both.
func holds(s Source, d DataSet) bool {
	f, ok := s.(interface{ Header() Header })
	return !ok || (f.Header().DataSet == Cell) == (d == Cell)
}

func readKind[T any](sources []Source, first, last uint32, decode func([]byte) (*T, error)) ([]*T, error) {
	type found struct {
		id uint32
		in Source
	}
	var all []found
	for _, s := range sources {
		if s == nil {
			return nil, recordError(0, ErrNotFound, "a source is nil")
		}
		if !holds(s, Portal) {
			continue
		}
		for _, id := range s.IDs(first, last) {
			all = append(all, found{id, s})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.id, b.id) }) // keeps the order of the sources
	all = slices.CompactFunc(all, func(a, b found) bool { return a.id == b.id })
	records := make([]*T, len(all))
	for i, f := range all {
		b, err := f.in.Read(f.id)
		if err != nil {
			return nil, err
		}
		if records[i], err = decode(b); err != nil {
			return nil, inFile(err, f.in.Name(), f.id)
		}
	}
	return records, nil
}

// LoadFolders is [Load] of the loose records in a folder and in the folders directly in it.
func LoadFolders(fsys fs.FS) (*Tables, error) {
	sources, err := OpenFolders(fsys)
	if err != nil {
		return nil, err
	}
	return Load(sources...)
}

// OpenFolders opens a folder and the folders directly in it, that one first.
func OpenFolders(fsys fs.FS) ([]Source, error) {
	folders := []string{"."}
	list, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if e.IsDir() {
			folders = append(folders, e.Name())
		}
	}
	sources := make([]Source, len(folders))
	for i, name := range folders {
		if sources[i], err = OpenFolder(fsys, name); err != nil {
			return nil, err
		}
	}
	return sources, nil
}
