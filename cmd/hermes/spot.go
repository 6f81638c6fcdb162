package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hermes/bot"
	"hermes/bot/terminal"
	"hermes/config"
)

// spotCheck is the weekly look of people at what was done, as it is configured.
func (h *hermes) spotCheck(c config.SpotCheck, directories map[string]bot.Directory) bot.SpotCheck {
	if !c.On() {
		return bot.SpotCheck{}
	}
	f := strings.SplitN(c.Channel, ":", 3)
	s := bot.SpotCheck{Place: bot.Place{Platform: f[0], Workspace: f[1], Channel: f[2]}, N: c.Count}
	s.Day, s.At, _ = c.At() // it was checked
	s.Fits = func(ctx context.Context, home bot.Place) bool {
		d, ok := directories[home.Platform]
		if !ok || direct(home) {
			return false
		}
		to, err := d.Channel(ctx, s.Place, home.Channel)
		if err != nil && !errors.Is(err, bot.ErrNoChannel) {
			h.log.Warn("nobody can say who reads a channel; nothing of it is shown in the spot check", "place", home, "err", err)
		}
		return err == nil && !to.Private && to.Place.Channel == home.Channel
	}
	return s
}

// spotKept is how far back `hermes spot list` goes.
const spotKept = 26 * 7 * 24 * time.Hour

var opSpotList = asOp("spot.list", func(ctx context.Context, h *hermes, _ struct{}) ([]bot.Sample, error) {
	all, err := h.db.Spots().Judged(ctx, h.now().Add(-spotKept))
	if all == nil {
		all = []bot.Sample{}
	}
	return all, err
})

type verdictArgs struct {
	Key   string      `json:"key"`
	Trace string      `json:"trace"`
	Says  bot.Finding `json:"says"`
}

var opSpotJudge = asOp("spot.judge", func(ctx context.Context, h *hermes, in verdictArgs) (bot.Sample, error) {
	all, err := h.db.Spots().Judged(ctx, h.now().Add(-spotKept))
	if err != nil {
		return bot.Sample{}, err
	}
	i := slices.IndexFunc(all, func(s bot.Sample) bool { return s.Trace == in.Trace })
	if i < 0 {
		return bot.Sample{}, fmt.Errorf("%w: %s was drawn for no spot check\n  hint: `hermes spot list` shows what was", bot.ErrNoRun, in.Trace)
	}
	return h.bot.JudgeSpot(ctx, bot.Verdict{
		Week: all[i].Week, N: all[i].N, Person: terminal.Owner, Name: "the operator", Says: in.Says, Press: in.Key, At: h.now(),
	})
})

func (s *shell) spot() *cobra.Command {
	root := &cobra.Command{Use: "spot", Short: "Look at what people have found in the weekly spot checks, and judge a run"}
	root.AddCommand(&cobra.Command{
		Use: "list", Short: "List what was drawn, with what people have found, and count it", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := s.config()
			if err != nil {
				return err
			}
			all, err := inquire[[]bot.Sample](cmd.Context(), s, opSpotList, struct{}{})
			if err != nil {
				return err
			}
			return s.listSpots(cfg.SpotCheck, all)
		},
	}, &cobra.Command{
		Use: "judge TRACE right|wrong|unclear", Short: "Say what you find of a run that was drawn", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			says := bot.Finding(strings.ToLower(args[1]))
			if !slices.Contains(bot.Findings(), says) {
				return fmt.Errorf("%q is no verdict\n  hint: write right, wrong or unclear", args[1])
			}
			x, err := inquire[bot.Sample](cmd.Context(), s, opSpotJudge, verdictArgs{Key: newKey(), Trace: args[0], Says: says})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(s.out, "%s is %s; %d said so far\n", x.Trace, says, len(x.Verdicts))
			return err
		},
	})
	return root
}

func (s *shell) listSpots(c config.SpotCheck, all []bot.Sample) error {
	if len(all) == 0 {
		said := "nothing was drawn yet: the next spot check is " + c.When + " in " + c.Channel
		if !c.On() {
			said = "there are no spot checks: spot_check.channel says where to ask people"
		}
		_, err := fmt.Fprintln(s.out, said)
		return err
	}
	w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	p := printer{w: w}
	p.f("WEEK\tN\tTRACE\tFOUND\tBY\n")
	count := map[bot.Finding]int{}
	open := 0
	for _, x := range all {
		found, by := "-", "-"
		for i, v := range x.Verdicts {
			count[v.Says]++
			if i == 0 {
				found, by = "", ""
			} else {
				found, by = found+", ", by+", "
			}
			found, by = found+string(v.Says), by+v.Person
		}
		if len(x.Verdicts) == 0 {
			open++
		}
		p.f("%s\t%s\t%s\t%s\t%s\n", x.Week, strconv.Itoa(x.N), x.Trace, found, by)
	}
	if err := errors.Join(p.err, w.Flush()); err != nil {
		return err
	}
	_, err := fmt.Fprintf(s.out, "\n%d drawn: %d right, %d wrong, %d unclear; nobody has looked at %d\n", len(all), count[bot.Right], count[bot.Wrong], count[bot.Unclear], open)
	return err
}
