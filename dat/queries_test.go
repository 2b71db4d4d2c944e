package dat_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

var commands = map[string]uint32{
	"any": 0, "NonCombat": nonCombat, "HandCombat": handCombat, "SwordCombat": swordCombat, "Ready": ready, "WalkForward": walk,
	"RunForward": run, "TurnRight": turn, "SideStepRight": sidestep, "Dead": dead, "Crouch": crouch, "Sitting": sitting,
	"Sleeping": sleeping, "Falling": falling, "Jump": 0x2500003B, "Twitch1": 0x10000051, "ThrustMed": 0x10000058,
	"BackhandMed": 0x1000005F, "AttackHigh1": 0x10000062, "AttackHigh3": 0x10000068, "DoubleSlashMed": 0x10000120,
	"BowDeep": 0x1300007D, "ClapHands": 0x1300007E, "ShakeHead": 0x13000085, "Wave": 0x13000087,
}

var (
	motionHead = regexp.MustCompile(`^(\w+), (\w+)(?: -> (\w+))?(?: 0x([0-9A-F]{8}))?$`)
	rangeCell  = regexp.MustCompile(`^(\d+)\.\.(\d+) \((\d+)\)$`)
	vector     = regexp.MustCompile(`(velocity|omega) \(([^)]*)\)`)
	tableHead  = regexp.MustCompile(`^### Motion table 0x([0-9A-F]{8})`)
)

