// Package post lets the model say something at another place than the one where it
// was asked. Nothing else does: every such word is an artifact, under a question
// or a grant.
//
// What a newcomer would break: the model never gives text. It names a report that
// was made in this run; what is approved, hashed and posted are that report's
// bytes.
package post

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"hermes/agent/tool"
)

// Args are what the model says.
type Args struct {
	Report  string `json:"report" jsonschema:"id from make_report" tool:"alias=artifact"`
	Channel string `json:"channel" jsonschema:"as in #sales"`
}

// resolved is what is approved and run.
type resolved struct {
	Artifact string `json:"artifact"`
	Hash     string `json:"hash"`
	To       string `json:"to"` // place
	Channel  string `json:"channel"`
	Private  bool   `json:"private,omitempty"` // the channel was, when this was approved
}

// A Target is a channel as it was found.
type Target struct {
	Place   string
	Name    string // "#sales"
	Private bool
	Member  bool // the bot may post there
}

// ErrNoChannel is returned by a Finder for a name that it does not know.
var ErrNoChannel = errors.New("no such channel")

// A Finder finds a channel by the name people use, in the workspace of home.
type Finder func(ctx context.Context, home, name string) (Target, error)

// Members say whether a person is a member of the channel of a place.
type Members func(ctx context.Context, person, place string) (bool, error)

// Tool is a tool.Planner.
type Tool struct {
	artifacts tool.Artifacts
	find      Finder
	members   Members
	audience  Audience // nil: anybody may read anything
}

var _ tool.Planner = Tool{}

// New returns the tool. Without Members (nil) nobody is known to be in a channel.
func New(a tool.Artifacts, f Finder, m Members) Tool { return Tool{artifacts: a, find: f, members: m} }

// Name is the tool's name: grants carry it.
const Name = "post_message"

// Spec implements tool.Tool.
func (Tool) Spec() tool.Spec {
	return tool.Spec{
		Name:        Name,
		Description: "Post a report to another channel, not here; a person approves.",
		Words:       []string{"post", "send", "share", "publish", "channel", "发到", "发布", "发送", "频道", "群"},
		Schema:      tool.SchemaOf[Args](),
		Aliases:     tool.AliasesOf[Args](),
		Version:     2,
		Changes:     []tool.Change{{Version: 2, From: "artifact", To: "report"}},
		Effect:      tool.Send,
		Unattended:  true,
	}
}

// NoChannel is the Fault of a Plan for a channel that is not there, in a language: people
// who edit a card read it too.
func NoChannel(name, lang string) string {
	if lang == "zh" {
		return fmt.Sprintf("没有我能看到的频道“%s”", name)
	}
	return fmt.Sprintf("there is no channel %q that I can see", name)
}

// NoMember is the Fault of a Plan for a channel that we are not in.
func NoMember(name, lang string) string {
	if lang == "zh" {
		return fmt.Sprintf("我不在 %s 里；需要那里的人邀请我", name)
	}
	return fmt.Sprintf("I am not a member of %s; somebody there must invite me", name)
}

// Plan implements tool.Planner.
func (t Tool) Plan(ctx context.Context, c tool.Call) (tool.Plan, error) {
	in, err := tool.Decode[Args](c.Args)
	if err != nil {
		return tool.Plan{Fault: fmt.Sprintf("arguments of %s: %v", Name, err)}, nil
	}
	a, err := t.artifacts.Artifact(ctx, in.Report)
	switch {
	case errors.Is(err, tool.ErrNoArtifact):
		return fault(c, "there is no report %q; make one first and give its id", "没有报告“%s”；要先做一份，再填它的编号", in.Report)
	case err != nil:
		return tool.Plan{}, err
	case a.Kind != tool.Report:
		return fault(c, "%s is no report, and only a report can be posted", "%s 不是报告，只有报告才能发", a.ID)
	case a.Altered:
		return fault(c, altered, "这份报告做好以后在数据库里被改动过，所以没有发；需要重新做一份")
	case a.Run != c.Run:
		return fault(c, "report %s was made for another request; make it again", "报告 %s 是为另一个请求做的；需要重新做一份", a.ID)
	}
	to, err := t.find(ctx, c.Home, in.Channel)
	switch {
	case errors.Is(err, ErrNoChannel):
		return tool.Plan{Fault: NoChannel(in.Channel, c.Lang)}, nil
	case err != nil:
		return tool.Plan{}, fmt.Errorf("find channel %s: %w", in.Channel, err)
	case !to.Member:
		return tool.Plan{Fault: NoMember(to.Name, c.Lang)}, nil
	}
	if why, err := t.refuses(ctx, c, a, to); err != nil || why != "" {
		return tool.Plan{Fault: why}, err
	}
	args, err := json.Marshal(resolved{a.ID, a.Hash, to.Place, to.Name, to.Private})
	if err != nil {
		return tool.Plan{}, fmt.Errorf("encode plan: %w", err)
	}
	line := fmt.Sprintf("Post **%s** to **%s** (exactly the report below)", a.Title, to.Name)
	if c.Lang == "zh" {
		line = fmt.Sprintf("把**%s**发到 **%s**（就是下面这份报告）", a.Title, to.Name)
	}
	lines := []string{line}
	if seen := audience(to, c); seen != "" {
		lines = append(lines, seen)
	}
	return tool.Plan{
		Args: args, Lines: lines, Artifact: a.ID, Marks: a.Marks(),
		Control: Control(to.Place, a.Recipe, to.Private), To: to.Place, ToName: to.Name, Member: t.isMember(ctx, c.Asker, to.Place),
	}, nil
}

