package wire

import "testing"

func TestR1_4_TableIsDense(t *testing.T) {
	if len(commands) != 412 || CommandCount != 412 {
		t.Fatalf("%d entries", len(commands))
	}
	for i, run := range commandRuns {
		if i > 0 && (run.first <= commandRuns[i-1].first || run.class == commandRuns[i-1].class) {
			t.Errorf("run %d starts at %#x", i, run.first)
		}
	}
	for i := range uint16(412) {
		id := Command(i)
		if id&0xFFFF != uint32(i) || id&0x00FF0000 != 0 {
			t.Errorf("entry %#x is %#x", i, id)
		}
		if CommandIndex(id) != i {
			t.Errorf("%#x has index %#x", id, CommandIndex(id))
		}
		if id>>24 == 0 {
			t.Errorf("entry %#x has no class", i)
		}
	}
}

// R1.5, 20 §1: beyond the table.
//
// Index 0 is Invalid, which is not 0, no command (R1.3).
func TestR1_5_BeyondTheTable(t *testing.T) {
	for i := 412; i < 0x10000; i++ {
		if Command(uint16(i)) != 0x80000000 {
			t.Fatalf("index %#x: %#x", i, Command(uint16(i)))
		}
	}
	if Command(0) != 0x80000000 {
		t.Error("entry 0")
	}
}

// Every id that 01 names stands at its index.
func TestSpec01_3_NamedCommands(t *testing.T) {
	named := []uint32{
		0x85000001, 0x85000002, // HoldRun, HoldSidestep
		0x41000003, 0x40000004, 0x45000005, 0x45000006, 0x44000007, 0x40000008, // Ready … Fallen
		0x6500000D, 0x6500000E, 0x6500000F, 0x65000010, // turns and sidesteps
		0x40000011, 0x41000012, 0x41000013, 0x41000014, 0x40000015, // Dead … Falling
		0x40000016, 0x40000017, 0x40000018, // Reload, Unload, Pickup
		0x2000003A, 0x2500003B, // StopTurning, Jump
		0x10000057, 0x1000019B, 0x1300004C, // Sanctuary, AI_TelegraphCast, Cheer
		0x80000000, 0x800000E8, 0x800000E9, 0x8000013B, 0x8000013C, // styles beyond the run below
	}
	run := func(first, last uint32) {
		for id := first; id <= last; id++ {
			named = append(named, id)
		}
	}
	run(0x4000001E, 0x40000039) // AimLevel … MagicPray
	run(0x8000003C, 0x80000049) // HandCombat … Magic
	run(0x1000006F, 0x10000078) // MagicPowerUp01…10
	run(0x1000012B, 0x10000134) // MagicPowerUp01…10Purple
	for _, id := range named {
		if got := Command(uint16(id)); got != id {
			t.Errorf("index %#x: %#x, want %#x", uint16(id), got, id)
		}
	}
}

// 01 §1.3: the styles are 19 entries with the style bit; HoldRun and
// HoldSidestep have it too and are none.
func TestSpec01_3_Styles(t *testing.T) {
	n := 0
	for i := range uint16(412) {
		if Command(i)&0x80000000 != 0 {
			n++
		}
	}
	if n != 19+2 {
		t.Errorf("%d entries with the style bit", n)
	}
	// R1.1: turns and sidesteps are both substate and modifier, and nothing else is
	for i := range uint16(412) {
		if both := Command(i)&0x60000000 == 0x60000000; both != (i >= 0x0D && i <= 0x10) {
			t.Errorf("%#x", Command(i))
		}
	}
	// 01 §1.1: with the emote bit, an action or a substate
	for i := range uint16(412) {
		if id := Command(i); id&0x02000000 != 0 && id&0x50000000 == 0 {
			t.Errorf("%#x", id)
		}
	}
}

func TestR1_6_2013(t *testing.T) {
	for i := range 0x10000 {
		got, ok := FinalIndex(uint16(i))
		want, wantOK := uint16(0), true
		switch {
		case i <= 0x10E:
			want = uint16(i)
		case i <= 0x15D, i >= 0x15F && i <= 0x197:
			want = uint16(i + 3)
		default:
			wantOK = false
		}
		if got != want || ok != wantOK {
			t.Fatalf("%#x: %#x, %v", i, got, ok)
		}
	}
	for old, want := range map[uint32]uint32{
		0x10000128: 0x1000012B, 0x10000131: 0x10000134, // MagicPowerUp01Purple, …10Purple
		0x41000003: 0x41000003, 0x80000138: 0x8000013B, 0x10000057: 0x10000057,
	} {
		if got, ok := FinalCommand(old); got != want || !ok {
			t.Errorf("%#x: %#x, %v", old, got, ok)
		}
	}
	for _, old := range []uint32{0x0900015E, 0x10000198, 0x10010003} {
		if got, ok := FinalCommand(old); ok {
			t.Errorf("%#x: %#x", old, got)
		}
	}
	// the class byte does not change, so every converted id is one of the table
	seen := map[uint16]bool{}
	for i := range uint16(CommandCount2013) {
		if f, ok := FinalIndex(i); ok {
			if seen[f] || f >= CommandCount {
				t.Errorf("%#x twice or beyond", f)
			}
			seen[f] = true
		}
	}
}
