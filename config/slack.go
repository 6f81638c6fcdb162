package config

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Slack are the workspaces to connect to.
type Slack struct {
	APIURL string `mapstructure:"api_url"`
	// Listen is where events come by HTTP, for the workspaces with a signing secret:
	// those of a workspace at SlackPath of its name. What is not signed is refused, so
	// any address may be bound.
	Listen        string `mapstructure:"listen"`
	AppToken      Secret `mapstructure:"app_token"` // of one workspace; several: Workspaces
	BotToken      Secret `mapstructure:"bot_token"`
	SigningSecret Secret `mapstructure:"signing_secret"`
	// Proxy is asked for files, and takes answers to presses: their addresses come with
	// messages, so the proxies of the environment are not for them. Empty: none.
	Proxy      Secret      `mapstructure:"proxy"`
	Workspaces []Workspace `mapstructure:"workspaces"`
}

// Workspace is one Slack workspace. With an app token its events come over a socket,
// with a signing secret by HTTP.
type Workspace struct {
	Name          string `mapstructure:"name"`
	AppToken      Secret `mapstructure:"app_token"`
	BotToken      Secret `mapstructure:"bot_token"`
	SigningSecret Secret `mapstructure:"signing_secret"`
}

// ByHTTP reports whether the events of a workspace come by HTTP.
func (w Workspace) ByHTTP() bool { return w.AppToken == "" }

// SlackPath is the path below Slack.Listen at which the events of a workspace come.
func SlackPath(workspace string) string { return "/slack/" + url.PathEscape(workspace) }

// defaultWorkspace is the name of the workspace that stands outside the list.
const defaultWorkspace = "default"

// AllWorkspaces returns the workspaces of the list, and the one that stands outside
// it.
func (c Config) AllWorkspaces() []Workspace {
	all := slices.Clone(c.Slack.Workspaces)
	if c.Slack.BotToken != "" {
		all = append(all, c.Slack.single())
	}
	return all
}

func (s Slack) single() Workspace {
	return Workspace{Name: defaultWorkspace, AppToken: s.AppToken, BotToken: s.BotToken, SigningSecret: s.SigningSecret}
}

// faults are what is wrong with how Slack is reached.
func (s Slack) faults(fault func(key, wrong, hint string)) {
	webAddress("slack.api_url", s.APIURL, "leave the key out for https://slack.com/api/", fault)
	if s.AppToken != "" || s.BotToken != "" || s.SigningSecret != "" {
		s.single().faults("slack", fault)
	}
	names, apps := map[string]bool{}, map[Secret]string{}
	if s.AppToken != "" {
		apps[s.AppToken] = "slack.app_token"
	}
	if len(s.Workspaces) > 0 && s.BotToken != "" {
		names[defaultWorkspace] = true
	}
	for i, w := range s.Workspaces {
		key := fmt.Sprintf("slack.workspaces[%d]", i)
		if w.Name == "" || names[w.Name] {
			fault(key+".name", fmt.Sprintf("%q is empty or used twice", w.Name), "give each workspace a name of its own; default is the one outside the list")
		}
		names[w.Name] = true
		if other := apps[w.AppToken]; other != "" {
			fault(key+".app_token", "it is that of "+other, "Slack gives each event of an app to one of its sockets; make an app for each workspace")
		}
		if w.AppToken != "" {
			apps[w.AppToken] = key
		}
		w.faults(key, fault)
	}
	address("slack.listen", s.Listen, "127.0.0.1:8485", fault)
	if u, err := url.Parse(string(s.Proxy)); s.Proxy != "" && (err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "socks5"}, u.Scheme) || strings.Trim(u.Path, "/")+u.RawQuery != "") {
		fault("slack.proxy", "it is no address of a proxy", "write http://proxy.example.com:3128, with https or socks5 where it is one of these; or leave it out")
	}
}

func (w Workspace) faults(key string, fault func(key, wrong, hint string)) {
	const (
		appHint    = "app tokens start with \"xapp-\"; make one under Basic Information → App-Level Tokens with connections:write"
		botHint    = "bot tokens start with \"xoxb-\"; copy it from OAuth & Permissions after installing the app"
		secretHint = "copy the Signing Secret from Basic Information → App Credentials"
	)
	switch {
	case w.AppToken != "" && w.SigningSecret != "":
		fault(key, "app_token and signing_secret are both set", "events come over a socket (app_token) or by HTTP (signing_secret): an app in Socket Mode sends nothing by HTTP, so leave one out")
	case w.BotToken == "":
		fault(key, "bot_token is missing", "set SLACK_BOT_TOKEN: without it nothing can be said")
	case w.AppToken == "" && w.SigningSecret == "":
		fault(key, "neither app_token nor signing_secret is set", "set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for events by HTTP")
	}
	tokenFault(key+".app_token", w.AppToken, "xapp-", "xoxb-", appHint, fault)
	tokenFault(key+".bot_token", w.BotToken, "xoxb-", "xapp-", botHint, fault)
	if s := string(w.SigningSecret); strings.HasPrefix(s, "xapp-") || strings.HasPrefix(s, "xox") {
		fault(key+".signing_secret", "it is a token", secretHint)
	}
	unbroken(key+".app_token", w.AppToken, fault)
	unbroken(key+".bot_token", w.BotToken, fault)
	unbroken(key+".signing_secret", w.SigningSecret, fault)
}

// tokenFault refuses a token that does not begin as its kind does.
func tokenFault(key string, s Secret, want, other, hint string, fault func(key, wrong, hint string)) {
	switch {
	case s == "" || strings.HasPrefix(string(s), want):
	case strings.HasPrefix(string(s), other):
		fault(key, fmt.Sprintf("starts with %q, which is the other token", other), hint)
	default:
		fault(key, fmt.Sprintf("does not start with %q", want), hint)
	}
}

// address refuses what nothing can listen at, and returns its host.
func address(key, addr, example string, fault func(key, wrong, hint string)) (host string, ok bool) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		fault(key, fmt.Sprintf("%q is no address", addr), "write host:port, for example "+example)
		return "", false
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		fault(key, fmt.Sprintf("port %s is none", port), "a port is a number up to 65535")
		return "", false
	}
	return host, true
}
