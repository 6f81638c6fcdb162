package memory

import (
	"cmp"
	"fmt"
	"time"

	"hermes/agent/tool"
	"hermes/memory"
)

// words are what the tools say in one language.
type words struct {
	kept, knew, once, queued           string
	conflict                           string
	keepOld, takeNew, keepBoth         string
	oldHolds, newHolds, bothHold       string
	unclear, forgotten                 string
	nothing, notFound, which           string
	allOfThese, noneOfThese            string
	confirmAll, forgetAll, keepAll     string
	keptAll, gone                      string
	withheld, more                     string
	on, link, quote, day, comma        string
	format, language, boss, means      string
	likes, you, team                   string
	teamFormat, teamLanguage, someBoss string
	objects                            map[string]string
	kinds                              map[string]string // of predicates, over a diff
	fact, here, private                string
	willKeep, willForget, unlisted     string
}

var english = words{
	once: "I do so in this conversation and keep nothing of it.", queued: "It cannot be written just now and will be remembered soon: %s",
	kept:       "Remembered: %s (id %s)",
	knew:       "I knew that already: %s (id %s)",
	conflict:   "%s: %s\n%s: %s\nWhich one holds? Until you say, I use the newer one (%s).",
	keepOld:    "Keep %s",
	takeNew:    "Use %s from now on",
	keepBoth:   "Keep both",
	oldHolds:   "Settled: %s holds; %s is kept as history.",
	newHolds:   "Settled: %s holds from now on; %s is kept as history.",
	bothHold:   "Settled: both hold, %s and %s.",
	unclear:    "It is not clear which of the two the person means. Both are kept, and the newer one is used until they say.",
	forgotten:  "One of the two has been forgotten meanwhile, so there is nothing left to settle.",
	nothing:    "There is nothing remembered about you that could be forgotten here.",
	notFound:   "Nothing that is remembered about you fits “%s”.",
	which:      "Which of these should I forget? It cannot be undone.",
	allOfThese: "All of these", noneOfThese: "None",
	confirmAll: "Forget all that I remember about you (facts: %d)? It cannot be undone.",
	forgetAll:  "Forget everything", keepAll: "Keep it",
	keptAll: "Nothing was forgotten.", gone: "Forgotten (facts: %d).",
	withheld: "Private facts about you that I do not read out here: %d. Ask me in a direct message.",
	more:     "And %d more. Ask with a word to narrow it down.",
	on:       "On %s you said", link: " (%s)", quote: "“%s”", day: "2 January 2006", comma: ", ",
	format: "you prefer %s", language: "you prefer %s", boss: "you report to %s", means: "%s means %s",
	likes: "you like %s", you: "you", team: "the team",
	teamFormat: "%s prefers %s", teamLanguage: "%s prefers %s", someBoss: "%s reports to %s",
	kinds: map[string]string{
		memory.PrefersFormat: "Preferred format", memory.PrefersLanguage: "Preferred language", memory.ReportsTo: "Reports to", memory.Means: "Meaning", memory.Likes: "Likes",
	},
	fact: "Remembered", here: "said here", private: "something that you have told me in private",
	willKeep: "Remember: %s", willForget: "Forget: %s", unlisted: "Not listed below: %d.",
	objects: map[string]string{
		"xlsx": "Excel (XLSX)", "csv": "CSV", "pdf": "PDF", "markdown": "Markdown", "json": "JSON", "html": "HTML",
		"docx": "Word (DOCX)", "pptx": "PowerPoint (PPTX)", "png": "PNG",
		"en": "English", "zh": "Chinese", "zh-hant": "traditional Chinese", "ja": "Japanese", "ko": "Korean",
		"de": "German", "fr": "French", "es": "Spanish",
	},
}

var chinese = words{
	once: "好的，只在这次对话里这样做，不会记下来。", queued: "暂时写不进去，稍后会记住：%s",
	kept:       "已记住：%s（编号 %s）",
	knew:       "这一点我已经知道：%s（编号 %s）",
	conflict:   "%s：%s\n%s：%s\n以哪个为准？在您确认之前，我先按较新的（%s）来。",
	keepOld:    "保留%s",
	takeNew:    "以后用%s",
	keepBoth:   "两个都保留",
	oldHolds:   "已确定：以%s为准，%s留作历史记录。",
	newHolds:   "已确定：以后以%s为准，%s留作历史记录。",
	bothHold:   "已确定：%s和%s都保留。",
	unclear:    "不清楚对方指的是哪一个。两个都先保留，在说明之前按较新的来。",
	forgotten:  "其中一条已被忘记，不需要再确认了。",
	nothing:    "这里没有可以忘记的、关于您的记录。",
	notFound:   "关于您的记录里没有和“%s”相符的。",
	which:      "要忘记哪一条？忘记后无法恢复。",
	allOfThese: "这些全部", noneOfThese: "都不忘",
	confirmAll: "要忘记我记住的所有关于您的内容吗（共 %d 条）？忘记后无法恢复。",
	forgetAll:  "全部忘记", keepAll: "保留",
	keptAll: "没有忘记任何内容。", gone: "已忘记 %d 条。",
	withheld: "还有 %d 条只对您本人可见的记录，不在这里念出来，请私信问我。",
	more:     "另外还有 %d 条，加个关键词可以缩小范围。",
	on:       "您在%s说过", link: "（%s）", quote: "“%s”", day: "2006年1月2日", comma: "，",
	format: "您喜欢%s格式", language: "您喜欢用%s", boss: "您的上级是%s", means: "%s的意思是%s",
	likes: "您喜欢%s", you: "您", team: "团队",
	teamFormat: "%s喜欢%s格式", teamLanguage: "%s喜欢用%s", someBoss: "%s的上级是%s",
	kinds: map[string]string{
		memory.PrefersFormat: "偏好的格式", memory.PrefersLanguage: "偏好的语言", memory.ReportsTo: "上级", memory.Means: "含义", memory.Likes: "喜好",
	},
	fact: "记忆", here: "在这里说的", private: "您私下告诉我的内容",
	willKeep: "记住：%s", willForget: "忘记：%s", unlisted: "其中 %d 条没有列在下面。",
	objects: map[string]string{
		"xlsx": "Excel（XLSX）", "csv": "CSV", "pdf": "PDF", "markdown": "Markdown", "json": "JSON", "html": "HTML",
		"docx": "Word（DOCX）", "pptx": "PowerPoint（PPTX）", "png": "PNG",
		"en": "英文", "zh": "中文", "zh-hant": "繁体中文", "ja": "日文", "ko": "韩文", "de": "德文", "fr": "法文", "es": "西班牙文",
	},
}

