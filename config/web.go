package config

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Web is the console.
type Web struct {
	Addr        string `mapstructure:"addr"`
	AllowRemote bool   `mapstructure:"allow_remote"` // bind an address that is not loopback
	// URL is what people type where a proxy with TLS stands before Addr; empty: none does.
	URL string `mapstructure:"url"`
	// Users come in by name, and do what their role lets them. Without any it is the page
	// of whoever sits at this machine.
	Users []WebUser `mapstructure:"users"`
}

// WebUser is somebody who comes in by name: the person web:local: and the ID.
type WebUser struct {
	ID   string `mapstructure:"id"`
	Name string `mapstructure:"name"` // empty: the ID
	Role string `mapstructure:"role"` // viewer, approver or admin
	// Secret lets them sign in by themselves; empty: by the links that `hermes url ID`
	// prints alone.
	Secret Secret `mapstructure:"secret"`
}

// webRoles are the roles of the console. One that is none of them may do nothing.
var webRoles = []string{"viewer", "approver", "admin"}

// leastWebSecret is how long a secret is at least: what nobody guesses in a lifetime.
const leastWebSecret = 16

var webID = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,31}$`)

// Exposed reports whether others than who sits at this machine can reach the console.
func (w Web) Exposed() bool {
	host, _, err := net.SplitHostPort(w.Addr)
	if err != nil || !loopback(host) {
		return true
	}
	u, err := url.Parse(w.URL)
	return w.URL != "" && (err != nil || !loopback(u.Hostname()))
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (c *Config) webFaults(fault func(key, wrong, hint string)) {
	w := c.Web
	if host, ok := address("web.addr", w.Addr, "127.0.0.1:8484", fault); ok && !w.AllowRemote && !loopback(host) {
		fault("web.addr", fmt.Sprintf("%q can be reached by other machines", host), "use 127.0.0.1, or set web.allow_remote if that is what you want")
	}
	const urlHint = "write https://hermes.example.com, as people type it"
	webAddress("web.url", w.URL, urlHint, fault)
	at, err := url.Parse(w.URL)
	if err == nil && at.Hostname() != "" {
		switch {
		case at.User != nil || strings.Trim(at.Path, "/") != "":
			fault("web.url", "it has more than a scheme, a host and a port in it", urlHint)
		case at.Scheme == "http" && !loopback(at.Hostname()):
			fault("web.url", "it is in the clear, and so are sessions that go over it", "put a proxy with TLS before it and "+urlHint)
		}
	}
	if w.Exposed() && len(w.Users) == 0 {
		fault("web.users", "others can reach the console, and nobody is named who may come in", "write users: [{id: kim, role: approver}]; a role is "+strings.Join(webRoles, ", "))
	}
	if len(c.AllWorkspaces()) > 0 && len(w.Users) > 1 {
		fault("web.users", "with Slack the console is one operator's", "name one; the others ask and decide in Slack")
	}
	seen := map[string]bool{}
	for i, u := range w.Users {
		key := fmt.Sprintf("web.users[%d]", i)
		if !webID.MatchString(u.ID) || seen[u.ID] {
			fault(key+".id", fmt.Sprintf("%q is no id, or is there twice", u.ID), "write small letters, digits, - and _, 32 at most, such as kim")
		}
		seen[u.ID] = true
		if strings.TrimSpace(u.Name) != u.Name || len(u.Name) > 80 || strings.ContainsFunc(u.Name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			fault(key+".name", "it begins or ends with a space, has a line break or is very long", "write the name as people know it, or leave it out for the id")
		}
		if !slices.Contains(webRoles, u.Role) {
			fault(key+".role", fmt.Sprintf("%q is no role", u.Role), strings.Join(webRoles, ", ")+": who looks, who also asks and decides, who is an admin")
		}
		switch s := string(u.Secret); {
		case s == "":
		case len(s) < leastWebSecret:
			fault(key+".secret", fmt.Sprintf("it is shorter than %d characters", leastWebSecret), "make one with `openssl rand -hex 16`")
		case w.Exposed() && (err != nil || at.Scheme != "https"):
			fault(key+".secret", "it would go over the network in the clear", "put a proxy with TLS before the console and name it in web.url; or leave the secret out and use `hermes url "+u.ID+"`")
		default:
			unbroken(key+".secret", u.Secret, fault)
		}
	}
}
