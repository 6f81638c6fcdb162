package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hermes/agent/tool/schedule"
	"hermes/bot"
	"hermes/scheduler"
)

// lapser is who changes what nobody has asked for: the audit says so.
var lapser = bot.Person("hermes", "", "scheduler")

// A warden pauses the schedules of those who are gone.
type warden struct{ h *hermes }

var _ scheduler.Warden = warden{}

// gone returns of those whose rights a schedule runs with the first who is not here any
// more, or may not use the bot: its owner, and who has allowed what it posts.
func (h *hermes) gone(ctx context.Context, j scheduler.Job) (person string, err error) {
	people := []string{j.Owner}
	grants, err := h.db.Runs().Grants(ctx, j.ID)
	if err != nil {
		return "", fmt.Errorf("grants of schedule %s: %w", j.ID, err)
	}
	for _, g := range grants {
		if g.By != "" && g.Revoked.IsZero() && g.Broken == "" {
			people = append(people, g.By)
		}
	}
	for _, p := range people {
		may, err := h.bot.MayOwn(ctx, p)
		if err != nil {
			return "", err
		}
		if !may {
			return p, nil
		}
	}
	return "", nil
}

// staysPaused says why a schedule cannot be resumed, and what to do: those whose rights it
// runs with are not all here. It would be paused again at its next time.
func (h *hermes) staysPaused(ctx context.Context, j scheduler.Job, lang string) (why string, err error) {
	who, err := h.gone(ctx, j)
	switch {
	case err != nil || who == "":
		return "", err
	case who != j.Owner && lang == "zh":
		return fmt.Sprintf("定时任务 %s 不能恢复：批准它发送的人（%s）已不在，或不能再使用 Hermes。请撤销这项授权（hermes grants list、hermes grants revoke），下次发送前会再问", j.ID, who), nil
	case who != j.Owner:
		return fmt.Sprintf("schedule %s cannot be resumed: who allowed what it posts (%s) is here no more, or may not use Hermes any more. Have an operator revoke that grant (hermes grants list, hermes grants revoke); it is then asked for before the next post", j.ID, who), nil
	case lang == "zh":
		return fmt.Sprintf("定时任务 %s 不能恢复：它的所有者（%s）已不在，或不能再使用 Hermes。请管理员先把它交给别人，例如“把定时任务 %s 交给 @某人”", j.ID, who, j.ID), nil
	}
	return fmt.Sprintf("schedule %s cannot be resumed: its owner (%s) is here no more, or may not use Hermes any more. An admin first gives it to somebody who is: “hand schedule %s to @name”, or `hermes schedule set %s --owner`", j.ID, who, j.ID, j.ID), nil
}

// Lapsed implements scheduler.Warden. People are told first: a pause that nobody hears of
// is a report that silently never comes.
func (w warden) Lapsed(ctx context.Context, j scheduler.Job) (string, error) {
	h := w.h
	who, err := h.gone(ctx, j)
	if err != nil || who == "" {
		return "", err
	}
	why := "its owner is here no more, or may not use Hermes any more"
	if who != j.Owner {
		why = "who allowed what it posts is here no more, or may not use Hermes any more"
	}
	if j.State == scheduler.Paused || j.State == scheduler.Deleted {
		return why, nil
	}
	if err := h.bot.TellLapsed(ctx, j, who); err != nil {
		return why, err
	}
	grants, err := h.db.Runs().Grants(ctx, j.ID)
	if err != nil {
		return why, fmt.Errorf("grants of schedule %s: %w", j.ID, err)
	}
	for _, g := range grants {
		if g.By != who {
			continue
		}
		if _, err := h.db.Runs().Revoke(ctx, g.ID, lapser); err != nil {
			return why, fmt.Errorf("grant %s: %w", g.ID, err)
		}
	}
	_, err = setState(ctx, h.db.Jobs().By(lapser), j, scheduler.Paused, h.now())
	if errors.Is(err, scheduler.ErrChanged) {
		err = nil // somebody has just changed it; the next slot finds out
	}
	h.log.Warn("schedule is paused", "job", j.ID, "why", why, "person", who)
	return why, err
}

