// Package takeback lets the model take back or correct what the bot has posted.
// Which posts there are, and how one is changed, the Book knows.
//
// What a newcomer would break: a plan names one post, by its key, as it stood when
// somebody was asked. Whoever looks for it again after the yes may take back another.
package takeback

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hermes/agent/tool"
)

// Name is the tool's name.
const Name = "take_back"

// Args are what the model says.
type Args struct {
	Post string `json:"post,omitempty" jsonschema:"link or #channel; else the last here"`
	Text string `json:"text,omitempty" jsonschema:"what shall stand instead, if they said it" tool:"max=4000,content"`
}

// resolved is what is approved and run.
type resolved struct {
	Key   string `json:"key"`
	Rev   int    `json:"rev"`
	Place string `json:"place"`
	Where string `json:"where,omitempty"`
	First string `json:"first"`
	Text  string `json:"text,omitempty"`
}

// A Post is one of the bot's, as people see it.
type Post struct {
	Key   string // names it for ever
	Rev   int    // of what stands there
	Place string
	Where string // "#sales"; empty for the place of the call
	Link  string // empty if the platform has none
	Text  string
	Own   bool // it came of what the asker asked for
}

// Errors of a Book.
var (
	ErrNone   = errors.New("no such post")
	ErrNotOwn = errors.New("the post is not the asker's")
)

// A Book has the posts of the bot.
type Book interface {
	// Find returns the post that is meant: by a link, as the newest in a channel, or,
	// if which is empty, the last one here, or the one that what was asked here has
	// brought elsewhere. It returns ErrNone, or ErrNotOwn for one that the asker of
	// the call may not touch.
	Find(ctx context.Context, c tool.Call, which string) (Post, error)
	// Change takes a post back or, with a text, lets that stand in its place. It may
	// be called again. A post that has changed since is left alone, and ErrNone
	// returned.
	Change(ctx context.Context, c tool.Call, key string, rev int, text string) error
}

// An Audience is a Book that keeps words from where they may not be read.
type Audience interface {
	// MayRead says why what the run of the call has read may not stand where the post
	// does, in the language of the call; nothing if it may.
	MayRead(ctx context.Context, c tool.Call, p Post) (why string, err error)
}

// Tool is a tool.Planner.
type Tool struct{ book Book }

var _ tool.Planner = Tool{}

// New returns the tool.
func New(b Book) Tool { return Tool{b} }

// Spec implements tool.Tool.
func (Tool) Spec() tool.Spec {
	return tool.Spec{
		Name:        Name,
		Description: "Take back (delete) or correct a post of yours, anywhere, if a person wants it. Not for schedules or memory.",
		Words: []string{
			"take back", "take that back", "take it back", "take this back", "delete that", "delete it", "delete this", "delete the", "delete your", "remove that", "remove the post",
			"remove your", "retract", "unsend", "withdraw", "correct that", "correct the post", "correct your", "edit your", "fix your post", "change your post",
			"撤回", "撤销", "收回", "删掉", "删了", "删除", "改成", "更正",
		},
		Schema: tool.SchemaOf[Args](), Content: tool.ContentOf[Args](),
		Effect: tool.Keep,
		Risk:   tool.HighRisk,
		Later:  true,
	}
}

// Plan implements tool.Planner.
func (t Tool) Plan(ctx context.Context, c tool.Call) (tool.Plan, error) {
	in, err := tool.Decode[Args](c.Args)
	if err != nil {
		return tool.Plan{Fault: fmt.Sprintf("arguments of %s: %v", Name, err)}, nil
	}
	p, err := t.book.Find(ctx, c, strings.TrimSpace(in.Post))
	switch {
	case errors.Is(err, ErrNone) && c.Lang == "zh":
		return tool.Plan{Fault: "找不到要撤回的消息：只有我自己发的、还在那里的才行"}, nil
	case errors.Is(err, ErrNone):
		return tool.Plan{Fault: "there is no post of mine that this could mean; only what I have posted myself and what still stands can be taken back"}, nil
	case errors.Is(err, ErrNotOwn) && c.Lang == "zh":
		return tool.Plan{Fault: "这条消息是别人让我发的：只有当时提出的人或管理员可以撤回"}, nil
	case errors.Is(err, ErrNotOwn):
		return tool.Plan{Fault: "that post came of what somebody else asked for; they, or an admin, may have it taken back"}, nil
	case err != nil:
		return tool.Plan{}, fmt.Errorf("find post: %w", err)
	}
	if a, ok := t.book.(Audience); ok && in.Text != "" && p.Where != "" {
		if why, err := a.MayRead(ctx, c, p); err != nil || why != "" {
			return tool.Plan{Fault: why}, err
		}
	}
	args, err := json.Marshal(resolved{p.Key, p.Rev, p.Place, p.Where, first(p.Text), strings.TrimSpace(in.Text)})
	if err != nil {
		return tool.Plan{}, fmt.Errorf("encode plan: %w", err)
	}
	return tool.Plan{
		Args: args, Lines: p.lines(c.Lang, strings.TrimSpace(in.Text)), To: p.to(), ToName: p.Where,
		Diff: []tool.Diff{p.diff(c.Lang, in.Text)},
		// What the asker has had posted they may take away; what shall stand elsewhere
		// in its place is a post like any other.
		Own: p.Own && (in.Text == "" || p.Where == ""),
	}, nil
}

