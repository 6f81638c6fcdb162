package report

import (
	"encoding/binary"
	"errors"
)

// outlines returns the first font of a collection as a file of its own, which is what a
// PDF embeds; a font that stands alone it returns as it is.
func outlines(b []byte) ([]byte, error) {
	if len(b) < 12 || string(b[:4]) != "ttcf" {
		return b, nil
	}
	torn := errors.New("the collection is damaged")
	if len(b) < 16 {
		return nil, torn
	}
	head := uint64(binary.BigEndian.Uint32(b[12:]))
	if head+12 > uint64(len(b)) {
		return nil, torn
	}
	n := uint64(binary.BigEndian.Uint16(b[head+4:]))
	if head+12+16*n > uint64(len(b)) {
		return nil, torn
	}
	out := append([]byte(nil), b[head:head+12+16*n]...)
	for i := range n {
		row := out[12+16*i:]
		from, size := uint64(binary.BigEndian.Uint32(row[8:])), uint64(binary.BigEndian.Uint32(row[12:]))
		if from+size > uint64(len(b)) || uint64(len(out))+size > uint64(len(b))+1<<20 {
			return nil, torn
		}
		binary.BigEndian.PutUint32(row[8:], uint32(len(out))) //nolint:gosec // Less than the file, whose offsets have 32 bits, and a little.
		out = append(out, b[from:from+size]...)
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
	}
	return out, nil
}
