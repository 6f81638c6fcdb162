package slack_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/bot"
	"hermes/bot/slack"
	"hermes/internal/fakeslack"
)

const (
	anaID = "U0ANA0001"
	leoID = "U0LEO0001"
)

func person(user string) string { return bot.Person("slack", fakeslack.Team, user) }

// aRoom has something of everything, as ana sees it who is an admin.
func aRoom(lang string) slack.Room {
	at := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	sales := bot.Place{Platform: "slack", Workspace: "T0", Channel: "C0SALES01", Thread: "1.0"}
	return slack.Room{
		User: anaID, Lang: lang, Zone: "Europe/Berlin", Plans: true,
		Questions: []bot.OpenQuestion{
			{
				ID: "slack/T0/C0SALES01/1.0/q1", Asker: person(leoID), Home: sales, Expires: at.Add(24 * time.Hour), Mine: true,
				Text: "May I do this?\n- Post **Sales, October** to **#sales**, asked by <@" + leoID + ">\n- Do it again `every month` & tell <!channel>",
				Choices: []bot.Choice{
					{ID: "always", Label: "Post now and monthly until 2 Dec 2027", Style: bot.Primary}, {ID: "once", Label: "Only now"}, {ID: "deny", Label: "Deny", Style: bot.Danger},
				},
			},
			{ID: "slack/T0/D1/2.0/q1", Asker: person(anaID), Home: bot.Place{Platform: "slack", Workspace: "T0", Channel: "D1"}, Expires: at.Add(time.Hour), Text: "May I do this?\n- Post to **#board**", Waits: []string{person(leoID), "group:slack:T0:S0FIN"}, Choices: []bot.Choice{{ID: "deny", Label: "Deny", Style: bot.Danger}}},
		},
		Jobs: []bot.JobView{
			{
				ID: "j1", Name: "Sales *report*", When: "every month on the 1st at 09:00", Zone: "Asia/Shanghai", To: "#sales", Owner: person(anaID), State: "active",
				Grant: &bot.GrantView{Until: at.AddDate(1, 1, 0), Left: 11, Max: 12},
				Next:  []time.Time{time.Date(2026, 12, 1, 9, 0, 0, 0, time.FixedZone("CST", 8*3600))},
				Slots: []bot.SlotView{{State: "late", Trace: "5f0c9a2b", At: time.Date(2026, 11, 1, 9, 0, 0, 0, time.FixedZone("CST", 8*3600)), Link: "https://fake.slack.com/archives/C0SALES01/p1"}},
			},
			{ID: "j2", Name: "Orders", When: "every Monday at 09:00", Zone: "Europe/Berlin", Owner: person(leoID), State: "paused", Slots: []bot.SlotView{{State: "missed", At: at.In(berlin)}}},
			{ID: "j3", Name: "Call Ben", When: "once", Zone: "UTC", Owner: person(anaID), State: "ended"},
		},
		Grants: []bot.Allowance{
			{ID: "g0a1b2c3d", Says: "Post → #sales: the same kind of report, asked for anywhere, 12 times until 2 Dec 2026", Used: 1, Max: 12, Owner: person(anaID), By: person(leoID)},
			{ID: "g4e5f6a7b", Says: "Post → #board <b>", Used: 0, Max: 3, Owner: person(leoID), By: person(anaID)},
		},
		Runs: []bot.RunView{
			{Trace: "7f3a0b11", Key: "slack/T0/C0SALES01/1.0", Asker: person(leoID), Text: "summarise last month's sales\nby region <b>", Status: "awaiting_approval", Model: "m", Steps: 3, In: 4000, Out: 120, Created: at.Add(-time.Hour)},
			{Trace: "00c0ffee", Key: "slack/T0/D1/2.0", Asker: person(anaID), Text: "hi", Status: "done", Steps: 1, Created: at.Add(-26 * time.Hour)},
			{Trace: "0badcafe", Key: strings.Repeat("k", 300), Asker: person(anaID), Text: "", Status: "repeated", Created: at.Add(-30 * time.Hour)},
		},
	}
}

// goldenView holds what Slack gets of a view against the file of that name.
func goldenView(t *testing.T, name string, body []byte, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	goldenShown(t, name, v)
}

// What people see in their home, full and empty.
func TestHomeGolden(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		full, empty := aRoom(lang), slack.Room{User: anaID, Lang: lang, Zone: "UTC", Plans: true}
		guest := aRoom(lang)
		guest.Plans, guest.Jobs, guest.Runs = false, guest.Jobs[:1], nil
		guest.Notice = "This schedule is gone, or it is not yours to change."
		if lang == "zh" {
			guest.Notice = "这个定时任务已经不在了，或者您无权修改。"
		}
		for name, room := range map[string]slack.Room{"home": full, "home_empty": empty, "home_guest": guest} {
			t.Run(name+" "+lang, func(t *testing.T) {
				body, err := room.View()
				goldenView(t, name+"."+lang, body, err)
			})
		}
	}
}

