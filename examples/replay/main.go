// Command replay records a walk into a folder, or takes a folder that holds a
// recording, and looks at it tick by tick.
//
//	replay            a walk that it records itself
//	replay DIR        a recording that is there, made with the default tables
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/gait-engine/gait"
	"github.com/gait-engine/gait/record"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/motion"
)

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, args []string) error {
	if len(args) > 0 {
		return replay(w, args[0])
	}
	dir, err := os.MkdirTemp("", "gait-replay-")
	if err != nil {
		return err
	}
	return errors.Join(walk(dir), replay(w, dir), os.RemoveAll(dir))
}

// walk records somebody who walks, stops and waves.
func walk(dir string) error {
	engine, err := gait.New(gait.Options{})
	if err != nil {
		return err
	}
	if err := engine.Record(dir, record.Options{}); err != nil {
		return err
	}
	walker := gait.NewSpawn(0x50000001, gait.At(0xA9B40025, 108, 108, 10))
	walker.MotionTable, walker.Setup = 0x09000001, 0x02000001
	if err := engine.Spawn(walker); err != nil {
		return err
	}
	steps := map[uint64]gait.Command{
		5:  {Guid: walker.Guid, Do: systems.DoMotion, Motion: motion.WalkForward, Speed: 1},
		20: {Guid: walker.Guid, Do: systems.DoStopMotion, Motion: motion.WalkForward},
		30: {Guid: walker.Guid, Do: systems.DoMotion, Motion: wave, Speed: 1},
	}
	for engine.Now() < 45 {
		if step, ok := steps[engine.Now()]; ok {
			if err := engine.Command(step); err != nil {
				return err
			}
		}
		engine.Tick()
	}
	return engine.Close()
}

// wave is a gesture.
const wave = 0x13000087

// replay plays a recording and tells of every tick in which something was new.
func replay(w io.Writer, dir string) error {
	var anim uint32
	report, err := gait.Replay(dir, gait.Options{}, func(e *gait.Engine) error {
		for _, o := range e.Outcomes() {
			fmt.Fprintf(w, "tick %2d: an input for 0x%08X was %v\n", e.Now(), o.Guid, o.Verdict)
		}
		for r := range e.View().All() {
			if r.Anim != anim {
				fmt.Fprintf(w, "tick %2d: 0x%08X plays 0x%08X at %.2f\n", e.Now(), r.Guid, r.Anim, r.Origin)
				anim = r.Anim
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "tick %2d: the end, after %d commits\n", report.Tick, report.Commit)
	return nil
}
