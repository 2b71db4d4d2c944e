package scenario

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Allowed is a difference that is known: from this tick on the field differs in
// this scenario, because of a rule that the expected trace does not follow.
type Allowed struct {
	Scenario string
	Field    string
	Tick     int // the first that differs
	Rule     string
}

// ReadAllowed reads a list of known differences: one a line, scenario, field,
// first tick and rule between blanks; the rule goes to the end of the line.
// Lines that are empty or begin with # say nothing.
func ReadAllowed(r io.Reader) ([]Allowed, error) {
	var out []Allowed
	scan := bufio.NewScanner(r)
	for n := 1; scan.Scan(); n++ {
		f := strings.Fields(scan.Text())
		if len(f) == 0 || f[0][0] == '#' {
			continue
		}
		if len(f) < 4 {
			return nil, fmt.Errorf("scenario: known differences: line %d is not scenario, field, tick, rule", n)
		}
		tick, err := strconv.Atoi(f[2])
		if err != nil {
			return nil, fmt.Errorf("scenario: known differences: line %d: tick: %w", n, err)
		}
		out = append(out, Allowed{f[0], f[1], tick, strings.Join(f[3:], " ")})
	}
	return out, scan.Err()
}

// Settle holds what was found in one scenario against what is known of it. It
// returns the differences that nothing allows, and the known ones that did not
// occur, or not first at their tick: both are failures.
func Settle(scenario string, found []Difference, allowed []Allowed) (unknown []Difference, absent []Allowed) {
	first := make(map[string]int) // tick, by field
	for _, d := range found {
		if t, ok := first[d.Field]; !ok || d.Tick < t {
			first[d.Field] = d.Tick
		}
	}
	known := make(map[string]bool)
	for _, a := range allowed {
		if a.Scenario != scenario {
			continue
		}
		if t, ok := first[a.Field]; ok && t == a.Tick {
			known[a.Field] = true
		} else {
			absent = append(absent, a)
		}
	}
	for _, d := range found {
		if !known[d.Field] {
			unknown = append(unknown, d)
		}
	}
	return unknown, absent
}
