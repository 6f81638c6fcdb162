package guard_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/guard"
	"hermes/agent/run"
)

// The people of these tests. Ana asks, Lee is an admin, Fay and Finn are in the group
// of finance, Moe stands in for others, Gus has nothing to say.
const (
	ana = "slack:T1:ana"
	lee = "slack:T1:lee"
	moe = "slack:T1:moe"
	fay = "slack:T1:fay"
	fin = "slack:T1:fin"
	gus = "slack:T1:gus"

	finance = "group:slack:T1:S1"
	sales   = "slack/T1/C1/"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// rolls are who is in the group, and in the channel.
type rolls struct{ group, place []string }

func (r rolls) InGroup(group, person string) bool {
	return group == "slack:T1:S1" && slices.Contains(r.group, person)
}

func (r rolls) InPlace(place, person string) bool {
	return place == sales && slices.Contains(r.place, person)
}

var everybody = rolls{group: []string{fay, fin}, place: []string{ana}}

func post(f ...func(*run.Planned)) run.Planned {
	c := run.Planned{ID: "c1", Name: "post_message", Args: json.RawMessage(`{"to":"slack/T1/C1/","private":true,"rows":1200}`), To: sales, ToName: "#sales"}
	for _, f := range f {
		f(&c)
	}
	return c
}

func member(c *run.Planned) { c.Member = true }

// plans is a call that adds a job which posts to #sales.
func plans() run.Planned {
	return run.Planned{ID: "c2", Name: "schedule_add", Job: "j1", To: sales, ToName: "#sales"}
}

func asks(calls ...run.Planned) run.Question {
	q := run.Question{Kind: run.Approve, Asked: ana, Calls: calls, At: noon}
	var all, once []string
	for _, c := range calls {
		all = append(all, c.ID)
		if c.Job == "" {
			once = append(once, c.ID)
		}
	}
	if len(all) > len(once) {
		q.Grant = &run.Grant{Tool: "post_message"}
		q.Options = append(q.Options, run.Option{ID: run.Always, Calls: all, Grant: true})
		if len(once) > 0 {
			q.Options = append(q.Options, run.Option{ID: run.Once, Calls: once})
		}
	} else {
		q.Options = append(q.Options, run.Option{ID: run.Yes, Calls: all})
	}
	q.Options = append(q.Options, run.Option{ID: run.No})
	return q
}

// A1 Whatever the configuration is, it is known of each who presses whether they have a
// say: where nobody is named or nothing can be found out, nobody has.
func TestA1EveryConfigurationTimesWhoPresses(t *testing.T) {
	rule := func(a guard.Approval) guard.Deciders {
		return guard.Deciders{Admins: []string{lee}, Approvals: []guard.Approval{a}}
	}
	byDefault := guard.Deciders{Admins: []string{lee}}
	away := func(d guard.Deciders, of string) guard.Deciders {
		d.Delegates = []guard.Delegate{{Of: of, To: moe, From: noon, Until: noon.Add(24 * time.Hour)}}
		return d
	}
	own := run.Planned{ID: "c1", Name: "schedule_change", Own: true}
	above := 1000.0
	for name, tt := range map[string]struct {
		d      guard.Deciders
		q      run.Question
		option string
		after  time.Duration
		in     guard.Rolls
		want   []string // of all those above
	}{
		"nothing is configured":                               {guard.Deciders{}, asks(post()), run.Yes, 0, everybody, nil},
		"admins, and a channel that the asker is not in":      {byDefault, asks(post()), run.Yes, 0, everybody, []string{lee}},
		"the asker is in the channel":                         {byDefault, asks(post(member)), run.Yes, 0, everybody, []string{ana, lee}},
		"the asker was in it when they asked":                 {byDefault, asks(post(member)), run.Yes, 0, rolls{}, []string{lee}},
		"nobody can say who is in it":                         {byDefault, asks(post(member)), run.Yes, 0, nil, []string{lee}},
		"without an admin the member may":                     {guard.Deciders{}, asks(post(member)), run.Yes, 0, everybody, []string{ana}},
		"a role of the console may as an admin does":          {guard.Deciders{Admins: []string{lee}, Approvers: []string{moe}}, asks(post()), run.Yes, 0, everybody, []string{lee, moe}},
		"but not beside a rule":                               {guard.Deciders{Admins: []string{lee}, Approvers: []string{moe}, Approvals: []guard.Approval{{By: []string{guard.Admins}}}}, asks(post()), run.Yes, 0, everybody, []string{lee}},
		"once is the member's":                                {byDefault, asks(post(member), plans()), run.Once, 0, everybody, []string{ana, lee}},
		"what lasts is an admin's":                            {byDefault, asks(post(member), plans()), run.Always, 0, everybody, []string{lee}},
		"unless a rule says otherwise":                        {rule(guard.Approval{By: []string{guard.Requester}}), asks(post(member), plans()), run.Always, 0, everybody, []string{ana}},
		"what is only the asker's":                            {byDefault, asks(own), run.Yes, 0, everybody, []string{ana}},
		"a rule fits also that":                               {rule(guard.Approval{Tools: []string{"schedule_*"}, By: []string{finance}}), asks(own), run.Yes, 0, everybody, []string{fay, fin}},
		"a rule that names nobody":                            {rule(guard.Approval{}), asks(post(member)), run.Yes, 0, everybody, nil},
		"the requester":                                       {rule(guard.Approval{By: []string{guard.Requester}}), asks(post()), run.Yes, 0, everybody, []string{ana}},
		"the requester, and never who asked":                  {rule(guard.Approval{By: []string{guard.Requester}, Others: true}), asks(post()), run.Yes, 0, everybody, nil},
		"admins, never who asked":                             {guard.Deciders{Admins: []string{ana, lee}, Approvals: []guard.Approval{{By: []string{guard.Admins}, Others: true}}}, asks(post()), run.Yes, 0, everybody, []string{lee}},
		"a group":                                             {rule(guard.Approval{By: []string{finance}}), asks(post()), run.Yes, 0, everybody, []string{fay, fin}},
		"a group that nobody can look up":                     {rule(guard.Approval{By: []string{finance}}), asks(post()), run.Yes, 0, nil, nil},
		"a person and a group":                                {rule(guard.Approval{By: []string{gus, finance}}), asks(post()), run.Yes, 0, everybody, []string{fay, fin, gus}},
		"another tool":                                        {rule(guard.Approval{Tools: []string{"deploy"}, By: []string{gus}}), asks(post()), run.Yes, 0, everybody, []string{lee}},
		"a glob of tools":                                     {rule(guard.Approval{Tools: []string{"POST_*"}, By: []string{gus}}), asks(post()), run.Yes, 0, everybody, []string{gus}},
		"a channel by its name":                               {rule(guard.Approval{Channels: []string{"#sales"}, By: []string{gus}}), asks(post()), run.Yes, 0, everybody, []string{gus}},
		"a channel by its id":                                 {rule(guard.Approval{Channels: []string{"slack:T1:C*"}, By: []string{gus}}), asks(post()), run.Yes, 0, everybody, []string{gus}},
		"another channel":                                     {rule(guard.Approval{Channels: []string{"#general", "slack:T2:*"}, By: []string{gus}}), asks(post()), run.Yes, 0, everybody, []string{lee}},
		"no channel at all":                                   {rule(guard.Approval{Channels: []string{"*"}, By: []string{gus}}), asks(run.Planned{ID: "c1", Name: "deploy"}), run.Yes, 0, everybody, []string{lee}},
		"an argument above":                                   {rule(guard.Approval{Where: []guard.Match{{Arg: "rows", Above: &above}}, By: []string{gus}}), asks(post()), run.Yes, 0, everybody, []string{gus}},
		"an argument that is":                                 {rule(guard.Approval{Where: []guard.Match{{Arg: "private", Is: "True"}}, By: []string{gus}}), asks(post()), run.Yes, 0, everybody, []string{gus}},
		"one of two arguments that is not":                    {rule(guard.Approval{Where: []guard.Match{{Arg: "private", Is: "true"}, {Arg: "to", Like: "*/C2/"}}, By: []string{gus}}), asks(post()), run.Yes, 0, everybody, []string{lee}},
		"the first rule that fits":                            {guard.Deciders{Approvals: []guard.Approval{{Tools: []string{"x"}, By: []string{lee}}, {By: []string{gus}}, {By: []string{fay}}}}, asks(post()), run.Yes, 0, everybody, []string{gus}},
		"before others may as well":                           {rule(guard.Approval{By: []string{fay}, After: time.Hour, To: []string{gus, guard.Admins}}), asks(post()), run.Yes, time.Hour - 1, everybody, []string{fay}},
		"once others may as well":                             {rule(guard.Approval{By: []string{fay}, After: time.Hour, To: []string{gus, guard.Admins}}), asks(post()), run.Yes, time.Hour, everybody, []string{fay, gus, lee}},
		"who stands in, the second before":                    {away(byDefault, lee), asks(post()), run.Yes, -time.Nanosecond, everybody, []string{lee}},
		"who stands in":                                       {away(byDefault, lee), asks(post()), run.Yes, 0, everybody, []string{lee, moe}},
		"who stands in, to the end":                           {away(byDefault, lee), asks(post()), run.Yes, 24*time.Hour - 1, everybody, []string{lee, moe}},
		"who stood in":                                        {away(byDefault, lee), asks(post()), run.Yes, 24 * time.Hour, everybody, []string{lee}},
		"who stands in for a member of the group":             {away(rule(guard.Approval{By: []string{finance}}), fay), asks(post()), run.Yes, 0, everybody, []string{fay, fin, moe}},
		"who stands in for one who has nothing to say":        {away(byDefault, gus), asks(post()), run.Yes, 0, everybody, []string{lee}},
		"nobody stands in for the asker as somebody else":     {away(guard.Deciders{Admins: []string{ana, lee}, Approvals: []guard.Approval{{By: []string{guard.Admins}, Others: true}}}, ana), asks(post()), run.Yes, 0, everybody, []string{lee}},
		"who asked does not stand in for somebody else":       {guard.Deciders{Admins: []string{lee}, Approvals: []guard.Approval{{By: []string{guard.Admins}, Others: true}}, Delegates: []guard.Delegate{{Of: lee, To: ana, From: noon, Until: noon.Add(time.Hour)}}}, asks(post()), run.Yes, 0, everybody, []string{lee}},
		"a choice of a tool is the asked one's alone":         {away(byDefault, ana), run.Question{Kind: run.Choose, Asked: ana}, "x", 0, everybody, []string{ana}},
		"an answer to nobody's question":                      {byDefault, run.Question{Kind: run.Choose}, "x", 0, everybody, nil},
		"an argument that the tool itself has, and we do not": {rule(guard.Approval{Where: []guard.Match{{Arg: "amount", Above: &above}}, By: []string{gus}}), asks(post()), run.Yes, 0, everybody, []string{gus}},
	} {
		t.Run(name, func(t *testing.T) {
			say := tt.d.Say(tt.q, tt.option, noon.Add(tt.after))
			var got []string
			for _, who := range []string{ana, fay, fin, gus, lee, moe, ""} {
				if say.May(who, tt.in) {
					got = append(got, who)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("who may (-want +got):\n%s", diff)
			}
		})
	}
}

// Issue 5: "Allow like this …" lasts, so it is an admin's though the asker may post; and
// a rule that could fit what it will let pass counts, whatever the arguments are now.
func TestAllowLikeThisIsDecidedOnAsWhatItLetsPass(t *testing.T) {
	q := asks(post(member))
	q.Options = append(q.Options, run.Option{ID: run.Like, Calls: []string{"c1"}})
	q.Scopes = []run.Grant{{Tool: "post_message"}}
	much := 5000.0
	ruled := guard.Deciders{Admins: []string{lee}, Approvals: []guard.Approval{{Where: []guard.Match{{Arg: "rows", Above: &much}}, By: []string{gus}}}}
	for name, tt := range map[string]struct {
		d      guard.Deciders
		option string
		by     string
		enough bool
	}{
		"the asker posts":                   {guard.Deciders{Admins: []string{lee}}, run.Yes, ana, true},
		"and does not let it be":            {guard.Deciders{Admins: []string{lee}}, run.Like, ana, false},
		"an admin does":                     {guard.Deciders{Admins: []string{lee}}, run.Like, lee, true},
		"a rule that does not fit this one": {ruled, run.Yes, ana, true},
		"but could the next":                {ruled, run.Like, lee, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, left := tt.d.Left(q, tt.option, []run.Answer{{By: tt.by, At: noon}}, noon, everybody)
			if got := len(left) == 0; got != tt.enough {
				t.Errorf("enough = %t, lacking %v; want %t", got, left, tt.enough)
			}
		})
	}
}

// A1 What a match compares, and that what cannot be compared holds.
func TestMatches(t *testing.T) {
	n := func(f float64) *float64 { return &f }
	for name, tt := range map[string]struct {
		m    guard.Match
		args string
		want bool
	}{
		"is":                     {guard.Match{Arg: "a", Is: "Prod "}, `{"a":"prod"}`, true},
		"is another":             {guard.Match{Arg: "a", Is: "prod"}, `{"a":"production"}`, false},
		"a number is":            {guard.Match{Arg: "a", Is: "12345678901234567890"}, `{"a":12345678901234567890}`, true},
		"is in a list":           {guard.Match{Arg: "a", Is: "prod"}, `{"a":["dev","prod"]}`, true},
		"is in none":             {guard.Match{Arg: "a", Is: "prod"}, `{"a":["dev"]}`, false},
		"like, over slashes":     {guard.Match{Arg: "a", Like: "https://*.example.com/*"}, `{"a":"https://x.example.com/b/c"}`, true},
		"like another":           {guard.Match{Arg: "a", Like: "*@example.com"}, `{"a":"x@example.org"}`, false},
		"above":                  {guard.Match{Arg: "a", Above: n(1000)}, `{"a":1000.01}`, true},
		"not above":              {guard.Match{Arg: "a", Above: n(1000)}, `{"a":1000}`, false},
		"above, as a text":       {guard.Match{Arg: "a", Above: n(1000)}, `{"a":" 1500 "}`, true},
		"below, as a text":       {guard.Match{Arg: "a", Above: n(1000)}, `{"a":"15"}`, false},
		"no number that we know": {guard.Match{Arg: "a", Above: n(1000)}, `{"a":"1,500"}`, true},
		"a word above":           {guard.Match{Arg: "a", Above: n(1000)}, `{"a":"all"}`, true},
		"true above":             {guard.Match{Arg: "a", Above: n(1000)}, `{"a":true}`, true},
		"left out, above":        {guard.Match{Arg: "a", Above: n(1000)}, `{}`, true},
		"left out, is":           {guard.Match{Arg: "a", Is: "prod"}, `{}`, false},
		"a part of its own":      {guard.Match{Arg: "a", Is: "prod"}, `{"a":{"b":"dev"}}`, true},
		"not JSON":               {guard.Match{Arg: "a", Is: "prod"}, `?`, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := guard.Deciders{Approvals: []guard.Approval{{Where: []guard.Match{tt.m}, By: []string{gus}}}}
			c := post(func(c *run.Planned) { c.Args = json.RawMessage(tt.args) })
			if got := d.Say(asks(c), run.Yes, noon).May(gus, nil); got != tt.want {
				t.Errorf("holds = %t, want %t", got, tt.want)
			}
		})
	}
}

