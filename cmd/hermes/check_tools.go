package main

import (
	"context"
	"errors"
	"fmt"
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
	}
	for i, t := range c.Exec.Tools {
		f(fmt.Sprintf("exec.tools[%d].name", i), t.Name)
	}
}

// misnamed are the names of tools in the configuration that none of the specs has.
func misnamed(c config.Config, specs []tool.Spec) []misname {
	var names []string
	for _, t := range specs {
		names = append(names, t.Name)
	}
	var out []misname
	toolNames(c, func(key, name string) {
		if !slices.Contains(names, name) {
			out = append(out, misname{key, errors.New(tool.Unknown(name, names))})
		}
	})
	return out
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
