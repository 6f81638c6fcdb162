package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"hermes/bot/slack"
	"hermes/config"
)

// manifestFile is where init writes the Slack manifest.
const manifestFile = "slack-manifest.yaml"

func (s *shell) initCommand() *cobra.Command {
	show, admin := false, ""
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write an example configuration and the Slack manifest, and ask who may approve",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if show {
				_, err := fmt.Fprint(s.out, config.Example)
				return err
			}
			return s.writeConfig(admin)
		},
	}
	cmd.AddCommand(s.initSlack())
	cmd.Flags().BoolVar(&show, "print", false, "print the example configuration and write nothing")
	cmd.Flags().StringVar(&admin, "admin", "", "the first admin, as platform:workspace:user; asked for if left out")
	return cmd
}

// slackSteps are what is done with a manifest, as comments of it: all that is printed
// is YAML that Slack takes.
const slackSteps = `# 1. Open https://api.slack.com/apps, "Create New App", "From a manifest", and paste this.
# 2. Install it to the workspace, and copy the Bot User OAuth Token: SLACK_BOT_TOKEN.
%s# 4. Put who may approve under admins, and invite the bot to its channels: /invite @%s
# 5. Run "hermes check slack", then "hermes serve".
`

const (
	socketStep = `# 3. Basic Information, App-Level Tokens: make one with connections:write: SLACK_APP_TOKEN.
`
	httpStep = `# 3. Basic Information, App Credentials: copy the Signing Secret: SLACK_SIGNING_SECRET. Slack
#    asks the request URL at once, so "hermes serve" must run there before you save; it
#    listens at slack.listen, and what is in front of it leads https there.
`
)

func (s *shell) initSlack() *cobra.Command {
	name, url := "", ""
	cmd := &cobra.Command{
		Use:   "slack",
		Short: "Print the manifest of the Slack app, and the steps to make it",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			step := socketStep
			if url != "" {
				if !strings.HasPrefix(url, "https://") {
					return fmt.Errorf("--url %q is no https address\n  hint: Slack sends to https alone, for example https://hermes.example.com/slack/default", url)
				}
				step = httpStep
			}
			_, err := fmt.Fprintf(s.out, slackSteps+"%s", step, name, slack.Manifest(name, url))
			return err
		},
	}
	cmd.Flags().StringVar(&name, "name", "hermes", "by which people call the bot")
	cmd.Flags().StringVar(&url, "url", "", "where Slack is to send events by HTTP: https://HOST/slack/default; without it the app uses a socket")
	return cmd
}

// writeConfig writes both files. It overwrites nothing.
func (s *shell) writeConfig(admin string) error {
	name := s.file
	if name == "" {
		name = defaultFile
	}
	for _, f := range []string{name, manifestFile} {
		if _, err := os.Stat(f); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there already, and nothing was written\n  hint: move it away, or name another with --config", f)
		}
	}
	if admin == "" {
		var err error
		if admin, err = s.askAdmin(); err != nil {
			return err
		}
	}
	if admin != "" {
		if err := config.CheckPerson("admins", admin); err != nil {
			return fmt.Errorf("nothing was written: %w", err)
		}
	}
	text := config.Example
	if admin != "" {
		text = strings.Replace(text, "admins: [] ", fmt.Sprintf("admins: [%q] ", admin), 1)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write configuration: %w", err)
	}
	if _, err := config.Load(name, os.Environ()...); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	if err := os.WriteFile(manifestFile, []byte(slack.Manifest("Hermes", "")), 0o600); err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	p := printer{w: s.out}
	p.f("wrote %s and %s\n", name, manifestFile)
	if admin == "" {
		p.f("nobody may approve yet: put a person under admins in %s\n", name)
	}
	p.f("next: the README's Slack steps, then `hermes check`, then `hermes serve`\n")
	return p.err
}

// asks is how often somebody who types is asked for one thing.
const asks = 3

// askAdmin asks for the first admin; an empty line is nobody yet. Who types may
// mistype: they are asked again. A script is not.
func (s *shell) askAdmin() (string, error) {
	p := printer{w: s.out}
	p.f("Who may approve? In Slack: open a profile → ⋮ → Copy member ID, and write slack:TEAM:USER,\nfor example slack:T0123ABC:U0456DEF. Without an admin nobody may approve.\n")
	in := bufio.NewReader(s.in)
	for again := asks - 1; ; again-- {
		p.f("Admin (empty for none yet): ")
		if p.err != nil {
			return "", p.err
		}
		line, err := in.ReadString('\n')
		if err != nil {
			p.f("\n")
		}
		admin := strings.TrimSpace(line)
		fault := config.CheckPerson("admins", admin)
		if admin == "" || fault == nil || err != nil || !s.person || again == 0 {
			return admin, p.err
		}
		p.f("%v\n", fault)
	}
}
