package slack_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"hermes/bot"
	"hermes/bot/slack"
	"hermes/internal/fakeslack"
	"hermes/internal/golden"
)

// manifests answers for the configuration of the app, which takes a token of its own.
type manifests struct{ events string }

func (m manifests) RoundTrip(req *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(req.URL.Path, "/apps.manifest.export") {
		return http.DefaultTransport.RoundTrip(req)
	}
	w := httptest.NewRecorder()
	if err := req.ParseForm(); err != nil {
		return nil, err
	}
	switch {
	case req.Form.Get("token") != "xoxe-good":
		_, _ = w.WriteString(`{"ok":false,"error":"invalid_auth"}`)
	case req.Form.Get("app_id") != fakeslack.App:
		_, _ = w.WriteString(`{"ok":false,"error":"invalid_app_id"}`)
	default:
		_, _ = w.WriteString(`{"ok":true,"manifest":{"settings":{"event_subscriptions":{"bot_events":[` + m.events + `]},"interactivity":{"is_enabled":true}}}}`)
	}
	return w.Result(), nil
}

// Every event of the manifest is looked at in the app's configuration if there is a token
// for it; without one none has a tick.
func TestCheckLooksAtEachEvent(t *testing.T) {
	var all []string
	for _, line := range strings.Split(slack.Manifest("", ""), "bot_events:\n")[1:] {
		for l := range strings.Lines(line) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(l), "- "); ok {
				all = append(all, name)
			}
		}
	}
	if got := slack.Events(); !slices.Equal(got, all) {
		t.Errorf("check knows %q, and the manifest asks for %q", got, all)
	}
	quoted := `"` + strings.Join(all, `","`) + `"`
	for name, tt := range map[string]struct{ events, token string }{
		"events_all":     {quoted, "xoxe-good"},
		"events_some":    {strings.ReplaceAll(strings.ReplaceAll(quoted, `"message.im",`, ""), `"app_mention",`, ""), "xoxe-good"},
		"events_refused": {quoted, "xoxe-bad"},
		"events_unknown": {quoted, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{idle: true, client: &http.Client{Transport: manifests{tt.events}}})
			got := printed(r.s.Check(r.ctx(), slack.Checks{ConfigToken: tt.token}))
			golden.Check(t, "check/"+name+".txt", got)
			if tt.token != "" && strings.Contains(got, tt.token) {
				t.Errorf("it prints the token: %s", got)
			}
		})
	}
}

// What check finds, as it is printed: all well, and everything wrong at once, each
// with what it breaks and what to do.
func TestCheck(t *testing.T) {
	for name, tt := range map[string]struct {
		setup setup
		wrong func(*rig) slack.Checks
	}{
		"well": {setup{idle: true}, func(r *rig) slack.Checks {
			r.fake.SetGroup(fakeslack.Group{ID: "S0FINANCE", Handle: "finance", Users: []string{"U0LEO0001", "U0ANA0001"}})
			return slack.Checks{
				Groups:    []string{"slack:" + fakeslack.Team + ":S0FINANCE", "slack:T0OTHER01:S1"},
				Channels:  []bot.Place{{Platform: "slack", Workspace: fakeslack.Team, Channel: "C0SALES01"}, {Platform: "slack", Workspace: "T0OTHER01", Channel: "C1"}},
				Approvers: []string{"slack:" + fakeslack.Team + ":U0LEO0001", "slack:T0OTHER01:U1", "terminal:local:owner"},
			}
		}},
		"wrong": {setup{idle: true, opts: fakeslack.Options{Scopes: []string{"chat:write", "channels:read", "users:read", "im:history", "app_mentions:read"}}}, func(r *rig) slack.Checks {
			r.fake.AddUser(fakeslack.User{ID: "U0GUEST01", Name: "greta", Guest: true})
			r.fake.Revoke(fakeslack.AppToken, "invalid_auth")
			return slack.Checks{
				Channels: []bot.Place{
					{Platform: "slack", Workspace: fakeslack.Team, Channel: "C0RANDOM1"}, {Platform: "slack", Workspace: fakeslack.Team, Channel: "C0NOWHERE"},
				},
				Approvers: []string{"slack:" + fakeslack.Team + ":U0GUEST01", "slack:" + fakeslack.Team + ":U0NOBODY1", "slack:" + fakeslack.Team + ":" + fakeslack.BotUser},
			}
		}},
		"empty_groups": {setup{idle: true}, func(r *rig) slack.Checks {
			r.fake.SetGroup(fakeslack.Group{ID: "S0FINANCE", Handle: "finance"})
			return slack.Checks{Groups: []string{"slack:" + fakeslack.Team + ":S0FINANCE", "slack:" + fakeslack.Team + ":S0NOWHERE"}}
		}},
		"revoked": {setup{idle: true}, func(r *rig) slack.Checks {
			r.fake.Revoke(fakeslack.BotToken, "token_revoked")
			return slack.Checks{Channels: []bot.Place{{Platform: "slack", Workspace: fakeslack.Team, Channel: "C0SALES01"}}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, tt.setup)
			c := tt.wrong(r)
			golden.Check(t, "check/"+name+".txt", printed(r.s.Check(r.ctx(), c)))
			r.must(r.fake.WaitConns(r.ctx(), 0)) // it leaves no socket
			for _, call := range r.fake.Calls("") {
				if strings.HasPrefix(call.Method, "chat.") {
					t.Errorf("check calls %s", call.Method)
				}
			}
		})
	}
}

func printed(all []slack.Finding) string {
	var b strings.Builder
	for _, f := range all {
		if f.Open {
			fmt.Fprintf(&b, "open  %s\n", f.What)
			continue
		}
		if f.Err == nil {
			fmt.Fprintf(&b, "ok    %s\n", f.What)
			continue
		}
		fmt.Fprintf(&b, "wrong %s: %v\n", f.What, f.Err)
		if f.Hint != "" {
			fmt.Fprintf(&b, "      %s\n", f.Hint)
		}
	}
	return b.String()
}

// By HTTP check asks the daemon itself what Slack asks it: nobody there, one with
// another secret, and the right one.
func TestCheckByHTTP(t *testing.T) {
	r := newRig(t, setup{idle: true, http: true})
	other := slack.New(slack.Config{BotToken: "xoxb", SigningSecret: "other"}, nil, nil)
	nobody := httptest.NewServer(nil)
	nobody.Close()
	wrong, right := httptest.NewServer(other.Handler(r.ears)), httptest.NewServer(r.s.Handler(r.ears))
	defer wrong.Close()
	defer right.Close()
	for url, says := range map[string]string{
		nobody.URL: "nobody listens", wrong.URL: "401", right.URL: "",
	} {
		for _, f := range r.s.Check(r.ctx(), slack.Checks{Endpoint: url}) {
			if !strings.HasPrefix(f.What, "events by HTTP") {
				continue
			}
			if says == "" && f.Err != nil || says != "" && (f.Err == nil || !strings.Contains(f.Err.Error(), says)) {
				t.Errorf("%s: %v, want %q", url, f.Err, says)
			}
		}
	}
}

// Each scope of the manifest that is missing is named with what it breaks.
func TestCheckNamesEachMissingScope(t *testing.T) {
	for _, scope := range slack.Needs() {
		r := newRig(t, setup{idle: true})
		r.fake.Forbid(scope)
		out := printed(r.s.Check(r.ctx(), slack.Checks{}))
		if !strings.Contains(out, "wrong scope "+scope+": missing: ") || strings.Count(out, "wrong scope") != 1 {
			t.Errorf("without %s check says\n%s", scope, out)
		}
		r.fake.Close()
	}
}
