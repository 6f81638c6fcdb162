package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/bot"
	"hermes/config"
	"hermes/internal/fakeslack"
)

// drawsSpot draws the one run there is for a week, and has it put where people are asked.
func (in *inside) drawsSpot(at bot.Place) {
	in.t.Helper()
	drawn, err := in.db.Spots().Draw(in.t.Context(), bot.Draw{
		Week: "2000-01-03", Place: at, From: in.time().Add(-time.Hour), Until: in.time().Add(time.Hour), N: 5, Fits: func(context.Context, bot.Place) bool { return true },
	})
	if err != nil || len(drawn) != 1 {
		in.t.Fatalf("drawn %+v, %v", drawn, err)
	}
	if _, err := opSpotJudge.do(in.t.Context(), in.hermes, []byte(fmt.Sprintf(`{"key":"cli/1","trace":%q,"says":"unclear"}`, drawn[0].Trace))); err != nil {
		in.t.Fatal(err)
	}
}

// found waits until people have found something of the run that was drawn.
func (in *inside) found(want map[string]bot.Finding) {
	in.t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		all, err := in.db.Spots().Judged(in.t.Context(), time.Unix(0, 0))
		if err != nil {
			in.t.Fatal(err)
		}
		got := map[string]bot.Finding{}
		for _, s := range all {
			for _, v := range s.Verdicts {
				got[v.Person] = v.Says
			}
		}
		same := len(got) == len(want)
		for person, says := range want {
			same = same && got[person] == says
		}
		if same {
			return
		}
		select {
		case <-deadline:
			in.t.Fatalf("found %v, want %v", got, want)
		case <-tick.C:
		}
	}
}

// SAFE-11: a verdict is pressed in Slack: it counts for who pressed, stands on the card, may
// be changed by the same person, and counts once however often Slack tells of it.
func TestSAFE11AVerdictIsPressedInSlack(t *testing.T) {
	t.Parallel()
	fake, err := fakeslack.Start(fakeslack.Options{Clock: hasty{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fake.Close)
	in := newInsideOf(t, time.Now(), func(c *config.Config) {
		c.Slack = config.Slack{APIURL: fake.URL() + "/api/", AppToken: fakeslack.AppToken, BotToken: fakeslack.BotToken}
		c.Admins = []string{"slack:" + fakeslack.Team + ":" + leo}
	})
	until := func(what string, fact func() bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if err := fake.Wait(ctx, what, fact); err != nil {
			t.Fatal(err)
		}
	}
	find := func(what string, is func(fakeslack.Message) bool) (m fakeslack.Message) {
		t.Helper()
		until(what, func() bool {
			all := fake.Messages()
			i := slices.IndexFunc(all, is)
			if i >= 0 {
				m = all[i]
			}
			return i >= 0
		})
		return m
	}
	until("an open socket", func() bool { now, _ := fake.Conns(); return now == 1 })
	root, err := fake.Human("ana").Say("general", "@hermes what were last month's sales in Asia?")
	if err != nil {
		t.Fatal(err)
	}
	find("an answer", func(m fakeslack.Message) bool { return m.Mine() && strings.HasSuffix(keyOf(m), "/end") })
	home, err := bot.ParsePlace("slack/" + fakeslack.Team + "/" + root.Channel + "/")
	if err != nil {
		t.Fatal(err)
	}
	in.drawsSpot(home)
	spot := func(text string) fakeslack.Message {
		t.Helper()
		return find("the run that was drawn, with "+text, func(m fakeslack.Message) bool {
			return strings.HasPrefix(keyOf(m), "spot:") && len(m.Buttons()) == 3 && strings.Contains(m.Shown(), text)
		})
	}
	card := spot("says the operator")
	press := func(who string, n int) fakeslack.Delivery {
		t.Helper()
		d, err := fake.Human(who).Press(card, card.Buttons()[n].ActionID)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	operator, slackLeo, slackGus := "terminal:local:owner", "slack:"+fakeslack.Team+":"+leo, "slack:"+fakeslack.Team+":"+gus
	d := press("leo", 0)
	in.found(map[string]bot.Finding{operator: bot.Unclear, slackLeo: bot.Right})
	spot("Right, says")
	press("gus", 1)
	press("leo", 1)
	in.found(map[string]bot.Finding{operator: bot.Unclear, slackLeo: bot.Wrong, slackGus: bot.Wrong})
	fake.Redeliver(d) // the first press once more
	press("gus", 2)
	in.found(map[string]bot.Finding{operator: bot.Unclear, slackLeo: bot.Wrong, slackGus: bot.Unclear})
}

// SAFE-11: a verdict is pressed on the console's page, as a browser does it.
func TestSAFE11AVerdictIsPressedInTheConsole(t *testing.T) {
	t.Parallel()
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), func(*config.Config) {})
	in.say("t1", "@hermes what were last month's sales in Asia?")
	in.sees(room("general", "t1"), "Asia")
	in.drawsSpot(room("sales", ""))
	in.lines(room("sales", ""), "the run that was drawn", func(ls []bot.Line) bool {
		return slices.ContainsFunc(ls, func(l bot.Line) bool { return strings.HasPrefix(l.Question, "spot:") && len(l.Choices) == 3 })
	})

	link, err := opURL.do(t.Context(), in.hermes, []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	get := func(at string) (*url.URL, string) {
		t.Helper()
		resp, err := browser.Get(at)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("GET %s = %d, %v: %s", at, resp.StatusCode, err, body)
		}
		return resp.Request.URL, string(body)
	}
	at, _ := get(link.(string))
	_, page := get(at.Scheme + "://" + at.Host + "/c/sales")
	field := regexp.MustCompile(`<input type="hidden" name="([a-z]+)" value="([^"]*)">`)
	button := regexp.MustCompile(`name="choice" value="([^"]*)"`)
	form := url.Values{}
	for _, f := range strings.Split(page, `<form class="choices"`)[1:] {
		f, _, _ = strings.Cut(f, "</form>")
		if !strings.Contains(f, `value="spot:`) {
			continue
		}
		for _, m := range field.FindAllStringSubmatch(f, -1) {
			form.Set(m[1], m[2])
		}
		if bs := button.FindAllStringSubmatch(f, -1); len(bs) != 3 || bs[0][1] != string(bot.Right) {
			t.Fatalf("buttons %q", bs)
		}
	}
	form.Set("choice", string(bot.Right))
	for range 2 { // pressed twice
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at.Scheme+"://"+at.Host+"/press", strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", at.Scheme+"://"+at.Host)
		resp, err := browser.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("press = %d, %v", resp.StatusCode, err)
		}
	}
	in.found(map[string]bot.Finding{"terminal:local:owner": bot.Unclear, anaInDemo: bot.Right})
	in.lines(room("sales", ""), "the verdict", func(ls []bot.Line) bool {
		return slices.ContainsFunc(ls, func(l bot.Line) bool { return strings.Contains(l.Text, "Right, says") && len(l.Choices) == 3 })
	})
}
