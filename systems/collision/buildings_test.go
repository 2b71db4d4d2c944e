package collision

import (
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/testdata/fixtures"
)

// A plot finds its building among however many the block has.
func TestManyBuildings(t *testing.T) {
	src, err := dat.OpenFolder(fixtures.FS, "land")
	if err != nil {
		t.Fatal(err)
	}
	human, err := dat.OpenFolder(fixtures.FS, "humanoid")
	if err != nil {
		t.Fatal(err)
	}
	tb, err := dat.LoadLand(src, human)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := src.Read(dat.LandBlockInfoID(0xA9, 0xB4))
	if err != nil {
		t.Fatal(err)
	}
	info, err := dat.DecodeLandBlockInfo(raw)
	if err != nil {
		t.Fatal(err)
	}
	if len(info.Buildings) == 0 {
		t.Fatal("none")
	}
	house := info.Buildings[0]
	for _, n := range []int{100, 200, 257} {
		m := *info
		m.Buildings = nil
		for range n { // all of these in one plot, far away
			b := house
			b.Portals = nil
			b.Frame.Origin[0], b.Frame.Origin[1] = 180, 180
			m.Buildings = append(m.Buildings, b)
		}
		m.Buildings = append(m.Buildings, house)
		enc, err := dat.EncodeLandBlockInfo(&m)
		if err != nil {
			t.Fatal(err)
		}
		l := NewLand(tb, loose{dat.LandBlockInfoID(0xA9, 0xB4): enc}, src)
		b := l.block(0xA9, 0xB4)
		found := false
		for k := range b.plots {
			if i := b.plots[k].building; i >= 0 && b.Land.Buildings[i].Frame == house.Frame {
				found = true
			}
		}
		if !found {
			t.Errorf("%d buildings before it: the house is not on any plot", n)
		}
	}
}
