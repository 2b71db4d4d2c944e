package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/bench/ground"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/testdata/fixtures"
)

func TestRun(t *testing.T) {
	world := filepath.Join(t.TempDir(), "world.csv")
	const text = "cell,x,y,z,qw,qx,qy,qz,motion_table,setup,scale,kind\n" +
		"0x01020105,-40.5,3,-18,0,0,0,1,0x09000001,0x02000001,1,placed\n" +
		"0x03040000,25,49,7.5,0.6,0,0,-0.8,0x09000182,0x02000002,0.5,placed\n"
	if err := os.WriteFile(world, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	small := []string{"-n", "20", "-ticks", "30"}
	portal, cell, records := landFiles(t)
	for _, c := range []struct {
		args []string
		code int
		says string // in the output when the code is 0, else among the errors
	}{
		{small, 0, "mixed, sweep none"},
		{append(small, "-load", "storm", "-workers", "2", "-count", "2"), 0, "storm"},
		{append(small, "-load", "busy"), 0, "busy, sweep none"},
		{append(small, "-tables", "../../testdata/fixtures"), 0, "mixed"},
		{[]string{"-ticks", "30", "-world", world}, 0, "remotes              2"},
		{append(small, "-world", world), 0, "remotes              20"},
		{append(small, "-sweep", "flat"), 0, "mixed, sweep flat"},
		{append(small, "-sweep", "terrain", "-side", "8"), 0, "mixed, sweep terrain"},
		{append(small, "-sweep", "terrain", "-side", "5", "-load", "dense", "-tables", "../../testdata/fixtures"), 0, "dense, sweep terrain"},
		{append(small, "-sweep", "terrain", "-cell", cell, "-tables", records), 0, "mixed, sweep terrain"},
		{append(small, "-scan"), 0, "speed-up"},
		{append(small, "-scan", "-load", "storm", "-sweep", "flat", "-workers", "3"), 0, "load storm, sweep flat, 30 ticks"},
		{[]string{"-ticks", "30", "-scan", "-world", world, "-n", "9"}, 0, "remotes"},
		{[]string{"-h"}, 0, ""},
		{append(small, "-workers", "1,2"), 2, "-workers 1,2: several need -scan"},
		{append(small, "-scan", "-workers", "2,0"), 2, "-workers 0"},
		{append(small, "-scan", "-workers", "2,"), 2, "whole numbers"},
		{append(small, "-scan", "-profile", "cpu"), 2, "-scan"},
		{[]string{"-scan", "-n", "0"}, 2, "0 remotes"},
		{[]string{"-sweep", "rain"}, 2, "-sweep rain"},
		{[]string{"-cell", "a", "-dat", "b"}, 2, "-sweep terrain"},
		{[]string{"-sweep", "terrain", "-cell", "a"}, 2, "-dat or -tables"},
		{[]string{"-sweep", "terrain", "-world", world}, 2, "population"},
		{[]string{"-sweep", "terrain", "-side", "2"}, 2, "2 × 2 blocks"},
		{[]string{"-sweep", "terrain", "-side", "3", "-load", "dense"}, 2, "too small"},
		{[]string{"-sweep", "terrain", "-cell", "no such file", "-tables", records}, 1, "no such file"},
		{[]string{"-sweep", "terrain", "-cell", portal, "-tables", records}, 1, "no landblocks"},
		{[]string{"-load", "rain"}, 2, `"rain"`},
		{[]string{"-n", "0"}, 2, "0 remotes"},
		{[]string{"-ticks", "-1"}, 2, "-1 ticks"},
		{[]string{"-count", "0"}, 2, "-count 0"},
		{[]string{"-workers", "0"}, 2, "-workers 0"},
		{[]string{"-profile", "x"}, 2, "-profile x"},
		{[]string{"-tables", "a", "-dat", "b"}, 2, "give one"},
		{[]string{"-world", world, "-load", "dense"}, 2, "dense"},
		{[]string{"-rain"}, 2, "-rain"},
		{[]string{"rain"}, 2, "rain"},
		{[]string{"-dat", "no such file"}, 1, "no such file"},
		{[]string{"-tables", "no such folder"}, 1, "no such folder"},
		{[]string{"-world", "no such file"}, 1, "no such file"},
		{append(small, "-tables", "../../testdata/fixtures/tiny"), 1, "0x09000001"},
	} {
		if testing.Short() && c.code == 0 && !slices.Contains(c.args, "-workers") {
			continue // as mayTakeLong has it
		}
		var out, errs bytes.Buffer
		code := run(c.args, &out, &errs, nil)
		said := &out
		if c.code != 0 {
			said = &errs
		}
		if code != c.code || !strings.Contains(said.String(), c.says) {
			t.Errorf("%q: status %d, want %d and %q\n%s%s", c.args, code, c.code, c.says, out.String(), errs.String())
		}
		if c.code != 0 && out.Len() > 0 || c.code == 0 && c.says != "" && errs.Len() > 0 {
			t.Errorf("%q: output on the wrong side\n%s%s", c.args, out.String(), errs.String())
		}
	}
}

// mayTakeLong skips, of short tests, what makes several runs: each has a floor to measure,
// which is slow under the race detector.
func mayTakeLong(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("several runs")
	}
}

