package config

import (
	"fmt"
	"maps"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Fault is one thing wrong with the configuration.
type Fault struct{ Key, Wrong, Hint string }

// Error names the key, what is wrong, and what to do.
func (f Fault) Error() string {
	s := "config: " + f.Key + ": " + f.Wrong
	if f.Hint != "" {
		s += "\n  hint: " + f.Hint
	}
	return s
}

var person = regexp.MustCompile(`^[a-z]+:[^:\s]+:[^:\s]+$`)

// CheckPerson says what is wrong with the name of a person that a key has.
func CheckPerson(key, name string) error {
	if f, bad := personFault(key, name); bad {
		return f
	}
	return nil
}

func personFault(key, name string) (Fault, bool) {
	return Fault{key, fmt.Sprintf("%q is not a person", name), "write platform:workspace:user, for example slack:T0123ABC:U0456DEF"}, !person.MatchString(name)
}

// validate returns every fault at once.
func (c *Config) validate() []Fault {
	var faults []Fault
	fault := func(key, wrong, hint string) { faults = append(faults, Fault{key, wrong, hint}) }
	if c.Zone == "" {
		c.Zone = "UTC"
	}
	databaseFaults(string(c.Database), fault)
	if _, err := time.LoadLocation(c.Zone); err != nil {
		fault("zone", fmt.Sprintf("%q is not a time zone", c.Zone), "use an IANA name such as Europe/Berlin or Asia/Shanghai")
	}
	for i, a := range c.Admins {
		if f, bad := personFault(fmt.Sprintf("admins[%d]", i), a); bad {
			faults = append(faults, f)
		}
	}
	token := func(key string, s Secret, want, other, hint string) {
		switch {
		case s == "" || strings.HasPrefix(string(s), want):
		case strings.HasPrefix(string(s), other):
			fault(key, fmt.Sprintf("starts with %q, which is the other token", other), hint)
		default:
			fault(key, fmt.Sprintf("does not start with %q", want), hint)
		}
	}
	const appHint = "app tokens start with \"xapp-\"; make one under Basic Information → App-Level Tokens with connections:write"
	const botHint = "bot tokens start with \"xoxb-\"; copy it from OAuth & Permissions after installing the app"
	if (c.Slack.AppToken == "") != (c.Slack.BotToken == "") {
		fault("slack", "only one of app_token and bot_token is set", "Socket Mode needs both: SLACK_APP_TOKEN and SLACK_BOT_TOKEN")
	}
	token("slack.app_token", c.Slack.AppToken, "xapp-", "xoxb-", appHint)
	token("slack.bot_token", c.Slack.BotToken, "xoxb-", "xapp-", botHint)
	names := map[string]bool{}
	for i, w := range c.Slack.Workspaces {
		key := fmt.Sprintf("slack.workspaces[%d]", i)
		if w.Name == "" || names[w.Name] {
			fault(key+".name", fmt.Sprintf("%q is empty or used twice", w.Name), "give each workspace a name of its own")
		}
		names[w.Name] = true
		if w.AppToken == "" || w.BotToken == "" {
			fault(key, "app_token or bot_token is missing", "Socket Mode needs both")
		}
		token(key+".app_token", w.AppToken, "xapp-", "xoxb-", appHint)
		token(key+".bot_token", w.BotToken, "xoxb-", "xapp-", botHint)
	}
	if host, port, err := net.SplitHostPort(c.Web.Addr); err != nil {
		fault("web.addr", fmt.Sprintf("%q is no address", c.Web.Addr), "write host:port, for example 127.0.0.1:8484")
	} else if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		fault("web.addr", fmt.Sprintf("port %s is none", port), "a port is a number up to 65535")
	} else if ip := net.ParseIP(host); !c.Web.AllowRemote && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		fault("web.addr", fmt.Sprintf("%q can be reached by other machines", host), "use 127.0.0.1, or set web.allow_remote if that is what you want")
	}
	c.Model.faults("model", true, fault)
	for i, f := range c.Model.Fallbacks {
		f.faults(fmt.Sprintf("model.fallbacks[%d]", i), false, fault)
	}
	c.loopFaults(fault)
	c.detailFaults(fault)
	for key, n := range map[string]int{
		"agent.at_once": c.Agent.AtOnce, "agent.grant_uses": c.Agent.GrantUses, "exec.max_parallel": c.Exec.MaxParallel, "exec.attempts": c.Exec.Attempts,
		"result.array_max": c.Result.ArrayMax, "result.row_head": c.Result.RowHead, "result.web_chars": c.Result.WebChars,
		"result.lines": c.Result.Lines, "result.large_bytes": c.Result.LargeBytes,
	} {
		if n < 1 {
			fault(key, fmt.Sprintf("%d is less than 1", n), "leave the key out for the default")
		}
	}
	for key, d := range map[string]time.Duration{
		"agent.question_ttl": c.Agent.QuestionTTL, "agent.job_question_ttl": c.Agent.JobQuestion,
		"exec.timeout.normal": c.Exec.Timeout.Normal, "exec.timeout.heavy": c.Exec.Timeout.Heavy, "exec.timeout.shell": c.Exec.Timeout.Shell,
	} {
		if d < time.Second {
			fault(key, fmt.Sprintf("%s is less than a second", d), "write a duration such as 24h")
		}
	}
	if b := c.Exec.Backoff; b.Base <= 0 || b.Factor < 1 || b.Max < b.Base {
		fault("exec.backoff", fmt.Sprintf("%s times %g up to %s never ends", b.Base, b.Factor, b.Max), "base above 0, factor 1 or more, max not below base")
	}
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, c.Log.Level) {
		fault("log.level", fmt.Sprintf("%q is not a level", c.Log.Level), "debug, info, warn or error")
	}
	slices.SortFunc(faults, func(a, b Fault) int { return strings.Compare(a.Error(), b.Error()) })
	return faults
}

