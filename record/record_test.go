package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
)

// recording is a load that was recorded: the hash after every commit, from 0.
type recording struct {
	*load
	dir    string
	hashes []uint64
}

// recorded records some ticks, with a snapshot after every so many, 0 never.
func recorded(t testing.TB, n, ticks, snapshot int, o Options) recording {
	t.Helper()
	r := recording{load: newLoad(t, n), dir: filepath.Join(t.TempDir(), "rec")}
	e := r.engine(t)
	l, err := Create(r.dir, e, o)
	if err != nil {
		t.Fatal(err)
	}
	r.hashes = append(r.hashes, e.Hash())
	for i := 1; i <= ticks; i++ {
		r.step(t, e, l)
		if snapshot > 0 && i%snapshot == 0 {
			if err := l.Snapshot(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if l.Commit() == nil || l.Snapshot() == nil {
		t.Error("writes on when it is closed")
	}
	return r
}

func (r *recording) step(t testing.TB, e *systems.Engine, l *Log) {
	t.Helper()
	r.feed(t, e)
	e.Tick()
	if err := l.Commit(); err != nil {
		t.Fatal(err)
	}
	r.hashes = append(r.hashes, e.Hash())
}

// stands checks that what a folder holds is recovered up to a commit.
func (r *recording) stands(t testing.TB, commit uint64) (*systems.Engine, Report) {
	t.Helper()
	e, report, err := Recover(r.dir, r.options)
	if err != nil {
		t.Fatal(err)
	}
	if report.Commit != commit || report.Tick != commit+warm || e.Hash() != r.hashes[commit] {
		t.Fatalf("it stands on %+v, not on commit %d", report, commit)
	}
	return e, report
}

func (r *recording) files(t testing.TB) files {
	t.Helper()
	f, err := list(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// read returns a file's bytes, and what puts them back.
func read(t testing.TB, path string) (b []byte, restore func()) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b, func() { write(t, path, b) }
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// What is recorded is recovered: from the newest snapshot, with the commits since.
func TestRecover(t *testing.T) {
	r := recorded(t, 50, 70, 30, Options{HashEvery: 1})
	_, report := r.stands(t, 70)
	if report.Snapshot != 60 || report.Replayed != 10 || report.Hashes != 10 || report.Warnings != nil {
		t.Errorf("%+v", report)
	}
	if _, err := Create(r.dir, r.engine(t), Options{}); !errors.Is(err, ErrTaken) {
		t.Errorf("a second recording: %v", err)
	}
	if _, _, err := Recover(t.TempDir(), r.options); err == nil {
		t.Error("an empty folder is recovered")
	}
	if _, _, err := Recover(filepath.Join(r.dir, "none"), r.options); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// Who resumes goes on as if there had been no end, whatever is begun in between.
func TestResume(t *testing.T) {
	r := recorded(t, 50, 20, 0, Options{HashEvery: 3, SegmentBytes: 5000})
	for round := range 5 {
		at := uint64(len(r.hashes) - 1)
		e, report := r.stands(t, at)
		l, err := Resume(r.dir, e, report, Options{HashEvery: 2, SegmentBytes: 7000})
		if err != nil {
			t.Fatal(err)
		}
		for range round * 7 {
			r.step(t, e, l)
		}
		if round == 3 {
			if err := l.Snapshot(); err != nil {
				t.Fatal(err)
			}
		}
	}
	e, report := r.stands(t, uint64(len(r.hashes)-1))
	write(t, filepath.Join(r.dir, name(7, partExt)), nil) // a snapshot that was not finished
	e.Tick()
	if _, err := Resume(r.dir, e, report, Options{}); err == nil {
		t.Error("resumed with an engine that has gone on")
	}
	e, report = r.stands(t, report.Commit)
	e.Remove(bench.FirstGuid) // which waits for the next tick
	if _, err := Resume(r.dir, e, report, Options{}); err == nil {
		t.Error("resumed with an engine that was given what no commit has")
	}
	e, report = r.stands(t, report.Commit)
	l, err := Resume(r.dir, e, report, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if parts, _ := filepath.Glob(filepath.Join(r.dir, "*"+partExt)); parts != nil {
		t.Errorf("%v are left", parts)
	}
	if f := r.files(t); len(f.logs) < 5 || len(f.snaps) != 2 {
		t.Errorf("%+v", f)
	}
}

// What was given and not ticked yet is kept as well, in a commit or a snapshot.
func TestInputsBetweenTicks(t *testing.T) {
	l0 := newLoad(t, 20)
	e := l0.engine(t)
	dir := t.TempDir()
	l, err := Create(dir, e, Options{HashEvery: 1})
	if err != nil {
		t.Fatal(err)
	}
	place := space.Position{Cell: 0xA9B40001, Frame: space.Frame{Origin: space.Vec3{10, 10, 0}, Rotation: space.IdentityQuat}}
	give := func(i uint32) {
		l0.feed(t, e)
		if err := e.Spawn(systems.NewSpawn(0x70000000+i, place)); err != nil {
			t.Fatal(err)
		}
		e.Remove(0x50000001 + i)
		e.NextSequence()
		c := systems.Command{Guid: 0x50000010, Do: systems.DoInterpreted, Actions: []components.Action{{Motion: 0x13000087, Speed: 1}}}
		c.Place.Frame.Origin[0] = float32(math.NaN()) // which it does not read
		if err := e.Command(c); err != nil {
			t.Fatal(err)
		}
		if err := e.SetViewer(&place); err != nil {
			t.Fatal(err)
		}
	}
	for i := range uint32(4) {
		give(i)
		if i%2 == 0 {
			err = l.Snapshot()
		} else {
			err = l.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := Recover(dir, l0.options)
		if err != nil {
			t.Fatal(err)
		}
		e.Tick()
		again.Tick()
		if again.Hash() != e.Hash() || again.Len() != e.Len() {
			t.Fatalf("round %d: another state, %d remotes and %d", i, again.Len(), e.Len())
		}
	}
}

// A log that is missing between others is an error, and one behind the newest snapshot a
// warning: it is not known whether there was one. Logs without a snapshot are no folder to
// begin anew in.
func TestMissingFiles(t *testing.T) {
	r := recorded(t, 20, 50, 20, Options{SegmentBytes: 300})
	f := r.files(t)
	remove := func(n uint64, ext string) (restore func()) {
		t.Helper()
		path := filepath.Join(r.dir, name(n, ext))
		_, restore = read(t, path)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		return restore
	}
	behind := f.logs[slices.Index(f.logs, 41):]
	if len(behind) < 3 {
		t.Fatalf("too few logs: %+v", f)
	}
	for _, n := range behind[:len(behind)-1] {
		restore := remove(n, logExt)
		if _, _, err := Recover(r.dir, r.options); !errors.Is(err, ErrDamaged) {
			t.Errorf("without the log of commit %d: %v", n, err)
		}
		restore()
	}
	if _, report := r.stands(t, 50); report.Warnings != nil {
		t.Errorf("%q", report.Warnings)
	}
	for _, n := range behind {
		remove(n, logExt)
	}
	for _, snapshot := range []uint64{40, 20} {
		_, report := r.stands(t, 40)
		if report.Snapshot != snapshot || !strings.Contains(fmt.Sprint(report.Warnings), "no log of what came behind the snapshot after commit 40") {
			t.Errorf("%+v", report)
		}
		write(t, filepath.Join(r.dir, name(40, snapExt)), nil)
	}
	for _, n := range f.snaps {
		remove(n, snapExt)
	}
	if _, _, err := Recover(r.dir, r.options); !errors.Is(err, ErrDamaged) || errors.Is(err, ErrNone) {
		t.Errorf("logs without a snapshot: %v", err)
	}
}

// Old logs go when there are verified snapshots behind them, and no sooner.
func TestTrimmedBehindSnapshots(t *testing.T) {
	for keep := 1; keep <= 3; keep++ {
		r := recorded(t, 20, 50, 10, Options{Keep: keep, SegmentBytes: 2500})
		f := r.files(t)
		var want []uint64
		for n := 5 - keep + 1; n <= 5; n++ {
			want = append(want, uint64(n)*10)
		}
		if !slices.Equal(f.snaps, want) || f.logs[0] > want[0]+1 || len(f.logs) > 1 && f.logs[1] <= want[0] {
			t.Errorf("kept %d: %+v", keep, f)
		}
		// each of them is enough, alone with the logs behind it
		for i := len(f.snaps) - 1; i >= 0; i-- {
			_, report := r.stands(t, 50)
			if report.Snapshot != f.snaps[i] || len(report.Warnings) != keep-1-i {
				t.Errorf("kept %d: %+v", keep, report)
			}
			write(t, filepath.Join(r.dir, name(f.snaps[i], snapExt)), []byte("nothing"))
		}
		if _, _, err := Recover(r.dir, r.options); !errors.Is(err, ecs.ErrCutShort) {
			t.Errorf("no snapshot is left: %v", err)
		}
	}
}

// A snapshot that cannot be read is none of those that are kept: there is another should
// the newest turn out like that too. Written again it is one.
func TestDamagedSnapshotsAreNotAmongThoseKept(t *testing.T) {
	r := recorded(t, 20, 50, 10, Options{})
	var e *systems.Engine
	var l *Log
	damage := func(commit uint64) {
		t.Helper()
		write(t, filepath.Join(r.dir, name(commit, snapExt)), []byte("nothing"))
		var report Report
		e, report = r.stands(t, uint64(len(r.hashes)-1))
		var err error
		if l, err = Resume(r.dir, e, report, Options{}); err != nil {
			t.Fatal(err)
		}
	}
	kept := func(ticks int, want ...uint64) {
		t.Helper()
		for range ticks {
			r.step(t, e, l)
		}
		if err := l.Snapshot(); err != nil {
			t.Fatal(err)
		}
		if f := r.files(t); !slices.Equal(f.snaps, want) {
			t.Errorf("kept %v, not %v", f.snaps, want)
		}
	}
	damage(50)
	kept(10, 40, 50, 60)
	damage(60)
	kept(10, 40, 50, 60, 70)
	kept(10, 70, 80)
	damage(80)
	kept(0, 70, 80)
	kept(10, 80, 90)
}

// A log that ends anywhere is recovered up to its last whole commit, and says so.
func TestTornTail(t *testing.T) {
	r := recorded(t, 3, 40, 0, Options{HashEvery: 4})
	path := filepath.Join(r.dir, name(1, logExt))
	whole, restore := read(t, path)
	last := uint64(0)
	for n := range whole {
		if testing.Short() && n%13 != 0 && n+1 < len(whole) {
			continue
		}
		write(t, path, whole[:n])
		e, report, err := Recover(r.dir, r.options)
		if err != nil {
			t.Fatalf("%d of %d bytes: %v", n, len(whole), err)
		}
		if report.Commit < last || !testing.Short() && report.Commit > last+1 || e.Hash() != r.hashes[report.Commit] {
			t.Fatalf("%d of %d bytes: %+v after %d", n, len(whole), report, last)
		}
		last = report.Commit
		if between := report.torn == ""; between == (len(report.Warnings) != 0) {
			t.Fatalf("%d bytes: %+v", n, report)
		}
	}
	if last != 39 {
		t.Errorf("the last is %d", last)
	}
	restore()
	// in the middle of a recording it is no tail
	e, report := r.stands(t, 40)
	l, err := Resume(r.dir, e, report, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, path, whole[:len(whole)-1])
	if _, _, err := Recover(r.dir, r.options); !errors.Is(err, ErrDamaged) {
		t.Errorf("a tail in the middle: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Recover(r.dir, r.options); !errors.Is(err, ErrDamaged) {
		t.Errorf("a log is missing: %v", err)
	}
}

// A file system may have made a file longer and not have written what was to be there
// when the machine ended: zeros are a torn tail, from the end of a commit on or from a
// sector on.
func TestUnwrittenTail(t *testing.T) {
	r := recorded(t, 100, 20, 0, Options{})
	path := filepath.Join(r.dir, name(1, logExt))
	whole, restore := read(t, path)
	var ends []int // of the head, and of each commit
	var c coder
	in := bytes.NewReader(whole[headBytes:])
	for at := headBytes; ; {
		ends = append(ends, at)
		_, size, err := c.next(in)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		at += int(size)
	}
	// try recovers what has zeros from a byte on.
	try := func(from, zeros int) (Report, error) {
		t.Helper()
		write(t, path, append(bytes.Clone(whole[:from]), make([]byte, zeros)...))
		e, report, err := Recover(r.dir, r.options)
		if err != nil {
			return report, err
		}
		if len(report.Warnings) != 1 || e.Hash() != r.hashes[report.Commit] {
			t.Fatalf("zeros from byte %d on: %+v", from, report)
		}
		// and what goes on from there is whole
		l, err := Resume(r.dir, e, report, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		r.stands(t, report.Commit)
		if next := filepath.Join(r.dir, name(report.Commit+1, logExt)); next != path {
			if err := os.Remove(next); err != nil {
				t.Fatal(err)
			}
		}
		return report, nil
	}
	commits := func(at int) uint64 {
		n, found := slices.BinarySearch(ends, at)
		if !found {
			n--
		}
		return uint64(max(n, 0))
	}
	for _, zeros := range []int{1, frameHead, 1 << 20} {
		for _, from := range append(ends, 0) {
			if report, err := try(from, zeros); err != nil || report.Commit != commits(from) {
				t.Fatalf("%d zeros from byte %d on: %+v: %v", zeros, from, report, err)
			}
		}
	}
	for from := sector; from < len(whole); from += sector {
		if report, err := try(from, len(whole)-from); err != nil || report.Commit != commits(from) {
			t.Fatalf("zeros from byte %d on: %+v: %v", from, report, err)
		}
	}
	// a commit of which the last byte alone is zero was written, and is damaged
	if _, err := try(len(whole)-1, 1); !errors.Is(err, ErrDamaged) {
		t.Errorf("a last byte that is none: %v", err)
	}
	// what follows behind zeros was written after them
	write(t, path, append(append(bytes.Clone(whole[:ends[5]]), make([]byte, 4096)...), whole[ends[5]:]...))
	if _, _, err := Recover(r.dir, r.options); !errors.Is(err, ErrDamaged) {
		t.Errorf("zeros in the middle: %v", err)
	}
	restore()
	r.stands(t, 20)
}

// flipped recovers with a byte of a file changed. It is an error, or what is
// recovered is a state that there was.
func (r *recording) flipped(t *testing.T, path string, b []byte, at int, flip byte) (refused bool) {
	t.Helper()
	b[at] ^= flip
	write(t, path, b)
	b[at] ^= flip
	e, report, err := Recover(r.dir, r.options)
	if err == nil && (e.Hash() != r.hashes[report.Commit] || len(report.Warnings) == 0) {
		t.Fatalf("%s: byte %d ^%02x: stands on %+v", path, at, flip, report)
	}
	return err != nil
}

// A byte that is flipped anywhere in a log is an error; in a snapshot, that it is
// passed over for an older one.
func TestFlippedByte(t *testing.T) {
	r := recorded(t, 2, 12, 6, Options{HashEvery: 4})
	f := r.files(t)
	step := 1
	if testing.Short() {
		step = 23
	}
	for _, path := range []string{name(f.logs[len(f.logs)-1], logExt), name(f.snaps[1], snapExt)} {
		path = filepath.Join(r.dir, path)
		b, restore := read(t, path)
		for at := 0; at < len(b); at += step {
			for _, flip := range []byte{1, 0x80} {
				if refused := r.flipped(t, path, b, at, flip); refused != strings.HasSuffix(path, logExt) {
					t.Fatalf("%s: byte %d ^%02x: refused %v", path, at, flip, refused)
				}
			}
		}
		restore()
	}
	r.stands(t, 12)
}

// So it is in what is large.
func TestFlippedByteInLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("it recovers what is large thousands of times")
	}
	r := recorded(t, 300, 60, 30, Options{HashEvery: 10})
	f := r.files(t)
	draw := rand.New(rand.NewPCG(3, 4))
	log, snap := filepath.Join(r.dir, name(f.logs[len(f.logs)-1], logExt)), filepath.Join(r.dir, name(f.snaps[1], snapExt))
	b, restore := read(t, log)
	flips := 1500
	if n, err := strconv.Atoi(os.Getenv("GAIT_FLIPS")); err == nil {
		flips = n
	}
	for range flips {
		if !r.flipped(t, log, b, draw.IntN(len(b)), byte(1+draw.IntN(255))) {
			t.Fatal("a flipped byte is taken")
		}
	}
	restore()
	b, restore = read(t, snap)
	restore()
	for range 10_000 { // the fall-back to the older one is not what is tried here
		at, flip := draw.IntN(len(b)), byte(1+draw.IntN(255))
		b[at] ^= flip
		if _, err := systems.Restore(r.options, bytes.NewReader(b)); !errors.Is(err, ecs.ErrDamaged) {
			t.Fatalf("byte %d ^%02x: %v", at, flip, err)
		}
		b[at] ^= flip
	}
}

// A log of another engine is refused, and a replay that comes elsewhere is found.
func TestReplayOfAnother(t *testing.T) {
	r := recorded(t, 5, 10, 0, Options{HashEvery: 1})
	o := r.options
	o.Refresh = 3
	if _, _, err := Recover(r.dir, o); !errors.Is(err, ecs.ErrSettings) {
		t.Errorf("other options: %v", err)
	}
	other := recorded(t, 6, 10, 0, Options{HashEvery: 1})
	b, _ := read(t, filepath.Join(other.dir, name(1, logExt)))
	write(t, filepath.Join(r.dir, name(1, logExt)), b)
	if _, _, err := Recover(r.dir, r.options); !errors.Is(err, ErrDiverged) {
		t.Errorf("another's log: %v", err)
	}
	b[8]++
	write(t, filepath.Join(r.dir, name(1, logExt)), b)
	if _, _, err := Recover(r.dir, r.options); !errors.Is(err, ErrDamaged) {
		t.Errorf("a damaged head: %v", err)
	}
	b[8]--
	for at, what := range map[int]string{
		7: "the format", // gaitlog1 was before hashes were of parts
		8: "the types of input", 16: "the options", 24: "the tables", 55: "the tables",
	} {
		b[at]--
		binary.LittleEndian.PutUint32(b[headBytes-4:], crc32.Checksum(b[:headBytes-4], castagnoli))
		write(t, filepath.Join(r.dir, name(1, logExt)), b)
		if _, _, err := Recover(r.dir, r.options); !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), what) {
			t.Errorf("a log of which %s is another: %v", what, err)
		}
		b[at]++
	}
}

// A state that is another than the one recorded is refused, at the tick or when it is the
// turn of the part that it is in, and told with that.
func TestDivergedIsFoundInTurn(t *testing.T) {
	const every, at, guid = 8, 20, bench.FirstGuid + 37
	load := newLoad(t, 100)
	e, dir := load.engine(t), t.TempDir()
	l, err := Create(dir, e, Options{HashEvery: every})
	if err != nil {
		t.Fatal(err)
	}
	part := uint64(every)
	for i := range uint32(every) {
		if slices.Contains(e.AppendPart(nil, i, every), guid) {
			part = uint64(i)
		}
	}
	for commit := 1; commit <= 40; commit++ {
		load.feed(t, e)
		e.Tick()
		if commit == at {
			e.Inspect(guid, func(r *components.Row, _ *components.Pools) { r.Traits.Load = 0.5 })
		}
		if err := l.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	_, report, err := Recover(dir, load.options)
	found := report.Commit + 1
	if !errors.Is(err, ErrDiverged) || found < at || found >= at+every || found%every != part {
		t.Fatalf("in commit %d, part %d: %v", found, part, err)
	}
	for _, want := range []string{fmt.Sprintf("at tick %d", found+warm), fmt.Sprintf("part %d of 8", part), "0x5000002"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
	t.Log(err)
}

// Replay tells of every commit, and stops when it is told to.
func TestReplayTells(t *testing.T) {
	r := recorded(t, 5, 10, 4, Options{})
	n := uint64(4) // of the snapshots after 0, 4 and 8 two are kept
	same := func(e *systems.Engine) error {
		if e.Hash() != r.hashes[n] {
			t.Errorf("commit %d: another state", n)
		}
		return nil
	}
	if _, _, err := Replay(r.dir, r.options, same, func(e *systems.Engine, tape []byte) error {
		n++
		if len(tape) == 0 {
			t.Error("nothing on the tape, not even a tick")
		}
		return same(e)
	}); err != nil || n != 10 {
		t.Errorf("%d: %v", n, err)
	}
	stop := errors.New("stop")
	no := func(*systems.Engine) error { return stop }
	if _, _, err := Replay(r.dir, r.options, no, nil); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
	if _, _, err := Replay(r.dir, r.options, func(*systems.Engine) error { return nil }, func(e *systems.Engine, _ []byte) error { return no(e) }); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}

// Replay begins with the next snapshot when the oldest cannot be read, and says so.
func TestReplayPassesOverADamagedSnapshot(t *testing.T) {
	r := recorded(t, 5, 10, 4, Options{})
	write(t, filepath.Join(r.dir, name(4, snapExt)), []byte("nothing"))
	var began uint64
	begin := func(e *systems.Engine) error { began = e.Now() - warm; return nil }
	e, report, err := Replay(r.dir, r.options, begin, func(*systems.Engine, []byte) error { return nil })
	if err != nil || began != 8 || report.Commit != 10 || len(report.Warnings) != 1 || e.Hash() != r.hashes[10] {
		t.Errorf("from commit %d: %+v, %v", began, report, err)
	}
	write(t, filepath.Join(r.dir, name(8, snapExt)), []byte("nothing"))
	if _, _, err := Replay(r.dir, r.options, begin, nil); err == nil {
		t.Error("replays from nothing")
	}
}

// An engine has one recording at a time; the second leaves the first as it was, and nothing behind.
func TestOneRecordingOfAnEngine(t *testing.T) {
	r := recording{load: newLoad(t, 5), dir: filepath.Join(t.TempDir(), "rec")}
	e := r.engine(t)
	l, err := Create(r.dir, e, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.hashes = append(r.hashes, e.Hash())
	other := filepath.Join(t.TempDir(), "other")
	if _, err := Create(other, e, Options{}); !errors.Is(err, ErrRecorded) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(other); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	r.step(t, e, l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r.stands(t, 1)
	if l, err = Create(other, e, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// When a write fails the recording ends there, and says so ever after.
func TestWriteFails(t *testing.T) {
	r := recorded(t, 5, 10, 0, Options{})
	e, report := r.stands(t, 10)
	l, err := Resume(r.dir, e, report, Options{})
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("no room")
	writeTo = func(f *os.File, b []byte) (int, error) {
		n, _ := f.Write(b[:len(b)/2])
		return n, full
	}
	defer func() { writeTo = (*os.File).Write }()
	e.Tick()
	for range 2 {
		if err := l.Commit(); !errors.Is(err, full) {
			t.Errorf("%v", err)
		}
	}
	for range 2 {
		if err := l.Close(); !errors.Is(err, full) || l.Err() != err {
			t.Errorf("%v, %v", err, l.Err())
		}
	}
	r.stands(t, 10)
}

// A snapshot that cannot be written leaves nothing behind, and one that what is older
// cannot be removed for is there: the recording goes on.
func TestSnapshotFails(t *testing.T) {
	r := recorded(t, 5, 10, 10, Options{})
	e, report := r.stands(t, 10)
	l, err := Resume(r.dir, e, report, Options{Keep: 1})
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("no room")
	syncTo = func(f *os.File) error { return full }
	defer func() { syncTo = (*os.File).Sync }()
	if err := l.Snapshot(); !errors.Is(err, full) || l.Err() != nil {
		t.Errorf("%v, %v", err, l.Err())
	}
	if f := r.files(t); len(f.parts) > 0 || !slices.Equal(f.snaps, []uint64{0, 10}) {
		t.Errorf("%+v", f)
	}
	syncTo = (*os.File).Sync
	r.step(t, e, l)
	first := filepath.Join(r.dir, name(0, snapExt)) // a folder with something in it is not removed
	if err := errors.Join(os.Remove(first), os.MkdirAll(filepath.Join(first, "something"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if err := l.Snapshot(); err == nil || l.Err() != nil {
		t.Errorf("%v, %v", err, l.Err())
	}
	r.step(t, e, l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, report := r.stands(t, 12); report.Snapshot != 11 {
		t.Errorf("%+v", report)
	}
}

// Closing once more is nothing to the recording that came after it.
func TestCloseTwice(t *testing.T) {
	load := newLoad(t, 5)
	e, dir := load.engine(t), t.TempDir()
	first, err := Create(filepath.Join(dir, "first"), e, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := Create(filepath.Join(dir, "second"), e, Options{HashEvery: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil || first.Err() != nil {
		t.Errorf("%v, %v", err, first.Err())
	}
	e.Tick()
	if err := errors.Join(l.Commit(), l.Close()); err != nil {
		t.Fatal(err)
	}
	if again, _, err := Recover(filepath.Join(dir, "second"), load.options); err != nil || again.Hash() != e.Hash() {
		t.Errorf("the second recording: %v", err)
	}
}

// With Sync the disk has each thing before the next is made that relies on it: a folder,
// the snapshot before it has its name, its name and the log behind before older ones go;
// who resumes has it take what was read, and cut off. Without, it has the snapshots.
func TestSyncsInOrder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "rec")
	var got []string
	syncTo = func(f *os.File) error {
		name, _ := filepath.Rel(filepath.Dir(filepath.Dir(dir)), f.Name())
		names, err := filepath.Glob(filepath.Join(dir, "*"+snapExt))
		got = append(got, fmt.Sprint(name, " ", len(names)))
		return errors.Join(err, f.Sync())
	}
	defer func() { syncTo = (*os.File).Sync }()
	load := newLoad(t, 3)
	e := load.engine(t)
	synced := func(what string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s syncs %q, with so many snapshots there, not %q", what, got, want)
		}
		got = nil
	}
	in := func(n uint64, ext string, snaps int) string { return fmt.Sprint("a/rec/", name(n, ext), " ", snaps) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Sync: true, Keep: 1}
	l, err := Create(dir, e, o)
	must(err)
	synced("Create", "a 0", ". 0", in(0, partExt, 0), in(1, logExt, 1), "a/rec 1")
	e.Tick()
	must(l.Commit())
	synced("Commit", in(1, logExt, 1))
	must(l.Snapshot())
	synced("Snapshot", in(1, partExt, 1), in(2, logExt, 2), "a/rec 2")
	e.Tick()
	must(errors.Join(l.Commit(), l.Close()))
	path := filepath.Join(dir, name(2, logExt))
	b, _ := read(t, path)
	write(t, path, b[:len(b)-1])
	e, report, err := Recover(dir, load.options)
	must(err)
	got = nil
	l, err = Resume(dir, e, report, o)
	must(err)
	synced("Resume", in(1, snapExt, 1), in(2, logExt, 1), in(2, logExt, 1), "a/rec 1")
	must(l.Close())
	e, report, err = Recover(dir, load.options)
	must(err)
	l, err = Resume(dir, e, report, Options{})
	must(err)
	e.Tick()
	must(l.Snapshot())
	must(l.Close())
	synced("without Sync a Snapshot", in(2, partExt, 1))
}

// A recording that cannot be begun leaves the engine as it was: its inputs go on no tape.
func TestCannotBegin(t *testing.T) {
	r := recorded(t, 5, 10, 0, Options{})
	e, report := r.stands(t, 10)
	full := errors.New("no room")
	writeTo = func(*os.File, []byte) (int, error) { return 0, full }
	defer func() { writeTo = (*os.File).Write }()
	lost := func(l *Log, err error) {
		t.Helper()
		if l != nil || !errors.Is(err, full) || !reflect.ValueOf(e).Elem().FieldByName("tape").IsNil() {
			t.Errorf("%v, %v", l, err)
		}
	}
	lost(Create(t.TempDir(), e, Options{}))
	lost(Resume(r.dir, e, report, Options{}))
}

// A commit of what a tick was given allocates nothing, once warm.
func TestCommitAllocatesNothing(t *testing.T) {
	r := newLoad(t, 500)
	e := r.engine(t)
	l, err := Create(t.TempDir(), e, Options{HashEvery: 4})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.stream.Fill(&r.window, 200, nil); err != nil {
		t.Fatal(err)
	}
	step := func() {
		r.feed(t, e)
		e.Tick()
		if err := l.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	for range 150 {
		step()
	}
	if n := testing.AllocsPerRun(40, step); n > 1 { // lists that outgrow their room, as without recording
		t.Errorf("%v allocations a tick", n)
	}
}

// Who has nothing to go on from is told so, apart from all that is wrong; and which option is.
func TestNothingToRecover(t *testing.T) {
	dir := t.TempDir()
	for _, dir := range []string{dir, filepath.Join(dir, "nowhere")} {
		if _, _, err := Recover(dir, systems.Options{}); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	dir = filepath.Join(dir, "new")
	for _, o := range []Options{{Keep: -1}, {SegmentBytes: -1}, {HashEvery: MaxHashEvery + 1}} {
		if _, err := Create(dir, nil, o); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder is left of what was refused: %v", err)
	}
}

// A folder may have any name, and what else is in it is left alone.
func TestOthersFilesAreLeftAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	others := []string{"film.part", "x.snap.part", "000000000000000A.snap", "ffff.log", "000000000000000a.snap.part.log"}
	for _, n := range others {
		write(t, filepath.Join(dir, n), nil)
	}
	write(t, filepath.Join(dir, name(7, partExt)), nil) // of a snapshot that was not finished
	load := newLoad(t, 5)
	l, err := Create(dir, load.engine(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Recover(dir, load.options); err != nil {
		t.Error(err)
	}
	var left []string
	all, err := os.ReadDir(dir)
	for _, d := range all {
		left = append(left, d.Name())
	}
	want := append(others, name(0, snapExt), name(1, logExt))
	slices.Sort(want)
	if err != nil || !slices.Equal(left, want) {
		t.Errorf("%v: %v", left, err)
	}
}

// A frame takes no more room than what is stored can expand to, whatever it says of itself.
func TestFrameTakesNoRoomByItsClaim(t *testing.T) {
	var c coder
	const claim = maxFrame
	stored := append(binary.AppendUvarint(nil, claim), 0, 0, 0) // 32 bytes with the head
	h := make([]byte, frameHead)
	binary.LittleEndian.PutUint32(h[8:], claim)
	binary.LittleEndian.PutUint32(h[12:], uint32(len(stored)))
	binary.LittleEndian.PutUint32(h[16:], crc32.Checksum(stored, castagnoli))
	binary.LittleEndian.PutUint32(h[20:], crc32.Checksum(h[:20], castagnoli))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := c.next(bytes.NewReader(append(h, stored...)))
	runtime.ReadMemStats(&after)
	if room := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, ErrDamaged) || room > 64<<20 {
		t.Errorf("%d bytes of room: %v", room, err)
	}
	// what shrinks as far as anything does is read again
	for _, n := range []int{1 << 10, 100 << 20} {
		f := bytes.Clone(c.frame(&entry{commit: 1, tape: make([]byte, n)}))
		x, _, err := c.next(bytes.NewReader(f))
		if err != nil || len(x.tape) != n {
			t.Errorf("%d bytes in a frame of %d become %d: %v", n, len(f), len(x.tape), err)
		}
	}
}
