package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"hermes/agent/tool"
	"hermes/agent/tool/report"
	"hermes/scheduler"
)

// Slots are what became of all slots of a time, held against the oracle.
type Slots struct {
	Seed    uint64                      `json:"seed"`
	Long    time.Duration               `json:"-"`
	Jobs    int                         `json:"jobs"`
	Due     int                         `json:"due"`  // as the oracle has it
	Rows    int                         `json:"rows"` // as the store has it
	Posts   int                         `json:"posts"`
	States  map[scheduler.SlotState]int `json:"states"`
	Reasons map[string]int              `json:"reasons"` // why a slot neither ran nor was late
	Fate    map[string]int              `json:"fate"`    // what befell them
	Cuts    map[string]int              `json:"cuts"`    // points at which the program was cut off
	Faults  []string                    `json:"faults"`  // what must not be
}

func (s *Slots) add(o Slots) {
	s.Jobs, s.Due, s.Rows, s.Posts = s.Jobs+o.Jobs, s.Due+o.Due, s.Rows+o.Rows, s.Posts+o.Posts
	s.States, s.Reasons, s.Fate, s.Cuts = sums(s.States, o.States), sums(s.Reasons, o.Reasons), sums(s.Fate, o.Fate), sums(s.Cuts, o.Cuts)
	s.Faults = append(s.Faults, o.Faults...)
}

func sums[K comparable](a, b map[K]int) map[K]int {
	if a == nil {
		a = map[K]int{}
	}
	for k, n := range b {
		a[k] += n
	}
	return a
}

// Print writes them as a table, and names each fault.
func (s Slots) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "jobs\t%d\tover %d days, seed %d\n", s.Jobs, int(s.Long.Hours()/24), s.Seed)
	fmt.Fprintf(&b, "slots due\t%d\tby the oracle\n", s.Due)
	fmt.Fprintf(&b, "rows\t%d\t%s\n", s.Rows, list(s.States))
	fmt.Fprintf(&b, "reports posted\t%d\tof %d slots that ran\n", s.Posts, s.States[scheduler.Ran]+s.States[scheduler.Late])
	fmt.Fprintf(&b, "faults\t%d\t\n", len(s.Faults))
	after := "why not: " + list(s.Reasons) + "\nmisfortunes: " + list(s.Fate) + "\ncut off: " + list(s.Cuts) + "\n"
	for _, f := range s.Faults {
		after += "fault: " + f + "\n"
	}
	return tabled(w, b.String(), after)
}

