package systems_test

import (
	"fmt"
	"log"
	"time"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/testdata/fixtures"
	"github.com/gait-engine/gait/wire"
)

// humanoidTables are what the examples play from; [ExampleEngine] loads them itself.
func humanoidTables() *dat.Tables {
	folder, err := dat.OpenFolder(fixtures.FS, "humanoid")
	if err != nil {
		log.Fatal(err)
	}
	tables, err := dat.Load(folder)
	if err != nil {
		log.Fatal(err)
	}
	return tables
}

// A humanoid is spawned, told to run by a message of the game, and seen where it
// is a second later.
func ExampleEngine() {
	folder, err := dat.OpenFolder(fixtures.FS, "humanoid")
	if err != nil {
		log.Fatal(err)
	}
	tables, err := dat.Load(folder)
	if err != nil {
		log.Fatal(err)
	}
	engine, err := systems.New(systems.Options{Tables: tables})
	if err != nil {
		log.Fatal(err)
	}

	remote := systems.NewSpawn(0x50000001, space.Position{
		Cell:  0xA9B40025,
		Frame: space.Frame{Origin: space.Vec3{108, 108, 10}, Rotation: space.IdentityQuat},
	})
	remote.MotionTable, remote.Setup = 0x09000001, 0x02000001
	if err := engine.Spawn(remote); err != nil {
		log.Fatal(err)
	}

	order := wire.Movement{Guid: remote.Guid, Movement: 1}
	order.Body.State = wire.NewState()
	order.Body.State.Forward = wire.CommandIndex(motion.RunForward)
	order.Body.Fresh()
	message, err := order.Append(nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := engine.Inbound(message); err != nil {
		log.Fatal(err)
	}

	for range 30 {
		engine.Tick()
	}
	view := engine.View()
	fmt.Printf("tick %d: 0x%08X at %.2f in cell 0x%08X\n", view.Tick, view.Guid[0], view.Origin[0], uint32(view.Cell[0]))
	fmt.Printf("plays 0x%08X, moving %v\n", view.Anim[0], view.Flags[0]&systems.Moving != 0)
	// Output:
	// tick 30: 0x50000001 at [108.00 111.27 10.00] in cell 0xA9B40025
	// plays 0x03000004, moving true
}

// What happened to a remote is told by events, what became of a message by its outcome.
func ExampleEngine_Events() {
	tables := humanoidTables()
	engine, err := systems.New(systems.Options{Tables: tables})
	if err != nil {
		log.Fatal(err)
	}
	here := space.Position{
		Cell:  0xA9B40025,
		Frame: space.Frame{Origin: space.Vec3{108, 108, 10}, Rotation: space.IdentityQuat},
	}
	if err := engine.Spawn(systems.NewSpawn(7, here)); err != nil {
		log.Fatal(err)
	}

	there := wire.PositionEvent{Guid: 7}
	there.Pack.Place = here
	there.Pack.Place.Frame.Origin[1] += 200 // too far to walk
	there.Pack.Position = 1
	there.Pack.Flags = wire.PackContact
	there.Pack.Fresh()
	message, err := there.Append(nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := engine.Inbound(message); err != nil {
		log.Fatal(err)
	}
	engine.Tick()

	for _, o := range engine.Outcomes() {
		fmt.Printf("message 0x%X for %d: %v\n", o.Opcode, o.Guid, o.Verdict)
	}
	for _, e := range engine.Events() {
		switch e.Kind {
		case systems.Entered:
			fmt.Printf("%d entered at %v\n", e.Guid, e.To.Origin)
		case systems.Blipped:
			fmt.Printf("%d blipped to %v in cell 0x%08X\n", e.Guid, e.To.Origin, uint32(e.To.Cell))
		}
	}
	// Output:
	// message 0xF748 for 7: applied
	// 7 entered at [108 108 10]
	// 7 blipped to [108 116 10] in cell 0xA9B50025
}

// A server owns a monster and has it walk; what it writes moves the monster's
// copy in a client.
func ExampleEngine_Outbound() {
	tables := humanoidTables()
	server, err := systems.New(systems.Options{Tables: tables})
	if err != nil {
		log.Fatal(err)
	}
	client, err := systems.New(systems.Options{Tables: tables})
	if err != nil {
		log.Fatal(err)
	}
	monster := systems.NewSpawn(0x80000001, space.Position{
		Cell:  0xA9B40025,
		Frame: space.Frame{Origin: space.Vec3{108, 108, 10}, Rotation: space.IdentityQuat},
	})
	monster.MotionTable, monster.Setup = 0x09000001, 0x02000001
	monster.Owned = systems.OwnedMonster
	if err := server.Spawn(monster); err != nil {
		log.Fatal(err)
	}
	server.Tick()
	create, err := server.CreateMessage(nil, monster.Guid) // the client comes to know of it
	if err != nil {
		log.Fatal(err)
	}
	if err := client.Inbound(create); err != nil {
		log.Fatal(err)
	}

	walk := motion.DefaultRaw()
	walk.Forward.Motion = motion.WalkForward
	if err := server.Command(systems.Command{Guid: monster.Guid, Do: systems.DoRaw, Raw: walk}); err != nil {
		log.Fatal(err)
	}
	sent := map[uint32]int{}
	for range 30 {
		server.Tick()
		for _, out := range server.Outbound() {
			sent[wire.Opcode(out.Message)]++
			if err := client.Inbound(out.Message); err != nil {
				log.Fatal(err)
			}
		}
		client.Tick()
	}
	fmt.Printf("%d movement, %d positions\n", sent[wire.OpMovement], sent[wire.OpPosition])
	fmt.Printf("%.2f %.2f\n", server.View().Origin[0], client.View().Origin[0])
	// Output:
	// 1 movement, 5 positions
	// [108.00 110.57 10.00] [108.00 110.57 10.00]
}

// A hook event names a hook of the tables; its arguments are read from there.
// Where the parts of the remote are when it fires is asked of the engine.
func ExampleEvent_hooks() {
	tables := humanoidTables()
	engine, err := systems.New(systems.Options{Tables: tables})
	if err != nil {
		log.Fatal(err)
	}
	remote := systems.NewSpawn(7, space.Position{
		Cell:  0xA9B40025,
		Frame: space.Frame{Origin: space.Vec3{108, 108, 10}, Rotation: space.IdentityQuat},
	})
	remote.MotionTable, remote.Setup = 0x09000001, 0x02000001
	if err := engine.Spawn(remote); err != nil {
		log.Fatal(err)
	}
	wave := systems.Command{Guid: 7, Do: systems.DoMotion, Motion: 0x13000087, Speed: 1}
	if err := engine.Command(wave); err != nil {
		log.Fatal(err)
	}

	var parts []space.Frame
	for range 60 {
		engine.Tick()
		for i := range engine.Events() {
			ev := &engine.Events()[i]
			if ev.Kind != systems.HookFired {
				continue
			}
			hook := engine.Tables().Hook(engine.Tables().Hooks[ev.Hook])
			switch args := hook.Args(); hook.Type {
			case dat.HookSound:
				fmt.Printf("tick %d: wave 0x%08X\n", engine.Now(), args.Wave)
			case dat.HookSoundTable:
				fmt.Printf("tick %d: sound of type %d\n", engine.Now(), args.SoundType)
			}
			parts, _ = engine.PartFrames(ev.Guid, parts[:0])
			fmt.Printf("  part 1 of %d at %.2f\n", len(parts), parts[1].Origin)
		}
	}
	// Output:
	// tick 11: wave 0x0A000030
	//   part 1 of 2 at [108.02 108.00 11.50]
	// tick 21: sound of type 18
	//   part 1 of 2 at [108.00 108.00 11.50]
	// tick 21: wave 0x0A000031
	//   part 1 of 2 at [108.00 108.00 11.50]
}

// On land a step ends at what is in the way. The records of a land are those of
// its models, which make the tables, and those of its blocks; all of them are
// read here beforehand, so that one that is bad is an error now and no hole in
// the ground later.
func ExampleOptions_land() {
	var sources []dat.Source
	for _, name := range []string{"humanoid", "land"} {
		folder, err := dat.OpenFolder(fixtures.FS, name)
		if err != nil {
			log.Fatal(err)
		}
		sources = append(sources, folder)
	}
	tables, err := dat.LoadLand(sources...)
	if err != nil {
		log.Fatal(err)
	}
	land := collision.NewLand(tables, sources...)
	if err := land.LoadAll(); err != nil {
		log.Fatal(err)
	}
	engine, err := systems.New(systems.Options{Tables: tables, Land: land})
	if err != nil {
		log.Fatal(err)
	}
	// 6 m south of a wall that is half a metre thick
	remote := systems.NewSpawn(0x50000001, space.Position{
		Cell:  0xA9B40022,
		Frame: space.Frame{Origin: space.Vec3{110, 30, 100}, Rotation: space.IdentityQuat},
	})
	remote.MotionTable, remote.Setup = 0x09000001, 0x02000001
	if err := engine.Spawn(remote); err != nil {
		log.Fatal(err)
	}
	engine.Tick()
	run := systems.Command{Guid: remote.Guid, Do: systems.DoInterpreted, State: motion.DefaultState()}
	run.State.Forward = motion.RunForward
	if err := engine.Command(run); err != nil {
		log.Fatal(err)
	}
	for range 120 {
		engine.Tick()
	}
	view := engine.View()
	fmt.Printf("y %.1f\n", view.Origin[0][1])
	// Output: y 35.1
}

// What the stages of a tick cost is measured by a clock of the embedder's.
func ExampleEngine_Measure() {
	engine, err := systems.New(systems.Options{Tables: humanoidTables()})
	if err != nil {
		log.Fatal(err)
	}
	remote := systems.NewSpawn(0x50000001, space.Position{Cell: 0xA9B40025, Frame: space.Identity})
	remote.MotionTable, remote.Setup = 0x09000001, 0x02000001
	if err := engine.Spawn(remote); err != nil {
		log.Fatal(err)
	}

	began := time.Now()
	engine.Measure(func() int64 { return int64(time.Since(began)) })
	engine.Tick()
	engine.Measure(nil)
	cost := engine.Cost()
	for s := range systems.Stage(systems.Stages) {
		if cost.Bytes[s] > 0 { // cost.Ns[s] is how long that took
			fmt.Println(s, "touches the remote; shared by workers:", s.Shared())
		}
	}
	// Output:
	// stand touches the remote; shared by workers: false
	// glide touches the remote; shared by workers: true
	// sweep touches the remote; shared by workers: true
	// publish touches the remote; shared by workers: true
	// deliver touches the remote; shared by workers: false
}
