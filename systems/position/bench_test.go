package position

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

func BenchmarkUpdatePhysics(b *testing.B) {
	for name, set := range map[string]func(*components.Body){
		"rest":    func(*components.Body) {},
		"falling": func(x *components.Body) { x.Velocity, x.Transient = space.Vec3{1, 2, -3}, components.Falling },
		"friction": func(x *components.Body) {
			x.Velocity, x.Transient = space.Vec3{3, 2, 0}, components.Contact|components.OnWalkable
		},
		"turning": func(x *components.Body) { x.Omega = space.Vec3{0, 0, 1} },
	} {
		b.Run(name, func(b *testing.B) {
			body := NewBody()
			set(&body)
			f := space.Identity
			for b.Loop() {
				x := body
				UpdatePhysics(&x, 1./30, &f)
			}
		})
	}
}

func BenchmarkAdjustOffset(b *testing.B) {
	for name, nodes := range map[string]int{"idle": 0, "chasing": 1, "chasing many": 20} {
		b.Run(name, func(b *testing.B) {
			w := newWorld(b)
			for i := range nodes {
				w.event(at(80 + float32(i)))
			}
			for b.Loop() {
				off := space.Identity
				AdjustOffset(w.Mover, &off, w.q, 4, true)
			}
		})
	}
}

func BenchmarkAdjustLeash(b *testing.B) {
	body := NewBody()
	body.Transient = components.Contact
	l := components.Leash{Constrained: true, Start: 10, Max: 50}
	for b.Loop() {
		off := space.Frame{Origin: space.Vec3{0, .2, 0}}
		AdjustLeash(&l, &body, &off.Origin)
	}
}

func BenchmarkCommit(b *testing.B) {
	for name, step := range map[string]float32{"standing": 0, "moving": .1} {
		b.Run(name, func(b *testing.B) {
			pose, body := components.Pose{Position: at(50)}, NewBody()
			next := pose.Frame
			for b.Loop() {
				next.Origin[1] = 50 + step
				step = -step
				Commit(&pose, &body, &next, 1./30)
			}
		})
	}
}

func BenchmarkUseTime(b *testing.B) {
	w := newWorld(b)
	w.fill(pos)
	for b.Loop() {
		w.UseTime()
	}
}

func BenchmarkPositionEvent(b *testing.B) {
	w := newWorld(b)
	for b.Loop() {
		w.event(at(3))
		w.event(at(5))
	}
}
