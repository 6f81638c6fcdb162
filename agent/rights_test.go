package agent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"hermes/agent"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// only lets some persons use some tools, and everybody the rest.
type only map[string][]string

func (o only) MayUse(_ context.Context, v tool.Viewer, s tool.Spec) bool {
	who, named := o[s.Name]
	if !named {
		return true
	}
	for _, p := range who {
		if p == v.Person {
			return true
		}
	}
	return false
}

func toolsOf(r llm.Request) string {
	var names []string
	for _, t := range r.Tools {
		names = append(names, t.Name)
	}
	return strings.Join(names, " ")
}

func withRights(t *testing.T, o only, replies ...llm.Reply) *bench {
	t.Helper()
	return benchOf(t, &llmtest.Script{Replies: replies}, func(_ *agent.Config, p *agent.Parts) { p.Rights = o })
}

// X7 A tool that somebody may not use is not there for them: the model is not told of it,
// and a call of it is refused as one of any name that is none.
func TestX7ATool(t *testing.T) {
	o := only{"keep": {lee}}
	b := withRights(t, o, says("", call("keep", `{}`)), says("I cannot."))
	out := b.start(t, request("k"))
	if got := toolsOf(b.script.Heard()[0]); strings.Contains(got, "keep") || !strings.Contains(got, "look") {
		t.Errorf("the model is told of %s", got)
	}
	res := b.run(t, "k").Steps[0].Results[0]
	if !res.Failed || !res.Hidden || res.Attempts != 0 || b.wrote != 0 || strings.Contains(strings.Split(res.Text, "there are")[0], "may not") {
		t.Errorf("result = %+v, written %d times", res, b.wrote)
	}
	none := withRights(t, o, says("", call("kept", `{}`)), says("I cannot."))
	none.start(t, request("k"))
	unknown := none.run(t, "k").Steps[0].Results[0].Text
	if want := strings.ReplaceAll(unknown, "kept", "keep"); res.Text != want {
		t.Errorf("what is hidden is told as %q, what there is not as %q", res.Text, want)
	}
	if len(out.Undone) != 1 || !out.Undone[0].Hidden {
		t.Errorf("undone = %+v", out.Undone)
	}

	may := withRights(t, o, says("", call("keep", `{}`)), says("Kept."))
	req := request("k")
	req.Asker = lee
	if out := may.start(t, req); out.Question == nil || !strings.Contains(toolsOf(may.script.Heard()[0]), "keep") {
		t.Errorf("whoever may is not asked: %+v", out)
	}
}

// X7 A call that a form brings is held to the same.
func TestX7AForm(t *testing.T) {
	b := withRights(t, only{"keep": {lee}})
	req := request("k")
	req.Ready = &run.Ready{Calls: []llm.Call{{ID: "form", Name: "keep", Args: []byte(`{}`)}}, Words: "Kept."}
	out := b.start(t, req)
	if out.Question != nil || out.Text != "" || len(out.Undone) != 1 || !out.Undone[0].Hidden || b.wrote != 0 {
		t.Errorf("outcome = %+v", out)
	}
}

// X7 A slot has the rights that the owner of its job has by then, and a yes of before does
// nothing for who may not any more.
func TestX7RightsAreThoseOfTheMoment(t *testing.T) {
	o := only{"look": {ana}}
	b := withRights(t, o, says("", call("look", `{}`)), says("Seven."), says("", call("look", `{}`)), says("Nothing."))
	b.start(t, slot("s1"))
	if res := b.run(t, "s1").Steps[0].Results[0]; res.Failed {
		t.Fatalf("the owner may not: %+v", res)
	}
	o["look"] = nil
	b.start(t, slot("s2"))
	if res := b.run(t, "s2").Steps[0].Results[0]; !res.Hidden {
		t.Errorf("after the rule has changed: %+v", res)
	}

	b = withRights(t, o, says("", call("keep", `{}`)), says("It was not done."))
	out := b.start(t, request("k"))
	if err := b.press(t, out.Question, lee, run.Yes); err != nil {
		t.Fatal(err)
	}
	o["keep"] = nil
	b.now = b.now.Add(time.Minute)
	b.on(t, "k")
	if res := b.run(t, "k").Steps[0].Results[0]; !res.Hidden || b.wrote != 0 {
		t.Errorf("an approved call of who may not any more: %+v, written %d times", res, b.wrote)
	}
}
