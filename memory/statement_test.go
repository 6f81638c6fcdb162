package memory_test

import (
	"strings"
	"testing"

	"hermes/memory"
)

// Two notes of one person: does the second replace the first?
func TestStatementsReplace(t *testing.T) {
	for name, c := range map[string]struct {
		old, next string
		want      bool
	}{
		"M6 role":                     {"The head of finance is Eve Adams.", "The head of finance is Bob Lee.", true},
		"M6 role, with a time":        {"The head of finance is Eve Adams.", "As of June, the head of finance is now Bob Lee", true},
		"M6 possessive":               {"Ann's boss is Eve.", "Ann’s boss is Bob.", true},
		"M6 city, in other words":     {"I live in Oslo", "I moved to Rome", true},
		"M6 employer, in other words": {"Ann works for Initech.", "Ann is employed by Globex Inc.", true},
		"M6 deadline":                 {"The deadline is Friday", "The deadline is Monday", true},
		"M6 meeting":                  {"The weekly sync is on Tuesday.", "The weekly sync was moved to Thursday.", true},
		"M6 budget":                   {"The budget of the launch is $500.", "The budget of the launch has been raised to $900.", true},
		"M6 passive":                  {"The data warehouse is managed by Eve.", "The data warehouse is managed by Bob.", true},
		"M6 tool":                     {"The team uses Jira", "The team switched to Linear", false}, // "uses" may be several
		"M6 abbreviation at the end":  {"The capital of Utopia is Washington, D.C..", "The capital of Utopia is Geneva.", true},
		"M6 zh role":                  {"财务部的负责人是张三。", "财务部的负责人现在是李四。", true},
		"M6 zh boss":                  {"我的上级是王经理", "我的上级改成了李经理", true},
		"M6 zh city":                  {"我住在北京", "我搬到了上海", true},
		"M6 zh founded":               {"这家公司由张三创立。", "这家公司由李四创立。", true},
		"M6 zh place":                 {"公司总部位于深圳。", "公司总部位于广州。", true},
		"M6 zh time":                  {"周会时间是周二上午10点", "周会时间改为周四下午3点", true},
		"M6 zh reports":               {"小王向张总汇报", "小王向李总汇报", true},
		"M6 mixed":                    {"GMV 报表的负责人是 Eve", "GMV 报表的负责人是 Bob", true},

		"M7 another's":             {"My player is Messi.", "My brother's player is Ronaldo.", false},
		"M7 another subject":       {"The head of finance is Eve.", "The head of sales is Bob.", false},
		"M7 another relation":      {"Ann works for Initech.", "Ann lives in Oslo.", false},
		"M7 two children":          {"Ann's child is Tom.", "Ann's child is Tim.", false},
		"M7 famous for two things": {"Ann is famous for her talks.", "Ann is famous for her cakes.", false},
		"M7 two likes":             {"I like tea", "I like coffee", false},
		"M7 two languages":         {"Ann speaks French", "Ann speaks German", false},
		"M7 two descriptions":      {"The report is late", "The report is long", false},
		"M7 events":                {"I bought milk", "I bought eggs", false},
		"M7 plans":                 {"We should post the report", "We should post the chart", false},
		"M7 questions":             {"The deadline is Friday?", "The deadline is Monday", false},
		"M7 several sentences":     {"The deadline is Friday. Bob knows about it.", "The deadline is Monday", false},
		"M7 a denial":              {"The deadline is Friday", "The deadline is not Monday", false},
		"M7 pronoun":               {"It is on Monday", "It is on Friday", false},
		"M7 time and place":        {"The weekly sync is on Tuesday", "The weekly sync is in room 5", false},
		"M7 zh another's":          {"小王的上级是张总", "小李的上级是王总", false},
		"M7 zh children":           {"小王的孩子是小明", "小王的孩子是小红", false},
		"M7 zh likes":              {"我喜欢茶", "我喜欢咖啡", false},
		"M7 zh events":             {"我买了牛奶", "我买了鸡蛋", false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, flip := range []bool{false, true} {
				m, _ := open()
				first, second := says(1, memory.Note, c.old), says(2, memory.Note, c.next)
				first.Text, second.Text = c.old, c.next
				kept := c.next
				if flip {
					// What is about the later day holds, whenever it was said.
					first.Event, second.Event = day.AddDate(0, 2, 0), day.AddDate(0, 1, 0)
					kept = c.old
				}
				keep(t, m, first)
				keep(t, m, second)
				got, err := m.Recall(t.Context(), alone, c.old+" "+c.next, 9)
				if err != nil {
					t.Fatal(err)
				}
				if replaced := len(got) == 1; replaced != c.want || replaced && got[0].Text != kept {
					t.Errorf("recalled %d, want replaced %v\n%+v", len(got), c.want, texts(got))
				}
				// Nothing is resolved behind a person's back.
				if all, _ := m.List(t.Context(), alone); len(all) != 2 {
					t.Errorf("%d are listed, want both", len(all))
				}
			}
		})
	}
}

func texts(found []memory.Scored) string {
	var all []string
	for _, s := range found {
		all = append(all, s.Text)
	}
	return strings.Join(all, " / ")
}

// "I live in …" of two people are two statements.
func TestStatementsOfTwoPeople(t *testing.T) {
	m, _ := open()
	for i, by := range []string{ann, bob} {
		f := says(i, memory.Note, "I live in "+[]string{"Oslo", "Rome"}[i])
		f.Text, f.By, f.Subject, f.Audience = f.Object, by, by, memory.Audience{Kind: memory.ForTeam, ID: "web:w"}
		keep(t, m, f)
	}
	if got, _ := m.Recall(t.Context(), alone, "who lives where: live in Oslo or Rome", 9); len(got) != 2 {
		t.Errorf("M7 recalled %s, want both", texts(got))
	}
}

// A thousand notes about as many things: none retires another.
func TestStatementsRetireNothingElse(t *testing.T) {
	m, _ := open()
	n := 0
	for _, who := range []string{"Ann", "Bob", "Eve", "Tom", "Zoe"} {
		for _, what := range []string{"lives in Oslo", "works for Initech", "is married to Max", "was born in Rome", "studied at MIT", "plays the piano", "is a citizen of Norway", "reports to Kim"} {
			f := says(n, memory.Note, who+" "+what)
			f.Text = f.Object
			keep(t, m, f)
			n++
		}
	}
	got, err := m.Recall(t.Context(), alone, "Ann Bob Eve Tom Zoe lives works married born studied plays citizen reports", 100)
	if err != nil || len(got) != n {
		t.Errorf("M8 recalled %d of %d, %v", len(got), n, err)
	}
}

func TestStem(t *testing.T) {
	for _, group := range []string{
		"live lives lived living", "report reports reported reporting", "move moved moves moving", "city cities", "study studies studied studying",
		"buy buys bought", "child children", "box boxes", "plan plans planned planning", "boss's boss", "process processes processed",
	} {
		words := strings.Fields(group)
		for _, w := range words[1:] {
			if memory.Stem(w) != memory.Stem(words[0]) {
				t.Errorf("Stem(%s) = %s, Stem(%s) = %s", w, memory.Stem(w), words[0], memory.Stem(words[0]))
			}
		}
	}
	for _, w := range []string{"bus", "this", "gas", "部署", "über", "as", "ring", "red", "news"} {
		if s := memory.Stem(w); len(s) < 2 {
			t.Errorf("Stem(%s) = %q", w, s)
		}
	}
}
