package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hermes/agent/run"
)

// control notes what a person has pressed or said on the Runs that it is about,
// and lets them go on.
func (b *Bot) control(ctx context.Context, it Item) error {
	if may, err := b.allowed(ctx, it); err != nil || !may {
		return err
	}
	switch c, m := it.Click, it.Message; {
	case it.Answer != nil && m == nil:
		return b.late(ctx, it, it.Answer.Question)
	case it.Answer != nil:
		if err := b.warn(ctx, it); err != nil {
			return err
		}
		return b.settle(ctx, it, *it.Answer)
	case c == nil && it.Steers:
		return b.steer(ctx, it)
	case c == nil && m.Edits != "":
		return b.edited(ctx, it)
	case c == nil && (b.isStatus(*m) || b.isGrants(*m) || b.isBudget(*m)):
		return b.talk(ctx, it)
	case c == nil:
		return b.stopSaid(ctx, it)
	case c.Halt:
		return b.stopPressed(ctx, it, run.Stop{Home: c.Place.String(), By: c.From})
	case c.Why != "":
		return b.explain(ctx, it)
	case c.Rates != "":
		return b.judged(ctx, it)
	case strings.HasPrefix(c.Question, missedPrefix):
		return b.takeUp(ctx, it)
	case strings.HasPrefix(c.Question, retakePrefix):
		return b.retake(ctx, it)
	case strings.HasPrefix(c.Question, spotPrefix):
		return b.spotJudged(ctx, it)
	case c.Stop != "":
		return b.stopPressed(ctx, it, run.Stop{Run: c.Stop, By: c.From})
	case c.Continue != "":
		return b.resume(ctx, it, c.Continue, c.From)
	case c.Abandon != "":
		return b.abandon(ctx, it, c.Abandon, c.From)
	case c.Save != "", c.Repeat != "":
		return b.saveRun(ctx, it)
	default:
		return b.settle(ctx, it, run.Answer{
			Key: c.Key, Question: c.Question, Choice: chosenBy(c.Choice), Args: c.Args, Note: c.Note, Scope: c.Scope,
			By: c.From, Name: c.Name, At: c.At,
		})
	}
}

// allowed reports whether who said or pressed something may. Who may not is told why.
func (b *Bot) allowed(ctx context.Context, it Item) (bool, error) {
	switch c, m := it.Click, it.Message; {
	case c != nil:
		may, why, err := b.mayPress(ctx, *c)
		if err != nil || may {
			return may, err
		}
		if err := b.unwelcome(ctx, it, c.From, "press"); err != nil {
			return false, err
		}
		lang := b.langOfPress(ctx, *c)
		return false, b.tellOne(ctx, it, c.From, b.denial(c.Place.Platform, lang, why), lang)
	case m == nil || m.Edits != "", it.Answer == nil && (b.isStatus(*m) || b.isGrants(*m) || b.isBudget(*m)):
		return true, nil // it is looked at when it is worked on
	default:
		access, why, err := b.accessOf(ctx, *m)
		if err != nil || access == Everything || access == Chat && it.Answer == nil {
			return err == nil, err
		}
		return false, b.deny(ctx, it, *m, why)
	}
}

// settle gives an answer to the agent. One that does not count changes nothing, and
// who gave it is told so, where it was given.
func (b *Bot) settle(ctx context.Context, it Item, ans run.Answer) error {
	if ans.Name == "" {
		ans.Name = b.nameOf(ans.By)
	}
	q, err := b.Agent.Settle(ctx, ans)
	if errors.Is(err, run.ErrMore) {
		return b.agreed(ctx, it, q, ans)
	}
	if err := b.refused(ctx, it, ans.By, ans.Choice, ans.Question, err); err != nil {
		return err
	}
	if text, ok := excuse(q, err, b.lang(it, q)); ok {
		said := phrase{text: text}
		if q.Answer != nil {
			said = naming(text, q.Answer.Name)
		}
		if errors.Is(err, run.ErrNotAllowed) && q.Kind == run.Approve {
			option := ans.Choice
			if option == run.Said {
				option = "" // no button was named
			}
			said = said.then(b.approvers(ctx, it.Place.Platform, b.lang(it, q), q, option))
		}
		if errors.Is(err, run.ErrExpired) {
			// The Continue that the words tell of comes at once.
			if err := b.late(ctx, it, q.ID); err != nil {
				return fmt.Errorf("expired question %s: %w", q.ID, err)
			}
		}
		return b.tellOne(ctx, it, ans.By, said, b.lang(it, q))
	}
	if err != nil {
		return fmt.Errorf("answer of %s: %w", ans.Question, err)
	}
	return b.close(ctx, it.Key, q)
}

