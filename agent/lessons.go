package agent

import "context"

// A Keeper keeps small texts by name over restarts. A workspace is left empty here:
// what was learned of a tool goes for all.
type Keeper interface {
	Get(ctx context.Context, workspace, name string) (string, bool, error)
	Set(ctx context.Context, workspace, name, value string) error
}

// lessons is under which name it is kept what was learned of the tools. Of several
// processes the last to write has it: it is advice to a model, and no record.
const lessons = "tools/lessons"

// learn takes in, once, what was learned of the tools before the program started.
func (a *Agent) learn(ctx context.Context) {
	if a.Keeper == nil {
		return
	}
	a.learned.Do(func() {
		text, _, err := a.Keeper.Get(ctx, "", lessons)
		if err == nil {
			err = a.catalog.Learn(text)
		}
		if err != nil {
			a.Log.Warn("what was learned of the tools is lost; it is learned anew", "err", err)
		}
	})
}

// teach keeps what was learned since.
func (a *Agent) teach(ctx context.Context) {
	if a.Keeper == nil {
		return
	}
	text, news := a.catalog.Lessons()
	if !news {
		return
	}
	if err := a.Keeper.Set(ctx, "", lessons, text); err != nil && ctx.Err() == nil {
		a.Log.Warn("what was learned of the tools is not kept", "err", err)
	}
}
