package config

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// A span is from where to where a value may go. Why says what is beyond it: it is
// told with the fault.
type span[T int | float64 | time.Duration] struct {
	least, most T
	zero        bool // 0 is allowed too, where it has a meaning of its own or is left out
	why         string
}

// The rooms that have limits of their own are not imported.
const (
	ceiling   = 30  // rounds that any profile may have, as guard.Ceiling
	manyCalls = 100 // of a run at its ceiling, with three side by side
)

// counts are the whole numbers, by key; entries of a list have the key of the list.
var counts = map[string]span[int]{
	// A conversation in work holds a run, its context and a connection now and then.
	"agent.at_once": {1, 1024, false, "each conversation in work takes memory and connections of its own"},
	// A year of daily posts; then somebody looks again.
	"agent.grant_uses": {1, 366, false, "an approval that holds for more posts than a year has days is looked at by nobody"},

	// Prompt and tools alone take some 1,500 tokens, so that less ends each task before it begins.
	"loop.budget_tokens":          {2000, 10_000_000, true, "less than prompt and tools take ends each task at once, and more is no limit: write 0 for none"},
	"loop.profiles.budget_tokens": {2000, 10_000_000, true, "less than prompt and tools take ends each task at once"},
	"loop.profiles.max_rounds":    {1, ceiling, true, "a task that has no answer by then has none later"},
	// A month of a large team.
	"budgets.tokens": {2000, 100_000_000_000, true, "less than prompt and tools take ends each task at once"},
	// What a run at its ceiling cannot reach ends nothing.
	"loop.repeat.no_gain_rounds": {1, ceiling, false, "no task has more rounds"},
	"loop.repeat.misfit_max":     {1, ceiling, false, "no task has more rounds"},
	"loop.repeat.window":         {2, ceiling, false, "one round alone holds nothing twice, and no task has more rounds"},
	"loop.repeat.hits":           {2, ceiling, false, "1 would end each task at its first call"},
	// What no configuration may loosen: five executions of one call.
	"loop.repeat.same_call_max": {1, 5, false, "no call is executed more than five times in one task"},
	"loop.repeat.same_tool_max": {1, manyCalls, false, "no task has more calls"},

	"exec.max_parallel": {1, 16, false, "each call side by side takes a connection to what it asks"},
	// With the default pauses ten tries wait two and a half minutes.
	"exec.attempts":       {1, 10, false, "a task is over before more tries are"},
	"exec.tools.attempts": {1, 10, true, "a task is over before more tries are"},

	// Once or twice is no habit; after more than a hundred a week nobody reads what is approved.
	"approvals.offer_after": {3, 100, true, "once or twice is no habit, and nobody reads the card after so many"},
	// What takes more than a quarter of an hour is not looked at.
	"spot_check.count": {1, 20, false, "people look at a few, not at a list"},
	// The pauses grow to an hour; a slot of a week that has failed ten times is a matter for people.
	"schedules.retries": {1, 10, true, "what has failed so often does not pass by itself"},
	// More people do not look at one card.
	"approvals.rules.quorum": {1, 20, true, "so many people never look at one card"},

	// The first, the last and one between them; a thousand items are a model's whole window.
	"result.array_max":   {3, 1000, false, "fewer items show no course, and more fill the window of a model"},
	"result.row_head":    {1, 1000, false, "more rows fill the window of a model"},
	"result.web_chars":   {100, 100_000, false, "less than a sentence or two says nothing, and more fills the window of a model"},
	"result.lines":       {2, 2000, false, "both ends are kept, and more lines fill the window of a model"},
	"result.large_bytes": {1024, 1 << 20, false, "below that each result is kept apart, and above it one fills the window of a model"},

	"model.attempts": {1, 10, false, "whoever asked does not wait for more tries"},
	// A call with a commentary takes several hundred tokens; 128,000 is the longest answer of any model.
	"model.max_tokens":           {1024, 128_000, false, "with less, answers and calls are cut off, and no model writes more"},
	"model.reasoning_max_tokens": {1, 128_000, true, "no model thinks for longer"},
	"model.at_once":              {1, 1000, true, "no vendor takes more; write 0 for no cap"},
}

