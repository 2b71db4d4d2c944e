package dat

import (
	"errors"
	"fmt"
	"strings"
)

// What a refusal can be about; match with errors.Is. Every one arrives inside an [Error].
var (
	ErrNotFound   = errors.New("no such record")
	ErrFormat     = errors.New("not a data file")                            // no magic, impossible header
	ErrOldLayout  = errors.New("old file layout, from before mid-2005")      // magic at 0x12C
	ErrChain      = errors.New("broken block chain")                         // spec 21 §2.2
	ErrTree       = errors.New("broken directory")                           // spec 21 §2.3
	ErrCompressed = errors.New("broken compressed record")                   // spec 21 §2.4
	ErrIteration  = errors.New("broken iteration record")                    // spec 21 §2.5
	ErrLimit      = errors.New("over a limit")                               // MaxRecord, MaxFile, table sizes
	ErrID         = errors.New("wrong record id")                            // echo or kind
	ErrTwice      = errors.New("record is there twice")                      // in a folder or among records to write or compile
	ErrTruncated  = errors.New("record ends early")                          // a field or count reaches past the end
	ErrTrailing   = errors.New("record has bytes left over")                 // spec 21 §1
	ErrFloat      = errors.New("number is not finite")                       // NaN, an infinity, or beyond MaxMagnitude
	ErrHook       = errors.New("bad hook")                                   // unknown type, wrong payload length
	ErrGeometry   = errors.New("geometry that bodies cannot collide with")   // a polygon without a plane, a tree that is none, a sphere without size
	ErrMissing    = errors.New("record names what is not there")             // a block's models, cells, polygons
	ErrShape      = errors.New("lists of a record do not fit its counts")    // encoding and compiling
	ErrName       = errors.New("file name is not eight hex digits and .bin") // loose folders
)

// Error is a refusal: which file, which record, where, and why. Kind is one of
// the sentinels above or an error of the operating system.
type Error struct {
	File     string // "" when records were given without a file
	Record   uint32 // 0 when it is not about one record
	Offset   int64  // −1 when there is none
	InRecord bool   // Offset counts from the record's first byte, not from the file's
	Reason   string // what was found and what would be right
	Kind     error
}

// Error returns the refusal as one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("dat: ")
	if e.File != "" {
		fmt.Fprintf(&b, "%s: ", e.File)
	}
	if e.Record != 0 {
		fmt.Fprintf(&b, "record 0x%08X: ", e.Record)
	}
	if e.Offset >= 0 {
		where := "offset"
		if e.InRecord {
			where = "byte"
		}
		fmt.Fprintf(&b, "%s 0x%X: ", where, e.Offset)
	}
	b.WriteString(e.Kind.Error())
	if e.Reason != "" {
		b.WriteString(": ")
		b.WriteString(e.Reason)
	}
	return b.String()
}

// Unwrap returns Kind.
func (e *Error) Unwrap() error { return e.Kind }

// recordError is a refusal of a record's content as a whole.
func recordError(id uint32, kind error, format string, a ...any) *Error {
	return &Error{Record: id, Offset: -1, Kind: kind, Reason: fmt.Sprintf(format, a...)}
}

// inFile puts the file's name and the record's id into a refusal that lacks them.
func inFile(err error, file string, record uint32) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	c := *e
	if c.File == "" {
		c.File = file
	}
	if c.Record == 0 {
		c.Record = record
	}
	return &c
}
