// Package config reads the configuration file and the environment. Only
// cmd/hermes imports it: every other package is told what it needs through its
// constructor.
//
// What a newcomer would break: user data never becomes a key. Names of workspaces,
// sources and people stand in lists, since viper writes keys in lower case.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/viper"
)

// Secret is a string that never prints itself.
type Secret string

const hidden = "[secret]"

// String implements fmt.Stringer.
func (Secret) String() string { return hidden }

// GoString implements fmt.GoStringer.
func (Secret) GoString() string { return hidden }

// MarshalText implements encoding.TextMarshaler.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Config is the whole file.
type Config struct {
	Data     string   `mapstructure:"data"`     // folder of the store, the lock and the socket
	Database Secret   `mapstructure:"database"` // file or postgres://…; empty: hermes.db in Data
	Zone     string   `mapstructure:"zone"`     // IANA name, for people whose platform knows none
	Admins   []string `mapstructure:"admins"`   // persons: platform:workspace:user

	Web    Web    `mapstructure:"web"`
	Slack  Slack  `mapstructure:"slack"`
	Model  Model  `mapstructure:"model"`
	Agent  Agent  `mapstructure:"agent"`
	Loop   Loop   `mapstructure:"loop"`
	Exec   Exec   `mapstructure:"exec"`
	Result Result `mapstructure:"result"`
	Safety Safety `mapstructure:"safety"`
	Policy Policy `mapstructure:"policy"`
	Audit  Audit  `mapstructure:"audit"`

	Approvals Approvals `mapstructure:"approvals"`
	Rights    []Right   `mapstructure:"rights"`
	Budgets   []Budget  `mapstructure:"budgets"`
	SpotCheck SpotCheck `mapstructure:"spot_check"`
	Schedules Schedules `mapstructure:"schedules"`

	Router  Router   `mapstructure:"router"`
	Terms   []Term   `mapstructure:"terms"`
	Sources []Source `mapstructure:"sources"`
	Reports Reports  `mapstructure:"reports"`
	Log     Log      `mapstructure:"log"`
}

// Model is the language model; without a key and an endpoint the built-in rules
// answer.
type Model struct {
	Endpoint `mapstructure:",squash"`
	// PromptFile holds the fixed part of the system prompt, instead of the built-in
	// one.
	PromptFile string `mapstructure:"prompt_file"`
	// Fallbacks are asked in this order while the ones before are not to be had.
	Fallbacks []Endpoint `mapstructure:"fallbacks"`
}

// Endpoint is one model and how it is asked. A number that is 0 in one of the
// fallbacks is that of the first.
type Endpoint struct {
	Provider           string        `mapstructure:"provider"` // "", "rules", "anthropic", or "openai": any OpenAI-compatible endpoint
	BaseURL            string        `mapstructure:"base_url"`
	APIKey             Secret        `mapstructure:"api_key"`
	Name               string        `mapstructure:"name"`
	Timeout            time.Duration `mapstructure:"timeout"` // of one try
	Total              time.Duration `mapstructure:"total"`   // of one call with all its tries
	Attempts           int           `mapstructure:"attempts"`
	FirstByte          time.Duration `mapstructure:"first_byte"`           // how long a streamed answer may be silent
	MaxTokens          int           `mapstructure:"max_tokens"`           // of one answer
	ReasoningMaxTokens int           `mapstructure:"reasoning_max_tokens"` // of what a reasoning model thinks; 0 leaves it to the endpoint
	Temperature        float64       `mapstructure:"temperature"`
	DecisionFormat     string        `mapstructure:"decision_format"` // auto, native, nested, flat, tagged
	RPS                float64       `mapstructure:"rps"`             // calls a second; 0: no pacing
	AtOnce             int           `mapstructure:"at_once"`         // calls at a time; 0: no cap
	Price              Price         `mapstructure:"price"`
}

// Price is what 1,000 tokens cost, in dollars.
type Price struct {
	Prompt     float64 `mapstructure:"prompt_per_1k"`
	Cached     float64 `mapstructure:"cached_per_1k"` // of the prompt, where the vendor had it already
	Completion float64 `mapstructure:"completion_per_1k"`
}

// Agent are numbers that the whole agent keeps.
type Agent struct {
	AtOnce      int           `mapstructure:"at_once"`          // conversations in work at a time
	QuestionTTL time.Duration `mapstructure:"question_ttl"`     // how long a question stays open
	JobQuestion time.Duration `mapstructure:"job_question_ttl"` // the same, of a scheduled run
	GrantUses   int           `mapstructure:"grant_uses"`
	Gather      time.Duration `mapstructure:"gather"` // how long what looks like a part of a request waits for more lines; 0: not at all
}

