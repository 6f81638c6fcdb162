package agent

import (
	"context"
	"slices"
	"strings"
	"time"

	"hermes/agent/llm"
	"hermes/agent/prompt"
	"hermes/agent/result"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// What a model is told before the conversation changes little from round to round, and
// making it is a good part of what a round costs: so it is kept while a Run is at work.

// A telling is what the tools of a Run were told as, and of what that came.
type telling struct {
	tools    []llm.Tool
	wish     string
	viewer   tool.Viewer
	usable   int // tools that the Run may use, told or not
	revision int64
	until    time.Time
}

// is reports whether two tellings come of the same.
func (t telling) is(o telling) bool {
	return t.wish == o.wish && t.viewer == o.viewer && t.usable == o.usable && t.revision == o.revision
}

// tools are those that a model is told of. What was told a moment ago is told again if
// nothing is known to have changed; who may use what is asked anew.
func (a *Agent) tools(ctx context.Context, r run.Run) []llm.Tool {
	now, wish := a.Now(), r.Wish()
	t := telling{wish: wish, viewer: r.Viewer(), usable: a.catalog.Usable(ctx, r.Viewer()), revision: a.catalog.Revision(), until: now.Add(remembered)}
	used := used(r)
	old := a.live.toldOf(r.Key)
	if len(r.Steps) > 0 && now.Before(old.until) && old.is(t) && a.still(ctx, r, old.tools, used) {
		return old.tools
	}
	specs := a.catalog.For(ctx, t.viewer, wish, a.cfg.Tools, append(used, a.Tools.Wanted(wish)...))
	if len(r.Steps) == 0 {
		a.catalog.Told(specs)
	}
	t.tools = slices.Clip(told(specs, r))
	a.live.tells(r.Key, t)
	return t.tools
}

// still reports whether a Run may use all tools of some, and needs no other.
func (a *Agent) still(ctx context.Context, r run.Run, tools []llm.Tool, needed []string) bool {
	for _, t := range tools {
		if a.lookup(ctx, r, t.Name) == nil {
			return false
		}
	}
	for _, name := range needed {
		t := a.Tools.Lookup(name)
		if t == nil {
			continue
		}
		if s := t.Spec().Name; !slices.ContainsFunc(tools, func(t llm.Tool) bool { return t.Name == s }) {
			return false
		}
	}
	return true
}

// A scene is all of which a system prompt comes.
type scene struct {
	prompt.About
	lang, zone    string
	now, from, to time.Time
	facts         *llm.Fact // the first of those recalled
	known         int
}

// system is the system prompt of a round; that of the round before if it says the same.
func (a *Agent) system(s llm.Scene, about prompt.About) (string, error) {
	key := scene{About: about, lang: s.Lang, zone: s.Zone, now: s.Now, from: s.From, to: s.To, known: len(s.Facts)}
	if len(s.Facts) > 0 {
		key.facts = &s.Facts[0]
	}
	if text, ok := a.live.systemOf(s.Run, key); ok {
		return text, nil
	}
	text, err := a.cfg.Prompt.System(s, about)
	if err == nil {
		a.live.writes(s.Run, key, text)
	}
	return text, err
}

// told is what a model is told of the tools that a Run may use.
func told(specs []tool.Spec, r run.Run) []llm.Tool {
	var out []llm.Tool
	for _, s := range specs {
		if r.Job == "" || s.Unattended {
			out = append(out, llm.Tool{Name: s.Name, Description: result.Clean(s.Text()), Schema: s.Schema})
		}
	}
	return out
}

// used are the tools that a Run has called, since a model keeps what it has begun
// with, and the one that reads on once a result was cut or a file has come.
func used(r run.Run) []string {
	var names []string
	for _, f := range r.Files {
		if f.Artifact != "" && !f.Whole || len(f.Tables) > 0 {
			names = append(names, result.SectionTool)
			break
		}
	}
	for _, s := range r.Steps {
		if slices.ContainsFunc(s.Results, func(res run.Result) bool {
			return res.Kept != "" || strings.Contains(res.Note, result.SectionTool) || strings.Contains(res.Brief, result.SectionTool)
		}) {
			names = append(names, result.SectionTool)
		}
		for _, c := range s.Reply.Message.Calls {
			names = append(names, c.Name)
		}
	}
	return names
}
