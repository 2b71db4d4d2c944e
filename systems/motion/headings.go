package motion

import "github.com/gait-engine/gait/space"

// Heading arithmetic for turning, in compass degrees (06 §6.2). The bearing of
// R6.2 is [space.HeadingTo].

// headingDiff is how far it is from b to a when turning as c does (R6.3).
func headingDiff(a, b float32, c uint32) float32 {
	d := a - b
	if space.Abs(d) < space.Eps {
		d = 0
	}
	if d < -space.Eps {
		d += 360
	}
	if d > space.Eps && c != TurnRight {
		d = 360 - d
	}
	return d
}

// headingGreater reports whether a has passed b when turning as c does;
// equality is passed for TurnLeft, not for TurnRight (R6.4).
func headingGreater(a, b float32, c uint32) bool {
	passed := b > a
	if space.Abs(a-b) <= 180 {
		passed = a > b
	}
	return passed == (c == TurnRight)
}

// wrapOnce takes 360 off a heading that has reached it.
func wrapOnce(h float32) float32 {
	if h >= 360 {
		h -= 360
	}
	return h
}
