package replay

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/gait-engine/gait/capture"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire/transport"
)

// Report is what captures hold and how well it was predicted. It names guids and
// opcodes only: no names, no talk, no addresses (22 §11.7).
type Report struct {
	Notices        []string     `json:"notices,omitempty"` // what to think of before believing the numbers
	TicksPerSecond float64      `json:"ticks_per_second"`
	Files          []File       `json:"files"`
	Outside        Outside      `json:"outside"` // datagrams of no connection
	Connections    []Connection `json:"connections"`
	Unplayed       int          `json:"unplayed,omitempty"` // connections that MaxViews kept from being played
	Errors         *Errors      `json:"errors"`             // of all connections
}

// File is what was read of a capture.
type File struct {
	Name    string         `json:"name"`
	Format  string         `json:"format,omitempty"`
	Start   string         `json:"start,omitempty"`
	Seconds float64        `json:"seconds"`
	Counts  capture.Counts `json:"counts"`
	Others  int            `json:"others,omitempty"` // members of an archive that are no captures
	Error   string         `json:"error,omitempty"`  // why it was not read, or not to its end
}

// Unread joins why files were not read, or not to their end, and which of them end in the
// middle; nil when all were read and are whole.
func (r *Report) Unread() error {
	var all []error
	for _, f := range r.Files {
		if f.Error != "" {
			all = append(all, fmt.Errorf("%s: %s", f.Name, f.Error))
		}
		if f.Counts.CutTail {
			all = append(all, fmt.Errorf("%s: it ends inside a record", f.Name))
		}
	}
	return errors.Join(all...)
}

// Outside are the tallies of datagrams that belong to no connection.
type Outside struct {
	Datagrams          uint64            `json:"datagrams"` // all there are
	ForeignFlows       uint64            `json:"foreign_flows"`
	ForeignDatagrams   uint64            `json:"foreign_datagrams"`
	Knocks             uint64            `json:"knocks"`
	TooManyConnections uint64            `json:"too_many_connections"`
	Refused            map[string]uint64 `json:"refused,omitempty"`
}

func (r *Report) outside(c transport.ReaderCounts) {
	o := &r.Outside
	o.Datagrams += c.Datagrams
	o.ForeignFlows += c.ForeignFlows
	o.ForeignDatagrams += c.ForeignDatagrams
	o.Knocks += c.Knocks
	o.TooManyConnections += c.TooManyConnections
	o.Refused = byKind(o.Refused, func(k transport.Kind) uint64 { return c.Refused[k] })
}

// byKind adds counts to those by the name of a kind.
func byKind(m map[string]uint64, of func(k transport.Kind) uint64) map[string]uint64 {
	for _, k := range transport.Kinds() {
		if n := of(k); n > 0 {
			if m == nil {
				m = map[string]uint64{}
			}
			m[k.Error()] += n
		}
	}
	return m
}

// Connection is what was found of one client's conversation.
type Connection struct {
	ID        int                 `json:"id"`
	Port      uint16              `json:"server_port"`
	Whole     bool                `json:"whole"` // its handshake is there
	Seconds   float64             `json:"seconds"`
	Pauses    int                 `json:"pauses,omitempty"`
	OtherGame bool                `json:"asherons_call_2,omitempty"`
	Clock     transport.GameClock `json:"game_clock"`
	C2S       Direction           `json:"c2s"`
	S2C       Direction           `json:"s2c"`

	Played   bool          `json:"played"`
	Unplayed bool          `json:"unplayed,omitempty"` // as many as are played at a time were being played; else it had no message
	Own      string        `json:"own,omitempty"`
	Seen     *Seen         `json:"seen,omitempty"`
	Verdicts []Verdicts    `json:"verdicts,omitempty"`
	Census   []OpcodeCount `json:"census,omitempty"`
	Others   uint64        `json:"census_others,omitempty"`
	Errors   *Errors       `json:"errors,omitempty"`
	Hash     string        `json:"hash,omitempty"` // of the last engine's state
}

// Direction are the tallies of one direction.
type Direction struct {
	transport.Counts `json:"counts"`
	Packets          map[string]uint64 `json:"packets"` // by what is in them
	RefusedBy        map[string]uint64 `json:"refused,omitempty"`
	FragmentsRefused map[string]uint64 `json:"fragments_refused,omitempty"`
}

func directionOf(c transport.Counts) Direction {
	d := Direction{Counts: c, Packets: map[string]uint64{}}
	for bit, n := range c.ByFlag {
		if n > 0 {
			name := transport.FlagName(bit)
			if name == "" {
				name = fmt.Sprintf("bit %d", bit)
			}
			d.Packets[name] = n
		}
	}
	d.RefusedBy = byKind(nil, func(k transport.Kind) uint64 { return c.Refused[k] })
	d.FragmentsRefused = byKind(nil, func(k transport.Kind) uint64 { return c.FragmentCounts.Refused[k] })
	return d
}

// Verdicts are what became of the messages of an opcode, or of commands.
type Verdicts struct {
	Opcode  string `json:"opcode"` // or "commands", which the own object was driven by
	Applied uint64 `json:"applied"`
	Parked  uint64 `json:"parked"`
	Stale   uint64 `json:"stale"`
	Ignored uint64 `json:"ignored"`
	Refused uint64 `json:"refused"`
}

// connectionOf reports a connection; v is nil when it was not played.
func connectionOf(c *transport.Connection, v *View) Connection {
	out := Connection{
		ID: c.ID, Port: c.Server.Port(), Whole: c.Whole, Seconds: float64(c.Last-c.First) / 1e9, Pauses: c.Pauses,
		OtherGame: c.OtherGame(), Clock: c.Clock, C2S: directionOf(c.Counts(transport.C2S)), S2C: directionOf(c.Counts(transport.S2C)),
	}
	if v == nil {
		return out
	}
	seen := v.Seen // and not the whole view, which is done with
	out.Played, out.Seen = true, &seen
	if v.own != 0 {
		out.Own = fmt.Sprintf("0x%08X", v.own)
	}
	for op, n := range v.Seen.Outcomes {
		name := fmt.Sprintf("0x%04X", op)
		if op == 0 {
			name = "commands"
		}
		out.Verdicts = append(out.Verdicts, Verdicts{name, n[systems.Applied], n[systems.Parked], n[systems.Stale], n[systems.Ignored], n[systems.Refused]})
	}
	slices.SortFunc(out.Verdicts, func(a, b Verdicts) int { return cmp.Compare(a.Opcode, b.Opcode) })
	out.Census, out.Others = v.Census.Lines(), v.Census.Others
	out.Errors = v.Errors()
	out.Hash = fmt.Sprintf("%016x", v.engine.Hash())
	return out
}