// to is the place of a post that stands in another than where it is asked for.
func (p Post) to() string {
	if p.Where == "" {
		return ""
	}
	return p.Place
}

// longestText is how much of a post stands in a Diff, in characters.
const longestText = 300

// diff is what stands there now, and what shall.
func (p Post) diff(lang, text string) tool.Diff {
	was := []rune(oneLine(p.Text))
	if len(was) > longestText {
		was = append(was[:longestText-1], '…')
	}
	d := tool.Diff{What: "The post", Was: string(was), Is: oneLine(text)}
	if lang == "zh" {
		d.What = "这条消息"
	}
	return d
}

// lines say it to a person.
func (p Post) lines(lang, text string) []string {
	where, link := " here", ""
	if p.Link != "" {
		link = " (" + p.Link + ")"
	}
	if lang == "zh" {
		where = "这里"
		if p.Where != "" {
			where = " **" + p.Where + "** 里"
		}
		if text == "" {
			return []string{fmt.Sprintf("撤回我在%s的消息：“%s”%s", where, first(p.Text), link)}
		}
		return []string{fmt.Sprintf("更正我在%s的消息：“%s”%s", where, first(p.Text), link), "改为：" + oneLine(text)}
	}
	if p.Where != "" {
		where = " in **" + p.Where + "**"
	}
	if text == "" {
		return []string{fmt.Sprintf("Take back my post%s: “%s”%s", where, first(p.Text), link)}
	}
	return []string{fmt.Sprintf("Correct my post%s: “%s”%s", where, first(p.Text), link), "It then says: " + oneLine(text)}
}

// firstWords is how much of a post names it, in characters.
const firstWords = 80

// first are the first words of a text, without its signs of Markdown.
func first(text string) string {
	s := oneLine(strings.Map(func(r rune) rune {
		if strings.ContainsRune("*_`#|>[]", r) {
			return ' '
		}
		return r
	}, text))
	if r := []rune(s); len(r) > firstWords {
		s = strings.TrimSpace(string(r[:firstWords-1])) + "…"
	}
	return s
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Asked is what the model hears. The platform is told after that, and may refuse: then
// people are told here. So nothing is done yet when this is read.
type Asked struct {
	Asked string `json:"asked"` // Deletion or Correction
	Done  bool   `json:"done"`  // never: nobody knows yet
	Where string `json:"where,omitempty"`
	First string `json:"first"`
	Note  string `json:"note"`
}

// What may be asked for.
const (
	Deletion   = "deletion"
	Correction = "correction"
)

// notDone is what keeps a model from saying more than is so.
const notDone = "Asked for, not done yet. If the chat refuses, that is said here by itself. Say that you have asked for it, never that it is done."

// Run implements tool.Tool. Its arguments are those of a Plan.
func (t Tool) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	in, err := tool.Decode[resolved](c.Args)
	if err != nil {
		return tool.Fail("arguments of %s: %v", Name, err), nil
	}
	switch err := t.book.Change(ctx, c, in.Key, in.Rev, in.Text); {
	case errors.Is(err, ErrNone):
		return tool.Fail("the post has changed or gone since, so it was left alone"), nil
	case err != nil:
		return tool.Result{}, fmt.Errorf("change post %s: %w", in.Key, err)
	}
	out := Asked{Asked: Deletion, Where: in.Where, First: in.First, Note: notDone}
	if in.Text != "" {
		out.Asked = Correction
	}
	return tool.JSON(out)
}
