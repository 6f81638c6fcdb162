package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/run"
	"hermes/bot/terminal"
	"hermes/scheduler"
	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// A planned job is what `hermes schedule` shows.
type planned struct {
	ID, Name, When, Zone, To, Owner, State string
	Policy                                 string // where it is not as configured
	Next                                   []time.Time
	Slots                                  []scheduler.Slot
	Grants                                 []run.Grant
}

func (h *hermes) planned(ctx context.Context, j scheduler.Job, slots int) (planned, error) {
	p := planned{ID: j.ID, Name: j.Name, When: j.Spec, Zone: j.Zone, To: j.ToName, Owner: j.Owner, State: string(j.State), Policy: sayPolicy(j.Policy)}
	s, err := calendar.Parse(j.Spec)
	if err != nil {
		return p, fmt.Errorf("schedule of job %s: %w", j.ID, err)
	}
	p.When = phrase.Say(s, j.Lang)
	p.Next = h.deskConfig().Next(j, 5)
	if p.Slots, err = h.db.Jobs().Slots(ctx, j.ID, slots); err != nil {
		return p, err
	}
	p.Grants, err = h.db.Runs().Grants(ctx, j.ID)
	return p, err
}

var opScheduleList = asOp("schedule.list", func(ctx context.Context, h *hermes, _ struct{}) ([]planned, error) {
	jobs, err := h.db.Jobs().Jobs(ctx)
	if err != nil {
		return nil, err
	}
	all := []planned{}
	for _, j := range jobs {
		p, err := h.planned(ctx, j, 1)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
})

type jobArgs struct {
	ID string `json:"id"`
	To string `json:"to,omitempty"`
	At string `json:"at,omitempty"` // RFC 3339, or a wall time of the job's zone
	// Rows is how many slots are wanted; 0 is 50.
	Rows int `json:"rows,omitempty"`
}

var opScheduleShow = asOp("schedule.show", func(ctx context.Context, h *hermes, in jobArgs) (planned, error) {
	j, err := h.db.Jobs().Job(ctx, in.ID)
	if err != nil {
		return planned{}, jobFault(in.ID, err)
	}
	return h.planned(ctx, j, cmp.Or(in.Rows, 50))
})

var opScheduleSet = asOp("schedule.set", func(ctx context.Context, h *hermes, in jobArgs) (planned, error) {
	j, err := h.db.Jobs().Job(ctx, in.ID)
	if err != nil {
		return planned{}, jobFault(in.ID, err)
	}
	if in.To == string(scheduler.Active) {
		if why, err := h.staysPaused(ctx, j, "en"); err != nil || why != "" {
			return planned{}, cmp.Or(err, errors.New(why))
		}
	}
	if j, err = setState(ctx, h.db.Jobs().By(terminal.Owner), j, scheduler.State(in.To), h.now()); err != nil {
		return planned{}, err
	}
	return h.planned(ctx, j, 1)
})

// rehearsed is what the caller can follow.
type rehearsed struct {
	Run, Trace, Origin string
	Slot               scheduler.Slot
	Asked              time.Time // the time that was named, in the zone of the schedule
}

var opRehearse = asOp("schedule.rehearse", func(ctx context.Context, h *hermes, in jobArgs) (rehearsed, error) {
	j, err := h.db.Jobs().Job(ctx, in.ID)
	if err != nil {
		return rehearsed{}, jobFault(in.ID, err)
	}
	at, err := slotTime(in.At, j.Zone, h.now())
	if err != nil {
		return rehearsed{}, err
	}
	slot, err := slotFrom(j, at)
	if err != nil {
		return rehearsed{}, err
	}
	key, err := h.scheduler.Rehearse(ctx, in.ID, slot.At)
	if err != nil {
		return rehearsed{}, fmt.Errorf("rehearse %s: %w", in.ID, err)
	}
	return rehearsed{key, run.TraceOf(key), j.Origin, slot, at.In(slot.At.Location())}, nil
})

// slotFrom is the slot of a job at a time, or the first one after it.
func slotFrom(j scheduler.Job, at time.Time) (scheduler.Slot, error) {
	slot, ok, err := j.SlotFrom(at)
	if err != nil || ok {
		return slot, err
	}
	loc, err := time.LoadLocation(j.Zone)
	if err != nil {
		return slot, fmt.Errorf("zone of job %s: %w", j.ID, err)
	}
	return slot, fmt.Errorf("schedule %s has no slot at or after %s\n  hint: `hermes schedule show %s` shows its times; name an earlier one with --at", j.ID, at.In(loc).Format(slotLayout), j.ID)
}

const slotLayout = "2006-01-02 15:04"

// tell says which slot is rehearsed and why that one, and what it is about.
func (r rehearsed) tell(p *printer) {
	p.f("rehearsing the slot of %s (%s)", r.Slot.At.Format(slotLayout), r.Slot.Zone)
	if !r.Slot.At.Equal(r.Asked) {
		p.f(", the first one after %s, since the schedule has none then", r.Asked.Format(slotLayout))
	}
	p.f("\n")
	r.about(p)
}

// about says what a slot is about, and where its result comes to.
func (r rehearsed) about(p *printer) {
	if from, last := r.Slot.From, r.Slot.To.Add(-time.Second); !from.IsZero() && last.After(from) {
		p.f("it is about %s to %s\n", from.Format(time.DateOnly), last.Format(time.DateOnly))
	}
	p.f("the result comes to %s; `hermes trace %s` shows its steps\n", r.Origin, r.Trace)
}

// slotTime reads a time that is either RFC 3339 or a wall time in a zone; an empty
// one is now.
func slotTime(text, zone string, now time.Time) (time.Time, error) {
	if text == "" {
		return now, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return time.Time{}, fmt.Errorf("zone of the schedule: %w", err)
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, text, loc); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("--at %q is no time\n  hint: write 2026-12-01T09:00 (in the schedule's zone, %s), or with an offset 2026-12-01T09:00:00+01:00", text, zone)
}

func jobFault(id string, err error) error {
	if errors.Is(err, scheduler.ErrNoJob) {
		return fmt.Errorf("%w: %s\n  hint: `hermes schedule list` shows their ids", scheduler.ErrNoJob, id)
	}
	return fmt.Errorf("schedule %s: %w", id, err)
}

func (s *shell) schedule() *cobra.Command {
	root := &cobra.Command{Use: "schedule", Short: "Make, show, pause, resume, run, rehearse and delete schedules, and say how words for times are understood"}
	root.AddCommand(&cobra.Command{
		Use: "list", Short: "List schedules with their next times", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := inquire[[]planned](cmd.Context(), s, opScheduleList, struct{}{})
			if err != nil {
				return err
			}
			if len(all) == 0 {
				_, err := fmt.Fprintln(s.out, "no schedules yet; they are made in chat (\"… every month on the 1st at 9:00\"), or by `hermes schedule add`")
				return err
			}
			w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
			p := printer{w: w}
			p.f("ID\tSTATE\tWHEN\tTO\tNEXT\tNAME\n")
			for _, j := range all {
				p.f("%s\t%s\t%s (%s)\t%s\t%s\t%s\n", j.ID, j.State, j.When, j.Zone, or(j.To, "origin"), first(j.Next), j.Name)
			}
			return errors.Join(p.err, w.Flush())
		},
	}, &cobra.Command{
		Use: "show ID", Short: "Show one schedule with its slots and grants", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			j, err := inquire[planned](cmd.Context(), s, opScheduleShow, jobArgs{ID: args[0]})
			if err != nil {
				return err
			}
			return s.showJob(j)
		},
	})
	for verb, state := range map[string]scheduler.State{"pause": scheduler.Paused, "resume": scheduler.Active, "delete": scheduler.Deleted} {
		root.AddCommand(&cobra.Command{
			Use: verb + " ID", Short: strings.ToUpper(verb[:1]) + verb[1:] + " a schedule", Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				j, err := inquire[planned](cmd.Context(), s, opScheduleSet, jobArgs{ID: args[0], To: string(state)})
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(s.out, "%s (%s) is %s\n", j.ID, j.Name, j.State)
				return err
			},
		})
	}
	at := ""
	rehearse := &cobra.Command{
		Use: "rehearse ID", Short: "Run a slot to where the schedule was made only: no post elsewhere, no grant used", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := inquire[rehearsed](cmd.Context(), s, opRehearse, jobArgs{ID: args[0], At: at})
			if err != nil {
				return err
			}
			p := printer{w: s.out}
			r.tell(&p)
			return p.err
		},
	}
	rehearse.Flags().StringVar(&at, "at", "", "the slot at this time, or the first one after it, which is named: 2026-12-01T09:00 in its zone, or RFC 3339 (default: now)")
	root.AddCommand(rehearse, s.addSchedule(), s.previewSchedule(), s.runSchedule(), s.historyOfSchedule(), s.setSchedule())
	return root
}

