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

	Web     Web      `mapstructure:"web"`
	Slack   Slack    `mapstructure:"slack"`
	Model   Model    `mapstructure:"model"`
	Agent   Agent    `mapstructure:"agent"`
	Sources []Source `mapstructure:"sources"`
	Log     Log      `mapstructure:"log"`
}

// Web is the local console.
type Web struct {
	Addr        string `mapstructure:"addr"`
	AllowRemote bool   `mapstructure:"allow_remote"` // bind an address that is not loopback
}

// Slack are the workspaces to connect to.
type Slack struct {
	APIURL     string      `mapstructure:"api_url"`
	AppToken   Secret      `mapstructure:"app_token"` // of one workspace; several: Workspaces
	BotToken   Secret      `mapstructure:"bot_token"`
	Workspaces []Workspace `mapstructure:"workspaces"`
}

// Workspace is one Slack workspace.
type Workspace struct {
	Name     string `mapstructure:"name"`
	AppToken Secret `mapstructure:"app_token"`
	BotToken Secret `mapstructure:"bot_token"`
}

// Model is the language model; without a key and an endpoint the built-in rules
// answer.
type Model struct {
	Provider  string        `mapstructure:"provider"` // "", "rules" or "openai": any OpenAI-compatible endpoint
	BaseURL   string        `mapstructure:"base_url"`
	APIKey    Secret        `mapstructure:"api_key"`
	Name      string        `mapstructure:"name"`
	Timeout   time.Duration `mapstructure:"timeout"`
	MaxTokens int           `mapstructure:"max_tokens"`
}

// Agent are the numbers that the loop keeps.
type Agent struct {
	MaxSteps    int           `mapstructure:"max_steps"`
	MaxRepeat   int           `mapstructure:"max_repeat"`
	AtOnce      int           `mapstructure:"at_once"`          // conversations in work at a time
	QuestionTTL time.Duration `mapstructure:"question_ttl"`     // how long a question stays open
	JobQuestion time.Duration `mapstructure:"job_question_ttl"` // the same, of a scheduled run
	GrantUses   int           `mapstructure:"grant_uses"`
}

// Source is a database that figures come from. Without any there is the sample
// sales database.
type Source struct {
	Name       string      `mapstructure:"name"`
	Dialect    string      `mapstructure:"dialect"` // sqlite or postgres
	DSN        Secret      `mapstructure:"dsn"`
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

// Log is where the program's own log goes: standard error.
type Log struct {
	Level string `mapstructure:"level"` // debug, info, warn, error
}

// defaults are all keys with a value, by their full names.
var defaults = map[string]any{
	"data": "hermes-data", "database": "", "zone": "", "admins": []string{},
	"web.addr": "127.0.0.1:8484", "web.allow_remote": false,
	"slack.api_url": "https://slack.com/api/", "slack.app_token": "", "slack.bot_token": "",
	"model.provider": "", "model.base_url": "", "model.api_key": "", "model.name": "gpt-4.1-mini",
	"model.timeout": 2 * time.Minute, "model.max_tokens": 0,
	"agent.max_steps": 30, "agent.max_repeat": 3, "agent.at_once": 256,
	"agent.question_ttl": 24 * time.Hour, "agent.job_question_ttl": 7 * 24 * time.Hour, "agent.grant_uses": 12,
	"log.level": "info",
}

// Load reads the file of that name over the defaults, and the environment over
// both: HERMES_WEB_ADDR for web.addr and so on, and the names that others use for
// the same: SLACK_APP_TOKEN, SLACK_BOT_TOKEN, OPENAI_API_KEY, OPENAI_BASE_URL. An
// empty name is no file; a file that is not there is an error. All faults of the
// file come in one error, each with its key and what to do.
func Load(name string) (Config, error) {
	v := viper.NewWithOptions(viper.ExperimentalBindStruct())
	v.SetEnvPrefix("HERMES")
	v.SetEnvKeyReplacer(strings.NewReplacer(".", "_"))
	v.AutomaticEnv()
	for key, value := range defaults {
		v.SetDefault(key, value)
	}
	for key, env := range map[string][]string{
		"slack.app_token": {"HERMES_SLACK_APP_TOKEN", "SLACK_APP_TOKEN"},
		"slack.bot_token": {"HERMES_SLACK_BOT_TOKEN", "SLACK_BOT_TOKEN"},
		"model.api_key":   {"HERMES_MODEL_API_KEY", "OPENAI_API_KEY"},
		"model.base_url":  {"HERMES_MODEL_BASE_URL", "OPENAI_BASE_URL"},
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
	var c Config
	if err := v.UnmarshalExact(&c); err != nil {
		return Config{}, keyFault(name, err)
	}
	if err := c.validate(); err != nil {
		return Config{}, err
	}
	return c, nil
}

func readFault(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("config: there is no file %s\n  hint: `hermes init` writes one; without --config the defaults are used", name)
	}
	return fmt.Errorf("config: read %s: %w\n  hint: it is YAML; `hermes init --print` shows a whole one", name, err)
}
