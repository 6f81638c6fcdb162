package slack

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// A form is opened empty at once, since what opens it is good for three seconds only,
// and filled after that.

// staleCodes are refusals of a trigger that is too old; usedCodes of one that has
// opened the form already, which a repeated envelope may bring.
var (
	staleCodes = []string{"expired_trigger_id", "trigger_expired", "invalid_trigger_id"}
	usedCodes  = []string{"exchanged_trigger_id", "trigger_exchanged"}
)

// openForm opens a form and has it filled. Who sees none open is told so.
func (s *Slack) openForm(ctx context.Context, trigger, user, title string, fill func(context.Context) *slack.ModalViewRequest) {
	lang := s.langOf(user)
	open, err := s.api.OpenViewContext(ctx, trigger, *modal(lang, title, section(say(lang, "One moment …", "请稍候……"))))
	s.note(err)
	switch code := codeOf(err); {
	case slices.Contains(usedCodes, code):
		return
	case err != nil:
		s.log.Warn("slack form not opened", "user", user, "err", err)
		text := say(lang, "I could not open the form just now. Please try again.", "暂时打不开表单，请再试一次。")
		if slices.Contains(staleCodes, code) {
			text = say(lang, "I was too slow to open the form, and Slack does not take it any more. Please press again.", "我打开表单太慢，Slack 已经不接受了，请再按一次。")
		}
		s.tellDirectly(ctx, "slack/"+s.Team()+"/form/"+trigger, user, lang, text)
		return
	}
	if err := s.updateView(ctx, open.ID, open.Hash, fill(ctx)); err != nil {
		s.log.Warn("slack form not filled", "user", user, "view", open.ID, "err", err)
	}
}

// tellDirectly says something to a user that is worth nothing after a restart, and so
// does not go by the outbox: that what they have just pressed does not open.
func (s *Slack) tellDirectly(ctx context.Context, key, user, lang, text string) {
	me, _ := s.me()
	if _, err := s.Post(ctx, bot.Post{Key: key, Place: s.privately(me, user), Lang: lang, Text: text}); err != nil {
		s.log.Warn("slack user not told", "user", user, "err", err)
	}
}

// updateView changes an open form. With a hash it changes only the one that has it.
func (s *Slack) updateView(ctx context.Context, id, hash string, v *slack.ModalViewRequest) error {
	return s.paced(ctx, "views.update", "", func() error {
		_, err := s.api.UpdateViewContext(ctx, *v, "", hash, id)
		return err
	})
}

// modal is a form without anything to send.
func modal(lang, title string, blocks ...slack.Block) *slack.ModalViewRequest {
	return &slack.ModalViewRequest{
		Type: slack.VTModal, Title: plainText(title, 24), Close: plainText(say(lang, "Close", "关闭"), 24),
		Blocks: slack.Blocks{BlockSet: blocks},
	}
}

// forms knows the newest press in each form, so that an older one that took longer
// does not replace what came of it.
type forms struct {
	mu     sync.Mutex
	newest map[string]string // by view, the time of the press
}

const mostForms = 256

func (f *forms) note(view, ts string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.newest == nil || len(f.newest) >= mostForms && f.newest[view] == "" {
		f.newest = map[string]string{}
	}
	if timeOf(ts).After(timeOf(f.newest[view])) {
		f.newest[view] = ts
	}
}

// outdone reports whether somebody has pressed in a form after ts.
func (f *forms) outdone(view, ts string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return timeOf(f.newest[view]).After(timeOf(ts))
}

// refresh changes a form after a press in it. If it was changed since, by an older
// press, it is changed all the same.
func (s *Slack) refresh(ctx context.Context, view, hash, ts string, v *slack.ModalViewRequest) error {
	for try := 0; ; try++ {
		if s.forms.outdone(view, ts) {
			return nil
		}
		err := s.updateView(ctx, view, hash, v)
		switch code := codeOf(err); {
		case try == 0 && code == "hash_conflict":
			hash = ""
			continue
		case code == "not_found", err == nil: // who has closed it needs nothing of it
			return nil
		default:
			return fmt.Errorf("form %s: %w", view, readTrouble(err))
		}
	}
}

// textOf is what was written in an input.
func (v viewed) textOf(block string) string {
	return strings.TrimSpace(v.View.State.Values[block][block].Value)
}
