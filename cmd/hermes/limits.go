package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"hermes/agent/exec"
	"hermes/agent/guard"
	"hermes/agent/prompt"
	"hermes/agent/result"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/config"
)

// profiles are the built-in ones as the configuration changes them, and those that
// it adds.
func profiles(c config.Loop) (guard.Profiles, error) {
	all := guard.Builtin()
	for i := range all {
		p := &all[i]
		p.Tokens, p.Nanos, p.End, p.Before = c.BudgetTokens, nanos(c.BudgetUSD), c.OnCap == "end", c.Interrupt
		r := c.Repeat
		p.NoGain, p.Window, p.Hits = r.NoGainRounds, r.Window, r.Hits
		p.Same, p.SameTool, p.Misfits = r.SameCallMax, r.SameToolMax, r.MisfitMax
	}
	for _, given := range c.Profiles {
		i := slices.IndexFunc(all, func(p guard.Profile) bool { return p.Name == given.Name })
		if i < 0 {
			p := all[0]
			p.Name, p.Ends = given.Name, run.Ends()
			all, i = append(all, p), len(all)
		}
		p := &all[i]
		p.Rounds, p.Time = cmp.Or(given.MaxRounds, p.Rounds), cmp.Or(given.TaskTimeout, p.Time)
		p.Tokens, p.Nanos = cmp.Or(given.BudgetTokens, p.Tokens), cmp.Or(nanos(given.BudgetUSD), p.Nanos)
		if given.OnCap != "" {
			p.End = given.OnCap == "end"
		}
		if given.Interrupt != nil {
			p.Before = given.Interrupt
		}
		if given.VerifyStep != "" {
			p.Verify = given.VerifyStep
		}
		if len(given.Ends) > 0 {
			p.Ends = nil
			for _, name := range given.Ends {
				status, ok := run.ReadStatus(name)
				if !ok {
					status = run.Status(name) // NewProfiles says what is wrong with it
				}
				p.Ends = append(p.Ends, status)
			}
		}
	}
	checked, err := guard.NewProfiles(all...)
	if err != nil {
		return nil, fmt.Errorf("config: loop.profiles: %w\n  hint: `hermes init --print` shows the built-in ones", err)
	}
	return checked, nil
}

// channelProfiles are the profiles that channels have, by the channel.
func channelProfiles(all []config.ChannelProfile) map[string]string {
	by := map[string]string{}
	for _, c := range all {
		by[c.Channel[strings.LastIndexByte(c.Channel, ':')+1:]] = c.Profile
	}
	return by
}

// nanos are dollars in billionths.
func nanos(usd float64) int64 { return int64(math.Round(usd * 1e9)) }

func execConfig(c config.Exec) exec.Config {
	out := exec.Config{
		Normal: c.Timeout.Normal, Heavy: c.Timeout.Heavy, Shell: c.Timeout.Shell, Parallel: c.MaxParallel, Attempts: c.Attempts,
		Base: c.Backoff.Base, Factor: c.Backoff.Factor, Max: c.Backoff.Max,
	}
	for _, t := range c.Tools {
		out.Tools = append(out.Tools, exec.Policy{Name: t.Name, Attempts: t.Attempts, Timeout: t.Timeout, Base: t.Base})
	}
	return out
}

func resultConfig(c config.Result) result.Config {
	return result.Config{ArrayMax: c.ArrayMax, RowHead: c.RowHead, WebChars: c.WebChars, Lines: c.Lines, LargeBytes: c.LargeBytes}
}

// prompts are the built-in ones, or the operator's own. loose are words in it that
// invite a model to go on for ever.
func prompts(c config.Model) (w prompt.Writer, loose []string, err error) {
	if c.PromptFile == "" {
		return prompt.Writer{}, nil, nil
	}
	text, err := os.ReadFile(c.PromptFile)
	if err != nil {
		return w, nil, fmt.Errorf("config: model.prompt_file: %w\n  hint: it is the file with your system prompt; leave the key out for the built-in one", err)
	}
	w, loose, err = prompt.New(string(text))
	if err != nil {
		return w, loose, fmt.Errorf("config: model.prompt_file: %w\n  hint: a model without these goes on for ever or makes things up", err)
	}
	return w, loose, nil
}

// namesTools returns an error for every tool that the configuration names and that
// there is not: what should be stopped before it or run otherwise would not be, in
// silence.
func namesTools(c config.Config, specs []tool.Spec) error {
	var faults []error
	for _, n := range append(misnamed(c, specs), nameless(c, specs)...) {
		faults = append(faults, fmt.Errorf("config: %s: %w\n  hint: %s", n.key, n.err, listed))
	}
	return errors.Join(faults...)
}