// shares are the other numbers.
var shares = map[string]span[float64]{
	// The cheapest call there is costs about that; a thousand dollars for one task is a slip of the pen.
	"loop.budget_usd":          {0.0001, 1000, true, "a first call costs more, and no task is worth more"},
	"loop.profiles.budget_usd": {0.0001, 1000, true, "a first call costs more, and no task is worth more"},
	"budgets.usd":              {0.0001, 1_000_000, true, "a first call costs more, and no team spends more in a month"},
	"budgets.warn":             {0.1, 1, true, "it is a share: 0.8 is four fifths, and what has just begun is no news"},
	"loop.warn_at":             {0.1, 1, false, "it is a share: 0.8 is four fifths, and a task that has just begun is not to end"},

	"exec.backoff.factor": {1, 10, false, "below 1 the pauses become shorter, and above 10 the second is the last"},

	"model.temperature": {0.2, 0.4, false, "decisions stay steady there"},
	"model.rps":         {0.01, 1000, true, "one call in a hundred seconds is a model that stands still; write 0 for no pacing"},
	// A dollar for 1,000 tokens is more than any vendor takes, and less than most take for a million.
	"model.price.prompt_per_1k":     {0, 1, true, "it is the price of 1,000 tokens: $3 for a million is 0.003"},
	"model.price.cached_per_1k":     {0, 1, true, "it is the price of 1,000 tokens: $3 for a million is 0.003"},
	"model.price.completion_per_1k": {0, 1, true, "it is the price of 1,000 tokens: $3 for a million is 0.003"},
}

const day = 24 * time.Hour

// times are the durations.
var times = map[string]span[time.Duration]{
	// A card is read by a person; what was approved a quarter ago is about other figures.
	"agent.question_ttl":             {time.Minute, 90 * day, false, "nobody answers sooner, and what is older is about something else"},
	"agent.job_question_ttl":         {time.Minute, 90 * day, false, "nobody answers sooner, and what is older is about something else"},
	"approvals.rules.escalate.after": {time.Minute, 90 * day, true, "nobody answers sooner, and no question is open for longer"},
	"agent.gather":                   {0, 10 * time.Second, true, "people wait for so long before anything begins; 1s is enough for quick lines"},

	"schedules.stagger": {0, time.Hour, true, "what begins an hour after its time is late"},

	"loop.profiles.task_timeout": {time.Second, day, true, "a task that takes a day hangs"},

	// The other side needs a second; a try of an hour is longer than any task.
	"exec.timeout.normal": {time.Second, time.Hour, false, "the other side needs a second, and what takes an hour hangs"},
	"exec.timeout.heavy":  {time.Second, time.Hour, false, "the other side needs a second, and what takes an hour hangs"},
	"exec.timeout.shell":  {time.Second, time.Hour, false, "the other side needs a second, and what takes an hour hangs"},
	"exec.tools.timeout":  {time.Second, time.Hour, true, "the other side needs a second, and what takes an hour hangs"},
	// Without a pause a service that is down is flooded.
	"exec.backoff.base": {10 * time.Millisecond, time.Minute, false, "a service that is down needs a pause, and whoever asked does not wait for longer"},
	"exec.tools.base":   {10 * time.Millisecond, time.Minute, true, "a service that is down needs a pause, and whoever asked does not wait for longer"},
	"exec.backoff.max":  {10 * time.Millisecond, 10 * time.Minute, false, "a task is over before a longer pause is"},

	"model.timeout":    {time.Second, time.Hour, false, "no model answers sooner, and one that takes an hour hangs"},
	"model.total":      {time.Second, 2 * time.Hour, false, "no model answers sooner, and one that takes two hours hangs"},
	"model.first_byte": {time.Second, time.Hour, false, "no model begins sooner, and one that is silent for an hour hangs"},
}

