package rules

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	formatWord   = `(excel(?: files?| sheets?| 表格?)?|xlsx|xls|csv(?: files?)?|pdfs?(?: files?)?|markdown|spreadsheets?|电子表格|表格)`
	languageWord = `(english|chinese|mandarin|中文|汉语|普通话|英文|英语)`
	alwaysEn     = `(?:from now on|from here on|from today on|in (?:the )?future|going forward|always|by default|every time)`
	alwaysZh     = `(?:以后|今后|从现在起|从现在开始|从今以后|从今往后|往后|默认|每次|一直|永远)`
	always       = `(?:` + alwaysEn + `|` + alwaysZh + `)`
	bossZh       = `(?:直属|顶头)?(?:经理|老板|上级|领导|主管|上司)`
	bossEn       = `(?:manager|boss|supervisor|line manager|team lead|lead)`
	personName   = `(\p{Lu}[\p{L}.'\-]*(?: \p{Lu}[\p{L}.'\-]*){0,3}|\p{Han}{2,4}|\p{Han}{1,2}(?:总|经理|老师))`
)

// statements are the facts that people state. A pattern takes a whole part of a
// sentence; always says that it must speak of the future.
var statements = []struct {
	predicate string
	pattern   *regexp.Regexp
	always    bool
}{
	{"prefers-format", regexp.MustCompile(`(?i)^(?:` + alwaysEn + `[, ]*)*(?:i|we)(?: always| really| much| generally)*(?: like| prefer| love)(?: to (?:get|have|see|receive|use))?(?: (?:all|my|our|the|your|every))*(?: (?:reports?|files?|tables?|data|exports?|results?|figures))*(?: (?:as|in|to be|to be in))*(?: an?)? ` + formatWord + `(?: (?:reports?|files?|format|exports?|tables?|better|more|most|please|` + alwaysEn + `|(?:over|to|rather than) (?:excel|csv|xlsx|pdf|markdown|spreadsheets?)))*$`), false},
	{"prefers-format", regexp.MustCompile(`(?i)^(?:` + alwaysEn + `[, ]*)*(?:please )?(?:` + alwaysEn + `[, ]*)?(?:(?:i|we)(?:'d| would)?(?: always| only| generally)*(?: want| like| prefer| need)?|use|send|give|make|deliver|export)(?: to (?:get|have|see|receive|use))?(?: me| us)?(?: (?:all|my|our|the|your|every|everything))*(?: (?:reports?|files?|tables?|data|exports?|results?|figures))*(?: (?:as|in|to be|to be in))*(?: an?)? ` + formatWord + `(?: (?:reports?|files?|format|exports?|tables?|please|for (?:all|my|our|the)? ?(?:reports?|files?|exports?)))*(?:[, ]*` + alwaysEn + `)?(?: please)?$`), true},
	{"prefers-format", regexp.MustCompile(`(?i)^(?:` + alwaysEn + `[, ]*)?` + formatWord + `(?:[, ]*` + alwaysEn + `)?(?: please)?$`), true},
	{"prefers-format", regexp.MustCompile(`(?i)^(?:` + alwaysZh + `|[，, ]|请|都|就|我|我们|的|报告|报表|文件|数据|结果|比较|更|还是|最)*(?:喜欢|偏好|偏爱|习惯)(?:用|要|看|收)? ?` + formatWord + ` ?(?:格式|文件|的|报告|报表|吧|了)*$`), false},
	{"prefers-format", regexp.MustCompile(`(?i)^(?:i|we)(?:'d| would) rather (?:have|get|see|use) ` + formatWord + `(?: (?:reports?|files?))?$`), false},
	{"prefers-format", regexp.MustCompile(`(?i)^我(?:们)?(?:都|一直|一般|通常|平时|习惯)+用 ?` + formatWord + `(?:格式|文件|的)*$`), false},
	{"prefers-format", regexp.MustCompile(`(?i)^(?:` + always + `|[，, ]|请|把|都|就|我|我们|的|报告|报表|reports?|files?|文件|数据|结果|统一|给我|一律)*(?:要|用|想要|需要|只要|改用|使用|导出成|导出|做成|发|给|以|换成|use|want)? ?` + formatWord + ` ?(?:格式|文件|的|报告|报表|吧|就好|就行|发给我|导出|给我|好了)*$`), true},
	{"prefers-language", regexp.MustCompile(`(?i)^(?:` + always + `|[，, ]|please|请|都|就|一律)*(?:answer|reply|respond|speak|talk|write)(?: to)?(?: me| us)?(?: back)?(?: only)? in ` + languageWord + `(?:[, ]*` + alwaysEn + `)?(?: please)?$`), false},
	{"prefers-language", regexp.MustCompile(`(?i)^(?:` + alwaysEn + `[, ]*)*(?:i|we)(?:'d| would)?(?: prefer| like)(?: you to (?:answer|reply|speak)(?: me)? in)? ` + languageWord + `(?: answers| replies)?$`), false},
	{"prefers-language", regexp.MustCompile(`(?i)^(?:` + alwaysEn + `[, ]*)*(?:please )?(?:(?:i|we)(?:'d| would| always)? )?(?:prefer|want|like)(?: to (?:get|have|see))?(?: (?:all|my|your|the))*(?: (?:answers?|replies|responses?))(?: to be)? in ` + languageWord + `(?:[, ]*` + alwaysEn + `)?(?: please)?$`), false},
	{"prefers-language", regexp.MustCompile(`(?i)^(?:` + alwaysZh + `|[，, ]|请|都|就|一律|你)*(?:用|说|讲|以) ?` + languageWord + ` ?(?:来)?(?:回答|回复|答复|回|跟我说话?|和我说话?|交流|沟通|写)(?:我|我们)?(?:的?问题)?(?:吧|就好|就行)?$`), false},
	{"prefers-language", regexp.MustCompile(`(?i)^我(?:们)?(?:更|比较)?(?:喜欢|偏好|习惯)(?:用|看|说)? ?` + languageWord + `(?:回答|回复|交流)?$`), false},
	{"reports-to", regexp.MustCompile(`^(?:[Mm]y|[Oo]ur) (?:new )?` + bossEn + ` is (?:called |named |now )?` + personName + `(?: now)?$`), false},
	{"reports-to", regexp.MustCompile(`^(?:I|i|We|we)(?: now)? report(?: directly)? to ` + personName + `(?: now)?$`), false},
	{"reports-to", regexp.MustCompile(`^` + personName + ` is (?:my|our) (?:new )?` + bossEn + `(?: now)?$`), false},
	{"reports-to", regexp.MustCompile(`^我(?:们)?(?:现在)?(?:是)?(?:直接)?向 ?` + personName + ` ?汇报(?:工作)?$`), false},
	{"reports-to", regexp.MustCompile(`^我(?:们)?(?:的)?新?的?` + bossZh + `(?:现在)?(?:是|叫) ?` + personName + `$`), false},
	{"reports-to", regexp.MustCompile(`^` + personName + ` ?(?:现在)?是我(?:们)?的?(?:新)?` + bossZh + `$`), false},
}

