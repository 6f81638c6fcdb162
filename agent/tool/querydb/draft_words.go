package querydb

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// draftWords are the words that columns and tables are called by most, in both
// languages, and others for the same.
var draftWords = []struct {
	en, zh string
	more   []string
}{
	{"sales", "销售额", []string{"revenue", "turnover", "营收", "营业额", "销售"}}, {"revenue", "收入", []string{"sales", "turnover", "营收"}}, {"turnover", "营业额", nil}, {"amount", "金额", nil},
	{"total", "总额", nil}, {"value", "金额", nil}, {"net", "净额", nil}, {"gross", "总额", nil}, {"cost", "成本", []string{"costs"}}, {"profit", "利润", []string{"earnings", "毛利"}}, {"margin", "毛利率", nil},
	{"price", "价格", nil}, {"unit price", "单价", nil}, {"average order value", "客单价", []string{"basket"}}, {"discount", "折扣", nil}, {"tax", "税额", nil}, {"fee", "费用", nil}, {"budget", "预算", nil}, {"quantity", "数量", []string{"qty", "units", "销量"}}, {"qty", "数量", []string{"quantity"}},
	{"units", "销量", []string{"quantity", "数量"}}, {"count", "数量", nil}, {"orders", "订单数", []string{"订单", "订单量"}}, {"order", "订单", nil}, {"customers", "客户数", []string{"clients"}}, {"customer", "客户", []string{"client", "buyer", "顾客"}},
	{"users", "用户数", nil}, {"user", "用户", nil}, {"visits", "访问量", nil}, {"tickets", "工单数", nil}, {"invoices", "发票数", nil}, {"payments", "付款数", nil}, {"deals", "成交数", nil}, {"leads", "线索数", nil},
	{"region", "地区", []string{"area", "区域", "大区"}}, {"country", "国家", nil}, {"city", "城市", nil}, {"province", "省份", nil}, {"state", "州", nil}, {"store", "门店", []string{"shop", "店铺"}}, {"branch", "分店", nil},
	{"product", "产品", []string{"item", "商品"}}, {"category", "类别", []string{"kind", "品类"}}, {"brand", "品牌", nil}, {"channel", "渠道", nil}, {"segment", "细分", nil}, {"team", "团队", nil}, {"owner", "负责人", nil}, {"department", "部门", nil},
	{"salesperson", "销售员", []string{"sales rep", "业务员"}}, {"employee", "员工", nil}, {"supplier", "供应商", nil}, {"project", "项目", nil}, {"campaign", "活动", nil}, {"status", "状态", nil}, {"type", "类型", nil}, {"source", "来源", nil},
	{"currency", "币种", nil}, {"gender", "性别", nil}, {"date", "日期", nil}, {"score", "评分", nil}, {"rating", "评分", nil}, {"rate", "比率", nil}, {"name", "名称", nil}, {"paid", "已付款", nil}, {"won", "成交", nil},
}

