package bot

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/run"
)

// EXIT-15 A Stop behind a Deny leaves the denial: nothing half written, and nothing to
// go on with.
func TestEXIT15AStopBehindADenialIsTheDenial(t *testing.T) {
	b := New(Config{}, Parts{})
	out := run.Outcome{
		Key: "k/end", Why: run.Stopped, State: run.Suspended, Model: "m", Text: "I have not",
		Undone: []run.Undone{{Tool: "post_message", Denied: "test:w:leo"}},
	}
	for lang, words := range map[string][2]string{"en": {"Stopped.", "unfinished"}, "zh": {"已停止。", "写到一半"}} {
		p := b.reply(Place{}, "k", lang, out)
		if !strings.HasPrefix(p.Text, words[0]+"\n\n") || strings.Contains(p.Text, words[1]) || strings.Contains(p.Text, out.Text) || len(p.Choices) > 0 {
			t.Errorf("%s: %q with %v", lang, p.Text, p.Choices)
		}
	}
	out.Undone = append(out.Undone, run.Undone{Tool: "schedule_add"})
	if p := b.reply(Place{}, "k", "en", out); len(p.Choices) != 2 || !strings.Contains(p.Text, "unfinished") {
		t.Errorf("with more to do: %q with %v", p.Text, p.Choices)
	}
}

// EXIT-12, EXIT-15, EXIT-21, ERR-24 Who presses Stop gets what was done and what was
// written until then, and is told that it is not the whole.
func TestEXIT21AStopSaysWhatThereIs(t *testing.T) {
	found := []run.Finding{{Tool: "query_metric", Args: json.RawMessage(`{"measure":"sales"}`), Text: `{"title":"Sales","rows":[["Asia",7]]}`}}
	const written = "Sales rose in Asia"
	b := New(Config{}, Parts{})
	for name, tt := range map[string]struct {
		out    run.Outcome
		en, zh []string
		not    string
	}{
		"nothing yet":       {run.Outcome{}, []string{"Stopped."}, []string{"已停止。"}, "\n"},
		"what was found":    {run.Outcome{Found: found}, []string{"Stopped.\n\nWhat I have so far:", "Sales: Asia 7"}, []string{"已停止。\n\n目前查到的：", "Sales: Asia 7"}, " …"},
		"what was written":  {run.Outcome{Text: written}, []string{"Stopped.\n\nThe answer as far as it was written, unfinished:\n\n" + written + " …"}, []string{"已停止。\n\n写到一半的回答，未完成：\n\n" + written + " …"}, "so far"},
		"both":              {run.Outcome{Text: written, Found: found}, []string{"Stopped.", "What I have so far:", "Asia 7", "unfinished:", written + " …"}, []string{"已停止。", "目前查到的：", "Asia 7", "未完成：", written + " …"}, "Continue"},
		"code that is open": {run.Outcome{Text: "Try\n```sql\nselect 1"}, []string{"```sql\nselect 1\n```\n…"}, []string{"select 1\n```\n…"}, "select 1 …"},
		"a claim in it":     {run.Outcome{Text: "I posted it.", Claimed: []run.Act{run.Posted}, Idle: true}, []string{"I posted it. …", run.Doubt}, []string{run.Doubt}, "Continue"},
	} {
		t.Run(name, func(t *testing.T) {
			tt.out.Key, tt.out.Why, tt.out.State, tt.out.Model = "k/end", run.Stopped, run.Suspended, "m"
			for lang, want := range map[string][]string{"en": tt.en, "zh": tt.zh} {
				p := b.reply(Place{}, "k", lang, tt.out)
				at := 0
				for _, w := range want {
					n := strings.Index(p.Text[at:], w)
					if n < 0 {
						t.Fatalf("%s: %q, want %q in it", lang, p.Text, w)
					}
					at += n
				}
				if lang == "en" && strings.Contains(p.Text, tt.not) || p.Kind == Trouble {
					t.Errorf("%s: %q of kind %v", lang, p.Text, p.Kind)
				}
			}
		})
	}
}