// Loop is how far a task may go before it is ended. What stands here holds for every
// profile that does not say otherwise.
type Loop struct {
	BudgetTokens int      `mapstructure:"budget_tokens"` // in and out; 0: no limit
	BudgetUSD    float64  `mapstructure:"budget_usd"`    // 0: no limit
	WarnAt       float64  `mapstructure:"warn_at"`       // the share at which the model is told to end
	OnCap        string   `mapstructure:"on_cap"`        // suspend: Continue goes on; end: what there is is the answer
	Interrupt    []string `mapstructure:"interrupt_before"`
	Repeat       Repeat   `mapstructure:"repeat"`
	// Profiles change the built-in ones (default, qa, report, research, code) or
	// add others for Channels. Fields left out are the built-in one's, or default's.
	Profiles []Profile `mapstructure:"profiles"`
	// Channels have one profile for all that is asked there; elsewhere what is asked
	// chooses it.
	Channels []ChannelProfile `mapstructure:"channels"`
}

// ChannelProfile is how far what is asked in a channel may go.
type ChannelProfile struct {
	Channel string `mapstructure:"channel"` // platform:workspace:channel
	Profile string `mapstructure:"profile"`
}

// Repeat is when a run goes in a circle.
type Repeat struct {
	NoGainRounds int `mapstructure:"no_gain_rounds"`
	Window       int `mapstructure:"window"`
	Hits         int `mapstructure:"hits"`
	SameCallMax  int `mapstructure:"same_call_max"`
	SameToolMax  int `mapstructure:"same_tool_max"`
	MisfitMax    int `mapstructure:"misfit_max"`
}

// Profile is how far one sort of task may go.
type Profile struct {
	Name         string        `mapstructure:"name"`
	MaxRounds    int           `mapstructure:"max_rounds"`
	TaskTimeout  time.Duration `mapstructure:"task_timeout"`
	BudgetTokens int           `mapstructure:"budget_tokens"`
	BudgetUSD    float64       `mapstructure:"budget_usd"`
	OnCap        string        `mapstructure:"on_cap"`
	Interrupt    []string      `mapstructure:"interrupt_before"`
	VerifyStep   string        `mapstructure:"verify_step"` // a tool that must have succeeded before an answer counts; empty: none
	Ends         []string      `mapstructure:"ends"`        // statuses in which it may end; none: all
}

// Exec is how tools are run.
type Exec struct {
	Timeout     Timeouts      `mapstructure:"timeout"`
	MaxParallel int           `mapstructure:"max_parallel"`
	Attempts    int           `mapstructure:"attempts"`
	Backoff     Backoff       `mapstructure:"backoff"`
	Tools       []ToolRunning `mapstructure:"tools"` // those that differ
}

// Timeouts are of one try, by the class of the tool.
type Timeouts struct {
	Normal time.Duration `mapstructure:"normal"`
	Heavy  time.Duration `mapstructure:"heavy"`
	Shell  time.Duration `mapstructure:"shell"`
}

// Backoff is the wait between two tries.
type Backoff struct {
	Base   time.Duration `mapstructure:"base"`
	Factor float64       `mapstructure:"factor"`
	Max    time.Duration `mapstructure:"max"`
}

// ToolRunning is how one tool is run.
type ToolRunning struct {
	Name     string        `mapstructure:"name"`
	Attempts int           `mapstructure:"attempts"`
	Timeout  time.Duration `mapstructure:"timeout"`
	Base     time.Duration `mapstructure:"base"`
}

// Result is how much of a tool's result a model reads; the rest stays on the shelf.
type Result struct {
	ArrayMax   int `mapstructure:"array_max"`
	RowHead    int `mapstructure:"row_head"`
	WebChars   int `mapstructure:"web_chars"`
	Lines      int `mapstructure:"lines"`
	LargeBytes int `mapstructure:"large_bytes"`
	// ModelDigest lets a model shorten long texts of tools that allow it.
	ModelDigest bool `mapstructure:"model_digest"`
}

// Safety is what stops a call for a person.
type Safety struct {
	Words []string `mapstructure:"words"`
}

