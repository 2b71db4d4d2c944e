package dat

import "github.com/gait-engine/gait/space"

// MaxCrossed is of how many frames a [Crossing] is at most: who runs two and a half
// times as fast as his animation was made leaves three in a tick at most.
const MaxCrossed = 4

// Crossing is what leaving some frames of an animation comes to, one after the other and
// forwards (R2.26), for who stands unturned before it: an answer kept, not another rule.
type Crossing struct {
	Way    space.Vec3 // m, in the body's axes: the sum of the position frames
	Length float32    // of Way
	Plain  bool       // the animation has all the frames, and none of them turns anything
	Hooks  bool       // there are hooks
}

// Crossing returns what leaving n frames, 1 to [MaxCrossed], from k on comes to, of an
// animation of t that has position frames.
func (t *Tables) Crossing(a *Anim, k, n int32) *Crossing {
	return &t.crossings[int(a.Positions+k)*MaxCrossed+int(n)-1]
}

// addCrossings adds those of an animation, the last that was added.
func (t *Tables) addCrossings(a *Anim) {
	if a.Positions < 0 {
		return
	}
	for k := range a.Frames {
		c := Crossing{Plain: true}
		for n := range uint32(MaxCrossed) {
			c.leave(t, a, k+n)
			t.crossings = append(t.crossings, c)
		}
	}
}

// leave adds frame k, if there is one.
func (c *Crossing) leave(t *Tables, a *Anim, k uint32) {
	if k >= a.Frames {
		c.Plain = false
		return
	}
	b := &t.Positions[uint32(a.Positions)+k]
	c.Way = space.Add(c.Way, b.Origin)
	c.Length = space.Length(c.Way)
	c.Plain = c.Plain && space.Unturned(&b.Rotation)
	c.Hooks = c.Hooks || len(t.hooksAt(a.HooksAt+k)) > 0
}
