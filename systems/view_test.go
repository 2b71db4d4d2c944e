package systems

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

var rewrite = flag.Bool("update", false, "write the golden files anew")

// wantView holds a view to the state.
func wantView(t testing.TB, e *Engine) {
	t.Helper()
	v := e.View()
	if v.Tick != e.Now() || v.Len() != e.Len() {
		t.Fatalf("view of tick %d with %d remotes, engine at %d with %d", v.Tick, v.Len(), e.Now(), e.Len())
	}
	seen := map[uint32]bool{}
	for i, guid := range v.Guid {
		if seen[guid] {
			t.Fatalf("tick %d: 0x%08X twice", v.Tick, guid)
		}
		seen[guid] = true
		there := e.Inspect(guid, func(r *components.Row, p *components.Pools) {
			anim, frame := uint32(0), 0.0
			if s := r.Sequence; s.Curr >= 0 {
				anim, frame = e.Tables().Anims[s.Nodes.Items(&p.Nodes)[s.Curr].Anim].ID, s.Frame
			}
			flags := Flags(0)
			for _, f := range []struct {
				on   bool
				flag Flags
			}{
				{r.Body.Transient&components.Contact != 0, InContact}, {r.Body.Transient&components.OnWalkable != 0, OnWalkable},
				{r.Chase.Queue.Len > 0, Chasing}, {r.Leash.Constrained, Leashed}, {r.Body.Achieved != space.Vec3{}, Moving},
				{r.Pending.Motions.Len > 0, Animating}, {r.Body.State&components.Hidden != 0, IsHidden},
			} {
				if f.on {
					flags |= f.flag
				}
			}
			if v.Cell[i] != r.Pose.Cell || v.Origin[i] != r.Pose.Frame.Origin || v.Rotation[i] != r.Pose.Frame.Rotation ||
				v.Velocity[i] != r.Body.Achieved || v.Flags[i] != flags || v.Anim[i] != anim || v.Frame(i) != frame {
				t.Fatalf("tick %d, 0x%08X (rests since %d): view has %08X %v %v %v %b %08X %v, state %08X %v %v %b %08X %v",
					v.Tick, guid, r.Rest.Since, v.Cell[i], v.Origin[i], v.Rotation[i], v.Velocity[i], v.Flags[i], v.Anim[i], v.Frame(i),
					r.Pose.Cell, r.Pose.Frame, r.Body.Achieved, flags, anim, frame)
			}
		})
		if !there {
			t.Fatalf("tick %d: 0x%08X is not there", v.Tick, guid)
		}
	}
}

// wantViewOf holds a view to another engine's. It does not look at the state,
// which would bring resting sequences up to date and help the view.
func (r *rig) wantViewOf(twin *rig) {
	r.Helper()
	v, w := r.e.View(), twin.e.View()
	at := map[uint32]int{}
	for i, guid := range w.Guid {
		at[guid] = i
	}
	if v.Len() != w.Len() || len(at) != w.Len() {
		r.Fatalf("tick %d: %d and %d remotes", v.Tick, v.Len(), w.Len())
	}
	for i, guid := range v.Guid {
		k, ok := at[guid]
		if !ok || v.Cell[i] != w.Cell[k] || v.Origin[i] != w.Origin[k] || v.Rotation[i] != w.Rotation[k] || v.Velocity[i] != w.Velocity[k] ||
			v.Flags[i] != w.Flags[k] || v.Anim[i] != w.Anim[k] || v.Frame(i) != w.Frame(k) {
			r.Fatalf("tick %d: 0x%08X differs: frame %v and %v, flags %b and %b", v.Tick, guid, v.Frame(i), w.Frame(k), v.Flags[i], w.Flags[k])
		}
	}
}

