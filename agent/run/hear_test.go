package run

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const ana, gus = "ana", "gus" // is asked, and is not

// An approval is pressed and not said; a choice goes by its label or its number; who
// asked calls off whatever waits, and who may decide denies it.
func TestHearReadsWordsAsAnAnswer(t *testing.T) {
	const lee = "lee" // may decide
	options := []Option{{ID: "c1", Label: "Asia"}, {ID: "c2", Label: "亚洲"}, {ID: "c3", Label: "Cancel"}}
	said := func(choice string, texts ...string) map[string]string {
		m := map[string]string{}
		for _, text := range texts {
			m[text] = choice
		}
		return m
	}
	const none, words = "(none)", ""
	for name, tt := range map[string]struct {
		kind Kind
		by   string
		want map[string]string
	}{
		"anything where words are asked for": {Say, ana, said(words, " #sales ", "no", "yes", "wait", "cancel the third row")},
		"but not to be called off":           {Say, ana, said(Ceased, "never mind", "Cancel!", "算了", "取消吧")},
		"nothing is no words":                {Say, ana, said(none, " \n")},
		"a label":                            {Choose, ana, said("c1", "ASIA", "1", " asia ")},
		"a Chinese label":                    {Choose, ana, said("c2", "亚洲", "2")},
		"a label before what it means":       {Choose, ana, said("c3", "cancel")},
		"no label":                           {Choose, ana, said(none, "4", "Asia please, and by product", "yes", "wait")},
		"a choice is called off, too":        {Choose, ana, said(Ceased, "never mind", "不用了")},
		"consent is no approval": {Approve, ana, said(Said, "yes", "Approve", "yes, go ahead", "OK!", "Yes please, do it now.", "post it",
			"同意", "批准", "好的，发吧", "可以", "好")},
		"whoever gives it":          {Approve, lee, said(Said, "yes", "ok", "approve", "yes, go ahead", "looks good to me, go ahead", "同意", "好，发吧")},
		"a refusal in words is one": {Approve, ana, said(No, "No.", "no, don't", "no thanks", "Don’t post it", "不要", "不行，别发了", "拒绝")},
		"of both":                   {Approve, lee, said(No, "no", "deny it please", "不同意")},
		"who asked calls it off": {Approve, ana, said(Ceased, "never mind", "Nevermind.", "cancel", "cancel it please", "no, forget it", "wait", "no wait",
			"hold on", "算了", "取消", "算了，不用了", "等一下", "先别发")},
		"who may decide denies":             {Approve, lee, said(No, "never mind", "cancel", "算了", "取消")},
		"and may wait":                      {Approve, lee, said(none, "wait", "hold on", "等一下")},
		"what only begins like one is none": {Approve, ana, said(none, "Asia", "no, to #ops please", "yes and by product", "cancel the sales report", "post it to #ops", "note", "不用谢", "好看", "是不是", "可以不发吗", "取消销售报告", "please", "吧")},
	} {
		t.Run(name, func(t *testing.T) {
			for text, want := range tt.want {
				got, ok := Question{ID: "q", Kind: tt.kind, Asked: ana, Options: options}.Hear(tt.by, text)
				if ok != (want != none) {
					t.Errorf("Hear(%q) = %+v, %t; want %q", text, got, ok, want)
					continue
				}
				if ok && (got.Choice != want || got.Question != "q" || got.Note == "") {
					t.Errorf("Hear(%q) = %+v, want %q", text, got, want)
				}
			}
		})
	}
	got, _ := Question{ID: "q", Kind: Say, Asked: ana}.Hear(ana, " #sales ")
	if d := cmp.Diff(Answer{Question: "q", Note: "#sales"}, got); d != "" {
		t.Errorf("answer (-want +got):\n%s", d)
	}
}

// Two approvals are the same if their calls are, or if they plan one schedule in the
// same words; a post of another report is another.
func TestTheSameIsAskedAgain(t *testing.T) {
	pause := Planned{Name: "schedule_change", Hash: "h1", Lines: []string{"Pause j1"}}
	add := Planned{Name: "schedule_add", Hash: "h2", Job: "j1", Lines: []string{"every Monday"}}
	again, other := add, add
	again.Hash, again.Job = "h3", "j2"
	other.Hash, other.Lines = "h4", []string{"every Tuesday"}
	post := Planned{Name: "post_message", Hash: "h5", Lines: []string{"Post Sales"}}
	repost := post
	repost.Hash = "h6"
	for name, tt := range map[string]struct {
		a, b []Planned
		want bool
	}{
		"equal calls":         {[]Planned{pause}, []Planned{pause}, true},
		"one schedule":        {[]Planned{add}, []Planned{again}, true},
		"with what it begins": {[]Planned{post, add}, []Planned{repost, again}, true},
		"another schedule":    {[]Planned{add}, []Planned{other}, false},
		"another report":      {[]Planned{post}, []Planned{repost}, false},
		"more of it":          {[]Planned{pause}, []Planned{pause, pause}, false},
		"another tool":        {[]Planned{pause}, []Planned{add}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (Question{Kind: Approve, Calls: tt.a}).Same(Question{Kind: Approve, Calls: tt.b}); got != tt.want {
				t.Errorf("Same = %t, want %t", got, tt.want)
			}
			if (Question{Kind: Say, Calls: tt.a}).Same(Question{Kind: Say, Calls: tt.b}) {
				t.Error("questions that are no approvals are the same")
			}
		})
	}
}

// A question that offers times takes another time in words from who was asked, and no
// other request.
func TestAnotherAnswerThanThoseOfferedIsHeard(t *testing.T) {
	q := Question{ID: "k/q1", Kind: Choose, Words: true, Asked: ana, Options: []Option{{ID: "c1", Label: "at 9:00"}, {ID: "c2", Label: "at 17:00"}}}
	for text, want := range map[string]bool{
		"8:30": true, "half past eight": true, "at noon": true, "早上八点半": true, "at 9:00": true,
		"sales by product": false, "sales of the last 3 months by region": false, "at 8?": false, "what were sales in 2025": false, "": false,
	} {
		ans, ok := q.Hear(ana, text)
		if ok != want || ok && ans.Choice == "" && ans.Note != text {
			t.Errorf("%q is heard as %+v, %v; want %v", text, ans, ok, want)
		}
	}
	if _, ok := q.Hear(gus, "8:30"); ok {
		t.Error("somebody else answers")
	}
	q.Words = false
	if _, ok := q.Hear(ana, "8:30"); ok {
		t.Error("a question that takes its choices alone takes other words")
	}
	regions := Question{Kind: Choose, Words: true, Asked: ana, Options: []Option{{ID: "c1", Label: "Asia"}}}
	if _, ok := regions.Hear(ana, "by 3"); ok {
		t.Error("a number answers a question about something else")
	}
}
