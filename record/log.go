package record

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gait-engine/gait/systems"
)

// Options say how a [Log] is kept.
type Options struct {
	// HashEvery is after how many commits all of the state has been hashed again, for a
	// replay to be held against: each commit notes the hash of one of so many parts, in
	// turn. 1 is all of it every time, which costs about what two ticks do. 0 is 128, with
	// which recording costs less than a tenth of a tick. Less is never, but that every
	// snapshot has the hash of all. At most [MaxHashEvery].
	HashEvery int
	// SegmentBytes is after how many bytes a new log file is begun. 0 is 64 MiB.
	SegmentBytes int64
	// Keep is how many verified snapshots are kept, with the logs behind the oldest of
	// them. 0 is 2: should the newest turn out to be unreadable, there is another.
	Keep int
	// Sync has every commit wait until the disk has it. Without, what the operating
	// system was handed survives the process, not the machine, which may end with what was
	// committed since a snapshot lost: a snapshot always waits, as what is older goes then.
	Sync bool
}

// MaxHashEvery bounds [Options].HashEvery: more than nine hours of ticks, 30 a second.
const MaxHashEvery = 1 << 20

// Log records an engine into a folder. Nothing else may write there. Its methods
// are for the goroutine that owns the engine.
type Log struct {
	dir    string
	e      *systems.Engine
	o      Options
	tape   systems.Tape
	coder  coder
	file   *os.File
	size   int64
	commit uint64   // of the last that was written
	passed []uint64 // snapshots that recovery passed over
	err    error    // what ended it
	closed bool
}

// ErrTaken refuses a folder that holds a recording already.
var ErrTaken = errors.New("record: there is a recording already")

// ErrOptions refuses options.
var ErrOptions = errors.New("record: bad options")

// ErrRecorded refuses to record an engine that is being recorded.
var ErrRecorded = errors.New("record: the engine is being recorded")

// Create begins to record an engine, as it stands, into a folder that holds no
// recording; it is made where it is not there.
func Create(dir string, e *systems.Engine, o Options) (*Log, error) {
	if err := o.of(e); err != nil {
		return nil, err
	}
	if err := o.makeDir(dir); err != nil {
		return nil, err
	}
	f, err := list(dir)
	if err != nil {
		return nil, err
	}
	if len(f.snaps)+len(f.logs) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrTaken, dir)
	}
	l, err := newLog(dir, e, o, f)
	if err != nil {
		return nil, err
	}
	return l.begin(l.Snapshot)
}

// Resume goes on recording an engine that [Recover] made of the folder. What the
// report says is torn is cut off first.
func Resume(dir string, e *systems.Engine, report Report, o Options) (*Log, error) {
	switch {
	case e.Now() != report.Tick:
		return nil, fmt.Errorf("record: the engine has gone on to tick %d since it was recovered on %d", e.Now(), report.Tick)
	case e.Hash() != report.hash:
		return nil, fmt.Errorf("record: the engine on tick %d is not as it was recovered: what it was given since would be in no commit", e.Now())
	}
	if err := o.of(e); err != nil {
		return nil, err
	}
	f, err := list(dir)
	if err != nil {
		return nil, err
	}
	l, err := newLog(dir, e, o, f)
	if err != nil {
		return nil, err
	}
	l.commit = report.Commit
	l.passed = slices.DeleteFunc(slices.Clone(f.snaps), func(n uint64) bool { return n <= report.Snapshot })
	return l.begin(func() error {
		if report.torn != "" {
			if err := os.Truncate(report.torn, report.tornAt); err != nil {
				return err
			}
		}
		if err := l.settle(f); err != nil {
			return err
		}
		return l.segment()
	})
}

// begin lets go of the engine again where the recording cannot be begun.
func (l *Log) begin(how func() error) (*Log, error) {
	if l.err = how(); l.err != nil {
		return nil, l.Close()
	}
	return l, nil
}

// newLog has the engine's inputs recorded from now on. What is left in the folder of
// snapshots that were not finished goes.
func newLog(dir string, e *systems.Engine, o Options, f files) (*Log, error) {
	l := &Log{dir: dir, e: e, o: o}
	for _, n := range f.parts {
		if err := os.Remove(l.path(n, partExt)); err != nil {
			return nil, err
		}
	}
	e.Record(&l.tape)
	return l, nil
}