// late settles a question whose time is over, unless somebody was faster.
func (b *Bot) late(ctx context.Context, it Item, question string) error {
	q, err := b.Agent.Expire(ctx, question)
	switch {
	case errors.Is(err, run.ErrAnswered), errors.Is(err, run.ErrNoQuestion):
		return nil
	case err != nil:
		return err
	}
	return b.close(ctx, it.Key, q)
}

// close changes the card of a settled question and lets its Run go on.
func (b *Bot) close(ctx context.Context, why string, q run.Question) error {
	home, err := ParsePlace(q.Home)
	if err != nil {
		return fmt.Errorf("home of question %s: %w", q.ID, err)
	}
	if err := b.showCard(ctx, q, func(q run.Question) Post { return settled(home, q) }); err != nil {
		return err
	}
	return b.goOn(ctx, why, q.Run, q.Home)
}

// resume lets a suspended Run go on. Its end then has no Continue any more.
func (b *Bot) resume(ctx context.Context, it Item, key, by string) error {
	out, ended, err := b.Agent.Outcome(ctx, key)
	if err != nil {
		return err
	}
	req, err := b.Agent.Resume(ctx, key, it.Key, by)
	if err := b.refused(ctx, it, by, "continue", key, err); err != nil {
		return err
	}
	lang := b.lang(it, run.Question{})
	switch text, ok := excuse(run.Question{}, err, lang); {
	case errors.Is(err, run.ErrAnswered):
		return b.whisper(ctx, it, by, words(lang).alreadyGoing, lang)
	case ok:
		return b.whisper(ctx, it, by, text, lang)
	case err != nil:
		return err
	}
	if ended {
		if err := b.settleEnd(ctx, req, out); err != nil {
			return err
		}
	}
	return b.goOn(ctx, it.Key, req.Key, req.Home)
}

// abandon gives up a suspended Run. Its end says so and has no buttons any more; what
// else follows comes as for a Run that goes on.
func (b *Bot) abandon(ctx context.Context, it Item, key, by string) error {
	req, out, err := b.Agent.Abandon(ctx, key, it.Key, by)
	if err := b.refused(ctx, it, by, "abandon", key, err); err != nil {
		return err
	}
	lang := b.langOfPress(ctx, *it.Click)
	switch text, ok := excuse(run.Question{}, err, lang); {
	case ok:
		return b.whisper(ctx, it, by, text, lang)
	case err != nil:
		return err
	}
	if err := b.settleEnd(ctx, req, out); err != nil {
		return err
	}
	return b.goOn(ctx, it.Key, req.Key, req.Home)
}

// settleEnd takes the buttons from the end of a Run that somebody has decided about.
func (b *Bot) settleEnd(ctx context.Context, req run.Request, out run.Outcome) error {
	home, err := ParsePlace(req.Home)
	if err != nil {
		return fmt.Errorf("home of run %s: %w", req.Key, err)
	}
	end, _ := b.ending(ctx, home, req.Key, out.Lang, out)
	end.Rev, end.Choices = 1, nil
	if err := b.Outbox.Add(ctx, end); err != nil {
		return fmt.Errorf("end of %s: %w", req.Key, err)
	}
	return nil
}

// whisper tells one person something where they pressed.
func (b *Bot) whisper(ctx context.Context, it Item, to, text, lang string) error {
	return b.tellOne(ctx, it, to, phrase{text: text}, lang)
}

// tellOne is a whisper that may name people.
func (b *Bot) tellOne(ctx context.Context, it Item, to string, p phrase, lang string) error {
	return b.Outbox.Add(ctx, Post{Key: it.Key + "/told", Place: it.Place, Text: p.text, Names: p.names, Lang: lang, Only: to, By: to})
}

