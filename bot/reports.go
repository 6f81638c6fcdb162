package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/run"
	"hermes/router"
)

// Reports keeps what runs have done as saved reports.
type Reports interface {
	// Save makes a saved report of a Run, by its key, for a person, and returns what it is
	// called with what they should know of it, in a language. Called again it changes
	// nothing. ErrNoSave if there is nothing that can be run again.
	Save(ctx context.Context, key, by, lang string) (SavedReport, error)
	// Again are the calls that plan the report for the times at which it is usually wanted,
	// such as each month on the 1st; with words for the wish.
	Again(s SavedReport, lang string) (run.Ready, string, error)
}

// ErrNoSave is returned for a Run of which no saved report can be made.
var ErrNoSave = errors.New("nothing of this can be run again")

// A SavedReport is what became of a Run.
type SavedReport struct {
	Name    string
	Title   string
	Unit    string // day, week, month, quarter, year; empty: it is about no time
	Channel string
	Notes   []string // what was not taken over, or will be otherwise
}

// offers are the buttons under an answer that can be had again.
func (b *Bot) offers(key, lang string, out run.Outcome) []Choice {
	if b.Reports == nil || out.State != run.Done || out.Why != "" || !out.Repeats {
		return nil
	}
	w := words(lang)
	all := []Choice{{ID: savePrefix + key, Label: w.saveReport}}
	if label := w.repeats[out.Unit]; label != "" {
		all = append(all, Choice{ID: repeatPrefix + key, Label: label})
	}
	return all
}

// What the ids of the buttons begin with; the rest is the key of the Run.
const (
	savePrefix   = "save:"
	repeatPrefix = "repeat:"
)

// saveRun makes a saved report of a Run at a press, and plans it if that is wanted. Only
// who asked for the Run, and admins, may.
func (b *Bot) saveRun(ctx context.Context, it Item) error {
	c := it.Click
	key := c.Save + c.Repeat
	lang := b.langOfPress(ctx, *c)
	r, ok, err := b.Agent.Look(ctx, key)
	switch {
	case err != nil:
		return fmt.Errorf("run %s: %w", key, err)
	case !ok || b.Reports == nil:
		return b.whisper(ctx, it, c.From, words(lang).noSave, lang)
	case r.Asker != c.From && !slices.Contains(b.cfg.Approvers, c.From):
		return b.whisper(ctx, it, c.From, words(lang).notYours, lang)
	}
	saved, err := b.Reports.Save(ctx, key, c.From, lang)
	switch {
	case errors.Is(err, ErrNoSave):
		return b.whisper(ctx, it, c.From, strings.TrimSpace(words(lang).noSave+" "+strings.Join(saved.Notes, " ")), lang)
	case err != nil:
		return fmt.Errorf("save run %s: %w", key, err)
	}
	w := words(lang)
	text := w.saved(saved)
	if len(saved.Notes) > 0 {
		text += "\n- " + strings.Join(saved.Notes, "\n- ")
	}
	home, err := ParsePlace(r.Home)
	if err != nil {
		return fmt.Errorf("home of run %s: %w", key, err)
	}
	if err := b.Outbox.Add(ctx, Post{Key: key + "/saved", Place: home, Lang: lang, Text: text, By: c.From}); err != nil || c.Repeat == "" {
		return err
	}
	ready, wish, err := b.Reports.Again(saved, lang)
	if err != nil {
		return fmt.Errorf("plan report %s: %w", saved.Name, err)
	}
	now := b.Now()
	zone := r.Zone
	if loc, err := time.LoadLocation(zone); err == nil && zone != "" {
		now = now.In(loc)
	}
	return b.Inbox.Add(ctx, Item{Key: it.Key + "/again", Place: home, Lane: Talk, Request: &run.Request{
		Key: it.Key + "/again", Home: r.Home, Asker: c.From, Text: wish, Lang: lang, Now: now, Zone: zone, Intent: string(router.Task),
		Ready: &ready,
	}})
}

// reportWords are what is said of saved reports.
type reportWords struct {
	saveReport string            // on a button
	repeats    map[string]string // the same, by unit
	noSave     string
	broken     string // over what the contract of a report says against it
	anyway     string // on the button that posts it all the same
	saved      func(SavedReport) string
}

var englishReports = reportWords{
	saveReport: "Save as report",
	repeats: map[string]string{
		"day": "Do this every day", "week": "Do this every week", "month": "Do this every month", "quarter": "Do this every quarter", "year": "Do this every year",
	},
	noSave: "There is nothing in this that could be run again.",
	broken: "⚠ **This saved report is not as its contract wants it, so it was not posted:**",
	anyway: "Post anyway",
	saved: func(s SavedReport) string {
		text := "Saved as the report **" + s.Name + "**."
		if s.Unit != "" {
			text += " To run it say: run the " + s.Name + " report; or for another " + s.Unit + ", run the " + s.Name + " report for …"
		} else {
			text += " To run it say: run the " + s.Name + " report."
		}
		return text
	},
}

var chineseReports = reportWords{
	saveReport: "存为报表",
	repeats:    map[string]string{"day": "每天都做", "week": "每周都做", "month": "每月都做", "quarter": "每季度都做", "year": "每年都做"},
	noSave:     "这里没有可以再次运行的内容。",
	broken:     "⚠ **这份已保存的报表不符合它的约定，所以没有发送：**",
	anyway:     "仍然发送",
	saved: func(s SavedReport) string {
		return "已存为报表 **" + s.Name + "**。要运行就说：运行报表 " + s.Name + "。"
	},
}
