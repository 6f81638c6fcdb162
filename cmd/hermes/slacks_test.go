package main

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"hermes/internal/fakeslack"
	"hermes/internal/golden"
	"hermes/scheduler"
)

// init slack prints the manifest with the steps, for a socket and for HTTP; an address
// that Slack would not send to is refused.
func TestInitSlack(t *testing.T) {
	for name, args := range map[string][]string{
		"init_slack.golden":      nil,
		"init_slack_http.golden": {"--url", "https://hermes.example.com/slack/default", "--name", "Hermes"},
	} {
		got, err := hermesIn(t, "", append([]string{"init", "slack"}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got, "\noauth_config:\n") {
			t.Errorf("it prints no manifest:\n%s", got)
		}
		golden.Check(t, name, got)
	}
	for _, url := range []string{"http://hermes.example.com/slack/default", "hermes.example.com"} {
		if got, err := hermesIn(t, "", "init", "slack", "--url", url); err == nil || !strings.Contains(err.Error(), "no https address") || got != "" {
			t.Errorf("init slack --url %s = %q, %v; want it refused", url, got, err)
		}
	}
}

// check slack says what is missing: scopes and what each breaks, events, channels that
// schedules post to and the bot is not in, and who may talk and approve.
func TestCheckSlack(t *testing.T) {
	unset(t)
	fake, err := fakeslack.Start(fakeslack.Options{Scopes: []string{
		"app_mentions:read", "channels:history", "channels:read", "chat:write", "commands", "groups:history", "groups:read", "im:history",
		"im:read", "im:write", "mpim:history", "mpim:read", "users:read", "files:write", "team:read", "usergroups:read", "reactions:read", "reactions:write",
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer fake.Close()
	data, err := os.MkdirTemp("", "h")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(data) }() // of the system's folder for such
	t.Setenv("HERMES_DATA", data)
	h, end := raise(t, data)
	for id, j := range map[string]scheduler.Job{
		"j1": {To: "slack/" + fakeslack.Team + "/C0RANDOM1/", State: scheduler.Active},
		"j2": {To: "slack/" + fakeslack.Team + "/C0BOARD01/", State: scheduler.Paused},
		"j3": {To: "web/demo/general/", State: scheduler.Active},
	} {
		j.ID, j.Name, j.Spec, j.Zone, j.Request, j.Origin, j.Owner, j.Lang, j.Created = id, id, "0 9 1 * *", "UTC", "sales", j.To, demoLead, "en", h.now()
		if err := h.db.Jobs().Add(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	end()
	t.Setenv("HERMES_SLACK_API_URL", fake.APIURL())
	t.Setenv("SLACK_APP_TOKEN", fakeslack.AppToken)
	t.Setenv("SLACK_BOT_TOKEN", fakeslack.BotToken)
	t.Setenv("HERMES_ADMINS", "slack:"+fakeslack.Team+":"+leo+",slack:"+fakeslack.Team+":U0NOBODY1")
	got, err := hermesIn(t, "", "check", "slack")
	if !errors.Is(err, errChecks) {
		t.Errorf("check slack = %v, want errChecks", err)
	}
	golden.Check(t, "check_slack.golden", got)
}

// By HTTP the whole program does what it does over a socket: a mention is answered in
// its thread; health and check say that it hears.
func TestSlackByHTTP(t *testing.T) {
	t.Parallel()
	fake, err := fakeslack.Start(fakeslack.Options{Clock: hasty{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fake.Close)
	addr := freeAddr(t)
	o := &office{t: t, fake: fake, gate: newGate(t, fake)}
	o.daemon = newDaemon(t,
		"HERMES_SLACK_API_URL="+o.gate.url+"/api/", "SLACK_BOT_TOKEN="+fakeslack.BotToken, "SLACK_SIGNING_SECRET=abcdef", "HERMES_SLACK_LISTEN="+addr,
		"HERMES_ADMINS=slack:"+fakeslack.Team+":"+leo,
	)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := fake.UseHTTP(ctx, fakeslack.Endpoints{Events: "http://" + addr + "/slack/default", Secret: "wrong"}); err == nil {
		t.Error("the challenge is answered to who has another secret")
	}
	if err := fake.UseHTTP(ctx, fakeslack.Endpoints{Events: "http://" + addr + "/slack/default", Secret: "abcdef"}); err != nil {
		t.Fatal(err)
	}
	root := o.says("ana", "general", "@hermes what were last month's sales in Asia?")
	o.answer(root, "USD")
	for _, args := range [][]string{{"health"}, {"check", "slack"}} {
		if out, err := o.hermes(ctx, "", args...); err != nil || !strings.Contains(out, "✓ Slack default: ") {
			t.Errorf("%q = %v:\n%s", args, err, out)
		}
	}
	if now, _ := fake.Conns(); now != 0 {
		t.Errorf("%d sockets are open", now)
	}
}

// freeAddr is an address that nobody listens at.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed at once
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return addr
}

// S5: with a token that was taken the program lives, and health says which workspace
// does not hear and why; with the token back it hears again.
func TestS5HealthSaysThatATokenWasTaken(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	health := func() (string, error) { return o.hermes(t.Context(), "", "health") }
	if out, err := health(); err != nil || !strings.Contains(out, "✓ Slack default: ready since ") {
		t.Fatalf("health = %v:\n%s", err, out)
	}
	o.fake.Revoke(fakeslack.BotToken, "token_revoked")
	o.fake.Event(map[string]any{"type": "tokens_revoked", "tokens": map[string]any{"bot": []string{fakeslack.BotUser}}})
	o.until("the event to be acknowledged", o.acknowledged)
	if out, err := health(); err == nil || !strings.Contains(out, "✗ Slack default: auth_failed since ") || !strings.Contains(out, "token_revoked") {
		t.Errorf("health = %v:\n%s", err, out)
	}
	o.fake.Revoke(fakeslack.BotToken, "")
	o.answer(o.says("ana", "general", "@hermes what were last month's sales in Asia?"), "USD")
	if out, err := health(); err != nil {
		t.Errorf("health = %v:\n%s", err, out)
	}
	o.stop()
	if out, err := health(); err == nil || !strings.Contains(out, "not started") {
		t.Errorf("health of no daemon = %v:\n%s", err, out)
	}
}

// late is a clock that is a minute behind: each minute that it names is over.
type late struct{ hasty }

func (late) Now() time.Time { return time.Now().Add(-time.Minute) }

// S6: what Slack held back, since there was too much, is answered once its minute is
// over, and once; the log says so.
func TestS6AnsweredThoughSlackHeldItBack(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{Clock: late{}})
	first := o.says("ana", "general", "@hermes what were last month's sales in Asia?")
	o.answer(first, "USD")
	o.fake.LimitEvents(1)
	o.says("leo", "sales", "the last line that is told")
	held := o.says("ana", "general", "@hermes what were last month's sales in Europe?")
	o.answer(held, "Europe")
	o.fake.LimitEvents(0)
	next := o.says("ana", "general", "@hermes what were last month's sales in Asia?")
	o.answer(next, "USD")
	if log := o.log.text(); !strings.Contains(log, "slack holds events back") {
		t.Errorf("the log does not say so:\n%s", log)
	}
	if n := o.count(func(m fakeslack.Message) bool { return in(held, m) && strings.Contains(m.Shown(), "Sales, ") }); n != 1 {
		t.Errorf("%d answers, want one", n)
	}
}

// S6: what was asked while the program was away, for longer than Slack tries again, is
// answered when it is back, once.
func TestS6AnsweredAfterAnAbsence(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	first := o.says("ana", "general", "@hermes what were last month's sales in Asia?")
	o.answer(first, "USD")
	dm := o.says("leo", "dm", "hi")
	o.answer(dm, "Hello")
	// What is heard beside messages says nothing of how far they were heard.
	if _, err := o.fake.Human("leo").Slash(dm.Channel, "/hermes", "status"); err != nil {
		t.Fatal(err)
	}
	late := o.says("ana", "general", "nothing")
	if err := o.fake.Human("ana").Edit(late, "@hermes what were last month's sales in Africa?"); err != nil {
		t.Fatal(err)
	}
	o.answer(late, "USD")
	o.until("all to be acknowledged", o.acknowledged)
	o.kill()
	follow := o.replies("ana", first, "same for Europe")
	other := o.says("ana", "general", "@hermes what were last month's sales in Europe?")
	direct := o.says("leo", "dm", "what were last month's sales in Asia?")
	o.until("Slack to give up", func() bool {
		for _, d := range o.fake.Deliveries() {
			if !d.Acked && !d.GivenUp {

				return false
			}
		}
		return true
	})
	o.start()
	o.hears()
	o.answer(follow, "Europe")
	o.answer(other, "Europe")
	o.answer(direct, "USD")
	for _, asked := range []fakeslack.Message{follow, other, direct} {
		n := 0
		for _, m := range o.fake.Messages() {
			if in(asked, m) && strings.HasPrefix(m.Shown(), "Sales, ") || in(asked, m) && strings.Contains(m.Shown(), "\nSales, ") {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d answers to %q, want 1", n, asked.Text)
		}
	}
}
