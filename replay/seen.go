package replay

import "github.com/gait-engine/gait/systems"

// Seen are the tallies of a view.
type Seen struct {
	Stays    int    `json:"stays"` // in the world
	Ticks    uint64 `json:"ticks"` // of all stays
	Created  uint64 `json:"created"`
	Rebuilt  uint64 `json:"rebuilt"`
	Merged   uint64 `json:"merged"` // creates of what was there
	Deleted  uint64 `json:"deleted"`
	Faded    uint64 `json:"faded"`    // out of sight too long
	Largest  int    `json:"largest"`  // at a time
	Distinct int    `json:"distinct"` // guids created

	NoMotionTable uint64 `json:"no_motion_table"` // creates that name one that the tables lack
	NoSetup       uint64 `json:"no_setup"`

	BeforeGuids    int    `json:"before_guids"`    // that began before the capture: their first message is no create
	BeforeMessages uint64 `json:"before_messages"` // of them, while no create has come

	Outcomes map[uint32]*[systems.Refused + 1]uint64 `json:"-"`        // by opcode, 0 for commands, then by systems.Verdict
	Reasons  map[string]uint64                       `json:"reasons"`  // of refusals
	Replayed uint64                                  `json:"replayed"` // parked ones that were applied after all
	Expired  uint64                                  `json:"expired"`  // parked for too long
	Dropped  uint64                                  `json:"dropped"`  // parked beyond the bounds
	Waiting  uint64                                  `json:"waiting"`  // parked when their stay ended

	Given      uint64 `json:"given"`        // messages to engines, and commands for the own object
	OwnLeftOut uint64 `json:"own_left_out"` // of the own object, not given to one
	Leftover   uint64 `json:"leftover"`     // given, and not applied since the stay ended
	Flooded    uint64 `json:"flooded"`      // beyond MaxQueued or MaxGuids
	Cut        bool   `json:"cut"`          // MaxTicks or MaxStays was reached; nothing was played after that
}