// fault is a Plan that cannot be, in the Call's language: people who edit a card read it.
func fault(c tool.Call, en, zh string, args ...any) (tool.Plan, error) {
	if c.Lang == "zh" {
		en = zh
	}
	return tool.Plan{Fault: fmt.Sprintf(en, args...)}, nil
}

// altered is said of a report that somebody has changed in the database.
const altered = "the report was changed in the database after it was made, so nothing was posted; it must be made again"

// isMember reports whether who asks is in a channel. Where nobody can say, they are not.
func (t Tool) isMember(ctx context.Context, person, place string) bool {
	if t.members == nil || person == "" {
		return false
	}
	in, err := t.members(ctx, person, place)
	return in && err == nil
}

// audience says who reads a channel, where a person would decide otherwise if they
// thought it another: of a private one, and of a public one in a slot that no grant
// covers, perhaps since it was private before.
func audience(to Target, c tool.Call) string {
	zh := c.Lang == "zh"
	switch {
	case to.Private && zh:
		return fmt.Sprintf("**%s** 是私密频道", to.Name)
	case to.Private:
		return fmt.Sprintf("**%s** is private", to.Name)
	case c.Job != "" && zh:
		return fmt.Sprintf("**%s** 是公开频道，人人都能看到", to.Name)
	case c.Job != "":
		return fmt.Sprintf("**%s** is public: everybody can read it", to.Name)
	}
	return ""
}

// Control is what a grant to post into a place binds: that place, reports made by one
// recipe, and whether the place is private: one that has become public is another.
// It is empty, never granted, for a report without a recipe.
func Control(place, recipe string, private bool) string {
	if recipe == "" || place == "" {
		return ""
	}
	if private {
		recipe += " private"
	}
	return place + " " + recipe
}

// Run implements tool.Tool. It says nothing itself. Its arguments are those of a
// Plan.
func (t Tool) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	in, err := tool.Decode[resolved](c.Args)
	if err != nil {
		return tool.Fail("arguments of %s: %v", Name, err), nil
	}
	a, err := t.artifacts.Artifact(ctx, in.Artifact)
	if err != nil {
		return tool.Result{}, fmt.Errorf("artifact %s: %w", in.Artifact, err)
	}
	if a.Altered || a.Hash != in.Hash {
		return tool.Fail(altered), nil
	}
	if why, err := t.refuses(ctx, c, a, Target{Place: in.To, Name: in.Channel, Private: in.Private, Member: true}); err != nil || why != "" {
		return tool.Fail("%s", why), err
	}
	if in.Private {
		to, err := t.find(ctx, c.Home, in.Channel)
		switch {
		case errors.Is(err, ErrNoChannel):
			return tool.Fail("there is no channel %s any more; nothing was posted", in.Channel), nil
		case err != nil:
			return tool.Result{}, fmt.Errorf("is channel %s still private: %w", in.Channel, err)
		case to.Place != in.To || !to.Private:
			return tool.Fail("%s was private when this was approved and is public now; nothing was posted. Say so, and ask again if they still want it", in.Channel), nil
		}
	}
	return tool.Result{Post: &tool.Post{To: in.To, Artifact: in.Artifact, Hash: in.Hash}}, nil
}
