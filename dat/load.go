package dat

import (
	"cmp"
	"slices"
)

// Load reads and compiles what playing needs out of the sources: every motion
// table, animation and setup. Nothing else in them is touched. A record that
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

func readKind[T any](sources []Source, first, last uint32, decode func([]byte) (*T, error)) ([]*T, error) {
	type found struct {
		id uint32
		in Source
	}
	var all []found
	for _, s := range sources {
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
