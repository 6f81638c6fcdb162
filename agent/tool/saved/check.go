package saved

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hermes/agent/playbook"
	"hermes/agent/tool"
)

type checkArgs = playbook.Checking

// checks holds what a saved report has made against its contract. It is what a report asks
// that runs; a model is not told of it.
func checks(arts tool.Artifacts) tool.Tool {
	return tool.NewTyped(tool.Spec{
		Name: playbook.CheckReport, Effect: tool.Read, Later: true, Unattended: true,
		Description: "Hold what a saved report has made against its contract; the report itself asks for it.",
		Schema: []byte(`{"type":"object","properties":{
			"contract":{"type":"object","description":"as the report has it"},
			"steps":{"type":"object","description":"what each has made, by id","additionalProperties":{"type":"string"}},
			"report":{"type":"string","description":"id from make_report"}
		},"required":["contract","steps"],"additionalProperties":false}`),
	}, func(ctx context.Context, c tool.Call, in checkArgs) (playbook.Verdict, error) {
		of := func(id string) (tool.Artifact, error) {
			a, err := arts.Artifact(ctx, id)
			switch {
			case errors.Is(err, tool.ErrNoArtifact), err == nil && a.Run != c.Run:
				return a, &tool.Error{Type: tool.InputError, Message: fmt.Sprintf("%q is nothing that this run has made", id)}
			case err != nil:
				return a, fmt.Errorf("artifact %s: %w", id, err)
			case a.Altered:
				return a, &tool.Error{Type: tool.LogicError, Message: id + " was changed in the database after it was made"}
			}
			return a, nil
		}
		tables := map[string]tool.Artifact{}
		for _, id := range sorted(in.Steps) {
			if in.Steps[id] == "" {
				continue
			}
			a, err := of(in.Steps[id])
			if err != nil {
				return playbook.Verdict{}, err
			}
			tables[id] = a
		}
		var report tool.Artifact
		if in.Report != "" {
			var err error
			if report, err = of(in.Report); err != nil {
				return playbook.Verdict{}, err
			}
		}
		return in.Contract.Judge(tables, report, playbook.Time{Period: c.Period, Zone: zone(c), Lang: c.Lang}), nil
	})
}

func sorted(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
