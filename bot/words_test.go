package bot_test

import (
	"testing"

	"pgregory.net/rapid"

	"hermes/bot"
)

// ParsePlace and ParseRef read what String wrote, whatever a platform calls its
// places and posts.
func TestAPlaceReadsBackAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a/b", "50%", "c d/", "17.4", "", "%2F", "频道"}))
		p := bot.Place{Platform: "x" + name.Draw(t, "platform"), Workspace: name.Draw(t, "workspace"), Channel: "C" + name.Draw(t, "channel"), Thread: name.Draw(t, "thread")}
		if got, err := bot.ParsePlace(p.String()); err != nil || got != p {
			t.Errorf("ParsePlace(%q) = %+v, %v; want %+v", p.String(), got, err, p)
		}
		r := bot.Ref{Place: p, ID: name.Draw(t, "id")}
		if got, err := bot.ParseRef(r.String()); err != nil || got != r {
			t.Errorf("ParseRef(%q) = %+v, %v; want %+v", r.String(), got, err, r)
		}
	})
}

// An origin that is no place is told so when the job fires, not sent anywhere.
func TestWhatIsNoPlaceIsRefused(t *testing.T) {
	for _, s := range []string{"", "general", "slack/T1/C1", "/T1/C1/", "slack/T1//", "slack/T1/%zz/"} {
		if p, err := bot.ParsePlace(s); err == nil {
			t.Errorf("ParsePlace(%q) = %+v, want an error", s, p)
		}
		if r, err := bot.ParseRef(s); err == nil {
			t.Errorf("ParseRef(%q) = %+v, want an error", s, r)
		}
	}
}
