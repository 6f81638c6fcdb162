package main

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/bot/web"
	"hermes/config"
)

// Issue 5, console: who may decide on the page. In the demo it is the lead; of named users
// it is whose role it is; beside Slack the one operator decides where the configuration
// names them, and their role gives them nothing.
func TestWhoDecidesOnTheConsole(t *testing.T) {
	slack := config.Slack{APIURL: "https://slack.com/api/", AppToken: "xapp-1", BotToken: "xoxb-1", Listen: "127.0.0.1:0"}
	users := []config.WebUser{{ID: "ada", Role: "admin"}, {ID: "kim", Role: "approver"}, {ID: "vic", Role: "viewer"}, {ID: "odd", Role: "root"}}
	for name, tt := range map[string]struct {
		change            func(*config.Config)
		admins, approvers []string
		demo              bool
	}{
		"the demo":                   {func(*config.Config) {}, []string{"web:demo:lead"}, nil, true},
		"named users":                {func(c *config.Config) { c.Web.Users = users }, []string{"web:local:ada"}, []string{"web:local:kim"}, false},
		"beside Slack":               {func(c *config.Config) { c.Slack = slack }, nil, nil, false},
		"beside Slack, an admin":     {func(c *config.Config) { c.Slack, c.Web.Users = slack, users[:1] }, nil, nil, false},
		"beside Slack, one named":    {func(c *config.Config) { c.Slack, c.Web.Users, c.Admins = slack, users[:1], []string{"web:local:ada"} }, []string{"web:local:ada"}, nil, false},
		"beside Slack, owner, named": {func(c *config.Config) { c.Slack, c.Admins = slack, []string{"web:local:owner"} }, []string{"web:local:owner"}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, err := config.Load("")
			if err != nil {
				t.Fatal(err)
			}
			cfg.Data, cfg.Web.Addr = t.TempDir(), "127.0.0.1:0"
			tt.change(&cfg)
			h, err := build(t.Context(), cfg, slog.New(slog.DiscardHandler), time.Now)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { err = errors.Join(err, h.close()) }()
			var admins []string
			for _, p := range h.deciders.Admins {
				if strings.HasPrefix(p, "web:") {
					admins = append(admins, p)
				}
			}
			if !slices.Equal(admins, tt.admins) || !slices.Equal(h.deciders.Approvers, tt.approvers) || h.demo() != tt.demo {
				t.Errorf("admins %q, approvers %q, demo %t", admins, h.deciders.Approvers, h.demo())
			}
			for _, p := range []string{"web:local:kim", "web:local:vic", "web:local:odd", "web:demo:analyst"} {
				if h.isAdmin(p) {
					t.Errorf("%s is an admin", p)
				}
			}
			page := h.page(nil)
			if (page.Demo != nil) != tt.demo || len(page.Users) != len(cfg.Web.Users) || (len(page.Rooms) > 0) != (len(cfg.AllWorkspaces()) == 0) {
				t.Errorf("page = %+v", page)
			}
		})
	}
}

// A link is for a user who is named, and who asks for another is told who there is.
func TestALinkForSomebody(t *testing.T) {
	dir := t.TempDir()
	h, end := raise(t, dir)
	defer end()
	h.cfg.Web.Users = []config.WebUser{{ID: "kim", Role: "approver"}, {ID: "vic", Role: "viewer"}}
	h.web = web.New(h.page(nil), h.desk, h.db.Artifacts(), h.log, h.now)
	if _, err := h.web.Listen(t.Context()); err != nil {
		t.Fatal(err)
	}
	for user, want := range map[string]string{"kim": "", "vic": "", "": "web.users has kim, vic", "bob": "web.users has kim, vic"} {
		url, err := opURL.do(t.Context(), h, []byte(`{"user":"`+user+`"}`))
		if want == "" && (err != nil || !strings.Contains(url.(string), "/in?code=")) || want != "" && (err == nil || !strings.Contains(err.Error(), "hint: "+want)) {
			t.Errorf("link for %q = %v, %v", user, url, err)
		}
	}
}
