// Package space is where things are: frames and rotations, compass headings,
// cells and landblocks, and distances between positions in different blocks
// (spec 10). It also holds the arithmetic that the whole engine stands on.
//
// # One answer on every machine
//
// State is 32-bit. Every product is converted explicitly before it is added to
// anything, float32(a*b) + c, because the compiler may otherwise fuse the two
// into one rounding, and does so on some machines only. It also fuses a division
// by a power of two, which it turns into a product: write that as one. math.Sqrt,
// math.Floor and math.Mod are exact everywhere and are used; sine, cosine,
// arctangent and arcsine are our own ([SinCos], [Atan2], [Asin]), computed in
// float64 and narrowed once. mathgl's types are the vocabulary, its arithmetic is
// never used on state.
//
// # Invariants
//
//   - Whatever is handed in, a rotation that comes out of [SetRotate] and of all
//     that goes through it is valid if the former one was; no float is converted
//     to an integer unless it fits; nothing panics.
//   - [SetRotate] of its own result is that result, and [Combine] with [Identity]
//     changes nothing: what rests keeps its bits.
//   - [Offset] there is the negative of [Offset] back, and does not tell in which
//     of two blocks a point on their border was written.
//   - The cell that [AdjustToOutside] returns holds the point that it returns.
//
// # Units and axes
//
// Metres, seconds, radians unless a name says degrees. X is east, Y north, Z
// up, right-handed. Headings are compass degrees: 0 is north (+Y), 90 east
// (+X), clockwise from above, in [0,360).
package space
