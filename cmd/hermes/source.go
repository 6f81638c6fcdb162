package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/tool/querydb"
	"hermes/config"
	"hermes/internal/sample"
)

// source lists the sources of the configuration, and drafts what may be asked of one.
func (s *shell) source() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "source",
		Short: "List where figures come from, and draft what may be asked of a source",
		Args:  cobra.NoArgs,
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "list",
		Short: "List the sources of the configuration: their kind, where they are, what is declared of them",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			cfg, err := s.config()
			if err != nil {
				return err
			}
			return s.listSources(cfg)
		},
	}, &cobra.Command{
		Use:   "describe NAME",
		Short: "Draft measures, dimensions and their words as YAML, from the schema and the values of a source",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := s.config()
			if err != nil {
				return err
			}
			return s.describeSource(cmd.Context(), cfg, args[0])
		},
	})
	return cmd
}

func (s *shell) listSources(cfg config.Config) error {
	w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	p := printer{w: w}
	p.f("NAME\tKIND\tWHERE\tMEASURES\tDIMENSIONS\n")
	row := func(name, kind, where string, measures, dimensions int) {
		p.f("%s\t%s\t%s\t%d\t%d\n", name, kind, where, measures, dimensions)
	}
	for _, src := range cfg.Sources {
		kind, where := placeOf(src)
		row(src.Name, kind, where, len(src.Measures), len(src.Dimensions))
	}
	if len(cfg.Sources) == 0 {
		l := sample.Layer()
		row(l.Name, cmp.Or(l.Dialect, querydb.SQLite), sampleFile(cfg), len(l.Measures), len(l.Dimensions))
		// What stands below a table is no row of it.
		p.f("\n")
		if err := errors.Join(p.err, w.Flush()); err != nil {
			return err
		}
		p = printer{w: s.out}
		p.f("No sources are configured: this is the sample sales database, with invented figures.\n`hermes init --print` shows how to name your own under sources.\n")
	}
	return errors.Join(p.err, w.Flush())
}

// placeOf says what a source is and where, without what is secret in it.
func placeOf(src config.Source) (kind, where string) {
	switch {
	case src.IsFiles():
		return "files", src.Files.Path
	case src.IsHTTP():
		return "http", querydb.Web{URL: string(src.HTTP.URL)}.Origin()
	case src.Dialect == querydb.SQLite:
		path, _, _ := strings.Cut(strings.TrimPrefix(string(src.DSN), "file:"), "?")
		return src.Dialect, path
	}
	if u, err := url.Parse(string(src.DSN)); err == nil && u.Host != "" {
		return src.Dialect, u.Host + u.Path
	}
	return src.Dialect, "(as its dsn says)"
}

func (s *shell) describeSource(ctx context.Context, cfg config.Config, name string) error {
	var names []string
	for _, src := range cfg.Sources {
		names = append(names, src.Name)
	}
	at := slices.Index(names, name)
	switch {
	case len(names) == 0:
		return errors.New("no sources are configured\n  hint: name one under sources; `hermes init --print` shows how")
	case at < 0:
		return fmt.Errorf("there is no source %q\n  hint: there are: %s", name, strings.Join(names, ", "))
	}
	// What is declared already may be wrong, which is no reason not to draft it anew.
	cfg.Sources = cfg.Sources[at : at+1]
	cfg.Sources[0].Measures, cfg.Sources[0].Dimensions = nil, nil
	f, err := openFigures(ctx, cfg, time.Now, s.logger("warn"))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	draft, err := f.sources[0].Draft(ctx)
	if err := errors.Join(err, f.close()); err != nil {
		return err
	}
	_, err = fmt.Fprint(s.out, draft.YAML())
	return err
}