// wordsIn returns the words of a language of Call.Lang.
func wordsIn(lang string) words {
	if lang == "zh" {
		return chinese
	}
	return english
}

// object says what a fact's object is, by its common name if it has one.
func (w words) object(f memory.Fact) string {
	switch f.Predicate {
	case memory.PrefersFormat, memory.PrefersLanguage:
		return cmp.Or(w.objects[f.Object], f.Object)
	}
	return f.Object
}

// kindOf is what a fact is about, over what becomes of it.
func (w words) kindOf(predicate string) string { return cmp.Or(w.kinds[predicate], w.fact) }

// heard is what a fact's object is where v is: nothing of what was said in private.
func (w words) heard(f memory.Fact, c tool.Call, v memory.Viewer) string {
	if !v.MayHear(f) && f.Place != c.Home {
		return w.private
	}
	return w.object(f)
}

// from says when and where a fact was said.
func (w words) from(f memory.Fact, c tool.Call) string {
	switch {
	case f.Source == c.Run:
		return w.date(f.Said, c) + w.comma + w.here
	case f.Link != "":
		return w.date(f.Said, c) + w.comma + f.Link
	}
	return w.date(f.Said, c)
}

// erased is what becomes of a fact that is forgotten.
func (w words) erased(f memory.Fact, c tool.Call) tool.Diff {
	return tool.Diff{What: w.kindOf(f.Predicate), Was: w.say(f, c.Asker), WasFrom: w.from(f, c)}
}

// say says a fact as a sentence to the person who asks.
func (w words) say(f memory.Fact, asker string) string {
	o := w.object(f)
	self := f.Subject == asker
	subject := f.Subject
	if subject == teamOf(asker) {
		subject = w.team
	}
	switch f.Predicate {
	case memory.PrefersFormat:
		if self {
			return fmt.Sprintf(w.format, o)
		}
		return fmt.Sprintf(w.teamFormat, subject, o)
	case memory.PrefersLanguage:
		if self {
			return fmt.Sprintf(w.language, o)
		}
		return fmt.Sprintf(w.teamLanguage, subject, o)
	case memory.ReportsTo:
		if self {
			return fmt.Sprintf(w.boss, o)
		}
		return fmt.Sprintf(w.someBoss, subject, o)
	case memory.Means:
		return fmt.Sprintf(w.means, subject, o)
	case memory.Likes:
		if self {
			return fmt.Sprintf(w.likes, o)
		}
	}
	return o
}

// words returns the words in which a fact was said, in quotes, or else what it
// says.
func (w words) words(f memory.Fact, asker string) string {
	if f.Text == "" {
		return w.say(f, asker)
	}
	return fmt.Sprintf(w.quote, f.Text)
}

// said says when, and if known where, a fact was said.
func (w words) said(f memory.Fact, c tool.Call) string {
	s := fmt.Sprintf(w.on, w.date(f.Said, c))
	if f.Link != "" {
		s += fmt.Sprintf(w.link, f.Link)
	}
	return s
}

// date says a day in the Call's zone.
func (w words) date(t time.Time, c tool.Call) string {
	return t.In(zoneOf(c)).Format(w.day)
}

func zoneOf(c tool.Call) *time.Location {
	if zone, err := time.LoadLocation(c.Zone); err == nil && c.Zone != "" {
		return zone
	}
	return c.Now.Location()
}

func (w words) line(f memory.Fact, c tool.Call, used bool) Line {
	l := Line{
		ID: f.ID, Text: w.say(f, c.Asker), Said: f.Said.In(zoneOf(c)).Format(time.DateOnly),
		Source: f.Link, Status: string(f.Status), InUse: used,
	}
	if f.Text != "" && f.Text != f.Object {
		l.Text += " — " + fmt.Sprintf(w.quote, f.Text)
	}
	if f.By != c.Asker {
		l.By = f.By
	}
	return l
}

// short cuts s to what a button shows.
func short(s string) string {
	r := []rune(s)
	if len(r) <= 40 {
		return s
	}
	return string(r[:39]) + "…"
}
