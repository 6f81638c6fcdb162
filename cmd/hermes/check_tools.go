package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"hermes/agent/tool"
	"hermes/config"
)

// listed is the hint for a name that there is not.
const listed = "`hermes tools` lists them"

// A misname is a key of the configuration that names a tool that there is not.
type misname struct {
	key string
	err error
}

// toolNames calls f for every key that names a tool.
func toolNames(c config.Config, f func(key, name string)) {
	for i, name := range c.Loop.Interrupt {
		f(fmt.Sprintf("loop.interrupt_before[%d]", i), name)
	}
	for i, p := range c.Loop.Profiles {
		for j, name := range p.Interrupt {
			f(fmt.Sprintf("loop.profiles[%d].interrupt_before[%d]", i, j), name)
		}
		if p.VerifyStep != "" {
			f(fmt.Sprintf("loop.profiles[%d].verify_step", i), p.VerifyStep)
		}
	}
	for i, t := range c.Exec.Tools {
		f(fmt.Sprintf("exec.tools[%d].name", i), t.Name)
	}
}

// misnamed are the names of tools in the configuration that none of the specs has or
// had.
func misnamed(c config.Config, specs []tool.Spec) []misname {
	var names []string
	for _, t := range specs {
		names = append(names, t.Name)
	}
	var out []misname
	today := tool.Names(specs)
	toolNames(c, func(key, name string) {
		if today[name] == "" {
			out = append(out, misname{key, errors.New(tool.Unknown(name, names))})
		}
	})
	for i, r := range c.Approvals.Rules {
		for j, glob := range r.Tools {
			if !slices.ContainsFunc(slices.Collect(maps.Keys(today)), func(name string) bool { return fitsTool([]string{glob}, name) }) {
				out = append(out, misname{fmt.Sprintf("approvals.rules[%d].tools[%d]", i, j), errors.New(tool.Unknown(glob, names))})
			}
		}
	}
	run := map[string]bool{}
	for i, t := range c.Exec.Tools {
		name := today[t.Name]
		if run[name] && name != t.Name {
			out = append(out, misname{fmt.Sprintf("exec.tools[%d].name", i), fmt.Errorf("%s is called %s now, which stands there already", t.Name, name)})
		}
		run[name] = true
	}
	return out
}

// inTodaysNames is a configuration with the tools by their names of today. What is
// stopped before is so by every name that it is called by.
func inTodaysNames(c config.Config, specs []tool.Spec) config.Config {
	today := tool.Names(specs)
	all := func(given []string) (names []string) {
		for _, name := range slices.Sorted(maps.Keys(today)) {
			if slices.ContainsFunc(given, func(g string) bool { return today[g] == today[name] }) {
				names = append(names, name)
			}
		}
		return names
	}
	c.Loop.Interrupt = all(c.Loop.Interrupt)
	c.Loop.Profiles, c.Exec.Tools = slices.Clone(c.Loop.Profiles), slices.Clone(c.Exec.Tools)
	for i, p := range c.Loop.Profiles {
		if p.Interrupt != nil {
			c.Loop.Profiles[i].Interrupt = append([]string{}, all(p.Interrupt)...)
		}
	}
	for i, t := range c.Exec.Tools {
		c.Exec.Tools[i].Name = today[t.Name]
	}
	return c
}

// checkToolNames says which tools are named that there are not. The program is built
// to know them only if any is named.
func (s *shell) checkToolNames(ctx context.Context, cfg config.Config, report func(what string, err error, hint string)) {
	named := false
	toolNames(cfg, func(string, string) { named = true })
	if !named {
		return
	}
	specs, err := s.toolSpecs(ctx, false)
	if err != nil {
		report("names of tools", err, "")
		return
	}
	for _, n := range misnamed(cfg, specs) {
		report(n.key, n.err, listed)
	}
}
