package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/systems"
)

// A process that records is killed again and again, and taken up each time.

const (
	killRemotes  = 2000
	killSnapshot = 40 // ticks from one snapshot to the next
	// What a child is told by its environment.
	childDir  = "GAIT_CHILD_DIR"
	childEnd  = "GAIT_CHILD_END"  // the tick at which it ends
	childTear = "GAIT_CHILD_TEAR" // kills itself inside its so manieth write

	killsWanted = "GAIT_KILLS" // how often a child is killed, instead of a few times
)

// TestKilledChild is the process that is killed: it takes up what is recorded, says
// on which tick it stands, and then each tick that it has committed.
func TestKilledChild(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		t.Skip("it is started by TestKilledAgainAndAgain")
	}
	end, err := strconv.Atoi(os.Getenv(childEnd))
	if err != nil {
		t.Fatal(err)
	}
	if tear, err := strconv.Atoi(os.Getenv(childTear)); err == nil && tear > 0 {
		writeTo = func(f *os.File, b []byte) (int, error) {
			if tear--; tear > 0 {
				return f.Write(b)
			}
			if _, err := f.Write(b[:len(b)*2/3]); err != nil {
				return 0, err
			}
			return 0, syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	}
	load := newLoad(t, killRemotes)
	o := Options{HashEvery: 16, SegmentBytes: 1 << 20}
	e, report, err := Recover(dir, load.options)
	var l *Log
	if err == nil {
		l, err = Resume(dir, e, report, o)
	} else if f, lerr := list(dir); lerr == nil && len(f.snaps) == 0 { // killed before the first
		clean(t, dir)
		e = load.engine(t)
		l, err = Create(dir, e, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range report.Warnings {
		fmt.Println("warning", w)
	}
	fmt.Println("stands", e.Now())
	load.skip(t, e.Now())
	for e.Now() < uint64(end) {
		load.feed(t, e)
		e.Tick()
		if err := l.Commit(); err != nil {
			t.Fatal(err)
		}
		fmt.Println("tick", e.Now())
		if e.Now()%killSnapshot == 0 {
			if err := l.Snapshot(); err != nil {
				t.Fatal(err)
			}
		}
	}
	fmt.Printf("hash %016x\n", e.Hash())
}

// clean removes what a child has left that was killed before there was a recording.
func clean(t testing.TB, dir string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	for _, d := range all {
		err = errors.Join(err, os.Remove(dir+"/"+d.Name()))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestKilledAgainAndAgain: each time the child stands on the last tick that it had
// committed, or on a later one, and comes in the end to where it would have come had
// nobody killed it.
func TestKilledAgainAndAgain(t *testing.T) {
	kills := 16
	if testing.Short() {
		kills = 4
	}
	if n, err := strconv.Atoi(os.Getenv(killsWanted)); err == nil {
		kills = n
	}
	draw := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	dir := t.TempDir()
	last, torn, inside, beyond := uint64(0), 0, 0, 0
	end := uint64(kills * 22)
	hash := ""
	for i := 0; hash == ""; i++ {
		c := exec.Command(os.Args[0], "-test.run=^TestKilledChild$", "-test.v")
		c.Env = append(os.Environ(), childDir+"="+dir, childEnd+"="+fmt.Sprint(end))
		acks := draw.IntN(40)
		switch {
		case i >= kills:
			acks = -1 // let it come to its end
		case i%4 == 3: // inside a write of its own
			c.Env = append(c.Env, childTear+"="+fmt.Sprint(1+draw.IntN(30)))
			acks = -1
			inside++
		}
		var stderr bytes.Buffer
		c.Stderr = &stderr
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		stood := false
		var said []string
		for lines := bufio.NewScanner(out); lines.Scan(); {
			said = append(said, lines.Text())
			what, value, _ := strings.Cut(lines.Text(), " ")
			n, _ := strconv.ParseUint(value, 10, 64)
			switch what {
			case "stands":
				stood = true
				if n < last {
					t.Fatalf("kill %d: it stands on tick %d, having committed %d", i, n, last)
				}
				if n > last {
					beyond++
				}
				last = n
			case "tick":
				last = n
			case "warning":
				torn++
			case "hash":
				hash = value
			}
			if acks == 0 && stood {
				time.Sleep(time.Duration(draw.IntN(2000)) * time.Microsecond)
				_ = c.Process.Kill() // or it is gone already
				acks = -1
				_, _ = io.Copy(io.Discard, out)
				// what it said before it died counts; it may have said more than was read
				break
			}
			if what == "tick" && acks > 0 {
				acks--
			}
		}
		err = c.Wait()
		if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL) {
			t.Fatalf("child %d: %v\n%s\n%s", i, err, strings.Join(said, "\n"), stderr.String())
		}
	}
	load := newLoad(t, killRemotes)
	e := load.engine(t)
	for e.Now() < end {
		load.feed(t, e)
		e.Tick()
	}
	if want := fmt.Sprintf("%016x", e.Hash()); hash != want {
		t.Errorf("after %d kills it ends in %s, without in %s", kills, hash, want)
	}
	t.Logf("%d kills, %d of them inside a write: %d torn tails, %d times it stood further than it had said; the same end at tick %d", kills, inside, torn, beyond, end)
	if inside > 10 && torn == 0 {
		t.Error("no tail was torn")
	}
}

// load is a busy load, and the options of the engine that it is for.
type load struct {
	stream  *bench.Stream
	window  bench.Window
	at      int // in the window
	options systems.Options
}

func newLoad(t testing.TB, n int) *load { return loadOf(t, bench.Busy, n) }

func loadOf(t testing.TB, kind bench.Load, n int) *load {
	t.Helper()
	tables, err := bench.EmbeddedTables()
	if err != nil {
		t.Fatal(err)
	}
	s, err := bench.NewStream(kind, n, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &load{stream: s, options: systems.Options{Tables: tables}}
}

// engine is one with the load's remotes, warm.
func (l *load) engine(t testing.TB) *systems.Engine {
	t.Helper()
	e, err := bench.Spawned(l.stream, l.options)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// warm is the tick at which the load begins.
const warm = 4

// skip goes on to what comes after a tick.
func (l *load) skip(t testing.TB, tick uint64) {
	t.Helper()
	for uint64(l.stream.Tick())+warm < tick {
		if err := l.stream.Fill(&l.window, 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	l.at = l.window.Ticks()
}

// feed gives an engine the inputs of the next tick.
func (l *load) feed(t testing.TB, e *systems.Engine) {
	t.Helper()
	if l.at == l.window.Ticks() {
		if err := l.stream.Fill(&l.window, 1, nil); err != nil {
			t.Fatal(err)
		}
		l.at = 0
	}
	b, sizes := l.window.Messages(l.at)
	if err := bench.Feed(e, b, sizes); err != nil {
		t.Fatal(err)
	}
	l.at++
}
