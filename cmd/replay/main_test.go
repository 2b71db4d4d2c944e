package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/capture"
	"github.com/gait-engine/gait/replay"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire"
	"github.com/gait-engine/gait/wire/transport"
)

// file writes a capture of a creature that is created, and seen again after two
// seconds, five metres off; by one client, or several.
func file(t *testing.T, clients ...string) string {
	if len(clients) == 0 {
		clients = []string{"10.0.0.5:50000"}
	}
	path := filepath.Join(t.TempDir(), "small.pcapng")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := capture.NewWriter(f, time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	place := space.Position{Cell: 0xA9B40001, Frame: space.Frame{Origin: space.Vec3{5, 5, 0}, Rotation: space.IdentityQuat}}
	create := &wire.Create{Guid: 0x80000001, Physics: wire.NewDescriptor()}
	create.Physics.State, create.Physics.Position = 0x400C08, place
	create.Physics.MotionTable, create.Physics.Setup = bench.Creature.MotionTable, bench.Creature.Setup
	create.Physics.Fresh()
	seen := &wire.PositionEvent{Guid: 0x80000001}
	seen.Pack.Place, seen.Pack.Position, seen.Pack.Flags = place, 1, wire.PackContact
	seen.Pack.Place.Frame.Origin = space.Vec3{8, 9, 0}
	seen.Pack.Fresh()
	senders := make([]*transport.Sender, len(clients))
	for i, m := range []wire.Message{create, seen} {
		b, err := m.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, client := range clients {
			if senders[k] == nil {
				senders[k] = transport.NewSender(transport.S2C, 1)
			}
			err := senders[k].Messages(10, [][]byte{b}, func(b []byte) {
				d := transport.Datagram{At: int64(i) * 2e9, Src: netip.MustParseAddrPort("10.0.0.9:9001"), Dst: netip.MustParseAddrPort(client), Data: b}
				if err := w.Write(&d); err != nil {
					t.Fatal(err)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return path
}

// called runs the program.
func called(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(args, &o, &e, nil)
	return code, o.String(), e.String()
}

// The report says what was measured, and what to think of it.
func TestReport(t *testing.T) {
	path := file(t)
	code, out, errs := called(path)
	for _, want := range []string{
		"note: no -dat", "small.pcapng: pcapng, 2.000 s, from 2024-05-01T12:00:00Z, 2 records, 2 datagrams", "partial", "1 created", "measured 1",
		"5.000 m  0x80000001 at 2.000 s in connection 1, standing, 2.00 s after the one before",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in:\n%s", want, out)
		}
	}
	if code != 0 || errs != "" {
		t.Errorf("status %d: %s", code, errs)
	}
}

// Of a capture that ends in the middle it is reported what there is, and told that it does.
func TestSpec22_12_CutTail(t *testing.T) {
	path := file(t)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b[:len(b)-10], 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := called(path)
	if code != 1 || !strings.Contains(errs, "small.pcapng: it ends inside a record") || !strings.Contains(out, "1 records, 1 datagrams") {
		t.Errorf("status %d: %s\n%s", code, errs, out)
	}
}

// Over the land that comes with the module a remote falls to the ground; over none it
// stays where it was put.
func TestSide(t *testing.T) {
	height := func(args ...string) string {
		code, out, errs := called(append(args, "-trace", "0x80000001", file(t))...)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		var last struct{ Origin [3]float64 }
		if err := json.Unmarshal([]byte(lines[len(lines)-2]), &last); err != nil || code != 0 {
			t.Fatalf("status %d, %v, %s%s", code, err, errs, out)
		}
		return fmt.Sprint(last.Origin[2])
	}
	if none, land := height(), height("-side", "3"); none != "0" || land == "0" {
		t.Errorf("it stands at height %s without land and %s on it", none, land)
	}
}

// Connections beyond -views are read, and the report begins with that.
func TestViews(t *testing.T) {
	path := file(t, "10.0.0.5:50000", "10.0.0.5:50001")
	for views, want := range map[string]bool{"1": true, "2": false} {
		code, out, errs := called("-views", views, path)
		if code != 0 || strings.Contains(out, "note: 1 of 2 connections were read and not played, since at most 1 are at a time") != want {
			t.Errorf("-views %s: status %d, %s%s", views, code, errs, out)
		}
	}
}

func TestJSON(t *testing.T) {
	code, out, errs := called("-json", "-hz", "20", file(t))
	var r replay.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 || errs != "" {
		t.Fatalf("status %d, %v, %s", code, err, errs)
	}
	if r.Errors.Distance.Count != 1 || r.Errors.Distance.P99 != 5 || len(r.Connections) != 1 || r.Connections[0].Seen.Created != 1 || r.TicksPerSecond != 20 || len(r.Notices) != 1 {
		t.Errorf("%s", out)
	}
}

// -out writes a page with the distributions, the path of the error, and a census.
func TestPage(t *testing.T) {
	dir := t.TempDir()
	if code, _, errs := called("-out", dir, file(t)); code != 0 {
		t.Fatal(errs)
	}
	b, err := os.ReadFile(filepath.Join(dir, "replay.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"no -dat", "small.pcapng", "By what the remote did", "standing, 1", "By time since the position before", "up to 5 s, 1",
		"5.000 m, 0x80000001 at 2.000 s", "2.00 s after the position before", "Census of connection 1", "0xF748",
	} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %q", want)
		}
	}
	if n := strings.Count(string(b), "<svg"); n != 6 {
		t.Errorf("%d drawings", n)
	}
	if code, _, _ := called("-out", "main.go", file(t)); code != 1 {
		t.Errorf("status %d with a file for a folder", code)
	}
}

// The trace of a remote has a line a tick, from the one in which it came.
func TestTrace(t *testing.T) {
	code, out, errs := called("-trace", "0x80000001", file(t))
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || errs != "" || len(lines) != 61 || !strings.HasPrefix(lines[0], `{"tick":1,"guid":"0x80000001","cell":"0xA9B40001"`) || !strings.HasPrefix(lines[60], `{"tick":61,`) {
		t.Errorf("status %d, %d lines, %s%s", code, len(lines), errs, lines[0])
	}
}

// Several clients may have one remote; it is traced as one of them sees it.
func TestTraceOfOneConnection(t *testing.T) {
	path := file(t, "10.0.0.5:50000", "10.0.0.5:50001", "10.0.0.5:50002")
	for _, c := range []struct {
		args  string
		lines int
		code  int
		says  string
	}{
		{"-trace 0x80000001", 61, 0, "of connection 1; 2 others have it too"},
		{"-trace 0x80000001 -connection 3", 61, 0, "of connection 3; 2 others have it too"},
		{"-trace 0x80000001 -connection 4", 0, 1, "never there in connection 4; 3 others had it"},
		{"-trace 0x80000002", 0, 1, "0x80000002 was never there"},
		{"-connection 1", 0, 2, "-connection"},
	} {
		code, out, errs := called(append(strings.Fields(c.args), path)...)
		if code != c.code || strings.Count(out, "\n") != c.lines || !strings.Contains(errs, c.says) {
			t.Errorf("%s: status %d, %d lines, %s", c.args, code, strings.Count(out, "\n"), errs)
		}
	}
}

// In real time two seconds take two seconds; here at forty times that.
func TestSpeed(t *testing.T) {
	path, start := file(t), time.Now()
	if code, _, errs := called("-speed", "40", path); code != 0 || time.Since(start) < 50*time.Millisecond {
		t.Errorf("status %d after %v: %s", code, time.Since(start), errs)
	}
}

// A wrong call is told from captures that cannot be read.
func TestCalls(t *testing.T) {
	dir, path := t.TempDir(), file(t)
	seven := filepath.Join(dir, "a.7z")
	if err := os.WriteFile(seven, []byte("7z\xBC\xAF\x27\x1C........."), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"-h"}, 0, "-dat"},
		{nil, 2, "name at least one capture"},
		{[]string{"-hz", "0", path}, 2, "-hz"},
		{[]string{"-speed", "-1", path}, 2, "-speed"},
		{[]string{"-workers", "0", path}, 2, "-workers"},
		{[]string{"-own", "both", path}, 2, "-own"},
		{[]string{"-trace", "nobody", path}, 2, "-trace"},
		{[]string{"-trace", "1", "-json", path}, 2, "-json"},
		{[]string{"-dat", "a", "-tables", "b", path}, 2, "-tables"},
		{[]string{"-cell", "a", path}, 2, "-cell"},
		{[]string{"-cell", "a", "-dat", "b", "-side", "3", path}, 2, "-side"},
		{[]string{"-side", "-1", path}, 2, "-side"},
		{[]string{"-side", "1", path}, 1, "side"},
		{[]string{"-views", "0", path}, 2, "-views"},
		{[]string{"-nothing", path}, 2, "-nothing"},
		{[]string{filepath.Join(dir, "none")}, 1, "none"},
		{[]string{seven}, 1, "unpack"},
		{[]string{seven, path}, 1, "unpack"},
		{[]string{"-dat", filepath.Join(dir, "none"), path}, 1, "none"},
		{[]string{"-own", "remote", "-strict", "-workers", "2", path}, 0, ""},
		{[]string{"-own", "raw", path}, 0, ""},
	} {
		code, out, errs := called(c.args...)
		if code != c.code || !strings.Contains(errs, c.says) || strings.Contains(out, "connection 1") != (c.code == 0 && c.args[0] != "-h" || len(c.args) == 2 && c.args[0] == seven) {
			t.Errorf("%v: status %d, %q\n%s", c.args, code, errs, out)
		}
	}
}

// The bar shows how far reading is, and nothing of it is in the report.
func TestProgress(t *testing.T) {
	var bar, out bytes.Buffer
	show := progress(&bar)
	show(10, 100)
	if !strings.Contains(bar.String(), "replaying  10%") {
		t.Errorf("%q", bar.String())
	}
	if code := run([]string{file(t)}, &out, &out, &bar); code != 0 || strings.Contains(out.String(), "replaying") {
		t.Errorf("status %d, %s", code, &out)
	}
}
