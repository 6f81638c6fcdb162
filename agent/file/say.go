package file

import (
	"fmt"
	"strconv"
	"strings"

	"hermes/agent/run"
)

// Say tells a person what a file is and what its figures come to, in Markdown and in
// "en" or "zh". It is made by rule of what was read, and interprets nothing. Of a
// file that was not read it says why.
func Say(f run.File, lang string) string {
	w := &english
	if lang == "zh" {
		w = &chinese
	}
	name := "**" + strings.Join(strings.FieldsFunc(f.Name, func(r rune) bool { return strings.ContainsRune("*`\n_[]", r) }), " ") + "**"
	if f.Why != "" {
		text := fmt.Sprintf(w.unread[f.Why], name)
		if f.Why == run.NoText {
			text = fmt.Sprintf(w.unread[f.Why], name, w.count(f.Pages, "page"))
		}
		return text
	}
	var lines []string
	switch f.Sort {
	case run.Image:
		if f.Width == 0 {
			return fmt.Sprintf(w.picture, name)
		}
		return fmt.Sprintf(w.image, name, f.Width, f.Height)
	case run.Rows:
		lines = append(lines, w.rows(name, f.Tables[0]))
		lines = append(lines, w.columns(f.Tables[0], "- ")...)
	case run.Workbook:
		lines = append(lines, fmt.Sprintf(w.workbook, name, w.count(len(f.Tables), "sheet")))
		for _, s := range f.Tables {
			lines = append(lines, "- "+w.rows("*"+s.Name+"*", s))
			lines = append(lines, w.columns(s, "  - ")...)
		}
	default:
		lines = append(lines, w.document(name, f))
	}
	if f.Left > 0 {
		lines = append(lines, fmt.Sprintf(w.left, thousands(int(f.Left/1000)+1)))
	}
	for _, s := range f.Tables {
		if s.Unkept > 0 {
			lines = append(lines, fmt.Sprintf(w.unkept, thousands(s.Unkept), thousands(s.Rows)))
		}
	}
	return strings.Join(lines, "\n")
}

func thousands(n int) string { return grouped(strconv.Itoa(n)) }

