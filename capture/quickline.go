package capture

import "strconv"

// quick reads a line of the form that recorders write, into p.quickLine, several
// times as fast as a JSON decoder. It reports false, and nothing is read, for any
// other: keys that are not ours, values that nest, strings with escapes.
func (p *jsonLines) quick(b []byte) bool {
	l := &p.quickLine
	*l = relayedLine{}
	i := 1
	for {
		key, ok := quickString(b, &i)
		if !ok || !quickByte(b, &i, ':') {
			return false
		}
		switch string(key) {
		case "t":
			n, ok := quickNumber(b, &i)
			var err error
			if p.t, err = strconv.ParseFloat(string(n), 64); !ok || err != nil {
				return false
			}
			l.T = &p.t
		case "pair", "len":
			n, ok := quickNumber(b, &i)
			v, err := strconv.Atoi(string(n))
			switch {
			case !ok || err != nil:
				return false
			case key[0] == 'p':
				p.pair, l.Pair = v, &p.pair
			default:
				p.len, l.Len = v, &p.len
			}
		case "dir", "data", "hex":
			v, ok := quickString(b, &i)
			switch {
			case !ok:
				return false
			case key[0] == 'h':
				l.Hex = v
			case key[1] == 'a':
				l.Data = v
			case string(v) == "c2s":
				l.Dir = "c2s"
			case string(v) == "s2c":
				l.Dir = "s2c"
			default:
				return false
			}
		default:
			return false
		}
		if quickByte(b, &i, '}') {
			return i == len(b)
		}
		if !quickByte(b, &i, ',') {
			return false
		}
	}
}

// quickByte passes spaces and the byte that is expected.
func quickByte(b []byte, i *int, want byte) bool {
	for *i < len(b) && (b[*i] == ' ' || b[*i] == '\t') {
		*i++
	}
	if *i == len(b) || b[*i] != want {
		return false
	}
	*i++
	return true
}

// quickString reads a string of plain characters.
func quickString(b []byte, i *int) ([]byte, bool) {
	if !quickByte(b, i, '"') {
		return nil, false
	}
	from := *i
	for ; *i < len(b); *i++ {
		switch c := b[*i]; {
		case c == '"':
			*i++
			return b[from : *i-1], true
		case c < ' ' || c > '~' || c == '\\':
			return nil, false
		}
	}
	return nil, false
}

// quickNumber reads a number without sign in front.
func quickNumber(b []byte, i *int) ([]byte, bool) {
	for *i < len(b) && (b[*i] == ' ' || b[*i] == '\t') {
		*i++
	}
	from := *i
	for *i < len(b) && (b[*i] >= '0' && b[*i] <= '9' || b[*i] == '.') {
		*i++
	}
	n := b[from:*i]
	if len(n) == 0 || n[0] == '.' || n[len(n)-1] == '.' || len(n) > 1 && n[0] == '0' && n[1] != '.' {
		return nil, false
	}
	return n, true
}
