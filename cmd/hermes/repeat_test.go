package main

import (
	"strings"
	"testing"
	"time"

	"hermes/agent/tool"
	"hermes/agent/tool/post"
	"hermes/config"
	"hermes/internal/sample"
)

// X7 A schedule whose figures may not be read where it would post, or not by its owner in a
// slot, is refused when it is made, in chat as in a form or command; what is about no
// figures, or may be read there, is not.
func TestX7AScheduleKeepsTheAudienceOfItsSource(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	source := sample.Layer().Name
	in := newInsideOf(t, now, func(c *config.Config) {
		atOnce(c)
		c.Rights = []config.Right{
			{Sources: []string{source}, Users: []string{anaInDemo}, Channels: []string{"web:demo:general", "direct"}},
			{Tools: []string{post.Name}, Users: []string{anaInDemo, demoLead}, Channels: []string{"web:demo:general", "web:demo:sales", "direct"}},
		}
	})
	general, sales := room("general", "t1").String(), room("sales", "t1").String()
	for name, tt := range map[string]struct {
		who, home, request, to string
		want                   string // empty: it may be
	}{
		"answered here":                             {anaInDemo, general, "sales by region", "", ""},
		"posted where it may be read":               {anaInDemo, general, "sales by region", "general", ""},
		"posted where it may not":                   {anaInDemo, general, "sales by region", "sales", "may not be posted to #sales"},
		"the same in Chinese":                       {anaInDemo, general, "按地区汇总销售额", "sales", "不能发到 #sales"},
		"made where they are not hers":              {anaInDemo, sales, "sales by region", "", "could not read"},
		"somebody else's":                           {demoLead, general, "sales by region", "", "could not read"},
		"about no figures":                          {demoLead, general, "write a haiku", "sales", ""},
		"a reminder":                                {demoLead, general, "remind the sales team to stretch", "sales", ""},
		"by who may not post":                       {"web:demo:gus", general, "write a haiku", "sales", "may post to no channel"},
		"by who may not post, where it is answered": {"web:demo:gus", general, "write a haiku", "", ""},
	} {
		lang := "en"
		if strings.Contains(tt.want, "不") {
			lang = "zh"
		}
		to := post.Target{}
		if tt.to != "" {
			to = post.Target{Place: room(tt.to, "").String(), Name: "#" + tt.to, Member: true}
		}
		got, err := in.mayRepeat(t.Context(), tool.Call{Run: "r", Asker: tt.who, Home: tt.home, Lang: lang}, tt.request, tool.Artifact{}, to)
		if err != nil || (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, tt.want)
		}
	}

	in.say("t2", "every monday at 9 post sales by region to #sales")
	in.sees(room("general", "t2"), "may not be posted to #sales")
	if jobs, err := in.db.Jobs().Jobs(t.Context()); err != nil || len(jobs) != 0 {
		t.Errorf("jobs = %+v, %v; want none", jobs, err)
	}
}
