package main

import (
	"bytes"
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

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
	}{
		{nil, 2},
		{[]string{"-x"}, 2},
		{[]string{"-scenario", walk, "more"}, 2},
		{[]string{"-scenario", walk, "-tables", "."}, 2},
		{[]string{"-scenario", walk, "-dat", "x.dat"}, 2},
		{[]string{"-messages", "x.jsonl", "-trace", "y.jsonl"}, 2},
		{[]string{"-h"}, 0},
		{[]string{"-scenario", "none.json"}, 1},
		{[]string{"-scenario", walk, "-workers", "-1"}, 1},
		{[]string{"-scenario", walk, "-trace", filepath.Join(t.TempDir(), "no", "folder")}, 1},
	} {
		var out, errs bytes.Buffer
		if code := run(c.args, &out, &errs); code != c.code || errs.Len() == 0 {
			t.Errorf("%v: status %d, want %d; says %q", c.args, code, c.code, errs.String())
		}
	}
}