// left pauses the schedules of somebody who is gone.
func (h *hermes) left(ctx context.Context, person string) {
	jobs, err := h.db.Jobs().Jobs(ctx)
	if err != nil {
		h.log.Error("schedules of who has left not looked at", "person", person, "err", err)
		return
	}
	given := map[string]bool{}
	grants, err := h.db.Runs().Standing(ctx, "")
	if err != nil {
		h.log.Error("what was allowed by who has left not looked at", "person", person, "err", err)
	}
	for _, g := range grants {
		given[g.Job] = given[g.Job] || g.By == person
	}
	for _, j := range jobs {
		if j.State != scheduler.Active || j.Owner != person && !given[j.ID] {
			continue
		}
		if _, err := (warden{h}).Lapsed(ctx, j); err != nil {
			h.log.Warn("whether a schedule may run for its people is not known", "job", j.ID, "err", err)
		}
	}
}

// heirOf finds whom words mean who shall have a schedule: an id (slack:T0123ABC:U0456DEF),
// or a name that one person alone has where it is said. why says what is wrong with it.
func (h *hermes) heirOf(ctx context.Context, j scheduler.Job, said, words, lang string) (to schedule.Heir, why string, err error) {
	home, err := bot.ParsePlace(j.Origin)
	if err != nil {
		return to, "", fmt.Errorf("origin of schedule %s: %w", j.ID, err)
	}
	here, err := bot.ParsePlace(said)
	if err != nil {
		return to, "", fmt.Errorf("where it is said: %w", err)
	}
	say := func(en, zh string) string {
		if lang == "zh" {
			return zh
		}
		return en
	}
	name := strings.TrimLeft(strings.TrimSpace(words), "@＠")
	if name == "" {
		return to, say("say who shall have it", "请说明交给谁"), nil
	}
	found := []string{name}
	if strings.Count(name, ":") != 2 {
		d, ok := h.chats[here.Platform].(bot.PhoneBook)
		if !ok {
			return to, fmt.Sprintf(say("I know no people by name here; write the id, such as slack:T0123ABC:U0456DEF, instead of %q", "这里无法按名字找人；请把“%s”写成 id，例如 slack:T0123ABC:U0456DEF"), name), nil
		}
		if found, err = d.Named(ctx, here, name); err != nil {
			return to, "", fmt.Errorf("who is called %s: %w", name, err)
		}
	}
	switch len(found) {
	case 0:
		return to, fmt.Sprintf(say("I know nobody called %q here; mention them, or write their id, such as slack:T0123ABC:U0456DEF", "这里没有叫“%s”的人；请 @ 对方，或写其 id，例如 slack:T0123ABC:U0456DEF"), name), nil
	case 1:
	default:
		return to, fmt.Sprintf(say("%q may be %s; write the id of the one", "“%s”可能是 %s；请写其中一位的 id"), name, strings.Join(found, say(" or ", " 或 "))), nil
	}
	to.Person = found[0]
	may, err := h.bot.MayOwn(ctx, to.Person)
	switch {
	case err != nil:
		h.log.Warn("whether somebody may have a schedule is not known", "person", to.Person, "err", err)
		return to, fmt.Sprintf(say("whether %s may have a schedule could not be found out just now; try again later", "暂时无法确认 %s 能否拥有定时任务；请稍后再试"), name), nil
	case !may:
		return to, fmt.Sprintf(say("%s cannot have a schedule: they are not a member here, or may not use Hermes", "%s 不能拥有定时任务：不是这里的成员，或不能使用 Hermes"), name), nil
	}
	to.Name = h.calledOf(to.Person)
	if at, ok := h.bot.Alone(to.Person); ok && direct(home) && at.String() != home.String() {
		to.Home = at.String() // what it says in the direct messages of one is not for another
	}
	return to, "", nil
}

// calledOf is how people call a person, with the id where a name may be another's.
func (h *hermes) calledOf(person string) string {
	platform, _, _ := strings.Cut(person, ":")
	if c, ok := h.chats[platform].(bot.Caller); ok {
		if name := c.Called(person); name != "" {
			return name + " (" + person + ")"
		}
	}
	return person
}
