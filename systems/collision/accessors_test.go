package collision

import (
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/testdata/fixtures"
)

// Step heights are the setup's × scale, 0.01 without one (11 §12); spheres scale along.
func TestSpec11_12_StepHeights(t *testing.T) {
	tables, err := dat.LoadFolders(fixtures.FS)
	if err != nil {
		t.Fatal(err)
	}
	setup, ok := tables.Setup(0x02000001)
	if !ok {
		t.Fatal("no humanoid")
	}
	w := &World{Tables: tables, Shapes: &tables.Shapes}
	figure := &tables.Setups[setup]
	for _, scale := range []float32{1, 0.5, 3} {
		var b Body
		w.Body(&Obstacle{Scale: scale, Setup: setup}, &b)
		if b.StepUp != float32(figure.StepUp*scale) || b.StepDown != float32(figure.StepDown*scale) || figure.StepUp == 0 {
			t.Errorf("scale %v: steps %v up and %v down, of %v and %v", scale, b.StepUp, b.StepDown, figure.StepUp, figure.StepDown)
		}
		if first := tables.SpheresOf(setup)[0]; b.Spheres[0].Radius != float32(first.Radius*scale) {
			t.Errorf("scale %v: a sphere of %v m, of %v", scale, b.Spheres[0].Radius, first.Radius)
		}
	}
	var b Body
	w.Body(&Obstacle{Scale: 2, Setup: dat.None}, &b)
	if b.StepUp != 0.01 || b.StepDown != 0.01 {
		t.Errorf("without a setup: steps %v up and %v down", b.StepUp, b.StepDown)
	}
}

// Land has no heights without a region, and is then no land to run on.
func TestLandNeedsARegion(t *testing.T) {
	tables := &dat.Tables{}
	if err := NewLand(tables).Check(tables); err == nil {
		t.Error("land without a region is taken")
	}
}
