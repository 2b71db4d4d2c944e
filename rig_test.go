package gait

import (
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/testdata/fixtures"
	"github.com/gait-engine/gait/wire"
)

const (
	one = 0x50000001
	two = 0x50000002
)

func newEngine(t testing.TB, o Options) *Engine {
	t.Helper()
	e, err := New(o)
	must(t, err)
	return e
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func humanoid(guid uint32) Spawn {
	s := NewSpawn(guid, At(0xA9B40025, 108, 108, 10))
	s.MotionTable, s.Setup = 0x09000001, 0x02000001
	return s
}

func press(guid, command uint32) Command {
	return Command{Guid: guid, Do: systems.DoMotion, Motion: command, Speed: 1}
}

// run is a message that has somebody run, the stamp-th.
func run(t testing.TB, guid uint32, stamp uint16) []byte {
	t.Helper()
	m := wire.Movement{Guid: guid, Movement: stamp, Body: wire.Body{State: wire.NewState()}}
	if stamp%2 == 1 {
		m.Body.State.Forward = wire.CommandIndex(motion.RunForward)
	}
	m.Body.Fresh()
	b, err := m.Append(nil)
	must(t, err)
	return b
}

// panics returns with what f panics.
func panics(t testing.TB, f func()) (said string) {
	t.Helper()
	defer func() {
		said, _ = recover().(string)
		if said == "" {
			t.Error("it does not panic")
		}
	}()
	f()
	return ""
}

// landOfItsOwn is land that was made with tables.
func landOfItsOwn(t testing.TB) *Land {
	t.Helper()
	sources, err := dat.OpenFolders(fixtures.FS)
	must(t, err)
	tables, err := dat.LoadLand(sources...)
	must(t, err)
	return collision.NewLand(tables, sources...)
}
