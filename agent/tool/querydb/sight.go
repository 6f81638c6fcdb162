package querydb

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hermes/agent/tool"
)

// Restrict has a source known only to those who may use it; nil: to everybody. For all
// others it is not there: neither its name nor a word of it is told. It is called before
// the first use.
func (s *Source) Restrict(may func(context.Context, tool.Viewer) bool) { s.may = may }

// Denied has somebody told of who asks for a source that they may not use, before it is
// said that there is none. It is called before the first use.
func (s *Source) Denied(tell func(context.Context, tool.Call) error) { s.denied = tell }

// tell says that a source was asked for by who may not use it; nil: it is none.
func (s *Source) tell(ctx context.Context, c tool.Call) error {
	if s == nil || s.denied == nil {
		return nil
	}
	if err := s.denied(ctx, c); err != nil {
		return fmt.Errorf("tell who asked for source %s: %w", s.layer.Name, err)
	}
	return nil
}

// seen are the sources that somebody may use.
func seen(ctx context.Context, v tool.Viewer, all []*Source) []*Source {
	return slices.DeleteFunc(slices.Clone(all), func(s *Source) bool { return s.may != nil && !s.may(ctx, v) })
}

// A sighted tool is over those of its sources that who asks may use.
type sighted struct {
	tool.Tool
	sources  []*Source
	words    func([]*Source) string // the Description
	describe func(context.Context, []*Source) (string, error)
}

var (
	_ tool.Describer = sighted{}
	_ tool.Discreet  = sighted{}
)

// Describe implements tool.Describer.
func (t sighted) Describe(ctx context.Context, v tool.Viewer) (string, error) {
	mine := seen(ctx, v, t.sources)
	if len(mine) == 0 {
		return "", nil
	}
	return t.describe(ctx, mine)
}

// For implements tool.Discreet.
func (t sighted) For(ctx context.Context, v tool.Viewer) (tool.Spec, bool) {
	mine, spec := seen(ctx, v, t.sources), t.Spec()
	if len(mine) < len(t.sources) {
		spec.Description = t.words(mine)
	}
	return spec, len(mine) > 0 || len(t.sources) == 0
}

func metricDescription(sources []*Source) string {
	return strings.TrimSpace(metricWords) + vocabulary(sources)
}
