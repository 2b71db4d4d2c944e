package components

// Identity says who a remote is and which tables it plays from.
type Identity struct {
	Guid  uint32
	Table int32 // index of its motion table, −1 none
	Setup int32 // index of its setup, −1 none
	// Parent is the guid of who holds it, 0 nobody; who is held is in no cell.
	Parent uint32
	// Location is the key, in the holder's setup, of where it is held.
	Location uint32
}

// Traits are what the game says of a remote: its size and the answers of its
// game object (spec 05, head).
type Traits struct {
	Radius  float32 // m, the setup's × scale
	Height  float32 // m, the setup's × scale
	RunRate float32 // the game object's answer, when HasRunRate
	// Elasticity of the body, 0 to 0.1: read when it bounces, so not in Body.
	Elasticity float32
	// Jumping (spec 05 §5.8): what the game object's three answers follow from.
	JumpHeight float32 // m, of a jump at full extent, when HasJumpHeight
	Load       float32 // burden as a fraction of what it can carry, for the stamina a jump costs
	Stamina    float32 // what it has, when HasStamina
	Flags      TraitFlags
}

// TraitFlags are the yes-or-no answers of a game object.
type TraitFlags uint32

const (
	HasGame          TraitFlags = 1 << iota // there is a game object
	Creature                                // it is a creature
	LocalPlayer                             // it is the local player
	HasRunRate                              // it answers a run rate
	CanJump                                 // it lets itself jump, to any extent
	HasJumpHeight                           // it answers a jump velocity
	HasStamina                              // it refuses jumps that cost more than it has
	Player                                  // it is a player: players pass through each other, barriers hold it up
	Impenetrable                            // but nobody passes through it
	PlayerKiller                            // nor do two of these
	PlayerKillerLite                        // nor two of these (spec 14 §1)
)
