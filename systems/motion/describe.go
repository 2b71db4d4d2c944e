package motion

import (
	"fmt"
	"strings"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
)

var names = map[uint32]string{
	0: "none", Ready: "Ready", WalkForward: "WalkForward", WalkBackwards: "WalkBackwards", RunForward: "RunForward",
	TurnRight: "TurnRight", TurnLeft: "TurnLeft", SideStepRight: "SideStepRight", SideStepLeft: "SideStepLeft",
	Dead: "Dead", Crouch: "Crouch", Sitting: "Sitting", Sleeping: "Sleeping", Fallen: "Fallen", Falling: "Falling",
	HandCombat: "HandCombat", NonCombat: "NonCombat", SwordCombat: "SwordCombat", Magic: "Magic", Cheer: "Cheer",
}

// CommandName returns the name of a command that the rules are often asked
// for, the number of any other.
func CommandName(c uint32) string {
	if n, ok := names[c]; ok {
		return n
	}
	return fmt.Sprintf("0x%08X", c)
}

// Describe prints one mover's motion, for tests and for people: what the motion
// table remembers, the list with an asterisk at the node being played, the
// interpreted state, the two queues, and the move-to in progress.
func Describe(r components.Row, t *dat.Tables, p *components.Pools) string {
	var b strings.Builder
	s, q, i := r.Sequence, r.Pending, r.Interpreted
	fmt.Fprintf(&b, "table   %s %s %v", CommandName(r.MotionState.Style), CommandName(r.MotionState.Substate), r.MotionState.Speed)
	speeded := func(word string, l []components.Speeded) {
		for _, a := range l {
			fmt.Fprintf(&b, " %s %s %v", word, CommandName(a.Motion), a.Speed)
		}
	}
	speeded("modifier", r.MotionState.Modifiers.Items(&p.Speeded))
	speeded("action", r.MotionState.Actions.Items(&p.Speeded))
	b.WriteString("\nlist   ")
	for k, n := range s.Nodes.Items(&p.Nodes) {
		mark := ""
		if int32(k) == s.Curr {
			mark = "*"
		}
		fmt.Fprintf(&b, " %s[0x%08X %d..%d at %v]", mark, t.Anims[n.Anim].ID, n.Low, n.High, n.Rate)
	}
	fmt.Fprintf(&b, " frame %.6g velocity %v omega %v", s.Frame, s.Velocity, s.Omega)
	fmt.Fprintf(&b, "\ndoes    %s; %s %v; %s %v; %s %v", CommandName(i.Style), CommandName(i.Forward), i.ForwardSpeed,
		CommandName(i.Sidestep), i.SidestepSpeed, CommandName(i.Turn), i.TurnSpeed)
	for _, a := range i.Actions.Items(&p.Actions) {
		fmt.Fprintf(&b, "; action %s %v", CommandName(a.Motion), a.Speed)
	}
	b.WriteString("\npending")
	for _, a := range q.Anims.Items(&p.PendingAnims) {
		fmt.Fprintf(&b, " [%s %d]", CommandName(a.Motion), a.Count)
	}
	fmt.Fprintf(&b, " counter %d; motions", q.Counter)
	for _, a := range q.Motions.Items(&p.PendingMotions) {
		fmt.Fprintf(&b, " [%d %s 0x%02X]", a.Context, CommandName(a.Motion), a.JumpError)
	}
	if s := r.Errand.MoveTo(p); s != nil && s.Type != 0 {
		fmt.Fprintf(&b, "\nmove-to type %d, %s, %s;", s.Type, CommandName(s.CurrentCommand), CommandName(s.AuxCommand))
		for _, n := range s.Nodes.Items(&p.MoveToNodes) {
			if n.Turn {
				fmt.Fprintf(&b, " [turn %v]", n.Heading)
			} else {
				b.WriteString(" [go]")
			}
		}
	}
	b.WriteString("\n")
	return b.String()
}
