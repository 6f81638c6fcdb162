package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/agent/tool/post"
	"hermes/bot"
	"hermes/bot/terminal"
	"hermes/scheduler"
	"hermes/scheduler/calendar"
)

// newJob is what `hermes schedule add` asks for.
type newJob struct {
	Spec, Zone, Request, Name, To, Owner, Lang string
}

var opScheduleAdd = asOp("schedule.add", func(ctx context.Context, h *hermes, in newJob) (planned, error) {
	spec, err := calendar.Parse(in.Spec)
	if err != nil {
		return planned{}, err
	}
	loc, err := time.LoadLocation(in.Zone)
	if err != nil {
		return planned{}, fmt.Errorf("zone of the schedule: %w", err)
	}
	if _, ok := spec.Next(h.now(), loc); !ok {
		return planned{}, fmt.Errorf("%s: no time of this is still to come", in.Spec)
	}
	if in.Owner == "" {
		in.Owner = terminal.Owner
	}
	home, err := h.homeOf(ctx, in.Owner)
	if err != nil {
		return planned{}, err
	}
	var id [4]byte
	if _, err := rand.Read(id[:]); err != nil {
		return planned{}, fmt.Errorf("id of the schedule: %w", err)
	}
	now := h.now()
	j := scheduler.Job{
		ID: "j" + hex.EncodeToString(id[:]), Name: in.Name, Spec: spec.String(), Zone: in.Zone, Request: in.Request, Origin: home.String(),
		Owner: in.Owner, Lang: in.Lang, State: scheduler.Active, Created: now, Since: now,
	}
	if in.To != "" {
		if j.To, j.ToName, err = h.channelFor(ctx, home, in.To); err != nil {
			return planned{}, err
		}
	}
	c := tool.Call{Run: j.ID, Asker: j.Owner, Home: j.Origin, Lang: j.Lang}
	switch why, err := h.mayRepeat(ctx, c, j.Request, tool.Artifact{}, post.Target{Place: j.To, Name: j.ToName}); {
	case err != nil:
		return planned{}, err
	case why != "":
		return planned{}, errors.New(why)
	}
	if err := h.db.Jobs().By(terminal.Owner).Add(ctx, j); err != nil {
		return planned{}, err
	}
	return h.planned(ctx, j, 0)
})

// homeOf is where a person is answered: in this terminal, or in their direct messages.
func (h *hermes) homeOf(ctx context.Context, owner string) (bot.Place, error) {
	if owner == terminal.Owner {
		return bot.ParsePlace("terminal/local/chat/")
	}
	home := bot.Place{Channel: bot.UserOf(owner)}
	home.Platform, home.Workspace = origin(owner)
	switch {
	case home.Platform != "slack" || home.Workspace == "" || home.Channel == "":
		return home, fmt.Errorf("--owner %q is nobody in Slack\n  hint: write slack:T0123ABC:U0456DEF; without it, you are, here in the terminal", owner)
	case !h.member(ctx, owner):
		return home, fmt.Errorf("--owner %q is no member of a workspace that is connected\n  hint: the daemon must run and be connected; `hermes check` shows its workspaces", owner)
	}
	return home, nil
}

// channelFor finds a channel that the bot may post in.
func (h *hermes) channelFor(ctx context.Context, home bot.Place, name string) (place, shown string, err error) {
	directories := map[string]bot.Directory{}
	for platform, c := range h.chats {
		if d, ok := c.(bot.Directory); ok {
			directories[platform] = d
		}
	}
	to, err := finder(directories)(ctx, home.String(), name)
	switch {
	case errors.Is(err, post.ErrNoChannel):
		return "", "", fmt.Errorf("--to %q is no channel that the bot sees where the owner is\n  hint: invite it there, and name with --owner somebody of that workspace", name)
	case err != nil:
		return "", "", fmt.Errorf("find channel %s: %w", name, err)
	case !to.Member:
		return "", "", fmt.Errorf("the bot is not a member of %s\n  hint: somebody there must invite it", to.Name)
	}
	return to.Place, to.Name, nil
}

