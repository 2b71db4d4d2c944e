package main

import "os"

func Example() {
	if err := run(os.Stdout, nil); err != nil {
		panic(err)
	}
	// Output:
	// tick  1: 0x50000001 plays 0x03000001 at [108.00 108.00 10.00]
	// tick  6: an input for 0x50000001 was applied
	// tick  6: 0x50000001 plays 0x03000005 at [108.00 108.01 10.00]
	// tick 16: 0x50000001 plays 0x03000003 at [108.00 108.60 10.00]
	// tick 21: an input for 0x50000001 was applied
	// tick 21: 0x50000001 plays 0x03000007 at [108.00 109.11 10.00]
	// tick 31: an input for 0x50000001 was applied
	// tick 31: 0x50000001 plays 0x03000030 at [108.00 109.60 10.00]
	// tick 45: the end, after 45 commits
}
