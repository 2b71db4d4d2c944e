// Command embed is the shortest program around an engine: a remote is spawned, told
// to run by a message of the game, and seen where it is, tick by tick, for a second.
package main

import (
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/gait-engine/gait"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// The message's stamp is 1 since stamps go up from there: what is not newer than what was
// applied is stale.
func main() {
	engine, err := gait.New(gait.Options{})
	if err != nil {
		log.Fatal(err)
	}
	runner := gait.NewSpawn(0x50000001, gait.At(0xA9B40025, 108, 108, 10))
	runner.MotionTable, runner.Setup = 0x09000001, 0x02000001
	order := wire.Movement{Guid: runner.Guid, Movement: 1, Body: wire.Body{State: wire.NewState()}}
	order.Body.State.Forward = wire.CommandIndex(motion.RunForward)
	order.Body.Fresh()
	message, err := order.Append(nil)
	if err := errors.Join(err, engine.Spawn(runner), engine.Inbound(message)); err != nil {
		log.Fatal(err)
	}
	for pacer := (gait.Pacer{}); engine.Now() < 30; time.Sleep(time.Until(pacer.Next())) {
		for range pacer.Due(time.Now()) {
			engine.Tick()
			remote, _ := engine.Lookup(runner.Guid)
			fmt.Printf("tick %d: %.2f in cell 0x%08X\n", engine.Now(), remote.Origin, uint32(remote.Cell))
		}
	}
}
