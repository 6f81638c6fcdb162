package config

import (
	"fmt"
	"strings"
)

// Router is how messages are told apart: small talk, questions, tasks.
type Router struct {
	Weights  string  `mapstructure:"weights"`   // a file of `hermes router train`; empty: those that Hermes brings along
	AskBelow float64 `mapstructure:"ask_below"` // of this certainty a language model is asked, if there is one; 0: never
}

// A Term is a word of the team, and what it stands for: exactly one of Tool, Source,
// Measure, and Means.
type Term struct {
	Name    string `mapstructure:"name"`
	Means   string `mapstructure:"means"`   // in words
	Tool    string `mapstructure:"tool"`    // the tool that works with what is called so
	Source  string `mapstructure:"source"`  // one of Config.Sources
	Measure string `mapstructure:"measure"` // of one of them
}

// Stands is what kind of thing a Term stands for, and which.
func (t Term) Stands() (kind, which string) {
	for _, x := range [][2]string{{"tool", t.Tool}, {"source", t.Source}, {"measure", t.Measure}, {"means", t.Means}} {
		if x[1] != "" {
			return x[0], x[1]
		}
	}
	return "", ""
}

func (c *Config) routerFaults(fault func(key, wrong, hint string)) {
	if b := c.Router.AskBelow; !(b >= 0 && b <= mostAsked) {
		fault("router.ask_below", fmt.Sprintf("%v is not between 0 and %v", b, mostAsked), "above that most messages would cost a call before anything is done; write 0 to ask never")
	}
}

// mostAsked keeps the router cheap: hardly a message in ten is less certain.
const mostAsked = 0.8

func (c *Config) termFaults(fault func(key, wrong, hint string)) {
	seen := map[string]bool{}
	sources := map[string]bool{}
	for _, s := range c.Sources {
		sources[s.Name] = true
	}
	for i, t := range c.Terms {
		key := fmt.Sprintf("terms[%d]", i)
		name := strings.ToLower(strings.TrimSpace(t.Name))
		switch {
		case name == "":
			fault(key+".name", "is empty", "write the word as people say it, for example CRM or 看板")
			continue
		case seen[name]:
			fault(key+".name", fmt.Sprintf("%q is there twice", t.Name), "a word stands for one thing")
		}
		seen[name] = true
		given := 0
		for _, s := range []string{t.Means, t.Tool, t.Source, t.Measure} {
			if s != "" {
				given++
			}
		}
		if given != 1 {
			fault(key, fmt.Sprintf("%q stands for %d things", t.Name, given), "give one of tool, source, measure and means")
		}
		if t.Source != "" && !sources[t.Source] {
			fault(key+".source", fmt.Sprintf("%q is not among sources", t.Source), "write the name of one of sources")
		}
	}
}