// boundFaults are the numbers that are out of bounds, and those that do not go
// together.
func (c *Config) boundFaults(fault func(key, wrong, hint string)) {
	seen := map[string]any{} // the first of several
	numbersOf(reflect.ValueOf(*c), "", "", func(key, of string, v reflect.Value) {
		if other, ok := strings.CutPrefix(of, "model.fallbacks."); ok {
			if of = "model." + other; seen[of] == v.Interface() {
				return // it is the first model's, or as good
			}
		}
		seen[of] = v.Interface()
		var wrong, from, to, why string
		switch x := v.Interface().(type) {
		case time.Duration:
			s := times[of]
			wrong, from, to, why = s.wrong(x, inWords), inWords(s.least), inWords(s.most), s.why
		case int:
			s := counts[of]
			wrong, from, to, why = s.wrong(x, plain), plain(s.least), plain(s.most), s.why
		case float64:
			s := shares[of]
			wrong, from, to, why = s.wrong(x, plain), plain(s.least), plain(s.most), s.why
		}
		if wrong != "" {
			fault(key, wrong, fmt.Sprintf("write %s to %s, or leave the key out for %s; %s", from, to, leftOut(key, of), why))
		}
	})
	first := c.Model.Endpoint
	first.timeFaults("model", fault)
	for i, e := range c.Model.Fallbacks {
		if e.Total != first.Total || e.Timeout != first.Timeout || e.FirstByte != first.FirstByte {
			e.timeFaults(fmt.Sprintf("model.fallbacks[%d]", i), fault)
		}
	}
	if r := c.Loop.Repeat; r.Hits > r.Window && r.Window >= counts["loop.repeat.window"].least {
		fault("loop.repeat.hits", fmt.Sprintf("%d is more than loop.repeat.window, which is %d: so often no call stands in so few rounds, and nothing would end a run that goes in a circle", r.Hits, r.Window),
			"write hits that the window can hold, such as 3 in 5")
	}
	if b := c.Exec.Backoff; b.Max < b.Base && b.Max >= times["exec.backoff.max"].least {
		fault("exec.backoff", fmt.Sprintf("base, which is %s, is more than max, which is %s", inWords(b.Base), inWords(b.Max)), "the first pause is base and no pause is longer than max; leave both out for 1s and 30s")
	}
}

// wrong says how a value is out of a span, or nothing if it is not, or if there is no
// such span.
func (s span[T]) wrong(v T, say func(T) string) string {
	switch {
	case s.why == "" || v == 0 && s.zero:
		return ""
	case v < s.least:
		return say(v) + " is less than " + say(s.least)
	case v > s.most:
		return say(v) + " is more than " + say(s.most)
	}
	return ""
}

// leftOut is what holds where a key is left out.
func leftOut(key, of string) string {
	switch v := defaults[of].(type) {
	case nil:
		return "that of all"
	case time.Duration:
		return inWords(v)
	default:
		if key != of {
			return "that of the first"
		}
		return plain(v)
	}
}

func plain[T any](v T) string { return fmt.Sprint(v) }

// inWords writes a duration as people write it: 2m and not 2m0s.
func inWords(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// numbersOf calls f for every number and duration in a struct, with its key and the
// key without places in lists.
func numbersOf(v reflect.Value, key, of string, f func(key, of string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			name, squash, _ := strings.Cut(v.Type().Field(i).Tag.Get("mapstructure"), ",")
			switch {
			case squash == "squash":
				numbersOf(v.Field(i), key, of, f)
			case key == "":
				numbersOf(v.Field(i), name, name, f)
			default:
				numbersOf(v.Field(i), key+"."+name, of+"."+name, f)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			numbersOf(v.Index(i), fmt.Sprintf("%s[%d]", key, i), of, f)
		}
	case reflect.Int, reflect.Int64, reflect.Float64:
		f(key, of, v)
	}
}
