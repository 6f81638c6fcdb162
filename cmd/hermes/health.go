package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/bot/slack"
	"hermes/config"
)

var errUnwell = errors.New("the daemon is not ready; the lines marked ✗ say why")

func (s *shell) health() *cobra.Command {
	return &cobra.Command{
		Use:   "health",
		Short: "Say whether the running daemon is ready and hears every Slack workspace; it fails if not",
		Long: "Say whether the running daemon is ready and hears every Slack workspace; it fails if not.\n\n" +
			"It needs the data folder only, and none of the daemon's secrets. The same is answered\n" +
			"without a login as JSON at /readyz of the console's address, and /healthz there says\n" +
			"that the process lives.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.showHealth(cmd.Context()) },
	}
}

func (s *shell) showHealth(ctx context.Context) error {
	dir := s.data
	if dir == "" {
		var err error
		if dir, err = config.Folder(s.configFile()); err != nil {
			return err
		}
	}
	is, err := ready(ctx, dir)
	if err != nil {
		return err
	}
	p := printer{w: s.out}
	for _, a := range is.Checks {
		mark, why := "✓", a.State
		if a.State != "" {
			why += " since " + a.Since.Format(time.RFC3339)
			why += lastHeard(a)
		} else {
			why = map[string]string{"messages": "they are taken up", "answers": "they are brought"}[a.Name]
			if why == "" {
				why = "it answers"
			}
		}
		if !a.Ready {
			mark = "✗"
			if a.State == "" {
				why = a.Why
			} else {
				why += ": " + a.Why
			}
		}
		p.f("%s %s: %s\n", mark, title(a.Name), why)
	}
	if !slices.ContainsFunc(is.Checks, func(a aspect) bool { return strings.HasPrefix(a.Name, "slack ") }) {
		p.f("· no Slack workspace\n")
	}
	if !is.Ready {
		return errors.Join(errUnwell, p.err)
	}
	return p.err
}

// lastHeard says of a workspace when Slack has answered last. What it has
// answered to who was refused is no sign of life.
func lastHeard(a aspect) string {
	switch {
	case a.Age == nil || a.State == string(slack.AuthFailed):
		return ""
	case a.Ready:
		return fmt.Sprintf(", answered %.0f s ago", *a.Age)
	}
	return fmt.Sprintf(", last answer %.0f s ago", *a.Age)
}

// title is the name of an aspect as people read it.
func title(name string) string {
	if workspace, ok := strings.CutPrefix(name, "slack "); ok {
		return "Slack " + workspace
	}
	return name
}

// ready asks the daemon of a data folder whether it is.
func ready(ctx context.Context, dir string) (readiness, error) {
	var is readiness
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://door/readyz", nil)
	if err != nil {
		return is, fmt.Errorf("ask the daemon: %w", err)
	}
	resp, err := doorClient(dir).Do(req)
	if err != nil {
		return is, fmt.Errorf("no daemon answers in %s: not started, or another folder\n  hint: `hermes serve` starts one; --data names another folder", dir)
	}
	defer func() { _ = resp.Body.Close() }() // it was read to its end
	if err := json.NewDecoder(resp.Body).Decode(&is); err != nil {
		return is, fmt.Errorf("answer of the daemon: %w", err)
	}
	return is, nil
}
