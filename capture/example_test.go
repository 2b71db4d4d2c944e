package capture_test

import (
	"bytes"
	"fmt"
	"io"
	"net/netip"
	"time"

	"github.com/gait-engine/gait/capture"
	"github.com/gait-engine/gait/wire/transport"
)

// A capture of one's own is written as pcapng, and read back whatever it is packed in.
func Example() {
	var file bytes.Buffer
	w, err := capture.NewWriter(&file, time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC))
	if err != nil {
		fmt.Println(err)
		return
	}
	d := transport.Datagram{
		At: 250e6, Src: netip.MustParseAddrPort("10.0.0.5:50000"), Dst: netip.MustParseAddrPort("10.0.0.9:9000"), Data: []byte("twenty bytes or more"),
	}
	fmt.Println(w.Write(&d), w.Flush())

	r, err := capture.NewReader(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for {
		if err := r.Next(&d); err == io.EOF {
			break
		} else if err != nil {
			fmt.Println(err)
			return
		}
		at, _ := r.Start()
		fmt.Printf("%s: %v %v → %v: %s\n", r.Format(), at.UTC().Add(time.Duration(d.At)), d.Src, d.Dst, d.Data)
	}
	// Output:
	// <nil> <nil>
	// pcapng: 2024-05-01 12:00:00.25 +0000 UTC 10.0.0.5:50000 → 10.0.0.9:9000: twenty bytes or more
}
