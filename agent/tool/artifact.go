package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
)

// A Kind is what an Artifact is.
type Kind string

// The kinds of artifact.
const (
	Table  Kind = "table"  // rows of a query: Body is the JSON that querydb.Table decodes
	Report Kind = "report" // Body is Markdown; Files go with it
	File   Kind = "file"   // Body is bytes of type Mime
)

// An Artifact is something a run has made, kept for ever under its ID and never
// changed. What is posted, attached or granted is an Artifact.
type Artifact struct {
	ID    string
	Kind  Kind
	Title string
	Name  string // file name, of a File
	Mime  string
	Body  []byte
	Files []string // ids of the Files that belong to a Report
	// Recipe names how it was made without the time it is about: two reports
	// made alike for different months share one. A grant binds it.
	Recipe string
	Meta   []byte // JSON: the evidence of a Report, the query of a Table
	Run    string
	Call   string // Call.ID that made it
	Hash   string // SHA-256 of kind, body and the hashes of Files, in hex; the store sets it
	// Altered is set by the store if it is not what was made: somebody has changed it in
	// the database since. Hash is that of what it is now.
	Altered bool
}

// NewID returns the id of the artifact that a call makes under a name: the same
// for the same call and name, so that a call run again makes nothing new.
func NewID(call, name string) string {
	sum := sha256.Sum256([]byte(call + "\x00" + name))
	return "a" + hex.EncodeToString(sum[:6])
}

// IDSize is how long an id is that NewID makes.
const IDSize = 13

// IsID reports whether a text looks like what NewID makes.
func IsID(text string) bool {
	return len(text) == IDSize && text[0] == 'a' && strings.Trim(text[1:], "0123456789abcdef") == ""
}

// ErrNoArtifact is returned for an id that names none.
var ErrNoArtifact = errors.New("no such artifact")

// Artifacts keeps artifacts.
type Artifacts interface {
	// Put keeps an Artifact and returns it with its Hash. One whose ID is known
	// is not changed: the first is returned.
	Put(context.Context, Artifact) (Artifact, error)
	// Artifact returns the one with that id, or ErrNoArtifact.
	Artifact(ctx context.Context, id string) (Artifact, error)
}

// HashOf is the Hash of an Artifact whose Files have these hashes.
func HashOf(a Artifact, files []string) string {
	h := sha256.New()
	h.Write([]byte(a.Kind))
	h.Write([]byte{0})
	body := sha256.Sum256(a.Body) // of one length, so that no body looks like another with files
	h.Write(body[:])
	for _, f := range files {
		h.Write([]byte{0})
		h.Write([]byte(f))
	}
	return hex.EncodeToString(h.Sum(nil))
}
