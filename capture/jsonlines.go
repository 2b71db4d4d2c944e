package capture

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/netip"

	"github.com/gait-engine/gait/wire/transport"
)

// jsonLines reads one datagram a line (22 §9.5).
type jsonLines struct {
	b    *bufio.Reader
	line int
	data []byte

	quickLine relayedLine
	t         float64
	pair, len int
}

func (p *jsonLines) format() string { return "JSON lines" }
func (p *jsonLines) absolute() bool { return false }

// relayedLine is what is read of a line.
type relayedLine struct {
	T    *float64 `json:"t"` // s
	Dir  string   `json:"dir"`
	Pair *int     `json:"pair"`
	Len  *int     `json:"len"`
	Data text     `json:"data"`
	Hex  text     `json:"hex"`
}

// text is a string as bytes.
type text []byte

func (t *text) UnmarshalText(b []byte) error {
	*t = append([]byte(nil), b...)
	return nil
}

// maxLineTime bounds times in s: 2^53 ns (22 §12).
const maxLineTime = float64(1<<53) / 1e9

func (p *jsonLines) next(r *record, c *Counts) (skip bool, err error) {
	for {
		p.line++
		line, err := p.b.ReadSlice('\n')
		switch {
		case len(line) > MaxRecord || err == bufio.ErrBufferFull:
			return false, fmt.Errorf("%w: line %d is longer than %d bytes", ErrContainer, p.line, MaxRecord)
		case err != nil && (err != io.EOF || len(line) == 0):
			return false, err
		}
		if p.line == 1 {
			line = bytes.TrimPrefix(line, []byte(bomMagic))
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if line[0] != '{' {
			return false, fmt.Errorf("%w: line %d is no object", ErrContainer, p.line)
		}
		if p.quick(line) {
			if !p.take(&p.quickLine, r) {
				c.BadLines++
				return true, nil
			}
			return false, nil
		}
		var l relayedLine
		if jsonErr := json.Unmarshal(line, &l); jsonErr != nil {
			if err == io.EOF { // the file ends in it
				return false, io.ErrUnexpectedEOF
			}
			if _, ok := jsonErr.(*json.SyntaxError); ok {
				return false, fmt.Errorf("%w: line %d is no object: %w", ErrContainer, p.line, jsonErr)
			}
			c.BadLines++
			return true, nil
		}
		if !p.take(&l, r) {
			c.BadLines++
			return true, nil
		}
		return false, nil
	}
}

// take makes a record of a line; it reports whether the line is good.
func (p *jsonLines) take(l *relayedLine, r *record) bool {
	text := l.Data
	if len(text) == 0 {
		text = l.Hex
	}
	*r = record{timed: true, bare: true}
	switch l.Dir {
	case "c2s":
		r.dir = transport.C2S
	case "s2c":
		r.dir = transport.S2C
	default:
		return false
	}
	if l.Pair != nil {
		if r.pair = *l.Pair; r.pair != 0 && r.pair != 1 {
			return false
		}
	}
	if l.T == nil || !(*l.T >= 0 && *l.T <= maxLineTime) || len(text) == 0 || len(text)%2 != 0 || l.Len != nil && *l.Len != len(text)/2 {
		return false
	}
	r.at = int64(math.Round(*l.T * 1e9))
	var err error
	p.data, err = hex.AppendDecode(p.data[:0], text)
	r.datagram = p.data
	return err == nil
}

// relayed returns endpoints for a datagram of a recording that has none: a relay
// sees one client and one server, all through the lower port when the line does not say.
func relayed(dir transport.Dir, pair int) (src, dst netip.AddrPort) {
	client := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), 12345)
	server := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 2}), uint16(9000+pair))
	if dir == transport.S2C {
		return server, client
	}
	return client, server
}
