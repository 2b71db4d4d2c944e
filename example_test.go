package gait_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"sync"
	"time"

	"github.com/gait-engine/gait"
	"github.com/gait-engine/gait/record"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/motion"
)

// newWorld is an engine in which somebody stands.
func newWorld() (*gait.Engine, gait.Spawn) {
	engine, err := gait.New(gait.Options{})
	if err != nil {
		log.Fatal(err)
	}
	one := gait.NewSpawn(0x50000001, gait.At(0xA9B40025, 108, 108, 10))
	one.MotionTable, one.Setup = 0x09000001, 0x02000001
	if err := engine.Spawn(one); err != nil {
		log.Fatal(err)
	}
	return engine, one
}

// Somebody is there, runs for a second, and is seen.
func Example() {
	engine, err := gait.New(gait.Options{}) // 30 ticks a second, made-up tables, no land
	if err != nil {
		log.Fatal(err)
	}
	runner := gait.NewSpawn(0x50000001, gait.At(0xA9B40025, 108, 108, 10))
	runner.MotionTable, runner.Setup = 0x09000001, 0x02000001
	run := gait.Command{Guid: runner.Guid, Do: systems.DoMotion, Motion: motion.RunForward, Speed: 1}
	if err := engine.Spawn(runner); err != nil {
		log.Fatal(err)
	}
	if err := engine.Command(run); err != nil { // or engine.Inbound(message), from any goroutine
		log.Fatal(err)
	}
	for range 30 {
		engine.Tick()
	}
	for r := range engine.View().All() {
		fmt.Printf("0x%08X at %.2f in cell 0x%08X\n", r.Guid, r.Origin, uint32(r.Cell))
	}
	// Output: 0x50000001 at [108.00 111.27 10.00] in cell 0xA9B40025
}

// The embedder has the clock; a pacer says how many ticks it makes.
func ExamplePacer() {
	engine, _ := newWorld()
	pacer := gait.Pacer{TicksPerSecond: engine.TicksPerSecond()}
	now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // time.Now(), in a server
	for _, passes := range []time.Duration{0, 40 * time.Millisecond, 30 * time.Millisecond, time.Minute} {
		now = now.Add(passes)
		for range pacer.Due(now) {
			engine.Tick()
		}
		fmt.Printf("%v later: tick %d, next in %v\n", passes, engine.Now(), pacer.Next().Sub(now).Round(time.Millisecond))
	}
	fmt.Println(pacer.LetGo(), "ticks were let go")
	// Output:
	// 0s later: tick 0, next in 33ms
	// 40ms later: tick 1, next in 27ms
	// 30ms later: tick 2, next in 30ms
	// 1m0s later: tick 7, next in 30ms
	// 1795 ticks were let go
}

// Other goroutines read views as they like: a lock has them and ticks take turns.
func ExampleEngine_View() {
	engine, one := newWorld()
	engine.Tick()
	var turns sync.RWMutex
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for range 50 {
				turns.RLock()
				for r := range engine.View().All() {
					if r.Guid != one.Guid {
						log.Fatal("somebody else")
					}
				}
				turns.RUnlock()
			}
		})
	}
	for range 50 {
		turns.Lock()
		engine.Tick()
		turns.Unlock()
	}
	readers.Wait()
	fmt.Println(engine.View().Len(), "after tick", engine.View().Tick())
	// Output: 1 after tick 51
}

// What two goroutines feed is applied in the order of their sources, whoever comes first.
func ExampleEngine_From() {
	engine, one := newWorld()
	engine.Tick()
	walk := gait.Command{Guid: one.Guid, Do: systems.DoMotion, Motion: motion.WalkForward, Speed: 1}
	stop := gait.Command{Guid: one.Guid, Do: systems.DoStopMotion, Motion: motion.WalkForward}
	if err := engine.From(2).Command(stop); err != nil {
		log.Fatal(err)
	}
	if err := engine.From(1).Command(walk); err != nil {
		log.Fatal(err)
	}
	for range 30 {
		engine.Tick()
	}
	r, _ := engine.Lookup(one.Guid)
	fmt.Printf("moving %v\n", r.Flags&systems.Moving != 0) // it walked, then stopped
	// Output: moving false
}

// What was refused is counted by reason, and told in outcomes.
func ExampleEngine_Stats() {
	engine, one := newWorld()
	_ = engine.Inbound([]byte("this is no message"))
	_ = engine.Remove(one.Guid + 1) // nobody
	engine.Tick()
	for _, o := range engine.Outcomes() {
		fmt.Println(o.Verdict, o.Err)
	}
	stats := engine.Stats()
	for reason, n := range stats.Refused {
		if n > 0 {
			fmt.Println(gait.Reason(reason), n)
		}
	}
	// Output:
	// refused systems: no such remote
	// refused wire: message 0x73696874: opcode at offset 0: unknown opcode
	// opcode 1
	// unknown 1
}

// A process that ends is taken up where it stood.
func ExampleRecover() {
	dir, err := os.MkdirTemp("", "gait-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	engine, _ := newWorld()
	if err := engine.Record(dir, record.Options{}); err != nil {
		log.Fatal(err)
	}
	for range 10 {
		engine.Tick()
	}
	hash := engine.Hash() // and here the process is killed

	again, report, err := gait.Recover(dir, gait.Options{}, record.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("tick", report.Tick, "the same:", again.Hash() == hash)
	if err := again.Close(); err != nil {
		log.Fatal(err)
	}
	// Output: tick 10 the same: true
}

// A snapshot is an engine, on another machine or later.
func ExampleRestore() {
	engine, _ := newWorld()
	engine.Tick()
	var kept bytes.Buffer
	if err := engine.Snapshot(&kept); err != nil {
		log.Fatal(err)
	}
	again, err := gait.Restore(gait.Options{Workers: 2}, &kept)
	if err != nil {
		log.Fatal(err)
	}
	engine.Tick()
	again.Tick()
	fmt.Println("tick", again.Now(), "the same:", again.Hash() == engine.Hash())
	// Output: tick 2 the same: true
}
