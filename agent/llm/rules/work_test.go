package rules

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
)

// A fakeTool says what a tool would say.
type fakeTool func(args map[string]any) llm.Result

func says(v any) fakeTool {
	return func(map[string]any) llm.Result {
		if s, ok := v.(string); ok {
			return llm.Result{Text: s}
		}
		b, _ := json.Marshal(v)
		return llm.Result{Text: string(b)}
	}
}

func fails(text string) fakeTool {
	return func(map[string]any) llm.Result { return llm.Result{Text: text, Failed: true} }
}

// figuresTool gives two regions for any question.
func figuresTool(args map[string]any) llm.Result {
	name := "table"
	if by, ok := args["by"].([]any); ok {
		name += "-" + fmt.Sprint(by[0])
	}
	r := says(map[string]any{
		"table": name, "title": "Sales by region, October 2026",
		"period": map[string]string{"from": "2026-10-01", "to": "2026-10-31"},
		"columns": []any{
			map[string]any{"key": "region", "label": "region", "role": "by"},
			map[string]any{"key": "sales", "label": "sales", "role": "value", "unit": "USD", "scale": 2},
		},
		"rows": []any{[]any{"Asia", 750000.5}, []any{"Europe", 250000.0}}, "row_count": 2,
		"total": map[string]any{"value": 1000000.5},
	})
	return r(args)
}

// A game is a run with tools that are scripted. Its log has one line for each
// reply with calls: which calls went out together.
type game struct {
	tools map[string]fakeTool
	scene llm.Scene
	turns []llm.Message
}

func (g game) play(t *testing.T, text string) (log []string, last string) {
	t.Helper()
	m := New(layer())
	req := llm.Request{Scene: g.scene, Messages: append(append([]llm.Message{}, g.turns...), llm.Message{Role: llm.User, Text: text})}
	if req.Scene.Now.IsZero() {
		req.Scene.Now, req.Scene.Zone = tryNow, "Asia/Shanghai"
	}
	for name := range g.tools {
		req.Tools = append(req.Tools, llm.Tool{Name: name})
	}
	ids := map[string]bool{}
	for range 10 {
		reply, err := m.Generate(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if reply.Model != "rules" || reply.Message.Role != llm.Assistant {
			t.Fatalf("reply = %+v, want one of an assistant named rules", reply)
		}
		if len(reply.Message.Calls) == 0 {
			return log, reply.Message.Text
		}
		req.Messages = append(req.Messages, reply.Message)
		var results []llm.Result
		var line []string
		for _, c := range reply.Message.Calls {
			if ids[c.ID] {
				t.Fatalf("call id %q is used twice", c.ID)
			}
			ids[c.ID] = true
			var args map[string]any
			if err := json.Unmarshal(c.Args, &args); err != nil {
				t.Fatalf("arguments of %s: %v", c.Name, err)
			}
			r := g.tools[c.Name](args)
			r.ID = c.ID
			results = append(results, r)
			delete(args, "title")
			b, _ := json.Marshal(args)
			line = append(line, c.Name+string(b))
		}
		log = append(log, strings.Join(line, " + "))
		req.Messages = append(req.Messages, llm.Message{Role: llm.User, Results: results})
	}
	t.Fatalf("no end after 10 steps: %q", log)
	return nil, ""
}

func reportTools() map[string]fakeTool {
	return map[string]fakeTool{
		"query_metric": figuresTool,
		"make_report":  says(map[string]any{"report": "rep1", "hash": "h", "title": "Sales by region, October 2026", "text": "…", "files": []string{"a.xlsx"}}),
		"post_message": says(map[string]any{"posted": true, "to": "web/w/c1/", "link": "https://chat/p1"}),
		"schedule_add": says(map[string]any{"job": "j1a2b3c4", "say": "every month on the 1st at 9:00", "zone": "Asia/Shanghai", "next": []string{
			"2026-12-01T09:00:00+08:00", "2027-01-01T09:00:00+08:00", "2027-02-01T09:00:00+08:00", "2027-03-01T09:00:00+08:00", "2027-04-01T09:00:00+08:00"}}),
		"schedule_list": says(`{"jobs":[]}`), "schedule_change": says(map[string]any{"job": "j1a2b3c4", "name": "sales"}),
		"remember": says("Remembered: you prefer CSV (id f1)"), "memory_list": says("[]"), "memory_forget": says("Forgotten (facts: 1).\n- “From now on I want CSV” (2 November 2026)"),
		"ask": says(map[string]string{"answer": "#sales"}),
	}
}

// The main job: figures and the same by day in one step, the report, then one
// step for all that people must approve, then what came of it.
func TestMainJob(t *testing.T) {
	for lang, tt := range map[string]struct{ text, request, last string }{
		"en": {
			"summarise last month's sales by region, write a short analysis, post it to #sales, and do this every month on the 1st at 9:00",
			"summarise last month's sales by region, write a short analysis, post it to #sales",
			"Here is the report: Sales by region, October 2026.\n\n" +
				"Posted to [#sales](https://chat/p1).\n\n" +
				"Scheduled as j1a2b3c4: every month on the 1st at 9:00 (Asia/Shanghai). Next:\n" +
				"- Tue 1 December 2026, 09:00\n- Fri 1 January 2027, 09:00\n- Mon 1 February 2027, 09:00\n- Mon 1 March 2027, 09:00\n- Thu 1 April 2027, 09:00\n\n" +
				"To pause it, say: pause j1a2b3c4. To end it, say: delete j1a2b3c4.",
		},
		"zh": {
			"把上个月的销售数据按地区汇总，写一份分析发到 #sales，以后每个月1号早上9点都做一次",
			"把上个月的销售数据按地区汇总，写一份分析发到 #sales",
			"报告做好了：Sales by region, October 2026。\n\n" +
				"已发到 [#sales](https://chat/p1)。\n\n" +
				"已设置定时任务 j1a2b3c4：every month on the 1st at 9:00（Asia/Shanghai）。接下来：\n" +
				"- 2026年12月1日（周二）09:00\n- 2027年1月1日（周五）09:00\n- 2027年2月1日（周一）09:00\n- 2027年3月1日（周一）09:00\n- 2027年4月1日（周四）09:00\n\n" +
				"要暂停就说：暂停 j1a2b3c4；要取消就说：删除 j1a2b3c4。",
		},
	} {
		t.Run(lang, func(t *testing.T) {
			log, last := game{tools: reportTools(), scene: llm.Scene{Lang: lang}}.play(t, tt.text)
			request, _ := json.Marshal(tt.request)
			want := []string{
				`query_metric{"by":["region"],"compare":["previous_period","year_before"],"measure":"sales","period":"last_month"} + query_metric{"by":["day"],"measure":"sales","period":"last_month"}`,
				`make_report{"chart":"bar","format":"xlsx","tables":["table-region","table-day"]}`,
				`post_message{"channel":"#sales","report":"rep1"} + schedule_add{"channel":"#sales","report":"rep1","request":` + string(request) + `,"when":"0 9 1 * *"}`,
			}
			if diff := cmp.Diff(want, log); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.last, last); diff != "" {
				t.Error(diff)
			}
		})
	}
}

