package eval

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A Played is what came of one task of the fortnight.
type Played struct {
	Key    string        `json:"key"`
	Report bool          `json:"report"`
	Rounds int           `json:"rounds"`
	In     int           `json:"prompt_tokens"`
	Out    int           `json:"completion_tokens"`
	Model  string        `json:"model"`
	State  string        `json:"state"`
	Why    string        `json:"why,omitempty"`
	Guard  string        `json:"guard,omitempty"`
	Took   time.Duration `json:"took_ns"`   // modelled, without the time that people took
	Waited time.Duration `json:"waited_ns"` // for people
	Own    time.Duration `json:"own_ns"`    // of the program itself, really measured, in all rounds
	Humans []string      `json:"people,omitempty"`
	Capped bool          `json:"capped,omitempty"`
	Whole  bool          `json:"whole"` // it came to its own end

	tools time.Duration
}

// A Target is one figure, beside what it should be.
type Target struct {
	ID    string  `json:"id"`
	What  string  `json:"what"`
	Is    string  `json:"is"`
	Want  string  `json:"want"`
	Value float64 `json:"value"`
	OK    bool    `json:"ok"`
}

// Days are the figures of a fortnight.
type Days struct {
	Seed    uint64         `json:"seed"`
	Cap     int            `json:"cap"`
	Tasks   []Played       `json:"tasks"`
	Targets []Target       `json:"targets"`
	Had     map[string]int `json:"faults_given"`
	Faults  []string       `json:"violations"`
}

// What the fortnight has.
const (
	allTasks   = 84
	allReports = 61
)

func (f Days) count(is func(Played) bool) int {
	n := 0
	for _, t := range f.Tasks {
		if is(t) {
			n++
		}
	}
	return n
}

// check makes the targets of the tasks.
func (f *Days) check() {
	n := float64(max(1, len(f.Tasks)))
	first := f.count(func(t Played) bool { return len(t.Humans) == 0 })
	whole := f.count(func(t Played) bool { return len(t.Humans) == 0 && t.Whole })
	asked := f.count(func(t Played) bool { return len(t.Humans) > 0 })
	capped := f.count(func(t Played) bool { return t.Capped })
	reports := f.count(func(t Played) bool { return t.Report })
	causes, odd := map[string]int{}, 0
	var took, own []time.Duration
	in, out, rounds := 0, 0, 0
	ours := time.Duration(0)
	for _, t := range f.Tasks {
		for _, h := range t.Humans {
			causes[h]++
			if h != "first approval" && h != "missing input" {
				odd++
			}
		}
		took = append(took, t.Took)
		own = append(own, t.Own/time.Duration(max(1, t.Rounds)))
		in, out, rounds, ours = in+t.In, out+t.Out, rounds+t.Rounds, ours+t.Own
	}
	slices.Sort(took)
	slices.Sort(own)
	mean := time.Duration(0)
	for _, d := range took {
		mean += d
	}
	mean /= time.Duration(n)
	perRound := ours / time.Duration(max(1, rounds))
	tokens := float64(in+out) / n
	secs := func(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
	add := func(id, what, is, want string, value float64, ok bool) {
		f.Targets = append(f.Targets, Target{id, what, is, want, value, ok})
	}
	add("H-08", "first pass: no button, no message", fmt.Sprintf("%d of %d (%.1f %%); %d whole, %d a part, ended by a guard", first, len(f.Tasks), 100*float64(first)/n, whole, first-whole),
		">= 90 %", 100*float64(first)/n, 10*first >= 9*len(f.Tasks))
	add("H-09", "completion, modelled", fmt.Sprintf("mean %s, p50 %s, p95 %s", secs(mean), secs(at(took, 50)), secs(at(took, 95))), "mean <= 15 s", mean.Seconds(), mean <= 15*time.Second)
	add("H-09", "own overhead a round, measured", fmt.Sprintf("mean %s, p50 %s, p95 %s over %d rounds", ms(perRound), ms(at(own, 50)), ms(at(own, 95)), rounds), "mean < 50 ms", float64(perRound.Microseconds())/1000, perRound < 50*time.Millisecond)
	add("H-10", "tokens a task", fmt.Sprintf("%.0f: prompt %.0f, completion %.0f", tokens, float64(in)/n, float64(out)/n), "<= 18,000", tokens, tokens <= 18_000)
	add("H-11", fmt.Sprintf("ended at the cap of %d rounds", f.Cap), fmt.Sprintf("%d of %d (%.1f %%)", capped, len(f.Tasks), 100*float64(capped)/n), "<= 2 %", 100*float64(capped)/n, 50*capped <= len(f.Tasks))
	add("H-12", "people had to step in", fmt.Sprintf("%d of %d (%.1f %%): %s", asked, len(f.Tasks), 100*float64(asked)/n, list(causes)), "<= 10 %, first approvals and missing input alone", 100*float64(asked)/n, 10*asked <= len(f.Tasks) && odd == 0)
	add("H-12", "cross-check", fmt.Sprintf("%d + %d = %d, %d of them reports", first, asked, len(f.Tasks), reports), fmt.Sprintf("%d, %d", allTasks, allReports), float64(first+asked), first+asked == allTasks && len(f.Tasks) == allTasks && reports == allReports)
}

// at is a percentile of what is sorted.
func at(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, (len(sorted)*percent+99)/100-1)]
}

// Missed are the targets that were not reached.
func (f Days) Missed() []Target {
	return slices.DeleteFunc(slices.Clone(f.Targets), func(t Target) bool { return t.OK })
}

// Print writes the figures as a table, each beside its target; verbose, with a line for
// each task before it.
func (f Days) Print(w io.Writer, verbose bool) error {
	var b strings.Builder
	if verbose {
		fmt.Fprintln(&b, "task\trounds\ttokens\tmodelled\town work\tmodel\tended\tpeople")
		for _, k := range f.Tasks {
			end := "whole"
			if !k.Whole {
				end = k.State + ", " + k.Why
			}
			fmt.Fprintf(&b, "%s\t%d\t%d + %d\t%.1f s\t%.1f ms\t%s\t%s\t%s\n", k.Key, k.Rounds, k.In, k.Out,
				k.Took.Seconds(), float64(k.Own.Microseconds())/1000, k.Model, end, strings.Join(k.Humans, ", "))
		}
		fmt.Fprintln(&b)
	}
	fmt.Fprintln(&b, "id\tfigure\tis\ttarget\t")
	for _, g := range f.Targets {
		said := "ok"
		if !g.OK {
			said = "missed"
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\n", g.ID, g.What, g.Is, g.Want, said)
	}
	after := fmt.Sprintf("simulated: a scripted model, seed %d; given were %s\n", f.Seed, list(f.Had))
	for _, v := range f.Faults {
		after += "violated: " + v + "\n"
	}
	return tabled(w, b.String(), after)
}

// tabled writes lines of which the columns stand below each other, and then a text.
func tabled(w io.Writer, lines, after string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, err := io.WriteString(t, lines)
	if err = errors.Join(err, t.Flush()); err == nil {
		_, err = io.WriteString(w, after)
	}
	if err != nil {
		return fmt.Errorf("print figures: %w", err)
	}
	return nil
}
