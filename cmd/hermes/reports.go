package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/rules"
	"hermes/agent/playbook"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/agent/tool/querydb"
	"hermes/agent/tool/saved"
	"hermes/agent/tool/schedule"
	"hermes/bot"
	"hermes/config"
	"hermes/internal/store"
	"hermes/router"
	"hermes/scheduler"
)

// A reportFile is a file of the folder of reports, as it was read.
type reportFile struct {
	Name string // of the file
	Book playbook.Playbook
	Err  error
}

// readReports reads the files of a folder of reports. A folder that is not there has none.
func readReports(dir string) ([]reportFile, error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), dir == "":
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reports.dir: %w", err)
	}
	var files []reportFile
	seen := map[string]string{}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if e.IsDir() || ext != ".yaml" && ext != ".yml" || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		f := reportFile{Name: e.Name()}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err == nil {
			f.Book, err = playbook.Read(text)
		}
		if err == nil && seen[f.Book.Name] != "" {
			err = fmt.Errorf("the name %s is that of %s too", f.Book.Name, seen[f.Book.Name])
		}
		if err == nil {
			seen[f.Book.Name] = f.Name
		}
		f.Err = err
		files = append(files, f)
	}
	return files, nil
}

// loadReports takes over what stands in the files of reports: a file that has changed is
// a new version, and one that has gone takes its report with it. A broken one is told of
// and leaves the others, and its own last version, as they are.
func (h *hermes) loadReports(ctx context.Context) error {
	h.reading.Lock()
	defer h.reading.Unlock()
	files, err := readReports(h.cfg.Reports.Dir)
	if err != nil {
		return err
	}
	here := map[string]bool{}
	for i, f := range files {
		if f.Err == nil {
			f.Err = h.fits(f.Book)
		}
		if f.Err == nil {
			here[f.Book.Name] = true
			_, err := h.saveReport(ctx, playbook.Kept{Playbook: f.Book, Origin: playbook.File, File: f.Name, By: "file:" + f.Name}, false)
			if errors.Is(err, playbook.ErrTaken) {
				err = fmt.Errorf("the name %s is that of a report saved in chat; rename one of them", f.Book.Name)
			}
			f.Err = err
		}
		files[i] = f
		if f.Err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if slices.ContainsFunc(h.broken, func(o reportFile) bool { return o.Name == f.Name && o.Err.Error() == f.Err.Error() }) {
				continue // it was told of
			}
			h.log.Error("a file of reports is left out", "file", filepath.Join(h.cfg.Reports.Dir, f.Name), "err", f.Err, "hint", "`hermes check` says it again")
		}
	}
	defer h.nameWords(ctx)
	all, err := h.db.Reports().All(ctx)
	if err != nil {
		h.log.Error("a saved report cannot be read", "err", err)
	}
	for _, k := range all {
		broken := slices.ContainsFunc(files, func(f reportFile) bool { return f.Name == k.File && f.Err != nil })
		if k.Origin != playbook.File || here[k.Name] || broken {
			continue
		}
		ended, err := h.db.Reports().Remove(ctx, k.Name, "file:"+k.File, true)
		if err != nil {
			return err
		}
		if err := h.tellEnded(ctx, k, ended, true); err != nil {
			return err
		}
	}
	h.broken = slices.DeleteFunc(files, func(f reportFile) bool { return f.Err == nil })
	return nil
}

// saveReport keeps a report and tells whose schedules ask before each post from now on.
func (h *hermes) saveReport(ctx context.Context, k playbook.Kept, fresh bool) (playbook.Kept, error) {
	kept, ended, err := h.db.Reports().Save(ctx, k, fresh)
	if err != nil {
		return kept, err
	}
	h.nameWords(ctx)
	return kept, h.tellEnded(ctx, kept, ended, false)
}

// nameWords tells the router the words of the team: those of the configuration, and the
// saved reports by name and title.
func (h *hermes) nameWords(ctx context.Context) {
	terms := configTerms(h.cfg)
	all, err := h.db.Reports().All(ctx)
	if err != nil {
		h.log.Error("the names of saved reports are not known to the router", "err", err)
	}
	for _, k := range all {
		tags := []string{"report:" + k.Name}
		for _, name := range []string{k.Name, strings.ReplaceAll(k.Name, "-", " "), k.Called("en"), k.Called("zh")} {
			terms = append(terms, router.Term{Name: name, Tags: tags})
		}
	}
	h.router.Name(terms)
}

