package config_test

import (
	"strings"
	"testing"

	"hermes/config"
)

// Issue 5, console: others can reach the page only where it is said who may come in, and
// as what; a secret goes over no wire in the clear; with Slack there is one operator.
func TestWhoMayComeIntoTheConsole(t *testing.T) {
	const kim = `users: [{id: kim, name: Kim Li, role: approver}]`
	const secret = `users: [{id: kim, role: admin, secret: 0123456789abcdef}]`
	const slack = "slack: {app_token: xapp-1, bot_token: xoxb-1}\n"
	for name, tt := range map[string]struct {
		text    string
		want    string // part of the fault; none if empty
		exposed bool
	}{
		"on this machine":                     {`web: {}`, "", false},
		"on this machine, by name":            {`web: {` + secret + `}`, "", false},
		"allowed, and on loopback":            {`web: {allow_remote: true}`, "", false},
		"IPv6 loopback":                       {`web: {addr: "[::1]:8484"}`, "", false},
		"opened":                              {`web: {addr: "0.0.0.0:8484", allow_remote: true, ` + kim + `}`, "", true},
		"opened to nobody":                    {`web: {addr: "0.0.0.0:8484", allow_remote: true}`, "nobody is named", true},
		"opened by a name of another machine": {`web: {addr: "hermes.lan:8484", allow_remote: true}`, "nobody is named", true},
		"opened without saying so":            {`web: {addr: "10.0.0.1:8484", ` + kim + `}`, "other machines", true},
		"behind a proxy":                      {`web: {url: "https://hermes.example.com", ` + secret + `}`, "", true},
		"behind a proxy, for nobody":          {`web: {url: "https://hermes.example.com"}`, "nobody is named", true},
		"behind a proxy in the clear":         {`web: {url: "http://hermes.example.com", ` + kim + `}`, "in the clear", true},
		"a secret in the clear":               {`web: {addr: "0.0.0.0:8484", allow_remote: true, ` + secret + `}`, "in the clear", true},
		"no role":                             {`web: {users: [{id: kim}]}`, "no role", false},
		"one operator beside Slack":           {slack + `web: {` + kim + `}`, "", false},
		"two beside Slack":                    {slack + `web: {users: [{id: kim, role: admin}, {id: lee, role: viewer}]}`, "one operator", false},
		"two without":                         {`web: {users: [{id: kim, role: admin}, {id: lee, role: viewer}]}`, "", false},
		"a list that is none":                 {`web: {users: kim}`, "not a list", false},
	} {
		cfg, err := config.Load(write(t, tt.text+"\n"))
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "0123456789")) {
			t.Errorf("%s = %v, want %q", name, err, tt.want)
		}
		if err == nil && cfg.Web.Exposed() != tt.exposed {
			t.Errorf("%s: exposed %t, want %t", name, !tt.exposed, tt.exposed)
		}
	}
}
