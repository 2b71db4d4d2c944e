package dat

import "github.com/gait-engine/gait/space"

const (
	frameBytes   = 28
	hasPositions = 1 // a bit of Animation.Flags
)

// DecodeAnimation reads a record 0x03 (spec 21 §5). Rotations are kept as
// stored; encoding gives the same bytes.
func DecodeAnimation(b []byte) (*Animation, error) {
	c := open(b, AnimationKind)
	a := &Animation{ID: c.id, Flags: c.u32(), Parts: c.u32()}
	each := uint64(a.Parts)*frameBytes + 4
	if a.Flags&hasPositions != 0 {
		each += frameBytes
	}
	n := c.count("frames", each)
	if a.Flags&hasPositions != 0 {
		a.Positions = list(c, n, (*cursor).frame)
	}
	var parts []space.Frame // of all frames; the count has been checked against the record's length
	if c.err == nil && n > 0 {
		parts = make([]space.Frame, n*int(a.Parts))
	}
	a.Frames = list(c, n, func(c *cursor) AnimFrame {
		f := AnimFrame{Parts: parts[:a.Parts:a.Parts]}
		parts = parts[a.Parts:]
		readPose(c, &f.Parts, &f.Hooks)
		return f
	})
	if err := c.end(); err != nil {
		return nil, err
	}
	return a, nil
}

// readPose reads the frames of the parts and the hooks after them, for frames and placements alike.
func readPose(c *cursor, parts *[]space.Frame, hooks *[]Hook) {
	for i := range *parts {
		(*parts)[i] = c.frame()
	}
	if len(*parts) == 0 {
		*parts = nil
	}
	*hooks = list(c, c.count("hooks", hookBytes), readHook)
}

func writePose(w *writer, parts []space.Frame, hooks []Hook) {
	for _, f := range parts {
		w.frame(f)
	}
	w.count(len(hooks))
	for i := range hooks {
		writeHook(w, &hooks[i])
	}
}

// EncodeAnimation writes a record 0x03.
func EncodeAnimation(a *Animation) ([]byte, error) {
	w := begin(a.ID, AnimationKind)
	if err := a.check(); err != nil {
		return nil, err
	}
	w.u32(a.Flags)
	w.u32(a.Parts)
	w.count(len(a.Frames))
	for _, f := range a.Positions {
		w.frame(f)
	}
	for i := range a.Frames {
		writePose(w, a.Frames[i].Parts, a.Frames[i].Hooks)
	}
	return w.done()
}

// check reports lists that do not fit the counts and flags.
func (a *Animation) check() error {
	positions := 0
	if a.Flags&hasPositions != 0 {
		positions = len(a.Frames)
	}
	if len(a.Positions) != positions {
		return recordError(a.ID, ErrShape, "%d position frames, flags and frames call for %d", len(a.Positions), positions)
	}
	for i := range a.Frames {
		if uint64(len(a.Frames[i].Parts)) != uint64(a.Parts) {
			return recordError(a.ID, ErrShape, "frame %d has %d parts of %d", i, len(a.Frames[i].Parts), a.Parts)
		}
	}
	return nil
}