// meanings take the rest of a sentence as what the term means.
var meanings = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^["“'「]?([\p{L}\p{N}][\p{L}\p{N}\-/&]*(?: [\p{L}\p{N}\-/&]+){0,3}?)["”'」]? (?:means|stands for|is short for|is an abbreviation (?:for|of)|refers to) (.+)$`),
	regexp.MustCompile(`(?i)^(?:by|when (?:i|we) say) ["“'「]?([\p{L}\p{N}][\p{L}\p{N}\-/& ]{0,40}?)["”'」]?,? (?:i|we) mean (.+)$`),
	regexp.MustCompile(`^["“「]?([\p{L}\p{N}][\p{L}\p{N}\-/&]{0,20}?)["”」]? ?(?:的意思就?是|是指|指的就?是|就是指|代表|意思就?是|意味着) ?(.+)$`),
	regexp.MustCompile(`^["“「]?([\p{L}\p{N}][\p{L}\p{N}\-/&]{0,20}?)["”」]? ?是 ?(.+?) ?的(?:意思|缩写|简称)$`),
	regexp.MustCompile(`^["“「]?([A-Za-z][A-Za-z0-9\-/&]{1,12})["”」]? ?(?:就是|指) ?(.+)$`),
}

var (
	iSay         = regexp.MustCompile(`^(?:当|如果)?(?:我们|我|咱们|大家)(?:平时|一般|通常)?(?:所说|说|讲|提到)(?:的)?(?:时候?)? ?`)
	plainMeaning = regexp.MustCompile(`^["“「]?([\p{L}\p{N}][\p{L}\p{N}\-/&]{0,20}?)["”」]?(?:的?时候?)?[，, ]*(?:我)?(?:就是指|就是|是指|指的是|指|意思是|的意思是) ?(.+)$`)

	notEn = regexp.MustCompile(`(?i)^(?:please |also )*(?:remember|keep in mind|bear in mind|don't forget|do not forget|note|make a note|take note|for the record)(?:,? that|:|,)? (.+)$`)
	notZh = regexp.MustCompile(`^(?:请|帮我|麻烦|你|要|也)*(?:记住|记一下|记下来?|记得|记着|备注一下|备注|牢记|别忘了|不要忘了|不要忘记)[:：,， ]*(.+)$`)
	// What follows these is to be done or told, not to be kept.
	noNote = regexp.MustCompile(`(?i)^(?:to |me\b|when |who |what |how |where |if |the last |it$|that$|this$|this:?$)`)

	listAbout = []*regexp.Regexp{
		regexp.MustCompile(`(?i)^(?:and )?(?:please )?(?:what|which (?:things|facts))(?: else)? (?:do|did|have|can) you (?:all )?(?:remember|know|learned|learnt|stored?|saved?|noted?|kept)(?: so far)?(?: (?:about|of|on) (.+?))?$`),
		regexp.MustCompile(`(?i)^(?:please )?(?:tell|show) me (?:what|everything|all) you (?:remember|know|have stored)(?: (?:about|of|on) (.+?))?$`),
		regexp.MustCompile(`(?i)^(?:please )?(?:what facts do you have|do you remember anything|do you know anything|list (?:the |your |my )?(?:facts|memories)|show (?:me )?(?:the |your |my )?(?:facts|memories|memory)|what is in your memory|what's in your memory)(?: (?:about|of|on) (.+?))?$`),
		regexp.MustCompile(`^(?:请问)?你(?:都|还|现在)*(?:记得|记住了?|知道)(?:了)?(?:关于)?(.*?)(?:的)?(?:什么|哪些|些什么)(?:事情?|信息|东西|内容)?(?:了)?$`),
		regexp.MustCompile(`^你(?:都|还|现在)*(?:记得|记住了?|知道)(?:了)?(?:哪些|什么|些什么)关于(.+?)的(?:事情?|信息|东西|内容)$`),
		regexp.MustCompile(`^关于(.+?)[,， ]*你(?:都|还|现在)*(?:记得|记住了?|知道)(?:了)?(?:些)?(?:什么|哪些)(?:事情?|信息|东西)?$`),
		regexp.MustCompile(`^(?:列出|看看|看一下|显示)?(?:你|我)的?(?:记忆|记住的(?:东西|事情?))(?:里?有(?:什么|哪些))?()$`),
	}
	listTerm = []*regexp.Regexp{
		regexp.MustCompile(`(?i)^what (?:does|do) (?:we mean by )?["“]?([\p{L}\p{N}\-/& ]{1,40}?)["”]? (?:mean|stand for)$`),
		regexp.MustCompile(`^["“]?([\p{L}\p{N}\-/&]{1,20}?)["”]? ?(?:是|的意思是|代表)?(?:什么|啥)(?:意思|的缩写)?$`),
	}
	whoBoss = regexp.MustCompile(`(?i)^(?:who (?:is|'s) (?:my|our) (` + bossEn + `)|who do (?:i|we) (report) to|what(?: is|'s) my (?:preferred )?(format|language)|我(?:们)?的?(` + bossZh + `)是谁|我向谁(汇报))$`)

	forgetLast = regexp.MustCompile(`(?i)^(?:please |no,? |oh,? )*(?:forget|delete|erase|remove) (?:that|this|that one|that fact|this fact|that note|the last (?:one|thing|fact|note)|what i (?:just )?(?:said|told you))(?: again| please)?$|^(?:请|你)*(?:忘掉|忘记|忘了|删掉)(?:这个|那个|它|这条|那条|这件事|这一条|刚才的|刚才说的|刚刚说的|刚才那条|上一条|我刚才说的)(?:话)?(?:吧|了)?$|^forget (?:刚才说的|刚才的|这个|那个)$|^(?:请)?把?(?:这个|那个|它|这条|刚才的|刚才说的|我刚才说的|上一条)(?:话)?(?:忘掉|忘记|忘了|删掉忘掉)(?:吧|了)?$`)
	forgetAll  = regexp.MustCompile(`(?i)^(?:please )?(?:forget|delete|erase|remove) (?:everything|all)(?: (?:of it|(?:that )?you (?:know|remember)|my facts|facts|about me|i told you|i said))*$|^(?:请|你)*(?:忘掉|忘记|忘了|清除|清空)(?:掉)?(?:所有|全部|一切|关于我的一切|关于我的所有|我的所有|我的全部|你记得的一切|所有记忆|记忆)(?:的)?(?:信息|内容|事情?|东西|记忆)?(?:吧)?$`)
	forgetIt   = regexp.MustCompile(`(?i)^(?:please )?(?:forget|erase) (?:about |that |the fact that )?(.+)$|^(?:请|你)*(?:忘掉|忘记) ?(.+?)(?:吧)?$`) // 忘了 is rather "I forgot"

	sentencePattern = regexp.MustCompile(`[^.!?。！？\n;；]+(?:\.[^\s.!?。！？\n;；][^.!?。！？\n;；]*)*[.!?。！？;；]*`)
	partPattern     = regexp.MustCompile(`(?i)[,，、] ?(?:and |then |also )?|\s+and\s+|并且|然后|，?并(?:把)?`)
	orderPattern    = regexp.MustCompile(`(?i)^(?:please )?(?:post|send|share|publish|summari[sz]e|show|give|export|analy[sz]e|plot|write|delete|pause|do this|发到|发送|发给|汇总|把|导出|分析|画|写一|删除|暂停|做一)`)
	leadIn          = regexp.MustCompile(`(?i)^(?:(?:btw|by the way|hey|hi|hello|ok|okay|also|and|oh|oh wait|wait|well|so|actually|thanks|great|fyi|顺便说一下|顺便|另外|对了|那|嗯|好的|你好)[,，:： ]*)+\b|^(?:顺便说一下|顺便|另外|对了|嗯|好的|你好)[,，:： ]*`)
	tailMarks       = regexp.MustCompile(`[\s.,!;:。，！；：]+$`)
)