// Source is where figures come from: a database, files, or an address that answers with
// JSON. Without any there is the sample sales database.
type Source struct {
	Name    string `mapstructure:"name"`
	Dialect string `mapstructure:"dialect"` // sqlite, postgres or mysql; empty for files and http
	DSN     Secret `mapstructure:"dsn"`
	Files   Files  `mapstructure:"files"`
	HTTP    HTTP   `mapstructure:"http"`
	// Functions may be called by a model's SQL beside those that are known only to
	// compute.
	Functions  []string    `mapstructure:"functions"`
	Measures   []Measure   `mapstructure:"measures"`
	Dimensions []Dimension `mapstructure:"dimensions"`
}

// Measure is something that can be added up.
type Measure struct {
	Name     string   `mapstructure:"name"`
	Label    Label    `mapstructure:"label"`
	Synonyms []string `mapstructure:"synonyms"`
	SQL      string   `mapstructure:"sql"`  // aggregate expression
	From     string   `mapstructure:"from"` // FROM clause
	Time     string   `mapstructure:"time"` // date expression
	Unit     string   `mapstructure:"unit"`
	Scale    int      `mapstructure:"scale"`
	Daily    bool     `mapstructure:"daily"`    // every day should have data
	NoTotal  bool     `mapstructure:"no_total"` // an average or a share: parts do not add up
	// Dimensions are those that go with From; none means all.
	Dimensions []string `mapstructure:"dimensions"`
}

// Dimension is something to group and filter by.
type Dimension struct {
	Name     string         `mapstructure:"name"`
	Label    Label          `mapstructure:"label"`
	Synonyms []string       `mapstructure:"synonyms"`
	SQL      string         `mapstructure:"sql"`
	From     string         `mapstructure:"from"` // where all the values stand; empty: as the first measure
	Values   []ValueSynonym `mapstructure:"values"`
}

// ValueSynonym are other words for a value of a dimension.
type ValueSynonym struct {
	Value string   `mapstructure:"value"`
	Words []string `mapstructure:"words"`
}

// Label is a name in both languages.
type Label struct {
	EN string `mapstructure:"en"`
	ZH string `mapstructure:"zh"`
}

// Reports are where saved ones lie as files, and how all are made.
type Reports struct {
	Dir  string `mapstructure:"dir"`  // folder of YAML files; one that is not there has none
	Font string `mapstructure:"font"` // a file; empty: one is looked for
}

// Log is where the program's own log goes: standard error.
type Log struct {
	Level string `mapstructure:"level"` // debug, info, warn, error
}

// defaults are all keys with a value, by their full names.
var defaults = map[string]any{
	"data": "hermes-data", "database": "", "zone": "", "admins": []string{},
	"web.addr": "127.0.0.1:8484", "web.allow_remote": false, "web.url": "", "web.users": []WebUser{},
	"slack.api_url": "https://slack.com/api/", "slack.app_token": "", "slack.bot_token": "", "slack.signing_secret": "", "slack.listen": "127.0.0.1:8485", "slack.proxy": "",
	"model.provider": "", "model.base_url": "", "model.api_key": "", "model.name": "",
	"model.timeout": 2 * time.Minute, "model.total": 3 * time.Minute, "model.attempts": 3, "model.first_byte": 30 * time.Second, "model.max_tokens": 2048,
	"model.reasoning_max_tokens": 0, "model.temperature": 0.3, "model.decision_format": "auto",
	"model.rps": 0.0, "model.at_once": 0, "model.fallbacks": []Endpoint{}, "model.prompt_file": "",
	"model.price.prompt_per_1k": 0.0, "model.price.cached_per_1k": 0.0, "model.price.completion_per_1k": 0.0,
	"loop.budget_tokens": 60_000, "loop.budget_usd": 0.0, "loop.warn_at": 0.8, "loop.on_cap": "suspend", "loop.interrupt_before": []string{},
	"loop.repeat.no_gain_rounds": 2, "loop.repeat.window": 5, "loop.repeat.hits": 3,
	"loop.repeat.same_call_max": 5, "loop.repeat.same_tool_max": 10, "loop.repeat.misfit_max": 3, "loop.profiles": []Profile{}, "loop.channels": []ChannelProfile{},
	"exec.timeout.normal": 10 * time.Second, "exec.timeout.heavy": 30 * time.Second, "exec.timeout.shell": 30 * time.Second,
	"exec.max_parallel": 3, "exec.attempts": 3,
	"exec.backoff.base": time.Second, "exec.backoff.factor": 2.0, "exec.backoff.max": 30 * time.Second, "exec.tools": []ToolRunning{},
	"result.array_max": 20, "result.row_head": 50, "result.web_chars": 2000, "result.lines": 50, "result.large_bytes": 8192, "result.model_digest": false,
	"safety.words":       []string{"delete", "overwrite", "transfer", "erase", "wipe", "truncate", "删除", "覆盖", "转账", "转帐", "删掉", "清空", "汇款", "打款"},
	"agent.at_once":      256,
	"agent.question_ttl": 24 * time.Hour, "agent.job_question_ttl": 7 * 24 * time.Hour, "agent.grant_uses": 12, "agent.gather": time.Second,
	"policy.guests": "chat", "policy.external": "none", "policy.bots": "none", "policy.bot_turns": 3, "policy.users": []string{}, "policy.channels": []string{},
	"approvals.offer_after": 5, "approvals.rules": []ApprovalRule{}, "approvals.delegates": []Delegate{},
	"rights": []Right{}, "budgets": []Budget{},
	"spot_check.channel": "", "spot_check.count": 5, "spot_check.when": "mon 09:00",
	"schedules.catch_up": "once", "schedules.overlap": "skip", "schedules.stagger": time.Duration(0), "schedules.quiet": "", "schedules.retries": 3, "schedules.holidays": "",
	"audit.key": "", "audit.former_keys": []Secret{},
	"router.weights": "", "router.ask_below": 0.5, "terms": []Term{},
	"reports.font": "",
	"reports.dir":  "reports",
	"log.level":    "info",
}