const headline = "summarise last month's sales by region, post it to #sales, and do this every month on the 1st at 9:00"

// Whatever people say to a card, the last words say what was done and what was not.
func TestWhatCameOfTheCard(t *testing.T) {
	for name, tt := range map[string]struct {
		post, schedule fakeTool
		want           []string
		not            string
	}{
		"denied":               {fails("denied by Ann"), fails("denied by Ann"), []string{"Not posted: Ann said no.", "Nothing is scheduled either."}, "Posted"},
		"denied with a note":   {fails("denied by Ann: wrong month"), fails("denied by Ann: wrong month"), []string{"Ann said no. Reason: wrong month."}, "Posted"},
		"a reason as it comes": {fails(`denied by Ann: "wrong month"`), fails("denied by Ann"), []string{"Ann said no. Reason: wrong month."}, "Posted"},
		"sent back":            {fails(`not run: Ann asks for changes: "October, please"`), fails(`not run: Ann asks for changes: "October, please"`), []string{"Not done yet: Ann asks for changes: “October, please”."}, "Posted"},
		"approved once":        {nil, fails("denied: Ann approved what is done now and nothing that lasts"), []string{"Posted to [#sales](https://chat/p1).", "Posted once; nothing is scheduled."}, "said no"},
		"expired":              {fails("expired"), fails("expired"), []string{"Not posted: nobody answered in time.", "Nothing is scheduled: nobody answered in time."}, "Posted"},
		"lost on the way":      {fails(`{"posted":false,"to":"web/w/c1/","why":"channel is archived"}`), nil, []string{"Not posted to #sales: channel is archived.", "Scheduled as j1a2b3c4"}, "Posted"},
	} {
		t.Run(name, func(t *testing.T) {
			tools := reportTools()
			if tt.post != nil {
				tools["post_message"] = tt.post
			}
			if tt.schedule != nil {
				tools["schedule_add"] = tt.schedule
			}
			_, last := game{tools: tools, scene: llm.Scene{Lang: "en"}}.play(t, headline)
			for _, want := range tt.want {
				if !strings.Contains(last, want) {
					t.Errorf("last words = %q, want %q in it", last, want)
				}
			}
			if strings.Contains(last, tt.not+" ") {
				t.Errorf("last words = %q, want no %q", last, tt.not)
			}
		})
	}
}

