package tool_test

import (
	"encoding/json"
	"testing"
	"unicode"

	"hermes/agent/tool"
)

const explained = `{"type":"object","additionalProperties":false,"required":["to","when"],"properties":{
	"to":{"type":"string","minLength":2,"maxLength":4},"when":{"type":"string","format":"date"},"mail":{"type":"string","format":"email"},
	"n":{"type":"integer","minimum":1,"maximum":100},"half":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1},"five":{"type":"integer","multipleOf":5},
	"how":{"type":"string","enum":["fast","slow"]},"loud":{"type":"boolean"},"code":{"type":"string","pattern":"^[A-Z]+$"},
	"tags":{"type":"array","items":{"type":"string","maxLength":3},"maxItems":2,"minItems":1},"set":{"type":"array","uniqueItems":true,"items":{"type":"string"}},
	"deep":{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]}}}`

// A20: what is wrong with filled-in arguments is said to a Chinese reader in Chinese, for
// every kind of fault that a check has; to an English one as a model reads it.
func TestA20AFaultIsSaidInTheReadersLanguage(t *testing.T) {
	s := tool.Spec{Name: "pay", Effect: tool.Write, Schema: json.RawMessage(explained)}
	for change, want := range map[string][2]string{
		`{"to":null}`:                  {"to", "必须填写"},
		`{"to":"  "}`:                  {"to", "必须填写"},
		`{"when":""}`:                  {"when", "必须填写，应当是日期，如 2026-01-31"},
		`{"to":"a"}`:                   {"to", "太短：至少 2 个字符，现在是 1 个"},
		`{"to":"上海市场部"}`:               {"to", "太长：最多 4 个字符，现在是 5 个"},
		`{"to":["a","b"]}`:             {"to", "类型不对，应当是文字"},
		`{"when":"someday"}`:           {"when", "格式不对，应当是日期，如 2026-01-31"},
		`{"when":"02/03/2024"}`:        {"when", "这个日期有两种读法（2024-03-02 或 2024-02-03），请写成 2026-01-31 这样"},
		`{"mail":"nobody"}`:            {"mail", "格式不对，应当是电子邮箱，如 name@example.com"},
		`{"n":0}`:                      {"n", "太小：不能小于 1"},
		`{"n":101}`:                    {"n", "太大：不能大于 100"},
		`{"n":"ten"}`:                  {"n", "类型不对，应当是整数"},
		`{"n":1.5}`:                    {"n", "类型不对，应当是整数"},
		`{"half":0}`:                   {"half", "太小：要大于 0"},
		`{"half":1}`:                   {"half", "太大：要小于 1"},
		`{"five":7}`:                   {"five", "必须是倍数：5"},
		`{"how":"sideways"}`:           {"how", "只能是以下之一：fast、slow"},
		`{"loud":"perhaps"}`:           {"loud", "类型不对，应当是是或否"},
		`{"code":"abc"}`:               {"code", "格式不对，应当符合 ^[A-Z]+$"},
		`{"tags":["a","b","c"]}`:       {"tags", "太多：最多 2 项，现在是 3 项"},
		`{"tags":[]}`:                  {"tags", "太少：至少 1 项，现在是 0 项"},
		`{"tags":["abcd"]}`:            {"tags[0]", "太长：最多 3 个字符，现在是 4 个"},
		`{"set":["a","a"]}`:            {"set", "有重复的项，每一项都要不同"},
		`{"deep":{"x":"y"}}`:           {"deep.x", "类型不对，应当是整数"},
		`{"unheard":1}`:                {"unheard", "没有这一项"},
		`{"deep":{"x":1,"strange":1}}`: {"deep.strange", "没有这一项"},
	} {
		args := map[string]json.RawMessage{"to": json.RawMessage(`"ann"`), "when": json.RawMessage(`"2026-01-31"`)}
		var changed map[string]json.RawMessage
		if err := json.Unmarshal([]byte(change), &changed); err != nil {
			t.Fatal(err)
		}
		for name, v := range changed {
			args[name] = v
		}
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		faults := tool.Check(s, raw, tool.CheckOptions{}).Faults
		if len(faults) == 0 {
			t.Errorf("%s: no fault", change)
			continue
		}
		if got := tool.Explain(s, raw, faults[0], "zh"); faults[0].Path != want[0] || got != want[1] {
			t.Errorf("%s: %s: %q, want %s: %q", change, faults[0].Path, got, want[0], want[1])
		}
		if got := tool.Explain(s, raw, faults[0], "en"); got != faults[0].Message {
			t.Errorf("%s in English: %q", change, got)
		}
	}
	for _, args := range []string{`{`, `[1]`, `"x"`, ``} {
		for _, f := range tool.Check(s, json.RawMessage(args), tool.CheckOptions{}).Faults {
			got := tool.Explain(s, json.RawMessage(args), f, "zh")
			if !hasHan(got) {
				t.Errorf("%q: %q, want Chinese", args, got)
			}
		}
	}
}

func hasHan(s string) bool {
	for _, r := range s {
		if unicode.Is(unicode.Han, r) {
			return true
		}
	}
	return false
}
