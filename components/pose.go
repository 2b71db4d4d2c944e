package components

import "github.com/gait-engine/gait/space"

// Pose is where the root stands: cell, origin local to the landblock, rotation.
type Pose struct{ space.Position }

// Anchors are two remembered places that are read rarely: where a failed chase
// blips to (spec 12 §6) and where the leash was tied, informative (spec 13 §4). Who
// never failed, or was never tied, has none: a place that is nowhere.
type Anchors struct {
	BlipTo Box[space.Position]
	Leash  Box[space.Position]
}
