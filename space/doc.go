// Package space is where things are: frames and rotations, compass headings,
// cells and landblocks, and distances between positions in different blocks
// (spec 10). It also holds the arithmetic that the whole engine stands on.
//
// # One answer on every machine
//
// State is 32-bit. Every product is converted explicitly before it is added to
// anything, float32(a*b) + c, because the compiler may otherwise fuse the two
// into one rounding, and does so on some machines only. math.Sqrt, math.Floor
// and math.Mod are exact everywhere and are used; sine, cosine, arctangent and
// arcsine are our own ([SinCos], [Atan2], [Asin]), computed in float64 and
// narrowed once. mathgl's types are the vocabulary, its arithmetic is never
// used on state.
//
// # Units and axes
//
// Metres, seconds, radians unless a name says degrees. X is east, Y north, Z
// up, right-handed. Headings are compass degrees: 0 is north (+Y), 90 east
// (+X), clockwise from above, in [0,360).
package space
