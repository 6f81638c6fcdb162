// Package saved has the tools of saved reports: to keep what a run has done as one, to list
// them, to run one, and to hold what one has made against its contract. What a report is,
// and how it is pinned, is agent/playbook's.
//
// What a newcomer would break: a call that runs a report names it and a period and nothing
// else. What runs then is the text that was saved.
package saved

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/playbook"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/scheduler"
)

// The names of the tools.
const (
	SaveName = "report_save"
	ListName = "report_list"
	RunName  = "report_run"
)

// A Shelf keeps saved reports.
type Shelf interface {
	Report(ctx context.Context, name string) (playbook.Kept, error)
	All(ctx context.Context) ([]playbook.Kept, error)
	// Save keeps one under a new name, or returns playbook.ErrTaken; with the same text by
	// the same owner it may be called again.
	Save(ctx context.Context, k playbook.Kept) (playbook.Kept, error)
}

// Parts are what the tools are made of.
type Parts struct {
	Shelf Shelf
	// Last returns the key of the run at a home of the asker that is meant by "this": the
	// newest that has made figures before the run of the call; empty if there is none.
	Last func(ctx context.Context, c tool.Call) (string, error)
	// Pin makes a report of a run, by its key, if the asker of the call may see that; false
	// if there is none that they may.
	Pin func(ctx context.Context, c tool.Call, key, name string) (p playbook.Playbook, notes []playbook.Note, ok bool, err error)
	// Fits says what of a report the tools here would not take; nil if nothing.
	Fits      func(playbook.Playbook) error
	Artifacts tool.Artifacts
	Admin     func(person string) bool
	// Running are the schedules that run a report. Remove takes one away for the asker of a
	// Call and pauses those, and returns them.
	Running func(ctx context.Context, name string) ([]scheduler.Job, error)
	Remove  func(ctx context.Context, c tool.Call, k playbook.Kept) ([]scheduler.Job, error)
}

// New returns the tools.
func New(p Parts) []tool.Tool {
	return []tool.Tool{save(p), list(p), runs(p), remove{p}, checks(p.Artifacts)}
}

var words = []string{"report", "reports", "saved", "save", "报表", "报告", "保存", "存成", "存为"}

type saveArgs struct {
	Name string `json:"name,omitempty" jsonschema:"as they call it" tool:"content"`
	Run  string `json:"run,omitempty" jsonschema:"trace id; else the last report here"`
}

