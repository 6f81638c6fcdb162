package slack

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// The home calls nothing done that its thread calls not done.
func TestHomeSaysWhatHasBecomeOfTheWork(t *testing.T) {
	for name, tt := range map[string]struct {
		fate   bot.Fate
		en, zh string
	}{
		"done":   {bot.Fate{Steps: 2, Did: true}, "✓ done", "✓ 完成"},
		"failed": {bot.Fate{Steps: 1, Broken: []string{"query_metric"}}, "✗ Not done, failed (Look up figures)", "✗ 没有做成，失败（查询数据）"},
		"denied": {bot.Fate{Steps: 2, Did: true, Refused: []string{"post_message"}}, "✗ Ended after 2 steps, denied (Post)", "✗ 共 2 步后结束，被拒绝（发送）"},
	} {
		r := bot.RunView{Status: "done", Fate: tt.fate}
		for lang, want := range map[string]string{"en": tt.en, "zh": tt.zh} {
			if got := (desk{lang: lang}).status(r); got != want {
				t.Errorf("%s in %s: %q, want %q", name, lang, got, want)
			}
		}
	}
}

// What comes too often is told once a minute of each kind, with how often it was.
func TestUnreadableIsToldRarely(t *testing.T) {
	var r rarely
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	told := 0
	for range 1000 {
		if n := r.tell("events_api", now); n > 0 {
			told++
		}
	}
	if n := r.tell("slash_commands", now); told != 1 || n != 1 {
		t.Errorf("told %d times, of another kind %d", told, n)
	}
	if n := r.tell("events_api", now.Add(time.Minute)); n != 1000 {
		t.Errorf("a minute later it is %d, want the 999 before and this", n)
	}
	for i := range 1000 {
		r.tell(string(rune('a'+i)), now)
	}
	if len(r.all) > mostKinds+1 {
		t.Errorf("%d kinds are kept", len(r.all))
	}
}

// S5: a token that is refused is told once, with what to do, however often it is tried.
func TestS5ARefusedTokenIsToldOnceWithAHint(t *testing.T) {
	var out strings.Builder
	s := &Slack{log: slog.New(slog.NewTextHandler(&out, nil)), cfg: Config{Now: time.Now}}
	for range 3 {
		s.note(slack.SlackErrorResponse{Err: "token_revoked"})
	}
	if got := out.String(); strings.Count(got, "level=ERROR") != 1 || !strings.Contains(got, "hint=") || !strings.Contains(got, "token_revoked") {
		t.Errorf("log:\n%s", got)
	}
	s.note(nil)
	s.note(slack.SlackErrorResponse{Err: "token_revoked"})
	if got := strings.Count(out.String(), "level=ERROR"); got != 2 {
		t.Errorf("told %d times, want it again once it was good in between", got)
	}
}
