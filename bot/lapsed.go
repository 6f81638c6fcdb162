package bot

import (
	"context"
	"fmt"

	"hermes/scheduler"
)

// MayOwn reports whether schedules may run for a person, with what they may do: they are of
// their workspace, and the bot works for them. An error means that nobody knows.
func (b *Bot) MayOwn(ctx context.Context, person string) (bool, error) {
	s, err := b.standing(ctx, person, Unsaid)
	if err != nil {
		return false, err
	}
	access, _ := b.cfg.Policy.of(person, s)
	return access == Everything, nil
}

// TellLapsed tells the admins that a schedule is paused since it runs for somebody no more
// who owned it or, if gone is another, who had allowed what it posts; then its owner, too.
// Of one pause each is told once.
func (b *Bot) TellLapsed(ctx context.Context, j scheduler.Job, gone string) error {
	w, name := words(j.Lang), b.nameOf(gone)
	say := naming(w.ownerGone(j.Name, j.ID, name), name)
	to := b.adminsOf(j.Owner, gone)
	if gone != j.Owner {
		say = naming(w.approverGone(j.Name, j.ID, name), name)
		to = append(to, j.Owner)
	}
	told := map[string]bool{}
	for _, who := range to {
		at, ok := b.Alone(who)
		if !ok || told[who] {
			continue
		}
		told[who] = true
		key := fmt.Sprintf("lapsed/%s/%d/%s", j.ID, j.Version, who)
		if err := b.Outbox.Add(ctx, Post{Key: key, Place: at, Text: say.text, Names: say.names, Lang: j.Lang, Kind: Notice, By: who}); err != nil {
			return fmt.Errorf("tell %s of schedule %s: %w", who, j.ID, err)
		}
	}
	return nil
}

// adminsOf are the admins of a person's workspace, without one that is gone; if it has
// none, all others.
func (b *Bot) adminsOf(person, gone string) []string {
	var near, far []string
	for _, admin := range b.cfg.Approvers {
		switch {
		case admin == gone:
		case sameWorkspace(admin, person):
			near = append(near, admin)
		default:
			far = append(far, admin)
		}
	}
	if len(near) > 0 {
		return near
	}
	return far
}