// tellEnded tells the owner of each schedule whose grants have ended with a version of its
// report, where the schedule was made.
func (h *hermes) tellEnded(ctx context.Context, k playbook.Kept, ended []run.Grant, gone bool) error {
	told := map[string]bool{}
	for _, g := range ended {
		if told[g.Job] {
			continue
		}
		told[g.Job] = true
		j, err := h.db.Jobs().Job(ctx, g.Job)
		if err != nil {
			return err
		}
		home, err := bot.ParsePlace(j.Origin)
		if err != nil {
			return fmt.Errorf("origin of job %s: %w", j.ID, err)
		}
		text := fmt.Sprintf("The saved report **%s** was changed (version %d, by %s). What was allowed for the schedule %s (“%s”) held for the text before and has ended: its next post asks for approval again.", k.Name, k.Version, h.whoIs(k.By), j.ID, j.Name)
		if j.Lang == "zh" {
			text = fmt.Sprintf("已保存的报表 **%s** 被修改了（第 %d 版，修改者：%s）。定时任务 %s（“%s”）之前得到的批准只对旧内容有效，现已作废：下一次发送会重新请求批准。", k.Name, k.Version, h.whoIs(k.By), j.ID, j.Name)
		}
		if gone {
			text = fmt.Sprintf("The saved report **%s** is gone, so the schedule %s (“%s”) cannot run it any more.", k.Name, j.ID, j.Name)
			if j.Lang == "zh" {
				text = fmt.Sprintf("已保存的报表 **%s** 已不存在，定时任务 %s（“%s”）不能再运行它。", k.Name, j.ID, j.Name)
			}
		}
		key := fmt.Sprintf("report/%s/v%d/told/%s", k.Name, k.Version, j.ID)
		if gone {
			key += "/gone"
		}
		if err := h.db.Outbox().Add(ctx, bot.Post{Key: key, Place: home, Text: text, Lang: j.Lang, By: j.Owner}); err != nil {
			return fmt.Errorf("tell of report %s: %w", k.Name, err)
		}
	}
	return nil
}

// whoIs is how people call whoever has changed a report.
func (h *hermes) whoIs(by string) string {
	if name, ok := strings.CutPrefix(by, "file:"); ok {
		return "`" + name + "`"
	}
	platform, _, _ := strings.Cut(by, ":")
	if n, ok := h.chats[platform].(bot.Namer); ok {
		return n.NameOf(by)
	}
	return bot.UserOf(by)
}

// fits says what of a report the tools here would not take.
func (h *hermes) fits(p playbook.Playbook) error { return fitsTools(p, h.tools.Specs(), h.now()) }

func fitsTools(p playbook.Playbook, specs []tool.Spec, now time.Time) error {
	var faults []error
	for _, s := range p.Steps {
		i := slices.IndexFunc(specs, func(t tool.Spec) bool { return t.Name == s.Tool })
		if i < 0 {
			var names []string
			for _, spec := range specs {
				names = append(names, spec.Name)
			}
			faults = append(faults, fmt.Errorf("step %s: %s", s.ID, tool.Unknown(s.Tool, names)))
			continue
		}
		spec := specs[i]
		if !spec.Unattended {
			faults = append(faults, fmt.Errorf("step %s: the tool %s may not be used by a report that runs by itself", s.ID, s.Tool))
			continue
		}
		args, err := p.Sample(s, now)
		if err == nil {
			if wrong := tool.Check(spec, args, tool.CheckOptions{}).Err(s.Tool); wrong != nil {
				err = errors.New(wrong.Message)
			}
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("step %s: %w", s.ID, err))
		}
	}
	return errors.Join(faults...)
}

// savedShelf is the saved.Shelf of the store.
type savedShelf struct {
	store.Reports
	h *hermes
}

// Save implements saved.Shelf.
func (s savedShelf) Save(ctx context.Context, k playbook.Kept) (playbook.Kept, error) {
	return s.h.saveReport(ctx, k, true)
}

func (h *hermes) savedParts(shelf tool.Artifacts) saved.Parts {
	return saved.Parts{
		Shelf: savedShelf{h.db.Reports(), h}, Last: h.lastReport, Pin: h.pin, Fits: h.fits, Artifacts: shelf, Admin: h.isAdmin,
		Running: h.db.Reports().Running, Remove: h.removeReport,
	}
}

