package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// vendors are the providers of language models, with the environment that others use
// for them too and the model that is asked if none is named.
var vendors = []struct{ name, key, url, model string }{
	{"openai", "OPENAI_API_KEY", "OPENAI_BASE_URL", "gpt-4.1-mini"},
	{"anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "claude-sonnet-4-5"},
}

// environment settles which vendor is meant, from the file and the environment.
func (c *Config) environment(getenv func(string) string) {
	first := &c.Model.Endpoint
	if first.Provider == "" && first.APIKey == "" && first.BaseURL == "" {
		// Whoever has set a vendor's key in the environment means that vendor.
		for _, v := range vendors {
			if getenv(v.key) != "" || getenv(v.url) != "" {
				first.Provider = v.name
				break
			}
		}
	}
	if first.Provider == "" && (first.APIKey != "" || first.BaseURL != "") {
		first.Provider = "openai"
	}
	for _, e := range c.endpoints() {
		for _, v := range vendors {
			if e.Provider != v.name {
				continue
			}
			if e.APIKey == "" {
				e.APIKey = Secret(getenv(v.key))
			}
			e.BaseURL = cmp.Or(e.BaseURL, getenv(v.url))
			e.Name = cmp.Or(e.Name, v.model)
		}
	}
	for i := range c.Model.Fallbacks {
		f := &c.Model.Fallbacks[i]
		f.Timeout = cmp.Or(f.Timeout, first.Timeout)
		f.Total = cmp.Or(f.Total, first.Total)
		f.Attempts = cmp.Or(f.Attempts, first.Attempts)
		f.FirstByte = cmp.Or(f.FirstByte, first.FirstByte)
		f.MaxTokens = cmp.Or(f.MaxTokens, first.MaxTokens)
		f.Temperature = cmp.Or(f.Temperature, first.Temperature)
		f.DecisionFormat = cmp.Or(f.DecisionFormat, "auto")
	}
	for _, e := range c.endpoints() {
		e.fit()
	}
}

// fit makes room in the times that nobody has set for those that somebody has.
func (e *Endpoint) fit() {
	if e.Total == defaults["model.total"] {
		e.Total = max(e.Total, e.Timeout)
	}
	if e.FirstByte == defaults["model.first_byte"] {
		e.FirstByte = min(e.FirstByte, e.Timeout)
	}
}

// endpoints are the first model and its fallbacks.
func (c *Config) endpoints() []*Endpoint {
	all := []*Endpoint{&c.Model.Endpoint}
	for i := range c.Model.Fallbacks {
		all = append(all, &c.Model.Fallbacks[i])
	}
	return all
}

// UsesModel reports whether a language model is configured.
func (c Config) UsesModel() bool { return c.Model.Provider != "" && c.Model.Provider != "rules" }

// Endpoints are the language models in the order in which they are asked; none if
// the built-in rules answer.
func (c Config) Endpoints() []Endpoint {
	if !c.UsesModel() {
		return nil
	}
	return append([]Endpoint{c.Model.Endpoint}, c.Model.Fallbacks...)
}

// faults are what is wrong with an endpoint.
func (e Endpoint) faults(key string, first bool, fault func(key, wrong, hint string)) {
	known := []string{"openai", "anthropic"}
	if first {
		known = append(known, "", "rules")
	}
	if !slices.Contains(known, e.Provider) {
		fault(key+".provider", fmt.Sprintf("%q is not known", e.Provider), "use openai for any OpenAI-compatible endpoint, anthropic, or (for the first alone) rules for the built-in rules")
	}
	webAddress(key+".base_url", e.BaseURL, "for example http://127.0.0.1:11434/v1", fault)
	unbroken(key+".api_key", e.APIKey, fault)
	if strings.TrimSpace(e.Name) != e.Name {
		fault(key+".name", fmt.Sprintf("%q begins or ends with a space", e.Name), "write it as the vendor does")
	}
	if n := e.ReasoningMaxTokens; e.Provider == "anthropic" && n > 0 && n < leastThought {
		fault(key+".reasoning_max_tokens", fmt.Sprintf("%d is less than %d, which anthropic takes at least", n, leastThought), "write more, or leave the key out for no ceiling")
	}
	if !slices.Contains([]string{"auto", "native", "nested", "flat", "tagged"}, e.DecisionFormat) {
		fault(key+".decision_format", fmt.Sprintf("%q is none", e.DecisionFormat), "auto, native, nested, flat or tagged")
	}
}

// timeFaults are durations of an endpoint of which one leaves no room for another:
// what was written for that one would not hold, in silence.
func (e Endpoint) timeFaults(key string, fault func(key, wrong, hint string)) {
	for _, pair := range []struct {
		outer, inner string
		most, least  time.Duration
		hint         string
	}{
		{"total", "timeout", e.Total, e.Timeout, "total is of all tries and timeout of one: write a longer total or a shorter timeout"},
		{"timeout", "first_byte", e.Timeout, e.FirstByte, "an answer begins before its try is over: write a longer timeout or a shorter first_byte"},
	} {
		if times["model."+pair.outer].wrong(pair.most, inWords)+times["model."+pair.inner].wrong(pair.least, inWords) == "" && pair.most < pair.least {
			fault(key+"."+pair.outer, fmt.Sprintf("%s is less than %s.%s, which is %s", inWords(pair.most), key, pair.inner, inWords(pair.least)), pair.hint)
		}
	}
}

// leastThought is the least budget of thought that Anthropic documents.
const leastThought = 1024
