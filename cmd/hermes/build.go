package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"hermes/agent"
	"hermes/agent/file"
	"hermes/agent/guard"
	"hermes/agent/result"
	"hermes/agent/tool"
	"hermes/agent/tool/ask"
	"hermes/agent/tool/audit"
	toolmemory "hermes/agent/tool/memory"
	"hermes/agent/tool/post"
	"hermes/agent/tool/querydb"
	"hermes/agent/tool/report"
	"hermes/agent/tool/saved"
	"hermes/agent/tool/schedule"
	"hermes/agent/tool/section"
	"hermes/agent/tool/takeback"
	"hermes/bot"
	"hermes/bot/slack"
	"hermes/bot/terminal"
	"hermes/bot/web"
	"hermes/config"
	"hermes/internal/redact"
	"hermes/internal/store"
	"hermes/internal/trace"
	"hermes/memory"
	"hermes/router"
	"hermes/scheduler"
)

// hermes is the whole program, built.
type hermes struct {
	cfg       config.Config
	log       *slog.Logger
	redact    *redact.Redactor
	now       func() time.Time
	db        *store.DB
	desk      bot.Desk
	router    *router.Router
	bot       *bot.Bot
	scheduler *scheduler.Scheduler
	web       *web.Console
	terminal  *terminal.Terminal
	slacks    []*slack.Slack
	chats     map[string]bot.Poster // by platform
	figures   *figures
	tools     *tool.Set
	deciders  guard.Deciders
	rights    rights
	agent     *agent.Agent
	recalled  sync.Once // whether the audit ends where it did
	memory    *memory.Memory
	headSeen  store.Head   // of the audit, last; used by who tends it alone
	reading   sync.Mutex   // held while the files of reports are read
	broken    []reportFile // those that are left out
}

// build is the whole program on one page, from the bottom up. The caller holds the
// lock of the data folder, and closes what it is given.
func build(ctx context.Context, cfg config.Config, log *slog.Logger, now func() time.Time) (*hermes, error) {
	h := &hermes{cfg: cfg, log: log, now: now, redact: redactor(cfg)}
	var err error
	if h.db, err = store.Open(ctx, store.Config{DSN: dsn(cfg), Now: now, Log: log, Redact: h.redact, Audit: auditKeys(cfg), Altered: h.tellAltered}); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	if err := h.furnish(ctx); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return h, nil
}

