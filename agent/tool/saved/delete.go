package saved

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hermes/agent/playbook"
	"hermes/agent/tool"
)

// DeleteName is the tool that takes a saved report away.
const DeleteName = "report_delete"

type deleteArgs struct {
	Report string `json:"report" jsonschema:"name of a saved one"`
}

// remove takes a saved report away. The schedules that run it are paused: without it they
// could only fail.
type remove struct{ Parts }

var _ tool.Planner = remove{}

// Deleted is what is heard of it.
type Deleted struct {
	Report string   `json:"saved_report"`
	Paused []string `json:"paused,omitempty"` // schedules
}

func (remove) Spec() tool.Spec {
	return tool.Spec{
		Name: DeleteName, Effect: tool.Keep, Later: true,
		Description: "Delete a saved report for good, if asked to; not a schedule.",
		Schema:      tool.SchemaOf[deleteArgs](), Output: tool.OutputOf[Deleted](),
		Words: append([]string{"delete", "remove", "删除", "删掉"}, words...),
	}
}

// Plan implements tool.Planner.
func (t remove) Plan(ctx context.Context, c tool.Call) (tool.Plan, error) {
	in, err := tool.Decode[deleteArgs](c.Args)
	if err != nil {
		return tool.Plan{Fault: fmt.Sprintf("arguments of %s: %v", DeleteName, err)}, nil
	}
	say := func(en, zh string, args ...any) string {
		if c.Lang == "zh" {
			en = zh
		}
		return fmt.Sprintf(en, args...)
	}
	k, err := Find(ctx, t.Parts, c, in.Report)
	var none *tool.Error
	switch {
	case errors.As(err, &none) && none.Type == tool.InputError:
		return tool.Plan{Fault: none.Message}, nil
	case err != nil:
		return tool.Plan{}, err
	case k.Origin == playbook.File:
		return tool.Plan{Fault: say("the report %s comes from the file %s, and is removed there", "报表 %s 来自文件 %s，请在那里删除", k.Name, k.File)}, nil
	case k.Owner != c.Asker && !t.Admin(c.Asker):
		return tool.Plan{Fault: say("the report %s belongs to somebody else; its owner or an admin can delete it", "报表 %s 是别人的；只有它的主人或管理员可以删除", k.Name)}, nil
	}
	jobs, err := t.Running(ctx, k.Name)
	if err != nil {
		return tool.Plan{}, err
	}
	plan := tool.Plan{Own: k.Owner == c.Asker && len(jobs) == 0, Final: true}
	plan.Lines = []string{say("Delete the saved report **%s** (“%s”, version %d)", "删除已保存的报表 **%s**（“%s”，第 %d 版）", k.Name, k.Called(c.Lang), k.Version)}
	if len(jobs) == 0 {
		plan.Lines = append(plan.Lines, say("No schedule runs it", "没有定时任务在用它"))
	}
	for _, j := range jobs {
		plan.Lines = append(plan.Lines, say("⚠ The schedule **%s** (“%s”) runs it, and is paused with this", "⚠ 定时任务 **%s**（“%s”）在用它，会随之暂停", j.ID, j.Name))
	}
	if plan.Args, err = json.Marshal(deleteArgs{k.Name}); err != nil {
		return tool.Plan{}, fmt.Errorf("encode plan: %w", err)
	}
	return plan, nil
}

// Run implements tool.Tool. Its arguments are those of a Plan.
func (t remove) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	in, err := tool.Decode[deleteArgs](c.Args)
	if err != nil {
		return tool.Fail("arguments of %s: %v", DeleteName, err), nil
	}
	k, err := t.Shelf.Report(ctx, strings.TrimSpace(in.Report))
	switch {
	case errors.Is(err, playbook.ErrNone):
		return tool.Fail("there is no saved report %s any more", in.Report), nil
	case err != nil:
		return tool.Result{}, err
	}
	paused, err := t.Remove(ctx, c, k)
	if err != nil {
		return tool.Result{}, fmt.Errorf("delete report %s: %w", k.Name, err)
	}
	out := Deleted{Report: k.Name}
	for _, j := range paused {
		out.Paused = append(out.Paused, j.ID)
	}
	return tool.JSON(out)
}
