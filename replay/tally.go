package replay

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire"
)

// Tallies are what became of messages, by guid; those that name none are under 0.
type Tallies map[uint32]*Tally

// Tally is what became of one guid's messages.
type Tally struct {
	Verdicts [systems.Refused + 1]int // by systems.Verdict
	Reasons  []string                 // of refusals, each once
}

// Count adds what became of a message.
func (t Tallies) Count(o *systems.Outcome) {
	of := t[o.Guid]
	if of == nil {
		of = &Tally{}
		t[o.Guid] = of
	}
	of.Verdicts[o.Verdict]++
	if o.Err != nil {
		if reason := Reason(o.Err); !slices.Contains(of.Reasons, reason) {
			of.Reasons = append(of.Reasons, reason)
		}
	}
}

// Reason names why a message was refused, without what is peculiar to it.
func Reason(err error) string {
	if kind, ok := errors.AsType[wire.Kind](err); ok {
		return kind.Error()
	}
	for _, known := range []error{systems.ErrFlood, systems.ErrSpawn, systems.ErrMessage} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return err.Error()
}

// Write writes a line a guid, in guid order, with where its remote stands; what
// names no guid comes first, as "-".
func (t Tallies) Write(w io.Writer, e *systems.Engine) error {
	guids := make([]uint32, 0, len(t))
	for guid := range t {
		guids = append(guids, guid)
	}
	slices.Sort(guids)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "guid\t")
	for v := systems.Applied; v <= systems.Refused; v++ {
		fmt.Fprintf(table, "%s\t", v)
	}
	fmt.Fprintln(table, "  stands in / refused for")
	for _, guid := range guids {
		of := t[guid]
		name := "-"
		if guid != 0 {
			name = fmt.Sprintf("0x%08X", guid)
		}
		fmt.Fprintf(table, "%s\t", name)
		for v := systems.Applied; v <= systems.Refused; v++ {
			fmt.Fprintf(table, "%d\t", of.Verdicts[v])
		}
		e.Inspect(guid, func(r *components.Row, _ *components.Pools) {
			o := r.Pose.Frame.Origin
			fmt.Fprintf(table, "  0x%08X (%.2f, %.2f, %.2f)", uint32(r.Pose.Cell), o[0], o[1], o[2])
		})
		for _, reason := range of.Reasons {
			fmt.Fprintf(table, "  %s", reason)
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}