// path names a file of the folder.
func (l *Log) path(n uint64, ext string) string { return filepath.Join(l.dir, name(n, ext)) }

// of is fill, for an engine that nobody else records: its inputs go to one tape.
func (o *Options) of(e *systems.Engine) error {
	if err := o.fill(); err != nil {
		return err
	}
	if e.Recorded() {
		return ErrRecorded
	}
	return nil
}

// fill puts in what was left out, and checks what was not.
func (o *Options) fill() error {
	if o.SegmentBytes == 0 {
		o.SegmentBytes = 64 << 20
	}
	if o.Keep == 0 {
		o.Keep = 2
	}
	if o.HashEvery == 0 {
		o.HashEvery = 128
	}
	switch {
	case o.SegmentBytes < 0:
		return fmt.Errorf("%w: SegmentBytes is %d, not 0 or more", ErrOptions, o.SegmentBytes)
	case o.Keep < 1:
		return fmt.Errorf("%w: Keep is %d, not 1 or more", ErrOptions, o.Keep)
	case o.HashEvery > MaxHashEvery:
		return fmt.Errorf("%w: HashEvery is %d, not up to %d", ErrOptions, o.HashEvery, MaxHashEvery)
	}
	return nil
}

// Commit writes what the engine was given since the last one, ticks included: once
// it has returned, that is not lost. After an error nothing more is written.
func (l *Log) Commit() error {
	if l.err != nil {
		return l.err
	}
	x := entry{commit: l.commit + 1, tick: l.e.Now(), tape: l.tape.Bytes()}
	if l.o.HashEvery > 0 {
		x.parts = uint32(l.o.HashEvery)
		x.hash = l.e.HashPart(x.part(), x.parts)
	}
	if len(x.tape) > maxFrame-entryBytes {
		l.err = fmt.Errorf("record: %d bytes of inputs in one commit", len(x.tape))
		return l.err
	}
	b := l.coder.frame(&x)
	if l.err = l.write(b); l.err != nil {
		return l.err
	}
	l.tape.Reset()
	l.commit++
	l.size += int64(len(b))
	if l.size >= l.o.SegmentBytes {
		l.err = l.segment()
	}
	return l.err
}

// writeTo writes to a file, and syncTo waits until the disk has it; tests have the one
// torn and watch the other.
var (
	writeTo = (*os.File).Write
	syncTo  = (*os.File).Sync
)

func (l *Log) write(b []byte) error {
	if _, err := writeTo(l.file, b); err != nil {
		return err
	}
	if l.o.Sync {
		return syncTo(l.file)
	}
	return nil
}

// Pending returns what the engine was given since the last commit, good until it is
// given more.
func (l *Log) Pending() []byte { return l.tape.Bytes() }

// segment begins the log file of the commits to come. One that is there holds none.
func (l *Log) segment() error {
	if l.file != nil {
		if err := l.file.Close(); err != nil {
			return err
		}
		l.file = nil
	}
	f, err := os.Create(l.path(l.commit+1, logExt))
	if err != nil {
		return err
	}
	h := head(l.e, l.commit+1)
	l.file, l.size = f, int64(len(h))
	if err := l.write(h); err != nil {
		return err
	}
	return l.o.sync(l.dir, os.O_RDONLY)
}

// sync waits until the disk has a file, or what a folder lists.
func (o *Options) sync(path string, flag int) error {
	if !o.Sync {
		return nil
	}
	f, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return err
	}
	return errors.Join(syncTo(f), f.Close())
}

// settle waits until the disk has what others recorded: that a process could read it does
// not say so, and what is written now is nothing without.
func (l *Log) settle(f files) error {
	var err error
	for _, n := range f.snaps {
		err = errors.Join(err, l.o.sync(l.path(n, snapExt), os.O_RDWR))
	}
	for _, n := range f.logs {
		err = errors.Join(err, l.o.sync(l.path(n, logExt), os.O_RDWR))
	}
	return err
}

// makeDir makes a folder, and those above it.
func (o *Options) makeDir(dir string) error {
	var in []string // those that list what is made
	for at := filepath.Clean(dir); at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		in = append(in, filepath.Dir(at))
	}
	err := os.MkdirAll(dir, 0o755)
	for _, dir := range in {
		if err == nil {
			err = o.sync(dir, os.O_RDONLY)
		}
	}
	return err
}

