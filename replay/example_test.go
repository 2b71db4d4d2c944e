package replay_test

import (
	"fmt"
	"os"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/replay"
)

// A capture is replayed with the user's own data files, and says how far the engine
// was from what came.
func ExampleRun() {
	tables, err := bench.LoadTables("", "client_portal.dat")
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := replay.Run([]string{"pkt_2017-1-29_1485735833_log.pcap"}, replay.Options{
		ViewOptions: replay.ViewOptions{Tables: tables},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("half of the errors are below", report.Errors.Distance.Median, "m")
	_ = report.Write(os.Stdout)
}
