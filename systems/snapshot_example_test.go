package systems_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/motion"
)

// An engine is kept while somebody walks, and another goes on from there.
func ExampleRestore() {
	options := systems.Options{Tables: humanoidTables()}
	engine, err := systems.New(options)
	if err != nil {
		log.Fatal(err)
	}
	place := space.Position{Cell: 0xA9B40025, Frame: space.Frame{Origin: space.Vec3{108, 108, 10}, Rotation: space.IdentityQuat}}
	walker := systems.NewSpawn(7, place)
	walker.MotionTable, walker.Setup = 0x09000001, 0x02000001
	if err := engine.Spawn(walker); err != nil {
		log.Fatal(err)
	}
	engine.Tick()
	err = engine.Command(systems.Command{Guid: 7, Do: systems.DoMotion, Motion: motion.WalkForward, Speed: 1})
	if err != nil {
		log.Fatal(err)
	}
	for range 15 {
		engine.Tick()
	}

	var kept bytes.Buffer
	if err := engine.Snapshot(&kept); err != nil {
		log.Fatal(err)
	}
	options.Workers = 4 // how it is run may differ
	again, err := systems.Restore(options, &kept)
	if err != nil {
		log.Fatal(err)
	}
	for range 15 {
		engine.Tick()
		again.Tick()
	}
	fmt.Println("at tick", again.Now(), "the same:", again.Hash() == engine.Hash())
	// Output:
	// at tick 31 the same: true
}

// What an engine is given is recorded, and makes the same of another.
func ExampleEngine_Play() {
	build := func() *systems.Engine {
		engine, err := systems.New(systems.Options{Tables: humanoidTables()})
		if err != nil {
			log.Fatal(err)
		}
		return engine
	}
	engine, other := build(), build()
	var tape systems.Tape
	engine.Record(&tape)
	place := space.Position{Cell: 0xA9B40025, Frame: space.Frame{Origin: space.Vec3{108, 108, 10}, Rotation: space.IdentityQuat}}
	if err := engine.Spawn(systems.NewSpawn(7, place)); err != nil {
		log.Fatal(err)
	}
	engine.Tick()
	engine.Tick()

	if err := other.Play(tape.Bytes(), nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(other.Len(), "remote at tick", other.Now(), "the same:", other.Hash() == engine.Hash())
	// Output:
	// 1 remote at tick 2 the same: true
}
