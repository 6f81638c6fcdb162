package tool

import (
	"context"
	"fmt"
	"sync"
)

// Lazy returns a Tool that is opened when it is first needed, once; until then it
// costs its Spec. An opening that fails is that call's error, and the next call
// tries again. What it opens need not be a Planner, a Chooser or a Describer; if it
// is one, the Tool is too. The name of what it opens must be that of the Spec.
func Lazy(s Spec, open func(context.Context) (Tool, error)) Tool {
	return &lazy{spec: s, open: open, turn: make(chan struct{}, 1)}
}

type lazy struct {
	spec Spec
	open func(context.Context) (Tool, error)
	turn chan struct{} // holds a token while somebody opens

	mu sync.Mutex
	t  Tool
}

var (
	_ Planner   = (*lazy)(nil)
	_ Chooser   = (*lazy)(nil)
	_ Describer = (*lazy)(nil)
)

func (l *lazy) opened() Tool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.t
}

// need returns the tool. Who comes while another opens it waits, as long as its
// context lets it.
func (l *lazy) need(ctx context.Context) (Tool, error) {
	if t := l.opened(); t != nil {
		return t, nil
	}
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for the tool %s: %w", l.spec.Name, ctx.Err())
	}
	if t := l.opened(); t != nil {
		return t, nil
	}
	t, err := l.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the tool %s: %w", l.spec.Name, err)
	}
	if name := t.Spec().Name; name != l.spec.Name {
		return nil, fmt.Errorf("open the tool %s: it is %s", l.spec.Name, name)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.t = t
	return t, nil
}

// Spec implements Tool. It opens nothing.
func (l *lazy) Spec() Spec { return l.spec }

// Run implements Tool.
func (l *lazy) Run(ctx context.Context, c Call) (Result, error) {
	t, err := l.need(ctx)
	if err != nil {
		return Result{}, err
	}
	return t.Run(ctx, c)
}

// Plan implements Planner. A tool that is none does what its arguments say.
func (l *lazy) Plan(ctx context.Context, c Call) (Plan, error) {
	t, err := l.need(ctx)
	if err != nil {
		return Plan{}, err
	}
	return planOf(ctx, t, c)
}

func planOf(ctx context.Context, t Tool, c Call) (Plan, error) {
	if p, ok := t.(Planner); ok {
		return p.Plan(ctx, c)
	}
	return Plan{Args: c.Args}, nil
}

// Choose implements Chooser.
func (l *lazy) Choose(ctx context.Context, c Call, p Pick) (Result, error) {
	t, err := l.need(ctx)
	if err != nil {
		return Result{}, err
	}
	return chosen(ctx, t, c, p)
}

func chosen(ctx context.Context, t Tool, c Call, p Pick) (Result, error) {
	if chooser, ok := t.(Chooser); ok {
		return chooser.Choose(ctx, c, p)
	}
	return Fail("the tool %s asks and cannot take an answer", t.Spec().Name), nil
}

// Describe implements Describer. It opens nothing: a list of tools is no need.
func (l *lazy) Describe(ctx context.Context, v Viewer) (string, error) {
	if d, ok := l.opened().(Describer); ok {
		return d.Describe(ctx, v)
	}
	return "", nil
}

// unwrap returns the opened tool of a Lazy one, that of a former name, and any other
// as it is.
func unwrap(t Tool) Tool {
	switch of := t.(type) {
	case *lazy:
		return of.opened()
	case former:
		return unwrap(of.Tool)
	}
	return t
}