func (s *shell) addSchedule() *cobra.Command {
	var (
		f  whenFlags
		in newJob
	)
	cmd := &cobra.Command{
		Use: "add WHEN REQUEST", Short: "Make a schedule: when, in English or Chinese or as an expression, and what to do each time",
		Example: `  hermes schedule add "every Monday at 9:00" "last week's sales by region as a table" --zone Europe/Berlin
  hermes schedule add 每月最后一个工作日下午5点 "本月各产品的销售额" --zone Asia/Shanghai`,
		Long: `Make a schedule: when, in English or Chinese or as an expression, and what to do each time.

It is answered in this terminal's chat, or in the direct messages of --owner, whose
rights it has. What it posts elsewhere is asked for, as it is in chat.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := s.config()
			if err != nil {
				return err
			}
			if in.Request = strings.TrimSpace(args[1]); in.Request == "" {
				return errors.New("the request is empty\n  hint: say what to do each time")
			}
			now := time.Now()
			f.known = cfg.Schedules.Holidays
			t, err := f.when(args[0], cfg.Zone, now)
			if err != nil {
				return err
			}
			in.Spec, in.Zone, in.Lang = t.spec.String(), t.loc.String(), t.lang
			if in.Name == "" {
				in.Name = shortened(in.Request)
			}
			j, err := inquire[planned](cmd.Context(), s, opScheduleAdd, in)
			if err != nil {
				return err
			}
			p := printer{w: s.out}
			p.f("%s  %s\n", j.ID, j.Name)
			t.tell(&p, now)
			return p.err
		},
	}
	f.on(cmd)
	cmd.Flags().StringVar(&in.Name, "name", "", "a short name (default: the request's beginning)")
	cmd.Flags().StringVar(&in.To, "to", "", "channel that it posts in, such as #sales, where the owner is")
	cmd.Flags().StringVar(&in.Owner, "owner", "", "person whose it is: slack:TEAM:USER (default: you, in the terminal)")
	return cmd
}

// shortened is a request as a name.
func shortened(request string) string {
	const most = 60
	if r := []rune(request); len(r) > most {
		return strings.TrimSpace(string(r[:most])) + "…"
	}
	return request
}

var opScheduleRun = asOp("schedule.run", func(ctx context.Context, h *hermes, in jobArgs) (rehearsed, error) {
	j, err := h.db.Jobs().Job(ctx, in.ID)
	if err != nil {
		return rehearsed{}, jobFault(in.ID, err)
	}
	slot, err := h.scheduler.RunNow(ctx, in.ID)
	if err != nil {
		return rehearsed{}, jobFault(in.ID, err)
	}
	if loc, err := time.LoadLocation(j.Zone); err == nil {
		slot.At, slot.From, slot.To = slot.At.In(loc), slot.From.In(loc), slot.To.In(loc)
	}
	return rehearsed{Run: slot.Run, Trace: run.TraceOf(slot.Run), Origin: or(j.ToName, j.Origin), Slot: slot, Asked: slot.At}, nil
})

func (s *shell) runSchedule() *cobra.Command {
	return &cobra.Command{
		Use: "run ID", Short: "Run a schedule now, as if it were due, about the period of its newest time; it may post what it may post by itself",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := inquire[rehearsed](cmd.Context(), s, opScheduleRun, jobArgs{ID: args[0]})
			if err != nil {
				return err
			}
			p := printer{w: s.out}
			p.f("running %s now\n", args[0])
			r.about(&p)
			return p.err
		},
	}
}

func (s *shell) historyOfSchedule() *cobra.Command {
	rows := 0
	cmd := &cobra.Command{
		Use: "history ID", Short: "Show what became of the times of a schedule, the newest first", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if rows < 1 || rows > 10000 {
				return fmt.Errorf("--rows %d\n  hint: from 1 to 10000", rows)
			}
			j, err := inquire[planned](cmd.Context(), s, opScheduleShow, jobArgs{ID: args[0], Rows: rows})
			if err != nil {
				return err
			}
			p := printer{w: s.out}
			if len(j.Slots) == 0 {
				p.f("%s (%s) has not come yet; next %s\n", j.ID, j.Name, first(j.Next))
			}
			j.slots(&p)
			return p.err
		},
	}
	cmd.Flags().IntVarP(&rows, "rows", "n", 50, "how many")
	return cmd
}