// removeReport takes a report away for the asker of a call, and pauses the schedules that
// run it.
func (h *hermes) removeReport(ctx context.Context, c tool.Call, k playbook.Kept) ([]scheduler.Job, error) {
	jobs, err := h.db.Reports().Running(ctx, k.Name)
	if err != nil {
		return nil, err
	}
	var paused []scheduler.Job
	for _, j := range jobs {
		if j.State == scheduler.Active {
			if j, err = setState(ctx, h.db.Jobs().By(c.Asker), j, scheduler.Paused, h.now()); err != nil {
				return nil, err
			}
		}
		paused = append(paused, j)
	}
	ended, err := h.db.Reports().Remove(ctx, k.Name, c.Asker, false)
	if err != nil {
		return nil, err
	}
	return paused, h.tellEnded(ctx, k, ended, true)
}

// latelyLooked is how many runs are looked through for the one that is meant by "this".
const latelyLooked = 8

// lastReport implements saved.Parts: the newest run at a home that has made figures, or
// the one whose post began the thread.
func (h *hermes) lastReport(ctx context.Context, c tool.Call) (string, error) {
	runs, err := h.db.Runs().Lately(ctx, c.Home, latelyLooked)
	if err != nil {
		return "", err
	}
	for _, r := range runs {
		if r.Key == c.Run || r.State != run.Done {
			continue
		}
		if _, _, _, err := h.agent.Pinned(ctx, r.Key, "x"); !errors.Is(err, playbook.ErrNothing) {
			return r.Key, nil
		}
	}
	home, err := bot.ParsePlace(c.Home)
	if err != nil {
		return "", err
	}
	own, _, err := h.db.Journal().OwnHere(ctx, home, c.Run)
	return own.Run, err
}

// pin implements saved.Parts. A run is known by its key or its trace.
func (h *hermes) pin(ctx context.Context, c tool.Call, key, name string) (playbook.Playbook, []playbook.Note, bool, error) {
	r, ok, err := h.db.Runs().Run(ctx, key)
	if err != nil {
		return playbook.Playbook{}, nil, false, err
	}
	if !ok {
		if r, err = h.db.Journal().Trace(ctx, key); errors.Is(err, store.ErrNoRun) {
			return playbook.Playbook{}, nil, false, nil
		} else if err != nil {
			return playbook.Playbook{}, nil, false, err
		}
	}
	if r.Asker != c.Asker && !sameThread(r.Home, c.Home) && !h.sees(c.Asker, r.Asker, r.Home) && !h.postedAt(ctx, r.Key, c) {
		return playbook.Playbook{}, nil, false, nil
	}
	if r.Saved != nil {
		return playbook.Playbook{}, nil, false, fmt.Errorf("%w: it came of the saved report %s", playbook.ErrUnpinned, r.Saved.Name)
	}
	p, notes, _, err := h.agent.Pinned(ctx, r.Key, name)
	return p, notes, err == nil, err
}

// postedAt reports whether what a run has posted began the thread of a call.
func (h *hermes) postedAt(ctx context.Context, key string, c tool.Call) bool {
	home, err := bot.ParsePlace(c.Home)
	if err != nil {
		return false
	}
	own, found, err := h.db.Journal().OwnHere(ctx, home, c.Run)
	return err == nil && found && own.Run == key
}

func sameThread(a, b string) bool { return a == b && a != "" }

// savedFor returns the saved report that a Call means, as schedules ask for it.
func (h *hermes) savedFor(ctx context.Context, c tool.Call, name string) (playbook.Kept, error) {
	return saved.Find(ctx, h.savedParts(nil), c, name)
}

// knownReports are the saved reports that the built-in rules can speak of.
func (h *hermes) knownReports() []rules.Report {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	all, err := h.db.Reports().All(ctx)
	if err != nil {
		h.log.Warn("saved reports are not known to the rules", "err", err)
	}
	var known []rules.Report
	for _, k := range all {
		known = append(known, rules.Report{Name: k.Name, Words: k.Names(), Owner: k.Owner})
	}
	return known
}

// checkReports says what is wrong with the files of reports.
func (s *shell) checkReports(ctx context.Context, cfg config.Config, c *checking) {
	files, err := readReports(cfg.Reports.Dir)
	if err != nil {
		c.report("reports", err, "reports.dir names a folder of YAML files")
		return
	}
	if len(files) == 0 {
		return
	}
	specs, err := s.toolSpecs(ctx, false)
	for _, f := range files {
		if f.Err == nil && err == nil {
			f.Err = fitsTools(f.Book, specs, time.Now())
		}
		c.report("report "+filepath.Join(cfg.Reports.Dir, f.Name), f.Err, "`hermes report show` shows one that is whole; README says what may stand in it")
	}
}

