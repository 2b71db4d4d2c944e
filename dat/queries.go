package dat

import "github.com/gait-engine/gait/space"

// The queries of spec 03 §3.11–3.12. Those named after a server's are for
// reproducing its timing only (R3.21); what the simulation shows lasts
// [Tables.PlaySeconds].

// Commands that the queries know by id (spec 01 §1.3).
const (
	ready      uint32 = 0x41000003
	runForward uint32 = 0x44000007
	turnRight  uint32 = 0x6500000D
	styleBit   uint32 = 1 << 31
)

// PlaySeconds is how long motion data plays at a speed: the sum over its
// clips that can be played (R3.16). Infinite when one of them has rate 0.
func (t *Tables) PlaySeconds(data int32, speed float32) float64 {
	sum := 0.0
	for _, c := range t.ClipsOf(data) {
		sum += c.Seconds(speed)
	}
	return sum
}

// HookSeconds is when, after the clip has begun, the hooks of frame k fire at
// a speed. The last frame of a clip in the direction of play never fires its
// hooks (R2.27), and nothing does at rate 0: false then (R3.16).
func (c PlayClip) HookSeconds(k int32, speed float32) (float64, bool) {
	r := float64(float32(c.Rate * speed))
	switch {
	case c.Anim < 0:
		return 0, false
	case r > 0 && k >= c.Low && k < c.High:
		return (float64(k) + 1 - float64(c.Low)) / r, true
	case r < 0 && k > c.Low && k <= c.High:
		return (c.top() - float64(k)) / -r, true
	}
	return 0, false
}

// ServerLink is the link by which a server measures motion from current, a
// full command; 0 is the stance's default. None when there is none (R3.17).
func (t *Tables) ServerLink(table int32, stance, current, motion uint32) int32 {
	if current == 0 {
		current, _ = t.StyleDefault(table, stance)
	}
	if m := t.Link(table, Key(stance, current), motion); m >= 0 {
		return m
	}
	return t.Link(table, stance<<16, motion)
}

// serverSeconds sums the clips of motion data at speed 1, the upper frame not
// played (R3.18): n − low frames for a high of −1, else min(high, n) − low. A
// rate of 0 gives what IEEE division gives.
func (t *Tables) serverSeconds(data int32) float32 {
	if data < 0 {
		return 0
	}
	var sum float32
	s := t.Data[data].Clips
	for i := s.at; i < s.at+s.n; i++ {
		c := t.Stored[i]
		var n int64
		if a, ok := t.Animation(c.Anim); ok {
			n = int64(t.Anims[a].Frames)
		}
		high := int64(c.High)
		if c.High == -1 || high > n {
			high = n
		}
		sum += float32(high-int64(c.Low)) / space.Abs(c.Rate)
	}
	return sum
}

// AnimationLength is a server's length, in seconds, of the link from current
// (0 is the stance's default) to motion (R3.18). 0 without a link.
func (t *Tables) AnimationLength(table int32, stance, current, motion uint32, speed float32) float32 {
	return t.serverSeconds(t.ServerLink(table, stance, current, motion)) / speed
}

// CycleLength is a server's length, in seconds, of a cycle (R3.18). 0 without one.
func (t *Tables) CycleLength(table int32, stance, motion uint32, speed float32) float32 {
	return t.serverSeconds(t.Cycle(table, Key(stance, motion))) / speed
}

// MotionLength is a server's length, in seconds, of going from current to
// motion. To another style it goes through Ready first, if it is not there (R3.19).
func (t *Tables) MotionLength(table int32, stance, current, motion uint32, speed float32) float32 {
	var length float32
	if motion&styleBit != 0 && current != ready {
		length = t.AnimationLength(table, stance, current, ready, speed)
		current = ready
	}
	return length + t.AnimationLength(table, stance, current, motion, speed)
}

// RunSpeed is the speed in m/s that a server takes from the default style's run
// cycle: all its position frames, whatever part of them is played (R3.20). 0
// when there is none or it goes nowhere.
func (t *Tables) RunSpeed(table int32) float32 {
	if uint32(table) >= uint32(len(t.Motions)) {
		return 0
	}
	data := t.Cycle(table, Key(t.Motions[table].DefaultStyle, runForward))
	var sum space.Vec3
	var n float32
	clips := t.ClipsOf(data)
	for _, c := range clips {
		for k := int32(0); t.PositionFrame(c.Anim, k) != nil; k++ {
			sum = space.Add(sum, t.PositionFrame(c.Anim, k).Origin)
			n++
		}
	}
	d := space.Length(sum)
	if d == 0 {
		return 0
	}
	return float32(d/n) * t.Stored[t.Data[data].Clips.at].Rate
}

// TurnSpeed is |omega.z|, in radians a second, of the default style's turn
// cycle; 0 when there is none (R3.20).
func (t *Tables) TurnSpeed(table int32) float32 {
	if uint32(table) >= uint32(len(t.Motions)) {
		return 0
	}
	data := t.Cycle(table, Key(t.Motions[table].DefaultStyle, turnRight))
	if data < 0 {
		return 0
	}
	return space.Abs(t.Data[data].Omega[2])
}

// AttackFrame is an attack hook on a link: how far through its part frames, 0 to
// 1, and with which part; no single part is 0xFFFFFFFF.
type AttackFrame struct {
	At   float32
	Part uint32
}

// AttackFrames are a server's attack times of a motion, on the link from the
// stance's default: counted over all frames of its animations, whatever part of
// them is played (R3.20).
func (t *Tables) AttackFrames(table int32, stance, motion uint32) []AttackFrame {
	type hit struct {
		frame uint64
		part  uint32
	}
	var hits []hit
	total := uint64(0)
	for _, c := range t.ClipsOf(t.ServerLink(table, stance, 0, motion)) {
		if c.Anim < 0 {
			continue
		}
		for k := range t.Anims[c.Anim].Frames {
			for _, h := range t.HooksOf(c.Anim, int32(k)) {
				if HookType(h.Type) == HookAttack {
					hits = append(hits, hit{total, t.Hook(h).Args().Part})
				}
			}
			total++
		}
	}
	frames := make([]AttackFrame, len(hits))
	for i, h := range hits {
		frames[i] = AttackFrame{At: float32(h.frame) / float32(total), Part: h.part}
	}
	return frames
}

// RootMotion is where the position frames of motion data lead from a start, all
// of its clips whole and in order, with origins multiplied by scale.
func (t *Tables) RootMotion(data int32, start space.Frame, scale float32) space.Frame {
	for _, c := range t.ClipsOf(data) {
		for k := int32(0); t.PositionFrame(c.Anim, k) != nil; k++ {
			p := *t.PositionFrame(c.Anim, k)
			p.Origin = space.Scale(p.Origin, scale)
			start = space.Combine(start, p)
		}
	}
	return start
}
