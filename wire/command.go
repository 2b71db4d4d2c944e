package wire

// A command travels as a 16-bit index into one table of 412 ids, in which the
// low 16 bits of entry i equal i (R1.4, 20 §1). What the table adds is the
// class byte above them; it is kept as runs of equal classes.

const (
	// CommandCount is the length of the last client's command table.
	CommandCount = 412
	// CommandInvalid is entry 0, and what an index beyond the table resolves to. It is
	// not 0, which is no command (R1.3).
	CommandInvalid uint32 = 0x80000000
	// CommandReady is the default forward command.
	CommandReady uint32 = 0x41000003
	// CommandNonCombat is the default style.
	CommandNonCombat uint32 = 0x8000003D
)

// commandRuns lists where in the table the class byte changes, and to what.
var commandRuns = [...]struct {
	first uint16
	class uint8
}{
	{0x000, 0x80}, {0x001, 0x85}, {0x003, 0x41}, {0x004, 0x40}, {0x005, 0x45}, {0x007, 0x44},
	{0x008, 0x40}, {0x00D, 0x65}, {0x011, 0x40}, {0x012, 0x41}, {0x015, 0x40}, {0x03A, 0x20},
	{0x03B, 0x25}, {0x03C, 0x80}, {0x04A, 0x10}, {0x04C, 0x13}, {0x04D, 0x10}, {0x079, 0x13},
	{0x09B, 0x12}, {0x09C, 0x10}, {0x0A2, 0x08}, {0x0A3, 0x09}, {0x0A9, 0x08}, {0x0AA, 0x09},
	{0x0B2, 0x0D}, {0x0B5, 0x08}, {0x0B8, 0x09}, {0x0BA, 0x0D}, {0x0C0, 0x09}, {0x0C1, 0x0C},
	{0x0C2, 0x09}, {0x0C5, 0x0D}, {0x0C6, 0x09}, {0x0CA, 0x13}, {0x0CD, 0x10}, {0x0D3, 0x40},
	{0x0D4, 0x12}, {0x0D5, 0x09}, {0x0DF, 0x12}, {0x0E0, 0x40}, {0x0E2, 0x10}, {0x0E4, 0x40},
	{0x0E7, 0x09}, {0x0E8, 0x80}, {0x0EA, 0x43}, {0x0F9, 0x42}, {0x0FA, 0x43}, {0x0FE, 0x09},
	{0x10E, 0x10}, {0x112, 0x09}, {0x118, 0x43}, {0x119, 0x13}, {0x11A, 0x43}, {0x11D, 0x09},
	{0x11E, 0x10}, {0x135, 0x13}, {0x136, 0x40}, {0x13A, 0x10}, {0x13B, 0x80}, {0x13D, 0x43},
	{0x14A, 0x13}, {0x153, 0x10}, {0x154, 0x09}, {0x165, 0x10}, {0x168, 0x09}, {0x171, 0x10},
}

var commands = expandCommands()

func expandCommands() (t [CommandCount]uint32) {
	for k, run := range commandRuns {
		end := CommandCount
		if k+1 < len(commandRuns) {
			end = int(commandRuns[k+1].first)
		}
		for i := int(run.first); i < end; i++ {
			t[i] = uint32(run.class)<<24 | uint32(i)
		}
	}
	return t
}

// Command returns the id at index, [CommandInvalid] beyond the table (R1.4, 20 §1).
func Command(index uint16) uint32 {
	if int(index) >= len(commands) {
		return CommandInvalid
	}
	return commands[index]
}

// CommandIndex returns the index that names id on the wire: its low 16 bits (20 §1).
func CommandIndex(id uint32) uint16 { return uint16(id) }

// The September-2013 client's table has 408 entries; in the final one three
// more stand before entry 0x112 and the entry 0x15E is gone (R1.6).
const (
	CommandCount2013 = 408
	shift2013        = 3
	firstShifted2013 = 0x10F
	gone2013         = 0x15E
)

// FinalIndex converts an index of the 2013 numbering to the final one; ok is
// false for the entry without a counterpart and beyond the 2013 table (R1.6).
func FinalIndex(index2013 uint16) (index uint16, ok bool) {
	switch {
	case index2013 >= CommandCount2013 || index2013 == gone2013:
		return 0, false
	case index2013 >= firstShifted2013:
		return index2013 + shift2013, true
	}
	return index2013, true
}

// FinalCommand converts a full id of the 2013 numbering to the final one. The
// class byte does not change (R1.6).
func FinalCommand(id2013 uint32) (id uint32, ok bool) {
	if id2013&0x00FF0000 != 0 {
		return 0, false
	}
	i, ok := FinalIndex(uint16(id2013))
	if !ok {
		return 0, false
	}
	return id2013&0xFF000000 | uint32(i), true
}