// Load reads the file of that name over the defaults, and the environment over
// both: HERMES_WEB_ADDR for web.addr and so on, and the names that others use for
// the same: SLACK_APP_TOKEN, SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET, OPENAI_API_KEY,
// OPENAI_BASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL. An
// empty name is no file; a file that is not there is an error. All faults of the
// file come in one error, each with its key and what to do. So do the names of environ,
// which is as os.Environ has it, that look like ours and are none.
func Load(name string, environ ...string) (Config, error) {
	v := viper.NewWithOptions(viper.ExperimentalBindStruct())
	v.SetEnvPrefix("HERMES")
	v.SetEnvKeyReplacer(strings.NewReplacer(".", "_"))
	v.AutomaticEnv()
	for key, value := range defaults {
		v.SetDefault(key, value)
	}
	for key, env := range map[string][]string{
		"slack.app_token":      {"HERMES_SLACK_APP_TOKEN", "SLACK_APP_TOKEN"},
		"slack.bot_token":      {"HERMES_SLACK_BOT_TOKEN", "SLACK_BOT_TOKEN"},
		"slack.signing_secret": {"HERMES_SLACK_SIGNING_SECRET", "SLACK_SIGNING_SECRET"},
		"model.api_key":        {"HERMES_MODEL_API_KEY"},
		"model.base_url":       {"HERMES_MODEL_BASE_URL"},
	} {
		if err := v.BindEnv(append([]string{key}, env...)...); err != nil {
			return Config{}, fmt.Errorf("config: bind %s: %w", key, err)
		}
	}
	if name != "" {
		v.SetConfigFile(name)
		v.SetConfigType("yaml")
		if err := v.ReadInConfig(); err != nil {
			return Config{}, readFault(name, err)
		}
	}
	// What fits is read and looked over even where something does not, so that all
	// faults come at once.
	r := reading{name: name}
	r.variables(environ)
	fits := viper.New()
	for key, value := range defaults {
		fits.SetDefault(key, value)
	}
	if err := fits.MergeConfigMap(r.section("", v.AllSettings(), reflect.TypeFor[Config]())); err != nil {
		return Config{}, fmt.Errorf("config: %s: %w", name, err)
	}
	var c Config
	if err := fits.Unmarshal(&c); err != nil {
		return Config{}, fmt.Errorf("config: %s: %w\n  hint: `hermes init --print` shows a whole file with the right types", name, err)
	}
	c.environment(environment())
	r.faults = append(r.faults, c.fill(environment())...)
	if faults := r.apart(c.validate()); len(faults) > 0 {
		return Config{}, join(faults)
	}
	return c, nil
}

func join(faults []Fault) error {
	all := make([]error, len(faults))
	for i, f := range faults {
		all[i] = f
	}
	return errors.Join(all...)
}

// environment reads the environment beyond our own names.
func environment() func(string) string {
	v := viper.New()
	return func(name string) string {
		if v.BindEnv(name, name) != nil {
			return ""
		}
		return v.GetString(name)
	}
}

func readFault(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("config: there is no file %s\n  hint: `hermes init` writes one; without --config the defaults are used", name)
	}
	return fmt.Errorf("config: read %s: %w\n  hint: it is YAML; `hermes init --print` shows a whole one", name, err)
}
