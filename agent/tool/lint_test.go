package tool_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/tool"
)

// good is a Spec with nothing to mend.
func good(name string) tool.Spec {
	return tool.Spec{
		Name:        name,
		Description: "Lists the orders of one user by status (pending, paid, shipped, completed). Use it for the state of an order, not for refunds.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"user_id":{"type":"string","description":"id of the user"}}}`),
	}
}

// TOOL-03, TOOL-04, TOOL-06, FAIL-25: what keeps a model from choosing a tool, or
// from filling in its arguments, is named; what does not is not.
func TestTOOL03LintNamesWhatIsVague(t *testing.T) {
	schema := func(text string) func(*tool.Spec) {
		return func(s *tool.Spec) { s.Schema = json.RawMessage(text) }
	}
	for name, tt := range map[string]struct {
		change func(*tool.Spec)
		want   string // empty: nothing
	}{
		"nothing to mend": {func(*tool.Spec) {}, ""},
		"in Chinese": {func(s *tool.Spec) {
			s.Description = "按状态列出用户的订单，用于查询订单进度，不含退款。"
		}, ""},
		"TOOL-04 another style": {func(s *tool.Spec) { s.Name = "getUserOrders" }, "call it get_user_orders"},
		"TOOL-04 a third style": {func(s *tool.Spec) { s.Name = "get-user.orders_" }, "call it get_user_orders"},
		"too long a name":       {func(s *tool.Spec) { s.Name = strings.Repeat("a", 65) }, "has 65 letters"},
		"no description":        {func(s *tool.Spec) { s.Description = " " }, "there is no description"},
		"too short":             {func(s *tool.Spec) { s.Description = "Use for orders only." }, "too short"},
		"too short in Chinese":  {func(s *tool.Spec) { s.Description = "用于订单，不含退款" }, "too short"},
		"vague":                 {func(s *tool.Spec) { s.Description += " Handles data." }, `"Handles data" is vague`},
		"vague in Chinese":      {func(s *tool.Spec) { s.Description += "订单、退款等等。" }, `"等等" is vague`},
		"TOOL-03 no use": {func(s *tool.Spec) {
			s.Description = "Lists all known orders of the shop, paid and shipped, not refunds."
		}, "when to use it"},
		"TOOL-03 no boundary": {func(s *tool.Spec) { s.Description = "Lists the orders of a user. Use it for the state of an order." }, "no boundary"},
		"TOOL-05 a restriction is one": {func(s *tool.Spec) {
			s.Description, s.Restrictions = "Lists the orders of a user. Use it for the state of an order.", "Without a user it returns nothing."
		}, ""},
		"TOOL-03 a neighbour is one": {func(s *tool.Spec) {
			s.Description = "Lists the orders of a user. Use it for the state; refunds are in list_refunds."
		}, ""},
		"TOOL-35 an alternate is not told apart": {func(s *tool.Spec) { s.Alternates = []string{"list_refunds"} }, "does not say when list_refunds does better"},
		"an alternate that is not there":         {func(s *tool.Spec) { s.Alternates = []string{"gone"} }, "no tool gone"},
		"too long a description":                 {func(s *tool.Spec) { s.Description += strings.Repeat(" Not for refunds.", 120) }, "every request pays"},
		"TOOL-06 a short name":                   {schema(`{"type":"object","properties":{"q":{"type":"string","description":"words"}}}`), "argument q: write a whole word"},
		"TOOL-06 a short name further in":        {schema(`{"type":"object","properties":{"where":{"type":"array","description":"x","items":{"type":"object","properties":{"k":{"type":"string"}}}}}}`), "argument where.k: write a whole word"},
		"a short name that is a word":            {schema(`{"type":"object","properties":{"by":{"type":"string","description":"words"}}}`), ""},
		"an argument nobody explains":            {schema(`{"type":"object","properties":{"user_id":{"type":"string"}}}`), "argument user_id: there is no description"},
		"behind a reference":                     {schema(`{"type":"object","properties":{"user":{"$ref":"#/$defs/u"}},"$defs":{"u":{"type":"object","properties":{"friend":{"$ref":"#/$defs/u"}}}}}`), "argument user: there is no description"},
		"TOOL-07 a date without its form":        {schema(`{"type":"object","properties":{"day":{"type":"string","format":"date","description":"the day"}}}`), "does not say YYYY-MM-DD"},
		"no schema":                              {schema(``), "no schema"},
		"a schema nobody can read":               {schema(`[]`), "no JSON Schema"},
		"a form that looks ahead":                {schema(`{"type":"object","properties":{"user_id":{"type":"string","description":"x","pattern":"^(?!root)"}}}`), `#/properties/user_id/pattern: "^(?!root)" is no regular expression`},
		"a reference to nothing":                 {schema(`{"type":"object","properties":{"user_id":{"$ref":"#/$defs/id","description":"x"}}}`), `there is no "#/$defs/id" in the schema`},
		"a reference to nothing in its result":   {func(s *tool.Spec) { s.Output = json.RawMessage(`{"$ref":"#/definitions/user"}`) }, `the schema of what it returns: #/$ref: there is no "#/definitions/user"`},
		"a format that nobody checks":            {schema(`{"type":"object","properties":{"user_id":{"type":"string","description":"x","format":"hostname"}}}`), "the format hostname is not checked"},
		"a choice of words explains itself":      {schema(`{"type":"object","properties":{"status":{"type":"string","enum":["paid","shipped"]}}}`), ""},
		"a choice of numbers does not":           {schema(`{"type":"object","properties":{"status":{"enum":[1,2]}}}`), "argument status: there is no description"},
		"an example that is no call":             {func(s *tool.Spec) { s.Examples = []json.RawMessage{json.RawMessage(`{"user":1}`)} }, "is no good call: user: is unknown"},
		"screening what is not there":            {func(s *tool.Spec) { s.Screen = []string{"sql"} }, "no argument sql to screen"},
		"another name of what is not there":      {func(s *tool.Spec) { s.Aliases = map[string]string{"u": "user"} }, "u cannot be another name of user"},
		"a former name of what is not there": {func(s *tool.Spec) {
			s.Formerly = map[string]json.RawMessage{"orders_of": json.RawMessage(`{"status":"paid"}`)}
		}, "there is no argument status, which the former name orders_of said"},
		"a former name that says a list":  {func(s *tool.Spec) { s.Formerly = map[string]json.RawMessage{"orders_of": json.RawMessage(`[]`)} }, "what the former name orders_of said is no object"},
		"a former name that said nothing": {func(s *tool.Spec) { s.Formerly = map[string]json.RawMessage{"orders_of": nil} }, ""},
		"a change to what is not there":   {func(s *tool.Spec) { s.Changes = []tool.Change{{From: "uid", To: "user"}} }, "the change to user"},
	} {
		t.Run(name, func(t *testing.T) {
			s := good("get_user_orders")
			tt.change(&s)
			found := tool.Lint([]tool.Spec{good("list_refunds"), s})
			switch {
			case tt.want == "" && len(found) > 0:
				t.Errorf("found %q", found)
			case tt.want != "" && !strings.Contains(strings.Join(found, "\n"), s.Name+": ") || !strings.Contains(strings.Join(found, "\n"), tt.want):
				t.Errorf("found %q, want %q", found, tt.want)
			}
		})
	}
}
