package replay

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gait-engine/gait/wire"
	"github.com/gait-engine/gait/wire/transport"
)

// MaxOpcodes bounds how many opcodes a census tells apart, of each space.
const MaxOpcodes = 1024

// Census counts messages by opcode: those on their own, ordered events and actions
// apart, whose opcodes are disjoint (22 §8).
type Census struct {
	spaces [3]map[uint32]uint64
	Others uint64 // beyond MaxOpcodes
}

var spaceNames = [3]string{"message", "event", "action"}

func (c *Census) count(dir transport.Dir, msg []byte) {
	op, in := binary.LittleEndian.Uint32(msg), 0
	if len(msg) >= envelopeOf {
		switch op {
		case wire.OpOrdered:
			if len(msg) >= envelopeOf+4 {
				op, in = binary.LittleEndian.Uint32(msg[envelopeOf:]), 1
			}
		case wire.OpAction:
			op, in = binary.LittleEndian.Uint32(msg[8:]), 2
		}
	}
	if c.spaces[in] == nil {
		c.spaces[in] = map[uint32]uint64{}
	}
	if n, known := c.spaces[in][op]; known || len(c.spaces[in]) < MaxOpcodes {
		c.spaces[in][op] = n + 1
	} else {
		c.Others++
	}
}

// OpcodeCount is a line of a census.
type OpcodeCount struct {
	Space  string `json:"space"`
	Opcode string `json:"opcode"`
	Count  uint64 `json:"count"`
}

// Lines are a census, most frequent first.
func (c *Census) Lines() (lines []OpcodeCount) {
	for i, m := range c.spaces {
		for op, n := range m {
			lines = append(lines, OpcodeCount{spaceNames[i], fmt.Sprintf("0x%04X", op), n})
		}
	}
	slices.SortFunc(lines, func(a, b OpcodeCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Space, b.Space), cmp.Compare(a.Opcode, b.Opcode))
	})
	return lines
}