// Every column says what the state says, for who moves, rests, hides, comes and goes.
func TestViewIsTheState(t *testing.T) {
	r := newRig(t, Options{ChunkRows: 4})
	r.unchecked = true
	for i := range uint32(12) {
		r.spawn(human(me+i, 100+float32(i), 108))
	}
	r.spawn(creature(me+12, 108, 108))
	bare := human(me+13, 108, 108)
	bare.MotionTable, bare.Setup = 0, 0
	r.spawn(bare)
	for tick := range 200 {
		switch tick {
		case 3:
			r.move(me, does{forward: run})
			r.place(me+1, spot(115, 108, 0))
			r.send(r.state(me+2, components.DefaultState|components.Hidden))
			r.command(Command{Guid: me + 3, Do: DoGround})
			r.move(me+12, does{forward: walk, turn: right})
		case 20:
			r.e.Remove(me + 5)
			r.spawn(human(me+30, 100, 100))
		case 60:
			r.e.Remove(me)
			r.e.Remove(me + 12)
			r.move(me+4, does{forward: walk})
		case 100:
			r.move(me+4, does{})
			for i := range uint32(40) { // beyond the room that there is
				r.spawn(human(me+50+i, 100, 100))
			}
		case 150:
			for i := range uint32(40) {
				r.e.Remove(me + 50 + i)
			}
		}
		r.tick(1)
		wantView(t, r.e)
	}
}

// A view stays as it is until the tick after the next begins, and may be read
// from elsewhere until then.
func TestViewMayBeHeldForATick(t *testing.T) {
	r := newRig(t, Options{Workers: 2, ChunkRows: 8})
	r.unchecked = true
	for i := range uint32(64) {
		r.spawn(human(me+i, 100, 108))
	}
	r.tick(1)
	for i := range uint32(64) {
		if i%2 == 0 {
			r.move(me+i, does{forward: run})
		}
	}
	digest := func(v *View) (sum float64) {
		for i := range v.Guid {
			sum += float64(v.Guid[i]%97) + float64(v.Origin[i][1]) + float64(v.Rotation[i].W) + float64(v.Velocity[i][1]) +
				float64(v.Flags[i]) + float64(v.Anim[i]%1000) + v.Frame(i) + float64(v.Cell[i]%64)
		}
		return sum + float64(v.Tick)
	}
	for tick := range 300 {
		if tick%40 == 7 {
			r.e.Remove(me + uint32(tick/40))
			r.spawn(human(me+100+uint32(tick), 90, 90))
		}
		r.tick(1)
		held := r.e.View()
		before := digest(held)
		var readers sync.WaitGroup
		for range 2 {
			readers.Go(func() {
				if after := digest(held); after != before {
					t.Errorf("tick %d: %v became %v", tick, before, after)
				}
				if v := r.e.View(); v.Tick != held.Tick && v.Tick != held.Tick+1 {
					t.Errorf("tick %d beside %d", v.Tick, held.Tick)
				}
			})
		}
		r.tick(1) // meanwhile
		readers.Wait()
	}
}

// The view after a growth is a new array: the one held is not touched.
func TestViewGrows(t *testing.T) {
	r := newRig(t, Options{})
	r.spawn(human(me, 108, 108))
	r.tick(1)
	held := r.e.View()
	for i := range uint32(500) {
		r.spawn(human(me+1+i, 108, 108))
	}
	r.tick(1)
	same(t, "held", held.Len(), 1)
	same(t, "tick", held.Tick, 1)
	same(t, "now", r.e.View().Len(), 501)
	wantView(t, r.e)
	r.e.Remove(me)
	r.tick(1)
	wantView(t, r.e)
}

// placeText is a place as golden files have it.
func placeText(p Place) string { return fmt.Sprintf("%08X %.4v", uint32(p.Cell), p.Origin) }

func eventText(e *Engine, ev Event) string {
	s := fmt.Sprintf("%08X ", ev.Guid)
	switch ev.Kind {
	case MotionDone:
		return s + fmt.Sprintf("done %s %v", motion.CommandName(ev.Motion), ev.Success)
	case HookFired:
		return s + fmt.Sprintf("hook of type %d at frame %d of %08X", e.Tables().Hooks[ev.Hook].Type, ev.Frame, ev.Anim)
	case Entered:
		return s + "entered " + placeText(ev.To)
	case Left:
		return s + "left " + placeText(ev.From)
	case GroundChanged:
		return s + fmt.Sprintf("ground %02b, was %02b", ev.Is, ev.Was)
	case HitGround:
		return s + "hit the ground"
	case LeftGround:
		return s + "left the ground"
	case Activated:
		return s + "is active"
	case Deactivated:
		return s + "is not active"
	case StickBegan:
		return s + fmt.Sprintf("sticks to %08X", ev.Other)
	case StickEnded:
		return s + fmt.Sprintf("lets go of %08X", ev.Other)
	case TargetTold:
		return s + fmt.Sprintf("hears of %08X: status %d, %s", ev.Other, ev.Code, placeText(ev.To))
	case MoveToEnded:
		return s + fmt.Sprintf("move-to of type %d ended with %#x", ev.Motion, ev.Code)
	}
	name := map[EventKind]string{Teleported: "teleported", Blipped: "blipped", CellChanged: "changed cell"}[ev.Kind]
	if ev.BlockChanged() {
		name = "changed block"
	}
	return s + name + ", " + placeText(ev.From) + " to " + placeText(ev.To)
}

