package file

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hermes/agent/run"
	"hermes/agent/tool"
)

// A Clerk reads files for runs and keeps what is in them, so that tools can read on
// and make reports of it.
type Clerk struct {
	kept  tool.Artifacts
	guard *Guard
	// Secrets returns the kinds of those in a text, or that were taken out of it; nil:
	// nobody looks for any.
	Secrets func(text string) []string
}

// NewClerk returns a Clerk. Without a Guard everything is read in this process, which
// a bad file can then take down.
func NewClerk(kept tool.Artifacts, guard *Guard) *Clerk { return &Clerk{kept: kept, guard: guard} }

// Take reads the n-th file that came with the request of a key and keeps its text and
// its tables. Why a file is not read stands in what it returns; an error is trouble
// of ours. It may be called again: what is kept is the same.
func (c *Clerk) Take(ctx context.Context, key string, n int, name, mime string, b []byte) (run.File, error) {
	t, err := c.guard.read(ctx, name, mime, b)
	if why := run.Unread(""); errors.As(err, &why) {
		t.Why = why
		return t.File, nil
	}
	if err != nil {
		return t.File, fmt.Errorf("read %s: %w", t.Name, err)
	}
	t.Secrets = c.secrets(t)
	part := "file" + strconv.Itoa(n)
	if t.Body != "" {
		a, err := c.kept.Put(ctx, tool.Artifact{
			ID: tool.NewID(key, part), Kind: tool.File, Title: t.Name, Name: t.Name + ".txt",
			Mime: "text/plain; charset=utf-8", Body: []byte(t.Body), Run: key, Call: key + "/" + part,
		})
		if err != nil {
			return t.File, fmt.Errorf("keep text of %s: %w", t.Name, err)
		}
		t.Artifact = a.ID
	}
	for i, g := range t.Grids {
		body, err := json.Marshal(g)
		if err != nil {
			return t.File, fmt.Errorf("encode table of %s: %w", t.Name, err)
		}
		at := part + "/" + strconv.Itoa(i+1)
		a, err := c.kept.Put(ctx, tool.Artifact{
			ID: tool.NewID(key, at), Kind: tool.Table, Title: g.Title, Mime: "application/json",
			Body: body, Meta: []byte("{}"), Run: key, Call: key + "/" + at,
		})
		if err != nil {
			return t.File, fmt.Errorf("keep table of %s: %w", t.Name, err)
		}
		t.Tables[i].Table = a.ID
	}
	return t.File, nil
}

// secrets are the kinds of those in what was read of a file: in a workbook or a PDF
// nobody sees them from outside.
func (c *Clerk) secrets(t Text) []string {
	if c.Secrets == nil {
		return nil
	}
	var kinds []string
	look := func(text string) {
		for _, k := range c.Secrets(text) {
			if !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	look(t.Body)
	for _, g := range t.Grids {
		var text strings.Builder
		for _, col := range g.Columns {
			text.WriteString(col.Label + "\n")
		}
		for _, row := range g.Rows {
			for _, cell := range row {
				if s, ok := cell.(string); ok {
					text.WriteString(s + "\n")
				}
			}
		}
		look(text.String())
	}
	return kinds
}

// Say is what a person is told of a file.
func (c *Clerk) Say(f run.File, lang string) string { return Say(f, lang) }
