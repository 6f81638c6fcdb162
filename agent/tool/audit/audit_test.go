package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
	"hermes/agent/tool/audit"
)

// keeper notes what it is asked.
type keeper struct {
	asked audit.Query
	deeds []audit.Deed
	err   error
}

func (k *keeper) Find(_ context.Context, _ tool.Call, q audit.Query, _ int) ([]audit.Deed, int, error) {
	k.asked = q
	return k.deeds, 0, k.err
}

// A period is read as the asker's calendar has it, "here" is the conversation, and what
// cannot be read is the model's to mend.
func TestFind(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	call := tool.Call{Now: time.Date(2026, 12, 3, 10, 0, 0, 0, berlin), Zone: "Europe/Berlin"}
	november := audit.Query{From: time.Date(2026, 11, 1, 0, 0, 0, 0, berlin), To: time.Date(2026, 12, 1, 0, 0, 0, 0, berlin)}
	for args, want := range map[string]audit.Query{
		`{}`: {What: "decision"},
		`{"period":"last_month","what":"post","channel":"#sales"}`: {From: november.From, To: november.To, What: "post", Channel: "#sales"},
		`{"period":"2026-11","channel":"here"}`:                    {From: november.From, To: november.To, What: "decision", Here: true},
	} {
		k := &keeper{deeds: []audit.Deed{{What: "approved", By: "Lee"}}}
		call.Args = json.RawMessage(args)
		res, err := audit.New(k).Run(t.Context(), call)
		if err != nil || res.Failed || !strings.Contains(res.Text, `"by":"Lee"`) {
			t.Errorf("%s: %+v, %v", args, res, err)
		}
		if d := cmp.Diff(want, k.asked); d != "" {
			t.Errorf("%s (-want +got):\n%s", args, d)
		}
	}
	for args, k := range map[string]*keeper{
		`{"period":"lately"}`:   {},
		`{"channel":"#none"}`:   {err: audit.ErrNoChannel},
		`{"what":"everything"}`: {},
	} {
		call.Args = json.RawMessage(args)
		res, err := audit.New(k).Run(t.Context(), call)
		var told *tool.Error
		if !res.Failed && !(errors.As(err, &told) && told.Type == tool.InputError) {
			t.Errorf("%s: %+v, %v; want a fault to mend", args, res, err)
		}
	}
	call.Args = json.RawMessage(`{}`)
	if _, err := audit.New(&keeper{err: errors.New("disk")}).Run(t.Context(), call); err == nil {
		t.Error("trouble of ours is told as the model's")
	}
	if res, err := audit.New(&keeper{}).Run(t.Context(), call); err != nil || res.Text != `{"deeds":[]}` {
		t.Errorf("nothing found = %+v, %v", res, err)
	}
}

// It is told where somebody asks who decided, so that it costs nobody else a byte; and
// no slot hears of it.
func TestItIsToldWhereItIsWanted(t *testing.T) {
	set, err := tool.NewSet(audit.New(nil))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"Who approved last month's post?": 1, "谁批准了上个月的帖子？": 1, "who denied it": 1, "审批人是谁": 1, "show me the audit log": 1,
		"sales last month": 0, "who is our best customer": 0, "上个月的销售": 0,
	} {
		if got := set.Wanted(text); len(got) != want {
			t.Errorf("%q wants %q, want %d", text, got, want)
		}
	}
	if s := set.Specs()[0]; s.Effect != tool.Read || !s.Later || s.Unattended || len(s.Description)+len(s.Schema) > 600 {
		t.Errorf("spec of %d bytes: %+v", len(s.Description)+len(s.Schema), s)
	}
}