// memoryWords are words of which every part that is for the memory has one, so
// that all other sentences are passed over at once. With one of openWords people
// may say what has commas in it.
var (
	openWords   = strings.Fields("remember mind forget note record mean stand short abbrev refer 记 忘 备注 意思 指 代表 就是 缩写 简称 意味")
	memoryWords = slices.Concat(openWords, strings.Fields("format language know learn store saved memor fact manager boss supervisor lead report english chinese mandarin excel xls csv pdf markdown spreadsheet "+
		"everything erase last 知道 中文 汉语 英文 英语 普通话 表格 汇报 经理 老板 上级 领导 主管 上司 什么 啥 清除 清空 删掉 delete remove"))
)

// memory takes what is for the memory out of a text: it returns the text with
// those parts blank, so that places in it stay what they were, and the calls.
// What people want remembered is theirs to word, so it is read by patterns over
// whole sentences and not by the lexicon.
func (c reader) memory(text string) (string, []op) {
	if len(text) > 2000 {
		return text, nil
	}
	var ops []op
	rest := []byte(text)
	for _, s := range sentencePattern.FindAllStringIndex(text, -1) {
		sentence := strings.ToLower(text[s[0]:s[1]])
		if !slices.ContainsFunc(memoryWords, func(w string) bool { return strings.Contains(sentence, w) }) {
			continue
		}
		long := slices.ContainsFunc(openWords, func(w string) bool { return strings.Contains(sentence, w) })
		starts := []int{s[0]}
		ends := []int{}
		for _, m := range partPattern.FindAllStringIndex(text[s[0]:s[1]], -1) {
			ends = append(ends, s[0]+m[0])
			starts = append(starts, s[0]+m[1])
		}
		ends = append(ends, s[1])
		for i := 0; i < len(starts); i++ {
			// A longer part first: a list of names, a comma in a meaning.
			most := 1 // "from now on, I want CSV"
			if long {
				most = 12
			}
			for j := min(len(starts)-1, i+most); j >= i; j-- {
				led := j == i+1 && onlyAlways.MatchString(strings.TrimSpace(text[starts[i]:ends[i]])) // "from now on, send me PDF"
				if i < j && !led && orders(text, starts[i+1:j+1], ends[i+1:j+1]) {
					continue
				}
				o, ok := c.statement(text[starts[i]:ends[j]])
				if !ok {
					continue
				}
				ops = append(ops, o)
				for k := starts[i]; k < ends[j]; k++ {
					rest[k] = ' '
				}
				if i > 0 && blank(rest[s[0]:starts[i]]) {
					for k := s[0]; k < starts[i]; k++ {
						rest[k] = ' '
					}
				}
				i = j
				break
			}
		}
	}
	return string(rest), ops
}

