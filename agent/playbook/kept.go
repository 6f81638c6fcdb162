package playbook

import (
	"errors"
	"time"

	"hermes/agent/run"
)

// A Kept is a Playbook as it is kept, with what is not in its text.
type Kept struct {
	Playbook
	Hash    string // of the Playbook
	Version int    // counts its changes, from 1
	Owner   string // person; empty for one of a file
	Home    string // where it was saved, as a place; empty for one of a file
	Origin  Origin
	File    string // of one of a file: its name
	By      string // who has changed it last
	Changed time.Time
}

// An Origin is where a Playbook comes from: who may change it follows.
type Origin string

// The origins. One of a file is changed by changing the file.
const (
	Chat Origin = "chat"
	Hand Origin = "command"
	File Origin = "file"
)

// Errors of whoever keeps them.
var (
	ErrNone   = errors.New("there is no saved report of that name")
	ErrTaken  = errors.New("there is a saved report of that name already")
	ErrIsFile = errors.New("it comes from a file, and is changed there")
	// ErrAltered is of one that is not as it was saved: it can only be removed.
	ErrAltered = errors.New("the saved report was changed in the database, and not by this program; delete it and save it anew")
)

// Saved is a Kept as a run becomes it. The channel is its own if none is named.
func (k Kept) Saved(o run.Order, period run.Period, from int) (*run.Saved, error) {
	book, err := k.Canonical()
	if err != nil {
		return nil, err
	}
	hash, err := k.Playbook.Hash()
	if err != nil {
		return nil, err
	}
	return &run.Saved{
		Name: k.Name, Version: k.Version, Hash: hash, Recipe: Recipe(hash), Lang: k.Lang, Book: book,
		Period: period, Channel: or(o.Channel, k.Post), Test: o.Test, From: from,
	}, nil
}
