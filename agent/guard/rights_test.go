package guard_test

import (
	"slices"
	"testing"

	"hermes/agent/guard"
)

// ranks are a workspace of three.
type ranks struct{}

func (ranks) InGroup(group, person string) bool {
	return group == "slack:T1:S1" && person == "slack:T1:FIN"
}
func (ranks) IsMember(person string) bool {
	return slices.Contains([]string{"slack:T1:ANA", "slack:T1:FIN", "slack:T1:LEE"}, person)
}
func (ranks) IsGuest(person string) bool { return person == "slack:T1:GUS" }

// X7 What a rule names only they may use who fit one; what none names everybody may.
func TestRights(t *testing.T) {
	const (
		ana, fin, lee, gus = "slack:T1:ANA", "slack:T1:FIN", "slack:T1:LEE", "slack:T1:GUS"
		general, finance   = "slack/T1/C1/17.1", "slack/T1/C2/"
		dm                 = "slack/T1/D1/"
	)
	rs := guard.Rights{Admins: []string{lee}, Rules: []guard.Right{
		{Tools: []string{"schedule_*"}, Users: []string{guard.Members}},
		{Tools: []string{"post_message"}, Users: []string{guard.Admins}},
		{Tools: []string{"post_message"}, Channels: []string{"slack:T1:C2"}, Profiles: []string{"report"}},
		{Sources: []string{"payroll"}, Users: []string{"group:slack:T1:S1", ana}, Channels: []string{"slack:T1:C2", guard.Direct}},
		{Tools: []string{"take_back"}, Users: []string{guard.Guests}},
		{Sources: []string{"hr_[x"}, Users: []string{fin}},
		{Tools: []string{"audit_find"}, Channels: []string{"slack:T1:[C"}},
	}}
	spot := func(who, where string) guard.Spot {
		return guard.Spot{Person: who, Home: where, Profile: "qa", Direct: where == dm}
	}
	report := spot(gus, finance)
	report.Profile = "report"
	for name, tt := range map[string]struct {
		names  []string
		source string
		spot   guard.Spot
		in     guard.Ranks
		want   bool
	}{
		"no rule names it":                       {[]string{"query_metric"}, "", spot(gus, general), ranks{}, true},
		"nobody at all, and no rule":             {[]string{"query_metric"}, "", guard.Spot{}, nil, true},
		"a glob names it, and a member fits":     {[]string{"schedule_add"}, "", spot(ana, general), ranks{}, true},
		"a guest is no member":                   {[]string{"schedule_add"}, "", spot(gus, general), ranks{}, false},
		"a stranger is neither":                  {[]string{"schedule_add"}, "", spot("slack:T2:X", general), ranks{}, false},
		"whose rank nobody knows":                {[]string{"schedule_add"}, "", spot(ana, general), nil, false},
		"by a name that it had":                  {[]string{"schedule_edit", "job_edit", "schedule_pause"}, "", spot(gus, general), ranks{}, false},
		"an admin, by the first of two rules":    {[]string{"post_message"}, "", spot(lee, general), ranks{}, true},
		"channel and profile, by the second":     {[]string{"post_message"}, "", report, ranks{}, true},
		"the channel alone":                      {[]string{"post_message"}, "", spot(gus, finance), ranks{}, false},
		"one of a group, in the channel":         {nil, "payroll", spot(fin, finance), ranks{}, true},
		"one of a group, elsewhere":              {nil, "payroll", spot(fin, general), ranks{}, false},
		"one of a group, alone":                  {nil, "payroll", spot(fin, dm), ranks{}, true},
		"a person by name":                       {nil, "payroll", spot(ana, dm), ranks{}, true},
		"somebody else in the channel":           {nil, "payroll", spot(lee, finance), ranks{}, false},
		"a group that cannot be asked for":       {nil, "payroll", spot(fin, finance), nil, false},
		"capitals hide nothing":                  {nil, "PayRoll", spot(lee, finance), ranks{}, false},
		"a guest where guests may":               {[]string{"take_back"}, "", spot(gus, general), ranks{}, true},
		"a member where guests may":              {[]string{"take_back"}, "", spot(ana, general), ranks{}, false},
		"nobody is nobody":                       {[]string{"take_back"}, "", spot("", general), ranks{}, false},
		"a broken glob of a thing names it":      {nil, "anything", spot(ana, general), ranks{}, false},
		"and lets nobody in":                     {nil, "anything", spot(fin, general), ranks{}, false},
		"a broken glob of a channel lets nobody": {[]string{"audit_find"}, "", spot(lee, general), ranks{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := rs.Tool(tt.names, tt.spot, tt.in)
			if tt.source != "" {
				got = rs.Source(tt.source, tt.spot, tt.in)
			}
			if got != tt.want {
				t.Errorf("may = %t, want %t", got, tt.want)
			}
		})
	}
}

// Results keep the audience of their source: a channel shows only what a rule names it
// with, or what everybody may use.
func TestShown(t *testing.T) {
	rs := guard.Rights{Rules: []guard.Right{
		{Sources: []string{"payroll"}, Users: []string{"group:slack:T1:S1"}, Channels: []string{"slack:T1:C2"}},
		{Sources: []string{"payroll"}, Users: []string{guard.Admins}},
		{Sources: []string{"stock"}, Users: []string{guard.Members}},
		{Sources: []string{"press"}, Profiles: []string{"report"}},
		{Sources: []string{"notes"}, Channels: []string{guard.Direct}},
	}}
	for name, tt := range map[string]struct {
		source, place string
		want          bool
	}{
		"no rule names the source":       {"shop", "slack/T1/C1/", true},
		"a rule names the channel":       {"payroll", "slack/T1/C2/", true},
		"another channel":                {"payroll", "slack/T1/C1/", false},
		"the channel of another team":    {"payroll", "slack/T2/C2/", false},
		"users alone are no audience":    {"stock", "slack/T1/C1/", false},
		"a profile alone keeps nobody":   {"press", "slack/T1/C1/", true},
		"direct is no channel":           {"notes", "slack/T1/C1/", false},
		"what is no place shows nothing": {"payroll", "slack", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := rs.Shown(tt.source, tt.place); got != tt.want {
				t.Errorf("Shown = %t, want %t", got, tt.want)
			}
		})
	}
}
