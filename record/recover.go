package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gait-engine/gait/systems"
)

// Report says what [Recover] found.
type Report struct {
	Tick     uint64 // on which the engine stands
	Commit   uint64 // the last that it was given
	Snapshot uint64 // the commit after which the snapshot was taken that it began with
	Replayed int    // commits since
	Hashes   int    // of the state, or of a part of it, that were compared on the way
	Warnings []string

	hash   uint64 // of the state
	torn   string // a file with a torn tail,
	tornAt int64  // which begins there
}

// Recover makes the engine that was recorded into a folder: the newest snapshot that
// can be read, and all commits since, played again, states compared where their hash
// was noted. A tail that is torn is dropped with a warning, and so is a snapshot that
// cannot be read while there is an older one; all else that is wrong is an error, and
// there is no engine. Options are those of the engine that was recorded, as
// [systems.Restore] has it. Nothing in the folder is changed.
func Recover(dir string, o systems.Options) (*systems.Engine, Report, error) {
	var report Report
	f, err := recordingOf(dir)
	if err != nil {
		return nil, report, err
	}
	newest := slices.Clone(f.snaps)
	slices.Reverse(newest)
	e, err := first(dir, newest, o, &report)
	if err != nil {
		return nil, report, err
	}
	return (&replay{dir: dir, e: e, report: &report}).all(f)
}

// Replay plays all that a folder holds, from its oldest snapshot that can be read on. It calls begin
// with the engine as that has it, and each after every commit, with what that gave
// the engine, good until each returns. An error of either ends the replay and is
// returned.
func Replay(dir string, o systems.Options, begin func(e *systems.Engine) error, each func(e *systems.Engine, tape []byte) error) (*systems.Engine, Report, error) {
	var report Report
	f, err := recordingOf(dir)
	if err != nil {
		return nil, report, err
	}
	e, err := first(dir, f.snaps, o, &report)
	if err == nil {
		err = begin(e)
	}
	if err != nil {
		return nil, report, err
	}
	return (&replay{dir: dir, e: e, report: &report, each: each}).all(f)
}

// recordingOf lists the files of a recording, a snapshot among them.
func recordingOf(dir string) (files, error) {
	f, err := list(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, fmt.Errorf("%w: %w", ErrNone, err)
	case err != nil:
		return f, err
	case len(f.snaps) == 0 && len(f.logs) > 0: // no log is begun before there is one
		return f, fmt.Errorf("%w: %s is missing its snapshots", ErrDamaged, dir)
	case len(f.snaps) == 0:
		return f, fmt.Errorf("%w: no snapshot is in %s", ErrNone, dir)
	}
	return f, nil
}

// first restores the first of some snapshots that can be read.
func first(dir string, snaps []uint64, o systems.Options, report *Report) (*systems.Engine, error) {
	var why error
	for _, n := range snaps {
		e, err := readSnapshot(filepath.Join(dir, name(n, snapExt)), o)
		if err == nil {
			report.Snapshot, report.Commit = n, n
			return e, nil
		}
		why = errors.Join(why, err)
		report.warn("passed over a snapshot: %v", err)
	}
	return nil, why
}

func (r *Report) warn(format string, v ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, v...))
}

// replay plays logs.
type replay struct {
	dir    string
	e      *systems.Engine
	report *Report
	each   func(e *systems.Engine, tape []byte) error // nil: nobody is told
	coder  coder
}

func (p *replay) all(f files) (*systems.Engine, Report, error) {
	if err := p.logs(f.logs); err != nil {
		return nil, *p.report, err
	}
	if last := f.snaps[len(f.snaps)-1]; len(f.logs) == 0 || f.logs[len(f.logs)-1] <= last {
		p.report.warn("%s has no log of what came behind the snapshot after commit %d: either that was the last thing written, or more is lost", p.dir, last)
	}
	p.report.Tick, p.report.hash = p.e.Now(), p.e.Hash()
	return p.e, *p.report, nil
}

// logs plays the files that hold the commits behind the snapshot, one after another.
func (p *replay) logs(firsts []uint64) error {
	for i, first := range firsts {
		next := p.report.Commit + 1
		if i+1 < len(firsts) && firsts[i+1] <= next {
			continue // all of it is older
		}
		if first > next {
			return fmt.Errorf("%w: %s is missing commits %d to %d", ErrDamaged, p.dir, next, first-1)
		}
		if err := p.log(first, i+1 == len(firsts)); err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(p.dir, name(first, logExt)), err)
		}
	}
	return nil
}

func (p *replay) log(first uint64, last bool) error {
	path := filepath.Join(p.dir, name(first, logExt))
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	torn := func(at int64) error {
		if !last {
			return fmt.Errorf("%w: at byte %d it ends in the middle, and is not the last", ErrDamaged, at)
		}
		p.report.torn, p.report.tornAt = path, at
		p.report.warn("%s: dropped a torn tail at byte %d, behind commit %d", path, at, p.report.Commit)
		return nil
	}
	b := make([]byte, headBytes)
	switch _, err := io.ReadFull(r, b); {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return torn(0)
	case err != nil:
		return err
	}
	switch err := sameHead(b, p.e, first); {
	case errors.Is(err, errSum) && unwritten(f, 0, headBytes):
		return torn(0)
	case err != nil:
		return err
	}
	for at, commit := int64(headBytes), first; ; commit++ {
		x, size, err := p.coder.next(r)
		switch {
		case err == io.EOF:
			return nil
		case err == errTorn, errors.Is(err, errSum) && unwritten(f, at, at+size):
			return torn(at)
		case err != nil:
			return fmt.Errorf("commit %d at byte %d: %w", commit, at, err)
		case x.commit != commit:
			return fmt.Errorf("%w: commit %d at byte %d says that it is %d", ErrDamaged, commit, at, x.commit)
		}
		if commit > p.report.Commit {
			if err := p.play(&x); err != nil {
				return fmt.Errorf("commit %d at byte %d: %w", commit, at, err)
			}
		}
		at += size
	}
}

// play gives the engine one commit.
func (p *replay) play(x *entry) error {
	if err := p.e.Play(x.tape, nil); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if p.e.Now() != x.tick {
		return fmt.Errorf("%w: at tick %d, not %d", ErrDiverged, p.e.Now(), x.tick)
	}
	if x.parts > 0 {
		if h := p.e.HashPart(x.part(), x.parts); h != x.hash {
			return fmt.Errorf("%w: at tick %d the hash of %s is %016x, not %016x", ErrDiverged, x.tick, p.who(x), h, x.hash)
		}
		p.report.Hashes++
	}
	p.report.Commit = x.commit
	p.report.Replayed++
	if p.each != nil {
		return p.each(p.e, x.tape)
	}
	return nil
}

// who says whose part of the state a hash is of.
func (p *replay) who(x *entry) string {
	guids := p.e.AppendPart(nil, x.part(), x.parts)
	what := fmt.Sprintf("part %d of %d (%d remotes", x.part(), x.parts, len(guids))
	if len(guids) > 0 {
		what += fmt.Sprintf(", 0x%08X to 0x%08X", guids[0], guids[len(guids)-1])
	}
	if x.part() == 0 {
		what += ", and what is no remote's"
	}
	return what + ")"
}
