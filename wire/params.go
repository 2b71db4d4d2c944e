package wire

import "math"

// Params are the movement parameters that travel with a move-to or turn-to
// (20 §2.1, 05 §5.2). The flags replace the default word entirely. Distances
// are metres, headings degrees; FLT_MAX as a distance means no limit.
type Params struct {
	Flags            uint32 // 05 §5.2
	DistanceToObject float32
	MinDistance      float32
	FailDistance     float32
	Speed            float32
	WalkRunThreshold float32
	DesiredHeading   float32
}

// DefaultParams returns the defaults of R5.8.
func DefaultParams() Params {
	return Params{Flags: 0x1EE0F, DistanceToObject: 0.6, FailDistance: math.MaxFloat32, Speed: 1, WalkRunThreshold: 15}
}

var (
	longFields = []field{{"params flags", 4}, {"distance to object", 4}, {"min distance", 4}, {"fail distance", 4},
		{"params speed", 4}, {"walk-run threshold", 4}, {"desired heading", 4}, {"run rate", 4}}
	shortFields = []field{{"params flags", 4}, {"params speed", 4}, {"desired heading", 4}}
)

// readLong reads the 0x1C form and the run rate that always follows it.
func (p *Params) readLong(r *reader) (runRate float32) {
	b := r.block(32, longFields)
	r.finite(b, 7, longFields)
	p.Flags = u32(b, 0)
	p.DistanceToObject, p.MinDistance, p.FailDistance = f32(b, 4), f32(b, 8), f32(b, 12)
	p.Speed, p.WalkRunThreshold, p.DesiredHeading = f32(b, 16), f32(b, 20), f32(b, 24)
	return f32(b, 28)
}

// readShort reads the 0x0C form; the rest keeps its defaults (R6.26).
func (p *Params) readShort(r *reader) {
	b := r.block(12, shortFields)
	r.finite(b, 2, shortFields)
	*p = DefaultParams()
	p.Flags, p.Speed, p.DesiredHeading = u32(b, 0), f32(b, 4), f32(b, 8)
}

func (p *Params) writeLong(w *writer, runRate float32) {
	w.u32(p.Flags)
	w.f32(p.DistanceToObject, "distance to object")
	w.f32(p.MinDistance, "min distance")
	w.f32(p.FailDistance, "fail distance")
	w.f32(p.Speed, "params speed")
	w.f32(p.WalkRunThreshold, "walk-run threshold")
	w.f32(p.DesiredHeading, "desired heading")
	w.f32(runRate, "run rate")
}

// writeShort refuses distances that the form cannot carry: they are either
// the defaults or left out.
func (p *Params) writeShort(w *writer) {
	rest := Params{DistanceToObject: p.DistanceToObject, MinDistance: p.MinDistance,
		FailDistance: p.FailDistance, WalkRunThreshold: p.WalkRunThreshold}
	d := DefaultParams()
	d.Flags, d.Speed = 0, 0
	w.need(rest == Params{} || rest == d, "params")
	w.u32(p.Flags)
	w.f32(p.Speed, "params speed")
	w.f32(p.DesiredHeading, "desired heading")
}
