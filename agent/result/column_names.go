package result

import (
	"slices"
	"strings"
	"unicode"
)

// What the name of a column says of its numbers. It is asked of every column of every
// result, so it goes by words and not by one large expression.

var (
	labelWords = []string{
		"id", "ids", "no", "nr", "num", "number", "code", "zip", "phone", "tel", "year", "month", "day", "week", "weekday", "quarter", "hour",
		"minute", "rank", "index", "idx", "position", "page", "version", "lat", "lng", "lon", "latitude", "longitude", "timestamp", "ts", "date", "time",
	}
	labelTails = []string{"Id", "ID", "No", "Code", "Year", "Month", "Date", "Time"} // after a small letter
	labelHan   = []string{"编号", "号码", "代码", "电话", "年份", "月份", "日期", "排名", "序号", "版本", "邮编", "时间"}
	labelEnds  = []string{"年", "年度", "月", "日"}

	ratioWords = []string{
		"rate", "ratio", "share", "percent", "pct", "%", "avg", "average", "mean", "median", "price", "score", "rating", "margin", "temp",
		"growth", "change", "yoy", "mom", "latency", "index", "level", "balance", "humidity", "speed",
		"率", "比", "均", "单价", "价格", "售价", "占", "温度", "湿度", "评分", "得分", "增长", "增幅", "年龄", "余额", "库存",
	}
)

// label reports whether numbers under a name only tell things apart.
func label(name string) bool {
	last := name[strings.LastIndexFunc(name, parts)+1:]
	if slices.Contains(labelWords, strings.ToLower(last)) {
		return true
	}
	for _, tail := range labelTails {
		if head, ok := strings.CutSuffix(name, tail); ok && head != "" && head[len(head)-1] >= 'a' && head[len(head)-1] <= 'z' {
			return true
		}
	}
	return contains(name, labelHan) || slices.ContainsFunc(labelEnds, func(w string) bool { return strings.HasSuffix(name, w) })
}

func parts(r rune) bool { return r == '_' || r == '.' || r == '-' || unicode.IsSpace(r) }

// ratio reports whether numbers under a name do not add up.
func ratio(name string) bool {
	name = strings.ToLower(name)
	if contains(name, ratioWords) {
		return true
	}
	for rest := name; ; {
		i := strings.IndexAny(rest, "ap")
		if i < 0 {
			return false
		}
		at := len(name) - len(rest) + i
		rest = rest[i+1:]
		if at > 0 && word(name[at-1]) {
			continue
		}
		after := name[at:]
		switch {
		case strings.HasPrefix(after, "age") && (len(after) == 3 || !word(after[3])): // of people
			return true
		case len(after) > 2 && after[0] == 'p' && digit(after[1]) && digit(after[2]): // p95
			return true
		}
	}
}

func contains(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

func word(c byte) bool { return letter(c) || digit(c) || c == '_' }

func digit(c byte) bool { return c >= '0' && c <= '9' }