// Every row of the fixtures' page: animation, range, rate, seconds (R2.6, R3.16),
// travel, behaviour bits and physics of every cycle, modifier and link.
func TestR3_16_EveryMotionOfTheFixturesPage(t *testing.T) {
	page, err := os.ReadFile("../testdata/fixtures/README.md")
	if err != nil {
		t.Fatal(err)
	}
	tables := load(t, folder(t, "humanoid"), folder(t, "creature"), folder(t, "tiny"))
	var table, data int32
	var section string
	clip, rows := 0, 0
	for _, line := range strings.Split(string(page), "\n") {
		if m := tableHead.FindStringSubmatch(line); m != nil {
			id, _ := strconv.ParseUint(m[1], 16, 32)
			var ok bool
			if table, ok = tables.MotionTable(uint32(id)); !ok {
				t.Fatalf("no table %s", m[1])
			}
		}
		for _, s := range []string{"Cycles", "Modifiers", "Links"} {
			if strings.HasPrefix(line, s+".") {
				section = s
			}
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != 8 {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		then := strings.HasSuffix(cells[0], "then")
		m := motionHead.FindStringSubmatch(cells[0])
		if !then {
			if m == nil || m[1] == "style" {
				continue // the head of the table
			}
			style, motion := commands[m[1]], commands[m[2]]
			switch section {
			case "Cycles":
				data = tables.Cycle(table, dat.Key(style, motion))
			case "Modifiers":
				data = tables.Modifier(table, dat.Key(style, motion))
			case "Links":
				data = tables.Link(table, dat.Key(style, motion), commands[m[3]])
			}
			if data < 0 {
				t.Errorf("%s is not found", cells[0])
				continue
			}
			clip = -1
		}
		rows++
		checkRow(t, tables, data, &clip, cells)
	}
	if rows != 141 {
		t.Errorf("%d rows seen", rows)
	}
}

func checkRow(t *testing.T, tables *dat.Tables, data int32, clip *int, cells []string) {
	t.Helper()
	d := &tables.Data[data]
	num := func(s string) float64 { v, err := strconv.ParseFloat(s, 64); must(t, err); return v }
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-5*max(1, math.Abs(want)) }
	if *clip < 0 || cells[6] != "-" {
		bits, _, _ := strings.Cut(cells[6], " ")
		if bits == "-" {
			bits = "0"
		}
		if uint32(num(bits)) != d.Flags {
			t.Errorf("%s: bits %d", cells[0], d.Flags)
		}
		var velocity, omega space.Vec3
		for _, m := range vector.FindAllStringSubmatch(cells[7], -1) {
			for i, s := range strings.Split(m[2], ", ") {
				if m[1] == "omega" {
					omega[i] = float32(num(s))
				} else {
					velocity[i] = float32(num(s))
				}
			}
		}
		if velocity != d.Velocity || omega != d.Omega {
			t.Errorf("%s: velocity %v omega %v", cells[0], d.Velocity, d.Omega)
		}
	}
	*clip++
	if cells[1] == "none" {
		if d.Count() != 0 {
			t.Errorf("%s has %d clips", cells[0], d.Count())
		}
		return
	}
	c := tables.ClipsOf(data)[*clip]
	if got := fmt.Sprintf("0x%08X", tables.Anims[c.Anim].ID); got != cells[1] {
		t.Errorf("%s: animation %s, want %s", cells[0], got, cells[1])
	}
	m := rangeCell.FindStringSubmatch(cells[2])
	if float64(c.Low) != num(m[1]) || float64(c.High) != num(m[2]) || float64(c.High-c.Low+1) != num(m[3]) {
		t.Errorf("%s: %d..%d, want %s", cells[0], c.Low, c.High, cells[2])
	}
	if !near(float64(c.Rate), num(cells[3])) {
		t.Errorf("%s: rate %v", cells[0], c.Rate)
	}
	want := math.Inf(1)
	if cells[4] != "frozen" {
		want = num(cells[4])
		if c.Rate < 0 { // starts EPS before the end of its last frame; the page counts whole frames
			want += float64(space.Eps) / float64(c.Rate)
		}
	}
	if got := c.Seconds(1); got != want && !near(got, want) {
		t.Errorf("%s: %v s, want %v", cells[0], got, want)
	}
	var sum space.Vec3
	for k := c.Low; k <= c.High; k++ {
		if p := tables.PositionFrame(c.Anim, k); p != nil {
			sum = space.Add(sum, p.Origin)
		}
	}
	if c.Rate < 0 {
		sum = space.Scale(sum, -1)
	}
	travel := strings.Trim(cells[5], "()")
	if travel == "-" {
		travel = "0, 0, 0"
	}
	for i, s := range strings.Split(travel, ", ") {
		if !near(float64(sum[i]), num(s)) {
			t.Errorf("%s: travel %v, want %s", cells[0], sum, cells[5])
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestR3_16_HookTimes(t *testing.T) {
	f := dat.PlayClip{Rate: 10, Low: 2, High: 6}
	b := dat.PlayClip{Rate: -10, Low: 2, High: 6}
	top := float64(float32(7) - space.Eps)
	for _, c := range []struct {
		clip  dat.PlayClip
		k     int32
		speed float32
		want  float64
		fires bool
	}{
		{f, 2, 1, 0.1, true}, {f, 5, 1, 0.4, true}, {f, 6, 1, 0, false}, {f, 1, 1, 0, false}, {f, 7, 1, 0, false}, {f, 2, 2, 0.05, true},
		{b, 6, 1, (top - 6) / 10, true}, {b, 3, 1, (top - 3) / 10, true}, {b, 2, 1, 0, false}, {b, 7, 1, 0, false},
		{f, 3, -1, (top - 3) / 10, true}, {b, 2, -1, 0.1, true}, {f, 3, 0, 0, false}, {dat.PlayClip{Anim: dat.None, Rate: 1, High: 9}, 1, 1, 0, false},
	} {
		got, fires := c.clip.HookSeconds(c.k, c.speed)
		if fires != c.fires || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v frame %d at %v: %v %v, want %v %v", c.clip, c.k, c.speed, got, fires, c.want, c.fires)
		}
	}
}

func TestR3_17_ServerLink(t *testing.T) {
	tables, table := tableOf(t, "humanoid", 0x09000001)
	link := func(style, from, to uint32) int32 { return tables.Link(table, dat.Key(style, from), to) }
	for _, c := range []struct {
		stance, current, motion uint32
		want                    int32
	}{
		{nonCombat, ready, walk, link(nonCombat, ready, walk)},
		{nonCombat, 0, walk, link(nonCombat, ready, walk)},                  // the stance's default
		{nonCombat, run, handCombat, link(nonCombat, 0, handCombat)},        // the group is there, the motion only from anything
		{nonCombat, sleeping, swordCombat, link(nonCombat, 0, swordCombat)}, // neither
		{nonCombat, run, crouch, dat.None},
		{0x80000040, 0, walk, dat.None}, // a stance that the table has not
	} {
		if got := tables.ServerLink(table, c.stance, c.current, c.motion); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// A server counts an explicit high frame short, and what plays does not (D-31).
func TestR3_18_ServerLengths(t *testing.T) {
	tables, table := tableOf(t, "humanoid", 0x09000001)
	creature, beast := tableOf(t, "creature", 0x09000007)
	near := func(name string, got float32, want float64) {
		if math.Abs(float64(got)-want) > 1e-6 {
			t.Errorf("%s: %v s, want %v", name, got, want)
		}
	}
	near("attack", tables.AnimationLength(table, handCombat, 0, 0x10000068, 1), 46/41.7)
	near("attack at 2", tables.AnimationLength(table, handCombat, 0, 0x10000068, 2), 23/41.7)
	near("two clips", tables.AnimationLength(table, swordCombat, 0, 0x10000120, 1), 55.0/21)
	near("backward", tables.AnimationLength(table, nonCombat, falling, ready, 1), 6.0/30)
	near("from anything", tables.AnimationLength(table, nonCombat, run, handCombat, 1), 20.0/33)
	near("explicit high of 10", tables.AnimationLength(table, swordCombat, ready, walk, 1), 7.0/30) // 3..10 played 8
	near("no link", tables.AnimationLength(table, nonCombat, run, crouch, 1), 0)
	near("explicit high of 7", creature.AnimationLength(beast, handCombat, 0, walk, 1), 10.0/25+8.0/21+5.0/25) // 2..7 played 6
	if got := creature.PlaySeconds(creature.Link(beast, dat.Key(handCombat, ready), walk), 1); math.Abs(got-(10.0/25+8.0/21+6.0/25)) > 1e-6 {
		t.Errorf("it plays %v s", got)
	}
	near("idle", tables.CycleLength(table, nonCombat, ready, 1), 1.1)
	near("22 frames, one short", tables.CycleLength(table, handCombat, walk, 1), 21.0/30)
	near("two animations", tables.CycleLength(table, swordCombat, ready, 1), 44.0/30)
	near("no cycle", tables.CycleLength(table, handCombat, sitting, 1), 0)
	if got := tables.CycleLength(table, nonCombat, dead, 1); !math.IsInf(float64(got), 1) {
		t.Errorf("a pose of 31..−1 lasts %v", got)
	}
	if got := tables.CycleLength(table, nonCombat, sleeping, 1); got == got {
		t.Errorf("a pose of 59..59 lasts %v", got)
	}
}

func TestR3_18_HighOfTheLastFrameIsNotTheEnd(t *testing.T) {
	cycle := func(low, high int32, rate float32) float32 {
		tables := compile(t, dat.Records{Anims: []*dat.Animation{still(0x03000001, 10)}, Motions: []*dat.MotionTable{{ID: 0x09000001,
			Cycles: []dat.KeyedMotion{{Key: 0x00010002, Data: dat.MotionData{Clips: []dat.Clip{{Anim: 0x03000001, Low: low, High: high, Rate: rate}}}}}}}})
		return tables.CycleLength(0, 1, 2, 1)
	}
	for _, c := range []struct {
		low, high  int32
		rate, want float32
	}{{0, -1, 1, 10}, {0, 9, 1, 9}, {0, 10, 1, 10}, {0, 11, 1, 10}, {4, 6, -2, 1}, {12, -1, 1, -2}, {12, -1, 0, float32(math.Inf(-1))}} {
		if got := cycle(c.low, c.high, c.rate); got != c.want {
			t.Errorf("%d..%d at %v: %v, want %v", c.low, c.high, c.rate, got, c.want)
		}
	}
}

func TestR3_19_MotionLength(t *testing.T) {
	tables, table := tableOf(t, "humanoid", 0x09000001)
	for _, c := range []struct {
		current, motion uint32
		want            float64
	}{
		{ready, handCombat, 20.0 / 33},
		{walk, handCombat, 11.0/30 + 20.0/33}, // to Ready, then to the style
		{sitting, swordCombat, 92.0/45 + 19.0/33},
		{walk, run, 6.0 / 30}, // no style: direct
	} {
		if got := tables.MotionLength(table, nonCombat, c.current, c.motion, 1); math.Abs(float64(got)-c.want) > 1e-6 {
			t.Errorf("0x%08X to 0x%08X: %v, want %v", c.current, c.motion, got, c.want)
		}
		if got := tables.MotionLength(table, nonCombat, c.current, c.motion, 4); math.Abs(float64(got)-c.want/4) > 1e-6 {
			t.Errorf("0x%08X to 0x%08X at 4: %v", c.current, c.motion, got)
		}
	}
}

func TestR3_20_SpeedsAndAttacks(t *testing.T) {
	tables, table := tableOf(t, "humanoid", 0x09000001)
	creature, beast := tableOf(t, "creature", 0x09000007)
	tiny, small := tableOf(t, "tiny", 0x09000100)
	if v := tables.RunSpeed(table); math.Abs(float64(v)-3.99998951) > 1e-5 {
		t.Errorf("run %v", v)
	}
	if v := tables.TurnSpeed(table); v != 1.5 {
		t.Errorf("turn %v", v)
	}
	if v, w := creature.RunSpeed(beast), creature.TurnSpeed(beast); v != 0 || w != 2 { // its run has no position frames
		t.Errorf("creature: %v, %v", v, w)
	}
	if v, w := tiny.RunSpeed(small), tiny.TurnSpeed(small); v != 0 || w != 0 {
		t.Errorf("tiny: %v, %v", v, w)
	}
	if tables.RunSpeed(dat.None) != 0 || tables.TurnSpeed(dat.None) != 0 || tables.AttackFrames(dat.None, nonCombat, walk) != nil && len(tables.AttackFrames(dat.None, nonCombat, walk)) > 0 {
		t.Error("no table has speeds")
	}
	const noPart = math.MaxUint32
	for _, c := range []struct {
		stance, motion uint32
		want           []dat.AttackFrame
	}{
		{handCombat, 0x10000068, []dat.AttackFrame{{At: 18.0 / 46, Part: 8}}},
		{swordCombat, 0x10000058, []dat.AttackFrame{{At: 17.0 / 50, Part: noPart}}},
		{swordCombat, 0x1000005F, []dat.AttackFrame{{At: 16.0 / 48, Part: noPart}}},
		{swordCombat, 0x10000120, []dat.AttackFrame{{At: 19.0 / 55, Part: noPart}, {At: 32.0 / 55, Part: noPart}}},
		{nonCombat, walk, nil},
		{nonCombat, 0x10000068, nil},
	} {
		got := tables.AttackFrames(table, c.stance, c.motion)
		if len(got) != len(c.want) {
			t.Errorf("0x%08X: %v", c.motion, got)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("0x%08X: %v, want %v", c.motion, got[i], c.want[i])
			}
		}
	}
}

func TestRootMotion(t *testing.T) {
	tables, table := tableOf(t, "humanoid", 0x09000001)
	start := space.Frame{Origin: space.Vec3{84.5, 101.25, 10}, Rotation: space.Quat{W: 0.70710677, V: space.Vec3{0, 0, 0.70710677}}}
	end := tables.RootMotion(tables.Cycle(table, dat.Key(nonCombat, walk)), start, 1.5)
	if want := (space.Vec3{84.5 - 3.12*1.5, 101.25, 10}); space.Length(space.Sub(end.Origin, want)) > 1e-4 {
		t.Errorf("walking turned left leads to %v, want %v", end.Origin, want)
	}
	if got := tables.RootMotion(dat.None, start, 1); got != start {
		t.Errorf("nothing leads to %v", got)
	}
}