func (h *hermes) furnish(ctx context.Context) error {
	cfg, log, now, db := h.cfg, h.log, h.now, h.db
	h.deciders = guard.Deciders{Admins: h.admins(), Approvers: h.inRole(web.Approver)}
	h.desk = h.withBudgets(db.Desk(h.deskConfig()))
	shelf := db.Artifacts()

	// Places to talk.
	key, err := consoleKey(ctx, db)
	if err != nil {
		return err
	}
	h.web = web.New(h.page(key), h.desk, shelf, log, now)
	h.terminal = terminal.New(h.desk, shelf, decider{h}, cfg.Zone, log, now)
	chats := map[string]bot.Poster{"web": h.web, "terminal": h.terminal}
	directories := map[string]bot.Directory{"web": h.web}
	find := finder(directories)
	if spaces := cfg.AllWorkspaces(); len(spaces) > 0 {
		for _, w := range spaces {
			c := h.slackConfig(w)
			c.Desk, c.Planner, c.Decider = h.desk, h.planner(find), decider{h}
			h.slacks = append(h.slacks, slack.New(c, shelf, log))
		}
		all := workspaces(h.slacks)
		chats["slack"], directories["slack"] = all, all
	}
	h.chats = chats

	// Tools.
	if h.figures, err = openFigures(ctx, cfg, now, log); err != nil {
		return err
	}
	reports, err := report.New(report.Config{Made: h.madeBy, Font: cfg.Reports.Font}, shelf)
	if err != nil {
		return fmt.Errorf("config: reports.font: %w\n  hint: name a TrueType file, or leave it out and one is looked for", err)
	}
	mem, working := memory.New(db.Facts(), now), memory.NewWorking(now)
	h.memory = mem
	all := []tool.Tool{
		querydb.Metric(shelf, h.figures.sources...), querydb.Database(shelf, h.figures.sources...), reports,
		post.New(shelf, find, rollsOf(chats).isMember).For(h.mayRead), ask.Tool{}, section.New(shelf, result.Open, h.madeBy), audit.New(auditKeeper{h, find}),
	}
	all = append(all, saved.New(h.savedParts(shelf))...)
	jobs := schedule.Parts{Saved: h.savedFor, Book: db.Jobs(), By: h.jobsBy, Refused: h.refusedJob, Artifacts: shelf, Find: find, Admin: h.isAdmin, Now: now, Audience: h.mayRepeat, DaysOff: daysOff(cfg.Schedules),
		Uses: cfg.Agent.GrantUses,
		Heir: func(ctx context.Context, c tool.Call, j scheduler.Job, words string) (schedule.Heir, string, error) {
			return h.heirOf(ctx, j, c.Home, words, c.Lang)
		}, NameOf: h.calledOf, Gone: func(ctx context.Context, c tool.Call, j scheduler.Job) (string, error) {
			return h.staysPaused(ctx, j, c.Lang)
		}}
	all = append(all, append(schedule.New(jobs), schedule.Edit(jobs))...)
	all = append(all, takeback.New(posts{db.Journal(), db.Outbox(), find, h.isAdmin, h.kept}))
	all = append(all, toolmemory.New(mem, now, toolmemory.Options{See: h.see, Link: h.linkOf, Working: working})...)
	if h.tools, err = tool.NewSet(all...); err != nil {
		return err
	}

	// Who thinks, and who talks.
	specs := h.tools.Specs()
	fault := namesTools(cfg, specs)
	cfg = inTodaysNames(cfg, specs)
	limits, err := profiles(cfg.Loop)
	if err := errors.Join(err, fault); err != nil {
		return err
	}
	h.rights = h.rightsOf(cfg, rails(cfg, limits))
	h.restrict()
	if h.deciders.Approvals, h.deciders.Delegates, err = approvals(cfg, specs); err != nil {
		return err
	}
	prompt, loose, err := prompts(cfg.Model)
	if err != nil {
		return err
	}
	for _, words := range loose {
		log.Warn("model.prompt_file: " + words)
	}
	traces, err := trace.Open(filepath.Join(cfg.Data, "trace"), now, h.redact)
	if err != nil {
		return err
	}
	h.agent = agent.New(agent.Config{
		Profiles:   limits,
		Deciders:   h.deciders,
		Budgets:    budgets(cfg),
		Zone:       zoneOf(cfg),
		Patience:   cfg.Agent.QuestionTTL,
		JobWait:    cfg.Agent.JobQuestion,
		Uses:       cfg.Agent.GrantUses,
		OfferAfter: cfg.Approvals.OfferAfter,
		Words:      cfg.Safety.Words,
		WarnAt:     cfg.Loop.WarnAt,
		Exec:       execConfig(cfg.Exec),
		Result:     resultConfig(cfg.Result),
		Digest:     cfg.Result.ModelDigest,
		Prompt:     prompt,
		Loose:      len(loose) > 0,
		Named:      namedTools(cfg),
	}, agent.Parts{
		Models: h.models(), Tools: h.tools, Memory: recaller{mem, working, h.see, now, cfg.Terms}, Store: db.Runs(), Treasury: db.Runs(), Habits: db.Runs(), Rights: h.rights, Shelf: shelf, Keeper: db.Settings(), Now: now, Log: log, Redact: h.redact,
		Draft: func(key, text string) { h.bot.Draft(key, text) }, Roster: rollsOf(chats), Speaks: rollsOf(chats).speaks,
		Library: db.Reports(), Past: db.Runs(), Threads: threads{h},
	})
	reader, err := fileGuard()
	if err != nil {
		return err
	}
	clerk := file.NewClerk(shelf, reader)
	clerk.Secrets = h.redact.Taken
	var ask router.Classifier
	if cfg.UsesModel() && cfg.Router.AskBelow > 0 {
		ask = &arbiter{model: discreet{endpoint(cfg.Endpoints()[0], log), h.redact}, now: now}
	}
	if h.router, err = newRouter(cfg, ask); err != nil {
		return err
	}
	slots := scheduler.NewKeeper(db.Jobs(), schedules(cfg.Schedules), now).Under(warden{h})
	h.bot = bot.New(bot.Config{
		AtOnce: cfg.Agent.AtOnce, Zone: cfg.Zone, Approvers: h.deciders.Admins, HasModel: cfg.UsesModel(),
		Profiles: channelProfiles(cfg.Loop.Channels), Policy: policy(cfg.Policy), Gather: cfg.Agent.Gather, Console: h.console(),
		Spot: h.spotCheck(cfg.SpotCheck, directories),
	}, bot.Parts{
		Router: h.router,
		Agent:  tracing{log: traces, Agent: h.agent},
		Inbox:  db.Inbox(),
		Outbox: db.Outbox(),
		Slots:  slots,
		Shelf:  shelf,
		Clerk:  discreetClerk{clerk, h.redact},
		Ledger: db.Ledger(),
		Audit:  db.Journal(),
		Tutor:  &tutor{name: filepath.Join(cfg.Data, correctionsFile), redact: h.redact},
		Spots:  db.Spots(),
		Desk:   h.desk, Budgets: h.botBudgets(), Reports: reportDesk{h},
		Chats:  chats,
		Redact: h.redact,
		Now:    now,
		Log:    log,
	})
	h.scheduler = scheduler.New(slots, h.bot, log)
	if off := daysOff(cfg.Schedules); off != nil {
		if _, err := off(now()); err != nil {
			return fmt.Errorf("schedules.holidays: %w\n  hint: it names an iCalendar file (.ics) of the days off", err)
		}
	}
	return h.loadReports(ctx)
}

// tellAltered tells the admins of a row that is not acted on.
func (h *hermes) tellAltered(ctx context.Context, table, key string) error {
	if h.bot == nil {
		return nil // the program begins; the log and the audit have it
	}
	return h.bot.TellAltered(ctx, table, key)
}

// parts are what runs until its context ends.
func (h *hermes) parts() []part {
	parts := []part{
		h.bot.Run,
		h.scheduler.Run,
		h.keepAudit,
		h.keepMemory,
		func(ctx context.Context) error { return h.web.Run(ctx, h.bot) },
		func(ctx context.Context) error { return h.terminal.Run(ctx, h.bot) },
	}
	for _, s := range h.slacks {
		parts = append(parts, func(ctx context.Context) error { return s.Run(ctx, h.bot) })
	}
	return parts
}

func (h *hermes) close() error {
	var err error
	if h.figures != nil {
		err = h.figures.close()
	}
	return errors.Join(err, h.db.Close())
}

// demo reports whether the console is a workspace to try things in: only while no
// chat platform is configured, and nobody who comes in by name.
func (h *hermes) demo() bool { return len(h.cfg.AllWorkspaces()) == 0 && len(h.cfg.Web.Users) == 0 }

func dsn(cfg config.Config) string {
	if cfg.Database != "" {
		return string(cfg.Database)
	}
	return filepath.Join(cfg.Data, "hermes.db")
}
