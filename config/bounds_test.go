package config_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/config"
)

// bounds are for every number what is just refused below, what is just taken at both
// ends, and what is just refused above. Where 0 means something it is zero.
var bounds = map[string]struct {
	below, least, most, above string
	zero                      bool
}{
	"agent.at_once":          {"0", "1", "1024", "1025", false},
	"agent.grant_uses":       {"0", "1", "366", "367", false},
	"agent.question_ttl":     {"59s", "1m", "2160h", "2160h1s", false},
	"agent.job_question_ttl": {"59s", "1m", "2160h", "2160h1s", false},
	"schedules.stagger":      {"-1s", "1s", "1h", "1h1s", true},
	"schedules.retries":      {"-1", "1", "10", "11", true},
	"agent.gather":           {"-1s", "1ms", "10s", "10001ms", true},

	"loop.budget_tokens":         {"1999", "2000", "10000000", "10000001", true},
	"loop.budget_usd":            {"-0.01", "0.0001", "1000", "1000.01", true},
	"loop.warn_at":               {"0.09", "0.1", "1", "1.01", false},
	"loop.repeat.no_gain_rounds": {"0", "1", "30", "31", false},
	"loop.repeat.window":         {"1", "3", "30", "31", false}, // 2 would hold fewer than the hits
	"loop.repeat.hits":           {"1", "2", "5", "6", false},   // of the window
	"loop.repeat.same_call_max":  {"0", "1", "5", "6", false},
	"loop.repeat.same_tool_max":  {"0", "1", "100", "101", false},
	"loop.repeat.misfit_max":     {"0", "1", "30", "31", false},

	"loop.profiles.max_rounds":    {"-1", "1", "30", "31", true},
	"loop.profiles.task_timeout":  {"999ms", "1s", "24h", "24h1s", true},
	"loop.profiles.budget_tokens": {"1999", "2000", "10000000", "10000001", true},
	"loop.profiles.budget_usd":    {"-1", "0.0001", "1000", "1001", true},

	"exec.timeout.normal": {"0s", "1s", "1h", "1h1s", false},
	"exec.timeout.heavy":  {"-1s", "1s", "1h", "1h1s", false},
	"exec.timeout.shell":  {"999ms", "1s", "1h", "1h1s", false},
	"exec.max_parallel":   {"0", "1", "16", "17", false},
	"exec.attempts":       {"0", "1", "10", "11", false},
	"exec.backoff.base":   {"9ms", "10ms", "30s", "31s", false}, // no more than max
	"exec.backoff.factor": {"0.99", "1", "10", "10.1", false},
	"exec.backoff.max":    {"999ms", "1s", "10m", "10m1s", false}, // no less than base
	"exec.tools.attempts": {"-1", "1", "10", "11", true},
	"exec.tools.timeout":  {"-1s", "1s", "1h", "1h1s", true},
	"exec.tools.base":     {"-1s", "10ms", "1m", "61s", true},

	"result.array_max":   {"2", "3", "1000", "1001", false},
	"result.row_head":    {"0", "1", "1000", "1001", false},
	"result.web_chars":   {"99", "100", "100000", "100001", false},
	"result.lines":       {"1", "2", "2000", "2001", false},
	"result.large_bytes": {"1023", "1024", "1048576", "1048577", false},

	"model.timeout":                 {"0s", "1s", "1h", "1h1s", false},
	"model.total":                   {"-1s", "1s", "2h", "2h1s", false},
	"model.first_byte":              {"999ms", "1s", "1h", "1h1s", false},
	"model.attempts":                {"0", "1", "10", "11", false},
	"model.max_tokens":              {"1023", "1024", "128000", "128001", false},
	"model.reasoning_max_tokens":    {"-1", "1", "128000", "128001", true},
	"model.temperature":             {"0.19", "0.2", "0.4", "0.41", false},
	"model.rps":                     {"0.009", "0.01", "1000", "1001", true},
	"model.at_once":                 {"-1", "1", "1000", "1001", true},
	"model.price.prompt_per_1k":     {"-0.1", "0.001", "1", "3", true},
	"model.price.cached_per_1k":     {"-0.1", "0.001", "1", "3", true},
	"model.price.completion_per_1k": {"-0.1", "0.001", "1", "15", true},
}

