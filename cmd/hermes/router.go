package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hermes/agent"
	"hermes/agent/llm"
	"hermes/config"
	"hermes/memory"
	"hermes/router"
	"hermes/router/train"
)

// router trains the classifier that tells small talk from questions and tasks, and
// measures it.
func (s *shell) router() *cobra.Command {
	root := &cobra.Command{Use: "router", Short: "Train the router with lines of your own, and measure it"}
	root.AddCommand(s.routerTrain(), s.routerTest())
	return root
}

func (s *shell) routerTrain() *cobra.Command {
	var (
		in           []string
		out, split   string
		fresh, every bool
	)
	cmd := &cobra.Command{
		Use: "train --in FILE... --out FILE", Short: "Make weights of labelled lines", Args: cobra.NoArgs,
		Long: `Make weights for the router of labelled lines: files with one JSON object a line,
{"text": "…", "label": "chitchat|question|task"}. The daemon writes what people correct to
router-corrections.jsonl in its data folder, in this form. The same files give the same
bytes. Name the file under router.weights in the configuration; then start the daemon anew.

It begins with the weights in use, or with --fresh from nothing but Hermes' own lines.`,
		RunE: func(*cobra.Command, []string) error {
			if out == "" {
				return errors.New("--out is missing: name the file that the weights go to")
			}
			lines, err := labelled(in, split)
			if err != nil {
				return err
			}
			if !every {
				lines = train.Shared(lines)
			}
			o := train.Defaults
			if !fresh {
				if o.From, err = s.weights(); err != nil {
					return err
				}
			}
			own := train.Own()
			file := train.Weights(slices.Concat(lines, own), o).Bytes()
			if err := os.WriteFile(out, file, 0o600); err != nil { //nolint:gosec // who runs it names the file
				return fmt.Errorf("router train: %w", err)
			}
			p := printer{w: s.out}
			p.f("%s: %d bytes, of %d lines given and %d of Hermes' own\n", out, len(file), len(lines), len(own))
			return p.err
		},
	}
	cmd.Flags().StringArrayVar(&in, "in", nil, "a file of labelled lines; may be given again")
	cmd.Flags().StringVar(&out, "out", "", "the file that the weights go to")
	cmd.Flags().StringVar(&split, "split", "", "take only lines of this split, such as train")
	cmd.Flags().BoolVar(&fresh, "fresh", false, "begin from nothing instead of the weights in use")
	cmd.Flags().BoolVar(&every, "every", false, "take also lines that may not be handed on (\"share\": false, or share-alike): for a figure, not for weights that you give away")
	return cmd
}

func (s *shell) routerTest() *cobra.Command {
	var (
		in     []string
		split  string
		misses bool
		cross  bool
	)
	cmd := &cobra.Command{
		Use: "test --in FILE...", Short: "Say how often the router is right about labelled lines", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lines, err := labelled(in, split)
			if err != nil {
				return err
			}
			if len(lines) == 0 {
				return errors.New("there are no lines to test with: name a file with --in")
			}
			if cross {
				return train.Cross(cmd.Context(), s.out, lines, train.Own(), train.Defaults)
			}
			l, err := s.weights()
			if err != nil {
				return err
			}
			r := router.New(router.Config{Linear: l}, nil)
			p := printer{w: s.out}
			p.f("%d lines: %s\n", len(lines), train.ScoreOf(cmd.Context(), r, lines))
			for _, l := range lines {
				if misses {
					if d := r.Route(cmd.Context(), router.Message{Text: l.Text, Addressed: true}); d.Kind != l.Label {
						p.f("%s, not %s (%s, %.2f): %s\n", d.Kind, l.Label, d.Reason, d.Confidence, l.Text)
					}
				}
			}
			return p.err
		},
	}
	cmd.Flags().StringArrayVar(&in, "in", nil, "a file of labelled lines; may be given again")
	cmd.Flags().StringVar(&split, "split", "", "take only lines of this split, such as dev")
	cmd.Flags().BoolVar(&misses, "misses", false, "show the lines that it takes for something else")
	cmd.Flags().BoolVar(&cross, "cross", false, "train without each source in turn and test on it: what to expect of lines of another origin")
	return cmd
}

// labelled reads files of lines.
func labelled(files []string, split string) ([]train.Line, error) {
	var all []train.Line
	for _, name := range files {
		f, err := os.Open(name) //nolint:gosec // who runs it names the file
		if err != nil {
			return nil, fmt.Errorf("router: %w", err)
		}
		lines, err := train.Read(name, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		all = append(all, lines...)
	}
	return slices.DeleteFunc(all, func(l train.Line) bool { return split != "" && l.Split != split }), nil
}

// weights are those of the configuration.
func (s *shell) weights() (*router.Linear, error) {
	cfg, err := s.config()
	if err != nil {
		return nil, err
	}
	return routerWeights(cfg)
}

// routerWeights reads the file that the configuration names, or takes those that the
// program brings along.
func routerWeights(cfg config.Config) (*router.Linear, error) {
	name := cfg.Router.Weights
	if name == "" {
		return router.Embedded(), nil
	}
	const hint = "\n  hint: make it with hermes router train, or leave the key out for the built-in weights"
	file, err := os.ReadFile(name) //nolint:gosec // the operator names it
	if err != nil {
		return nil, fmt.Errorf("config: router.weights: %w%s", err, hint)
	}
	l, err := router.ReadLinear(file)
	if err != nil {
		return nil, fmt.Errorf("config: router.weights: %s: %w%s", name, err, hint)
	}
	return l, nil
}

// newRouter is the router with the words of the team.
func newRouter(cfg config.Config, ask router.Classifier) (*router.Router, error) {
	l, err := routerWeights(cfg)
	if err != nil {
		return nil, err
	}
	return router.New(router.Config{Linear: l, Terms: configTerms(cfg), Sure: cfg.Router.AskBelow}, ask), nil
}

// configTerms are the words of the team that the configuration names.
func configTerms(cfg config.Config) []router.Term {
	var all []router.Term
	for _, t := range cfg.Terms {
		kind, which := t.Stands()
		all = append(all, router.Term{Name: t.Name, Tags: []string{kind + ":" + which}})
	}
	return all
}

// namedTools are the words of the team by which a model may call a tool, or take
// something for one.
func namedTools(cfg config.Config) map[string]agent.Named {
	all := map[string]agent.Named{}
	for _, t := range cfg.Terms {
		kind, which := t.Stands()
		all[strings.ToLower(t.Name)] = agent.Named{Tool: t.Tool, Means: strings.TrimPrefix(kind+" "+which, "means ")}
	}
	return all
}

// termFacts are the words of the team in a text, as what is known.
func termFacts(terms []config.Term, text string) []llm.Fact {
	var facts []llm.Fact
	for _, t := range terms {
		if !router.Names(text, t.Name) {
			continue
		}
		kind, which := t.Stands()
		if kind == "tool" || kind == "source" {
			which = "the " + kind + " " + which
		}
		facts = append(facts, llm.Fact{Subject: t.Name, Predicate: memory.Means, Object: which})
	}
	return facts
}
