package web

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What people and models write cannot do anything but be read.
func TestRender(t *testing.T) {
	t.Parallel()
	sees := func(room string) bool { return room == "general" }
	tests := map[string]struct{ md, want string }{
		"raw HTML is text":             {"a <b>c</b> <script>x</script>", "<p>a &lt;b&gt;c&lt;/b&gt; &lt;script&gt;x&lt;/script&gt;</p>"},
		"an HTML block is text":        {"<div onclick=x>\nhi\n</div>", "<p>&lt;div onclick=x&gt;\nhi\n&lt;/div&gt;</p>"},
		"an HTML comment is text":      {"<!-- a -->", "<p>&lt;!-- a --&gt;</p>"},
		"a link goes outside":          {"[a](https://x.example/?a=1&b=2)", `<p><a href="https://x.example/?a=1&amp;b=2" target="_blank" rel="noreferrer noopener">a</a></p>`},
		"a link of ours":               {"[a](/c/sales/1)", `<p><a href="/c/sales/1" rel="noreferrer noopener">a</a></p>`},
		"no javascript":                {"[a](javascript:alert(1))", "<p>a</p>"},
		"no javascript in disguise":    {"[a](JaVa&#115;cript:alert(1)) [b](java\tscript:x)", "<p>a [b](java\tscript:x)</p>"},
		"no data":                      {"[a](data:text/html,x)", "<p>a</p>"},
		"no file":                      {"[a](file:///etc/passwd)", "<p>a</p>"},
		"no other host by two lines":   {"[a](//evil.example)", "<p>a</p>"},
		"no other host by a backslash": {"[a](/\\evil.example)", `<p><a href="/%5Cevil.example" rel="noreferrer noopener">a</a></p>`},
		"no mail":                      {"<me@x.example>", "<p>me@x.example</p>"},
		"autolink":                     {"<https://x.example>", `<p><a href="https://x.example" target="_blank" rel="noreferrer noopener">https://x.example</a></p>`},
		"no autolink of javascript":    {"<javascript:alert(1)>", "<p>javascript:alert(1)</p>"},
		"an address is a link":         {"see https://x.example/a.", `<p>see <a href="https://x.example/a" target="_blank" rel="noreferrer noopener">https://x.example/a</a>.</p>`},
		"a picture is a link":          {"![alt](https://x.example/p.png)", `<p><a href="https://x.example/p.png" target="_blank" rel="noreferrer noopener">alt</a></p>`},
		"a picture without words":      {"![](https://x.example/p.png)", `<p><a href="https://x.example/p.png" target="_blank" rel="noreferrer noopener">https://x.example/p.png</a></p>`},
		"no picture of javascript":     {"![a](javascript:x)", "<p>a</p>"},
		"quotes stay in their place":   {`[a](https://x.example/"onmouseover="x)`, `<p><a href="https://x.example/%22onmouseover=%22x" target="_blank" rel="noreferrer noopener">a</a></p>`},
		"lines stay lines":             {"a\nb", "<p>a<br>\nb</p>"},
		"a heading is a small one":     {"# a", "<h4>a</h4>"},
		"the bot's name":               {"ask @Hermes", `<p>ask <span class="name">@Hermes</span></p>`},
		"a room that the reader sees":  {"to #general。", `<p>to <a class="name" href="/c/general">#general</a>。</p>`},
		"a room that is not seen":      {"to #sales", "<p>to #sales</p>"},
		"no name in code":              {"`#general`", "<p><code>#general</code></p>"},
		"Chinese emphasis":             {"**地区：**增长", "<p><strong>地区：</strong>增长</p>"},
		"Chinese emphasis, quoted":     {"他说**“好”**了", "<p>他说<strong>“好”</strong>了</p>"},
		"a star that stands alone":     {"2 * 3 = 6 * 1", "<p>2 * 3 = 6 * 1</p>"},
	}
	for name, tt := range tests {
		got := strings.TrimSpace(string(render(tt.md, sees)))
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	table := string(render("|a|b|\n|:--|--:|\n|1|2|", sees))
	if !strings.Contains(table, `<div class="scroll" tabindex="0"><table>`) || !strings.Contains(table, `<td align="right">2</td>`) || strings.Contains(table, "style=") {
		t.Errorf("table has no frame, no alignment, or a style:\n%s", table)
	}
}

// Items of a progress message are steps.
func TestSteps(t *testing.T) {
	t.Parallel()
	states := func(md string, live bool) (rest string, out []string) {
		html, list := steps(md, live, func(string) bool { return false })
		for _, s := range list {
			out = append(out, s.State+" "+strings.TrimSpace(strings.NewReplacer("<p>", "", "</p>", "").Replace(string(s.HTML))))
		}
		return strings.TrimSpace(string(html)), out
	}
	tests := map[string]struct {
		md   string
		live bool
		want []string
	}{
		"marks":                      {"On it\n- [x] a\n- ✗ b\n- → c\n- [ ] d", true, []string{"done a", "failed b", "now c", "todo d"}},
		"marks without a list":       {"On it\n✓ a: `x`\n✗ b\n▸ c", true, []string{"done a: <code>x</code>", "failed b", "now c"}},
		"no marks, at work":          {"On it\n1. a\n2. b", true, []string{"done a", "now b"}},
		"no marks, over":             {"On it\n- a\n- b", false, []string{"done a", "done b"}},
		"what was under way, is not": {"On it\n- ✅ a\n- ⏳ b", false, []string{"done a", "todo b"}},
	}
	for name, tt := range tests {
		rest, got := states(tt.md, tt.live)
		if d := cmp.Diff(tt.want, got); d != "" || rest != "<p>On it</p>" {
			t.Errorf("%s: %q (-want +got):\n%s", name, rest, d)
		}
	}
}

// Every text of the interface is there in both languages, and every one that the
// templates name is there.
func TestWords(t *testing.T) {
	t.Parallel()
	for key, w := range words {
		if w.En == "" || w.Zh == "" {
			t.Errorf("%s lacks a language: %+v", key, w)
		}
	}
	files, err := pageFiles.ReadDir("pages")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := pageFiles.ReadFile("pages/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range wordInTemplate.FindAllStringSubmatch(string(b), -1) {
			if _, ok := words[m[1]]; !ok {
				t.Errorf("%s names %q, which has no words", f.Name(), m[1])
			}
		}
	}
}

var wordInTemplate = regexp.MustCompile(`[{(]\s*tn? "([a-z0-9.]+)"`)