// numericKeys are the numbers and durations of these sections.
func numericKeys() (keys []string) {
	var walk func(t reflect.Type, at string)
	walk = func(t reflect.Type, at string) {
		for i := range t.NumField() {
			f := t.Field(i)
			name, squash, _ := strings.Cut(f.Tag.Get("mapstructure"), ",")
			ft := f.Type
			if ft.Kind() == reflect.Slice {
				ft = ft.Elem()
			}
			switch {
			case squash == "squash":
				walk(ft, at)
			case ft.Kind() == reflect.Struct:
				walk(ft, at+name+".")
			case ft == reflect.TypeFor[time.Duration](), ft.Kind() == reflect.Int, ft.Kind() == reflect.Float64:
				keys = append(keys, at+name)
			}
		}
	}
	walk(reflect.TypeFor[config.Config](), "")
	return slices.DeleteFunc(keys, func(key string) bool {
		section, _, _ := strings.Cut(key, ".")
		return !slices.Contains([]string{"loop", "exec", "result", "model", "safety", "agent", "schedules"}, section)
	})
}

// beside are the times of a model that leave room for another.
var beside = map[string]string{
	"model.timeout": ", total: 2h, first_byte: 1s", "model.total": ", timeout: 1s, first_byte: 1s", "model.first_byte": ", total: 2h, timeout: 1h",
}

// fileWith is a file in which a key has a value; entries of a list have what they need
// beside it.
func fileWith(key, value string) string {
	section, last := key[:strings.LastIndexByte(key, '.')], key[strings.LastIndexByte(key, '.')+1:]
	text := last + ": " + value + beside[key[:strings.IndexByte(key, '.')]+"."+last]
	for _, s := range slices.Backward(strings.Split(section, ".")) {
		switch s {
		case "profiles":
			text = "[{name: qa, " + text + "}]"
		case "tools":
			text = "[{name: a, " + text + "}]"
		case "fallbacks":
			text = "[{provider: openai, " + text + "}]"
		default:
			text = "{" + text + "}"
		}
		text = s + ": " + text
	}
	return text + "\n"
}

// LOOP-17, PRIN-11 Every number has a least and a most value. What is beyond is refused
// with its key, the value, what is allowed, and what to do.
func TestEveryNumberHasBounds(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	t.Setenv("ANTHROPIC_API_KEY", "")
	keys := numericKeys()
	for key := range bounds {
		if !slices.Contains(keys, key) {
			t.Errorf("there is no number %s", key)
		}
	}
	for _, key := range keys {
		b, ok := bounds[strings.Replace(key, "model.fallbacks.", "model.", 1)]
		if !ok {
			t.Errorf("%s has no bounds", key)
			continue
		}
		fallback := strings.HasPrefix(key, "model.fallbacks.")
		taken := []string{b.least, b.most}
		if b.zero || fallback { // in a fallback 0 is as the first
			taken = append(taken, map[bool]string{true: "0s", false: "0"}[strings.ContainsAny(b.least, "smh")])
		}
		for _, value := range taken {
			if _, err := config.Load(write(t, fileWith(key, value))); err != nil {
				t.Errorf("%s: %v", fileWith(key, value), err)
			}
		}
		for _, value := range []string{b.below, b.above} {
			if fallback && (value == "0" || value == "0s") {
				continue
			}
			_, err := config.Load(write(t, fileWith(key, value)))
			var f config.Fault
			if !errors.As(err, &f) {
				t.Errorf("%s is taken: %v", strings.TrimSpace(fileWith(key, value)), err)
				continue
			}
			plain := strings.NewReplacer("[0]", "").Replace(f.Key)
			if plain != key && plain != "exec.backoff" || !strings.Contains(f.Wrong, " is less than ") && !strings.Contains(f.Wrong, " is more than ") || !strings.Contains(f.Hint, "leave the key out") && !strings.Contains(f.Hint, "write hits") && !strings.Contains(f.Hint, "leave both out") {
				t.Errorf("%s = %v, want a fault of %s that says what is allowed", strings.TrimSpace(fileWith(key, value)), err, key)
			}
			if n := strings.Count(err.Error(), "config: "); n != 1 {
				t.Errorf("%s = %d faults, want one:\n%v", strings.TrimSpace(fileWith(key, value)), n, err)
			}
		}
	}
}