// english is a word of Chinese in English; empty if it is none that is known.
func english(name string) string {
	for _, w := range draftWords {
		if w.zh == name || slices.Contains(w.more, name) && hasHan(name) {
			return w.en
		}
	}
	return ""
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

var inBrackets = regexp.MustCompile(`\s*[(（\[][^)）\]]*[)）\]]\s*`)

// labelOf is what a name is called in both languages, as far as that is known, and other
// words for it. The header of a file is one of them.
func labelOf(name, header string) (Label, []string) {
	plain := strings.ReplaceAll(name, "_", " ")
	header = strings.TrimSpace(inBrackets.ReplaceAllString(header, " "))
	var l Label
	var more []string
	known := func(word string) bool {
		for _, w := range draftWords {
			if w.en == word || w.en == word+"s" && !slices.ContainsFunc(draftWords, func(o struct {
				en, zh string
				more   []string
			}) bool {
				return o.en == word
			}) || w.zh == word || hasHan(word) && slices.Contains(w.more, word) {
				l, more = Label{w.en, w.zh}, append(more, w.more...)
				return true
			}
		}
		return false
	}
	switch {
	case known(header), known(strings.ToLower(header)), known(plain):
	case hasHan(header):
		l.Zh = header
	case hasHan(plain):
		l.Zh = plain
	default:
		l.En = plain
	}
	if l.En != "" && !strings.EqualFold(l.En, plain) && !hasHan(plain) && !slices.Contains(more, plain) {
		more = append(more, plain)
	}
	if header != "" && !strings.EqualFold(header, l.En) && header != l.Zh && !strings.EqualFold(header, plain) && !slices.Contains(more, header) {
		more = append(more, header)
	}
	return l, slices.DeleteFunc(more, func(w string) bool { return w == l.En || w == l.Zh })
}

// YAML is the draft as it stands below an entry of sources.
func (d Draft) YAML() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Drafted from the schema of source %s, for its entry under sources. Read it and mend it:\n", d.Layer.Name)
	b.WriteString("# whether a figure may be added up (no_total), what it is in (unit), which day a row belongs to\n# (time), whether each day should have data (daily), and the words that people use, in both languages.\n")
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "# - %s\n", strings.Join(strings.Fields(n), " "))
	}
	if len(d.Layer.Measures) == 0 {
		b.WriteString("    measures: [] # nothing looks like a figure: one needs a table with a column of days\n")
	} else {
		b.WriteString("    measures:\n")
	}
	for _, m := range d.Layer.Measures {
		m.Label.En = capital(m.Label.En) // sentences begin with it
		fmt.Fprintf(&b, "      - name: %s\n%s", m.Name, labelYAML(m.Label))
		listYAML(&b, "synonyms", m.Synonyms)
		fmt.Fprintf(&b, "        sql: %s\n        from: %s\n        time: %s\n", scalar(m.SQL), scalar(m.From), scalar(m.Time))
		if m.Unit != "" {
			fmt.Fprintf(&b, "        unit: %s\n", scalar(m.Unit))
		}
		if m.Scale > 0 {
			fmt.Fprintf(&b, "        scale: %d\n", m.Scale)
		}
		if m.NoTotal {
			b.WriteString("        no_total: true\n")
		}
		listYAML(&b, "dimensions", m.Dimensions)
	}
	if len(d.Layer.Dimensions) > 0 {
		b.WriteString("    dimensions:\n")
	}
	for _, dim := range d.Layer.Dimensions {
		fmt.Fprintf(&b, "      - name: %s\n%s", dim.Name, labelYAML(dim.Label))
		listYAML(&b, "synonyms", dim.Synonyms)
		fmt.Fprintf(&b, "        sql: %s\n", scalar(dim.SQL))
		if dim.From != "" {
			fmt.Fprintf(&b, "        from: %s\n", scalar(dim.From))
		}
		if len(dim.ValueSynonyms) > 0 {
			b.WriteString("        values: # add the words for each, in both languages\n")
		}
		for _, v := range dim.ValueSynonyms {
			fmt.Fprintf(&b, "          - {value: %s, words: []}\n", scalar(v.Value))
		}
	}
	return b.String()
}

func capital(s string) string {
	if s == "" {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

func labelYAML(l Label) string {
	var parts []string
	if l.En != "" {
		parts = append(parts, "en: "+scalar(l.En))
	}
	if l.Zh != "" {
		parts = append(parts, "zh: "+scalar(l.Zh))
	}
	missing := ""
	if l.En == "" {
		missing = " # add en"
	}
	if l.Zh == "" {
		missing = " # add zh"
	}
	return "        label: {" + strings.Join(parts, ", ") + "}" + missing + "\n"
}

func listYAML(b *strings.Builder, key string, list []string) {
	if len(list) == 0 {
		return
	}
	var all []string
	for _, s := range list {
		all = append(all, scalar(s))
	}
	fmt.Fprintf(b, "        %s: [%s]\n", key, strings.Join(all, ", "))
}

var plainScalar = regexp.MustCompile(`^[A-Za-z\p{Han}][A-Za-z0-9_\p{Han} ./=*()]*$`)

// scalar writes a text for YAML, in quotes if it would be read as something else.
func scalar(s string) string {
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "null", "y", "n":
		return strconv.Quote(s)
	}
	if plainScalar.MatchString(s) && strings.TrimSpace(s) == s {
		return s
	}
	return strconv.Quote(s)
}