func list[K ~string](m map[K]int) string {
	var all []string
	for k, n := range m {
		all = append(all, fmt.Sprintf("%s %d", k, n))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// expected are the slots that each job must have, by the oracle: of the wish as it was at
// each time.
func (y *years) expected(w wish, since, until time.Time) (map[string]due, error) {
	all := map[string]due{}
	is, from := &w, since
	take := func(to time.Time) error {
		if is == nil {
			return nil
		}
		ds, err := is.dues(from, to)
		for _, d := range ds {
			all[d.nominal+"@"+is.zone] = d
		}
		return err
	}
	for _, c := range y.changes {
		if c.id != w.id {
			continue
		}
		if err := take(c.at); err != nil {
			return nil, err
		}
		is, from = c.now, c.at
	}
	return all, take(until)
}

// judge holds what is there against the oracle.
func (y *years) judge(ctx context.Context) (Slots, error) {
	s := Slots{
		Jobs: len(y.wishes), States: map[scheduler.SlotState]int{}, Reasons: map[string]int{}, Cuts: y.fuse.cuts,
		Fate: map[string]int{
			"restarts": y.counts.restarts, "cut off at work": y.counts.cuts, "host suspended": len(y.fate.asleep), "clock jumps": y.counts.jumps,
			"chat away": len(y.fate.chatAway), "model away": len(y.fate.mindAway), "calls of the model in vain": y.counts.mindAway, "429 of the chat": y.chat.had[busy], "5xx of the chat": y.chat.had[broken], "answers of the chat lost": y.chat.had[lost],
			"refused by an archived channel": y.chat.had[refused], "approvals": y.counts.presses, "changes of schedules": len(y.changes),
		},
	}
	fault := func(format string, args ...any) { s.Faults = append(s.Faults, fmt.Sprintf(format, args...)) }
	y.wrong()
	posts := map[string][]said{} // reports by run
	for _, p := range y.chat.said {
		if p.Run == "" {
			continue
		}
		slot, _, _ := strings.Cut(p.Run, "/try")
		posts[slot] = append(posts[slot], p)
		s.Posts += p.times
	}
	made := map[string]scheduler.Job{}
	for _, w := range y.wishes {
		if len(y.jobs[w.id]) != 1 {
			fault("%s (%s): %d jobs, want one", w.id, w.when, len(y.jobs[w.id]))
			continue
		}
		j, err := y.db.Jobs().Job(ctx, y.jobs[w.id][0])
		if err != nil {
			return s, fmt.Errorf("job of %s: %w", w.id, err)
		}
		made[w.id] = j
	}
	end := y.clock.now()
	for _, w := range y.wishes {
		j, ok := made[w.id]
		if !ok {
			continue
		}
		want, err := y.expected(w, j.Created, end)
		if err != nil {
			return s, err
		}
		s.Due += len(want)
		rows, err := y.db.Jobs().Slots(ctx, j.ID, 100_000)
		if err != nil {
			return s, fmt.Errorf("slots of %s: %w", w.id, err)
		}
		s.Rows += len(rows)
		for i, row := range rows { // the newest first
			name := fmt.Sprintf("%s %s (%s)", w.id, row.Nominal, row.Zone)
			s.States[row.State]++
			d, due := want[row.Nominal+"@"+row.Zone]
			delete(want, row.Nominal+"@"+row.Zone)
			if !due {
				fault("%s: a row that the oracle knows no slot for (%s)", name, w.when)
				continue
			}
			if !d.at.Equal(row.At) {
				fault("%s: it stands for %s, and by the oracle for %s", name, row.At.UTC().Format(time.RFC3339), d.at.UTC().Format(time.RFC3339))
			}
			if !d.from.IsZero() && (!d.from.Equal(row.From) || !d.to.Equal(row.To)) {
				fault("%s: it is about %s to %s, and by the oracle about %s to %s", name, row.From, row.To, d.from, d.to)
			}
			var newer *scheduler.Slot
			if i > 0 {
				newer = &rows[i-1]
			}
			f, err := y.judgeSlot(ctx, w, row, newer, posts["job/"+row.Key()], d)
			if err != nil {
				return s, err
			}
			for _, what := range f {
				fault("%s: %s", name, what)
			}
			if row.State != scheduler.Ran && row.State != scheduler.Late {
				s.Reasons[string(row.State)+": "+row.Reason]++
			}
			delete(posts, "job/"+row.Key())
			if row.Tries > 0 {
				s.Fate["slots tried again"]++
			}
			if row.Due.After(row.At) {
				s.Fate["slots deferred"]++
			}
		}
		for key, d := range want {
			fault("%s %s: no row; it was due at %s", w.id, key, d.at.UTC().Format(time.RFC3339))
		}
	}
	for key, ps := range posts {
		fault("%d reports of %s, which is no slot", len(ps), key)
	}
	slices.Sort(s.Faults)
	return s, nil
}

// judgeSlot says what is wrong with one slot.
func (y *years) judgeSlot(ctx context.Context, w wish, row scheduler.Slot, newer *scheduler.Slot, posts []said, d due) (faults []string, err error) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	times := 0
	for _, p := range posts {
		times += p.times
		if p.Place != place(w.channel, "") {
			fault("it was posted to %s", p.Place)
		}
	}
	if row.State != scheduler.Ran && row.Reason == "" {
		fault("%s without a reason", row.State)
	}
	closed := false
	for _, a := range y.fate.archived[w.channel] {
		closed = closed || row.At.Before(a.to) && row.Ended.After(a.from)
	}
	switch row.State {
	case scheduler.Ran, scheduler.Late:
		if times != 1 {
			fault("%s, and its report was posted %d times", row.State, times)
			break
		}
		r, ok, err := y.db.Runs().Run(ctx, row.Run)
		if err != nil || !ok {
			return faults, fmt.Errorf("run %s: %w", row.Run, err)
		}
		begin := row.At // of one that was tried again, too
		if !r.Due.IsZero() {
			begin = r.Due
		}
		if late := r.Created.Sub(begin) > 5*time.Minute; late != (row.State == scheduler.Late) {
			fault("%s, though its run began %s after its time", row.State, r.Created.Sub(begin))
		}
		if row.State == scheduler.Late && row.Tries == 0 && y.wasUp(span{begin, begin.Add(2 * time.Minute)}) {
			fault("late (%s), though the program was there", row.Reason)
		}
		if row.State == scheduler.Ran && row.Tries == 0 && row.At.After(allPlanned) {
			faults = append(faults, w.begins(row, r.Created)...)
		}
		from, to, err := y.aboutOf(ctx, posts[0].Artifact)
		if err != nil {
			return faults, err
		}
		if !d.from.IsZero() && (!from.Equal(d.from) || !to.Equal(d.to)) {
			fault("its report is about %s to %s, and by the oracle about %s to %s", from, to, d.from, d.to)
		}
	case scheduler.Missed:
		if times != 0 {
			fault("missed, and its report was posted %d times", times)
		}
		switch by := row.Ended.Sub(row.Due); {
		case newer != nil && !newer.At.After(row.Ended):
		case w.policy.CatchUp == scheduler.Never, w.policy.CatchUp == scheduler.Within && by > w.policy.Window:
		default:
			fault("missed (%s), and nothing later came in its place", row.Reason)
		}
		begin := row.Due
		if begin.IsZero() {
			begin = row.At
		}
		if y.wasUp(span{begin, begin.Add(2 * time.Minute)}) {
			fault("missed (%s), though the program was there", row.Reason)
		}
	case scheduler.Broken:
		if times != 0 {
			fault("failed (%s), and its report was posted %d times", row.Reason, times)
		}
		if !closed {
			fault("failed (%s), though its channel took posts", row.Reason)
		}
		if _, ok := y.chat.under(row.Run + "/answer"); !ok && !y.toldOf(row.Run) {
			fault("failed, and its owner was not told")
		}
	case scheduler.Skipped:
		if times != 0 {
			fault("skipped, and its report was posted %d times", times)
		}
		if newer == nil && !strings.HasPrefix(row.Reason, "the schedule is") {
			fault("skipped (%s), and nothing came after it", row.Reason)
		}
	default:
		fault("it is still %s (%s)", row.State, row.Reason)
	}
	return faults, nil
}

// begins says what is wrong with when the run of a slot began that was in time: within its
// stagger, and not in quiet hours.
func (w wish) begins(row scheduler.Slot, at time.Time) (faults []string) {
	if by := at.Sub(row.At); w.policy.Quiet.IsZero() && by > w.policy.Stagger+5*time.Minute {
		faults = append(faults, fmt.Sprintf("it began %s after its time", by))
	}
	if zone, err := time.LoadLocation(row.Zone); err == nil && !w.policy.Quiet.IsZero() {
		if wall := at.In(zone).Format("15:04"); wall >= w.policy.Quiet.From || wall < w.policy.Quiet.To {
			faults = append(faults, "it began at "+wall+", in quiet hours")
		}
	}
	return faults
}

// wasUp reports whether the program was there, with the right time, for all of a span.
func (y *years) wasUp(s span) bool {
	return slices.ContainsFunc(y.up, func(u span) bool { return !s.from.Before(u.from) && s.to.Before(u.to) })
}

// toldOf reports whether anything was said at home of a run.
func (y *years) toldOf(key string) bool {
	for _, p := range y.chat.said {
		if p.Run == "" && strings.HasPrefix(p.Key, key+"/") && p.Kind != "progress" {
			return true
		}
	}
	return false
}

// aboutOf is the period of the figures in a report.
func (y *years) aboutOf(ctx context.Context, artifact string) (from, to time.Time, err error) {
	a, err := y.db.Artifacts().Artifact(ctx, artifact)
	if err != nil {
		return from, to, fmt.Errorf("report %s: %w", artifact, err)
	}
	var meta report.Meta
	if err := json.Unmarshal(a.Meta, &meta); err != nil || len(meta.Tables) == 0 {
		return from, to, fmt.Errorf("report %s: its tables: %w", artifact, err)
	}
	table, err := y.db.Artifacts().Artifact(ctx, meta.Tables[0])
	if err != nil {
		return from, to, fmt.Errorf("table of report %s: %w", artifact, err)
	}
	g, err := tool.DecodeGrid(table.Body)
	return g.Period.From, g.Period.To, err
}
