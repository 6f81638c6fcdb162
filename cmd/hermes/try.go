package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/llm/rules"
	"hermes/agent/tool/querydb"
	"hermes/config"
	"hermes/internal/store"
	"hermes/memory"
	"hermes/router"
	"hermes/scheduler/phrase"
)

// try puts every judgement of the product on lines from standard input: one JSON
// object in, one out, in the same order.
func (s *shell) try() *cobra.Command {
	root := &cobra.Command{
		Use:   "try",
		Short: "Try the product's judgement on lines of JSON from standard input",
	}
	root.AddCommand(
		s.trial("route", "{text} → {kind, reason, confidence, terms}", func(ctx context.Context) (judge, error) {
			cfg, err := s.config()
			if err != nil {
				return nil, err
			}
			r, err := newRouter(cfg, nil)
			if err != nil {
				return nil, err
			}
			return typed(func(in router.TrialInput) any { return r.Try(ctx, in) }), nil
		}),
		s.trial("schedule", "{text, now, tz} or {cron, now, tz} → {kind, next, say, question, spec}", func(context.Context) (judge, error) {
			return typed(func(in phrase.TrialInput) any { return phrase.Try(in) }), nil
		}),
		s.trial("sql", "{sql, dialect} → {allowed, why}", func(context.Context) (judge, error) {
			return typed(func(in sqlTrial) any { return querydb.TrySQL(in.SQL, in.Dialect) }), nil
		}),
		s.tryRedact(),
		s.tryAsk(),
		s.recall(),
		s.tryArgs(),
		s.tryDecision(),
	)
	return root
}

type sqlTrial struct {
	SQL     string `json:"sql"`
	Dialect string `json:"dialect"`
}

// A judge answers one line. Its error is of that line.
type judge func(context.Context, []byte) (any, error)

// typed makes a judge of a function.
func typed[In any](f func(In) any) judge {
	return func(_ context.Context, line []byte) (any, error) {
		var in In
		if err := readTrial(line, &in); err != nil {
			return nil, err
		}
		return f(in), nil
	}
}

// readTrial reads a line. Its error is for people: it names what they wrote, not what
// the program would make of it.
func readTrial(line []byte, in any) error {
	err := json.Unmarshal(line, in)
	var (
		wrong  *json.UnmarshalTypeError
		syntax *json.SyntaxError
	)
	switch {
	case errors.As(err, &wrong):
		at := wrong.Field
		if at == "" {
			at = "the line"
		}
		got, _, _ := strings.Cut(wrong.Value, " ") // a number may stand behind it
		return fmt.Errorf("%s: wants %s; got %s", at, jsonWord(wrong.Type), article(got))
	case errors.As(err, &syntax):
		return fmt.Errorf("the line is not JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return err
}

// jsonWord is what JSON calls values of a type.
func jsonWord(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Pointer:
		return jsonWord(t.Elem())
	default:
		return "a number"
	}
}

// article is a word of encoding/json for a value, as a person says it.
func article(value string) string {
	switch value {
	case "object":
		return "an object"
	case "array":
		return "a list"
	case "bool":
		return "true or false"
	default:
		return "a " + value
	}
}

func (s *shell) trial(name, short string, open func(context.Context) (judge, error)) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			j, err := open(cmd.Context())
			if err != nil {
				return err
			}
			return s.judge(cmd.Context(), j)
		},
	}
}

// judge answers every line. A bad one gets its error, and the rest goes on.
func (s *shell) judge(ctx context.Context, j judge) error {
	in := bufio.NewReaderSize(s.in, 1<<20)
	out := bufio.NewWriter(s.out)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			answer, fault := j(ctx, line)
			if fault != nil {
				answer = map[string]string{"error": fault.Error()}
			}
			if err := enc.Encode(answer); err != nil {
				return fmt.Errorf("write: %w", err)
			}
		}
		switch {
		case errors.Is(err, os.ErrClosed), err != nil && err.Error() == "EOF":
			return out.Flush()
		case err != nil:
			return errors.Join(fmt.Errorf("read standard input: %w", err), out.Flush())
		}
	}
}

func (s *shell) tryAsk() *cobra.Command {
	cmd := s.trial("ask", "{text, turns, now, tz} → {calls, missing, unclaimed, say}: the built-in rules", s.judgeAsk)
	cmd.Long = `Say what the built-in rules would do with a request.

"now" (RFC 3339) is when it is asked and "tz" (IANA) where. A line without "now" is
asked on 2 November 2026, 10:00 UTC, whatever the day is, so that the same line gives
the same answer every day.`
	return cmd
}

// askTrial reads one line. A time or a zone that is none is said: the rules would take
// their own instead.
func askTrial(line []byte) (in rules.TrialInput, err error) {
	if err := readTrial(line, &in); err != nil {
		return in, err
	}
	loc, err := time.LoadLocation(in.Zone)
	if err != nil {
		return in, fmt.Errorf("tz: %q is not a time zone", in.Zone)
	}
	if in.Now == "" {
		return in, nil
	}
	now, err := time.Parse(time.RFC3339, in.Now)
	if err != nil {
		return in, fmt.Errorf("now: %q is no time of RFC 3339, such as 2026-11-02T10:00:00Z", in.Now)
	}
	if in.Zone != "" {
		in.Now = now.In(loc).Format(time.RFC3339) // its day is that of the zone
	}
	return in, nil
}

// judgeAsk reads requests as the built-in rules do, over the configured sources or
// the sample database. The values of its dimensions come from a copy of its own,
// so that a running daemon is not disturbed.
func (s *shell) judgeAsk(ctx context.Context) (judge, error) {
	cfg, err := s.config()
	if err != nil {
		return nil, err
	}
	f, err := tryFigures(ctx, cfg)
	if err != nil {
		return nil, err
	}
	m := rules.New(f.vocabulary(f.sources))
	f.known()
	if err := f.close(); err != nil {
		return nil, err
	}
	return func(_ context.Context, line []byte) (any, error) {
		in, err := askTrial(line)
		if err != nil {
			return nil, err
		}
		return m.Try(in), nil
	}, nil
}

// tryFigures opens the figures with a sample database in a folder that is removed
// at once: its file stays readable to us while it is open.
func tryFigures(ctx context.Context, cfg config.Config) (*figures, error) {
	dir, err := os.MkdirTemp("", "hermes-try-")
	if err != nil {
		return nil, fmt.Errorf("try: %w", err)
	}
	cfg.Data = dir
	f, err := openFigures(ctx, cfg, time.Now, nil)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	f.known()
	return f, os.RemoveAll(dir)
}

// recall keeps what it is given in a store of its own, for this call.
func (s *shell) recall() *cobra.Command {
	return &cobra.Command{
		Use: "recall", Short: "{add: {…}} or {query, k, now} → {ok} or {ids, scores}", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := os.MkdirTemp("", "hermes-try-")
			if err != nil {
				return fmt.Errorf("try: %w", err)
			}
			db, err := store.Open(cmd.Context(), store.Config{DSN: filepath.Join(dir, "try.db"), Log: s.logger("error")})
			if err != nil {
				return errors.Join(err, os.RemoveAll(dir))
			}
			return errors.Join(memory.Try(cmd.Context(), db.Facts(), s.in, s.out), db.Close(), os.RemoveAll(dir))
		},
	}
}
