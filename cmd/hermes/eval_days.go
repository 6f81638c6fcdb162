package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/eval"
)

func (s *shell) evalFortnight() *cobra.Command {
	var seed uint64
	var asJSON, verbose bool
	c := &cobra.Command{
		Use: "fortnight", Short: "Play two weeks of an office, 84 tasks, and print the figures; the status is 1 if one misses its target", Args: cobra.NoArgs,
		Long: "Store, scheduler, chat bot, agent, tools, approvals and the sample database are the real ones, on a clock of their own, in a folder that is deleted\n" +
			"afterwards; the model follows a script for each task, and the faults of model, tools, store and chat are fixed by the seed.\n\n" +
			"First pass is what ended without a button or a message of a person; what a guard has ended with a part of the answer is counted in it, and named.\n" +
			"Modelled are a call of the model (0.7 s, 0.25 ms for each token read, 18 ms for each written, times a log-normal factor with the median 1 and the\n" +
			"95th percentile 2), a question to the database (0.8 s, or 10 s when it does not answer), a report (1.2 s) and a call of the chat (0.35 s). Tokens are\n" +
			"counted by the program, by its own estimate of what it has really sent and got. The time of people is left out. The overhead is really measured.",
		RunE: func(c *cobra.Command, _ []string) error {
			return inFolder(func(dir string) error {
				f, err := eval.Fortnight(c.Context(), dir, seed)
				if err != nil {
					return err
				}
				if asJSON {
					err = s.printJSON(f)
				} else {
					err = f.Print(s.out, verbose)
				}
				if missed, faults := len(f.Missed()), len(f.Faults); err == nil && missed+faults > 0 {
					err = fmt.Errorf("%d targets were missed, and %d promises broken\n  hint: they are named above", missed, faults)
				}
				return err
			})
		},
	}
	c.Flags().Uint64Var(&seed, "seed", 1, "of faults and of what is left to chance")
	c.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	c.Flags().BoolVar(&verbose, "verbose", false, "print a line for each task")
	return c
}

func (s *shell) evalYears() *cobra.Command {
	var seed uint64
	var jobs, days int
	var asJSON bool
	c := &cobra.Command{
		Use: "years", Short: "Play two years of 200 schedules with outages; the status is 1 if a slot is lost, doubled or about another time", Args: cobra.NoArgs,
		Long: "People ask for reports in the chat and approve them; then two years pass on a clock of their own, with restarts, crashes at every point of the work,\n" +
			"a suspended host, a clock that jumps, a chat that is away, says 429 and 5xx or loses its answers, archived channels, and schedules that are changed,\n" +
			"paused and deleted. Afterwards an oracle that knows nothing of the scheduler, and walks over days and minutes, says which slots there must be: each has\n" +
			"one row with its state and a reason, each report that was due one post, about its own period. Each slot that has not is named.",
		RunE: func(c *cobra.Command, _ []string) error {
			if jobs < 1 || jobs > 999 || days < 30 || days > 3650 {
				return errors.New("too few or too many\n  hint: --jobs 1 to 999, --days 30 to 3650")
			}
			debug.SetGCPercent(400) // a fifth of the time, where nobody wants the memory
			return inFolder(func(dir string) error {
				y, err := eval.Years(c.Context(), dir, seed, jobs, time.Duration(days)*24*time.Hour)
				if err != nil {
					return err
				}
				if asJSON {
					err = s.printJSON(y)
				} else {
					err = y.Print(s.out)
				}
				if err == nil && len(y.Faults) > 0 {
					err = fmt.Errorf("%d slots are not as they must be\n  hint: they are named above", len(y.Faults))
				}
				return err
			})
		},
	}
	c.Flags().Uint64Var(&seed, "seed", 1, "of misfortunes")
	c.Flags().IntVar(&jobs, "jobs", eval.YearsJobs, "how many schedules")
	c.Flags().IntVar(&days, "days", int(eval.YearsLong/(24*time.Hour)), "how long")
	c.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return c
}

// inFolder does something in a folder that is there for it alone.
func inFolder(do func(dir string) error) (err error) {
	dir, err := os.MkdirTemp("", "hermes-eval-")
	if err != nil {
		return fmt.Errorf("folder of the run: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	return do(dir)
}

func (s *shell) printJSON(v any) error {
	enc := json.NewEncoder(s.out)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}