// A Saved is what a model and a person hear of a report.
type Saved struct {
	Report  string   `json:"saved_report"`
	Title   string   `json:"title"`
	Words   []string `json:"words,omitempty"`
	Version int      `json:"version"`
	Period  string   `json:"period,omitempty"`
	Channel string   `json:"channel,omitempty"`
	Origin  string   `json:"origin,omitempty"`
	Owner   string   `json:"owner,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

func said(k playbook.Kept, c tool.Call) Saved {
	s := Saved{Report: k.Name, Title: k.Called(c.Lang), Words: k.Words, Version: k.Version, Period: string(k.Period), Channel: k.Post, Origin: string(k.Origin)}
	if k.Owner != c.Asker {
		s.Owner = k.Owner
	}
	return s
}

// save keeps what a run has done. It is the asker's own: nothing of it leaves the place,
// and what it may do later is asked for then.
func save(p Parts) tool.Tool {
	return tool.NewTyped(tool.Spec{
		Name: SaveName, Effect: tool.Read, Keeps: true, Words: words, Later: true,
		Description: "Save the report just made, to be run again for other periods; if asked to.",
	}, func(ctx context.Context, c tool.Call, in saveArgs) (Saved, error) {
		key := in.Run
		if key == "" {
			var err error
			if key, err = p.Last(ctx, c); err != nil {
				return Saved{}, err
			}
		}
		name := ""
		if in.Name != "" {
			if name = playbook.Slug(in.Name); name == "" {
				return Saved{}, fault(c, fmt.Sprintf("%q cannot be a name; use letters and digits", in.Name), fmt.Sprintf("“%s”不能作名称，请用文字或数字", in.Name))
			}
		}
		none := fault(c, "there is no report here to be saved; make one first", "这里没有可以保存的报告，请先做一份")
		if key == "" {
			return Saved{}, none
		}
		book, notes, ok, err := p.Pin(ctx, c, key, name)
		switch {
		case errors.Is(err, playbook.ErrNothing), err == nil && !ok:
			return Saved{}, none
		case errors.Is(err, playbook.ErrUnended), errors.Is(err, playbook.ErrUnpinned):
			return Saved{}, fault(c, "it cannot be saved: "+err.Error(), "不能保存："+err.Error())
		case err != nil:
			return Saved{}, err
		}
		if in.Name != "" && name != strings.ToLower(strings.TrimSpace(in.Name)) {
			book.Words = append(book.Words, strings.TrimSpace(in.Name))
		}
		if err := p.Fits(book); err != nil {
			return Saved{}, fault(c, "it cannot be saved: "+err.Error(), "不能保存："+err.Error())
		}
		kept, err := Keep(ctx, p.Shelf, c, book, in.Name != "")
		if err != nil {
			return Saved{}, err
		}
		out := said(kept, c)
		for _, n := range notes {
			out.Notes = append(out.Notes, n.In(c.Lang))
		}
		return out, nil
	})
}

// Keep keeps a report under its name or, if nobody has chosen that, the next that is free.
func Keep(ctx context.Context, shelf Shelf, c tool.Call, book playbook.Playbook, named bool) (playbook.Kept, error) {
	first := book.Name
	for n := 2; ; n++ {
		kept, err := shelf.Save(ctx, playbook.Kept{Playbook: book, Owner: c.Asker, Home: c.Home, Origin: playbook.Chat, By: c.Asker})
		switch {
		case errors.Is(err, playbook.ErrTaken) && (named || n > 20):
			return kept, fault(c, fmt.Sprintf("there is a saved report %s already; choose another name", first), fmt.Sprintf("已有名为 %s 的报表，请换个名称", first))
		case errors.Is(err, playbook.ErrTaken):
			book.Name = fmt.Sprintf("%s-%d", first, n)
		default:
			return kept, err
		}
	}
}

func fault(c tool.Call, en, zh string) error {
	if c.Lang == "zh" {
		en = zh
	}
	return &tool.Error{Type: tool.InputError, Message: en}
}

type listArgs struct{}

type listed struct {
	Reports []Saved `json:"reports"`
}

func list(p Parts) tool.Tool {
	return tool.NewTyped(tool.Spec{
		Name: ListName, Effect: tool.Read, Words: words, Later: true,
		Description: "List saved reports, if asked which there are; it runs none.",
	}, func(ctx context.Context, c tool.Call, _ listArgs) (listed, error) {
		all, err := visible(ctx, p, c)
		out := listed{[]Saved{}}
		for _, k := range all {
			out.Reports = append(out.Reports, said(k, c))
		}
		return out, err
	})
}

// visible are the reports that the asker may run: their own, those of files, and those
// that were saved, or are posted, in the channel of the call.
func visible(ctx context.Context, p Parts, c tool.Call) ([]playbook.Kept, error) {
	all, err := p.Shelf.All(ctx)
	if err != nil && len(all) == 0 {
		return nil, err
	}
	return slices.DeleteFunc(all, func(k playbook.Kept) bool {
		return !(k.Owner == c.Asker || k.Origin == playbook.File || p.Admin(c.Asker) || sameChannel(k.Home, c.Home))
	}), nil
}

// sameChannel compares places without their thread.
func sameChannel(a, b string) bool {
	cut := func(p string) string { return p[:max(0, strings.LastIndexByte(p, '/'))] }
	return a != "" && cut(a) == cut(b)
}

type runArgs struct {
	Report  string `json:"report" jsonschema:"name of a saved one"`
	Period  string `json:"period,omitempty" jsonschema:"2026-09, 2026-Q3, last_month; else the last whole one"`
	Channel string `json:"channel,omitempty" jsonschema:"to post to; else as saved"`
}

// A Started is what is heard of a report that a run goes on as.
type Started struct {
	Report  string `json:"saved_report"`
	Version int    `json:"version"`
	Period  string `json:"period,omitempty"`
}

func runs(p Parts) tool.Tool {
	return tool.New(tool.Spec{
		Name: RunName, Effect: tool.Read, Words: words, Later: true, Unattended: true, Output: tool.OutputOf[Started](),
		Description: "Run a saved report by its name, instead of making it anew. It ends the work: nothing else is done with it.",
	}, func(ctx context.Context, c tool.Call, in runArgs) (tool.Result, error) {
		k, err := Find(ctx, p, c, in.Report)
		if err != nil {
			return failed(err)
		}
		o := &tool.Order{Report: k.Name, Channel: strings.TrimSpace(in.Channel)}
		loc := zone(c)
		switch {
		case strings.TrimSpace(in.Period) == "":
			o.Period = playbook.PeriodOf(k.Period, c.Period, c.Now, loc)
		case k.Period == "":
			return failed(fault(c, k.Name+" is about no period that could be chosen", k.Name+" 没有可选的时间段"))
		default:
			p, ok := playbook.ReadPeriod(k.Period, in.Period, c.Now, loc)
			if !ok {
				return failed(fault(c, fmt.Sprintf("%s is about one %s; %q is none: write for example %s", k.Name, k.Period, in.Period, exampleOf(k, c)),
					fmt.Sprintf("%s 按%s统计，“%s”不是这样的时间段；例如写 %s", k.Name, unitsZh[string(k.Period)], in.Period, exampleOf(k, c))))
			}
			if p.From.After(c.Now) {
				return failed(fault(c, "that period has not begun", "这段时间还没有开始"))
			}
			o.Period = p
		}
		res, err := tool.JSON(Started{k.Name, k.Version, playbook.LabelOf(k.Period, o.Period, loc, c.Lang)})
		res.Order = o
		return res, err
	})
}

var unitsZh = map[string]string{"day": "天", "week": "周", "month": "月", "quarter": "季度", "year": "年"}

// exampleOf is a period that a report may be about.
func exampleOf(k playbook.Kept, c tool.Call) string {
	return playbook.WordOf(k.Period, playbook.PeriodOf(k.Period, run.Period{}, c.Now, zone(c)), zone(c))
}

func zone(c tool.Call) *time.Location {
	if loc, err := time.LoadLocation(c.Zone); err == nil && c.Zone != "" {
		return loc
	}
	return time.UTC
}

func failed(err error) (tool.Result, error) {
	var e *tool.Error
	if errors.As(err, &e) && e.Type == tool.InputError {
		return tool.Fail("%s", e.Message), nil
	}
	return tool.Result{}, err
}

// Find returns the report that the asker of a call means, of those that they may run.
func Find(ctx context.Context, p Parts, c tool.Call, words string) (playbook.Kept, error) {
	all, err := visible(ctx, p, c)
	if err != nil {
		return playbook.Kept{}, err
	}
	k, near, ok := playbook.Find(all, words)
	switch {
	case ok:
		return k, nil
	case len(all) == 0:
		return k, fault(c, "there are no saved reports here", "这里没有已保存的报表")
	}
	return k, fault(c, fmt.Sprintf("there is no saved report %q; there are: %s", words, strings.Join(near, ", ")), fmt.Sprintf("没有名为“%s”的报表；有：%s", words, strings.Join(near, "、")))
}
