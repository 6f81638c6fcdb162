package post

import (
	"context"
	"fmt"

	"hermes/agent/tool"
)

// An Audience says why what a report is made of may not be read in a channel, in the
// language of the Call; nothing if it may.
type Audience func(ctx context.Context, c tool.Call, a tool.Artifact, to Target) (why string, err error)

// For returns the tool with an Audience, which is asked when a post is planned and
// again before it goes out: what a channel may read may change while people decide.
func (t Tool) For(a Audience) Tool {
	t.audience = a
	return t
}

func (t Tool) refuses(ctx context.Context, c tool.Call, a tool.Artifact, to Target) (string, error) {
	if t.audience == nil {
		return "", nil
	}
	why, err := t.audience(ctx, c, a, to)
	if err != nil {
		return "", fmt.Errorf("who may read %s in %s: %w", a.ID, to.Name, err)
	}
	return why, nil
}
