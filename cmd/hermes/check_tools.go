package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hermes/agent/tool"
	"hermes/config"
)

// checkToolNames says which tools are named that there are not: a stop before a tool
// of a mistyped name would never come.
func (s *shell) checkToolNames(ctx context.Context, cfg config.Config, report func(what string, err error, hint string)) {
	type named struct{ key, tool string }
	var all []named
	add := func(key string, tools []string) {
		for i, t := range tools {
			all = append(all, named{fmt.Sprintf("%s[%d]", key, i), t})
		}
	}
	add("loop.interrupt_before", cfg.Loop.Interrupt)
	for i, p := range cfg.Loop.Profiles {
		add(fmt.Sprintf("loop.profiles[%d].interrupt_before", i), p.Interrupt)
	}
	for i, t := range cfg.Exec.Tools {
		all = append(all, named{fmt.Sprintf("exec.tools[%d].name", i), t.Name})
	}
	if len(all) == 0 {
		return
	}
	specs, err := s.toolSpecs(ctx, false)
	if err != nil {
		report("names of tools", err, "")
		return
	}
	var names []string
	for _, t := range specs {
		names = append(names, t.Name)
	}
	for _, n := range all {
		if !slices.Contains(names, n.tool) {
			report(n.key, errors.New(tool.Unknown(n.tool, names)), "`hermes tools` lists them")
		}
	}
}
