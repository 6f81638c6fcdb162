package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/tool"
)

// tools shows what the program can do, as models are told of it.
func (s *shell) tools() *cobra.Command {
	var asJSON, lint, slow bool
	var as, in, profile string
	cmd := &cobra.Command{
		Use:   "tools [NAME]",
		Short: "List the tools with what they do and how they are run, or show one as a model reads it",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case slow:
				return s.showSlow(cmd.Context())
			case as != "":
				return s.showSeen(cmd.Context(), as, in, profile)
			case in != "" || profile != "":
				return errors.New("--in and --profile say where somebody asks\n  hint: name them with --as")
			}
			specs, err := s.toolSpecs(cmd.Context(), len(args) == 1)
			if err != nil {
				return err
			}
			switch {
			case len(args) == 1:
				return s.showTool(specs, args[0])
			case lint:
				return s.lintTools(specs)
			case asJSON:
				return s.toolsJSON(specs)
			}
			return s.listTools(specs)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "everything that is known of each tool, as JSON")
	cmd.Flags().StringVar(&as, "as", "", "which tools and sources this person may use: platform:workspace:user")
	cmd.Flags().StringVar(&in, "in", "", "with --as, in this channel: platform:workspace:channel (default: where they are alone with it)")
	cmd.Flags().StringVar(&profile, "profile", "", "with --as, in this profile of loop.profiles")
	cmd.Flags().BoolVar(&slow, "slow", false, "how the tools of the running daemon have done, the worst first")
	cmd.Flags().BoolVar(&lint, "lint", false, "say what keeps models from using the tools well; status 1 if anything does")
	return cmd
}

// toolSpecs builds the program over a store of its own, so that a running daemon is
// not disturbed, and returns its tools: with their live part if that is wanted, which
// asks the sources.
func (s *shell) toolSpecs(ctx context.Context, live bool) ([]tool.Spec, error) {
	cfg, err := s.config()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "hermes-tools-")
	if err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	cfg.Data, cfg.Database, cfg.Reports.Dir = dir, "", ""
	// Whoever looks for a tool's name may have it wrong in the configuration.
	cfg.Loop.Interrupt, cfg.Loop.Profiles, cfg.Exec.Tools, cfg.Rights = nil, nil, nil, nil
	h, err := build(ctx, cfg, s.logger("error"), time.Now)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	specs := h.tools.Specs()
	if live {
		names := make([]string, len(specs)) // keeps those that a model is told of later
		for i, t := range specs {
			names[i] = t.Name
		}
		specs = tool.NewCatalog(h.tools, time.Now).For(ctx, tool.Viewer{Lang: "en"}, "", len(specs), names)
	}
	return specs, errors.Join(h.close(), os.RemoveAll(dir))
}

func (s *shell) listTools(specs []tool.Spec) error {
	w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	p := printer{w: w}
	p.f("NAME\tEFFECT\tCLASS\tTIMEOUT\tALONE\tREPEATABLE\tIDEMPOTENT\tRESTRICTIONS\n")
	for _, t := range specs {
		p.f("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", t.Name, t.Does(), t.Class, limitOf(t.Timeout), yes(t.Unattended), yes(t.Repeatable),
			yes(t.Idempotent || t.Effect != tool.Write), or(t.Restrictions, "-"))
	}
	return errors.Join(p.err, w.Flush())
}

func limitOf(d time.Duration) string {
	if d == 0 {
		return "of class"
	}
	return d.String()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "-"
}

func (s *shell) showTool(specs []tool.Spec, name string) error {
	var names []string
	for _, t := range specs {
		if names = append(names, t.Name); t.Name != name {
			continue
		}
		var schema bytes.Buffer
		if err := json.Indent(&schema, t.Schema, "", "  "); err != nil {
			return fmt.Errorf("schema of %s: %w", name, err)
		}
		_, err := fmt.Fprintf(s.out, "%s (%s)\n\n%s\n\n%s\n", t.Name, t.Does(), t.Text(), &schema)
		return err
	}
	return errors.New(tool.Unknown(name, names))
}

var errLint = errors.New("models may use these tools badly; see the lines above")

func (s *shell) lintTools(specs []tool.Spec) error {
	found := tool.Lint(specs)
	if len(found) == 0 {
		_, err := fmt.Fprintf(s.out, "%d tools, nothing to mend\n", len(specs))
		return err
	}
	_, err := fmt.Fprintln(s.out, strings.Join(found, "\n"))
	return errors.Join(errLint, err)
}

// toolEntry is a Spec for readers of JSON.
type toolEntry struct {
	Name         string            `json:"name"`
	Description  string            `json:"description"`
	Restrictions string            `json:"restrictions"`
	Parameters   json.RawMessage   `json:"parameters"`
	Output       json.RawMessage   `json:"output"`
	Aliases      map[string]string `json:"aliases"`
	Examples     []json.RawMessage `json:"examples"`
	Effect       string            `json:"effect"`
	Unattended   bool              `json:"unattended"`
	Class        string            `json:"class"`
	Timeout      string            `json:"timeout"`
	Attempts     int               `json:"attempts"`
	Idempotent   bool              `json:"idempotent"`
	Repeatable   bool              `json:"repeatable"`
	Alternates   []string          `json:"alternates"`
	Limit        int               `json:"limit"`
	Truncate     string            `json:"truncate"`
	Screen       []string          `json:"screen"`
	Words        []string          `json:"words"`
	Always       bool              `json:"always"`
	Version      int               `json:"version"`
	Changes      []tool.Change     `json:"changes"`
	Formerly     []string          `json:"formerly"`
}

func (s *shell) toolsJSON(specs []tool.Spec) error {
	entries := []toolEntry{}
	for _, t := range specs {
		entries = append(entries, toolEntry{
			Name: t.Name, Description: t.Description, Restrictions: t.Restrictions, Parameters: t.Schema, Output: t.Output,
			Aliases: t.Aliases, Examples: t.Examples, Effect: t.Does().String(), Unattended: t.Unattended, Class: t.Class.String(),
			Timeout: limitOf(t.Timeout), Attempts: t.Attempts, Idempotent: t.Idempotent, Repeatable: t.Repeatable, Alternates: t.Alternates,
			Limit: t.Limit, Truncate: string(t.Truncate), Screen: t.Screen, Words: t.Words, Always: t.Always, Version: t.Version, Changes: t.Changes,
			Formerly: slices.Sorted(maps.Keys(t.Formerly)),
		})
	}
	enc := json.NewEncoder(s.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(entries)
}