// A number is answered with cells and with nothing else.
func TestAnswer(t *testing.T) {
	log, last := game{tools: reportTools(), scene: llm.Scene{Lang: "en"}}.play(t, "show sales by region for last month")
	if len(log) != 1 {
		t.Errorf("log = %q, want one query", log)
	}
	want := "Sales by region, October 2026: **1,000,000.50 USD** (1 October 2026 to 31 October 2026). Highest: Asia with 750,000.50 USD (75.0% of the total).\n\n| region | sales |\n| --- | ---: |\n| Asia | 750,000.50 |\n| Europe | 250,000.00 |"
	if last != want {
		t.Errorf("answer = %q\n     want %q", last, want)
	}
	_, last = game{tools: reportTools(), scene: llm.Scene{Lang: "zh"}}.play(t, "上个月哪个地区销售额最低？")
	want = "Sales by region, October 2026：**1,000,000.50 USD**（2026年10月1日至2026年10月31日）。最低的是Europe：250,000.00 USD（占总额的25.0%）。\n\n| region | sales |\n| --- | ---: |\n| Asia | 750,000.50 |\n| Europe | 250,000.00 |"
	if last != want {
		t.Errorf("answer = %q\n     want %q", last, want)
	}
}

// What is missing is asked for once; an answer counts as if it had been said.
func TestAskOnce(t *testing.T) {
	tools := reportTools()
	log, last := game{tools: tools, scene: llm.Scene{Lang: "en"}}.play(t, "write a report on last month's sales by region and post it")
	if len(log) != 4 || !strings.Contains(log[0], `ask{"choices":["#sales","#general","#leads"],"question":"In which channel shall I post it?"}`) || !strings.Contains(log[3], `"channel":"#sales"`) {
		t.Errorf("log = %q, want a question and then a post to the answer", log)
	}
	if !strings.Contains(last, "Posted to [#sales]") {
		t.Errorf("last words = %q", last)
	}
	for answer, want := range map[string]string{
		"general":                         `"channel":"#general"`,
		"to the leads channel":            `"channel":"#leads"`,
		"hm, I do not know":               "I still do not know which channel",
		"never mind":                      "nothing was done",
		"":                                "I still do not know which channel",
		"if sales fall, to #general only": "I still do not know which channel",
	} {
		tools["ask"] = says(map[string]string{"answer": answer})
		log, last := game{tools: tools, scene: llm.Scene{Lang: "en"}}.play(t, "write a report on last month's sales by region and post it")
		if all := strings.Join(log, "\n") + last; !strings.Contains(all, want) {
			t.Errorf("after %q: %q, want %q", answer, all, want)
		}
	}
	tools["ask"] = says(map[string]string{"answer": "Mondays at 9"})
	log, _ = game{tools: tools, scene: llm.Scene{Lang: "en"}}.play(t, "send a weekly sales report to #sales")
	if all := strings.Join(log, "\n"); strings.Contains(all, "post_message") || !strings.Contains(all, `"request":"report on sales for last week, post it to #sales"`) {
		t.Errorf("log = %q, want a schedule and no post now", log)
	}
	tools["ask"] = says(map[string]string{"answer": "上个月"})
	log, _ = game{tools: tools, scene: llm.Scene{Lang: "zh"}}.play(t, "各地区的销售额")
	if len(log) != 2 || !strings.Contains(log[1], `"period":"last_month"`) {
		t.Errorf("log = %q, want the period of the answer", log)
	}
	tools["ask"] = says(map[string]string{"answer": "sales by product, last week"})
	log, _ = game{tools: tools, scene: llm.Scene{Lang: "en"}}.play(t, "make a report")
	if len(log) != 3 || !strings.Contains(log[1], `"by":["product"]`) || !strings.Contains(log[1], `"period":"last_week"`) {
		t.Errorf("log = %q, want all of the answer", log)
	}
}

