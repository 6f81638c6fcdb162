package config

import (
	"errors"
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

// validate returns every fault at once.
func (c *Config) validate() error {
	var faults []error
	fault := func(key, wrong, hint string) { faults = append(faults, Fault{key, wrong, hint}) }
	if c.Zone == "" {
		c.Zone = "UTC"
	}
	if _, err := time.LoadLocation(c.Zone); err != nil {
		fault("zone", fmt.Sprintf("%q is not a time zone", c.Zone), "use an IANA name such as Europe/Berlin or Asia/Shanghai")
	}
	for i, a := range c.Admins {
		if !person.MatchString(a) {
			fault(fmt.Sprintf("admins[%d]", i), fmt.Sprintf("%q is not a person", a), "write platform:workspace:user, for example slack:T0123ABC:U0456DEF")
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
	if !slices.Contains([]string{"", "rules", "openai"}, c.Model.Provider) {
		fault("model.provider", fmt.Sprintf("%q is not known", c.Model.Provider), "use openai for any OpenAI-compatible endpoint, or rules for the built-in rules")
	}
	if c.Model.BaseURL != "" && !strings.HasPrefix(c.Model.BaseURL, "http://") && !strings.HasPrefix(c.Model.BaseURL, "https://") {
		fault("model.base_url", fmt.Sprintf("%q is not a URL", c.Model.BaseURL), "for example http://127.0.0.1:11434/v1")
	}
	for key, n := range map[string]int{"agent.max_steps": c.Agent.MaxSteps, "agent.max_repeat": c.Agent.MaxRepeat, "agent.at_once": c.Agent.AtOnce, "agent.grant_uses": c.Agent.GrantUses} {
		if n < 1 {
			fault(key, fmt.Sprintf("%d is less than 1", n), "leave the key out for the default")
		}
	}
	for key, d := range map[string]time.Duration{"agent.question_ttl": c.Agent.QuestionTTL, "agent.job_question_ttl": c.Agent.JobQuestion, "model.timeout": c.Model.Timeout} {
		if d < time.Second {
			fault(key, fmt.Sprintf("%s is less than a second", d), "write a duration such as 24h")
		}
	}
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, c.Log.Level) {
		fault("log.level", fmt.Sprintf("%q is not a level", c.Log.Level), "debug, info, warn or error")
	}
	slices.SortFunc(faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(faults...)
}

// AllWorkspaces returns the workspaces of the list, and the one of the two tokens.
func (c Config) AllWorkspaces() []Workspace {
	all := slices.Clone(c.Slack.Workspaces)
	if c.Slack.BotToken != "" {
		all = append(all, Workspace{Name: "default", AppToken: c.Slack.AppToken, BotToken: c.Slack.BotToken})
	}
	return all
}

// UsesModel reports whether a language model is configured.
func (c Config) UsesModel() bool {
	return c.Model.Provider == "openai" || c.Model.Provider == "" && (c.Model.APIKey != "" || c.Model.BaseURL != "")
}

var invalidKeys = regexp.MustCompile(`'([^'\n]*)' has invalid keys: ([^\n]+)`)

// keyFault says which keys of a file nobody knows, and which known one is nearest.
func keyFault(name string, err error) error {
	var faults []error
	for _, m := range invalidKeys.FindAllStringSubmatch(err.Error(), -1) {
		for key := range strings.SplitSeq(m[2], ", ") {
			if m[1] != "" {
				key = m[1] + "." + key
			}
			f := Fault{Key: key, Wrong: "no such key in " + name, Hint: "`hermes init --print` shows all keys"}
			if near := nearest(key); near != "" {
				f.Hint = fmt.Sprintf("did you mean %s?", near)
			}
			faults = append(faults, f)
		}
	}
	if len(faults) == 0 {
		return fmt.Errorf("config: %s: %w\n  hint: `hermes init --print` shows a whole file with the right types", name, err)
	}
	return errors.Join(faults...)
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