// lang is the language in which who pressed is answered, which nobody else reads: that of
// the question for who asked it, else theirs if it is known.
func (b *Bot) lang(it Item, q run.Question) string {
	if it.Click != nil && q.ID != "" && it.Click.From != q.Asked {
		if lang := b.speaks(it.Click.From); lang != "" {
			return lang
		}
	}
	if q.Lang != "" {
		return q.Lang
	}
	return langOf(it)
}

// langOfPress is the language of what a press is about, as far as it is known.
func (b *Bot) langOfPress(ctx context.Context, c Click) string {
	key := c.Stop + c.Continue + c.Abandon + c.Why + c.Rates + c.Save + c.Repeat
	if i := strings.LastIndex(c.Question, "/"); key == "" && i > 0 {
		key = c.Question[:i]
	}
	if out, ended, err := b.Agent.Outcome(ctx, key); key != "" && err == nil && ended && out.Lang != "" {
		return out.Lang
	}
	if r, works, err := b.Agent.AtWork(ctx, c.Place.String()); err == nil && works && r.Lang != "" {
		return r.Lang
	}
	return "en"
}

// goOn has a Run take in what was noted on it because of the thing named why.
func (b *Bot) goOn(ctx context.Context, why, key, home string) error {
	place, err := ParsePlace(home)
	if err != nil {
		return fmt.Errorf("home of run %s: %w", key, err)
	}
	return b.Inbox.Add(ctx, Item{
		Key: ResumeKey(why, key), Place: place, Lane: Talk, First: true,
		Request: &run.Request{Key: key, Home: home},
	})
}

// approvers names who may choose an option of a question: who asked for it, if nobody
// else may, or those of a platform.
func (b *Bot) approvers(ctx context.Context, platform, lang string, q run.Question, option string) phrase {
	w, people := words(lang), b.Agent.Deciders(q, option)
	if len(people) == 1 && people[0] == q.Asked {
		name := b.nameOf(q.Asked)
		return naming(w.onlyThey(name), name)
	}
	names := b.namesOf(ctx, platform, people)
	if len(names) == 0 {
		return phrase{}
	}
	if slices.Contains(people, q.Asked) {
		return naming(w.onlyThey(strings.Join(names, w.comma)), names...)
	}
	return naming(w.theyMay(strings.Join(names, w.comma), b.askerMay(w, q)), names...)
}

// askerMay are the buttons by which who asked may have something of a question done
// themselves.
func (b *Bot) askerMay(w *wording, q run.Question) []string {
	var labels []string
	for _, o := range q.Options {
		if len(o.Calls) > 0 && o.ID != run.Like && slices.Contains(b.Agent.Deciders(q, o.ID), q.Asked) {
			labels = append(labels, cmp.Or(o.Label, w.label(q, o)))
		}
	}
	return labels
}

// namesOf are how people of a platform are called who may decide.
func (b *Bot) namesOf(ctx context.Context, platform string, people []string) []string {
	var names []string
	for _, p := range people {
		group, is := strings.CutPrefix(p, "group:")
		switch {
		case !strings.HasPrefix(group, platform+":"):
		case is:
			names = append(names, b.groupName(ctx, group))
		default:
			names = append(names, b.nameOf(p))
		}
	}
	return names
}

// groupName is how people call a group; one that nobody knows has its id.
func (b *Bot) groupName(ctx context.Context, group string) string {
	platform, _, _ := strings.Cut(group, ":")
	if g, ok := b.Chats[platform].(GroupNamer); ok {
		if name := g.GroupName(ctx, group); name != "" {
			return name
		}
	}
	return code(UserOf(group))
}

// adminNames are the names of those of a platform who may approve.
func (b *Bot) adminNames(platform string) []string {
	var names []string
	for _, p := range b.cfg.Approvers {
		if strings.HasPrefix(p, platform+":") {
			names = append(names, b.nameOf(p))
		}
	}
	return names
}

// nameOf is how the person's own platform calls a Person.
func (b *Bot) nameOf(person string) string {
	platform, _, _ := strings.Cut(person, ":")
	if n, ok := b.Chats[platform].(Namer); ok {
		return n.NameOf(person)
	}
	return UserOf(person)
}