func (s *shell) showJob(j planned) error {
	p := printer{w: s.out}
	p.f("%s  %s\n%s (%s), %s\nposts to %s, owned by %s\n", j.ID, j.Name, j.When, j.Zone, j.State, or(j.To, "where it was made"), j.Owner)
	if j.Policy != "" {
		p.f("%s\n", j.Policy)
	}
	for i, t := range j.Next {
		if i == 0 {
			p.f("\nnext:\n")
		}
		p.f("  %s\n", t.Format("Mon 2006-01-02 15:04 MST"))
	}
	for _, g := range j.Grants {
		p.f("\ngrant %s: %s until %s, %d of %d used, given by %s\n", g.ID, g.Tool, g.Until.Format(time.DateOnly), g.Uses, g.Max, g.By)
	}
	if len(j.Slots) > 0 {
		p.f("\nslots:\n")
	}
	j.slots(&p)
	return p.err
}

func (j planned) slots(p *printer) {
	for _, sl := range j.Slots {
		reason := sl.Reason
		if sl.Tries > 0 {
			reason = strings.TrimSpace(fmt.Sprintf("%s (tried %d times)", reason, sl.Tries+1))
		}
		p.f("  %s  %-8s  %s..%s  %s %s\n", sl.Nominal, sl.State, sl.From.Format(time.DateOnly), sl.To.Format(time.DateOnly), reason, sl.Link)
	}
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func first(times []time.Time) string {
	if len(times) == 0 {
		return "-"
	}
	return times[0].Format("2006-01-02 15:04")
}
