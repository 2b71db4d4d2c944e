package position

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// Other is how a mover stands as far as somebody may read it.
type Other struct {
	Place    space.Position
	Achieved space.Vec3 // m/s
}

// Present is how a mover stands now: for events and deliveries.
func Present(r *components.Row) Other { return Other{r.Pose.Position, r.Body.Achieved} }

// Stood is how a mover with a target manager stood when the inbound stage was
// done: for others, while movers are updated. false without a target manager.
func Stood(r *components.Row, p *components.Pools) (Other, bool) {
	s := r.Errand.Stood.Get(&p.Stoods)
	if s == nil {
		return Other{}, false
	}
	return Other{s.Place, s.Achieved}, true
}

// Alone reports whether a mover has no target and no voyeurs, so that nothing that
// happens to it is told to another, nor anything to it (13 §5).
func Alone(r *components.Row, p *components.Pools) bool {
	if r.Rest.Busy&components.Targeting == 0 {
		return true
	}
	t := r.Errand.Target.Get(&p.Targets)
	return r.Errand.Voyeurs.Len == 0 && (t == nil || t.ID == 0)
}

// Stand notes how a mover with a target manager stands, for [Stood]: when the
// inbound stage is done. Nothing for others.
func Stand(r *components.Row, p *components.Pools) {
	if s := r.Errand.Stood.Get(&p.Stoods); s != nil {
		s.Place, s.Achieved = r.Pose.Position, r.Body.Achieved
	}
}

// makeTargetManager gives a mover its target manager, with the first SetTarget or AddVoyeur.
func makeTargetManager(r *components.Row, p *components.Pools) {
	if r.Rest.Busy&components.Targeting != 0 {
		return
	}
	r.Rest.Busy |= components.Targeting
	r.Errand.LastRun = 0
	*r.Errand.Stood.Make(&p.Stoods) = components.Stood{
		Place: r.Pose.Position, Achieved: r.Body.Achieved, Committed: r.Pose.Position,
	}
}

// ahead is where o will be in q seconds, without changing cells; where it is when
// that is beyond all numbers.
func (o *Other) ahead(q float32) space.Position {
	p := o.Place
	if at := space.Add(p.Frame.Origin, space.Scale(o.Achieved, q)); space.FiniteVec(at) {
		p.Frame.Origin = at
	}
	return p
}

// AddVoyeur lets id watch the mover r, or changes how (13 §5); it reports whether
// id is new. Who is new gets [Answer] at once; told is the place which that names.
// A mover at rest is woken before.
func AddVoyeur(r *components.Row, p *components.Pools, id uint32, radius, quantum float32, told *space.Position) (isNew bool) {
	makeTargetManager(r, p)
	if v := FindVoyeur(r, p, id); v != nil {
		v.Radius, v.Quantum = radius, quantum
		return false
	}
	r.Errand.Voyeurs.Push(&p.Voyeurs, components.Voyeur{ID: id, Radius: radius, Quantum: quantum, LastSent: *told})
	return true
}

// Answer is the update that a new voyeur gets at once from the mover with guid,
// which stands as from says.
func Answer(guid uint32, radius, quantum float32, from *Other) components.Target {
	v := components.Voyeur{Radius: radius, Quantum: quantum}
	return Info(guid, &v, from, &from.Place, components.TargetOK)
}

// RemoveVoyeur drops id from those who watch the mover r (13 §5).
func RemoveVoyeur(r *components.Row, p *components.Pools, id uint32) {
	items := r.Errand.Voyeurs.Items(&p.Voyeurs)
	for i := range items {
		if items[i].ID == id {
			r.Errand.Voyeurs.Remove(&p.Voyeurs, i, i+1)
			return
		}
	}
}

// FindVoyeur returns the record of id among those who watch the mover r, nil if
// it does not. It is good until a voyeur comes or goes.
func FindVoyeur(r *components.Row, p *components.Pools, id uint32) *components.Voyeur {
	items := r.Errand.Voyeurs.Items(&p.Voyeurs)
	for i := range items {
		if items[i].ID == id {
			return &items[i]
		}
	}
	return nil
}

// Info is what SendVoyeurUpdate sends to v (13 §5): the mover with guid stands as
// from says and is to be thought of at place, which v remembers as last sent and
// which keeps its cell however far it lies (10 §8).
func Info(guid uint32, v *components.Voyeur, from *Other, place *space.Position, status components.TargetStatus) components.Target {
	v.LastSent = *place
	return components.Target{
		ID: guid, Radius: v.Radius, Quantum: v.Quantum, Status: status,
		Place: from.Place, Interpolated: *place, Velocity: from.Achieved,
	}
}

// CheckVoyeurs is the other half of HandleTargetting (13 §5): it sends to those
// whom the mover r took by surprise, in order of subscription, when they are due.
// It tells where the step ended, before any blip.
func CheckVoyeurs(r *components.Row, p *components.Pools, now float64, send func(to uint32, info components.Target)) {
	if !DueForVoyeurs(r, now) {
		return
	}
	from := Other{r.Errand.Stood.Get(&p.Stoods).Committed, r.Body.Achieved}
	eachVoyeur(r, p, func(v *components.Voyeur) {
		if at := from.ahead(v.Quantum); space.Distance(&at, &v.LastSent) > v.Radius {
			to := v.ID
			send(to, Info(r.Identity.Guid, v, &from, &at, components.TargetOK))
		}
	})
	r.Errand.LastRun = now
}

// NotifyVoyeurs is NotifyVoyeurOfEvent (13 §5): all are told of status, and where
// the mover r is now.
func NotifyVoyeurs(r *components.Row, p *components.Pools, status components.TargetStatus, send func(to uint32, info components.Target)) {
	from := Present(r)
	eachVoyeur(r, p, func(v *components.Voyeur) {
		to := v.ID
		send(to, Info(r.Identity.Guid, v, &from, &from.Place, status))
	})
}

// eachVoyeur calls f for those who watch the mover r now, in order of
// subscription. Who hears of it may let go of r, and even of others: who is gone
// by then is left out, and so is who comes meanwhile.
func eachVoyeur(r *components.Row, p *components.Pools, f func(v *components.Voyeur)) {
	var now components.List[components.Voyeur, [0]components.Voyeur]
	for _, v := range r.Errand.Voyeurs.Items(&p.Voyeurs) {
		now.Push(&p.Voyeurs, v)
	}
	at := 0 // where the next one is, unless others than those told came or went
	for _, was := range now.Items(&p.Voyeurs) {
		items := r.Errand.Voyeurs.Items(&p.Voyeurs)
		if at >= len(items) || items[at].ID != was.ID {
			at = 0
			for at < len(items) && items[at].ID != was.ID {
				at++
			}
			if at == len(items) {
				continue
			}
		}
		f(&items[at])
		if items = r.Errand.Voyeurs.Items(&p.Voyeurs); at < len(items) && items[at].ID == was.ID {
			at++
		}
	}
	now.Clear(&p.Voyeurs)
}