func blank(b []byte) bool { return strings.Trim(string(b), " ,，、") == "" }

// orders says whether one of the parts is an order for itself, which must not
// vanish in a note.
func orders(text string, starts, ends []int) bool {
	for i := range starts {
		if part := text[starts[i]:ends[i]]; orderPattern.MatchString(strings.TrimSpace(part)) {
			return true
		}
	}
	return false
}

// statement reads one part of a sentence.
func (c reader) statement(said string) (op, bool) {
	said = strings.TrimSpace(said)
	asked := strings.HasSuffix(said, "?") || strings.HasSuffix(said, "？")
	s := tailMarks.ReplaceAllString(strings.Trim(said, " ?？"), "")
	s = strings.Join(strings.Fields(strings.ReplaceAll(s, "’", "'")), " ")
	s = leadIn.ReplaceAllString(s, "")
	bare := strings.TrimSuffix(strings.TrimSuffix(s, "吗"), "呢")
	if s == "" || len(s) > 600 {
		return op{}, false
	}
	if o, ok := askMemory(bare); ok {
		return o, true
	}
	if asked {
		return op{}, false
	}
	switch {
	case forgetLast.MatchString(s):
		return op{"memory_forget", map[string]any{"what": "last"}}, true
	case forgetAll.MatchString(s):
		return op{"memory_forget", map[string]any{"what": "all"}}, true
	}
	if m := forgetIt.FindStringSubmatch(s); m != nil && !strings.EqualFold(m[1], "it") && !noNote.MatchString(m[1]) {
		return op{"memory_forget", map[string]any{"what": strings.TrimPrefix(m[1]+m[2], "my ")}}, true
	}
	if m := first(notEn, s); m != "" {
		return c.note(m, said)
	}
	if m := first(notZh, s); m != "" {
		return c.note(m, said)
	}
	return fact(s, said)
}

