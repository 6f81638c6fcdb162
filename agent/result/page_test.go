package result_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"hermes/agent/result"
)

// RES-08 Of a web page the title and the first 2,000 characters stay, whatever
// their size in bytes.
func TestRES08Page(t *testing.T) {
	for _, word := range []string{"word ", "数据表格。", "naïve 👩‍👩‍👧 "} {
		in := input("web_fetch", "<!doctype html><html><head><title>About "+word+"</title></head><body><p>"+strings.Repeat(word, 5000)+"</p></body></html>")
		out := read(t, in, result.Config{LargeBytes: 20000})
		title, rest, _ := strings.Cut(out.Brief, "\n")
		rest, mark, _ := strings.Cut(rest, "⟦")
		if n := utf8.RuneCountInString(strings.TrimSuffix(rest, "\n")); n > 2000 || n < 1980 {
			t.Errorf("%q: %d characters", word, n)
		}
		if !strings.HasPrefix(title, "About ") || !strings.Contains(mark, "characters of the page") || out.Complete || !out.Keep {
			t.Errorf("%q: title %q, mark %q", word, title, mark)
		}
	}
	in := input("web_fetch", `{"url":"https://a","title":"T","text":"`+strings.Repeat(`short\n`, 1000)+`"}`)
	if out := read(t, in, result.Config{}); !strings.Contains(out.Brief, "of 6000 characters") || strings.Count(out.Brief, "short") < 300 {
		t.Errorf("a page as JSON: %.300s", out.Brief)
	}
}

// RES-18 Scripts, styles, menus and advertising are not read; what people read is.
func TestRES18Page(t *testing.T) {
	for name, tt := range map[string]struct{ html, want string }{
		"script and style":     {`<div><style>p{}</style>a<script>var b = "<p>c</p>";</script> d</div>`, "a d"},
		"menu and footer":      {`<body><nav><ul><li>Home</li></ul></nav><p>text</p><footer>terms</footer></body>`, "text"},
		"advertising":          {`<div><div class="x ad-slot"><div>BUY</div> NOW</div><p id="sponsored">y</p><p>text</p></div>`, "text"},
		"words like it":        {`<div class="address has-ads adapter"><p class="add">text</p></div>`, "text"},
		"hidden":               {`<div>a<span hidden>b</span><i aria-hidden="true">c</i><b style="display: none">d</b> e</div>`, "a e"},
		"a table":              {`<table><tr><th>a<th>b<tr><td>1</td><td>2</td></tr></table>`, "a | b\n1 | 2"},
		"a list":               {`<ul><li>one<li>two</ul>`, "- one\n- two"},
		"lines":                {`<div>a<br>b<p>c<p>d</div>`, "a\nb\nc\nd"},
		"entities once":        {`<p>a &amp;lt; b &gt; &#25968;</p>`, "a &lt; b > 数"},
		"powers":               {`<p>10<sup>2</sup> H<sub>2</sub>O</p>`, "10^2 H_2O"},
		"code":                 {"<div><pre>if x:\n    <b>y</b>\n1\n<i>2</i></pre></div>", "if x:\n    y\n1\n2"},
		"a tag left open":      {`<div><nav>all of it`, "all of it"},
		"a list item left out": {`<ul><li class="promo">x<li>y</ul>`, "- y"},
		"a body with a class":  {`<html><body class="ads popup"><p>text</p></body></html>`, "text"},
		"comments":             {`<!-- x --><div>a<!-- b -->c</div>`, "ac"},
		"a title in a picture": {`<div><svg><title>no</title></svg>text</div>`, "text"},
	} {
		t.Run(name, func(t *testing.T) {
			in := input("web_fetch", tt.html)
			if out := read(t, in, result.Config{}); out.Brief != tt.want {
				t.Errorf("read %q, want %q", out.Brief, tt.want)
			}
		})
	}
	in := input("look", "<xml><a>1</a></xml>")
	if out := read(t, in, result.Config{}); out.Brief != "" {
		t.Errorf("XML is read as a page: %q", out.Brief)
	}
	in = input("look", `{"html":"<html><title>T</title><body><script>x</script><p>text</p></body></html>"}`)
	if out := read(t, in, result.Config{}); out.Brief != `{"html":"T\ntext"}` {
		t.Errorf("a page within JSON: %s", out.Brief)
	}
}
