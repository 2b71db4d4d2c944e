package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const walk = "../../testdata/scenarios/tiny-walk.json"

func TestScenarioTrace(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"-scenario", walk}, &out, &errs); code != 0 || errs.Len() > 0 {
		t.Fatalf("status %d: %s", code, &errs)
	}
	if !strings.HasPrefix(out.String(), `{"tick":1,"guid":"0x`) {
		t.Errorf("output begins %.60s", out.String())
	}

	file := filepath.Join(t.TempDir(), "trace.jsonl")
	var nothing bytes.Buffer
	if code := run([]string{"-scenario", walk, "-trace", file, "-workers", "3", "-chunk", "64"}, &nothing, &errs); code != 0 || nothing.Len()+errs.Len() > 0 {
		t.Fatalf("status %d: %s%s", code, &nothing, &errs)
	}
	b, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(b, out.Bytes()) {
		t.Errorf("the file holds another trace than standard output (%v)", err)
	}
}

// A call that is wrong makes no file.
func TestNoTraceFileOfAWrongCall(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.jsonl")
	var out, errs bytes.Buffer
	if code := run([]string{"-scenario", walk, "-trace", file, "-workers", "-1"}, &out, &errs); code != 2 {
		t.Errorf("status %d", code)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the file is there: %v", err)
	}
}

// Whatever a line of a recording holds, it is a message or says why it is none.
func FuzzRecordedLine(f *testing.F) {
	for _, line := range []string{
		"", "{}", `{"t":1.5,"hex":"4cf70000"}`, `{"t":-1,"hex":"4C F7"}`, `{"hex":"zz"}`, `{"t":1e400,"hex":"00"}`,
		`{"t":"1","hex":"00"}`, `{"hex":"00"} x`, `[]`, `null`, `{"T":2,"HEX":"0001"}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		at, msg, err := recordedLine(line)
		if err != nil {
			if msg != nil || at != 0 {
				t.Errorf("%v, and a message at %v", err, at)
			}
			return
		}
		if math.IsNaN(at) || math.IsInf(at, 0) {
			t.Errorf("at %v s", at)
		}
		if len(msg) == 0 && len(line) > 0 {
			t.Error("an empty message")
		}
		again, err := json.Marshal(recorded{T: at, Hex: hex.EncodeToString(msg)})
		if err != nil {
			t.Fatal(err)
		}
		if len(line) == 0 {
			return
		}
		if at2, msg2, err := recordedLine(again); err != nil || at2 != at || !bytes.Equal(msg2, msg) {
			t.Errorf("%s: %v %x %v", again, at2, msg2, err)
		}
	})
}

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"-x"}, 2},
		{[]string{"-scenario", walk, "-messages", "x.jsonl"}, 2},
		{[]string{"-scenario", walk, "-ticks", "3"}, 2},
		{[]string{"-workers", "2"}, 2},
		{[]string{"-trace", "x.jsonl"}, 2},
		{[]string{"-ticks", "0"}, 2},
		{[]string{"-hours", "-1"}, 2},
		{[]string{"-hours", "1", "-ticks", "5"}, 2},
		{[]string{"-load", "heavy"}, 2},
		{[]string{"-sweep", "sky"}, 2},
		{[]string{"-replay", "x", "-n", "5"}, 2},
		{[]string{"-ticks", "1", "-n", "0"}, 2},
		{[]string{"-ticks", "1", "-world", "none.csv"}, 1},
		{[]string{"-scenario", walk, "more"}, 2},
		{[]string{"-scenario", walk, "-tables", "."}, 2},
		{[]string{"-scenario", walk, "-dat", "x.dat"}, 2},
		{[]string{"-messages", "x.jsonl", "-trace", "y.jsonl"}, 2},
		{[]string{"-h"}, 0},
		{[]string{"-scenario", "none.json"}, 1},
		{[]string{"-scenario", walk, "-workers", "-1"}, 2},
		{[]string{"-scenario", walk, "-workers", "1025"}, 2},
		{[]string{"-scenario", walk, "-chunk", "-1"}, 2},
		{[]string{"-scenario", walk, "-workers", "1024", "-chunk", "16385"}, 2},
		{[]string{"-messages", "none.jsonl", "-workers", "-1"}, 2},
		{[]string{"-scenario", walk, "-trace", filepath.Join(t.TempDir(), "no", "folder")}, 1},
	} {
		var out, errs bytes.Buffer
		if code := run(c.args, &out, &errs); code != c.code || errs.Len() == 0 {
			t.Errorf("%v: status %d, want %d; says %q", c.args, code, c.code, errs.String())
		}
	}
}
