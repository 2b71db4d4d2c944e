package ground

import (
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// site is a landblock and what stands on it.
type site struct {
	*block
	draws
	info  dat.LandBlockInfo
	rooms []*dat.EnvCell
}

// addBlock adds a landblock and what stands on it.
func (m *maker) addBlock(x, y uint8) {
	s := site{block: m.block(int(x), int(y)), draws: m.drawn(useScatter, int(x), int(y))}
	s.info.ID = dat.LandBlockInfoID(x, y)
	if !s.sea {
		s.scatter()
		if s.yard {
			s.fillYard()
		}
	}
	objects := len(s.info.Objects)+len(s.info.Buildings) > 0
	put(m, &m.out.Cell, dat.LandBlockID(x, y), s.record(objects), dat.EncodeLandBlock)
	if objects {
		put(m, &m.out.Cell, s.info.ID, &s.info, dat.EncodeLandBlockInfo)
	}
	for _, c := range s.rooms {
		put(m, &m.out.Cell, c.ID, c, dat.EncodeEnvCell)
	}
}

const blockSide, cellSide = 192, 24 // m

// scatter drops boulders, pillars and posts on the block, some of them across its
// border, none into its yard.
func (s *site) scatter() {
	for range 3 + s.below(4) {
		x, y := float64(s.below(blockSide*16))/16, float64(s.below(blockSide*16))/16
		switch s.below(8) {
		case 0:
			x = 0.5
		case 1:
			y = blockSide - 0.5
		}
		kind := s.below(4)
		const low, high = yardFrom*cellSide - 4, yardTo*cellSide + 4
		if s.yard && x > low && x < high && y > low && y < high {
			continue
		}
		model := [...]uint32{boulderSetup, boulderSetup, pillarSetup, postSetup}[kind]
		s.stand(model, space.Frame{Origin: space.Vec3{float32(x), float32(y), float32(s.height(x, y))}, Rotation: quarter(0)})
	}
}

// stand puts an object on the land.
func (s *site) stand(model uint32, f space.Frame) {
	s.info.Objects = append(s.info.Objects, dat.ObjectRecord{Model: model, Frame: f})
}

// quarter returns so many quarter turns, counter-clockwise from above.
func quarter(n int) space.Quat {
	const diagonal = 0.70710678 // √½
	q := [...]space.Quat{{W: 1}, {W: diagonal, V: space.Vec3{0, 0, diagonal}}, {V: space.Vec3{0, 0, 1}}, {W: -diagonal, V: space.Vec3{0, 0, diagonal}}}
	return q[n&3]
}

// fillYard gives most cells of the yard something of their own.
func (s *site) fillYard() {
	houses := 0
	for x := yardFrom; x < yardTo; x++ {
		for y := yardFrom; y < yardTo; y++ {
			f := space.Frame{
				Origin:   space.Vec3{float32(x*cellSide + cellSide/2), float32(y*cellSide + cellSide/2), float32(metres(s.pad))},
				Rotation: quarter(s.below(4)),
			}
			at := func(model uint32, x, y, z float32, turn int) {
				o := space.Frame{Origin: space.Add(f.Origin, space.LocalToGlobalVec(f.Rotation, space.Vec3{x, y, z})), Rotation: f.Rotation}
				if turn != 0 {
					o.Rotation = space.MulQuat(f.Rotation, quarter(turn))
				}
				s.stand(model, o)
			}
			switch s.below(9) {
			case 0:
				if houses++; houses <= 3 {
					s.build(f)
				}
			case 1: // stairs up to a platform, which lies behind them
				for i := range flight {
					at(stepModel, 0, -7+float32(tread*float32(i)), rise*float32(i), 0)
				}
				at(platformModel, 0, -7+tread*flight+platformHalf, 0, 0)
			case 2: // a corner of walls
				at(wallModel, 0, 6, 0, 0)
				at(wallModel, 6, 0, 0, 1)
			case 3: // walls with a gap that a body fits through, and one that it does not
				at(wallModel, -wallHalf-0.625, 0, 0, 0)
				at(wallModel, wallHalf+0.375, 0, 0, 0)
			case 4: // crates on the ground and on each other
				at(crateModel, -4, -4, 0, 0)
				at(crateModel, 3, 3, 0, 0)
				at(crateModel, 4, 4, 0.5, 0)
			case 5:
				at(archSetup, 0, 0, 0, 0)
			case 6:
				at(wedgeModel, 0, 0, 0, 0)
			case 7: // a row of pillars, the last two with no way between them
				for _, x := range [...]float32{-6, -3, 0, 1.75} {
					at(pillarSetup, x, 0, 0, 0)
				}
			}
		}
	}
}
