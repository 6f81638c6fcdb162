package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// canonical returns JSON with sorted keys, no white space and numbers as they are
// written, so that equal arguments have equal hashes.
func canonical(b json.RawMessage) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("arguments: more than one JSON value")
	}
	// encoding/json writes the keys of a map in order.
	return json.Marshal(v)
}