// Issue 5: a yes is enough once every rule has so many people of its own as it asks
// for, each judged at the time of their press, and two who sit for one are one.
func TestWhatAYesStillLacks(t *testing.T) {
	two := guard.Deciders{Admins: []string{lee}, Approvals: []guard.Approval{{By: []string{finance, lee, guard.Requester}, Quorum: 2}}}
	away := two
	away.Delegates = []guard.Delegate{{Of: lee, To: moe, From: noon, Until: noon.Add(time.Hour)}}
	apart := guard.Deciders{Admins: []string{lee}, Approvals: []guard.Approval{{Tools: []string{"post_message"}, By: []string{finance}}}}
	later := guard.Deciders{Approvals: []guard.Approval{{By: []string{fay}, Quorum: 2, After: time.Hour, To: []string{gus}}}}
	type yes struct {
		by string
		at time.Duration
	}
	for name, tt := range map[string]struct {
		d     guard.Deciders
		q     run.Question
		opt   string
		yeses []yes
		now   time.Duration
		count []string
		left  []guard.Lack
	}{
		"one of two":                        {two, asks(post()), run.Yes, []yes{{fay, 0}}, 0, []string{fay}, []guard.Lack{{N: 1, People: []string{finance, lee, ana}}}},
		"the same one twice":                {two, asks(post()), run.Yes, []yes{{lee, 0}, {lee, 1}}, 1, []string{lee, lee}, []guard.Lack{{N: 1, People: []string{finance, ana}}}},
		"two":                               {two, asks(post()), run.Yes, []yes{{fay, 0}, {lee, 1}}, 1, []string{fay, lee}, nil},
		"two of the group":                  {two, asks(post()), run.Yes, []yes{{fay, 0}, {fin, 1}}, 1, []string{fay, fin}, nil},
		"one, and somebody with no say":     {two, asks(post()), run.Yes, []yes{{fay, 0}, {gus, 1}}, 1, []string{fay}, []guard.Lack{{N: 1, People: []string{finance, lee, ana}}}},
		"one, and who stands in for them":   {away, asks(post()), run.Yes, []yes{{lee, 0}, {moe, 0}}, 0, []string{lee, moe}, []guard.Lack{{N: 1, People: []string{finance, ana}}}},
		"who stood in when they said so":    {away, asks(post()), run.Yes, []yes{{moe, time.Minute}, {fay, 2 * time.Hour}}, 2 * time.Hour, []string{moe, fay}, nil},
		"who said so after their time":      {away, asks(post()), run.Yes, []yes{{moe, 2 * time.Hour}, {fay, 2 * time.Hour}}, 2 * time.Hour, []string{fay}, []guard.Lack{{N: 1, People: []string{finance, lee, ana}}}},
		"too early, and in time":            {later, asks(post()), run.Yes, []yes{{fay, 0}, {gus, time.Minute}}, 2 * time.Hour, []string{fay}, []guard.Lack{{N: 1, People: []string{gus}}}},
		"once more may":                     {later, asks(post()), run.Yes, []yes{{fay, 0}, {gus, time.Hour}}, 2 * time.Hour, []string{fay, gus}, nil},
		"two rules, one of each":            {apart, asks(post(), plans()), run.Always, []yes{{fay, 0}}, 0, []string{fay}, []guard.Lack{{N: 1, People: []string{lee}}}},
		"both":                              {apart, asks(post(), plans()), run.Always, []yes{{fay, 0}, {lee, 0}}, 0, []string{fay, lee}, nil},
		"once is the rule's alone":          {apart, asks(post(), plans()), run.Once, []yes{{fay, 0}}, 0, []string{fay}, nil},
		"a schedule lets posts go, so both": {apart, asks(plans()), run.Always, []yes{{lee, 0}}, 0, []string{lee}, []guard.Lack{{N: 1, People: []string{finance}}}},
		"nobody":                            {guard.Deciders{}, asks(post()), run.Yes, []yes{{ana, 0}}, 0, nil, []guard.Lack{{N: 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			var yeses []run.Answer
			for _, y := range tt.yeses {
				yeses = append(yeses, run.Answer{By: y.by, At: noon.Add(y.at)})
			}
			count, left := tt.d.Left(tt.q, tt.opt, yeses, noon.Add(tt.now), everybody)
			var who []string
			for _, x := range count {
				who = append(who, x.By)
			}
			if diff := cmp.Diff(tt.count, who); diff != "" {
				t.Errorf("who counts (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.left, left); diff != "" {
				t.Errorf("what is lacking (-want +got):\n%s", diff)
			}
		})
	}
}

// Issue 5: who is asked, by name: those who stand in beside those who are away, groups
// as such, and never who may not. When more may, their time is known before.
func TestWhoIsAsked(t *testing.T) {
	d := guard.Deciders{
		Admins: []string{ana, lee},
		Approvals: []guard.Approval{{
			By: []string{guard.Admins, finance, guard.Requester}, Others: true, After: time.Hour, To: []string{gus, lee},
		}},
		Delegates: []guard.Delegate{
			{Of: lee, To: moe, From: noon, Until: noon.Add(24 * time.Hour)},
			{Of: ana, To: fay, From: noon, Until: noon.Add(24 * time.Hour)},
		},
	}
	for after, want := range map[time.Duration][]string{
		0:         {lee, moe, finance},
		time.Hour: {lee, moe, finance, gus},
	} {
		say := d.Say(asks(post()), "", noon.Add(after))
		if diff := cmp.Diff(want, say.People()); diff != "" {
			t.Errorf("after %s (-want +got):\n%s", after, diff)
		}
		if len(say.Widens) != 1 || !say.Widens[0].Equal(noon.Add(time.Hour)) {
			t.Errorf("widens %v, want once, after an hour", say.Widens)
		}
	}
}
