package motion

import (
	"math"

	"github.com/gait-engine/gait/space"
)

// clamp keeps a product of finite numbers in the state's range: an overflow
// stays at the greatest float of its sign, what is no number becomes 0.
func clamp(x float32) float32 {
	if space.Finite(x) {
		return x
	}
	switch {
	case x > 0:
		return math.MaxFloat32
	case x < 0:
		return -math.MaxFloat32
	}
	return 0
}

func clampVec(v space.Vec3) space.Vec3 { return space.Vec3{clamp(v[0]), clamp(v[1]), clamp(v[2])} }
