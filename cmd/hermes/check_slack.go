package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/guard"
	"hermes/bot"
	"hermes/bot/slack"
	"hermes/config"
	"hermes/scheduler"
)

func (s *shell) checkSlackCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "slack",
		Short: "Check the Slack workspaces alone: tokens, scopes, events, channels, and who may talk and approve",
		Long: "Check the Slack workspaces alone: tokens, scopes, events, channels, and who may talk and approve.\n\n" +
			"Slack tells no app which events it sends. With an app configuration token in\n" +
			appSettings + " (api.slack.com/apps, Your App Configuration Tokens) each event is looked\n" +
			"at in the app's configuration; without one it is said how each shows.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := s.config()
			if err != nil {
				return err
			}
			c := checking{printer: printer{w: s.out}}
			if len(cfg.AllWorkspaces()) == 0 {
				c.report("Slack", errors.New("no workspace is configured, so there is nothing to check"), noWorkspace)
				return c.end()
			}
			s.checkSlacks(cmd.Context(), cfg, &c)
			return c.end()
		},
	}
}

// appSettings names the variable that may have a token for the configuration of the app,
// which is good for hours and for nothing but this check.
const appSettings = "SLACK_CONFIG_TOKEN"

// noWorkspace says how to name one.
const noWorkspace = "set SLACK_BOT_TOKEN, and SLACK_APP_TOKEN for a socket or SLACK_SIGNING_SECRET for HTTP, in this command's environment, " +
	"or name workspaces under slack in the configuration; `hermes init slack` says where they come from"

// checkSlacks looks at every workspace, and says who the bot works for and who may
// approve.
func (s *shell) checkSlacks(ctx context.Context, cfg config.Config, c *checking) {
	spaces := cfg.AllWorkspaces()
	if len(spaces) == 0 {
		c.f("· no Slack workspace: the console is a demo workspace, where the lead may approve\n")
		c.sayApprovals(cfg, nil, time.Now())
		return
	}
	if len(cfg.Admins) == 0 {
		c.report("admins", errors.New("nobody may approve"), "put a person under admins: slack:TEAM:USER; `hermes init` asks for one")
	}
	channels, err := s.reportChannels(ctx, cfg)
	if err != nil {
		c.report("channels of schedules", err, "")
	}
	known := headcount{}
	for _, w := range spaces {
		for _, f := range s.checkWorkspace(ctx, cfg, w, channels, known) {
			if f.Open {
				c.f("· Slack %s: %s\n", w.Name, f.What)
				continue
			}
			c.report("Slack "+w.Name+": "+f.What, f.Err, f.Hint)
		}
	}
	c.sayApprovals(cfg, known, time.Now())
	p := cfg.Policy
	c.f("· it works for members; guests: %s, other organisations: %s, other bots: %s\n", p.Guests, p.External, p.Bots)
	if len(p.Users) > 0 {
		c.f("· and only for %d persons of policy.users\n", len(p.Users))
	}
	if len(p.Channels) > 0 {
		c.f("· in %d channels of policy.channels, and in direct messages\n", len(p.Channels))
	}
}

// checkWorkspace looks at one, and counts in known who may decide there.
func (s *shell) checkWorkspace(ctx context.Context, cfg config.Config, w config.Workspace, channels []bot.Place, known headcount) []slack.Finding {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	sl := slack.New(slack.Config{
		Name: w.Name, APIURL: cfg.Slack.APIURL,
		AppToken: string(w.AppToken), BotToken: string(w.BotToken), SigningSecret: string(w.SigningSecret),
	}, nil, s.logger("error"))
	checks := slack.Checks{Channels: channels, ConfigToken: os.Getenv(appSettings)}
	checks.Approvers, checks.Groups = decidersNamed(cfg)
	if w.ByHTTP() {
		checks.Endpoint = "http://" + cfg.Slack.Listen + config.SlackPath(w.Name)
	}
	all := sl.Check(ctx, checks)
	for _, who := range checks.Approvers {
		if n, ok := sl.Heads(ctx, who); ok {
			known[who] = n
		}
	}
	for _, group := range checks.Groups {
		if n, ok := sl.HeadsOf(ctx, group); ok {
			known[guard.GroupMark+group] = n
		}
	}
	return all
}

// opChannels answers where in Slack schedules post to.
var opChannels = asOp("slack.channels", func(ctx context.Context, h *hermes, _ struct{}) ([]bot.Place, error) {
	jobs, err := h.db.Jobs().Jobs(ctx)
	if err != nil {
		return nil, err
	}
	all := []bot.Place{}
	for _, j := range jobs {
		p, err := bot.ParsePlace(j.To)
		if err == nil && j.State == scheduler.Active && p.Platform == "slack" && !direct(p) && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all, nil
})

// reportChannels are the channels that schedules post to; none if nothing was ever
// kept.
func (s *shell) reportChannels(ctx context.Context, cfg config.Config) ([]bot.Place, error) {
	if _, err := os.Stat(cfg.Data); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	all, err := inquire[[]bot.Place](ctx, s, opChannels, struct{}{})
	if err != nil {
		return nil, fmt.Errorf("not looked at: %w", err)
	}
	return all, nil
}