// SLK-03: an admin's home says that there is something in somebody's direct messages,
// and not what: neither what was asked there nor what is done there at each time.
func TestSLK03WhatOthersSayToUsAloneIsNotShown(t *testing.T) {
	for lang, want := range map[string]string{"en": "somebody's direct messages", "zh": "某人私信中"} {
		alone := bot.Place{Platform: "slack", Workspace: "T0", Channel: "D0LEO0001"}
		room := slack.Room{User: anaID, Lang: lang, Zone: "UTC", Plans: true}
		for i, home := range []bot.Place{
			alone, {Platform: "slack", Workspace: "T0", Channel: leoID}, {Platform: "web", Workspace: "local", Channel: "dm-lee"}, {Platform: "terminal", Workspace: "local", Channel: "c"},
		} {
			room.Runs = append(room.Runs, bot.RunView{Trace: "5ec4e7", Key: fmt.Sprint("k", i), Asker: person(leoID), Home: home, Text: "secret words", Status: "done"})
			room.Jobs = append(room.Jobs, bot.JobView{ID: fmt.Sprint("j", i), Name: "secret words", When: "every day", Zone: "UTC", Owner: person(leoID), State: "active", Home: home})
		}
		body, err := room.View()
		if err != nil || strings.Contains(string(body), "secret") || strings.Contains(string(body), "5ec4e7") || strings.Contains(string(body), "job:edit") || strings.Contains(string(body), "why:") {
			t.Errorf("%s, %v", body, err)
		}
		if n := strings.Count(string(body), want); n < 8 {
			t.Errorf("%d things are said to be there, want eight: %s", n, body)
		}
		for i := range room.Runs {
			room.Runs[i].Asker, room.Jobs[i].Owner = person(anaID), person(anaID)
		}
		room.Jobs[1].Owner, room.Jobs[1].To = person(leoID), "#sales" // people read it there
		if body, err = room.View(); err != nil || strings.Contains(string(body), want) || strings.Count(string(body), "secret words") < 8 {
			t.Errorf("of one's own it shows %s, %v", body, err)
		}
	}
}

// shapes are the fields of a view that have limits.
type shapes struct {
	Blocks []struct {
		Type      string
		Text      struct{ Text string }
		Elements  []map[string]any
		Accessory map[string]any
	}
}

// Whatever there is, Slack takes the view: 100 blocks, 250 KB, 3,000 characters
// in a text, and it says that there is more.
func TestAHomeOfAnySizeIsTaken(t *testing.T) {
	long := strings.Repeat("长**&<b>", 2000)
	for name, n := range map[string]int{"many": 300, "few": 3} {
		t.Run(name, func(t *testing.T) {
			room := aRoom("en")
			for range n {
				for _, mine := range []bool{true, false} {
					q := room.Questions[0]
					q.Text, q.Mine = long, mine
					if !mine {
						q.Choices = q.Choices[2:] // they may call it off
					}
					for i := range 30 {
						q.Choices = append(q.Choices, bot.Choice{ID: fmt.Sprint("c", i), Label: long})
					}
					room.Questions = append(room.Questions, q)
				}
				j, r := room.Jobs[0], room.Runs[0]
				j.Name, j.When, j.To, r.Text = long, long, long, long
				room.Jobs, room.Runs = append(room.Jobs, j), append(room.Runs, r)
			}
			body, err := room.View()
			if err != nil {
				t.Fatal(err)
			}
			var v shapes
			if err := json.Unmarshal(body, &v); err != nil {
				t.Fatal(err)
			}
			if len(v.Blocks) > 100 || len(body) > 250_000 {
				t.Errorf("%d blocks, %d bytes", len(v.Blocks), len(body))
			}
			for i, b := range v.Blocks {
				if n := len([]rune(b.Text.Text)); n > 3000 || n == 0 && b.Type == "section" {
					t.Errorf("block %d, a %s, has %d characters", i, b.Type, n)
				}
				if b.Type == "actions" && (len(b.Elements) == 0 || len(b.Elements) > 25) {
					t.Errorf("block %d has %d buttons", i, len(b.Elements))
				}
			}
			if more := strings.Contains(string(body), "… and"); more != (n > 100) {
				t.Errorf("it says that there is more: %t", more)
			}
			shown := strings.Count(string(body), `"choice:once#`)
			if want := fmt.Sprintf("and %d more", n+1-shown); n > 100 && (shown == 0 || !strings.Contains(string(body), want)) {
				t.Errorf("with %d questions shown it does not say %q", shown, want)
			}
		})
	}
}

// Nothing that others wrote calls somebody or becomes a link in a home.
func TestAHomeShowsWordsAsWords(t *testing.T) {
	evil := "<!channel> <https://x.y|click> <@U0XXX0001> *bold* `code`"
	room := aRoom("en")
	room.Questions, room.Runs = room.Questions[1:], room.Runs[:1]
	room.Jobs = room.Jobs[:1]
	room.Jobs[0].Name, room.Jobs[0].To, room.Jobs[0].When, room.Jobs[0].Zone, room.Runs[0].Text = evil, evil, evil, evil, evil
	body, err := room.View()
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	seen := 0
	walk(v, func(o map[string]any) {
		text, _ := o["text"].(string)
		if o["type"] != "mrkdwn" {
			return
		}
		seen++
		for _, bad := range []string{"<!channel", "<https://x.y", "<@U0XXX0001"} {
			if strings.Contains(text, bad) {
				t.Errorf("the home holds %s: %s", bad, text)
			}
		}
	})
	if seen < 4 {
		t.Errorf("%d texts were looked at", seen)
	}
}

// walk calls f for each object of a JSON value.
func walk(v any, f func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		f(v)
		for _, e := range v {
			walk(e, f)
		}
	case []any:
		for _, e := range v {
			walk(e, f)
		}
	}
}

// Of a question that is too long for a home no table is shown in part.
func TestAHomeShowsNoPieceOfATable(t *testing.T) {
	room := aRoom("en")
	room.Questions = room.Questions[:1]
	room.Questions[0].Text = "May I do this?\n\n| region | sales |\n|---|---|\n" + strings.Repeat("| Asia | 1 |\n", 300)
	body, err := room.View()
	if err != nil {
		t.Fatal(err)
	}
	if s := string(body); strings.Contains(s, "| region") || !strings.Contains(s, "May I do this?") || !strings.Contains(s, "only the beginning") {
		t.Errorf("home = %.600s", s)
	}
}