// Snapshot commits what there is, writes the state, reads it again, and, that being
// the same, drops what is older than Options.Keep snapshots. It takes about as long
// as twenty ticks, and what the disk takes to have it, and as much memory as a second
// engine. Where the state cannot be written, or what is older not dropped, the recording
// goes on without; any other error ends it ([Log.Err]).
func (l *Log) Snapshot() error {
	if l.err != nil {
		return l.err
	}
	if len(l.tape.Bytes()) > 0 {
		if err := l.Commit(); err != nil {
			return err
		}
	}
	part := l.path(l.commit, partExt)
	if err := l.snapshot(part); err != nil {
		if gone := os.Remove(part); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
		return err
	}
	l.passed = slices.DeleteFunc(l.passed, func(n uint64) bool { return n == l.commit })
	if l.err = l.segment(); l.err != nil {
		return l.err
	}
	return l.trim()
}

// snapshot writes the state to a file, and gives that its name when it has been read again.
func (l *Log) snapshot(part string) error {
	f, err := os.Create(part)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	err = errors.Join(l.e.Snapshot(w), w.Flush())
	if err == nil { // with or without Options.Sync: what is older is not on the disk for long
		err = syncTo(f)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if _, err := readSnapshot(part, l.e.Options()); err != nil { // which looks at the state's hash, too
		return fmt.Errorf("record: the snapshot just written: %w", err)
	}
	return os.Rename(part, l.path(l.commit, snapExt))
}

// trim removes what lies before the oldest snapshot that is kept. One that recovery
// passed over does not count: it goes when enough others lie behind it.
func (l *Log) trim() error {
	f, err := list(l.dir)
	if err != nil {
		return err
	}
	good := slices.DeleteFunc(slices.Clone(f.snaps), func(n uint64) bool { return slices.Contains(l.passed, n) })
	if len(good) <= l.o.Keep {
		return nil
	}
	oldest := good[len(good)-l.o.Keep]
	for _, n := range f.snaps {
		if n < oldest {
			err = errors.Join(err, os.Remove(l.path(n, snapExt)))
		}
	}
	for i, n := range f.logs { // all of it is older when the next begins no later than behind the snapshot
		if n <= oldest && i+1 < len(f.logs) && f.logs[i+1] <= oldest+1 {
			err = errors.Join(err, os.Remove(l.path(n, logExt)))
		}
	}
	return err
}

// errClosed is what ends a recording that nothing else did.
var errClosed = errors.New("record: closed")

// Close ends the recording; what was not committed is not in it. It returns what ended
// it before, or what closing met, and that again when it is called again.
func (l *Log) Close() error {
	if !l.closed {
		l.closed = true
		l.e.Record(nil)
		if l.file != nil {
			l.err = cmp.Or(l.err, l.file.Close())
			l.file = nil
		}
		l.err = cmp.Or(l.err, errClosed)
	}
	return l.Err()
}

// Err returns what ended the recording, nil while it goes on or when Close alone did.
func (l *Log) Err() error {
	if l.err == errClosed {
		return nil
	}
	return l.err
}

// readSnapshot makes an engine of a snapshot file, which holds nothing else.
func readSnapshot(path string, o systems.Options) (*systems.Engine, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	e, err := systems.Restore(o, r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return nil, fmt.Errorf("%s: %w: it goes on behind its end", path, ErrDamaged)
	}
	return e, nil
}

// sameHead reports what keeps a log file's head from being one of an engine.
func sameHead(b []byte, e *systems.Engine, first uint64) error {
	want := head(e, first)
	switch {
	case !sealed(b):
		return fmt.Errorf("%w of the head", errSum)
	case !bytes.Equal(b[:16], want[:16]):
		return fmt.Errorf("%w: the format, or the types of input", ErrOther)
	case !bytes.Equal(b[16:24], want[16:24]):
		return fmt.Errorf("%w: the options", ErrOther)
	case !bytes.Equal(b[24:56], want[24:56]):
		return fmt.Errorf("%w: the tables", ErrOther)
	case !bytes.Equal(b, want):
		return fmt.Errorf("%w: it begins with another commit than its name says", ErrDamaged)
	}
	return nil
}
