package scenario

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gait-engine/gait/systems"
)

// keysOf returns the keys of a JSON object as they come.
func keysOf(t *testing.T, line []byte) (keys []string) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(line))
	depth := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			return keys
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		default:
			if s, ok := token.(string); ok && depth == 1 && !strings.HasPrefix(s, "0x") {
				keys = append(keys, s)
			}
		}
	}
}

// TestTraceKeys: the keys are those of the format, in its order.
func TestTraceKeys(t *testing.T) {
	root := filepath.Join(testdata, "scenarios")
	s := load(t, root, "run-stop")
	var out bytes.Buffer
	if err := Run(s, tables(t, s), Options{}, &out); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(root, "expected", "run-stop.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	expected, err := bufio.NewReader(z).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	ours, err := out.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	if got, want := keysOf(t, ours), keysOf(t, expected); !reflect.DeepEqual(got, want) {
		t.Errorf("keys\n%v, want\n%v", got, want)
	}
}

// TestTraceOrder: a tick's lines come in the order of the file, which is not that of the guids.
func TestTraceOrder(t *testing.T) {
	s := load(t, filepath.Join(testdata, "scenarios"), "run-stop")
	late := s.Entities[0]
	late.Guid--
	s.Entities = append(s.Entities, late)
	s.Ticks = 2
	var out bytes.Buffer
	if err := Run(s, tables(t, s), Options{}, &out); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		got = append(got, line[:strings.Index(line, `,"cell"`)])
	}
	want := []string{
		`{"tick":1,"guid":"0x50000001"`, `{"tick":1,"guid":"0x50000000"`,
		`{"tick":2,"guid":"0x50000001"`, `{"tick":2,"guid":"0x50000000"`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestTraceNumbers(t *testing.T) {
	for _, c := range []struct {
		v    float32
		want string
	}{
		{0, "0"}, {float32(math.Copysign(0, -1)), "-0"}, {1, "1"}, {0.1, "0.1"}, {-2.53, "-2.53"}, {0.258819044, "0.25881904"},
		{1e6, "1000000"}, {1e-7, "1e-07"}, {1e21, "1e+21"}, {math.MaxFloat32, "3.4028235e+38"},
	} {
		var tr tracer
		tr.float(c.v)
		if string(tr.b) != c.want || tr.bad {
			t.Errorf("%v is written %s, want %s", c.v, tr.b, c.want)
		}
		var back float32
		if err := json.Unmarshal(tr.b, &back); err != nil || math.Float32bits(back) != math.Float32bits(c.v) {
			t.Errorf("%s reads back as %v (%v)", tr.b, back, err)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		var tr tracer
		tr.double(v)
		if !tr.bad {
			t.Errorf("%v passes for a number", v)
		}
	}
	var tr tracer
	tr.id(0)
	tr.id(0xA)
	tr.id(0xA9B40025)
	if got := string(tr.b); got != `"0x0""0x0000000A""0xA9B40025"` {
		t.Error(got)
	}
}

func TestRunRefuses(t *testing.T) {
	root := filepath.Join(testdata, "scenarios")
	s := load(t, root, "run-stop")
	tb := tables(t, s)

	bad := *s
	bad.TickHz = 1e6
	if err := Run(&bad, tb, Options{}, nil); !errors.Is(err, systems.ErrOptions) {
		t.Errorf("a million ticks a second: %v", err)
	}
	bad = *s
	bad.Entities = append([]systems.Spawn(nil), s.Entities...)
	bad.Entities[0].MotionTable = 0x0900FFFF
	if err := Run(&bad, tb, Options{}, nil); !errors.Is(err, systems.ErrSpawn) || !strings.Contains(err.Error(), "entity 0") {
		t.Errorf("an unknown motion table: %v", err)
	}
	bad = *s
	bad.Events = append([]Event(nil), s.Events...)
	bad.Events[1].Command.State.ForwardSpeed = float32(math.NaN())
	if err := Run(&bad, tb, Options{}, nil); !errors.Is(err, systems.ErrCommand) || !strings.Contains(err.Error(), "event 1 (tick 40") {
		t.Errorf("a command that is no number: %v", err)
	}
	stop := errors.New("stop")
	ticks := 0
	err := Run(s, tb, Options{AfterTick: func(*systems.Engine) error {
		if ticks++; ticks == 5 {
			return stop
		}
		return nil
	}}, nil)
	if !errors.Is(err, stop) || ticks != 5 {
		t.Errorf("%v after %d ticks", err, ticks)
	}
	if err := Run(s, tb, Options{}, full{}); !errors.Is(err, errFull) {
		t.Errorf("nowhere to write: %v", err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