// AllWorkspaces returns the workspaces of the list, and the one of the two tokens.
func (c Config) AllWorkspaces() []Workspace {
	all := slices.Clone(c.Slack.Workspaces)
	if c.Slack.BotToken != "" {
		all = append(all, Workspace{Name: "default", AppToken: c.Slack.AppToken, BotToken: c.Slack.BotToken})
	}
	return all
}

// loopFaults are those of the loop; what a profile as a whole must be, its own room
// says when the program is built.
func (c *Config) loopFaults(fault func(key, wrong, hint string)) {
	onCap := func(key, v string) {
		if v != "suspend" && v != "end" && v != "" {
			fault(key, fmt.Sprintf("%q is neither suspend nor end", v), "suspend lets people press Continue")
		}
	}
	onCap("loop.on_cap", c.Loop.OnCap)
	if c.Loop.WarnAt <= 0 || c.Loop.WarnAt > 1 {
		fault("loop.warn_at", fmt.Sprintf("%g is no share", c.Loop.WarnAt), "write 0.8 for four fifths")
	}
	notBelowZero(fault, "0 means no limit", map[string]float64{"loop.budget_tokens": float64(c.Loop.BudgetTokens), "loop.budget_usd": c.Loop.BudgetUSD})
	r := c.Loop.Repeat
	for key, n := range map[string]int{
		"no_gain_rounds": r.NoGainRounds, "window": r.Window, "hits": r.Hits,
		"same_call_max": r.SameCallMax, "same_tool_max": r.SameToolMax, "misfit_max": r.MisfitMax,
	} {
		if n < 1 {
			fault("loop.repeat."+key, fmt.Sprintf("%d is less than 1: nothing would end a run that goes in a circle", n), "leave the key out for the default")
		}
	}
	names := map[string]bool{}
	for i, p := range c.Loop.Profiles {
		key := fmt.Sprintf("loop.profiles[%d]", i)
		if p.Name == "" || names[p.Name] {
			fault(key+".name", fmt.Sprintf("%q is empty or used twice", p.Name), "qa, default, report, research, code, or a name of your own")
		}
		names[p.Name] = true
		onCap(key+".on_cap", p.OnCap)
		notBelowZero(fault, "leave it out for the built-in one", map[string]float64{
			key + ".max_rounds": float64(p.MaxRounds), key + ".budget_tokens": float64(p.BudgetTokens), key + ".budget_usd": p.BudgetUSD,
		})
	}
}

func notBelowZero(fault func(key, wrong, hint string), hint string, numbers map[string]float64) {
	for key, n := range numbers {
		if n < 0 {
			fault(key, fmt.Sprintf("%g is less than 0", n), hint)
		}
	}
}

// nearest returns the known key that looks most like one that is not: first of its
// own section, then of any.
func nearest(key string) string {
	section := key[:strings.LastIndexByte(key, '.')+1]
	last := strings.ToLower(key[len(section):])
	best, least := "", 5
	for _, known := range slices.Sorted(maps.Keys(defaults)) {
		at := strings.LastIndexByte(known, '.') + 1
		d := distance(last, known[at:])
		if known[:at] != section {
			d += 2
		}
		if d < least {
			best, least = known, d
		}
	}
	return best
}

// distance is how many letters must change to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