// landFiles writes a land's two files, and a folder with its models and the gaits' records.
func landFiles(t *testing.T) (portal, cell, records string) {
	t.Helper()
	dir := t.TempDir()
	portal, cell, records = filepath.Join(dir, "portal.dat"), filepath.Join(dir, "cell.dat"), filepath.Join(dir, "records")
	write := func(name string, b []byte) {
		if err := os.WriteFile(name, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := ground.Around(6)
	var p, c bytes.Buffer
	if err := ground.Write(&p, &c, 3, r); err != nil {
		t.Fatal(err)
	}
	write(portal, p.Bytes())
	write(cell, c.Bytes())
	land, err := ground.Make(3, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"humanoid", "creature"} {
		sub, err := fs.Sub(fixtures.FS, folder)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(filepath.Join(records, folder), sub); err != nil {
			t.Fatal(err)
		}
	}
	for _, rec := range land.Portal {
		write(filepath.Join(records, fmt.Sprintf("%08X.bin", rec.ID)), rec.Data)
	}
	return portal, cell, records
}

func TestJSON(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"-n", "20", "-ticks", "30", "-json"}, &out, &errs, nil); code != 0 {
		t.Fatal(errs.String())
	}
	var v map[string]any
	if err := json.Unmarshal(out.Bytes(), &v); err != nil || len(v) != 27 || v["load"] != "mixed" || v["remotes"] != 20.0 {
		t.Errorf("%v: %s", err, out.String())
	}
}

// -scan -json prints a line for every number of remotes and of workers.
func TestScanJSON(t *testing.T) {
	mayTakeLong(t)
	var out, errs bytes.Buffer
	if code := run([]string{"-scan", "-n", "1100", "-ticks", "7", "-json"}, &out, &errs, nil); code != 0 {
		t.Fatal(errs.String())
	}
	var got [][2]int
	for d := json.NewDecoder(&out); d.More(); {
		var r bench.Result
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if len(r.Stages) != 1+systems.Stages {
			t.Errorf("%d stages of %d remotes", len(r.Stages), r.Remotes)
		}
		got = append(got, [2]int{r.Remotes, r.Workers})
	}
	if want := [][2]int{{1000, 1}, {1000, 2}, {1100, 1}, {1100, 2}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// -out writes a page with every chart that there are figures for.
func TestPage(t *testing.T) {
	mayTakeLong(t)
	for _, c := range []struct {
		args []string
		with []string
		not  []string
	}{
		{nil, []string{"Time by stage", "Memory touched by stage", "in the middle", "farthest off"}, []string{"floor, one worker", "Growth"}},
		{[]string{"-scan", "-json"}, []string{"Cost of a remote against their number", "floor, one worker", "2 workers"}, nil},
		{[]string{"-load", "idle", "-ticks", "3"}, []string{"No remote moved."}, []string{"Time by stage"}},
	} {
		dir := t.TempDir()
		var out, errs bytes.Buffer
		if code := run(append([]string{"-n", "60", "-ticks", "330", "-out", dir}, c.args...), &out, &errs, nil); code != 0 {
			t.Fatal(errs.String())
		}
		b, err := os.ReadFile(filepath.Join(dir, "bench.html"))
		if err != nil {
			t.Fatal(err)
		}
		page := string(b)
		for _, want := range append(c.with, "Tick times over the run", "Distribution of tick times", "Error over time", "Paths from above", "per remote and tick") {
			if !strings.Contains(page, want) {
				t.Errorf("%q: no %q", c.args, want)
			}
		}
		for _, not := range append(c.not, "There is nothing to draw") {
			if strings.Contains(page, not) {
				t.Errorf("%q: there is %q", c.args, not)
			}
		}
	}
	var out, errs bytes.Buffer
	if code := run([]string{"-n", "20", "-ticks", "30", "-out", "main.go"}, &out, &errs, nil); code != 1 {
		t.Errorf("status %d with a file for a folder", code)
	}
}

func TestProgress(t *testing.T) {
	var out, errs, bar bytes.Buffer
	if code := run([]string{"-n", "20", "-ticks", "30", "-count", "2"}, &out, &errs, &bar); code != 0 {
		t.Fatal(errs.String())
	}
	if !strings.Contains(bar.String(), "2/2 ") || strings.Contains(out.String()+errs.String(), "2/2") {
		t.Errorf("bar %q", bar.String())
	}
}

func TestProfile(t *testing.T) {
	mayTakeLong(t)
	for _, c := range []struct{ kind, file string }{{"cpu", "cpu.pprof"}, {"mem", "mem.pprof"}, {"trace", "trace.out"}} {
		t.Chdir(t.TempDir())
		var out, errs bytes.Buffer
		if code := run([]string{"-n", "20", "-ticks", "30", "-profile", c.kind, "-count", "2"}, &out, &errs, nil); code != 0 {
			t.Fatal(errs.String())
		}
		if i, err := os.Stat(c.file); err != nil || i.Size() == 0 {
			t.Errorf("%s: %v", c.kind, err)
		}
	}
}
