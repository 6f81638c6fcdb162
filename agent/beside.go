package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/file"
	"hermes/agent/llm"
	"hermes/agent/run"
)

// Bounds of what earlier requests bring along.
const (
	lately      = 10 // requests that are looked at
	latelyFiles = 5
	latelySince = 24 * time.Hour
	latelyBytes = 600 // of the beginning of each
)

// beside puts what came with a Request into a Scene.
func beside(s *llm.Scene, r run.Request) {
	for _, f := range r.Files {
		known := llm.File{Name: f.Name, Read: f.Why == "", Earlier: f.Earlier, Said: file.Say(f, r.Lang)}
		for _, t := range f.Tables {
			known.Tables = append(known.Tables, t.Table)
		}
		s.Files = append(s.Files, known)
	}
	for _, l := range r.Heard {
		s.Heard = append(s.Heard, llm.Line{Name: l.Name, Text: l.Text, At: l.At})
	}
	s.Lost = r.Lost
	if b := r.Began; b != nil {
		s.Began = &llm.Began{
			Job: b.Job, Report: b.Report, Title: b.Title, Saved: b.Saved, Measure: b.Measure, By: b.By, Period: b.Period,
			When: b.When, Request: b.Request, Channel: b.Channel,
		}
	}
}

// earlier are the files that its asker has brought to a home of late, the newest
// first: "what is the mean of the second column?" speaks of one.
func (a *Agent) earlier(ctx context.Context, req run.Request) ([]run.File, error) {
	runs, err := a.Store.Lately(ctx, req.Home, lately)
	if err != nil {
		return nil, fmt.Errorf("files at %s: %w", req.Home, err)
	}
	var out []run.File
	for _, r := range runs {
		if r.Asker != req.Asker || req.Now.Sub(r.Now) > latelySince {
			continue
		}
		for _, f := range r.Files {
			known := slices.ContainsFunc(out, func(o run.File) bool { return o.Artifact == f.Artifact && o.Name == f.Name })
			if f.Earlier || f.Why != "" || known || len(out) == latelyFiles {
				continue
			}
			f.Earlier = true
			if len(f.Extract) > latelyBytes {
				f.Extract, f.Whole = strings.ToValidUTF8(f.Extract[:latelyBytes], ""), false
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// unread are the files of a Run that were not read: people are told of them whatever
// the model says.
func unread(r run.Run) (out []run.File) {
	for _, f := range r.Files {
		if f.Why != "" {
			out = append(out, f)
		}
	}
	return out
}
