package dat

import (
	"encoding/binary"
	"fmt"
)

// freeBit marks the link of a free block (spec 21 §2.2).
const freeBit = 1 << 31

// blockCount is how many whole blocks the file has.
func (h *Header) blockCount() uint32 { return (h.FileSize - dataAt) / h.BlockSize }

// blocksFor is how many blocks n bytes take; nothing takes one.
func blocksFor(n, blockSize uint32) uint32 {
	if n == 0 {
		return 1
	}
	p := blockSize - 4
	return (n-1)/p + 1
}

// chainError is a refusal of the block at an offset.
func chainError(at uint32, format string, a ...any) *Error {
	return &Error{Offset: int64(at), Kind: ErrChain, Reason: fmt.Sprintf(format, a...)}
}

// checkBlock says what is wrong with a block offset (spec 21 §2.2).
func (h *Header) checkBlock(at uint32) *Error {
	switch {
	case at < dataAt:
		return chainError(at, "a block before 0x%X", dataAt)
	case (at-dataAt)%h.BlockSize != 0:
		return chainError(at, "not on a block of %d bytes", h.BlockSize)
	case (at-dataAt)/h.BlockSize >= h.blockCount():
		return chainError(at, "a block past the end, 0x%X", h.FileSize)
	}
	return nil
}

// readChain reads n bytes from the chain that begins at offset first. Every
// fault is an error: never fewer bytes. visit, if any, sees each block's offset
// and may refuse it.
func (f *File) readChain(first, n uint32, visit func(at uint32) *Error) ([]byte, *Error) {
	need := blocksFor(n, f.head.BlockSize)
	if have := f.head.blockCount(); need > have {
		return nil, chainError(first, "%d bytes take %d blocks, the file has %d", n, need, have)
	}
	out := make([]byte, n)
	rest := out
	block := make([]byte, min(f.head.BlockSize, n+4))
	at := first
	for i := uint32(1); i <= need; i++ {
		if err := f.head.checkBlock(at); err != nil {
			return nil, err
		}
		if visit != nil {
			if err := visit(at); err != nil {
				return nil, err
			}
		}
		piece := block[:4+min(len(rest), int(f.head.BlockSize)-4)]
		if err := readFull(f.r, piece, int64(at)); err != nil {
			return nil, &Error{Offset: int64(at), Kind: err, Reason: "reading a block"}
		}
		rest = rest[copy(rest, piece[4:]):]
		link := binary.LittleEndian.Uint32(piece)
		switch {
		case link&freeBit != 0:
			return nil, chainError(at, "link 0x%08X of a free block inside a chain", link)
		case link == 0 && i < need:
			return nil, chainError(at, "the chain ends after %d of %d blocks", i, need)
		case link != 0 && i == need:
			return nil, chainError(at, "the chain goes on to 0x%X after its %d blocks, or round in a circle", link, need)
		}
		at = link
	}
	return out, nil
}