func first(re *regexp.Regexp, s string) string {
	if m := re.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

var onlyAlways = regexp.MustCompile(`(?i)^` + always + `$`)

var alwaysPattern = regexp.MustCompile(`(?i)` + alwaysEn + `|` + alwaysZh)

// fact reads a statement that has a form of its own.
func fact(s, said string) (op, bool) {
	for _, st := range statements {
		m := st.pattern.FindStringSubmatch(s)
		if m == nil || st.always && !alwaysPattern.MatchString(s) {
			continue
		}
		object := m[1]
		switch st.predicate {
		case "prefers-format":
			object = "xlsx"
			for _, name := range []string{"csv", "pdf", "markdown"} {
				if strings.HasPrefix(strings.ToLower(m[1]), name) {
					object = name
				}
			}
		case "prefers-language":
			object = "zh"
			switch strings.ToLower(m[1]) {
			case "english", "英文", "英语":
				object = "en"
			}
		case "reports-to":
			if first, _ := utf8.DecodeRuneInString(object); strings.ContainsRune("谁不没哪", first) {
				return op{}, false // a question, or a no
			}
		}
		return remember(ownerOf(s), st.predicate, object, said), true
	}
	for i, re := range append([]*regexp.Regexp{plainMeaning}, meanings...) {
		term := iSay.ReplaceAllString(s, "")
		if i == 0 && term == s {
			continue // "sales is high" gives no word a meaning; "what I call X is Y" does
		}
		m := re.FindStringSubmatch(term)
		if m == nil || pronouns[strings.ToLower(m[1])] {
			continue
		}
		return remember(m[1], "means", strings.Trim(m[2], ` "“”「」`), said), true
	}
	return op{}, false
}

// pronouns are no terms that one could give a meaning to.
var pronouns = map[string]bool{"it": true, "this": true, "that": true, "which": true, "what": true, "he": true, "she": true, "they": true, "这": true, "那": true, "它": true, "这个": true, "那个": true, "什么": true}

// note keeps what has no form of its own, unless it is an order in disguise.
func (c reader) note(what, said string) (op, bool) {
	what = strings.TrimSpace(what)
	if what == "" || noNote.MatchString(what) {
		return op{}, false
	}
	if o, ok := fact(what, said); ok {
		return o, true
	}
	if m := plainMeaning.FindStringSubmatch(what); m != nil && !pronouns[strings.ToLower(m[1])] && !ofSomebody.MatchString(m[1]) {
		return remember(m[1], "means", strings.Trim(m[2], ` "“”「」`), said), true
	}
	order := clause{tokens: c.scan(what, nil)}
	if order.has(send, channel) && order.has(channel, pronoun) {
		return op{}, false
	}
	return remember(ownerOf(what), "note", what, said), true
}

// ofSomebody begins what is no term: who says 我们的财年就是… states a fact.
var ofSomebody = regexp.MustCompile(`^(?:我|你|您|他|她|它|咱|这|那|公司|团队)`)

func remember(subject, predicate, object, said string) op {
	return op{"remember", map[string]any{"subject": subject, "predicate": predicate, "object": object, "text": said}}
}

var teamWords = regexp.MustCompile(`(?i)\b(?:we|our|us|the team|the company|everybody|everyone)\b|我们|咱们|团队|公司|大家`)

// ownerOf says whom a statement is about.
func ownerOf(s string) string {
	if teamWords.MatchString(s) {
		return "team"
	}
	return "me"
}

// askMemory reads questions for what is remembered.
func askMemory(s string) (op, bool) {
	for _, re := range listAbout {
		if m := re.FindStringSubmatch(s); m != nil {
			return listOp(m[1])
		}
	}
	if m := whoBoss.FindStringSubmatch(s); m != nil {
		return op{"memory_list", map[string]any{"about": "me", "query": strings.Join(m[1:], "")}}, true
	}
	for _, re := range listTerm {
		if m := re.FindStringSubmatch(s); m != nil && !pronouns[strings.ToLower(m[1])] {
			if !ascii(m[1]) && !strings.Contains(s, "意思") {
				continue
			}
			return op{"memory_list", map[string]any{"about": "all", "query": m[1]}}, true
		}
	}
	return op{}, false
}

func listOp(about string) (op, bool) {
	switch strings.ToLower(strings.TrimSpace(about)) {
	case "":
		return op{"memory_list", map[string]any{"about": "all"}}, true
	case "me", "myself", "my preferences", "me so far", "我", "我的", "我的事", "我的偏好":
		return op{"memory_list", map[string]any{"about": "me"}}, true
	case "us", "here", "this channel", "this place", "this team", "the team", "our team", "我们", "这里", "这个频道", "本频道", "团队", "我们团队":
		return op{"memory_list", map[string]any{"about": "here"}}, true
	}
	return op{"memory_list", map[string]any{"about": "all", "query": strings.TrimSpace(about)}}, true
}