// vocabulary is what the built-in rules can speak of to whom some sources are open.
func (h *hermes) vocabulary(sources []*querydb.Source) rules.Vocabulary {
	v := h.figures.vocabulary(sources)
	v.Reports, v.DaysOff = h.knownReports, daysOff(h.cfg.Schedules)
	return v
}

// reportDesk is the bot.Reports of the store.
type reportDesk struct{ h *hermes }

// Save implements bot.Reports. Whoever may not use the tool may not press either.
func (d reportDesk) Save(ctx context.Context, key, by, lang string) (bot.SavedReport, error) {
	r, ok, err := d.h.db.Runs().Run(ctx, key)
	if err != nil {
		return bot.SavedReport{}, err
	}
	t := d.h.tools.Lookup(saved.SaveName)
	if !ok || t == nil || !d.h.rights.MayUse(ctx, tool.Viewer{Person: by, Home: r.Home}, t.Spec()) {
		return bot.SavedReport{}, bot.ErrNoSave
	}
	book, notes, _, err := d.h.agent.Pinned(ctx, key, "")
	switch {
	case errors.Is(err, playbook.ErrNothing), errors.Is(err, playbook.ErrUnended):
		return bot.SavedReport{}, bot.ErrNoSave
	case errors.Is(err, playbook.ErrUnpinned):
		return bot.SavedReport{Notes: []string{err.Error()}}, bot.ErrNoSave
	case err != nil:
		return bot.SavedReport{}, err
	}
	if err := d.h.fits(book); err != nil {
		return bot.SavedReport{Notes: []string{err.Error()}}, bot.ErrNoSave
	}
	c := tool.Call{Asker: by, Home: r.Home, Lang: lang, Run: key}
	kept, err := saved.Keep(ctx, savedShelf{d.h.db.Reports(), d.h}, c, book, false)
	if err != nil {
		return bot.SavedReport{}, err
	}
	s := bot.SavedReport{Name: kept.Name, Title: kept.Called(lang), Unit: string(kept.Period), Channel: kept.Post}
	for _, n := range notes {
		s.Notes = append(s.Notes, n.In(lang))
	}
	return s, nil
}

// usual are the times at which a report about a unit is wanted, if nobody says which.
var usual = map[string][3]string{
	"day": {"0 9 * * *", "every day at 9:00", "每天上午9点"}, "week": {"0 9 * * 1", "every Monday at 9:00", "每周一上午9点"},
	"month": {"0 9 1 * *", "every month on the 1st at 9:00", "每月1号上午9点"}, "quarter": {"0 9 1 1,4,7,10 *", "every quarter on its first day at 9:00", "每季度第一天上午9点"},
	"year": {"0 9 1 1 *", "every year on 1 January at 9:00", "每年1月1日上午9点"},
}

// wishFor asks for a saved report, as playbook.Wished reads it.
func wishFor(name, lang string) string {
	if lang == "zh" {
		return "运行已保存的报表 " + name
	}
	return "run the saved report " + name
}

// Again implements bot.Reports.
func (d reportDesk) Again(s bot.SavedReport, lang string) (run.Ready, string, error) {
	when, ok := usual[s.Unit]
	if !ok {
		return run.Ready{}, "", fmt.Errorf("report %s is about no time", s.Name)
	}
	args, err := json.Marshal(map[string]string{"when": when[0], "request": wishFor(s.Name, lang)})
	if err != nil {
		return run.Ready{}, "", err
	}
	wish, done := when[1]+": "+wishFor(s.Name, lang), "Scheduled: **"+when[1]+"** the saved report **"+s.Name+"**. To change the time, say: delete that schedule, and when you want it instead."
	if lang == "zh" {
		wish, done = when[2]+"："+wishFor(s.Name, lang), "已安排：**"+when[2]+"** 运行已保存的报表 **"+s.Name+"**。要改时间，先删除这个定时任务，再说新的时间。"
	}
	return run.Ready{Calls: []llm.Call{{ID: "again", Name: schedule.AddName, Args: args}}, Words: done}, wish, nil
}