// count is a number with what is counted, where the language wants that said.
func (w *wording) count(n int, noun string) string {
	switch {
	case !w.counts:
		return thousands(n)
	case n == 1:
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// A wording is what Say says in one language.
type wording struct {
	unread                        map[run.Unread]string
	image, picture, workbook      string
	table, more, ragged           string
	list                          string // between things
	sum, span, odd, days          string
	distinct, named, empty        string
	sorts                         map[run.Sort]string
	counts                        bool // numbers are said with what they count
	text, pages, title            string
	headings, begins, left, wider string
	unkept                        string
}

// mostSaid is how many columns are gone into.
const mostSaid = 12

func (w *wording) rows(name string, s run.Sheet) string {
	var names []string
	for i, c := range s.Columns {
		if i == mostSaid {
			names = append(names, "…")
			break
		}
		names = append(names, c.Name)
	}
	text := fmt.Sprintf(w.table, name, w.count(s.Rows, "row"), w.count(len(s.Columns), "column"), strings.Join(names, w.list))
	if s.More {
		text += w.more
	}
	if s.Ragged > 0 {
		text += fmt.Sprintf(w.ragged, w.count(s.Ragged, "line"))
	}
	return text
}

func (w *wording) columns(s run.Sheet, indent string) []string {
	var lines []string
	for i, c := range s.Columns {
		if i == mostSaid {
			lines = append(lines, indent+fmt.Sprintf(w.wider, w.count(len(s.Columns)-mostSaid, "column")))
			break
		}
		text := ""
		switch {
		case c.Filled == 0:
			text = w.empty
		case c.Mean != "":
			if c.Sum != "" {
				text = fmt.Sprintf(w.sum, c.Sum)
			}
			text += fmt.Sprintf(w.span, c.Mean, c.Min, c.Max)
			if c.Unit != "" {
				text += " (" + c.Unit + ")"
			}
			if c.Odd > 0 {
				text += fmt.Sprintf(w.odd, w.count(c.Odd, "cell"))
			}
		case c.From != "":
			text = fmt.Sprintf(w.days, c.From, c.To)
		case len(c.Values) > 0:
			text = fmt.Sprintf(w.named, w.count(c.Distinct, "value"), strings.Join(c.Values, w.list))
		default:
			text = fmt.Sprintf(w.distinct, w.count(c.Distinct, "value"))
		}
		lines = append(lines, indent+c.Name+": "+text)
	}
	return lines
}

func (w *wording) document(name string, f run.File) string {
	text := fmt.Sprintf(w.text, name, w.sorts[f.Sort], w.count(f.Chars, "character"), w.count(f.Lines, "line"))
	if f.Pages > 0 {
		text = fmt.Sprintf(w.pages, name, w.count(f.Pages, "page"), w.count(f.Chars, "character"))
	}
	if f.Title != "" {
		text += "\n- " + fmt.Sprintf(w.title, f.Title)
	}
	if len(f.Headings) > 0 {
		text += "\n- " + fmt.Sprintf(w.headings, strings.Join(f.Headings, w.list))
	}
	if f.First != "" {
		text += "\n- " + fmt.Sprintf(w.begins, f.First)
	}
	return text
}

var english = wording{
	counts: true,
	unread: map[run.Unread]string{
		run.TooLarge:   "I did not read %s: it is larger than the 20 MB that I read of a file.",
		run.TooMany:    "I did not read %s: I read the first five files of a message.",
		run.NoAccess:   "I could not read %s: I am not allowed to fetch files here; an operator can add that permission (files:read).",
		run.Unfetched:  "I could not read %s: it could not be fetched. Please attach it again.",
		run.SignIn:     "I could not read %s: in its place came a page to sign in, so I may not fetch files here; an operator should look.",
		run.EmptyFile:  "There is nothing in %s.",
		run.Locked:     "I could not read %s: it has a password. Please attach it without one.",
		run.NoText:     "I could not read %s: it is a PDF of %s without a text layer, as scans are, and I do not read pictures.",
		run.Damaged:    "I could not read %s: the file is damaged or not what it seems to be.",
		run.TooSlow:    "I gave up reading %s: it is built so that reading it does not come to an end in reasonable time. Please save or export it anew and attach that.",
		run.UnreadSort: "I did not read %s: I read text, tables, XLSX and PDF, and it is none of these.",
	},
	image:    "%s: an image of %d × %d pixels. What it shows I do not guess.",
	picture:  "%s: an image. What it shows I do not guess.",
	workbook: "%s: a workbook with %s.",
	table:    "%s: a table of %s and %s: %s.",
	more:     " There are more rows, which I did not look at.",
	ragged:   " Not of the same number of cells: %s.",
	list:     ", ",
	sum:      "sum %s, ", span: "mean %s, from %s to %s",
	odd:  "; no numbers: %s",
	days: "days from %s to %s", distinct: "%s that differ", named: "%s: %s", empty: "empty",
	sorts: map[run.Sort]string{
		run.PlainText: "a text", run.Markdown: "a Markdown text", run.JSON: "JSON", run.Code: "code", run.Page: "a web page",
	},
	text:  "%s: %s of %s in %s.",
	pages: "%s: a PDF of %s with %s of text.",
	title: "Title: %s", headings: "Headings: %s", begins: "It begins: “%s”",
	left:   "I keep the first 1 MB of its text; %s kB more are not read.",
	wider:  "… and %s more",
	unkept: "%s of its %s rows are counted above but are too many to look up later.",
}

var chinese = wording{
	unread: map[run.Unread]string{
		run.TooLarge:   "%s 没有读：超过了我能读的 20 MB。",
		run.TooMany:    "%s 没有读：一条消息我只读前五个文件。",
		run.NoAccess:   "%s 读不了：我在这里没有取文件的权限，管理员可以加上（files:read）。",
		run.Unfetched:  "%s 读不了：没有取到文件，请重新上传。",
		run.SignIn:     "%s 读不了：取到的是一个登录页面，说明我在这里没有取文件的权限，需要管理员看一下。",
		run.EmptyFile:  "%s 里什么都没有。",
		run.Locked:     "%s 读不了：它有密码，请去掉密码后重新上传。",
		run.NoText:     "%s 读不了：这是一个 %s 页的 PDF，没有文字层（像是扫描件），图片我不会读。",
		run.Damaged:    "%s 读不了：文件已损坏，或者不是它看上去的那种文件。",
		run.TooSlow:    "%s 没有读完：它的内部结构让读取在合理的时间内结束不了。请重新另存或导出后再上传。",
		run.UnreadSort: "%s 没有读：我能读文本、表格、XLSX 和 PDF，它都不是。",
	},
	image:    "%s：一张 %d × %d 像素的图片。图里是什么我不猜。",
	picture:  "%s：一张图片。图里是什么我不猜。",
	workbook: "%s：一个有 %s 张工作表的工作簿。",
	table:    "%s：一张 %s 行、%s 列的表：%s。",
	more:     "后面还有行，我没有看。",
	ragged:   "有 %s 行的格数不一样。",
	list:     "、",
	sum:      "合计 %s，", span: "平均 %s，从 %s 到 %s",
	odd:  "；有 %s 格不是数字",
	days: "日期从 %s 到 %s", distinct: "%s 个不同的值", named: "%s 个不同的值：%s", empty: "空的",
	sorts: map[run.Sort]string{
		run.PlainText: "一份文本", run.Markdown: "一份 Markdown 文本", run.JSON: "一份 JSON", run.Code: "一份代码", run.Page: "一个网页",
	},
	text:  "%s：%s，%s 个字符，%s 行。",
	pages: "%s：一个 %s 页的 PDF，有 %s 个字符的文字。",
	title: "标题：%s", headings: "小标题：%s", begins: "开头是：“%s”",
	left:   "我只保留前 1 MB 的文字，后面还有 %s kB 没有读。",
	wider:  "……还有 %s 列",
	unkept: "其中 %s 行（共 %s 行）上面统计了，但太多了，以后不能逐行查看。",
}