// What is refused says all there is to say of it.
func TestAFaultOfANumberSaysWhatIsAllowed(t *testing.T) {
	for text, want := range map[string]string{
		"exec: {attempts: 100}":                                                             "config: exec.attempts: 100 is more than 10\n  hint: write 1 to 10, or leave the key out for 3; a task is over before more tries are",
		"loop: {repeat: {same_call_max: 50}}":                                               "config: loop.repeat.same_call_max: 50 is more than 5\n  hint: write 1 to 5, or leave the key out for 5; no call is executed more than five times in one task",
		"loop: {repeat: {window: 2, hits: 9}}":                                              "config: loop.repeat.hits: 9 is more than loop.repeat.window, which is 2",
		"loop: {repeat: {hits: 1}}":                                                         "config: loop.repeat.hits: 1 is less than 2\n  hint: write 2 to 30, or leave the key out for 3; 1 would end each task at its first call",
		"agent: {question_ttl: 30s}":                                                        "config: agent.question_ttl: 30s is less than 1m\n  hint: write 1m to 2160h, or leave the key out for 24h;",
		"exec: {backoff: {base: 20s, max: 10s}}":                                            "config: exec.backoff: base, which is 20s, is more than max, which is 10s",
		"exec: {tools: [{name: a, attempts: 20}]}":                                          "config: exec.tools[0].attempts: 20 is more than 10\n  hint: write 1 to 10, or leave the key out for that of all;",
		"loop: {profiles: [{name: rport}]}":                                                 "config: loop.profiles[0].name: \"rport\" is none of default, qa, report, research, code, and no channel has it",
		`loop: {channels: [{channel: "slack:T:C", profile: rserch}]}`:                       "config: loop.channels[0].profile: there is no profile \"rserch\"\n  hint: write default, qa, report, research, code, or a name that stands under loop.profiles",
		"model: {provider: anthropic, reasoning_max_tokens: 500}":                           "config: model.reasoning_max_tokens: 500 is less than 1024, which anthropic takes at least",
		"model: {price: {prompt_per_1k: 3}}":                                                "$3 for a million is 0.003",
		"model: {attempts: 20, fallbacks: [{provider: openai, attempts: 30}]}":              "config: model.fallbacks[0].attempts: 30 is more than 10\n  hint: write 1 to 10, or leave the key out for that of the first;",
		"model: {timeout: 5m, total: 1m}":                                                   "config: model.total: 1m is less than model.timeout, which is 5m\n  hint: total is of all tries",
		"model: {timeout: 5m, total: 5m, first_byte: 10m}":                                  "config: model.timeout: 5m is less than model.first_byte, which is 10m\n  hint: an answer begins",
		"model: {fallbacks: [{provider: openai, timeout: 10m, total: 4m}]}":                 "config: model.fallbacks[0].total: 4m is less than model.fallbacks[0].timeout, which is 10m",
		"loop: {profiles: [{name: qa, ends: [done, cancelled, failed, suspended, happy]}]}": "config: loop.profiles[0].ends[4]: \"happy\" is no status in which a task may end\n  hint: write done, partial, suspended, stalled, repeated,",
		"loop: {on_cap: end, profiles: [{name: qa, ends: [done, suspended]}]}":              "config: loop.profiles[0].ends: it lacks cancelled, failed, partial",
	} {
		if _, err := config.Load(write(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s = %v\nwant %s", text, err, want)
		}
	}
	// A profile of one's own is one for channels.
	cfg, err := config.Load(write(t, `loop: {profiles: [{name: press, max_rounds: 3}], channels: [{channel: "slack:T:C", profile: press}, {channel: "slack:T:D", profile: research}]}`))
	if err != nil || fmt.Sprint(cfg.Loop.Channels) != "[{slack:T:C press} {slack:T:D research}]" {
		t.Errorf("channels = %v, %v", cfg.Loop.Channels, err)
	}
}

// One time alone may be set: the others make room for it.
func TestTimesOfAModelThatNobodyHasSetMakeRoom(t *testing.T) {
	for text, want := range map[string][3]time.Duration{
		"model: {provider: openai, timeout: 10s}":                                        {10 * time.Second, 3 * time.Minute, 10 * time.Second},
		"model: {provider: openai, timeout: 10m}":                                        {10 * time.Minute, 10 * time.Minute, 30 * time.Second},
		"model: {provider: openai, timeout: 1m, fallbacks: [{provider: anthropic}]}":     {time.Minute, 3 * time.Minute, 30 * time.Second},
		"model: {provider: openai, timeout: 5s, total: 6s, first_byte: 4s, attempts: 1}": {5 * time.Second, 6 * time.Second, 4 * time.Second},
	} {
		file := filepath.Join(t.TempDir(), "hermes.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(file)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := [3]time.Duration{c.Model.Timeout, c.Model.Total, c.Model.FirstByte}; got != want {
			t.Errorf("%s: timeout, total, first byte are %v, want %v", text, got, want)
		}
	}
}