// A name that the tool does not know is mended once, if a slip of the pen is all
// that is wrong with it.
func TestMend(t *testing.T) {
	tools := reportTools()
	tools["query_metric"] = func(args map[string]any) llm.Result {
		if b, _ := json.Marshal(args); strings.Contains(string(b), "Umbrela") {
			return llm.Result{Text: `customer has no value "Umbrela"; the nearest: Umbrella, Acme, Globex`, Failed: true}
		}
		return figuresTool(args)
	}
	log, _ := game{tools: tools, scene: llm.Scene{Lang: "en"}}.play(t, "sales for customer Umbrela last month")
	if len(log) != 2 || !strings.Contains(log[1], `"values":["Umbrella"]`) {
		t.Errorf("log = %q, want the nearest value in the second call", log)
	}
	tools["query_metric"] = fails(`customer has no value "Umbrela"; the nearest: Acme, Globex`)
	log, last := game{tools: tools, scene: llm.Scene{Lang: "en"}}.play(t, "report on sales for customer Umbrela last month and post it to #sales")
	if len(log) != 1 || !strings.Contains(last, `That did not work: customer has no value "Umbrela"`) {
		t.Errorf("log = %q, last words = %q, want no second try and what the tool said", log, last)
	}
}

// A slot asks for the same figures as the run that was approved, since its grant
// holds for these alone.
func TestSlotIsTheSameWork(t *testing.T) {
	for _, text := range []string{
		headline,
		"every Monday at 9:00 post sales by region to #sales",
		"每个月1号早上9点把各地区的销售额发到 #sales",
		"send me sales by product every Friday at 17:00",
		"post a line chart of last week's orders in Asia and Europe to #general as csv every Monday at 8:00",
		"汇总上个月亚洲和欧洲的订单，不要图表，每月2号上午10点发到 #leads",
	} {
		lang := languageOf(text)
		first, _ := game{tools: reportTools(), scene: llm.Scene{Lang: lang}}.play(t, text)
		var request string
		for _, line := range first {
			if _, args, ok := strings.Cut(line, "schedule_add"); ok {
				var a struct{ Request string }
				if err := json.Unmarshal([]byte(args), &a); err != nil {
					t.Fatal(err)
				}
				request = a.Request
			}
		}
		if request == "" {
			t.Errorf("%q: log = %q, want a schedule", text, first)
			continue
		}
		scene := llm.Scene{Lang: lang, Now: tryNow, From: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
		slot, _ := game{tools: reportTools(), scene: scene}.play(t, request)
		if diff := cmp.Diff(first[:2], slot[:min(2, len(slot))]); diff != "" {
			t.Errorf("%q is repeated as %q: %s", text, request, diff)
		}
		if strings.Contains(strings.Join(slot, " "), "schedule_add") {
			t.Errorf("%q is repeated as %q, which schedules again: %q", text, request, slot)
		}
		wantPost := strings.Contains(strings.Join(first, " "), `"channel"`)
		if got := strings.Contains(strings.Join(slot, " "), "post_message"); got != wantPost {
			t.Errorf("%q is repeated as %q: posts = %t, want %t", text, request, got, wantPost)
		}
	}
}

// Small talk comes without tools and gets words; so does what is none.
func TestWordsOnly(t *testing.T) {
	for text, want := range map[string]string{
		"Good morning!":          "Good morning!",
		"早上好":                    "早上好！",
		"what can you do?":       "post it to #sales",
		"你能做什么？":                 "发到 #sales",
		"thanks":                 "You're welcome!",
		"hello Hermes":           "Hello!",
		"Hi, how are you today?": "All is well",
		"你是谁":                    "内置规则",
		"ok bye":                 "Bye!",
		"the meaning of life":    "what can you do?",
	} {
		reply, err := New(layer()).Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := reply.Message; len(got.Calls) > 0 || !strings.Contains(got.Text, want) {
			t.Errorf("%q: %+v, want %q in it", text, got, want)
		}
	}
}

// Nothing is done for a request of which a part was not understood; the part is
// quoted, and three examples are shown.
func TestUnclaimed(t *testing.T) {
	log, last := game{tools: reportTools(), scene: llm.Scene{Lang: "en"}}.play(t, "summarise last month's sales by region and email it to Bob")
	if len(log) > 0 || !strings.Contains(last, "“email”, “Bob”") || strings.Count(last, "\n- ") != 3 || !strings.Contains(last, "- summarise last month's sales by region") {
		t.Errorf("log = %q, last words = %q", log, last)
	}
	log, last = game{tools: reportTools(), scene: llm.Scene{Lang: "zh"}}.play(t, "把上个月的销售按地区汇总，如果下降了就发到 #sales")
	if len(log) > 0 || !strings.Contains(last, "“如果下降了就发到 #sales”") || strings.Count(last, "\n- ") != 3 {
		t.Errorf("log = %q, last words = %q", log, last)
	}
	_, last = game{tools: reportTools(), scene: llm.Scene{Lang: "en"}}.play(t, "summarise this thread")
	if !strings.Contains(last, "that needs a language model") {
		t.Errorf("last words = %q, want why not", last)
	}
}

// What another model began is not begun anew.
func TestForeignRun(t *testing.T) {
	reply, err := New(layer()).Generate(t.Context(), llm.Request{
		Tools: []llm.Tool{{Name: "query_metric"}},
		Messages: []llm.Message{
			{Role: llm.User, Text: "what were last month's sales?"},
			{Role: llm.Assistant, Calls: []llm.Call{{ID: "call_1", Name: "post_message"}}},
			{Role: llm.User, Results: []llm.Result{{ID: "call_1", Text: "{}"}}},
		},
	})
	if err != nil || len(reply.Message.Calls) > 0 || !strings.Contains(reply.Message.Text, "Another model") {
		t.Errorf("reply = %+v, %v", reply, err)
	}
}

// "It" is the job that the bot spoke of last.
func TestJobByPointing(t *testing.T) {
	g := game{tools: reportTools(), scene: llm.Scene{Lang: "en"}, turns: []llm.Message{
		{Role: llm.User, Text: headline},
		{Role: llm.Assistant, Text: "Scheduled as j1a2b3c4: every month."},
	}}
	log, last := g.play(t, "pause it")
	if diff := cmp.Diff([]string{`schedule_change{"action":"pause","job":"j1a2b3c4"}`}, log); diff != "" {
		t.Error(diff)
	}
	g.turns[1].Text = "Scheduled:\n- j1a2b3c4 sales\n- j5d6e7f8 orders"
	if log, _ := g.play(t, "pause it"); !cmp.Equal(log, []string{`schedule_change{"action":"pause","job":"it"}`}) {
		t.Errorf("log = %q, want it left to the tool which of two is meant", log)
	}
	if last != "Paused: j1a2b3c4 (“sales”). To go on, say: resume j1a2b3c4." {
		t.Errorf("last words = %q", last)
	}
}

// A preference sets the format of files; the asker's own goes before the team's.
func TestPreferredFormat(t *testing.T) {
	scene := llm.Scene{Lang: "en", Asker: "web:w:ann", Facts: []llm.Fact{
		{Subject: "team:w", Predicate: "prefers-format", Object: "xlsx"},
		{Subject: "web:w:ann", Predicate: "prefers-format", Object: "csv"},
		{Subject: "web:w:ann", Predicate: "prefers-format", Object: "xlsx"},
	}}
	log, _ := game{tools: reportTools(), scene: scene}.play(t, "report on last month's sales")
	if !strings.Contains(log[1], `"format":"csv"`) {
		t.Errorf("log = %q, want csv", log)
	}
}

// Whatever is said, there is an answer, and it comes soon.
func FuzzGenerate(f *testing.F) {
	for _, r := range rowsOf(f, "testdata/ask.jsonl") {
		f.Add(r.Text, strings.Join(r.Turns, "\n"))
	}
	f.Add("between \xff and ", "每\x00周")
	f.Add("my manager is L", "我的经理是谁") // was once a panic
	f.Add(strings.Repeat("sales, and ", 300), strings.Repeat("把", 900))
	m := New(layer())
	f.Fuzz(func(t *testing.T, text, before string) {
		m.Try(TrialInput{Text: text, Turns: []string{before}})
		req := llm.Request{Scene: llm.Scene{Lang: "en", Now: tryNow}}
		for name := range reportTools() {
			req.Tools = append(req.Tools, llm.Tool{Name: name})
		}
		for _, s := range []string{before, text} {
			req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: s})
		}
		reply, err := m.Generate(t.Context(), req)
		if err != nil || reply.Message.Text == "" && len(reply.Message.Calls) == 0 {
			t.Errorf("Generate(%q) = %+v, %v, want words or calls", text, reply, err)
		}
	})
}

func BenchmarkTry(b *testing.B) {
	m := New(layer())
	rows := rowsOf(b, "testdata/ask.jsonl")
	for i := 0; b.Loop(); i++ {
		m.Try(rows[i%len(rows)].TrialInput)
	}
}

// The longest text that is read takes no more than a moment.
func BenchmarkTryLong(b *testing.B) {
	m := New(layer())
	text := strings.Repeat("sales, and every month 把 ", longest/25)
	for b.Loop() {
		m.Try(TrialInput{Text: text})
	}
}