// The events of a small script, as text. Flag -update writes the file anew.
func TestEventsGolden(t *testing.T) {
	r := newRig(t, Options{Workers: 2, ChunkRows: 1})
	var b strings.Builder
	step := func(what string, ticks int) {
		fmt.Fprintf(&b, "# %s\n", what)
		for range ticks {
			r.tick(1)
			for _, e := range r.e.Events() {
				fmt.Fprintf(&b, "%4d  %s\n", r.e.Now(), eventText(r.e, e))
			}
		}
	}
	r.spawn(human(3, 100, 118))
	r.spawn(creature(1, 108, 108))
	step("a creature and a humanoid", 2)
	r.spawn(human(2, 108, 108))
	r.e.Remove(1)
	step("the creature goes, another humanoid comes", 2)
	r.move(3, does{forward: run})
	step("it runs, north and into the next cell", 24)
	r.move(3, does{forward: walk})
	r.move(3, does{})
	r.move(3, does{actions: []wire.Action{wire.NewAction(wire.CommandIndex(wave), 1, false, 1.5)}})
	step("it stops and waves", 60)
	r.send(r.teleportTo(2, spot(300, 20, 90)))
	r.place(3, spot(100, 250, 0))
	step("a teleport, and a place too far away", 2)
	r.move(2, does{forward: walk})
	step("a walk begins", 2)
	r.command(Command{Guid: 2, Do: DoGround})
	step("the ground goes", 2)
	r.command(Command{Guid: 2, Do: DoGround, Contact: true, OnWalkable: true})
	step("and comes back", 20)
	r.command(Command{Guid: 2, Do: DoSetTraits, Game: jumper(2).Game, RunRate: 1, JumpHeight: 1})
	r.command(Command{Guid: 2, Do: DoJump, Extent: 0.5})
	step("it jumps", 20)
	r.command(Command{Guid: 2, Do: DoGround})
	step("touches nothing any more", 1)
	r.command(Command{Guid: 2, Do: DoGround, Contact: true})
	step("lands on a slope", 1)
	r.command(Command{Guid: 2, Do: DoGround, Contact: true, OnWalkable: true})
	step("and is on level ground", 10)
	r.command(Command{Guid: 2, Do: DoStick, Target: 3, Radius: 0.5})
	step("it sticks for a second", 35)
	params := motion.DefaultParams()
	params.DesiredHeading = 120
	r.command(Command{Guid: 2, Do: DoTurnToHeading, Params: params})
	step("it turns to a heading", 100)
	r.places[2] = 9
	r.send(&wire.Pickup{Guid: 2, Position: 9})
	step("it is picked up", 1)
	r.e.Remove(2)
	r.spawn(human(2, 10, 10))
	step("gone and back at once", 1)

	file := filepath.Join("testdata", "events.txt")
	if *rewrite {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("events differ from %s:\n%s", file, b.String())
	}
}

// 15 §2: "achieved velocity: of the last step (get_velocity = cached_velocity)". Who takes no step keeps it.
func TestSpec15_2_VelocityIsOfTheLastStepTaken(t *testing.T) {
	for name, stop := range map[string]func(r *rig){
		"picked up": func(r *rig) { r.command(Command{Guid: me, Do: DoPickUp}) },
		"frozen":    func(r *rig) { r.send(r.state(me, components.DefaultState|components.Frozen)) },
	} {
		r := standing(t, Options{})
		r.move(me, does{forward: run})
		r.tick(20)
		was := r.e.View().Velocity[0]
		stop(r)
		r.tick(2)
		if v := r.e.View(); space.IsZero(was) || v.Velocity[0] != was || v.Flags[0]&Moving == 0 {
			t.Errorf("%s: %v and %b, after %v", name, v.Velocity[0], v.Flags[0], was)
		}
	}
}
