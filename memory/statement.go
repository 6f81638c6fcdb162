package memory

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A Statement is a sentence read as "the R of S is O": Key is all of it but O, in
// one form. Two Statements of one Key with different Objects cannot both hold now,
// unless Many is set: a person may have two children.
type Statement struct {
	Key, Object string
	Many        bool
}

// ReadStatement reads a text that is one sentence in English or Chinese and says
// how something is. Anything else (several sentences, questions, events, plans) is
// not a Statement, and never replaces another text: better two notes than one too
// few.
func ReadStatement(text string) (Statement, bool) {
	s := strings.Join(strings.Fields(text), " ")
	s = strings.TrimRight(s, "!！。 ")
	if !strings.HasSuffix(s, "..") || strings.HasSuffix(s, "...") {
		s = strings.TrimRight(s, ".")
	} else {
		s = strings.TrimSuffix(s, ".") // "… is Washington, D.C.."
	}
	if s == "" || len(s) > 300 || strings.ContainsAny(s, "?？;；\n") || several(s) {
		return Statement{}, false
	}
	for _, read := range []func(string) (Statement, bool){readChinese, readEnglish} {
		if st, ok := read(s); ok && fold(st.Object) != "" && st.Key != "" {
			return st, true
		}
	}
	return Statement{}, false
}

// sentenceEnd finds an end of a sentence within a text: a full stop behind a word
// of at least three small letters, before a capital.
var sentenceEnd = regexp.MustCompile(`\p{Ll}{3,}[.!] \p{Lu}|[。！]`)

func several(s string) bool {
	return (strings.Contains(s, ". ") || strings.Contains(s, "! ") || strings.ContainsAny(s, "。！")) && sentenceEnd.MatchString(s)
}

// A sieve is a pattern of many words, which is not tried on a text that has no word
// that begins like one of them: a long alternative costs a hundred times that look.
type sieve struct {
	*regexp.Regexp
	heads map[string]bool
	word  *regexp.Regexp // one of the words, at the start
	han   *regexp.Regexp // words of Han characters, nil if there are none
}

// sieveOf compiles a pattern whose every match has a word of words, alternatives of
// which each begins with a letter, or a word of han.
func sieveOf(before, words, after, han string) sieve {
	s := sieve{regexp.MustCompile(before + words + after), map[string]bool{}, regexp.MustCompile(`(?i)^(?:` + words + `)\b`), nil}
	if han != "" {
		s.han = regexp.MustCompile(han)
	}
	depth, start := 0, 0
	head := func(alternative string) {
		end := strings.IndexFunc(alternative, func(r rune) bool { return r < 'a' || r > 'z' })
		if end < 0 {
			end = len(alternative)
		} else if strings.ContainsRune("?*", rune(alternative[end])) {
			end-- // its last letter may be missing
		}
		s.heads[alternative[:end]] = true
	}
	for i, r := range words {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case '|':
			if depth == 0 {
				head(words[start:i])
				start = i + 1
			}
		}
	}
	head(words[start:])
	return s
}

// may returns where a word stands that begins like one of the words, behind from; -1 if
// there is none.
func (s sieve) may(text string, from int) int {
	within := false
	for i := from; i < len(text); i++ {
		c := text[i] | 0x20
		letter := c >= 'a' && c <= 'z'
		if letter && !within && s.begins(text[i:]) {
			return i
		}
		within = letter
	}
	return -1
}

func (s sieve) begins(text string) bool {
	var buf [16]byte
	for i := range min(len(text), len(buf)) {
		c := text[i] | 0x20
		if c < 'a' || c > 'z' {
			return false
		}
		buf[i] = c
		if s.heads[string(buf[:i+1])] {
			return true
		}
	}
	return false
}

// has reports whether a text has one of the words.
func (s sieve) has(text string) bool {
	for i := s.may(text, 0); i >= 0; i = s.may(text, i) {
		if s.word.MatchString(text[i:]) {
			return true
		}
		for i < len(text) && (text[i]|0x20) >= 'a' && (text[i]|0x20) <= 'z' {
			i++
		}
	}
	return s.han != nil && s.han.MatchString(text)
}

// FindStringSubmatchIndex is that of the pattern.
func (s sieve) FindStringSubmatchIndex(text string) []int {
	if s.may(text, 0) < 0 {
		return nil
	}
	return s.Regexp.FindStringSubmatchIndex(text)
}

// ReplaceAllString is that of the pattern.
func (s sieve) ReplaceAllString(text, by string) string {
	if s.may(text, 0) < 0 {
		return text
	}
	return s.Regexp.ReplaceAllString(text, by)
}

// finder is a pattern, with a sieve or without.
type finder interface {
	FindStringSubmatchIndex(string) []int
}

// The words that say when a statement holds, and so belong neither to its key nor
// to its object.
var (
	hedgeEn = regexp.MustCompile(`(?i)^(?:(?:update|correction|fyi|note|reminder|actually|by the way|btw|from now on|as of (?:now|today|[^,]{3,20})|since [^,]{3,20}|starting [^,]{3,20}|these days|nowadays|currently|now|today|so)[,:]? )+`)
	innerEn = sieveOf(`(?i)\b(?:`, `now|currently|presently|at the moment|at present|these days|nowadays|as of (?:now|today)|still|already|recently|just|actually|officially`, `)\b,? ?`, "")
	hedgeZh = regexp.MustCompile(`^(?:更新|更正|补充|注意|备注|其实|现在|目前|如今|从现在起|从今天起|今后|以后|最近|当前)[，,：:]?\s*`)
	innerZh = regexp.MustCompile(`(?:现在|目前|如今|当前|已经|已|最近|现任|仍然|仍|还)`)
)

// many are relations in which one thing may stand to several at a time.
var many = sieveOf(`(?i)\b(?:`, `child|children|kids?|sons?|daughters?|siblings?|brothers?|sisters?|parents?|friends?|colleagues?|cousins?|pets?|hobby|hobbies|interests?|members?|employees|customers?|clients|partners|products|skills?|allerg\w+|likes?|loves?|enjoys?|hates?|dislikes?|speaks?|knows?|uses?|using|leads|manages|supports|teaches|publishes|attends|contains|hosts|coaches|represents|follows|drives|produces|plays (?:the )?(?:piano|guitar|violin)|owns?|visited|famous|known|notable|awards?|languages spoken|such as|one of|some of|among|includes?|including|examples?`, `)\b`,
	`孩子|子女|儿子|女儿|兄弟|姐妹|哥哥|弟弟|姐姐|妹妹|朋友|同事|宠物|爱好|兴趣|成员|客户|合作伙伴|产品|作品|技能|过敏|喜欢|喜爱|爱吃|讨厌|会说|会讲|认识|拥有|闻名|著名|知名|出名|奖项|之一|包括|例如`)

// residence and others are phrases that say one relation.
var aliases = []struct {
	re *regexp.Regexp
	as string
}{
	{regexp.MustCompile(`^(?:(?:has |have )?(?:moved|relocated) (?:back )?to|lives? in|(?:is |am |are )?(?:living|based|residing) in|resides? in)$`), "lives in"},
	{regexp.MustCompile(`^(?:works? (?:for|at)|(?:is|am|are) employed by|(?:is|am|are) working (?:for|at)|(?:has |have )?joined|(?:has |have )?started (?:working )?at)$`), "works for"},
	{regexp.MustCompile(`^(?:reports? to|(?:is|am|are) reporting to)$`), "reports to"},
	{regexp.MustCompile(`^(?:(?:is|are|was|were) (?:scheduled|planned|set) (?:for|on|at)|(?:is|are|was|were|has been|have been) (?:moved|postponed|shifted|rescheduled|changed|brought forward|pushed(?: back)?) to|takes? place (?:on|at)|(?:is|are|will be) (?:on|at)|starts? (?:on|at)|happens (?:on|at))$`), "takes place"},
	{regexp.MustCompile(`^(?:(?:is|are|was) (?:called|named)|(?:has been|was) renamed (?:to|as)?)$`), "is called"},
	{regexp.MustCompile(`^(?:(?:has been|have been|was|were) (?:changed|raised|lowered|increased|reduced|cut|set|updated) to|will be|became|has become|equals)$`), "is"},
	{regexp.MustCompile(`^prefers?$`), "prefers"},
	{regexp.MustCompile(`^(?:搬到了?|搬去了?|搬进了?|住在|定居在?|定居于|居住在)$`), "住在"},
	{regexp.MustCompile(`^(?:在职于|任职于|就职于|供职于|受雇于|加入了?|入职了?)$`), "任职于"},
	{regexp.MustCompile(`^(?:是|为|叫|变成了?|改成了?|改为了?|换成了?|变为了?|调整为了?|成为了?|定为了?)$`), "是"},
}

func alias(link string) string {
	for _, a := range aliases {
		if a.re.MatchString(link) {
			return a.as
		}
	}
	return link
}

// preposition is what may stand between a participle or verb and the object; with
// the kind of the object, if it is named, as in "in the city of".
const preposition = `(?:in|at|on|by|to|with|for|from|as|under|near|into|of)(?: the (?:[a-z]+ ){1,2}of)?`

var (
	// be finds a form of to be with what belongs to it: "is", "was founded by",
	// "is a citizen of".
	be = regexp.MustCompile(`(?i) ((?:is|are|am|was|were|will be|has been|have been|became|has become|equals)` +
		`(?: (?:an? )?(?:member|citizen|resident|native|student|employee|part|capital|fan|owner|head) of` +
		`| (?-i:[a-z]+)(?-i:ed|en|wn|ld|rn|un|ept|et|de|built|run|known|led|held|sold|made)(?: (?:up|down|out|over|back))?(?: ` + preposition + `)?` +
		`| (?:living|working|reporting|using|staying|studying|residing)(?: ` + preposition + `)?` +
		`| famous for| responsible for| in charge of| due(?: on| by)?| based in| in love with| allergic to` +
		`| ` + preposition + `)?) `)
	// does finds verbs of states. Those that are nouns too ("the head of state",
	// "the report") count in the third person alone, or after a pronoun.
	does = sieveOf(`(?i) ((?:`, `works|worked|lives?|lived|resides?|studies|studied|stays|stayed|plays|played|speaks?|belongs?|has (?:moved|relocated|joined|switched)|have (?:moved|relocated|joined|switched)|moved|relocated|joined|switched|`+
		`died|starts|ends|opens|closes|begins|takes? place|happens|costs|takes|leads|manages|runs|heads|owns|uses|reports|prefers?|likes|loves|means|stands? for|supports|drives|follows|practi[cs]es|contains|hosts|coaches|represents|teaches|attends|weighs|measures|knows|hates|dislikes|enjoys|visited|includes|produces|publishes`,
		`)(?: the (?:[a-z]+ ){1,2}of| `+preposition+`)?) `, "")
	weDo        = regexp.MustCompile(`(?i)^(?:i|we|they|you)(?: all| both)? ((?:work|live|study|stay|play|speak|report|use|prefer|like|love|own|drive|run|lead|manage|start|open|close|teach|attend|know|hate|dislike|enjoy|follow|support)(?: the (?:[a-z]+ ){1,2}of| ` + preposition + `)?) `)
	firstPerson = regexp.MustCompile(`(?i)\b(?:i|me|my|mine|we|us|our|ours|i'm|i've|we're)\b`)
	pronoun     = regexp.MustCompile(`(?i)^(?:it|this|that|these|those|there|he|she|they|here|what|who|which|everything|nothing|something|someone|everyone|one|some|most|all)$`)
	negated     = regexp.MustCompile(`(?i)^(?:not|never|no longer|n't)\b`)
	// attribute are nouns that name a property, so that "the N is O" has one O.
	attribute = sieveOf(`(?i)\b(?:`, `deadline|due date|date|time|owner|lead|leader|manager|boss|head|chief|ceo|cto|cfo|director|president|chair\w*|coach|captain|king|queen|monarch|mayor|governor|minister|chancellor|budget|price|cost|rate|limit|quota|target|goal|status|version|port|address|phone|number|email|e-mail|password|code|name|title|colou?r|size|capital|currency|language|population|headquarters?|location|place|room|venue|host|region|plan|tool|database|server|url|link|channel|contact|supplier|vendor|employer|spouse|wife|husband|birthday|age|height|weight|salary|job|role|position|occupation|profession|religion|nationality|citizenship|hometown|school|university|author|founder|developer|broadcaster|publisher|format|zone|timezone|meeting|standup|window|threshold|default|favou?rite \w+`, `)\b`, "")
)

// readEnglish cuts a sentence at its verb: what stands before it with the verb is
// the key, what follows is the object.
func readEnglish(s string) (Statement, bool) {
	s = hedgeEn.ReplaceAllString(s, "")
	s = strings.TrimSpace(innerEn.ReplaceAllString(s, ""))
	s = contracted.Replace(s)
	cut := firstOf(s, be, does, weDo)
	if cut == nil {
		return Statement{}, false
	}
	subject, link, object := strings.TrimSpace(s[:cut[2]]), strings.ToLower(s[cut[2]:cut[3]]), strings.TrimSpace(s[cut[1]:])
	words := strings.Fields(subject)
	if len(words) == 0 || len(words) > 14 || len(strings.Fields(object)) > 14 || pronoun.MatchString(words[0]) && len(words) == 1 && !firstPerson.MatchString(words[0]) || negated.MatchString(object) {
		return Statement{}, false
	}
	if bare[link] && !hasAttribute(subject) && !figure(object) {
		// "The report is late" and "the report is long" are both right.
		return Statement{}, false
	}
	return Statement{
		Key:    fold(trimArticle(subject)) + " | " + alias(link),
		Object: object,
		Many:   many.has(subject+" "+link) && !attributeOnly.MatchString(subject),
	}, true
}

var contracted = strings.NewReplacer("I'm ", "I am ", "we're ", "we are ", "We're ", "We are ", "’s ", "'s ", "I've ", "I have ")

// bare are forms of to be with nothing behind them.
var bare = map[string]bool{"is": true, "are": true, "am": true, "was": true, "were": true, "will be": true, "has been": true, "have been": true, "became": true, "has become": true}

// attributeOnly are subjects with a word of many in them that have one object all
// the same.
var attributeOnly = regexp.MustCompile(`(?i)\b(?:name|age|birthday|address|email|phone|number|deadline|price|budget) of\b`)

// firstOf returns where the first of several patterns matches.
func firstOf(s string, res ...finder) []int {
	var best []int
	for _, re := range res {
		if m := re.FindStringSubmatchIndex(s); m != nil && (best == nil || m[0] < best[0]) {
			best = m
		}
	}
	return best
}

// hasAttribute reports whether a subject names a property of something: "the
// director of NASA", "Ann's boss", "our deadline".
func hasAttribute(subject string) bool {
	return strings.Contains(subject, " of ") || strings.Contains(subject, "'s ") || attribute.has(subject) ||
		strings.Contains(subject, " that ") || strings.Contains(subject, " where ") || strings.Contains(subject, " which ")
}

// figure reports whether an object begins like a number, a time or a price: of
// these a thing has one, and of descriptions many.
func figure(object string) bool {
	r := []rune(object)
	return len(r) > 0 && (unicode.IsDigit(r[0]) || strings.ContainsRune("$€£¥", r[0]))
}

func trimArticle(s string) string {
	for _, a := range []string{"the ", "a ", "an "} {
		if len(s) > len(a) && strings.EqualFold(s[:len(a)], a) {
			return s[len(a):]
		}
	}
	return s
}

var (
	// by is "S 由 O 创立".
	by = regexp.MustCompile(`^(.+?)(?:是)?由(.+?)(创立|创办|创建|创作|创造|建立|成立|开发|研发|制作|制造|生产|演唱|演奏|表演|出演|撰写|编写|写|著|执导|导演|发明|设计|出品|发行|出版|播出|首播|负责|主持|担任|管理|运营|领导|维护|审批|批准|主讲)(?:的)?$`)
	// of is "S 的 R 是 O".
	of = regexp.MustCompile(`^(.+)的([^的，,]{1,14}?)(是|为|叫|位于|在|变成了?|改成了?|改为了?|换成了?|变为了?|调整为了?|定为了?|改到了?|改在了?|推迟到了?|提前到了?)(.+)$`)
	// verb is "S 位于 O".
	verb = regexp.MustCompile(`^(.+?)(位于|坐落于|坐落在|毕业于|出生于|出生在|起源于|源于|产自|成立于|创立于|创办于|建于|死于|逝世于|去世于|卒于|葬于|信仰|信奉|任职于|就职于|供职于|受雇于|效力于|隶属于|隶属|属于|住在|居住在|定居在|定居于|搬到了?|搬去了?|搬进了?|嫁给了?|娶了|汇报给|就读于|从事的?(?:运动|职业|工作)?是?|司职|担任|出任|擅长|使用|改用了?|换成了?|改成了?|改为了?|改到了?|推迟到了?|提前到了?|定在了?|定于|安排在了?|意思是|指的是|指|讲|说|喜欢|会说|会讲|因.{1,20}闻名)(.+)$`)
	// plain is "R 是 O", of something that is a property by its name.
	plain = regexp.MustCompile(`^([^的，,是]{1,20}?)(是|为|叫)(.+)$`)
	// boss is "S 向 O 汇报" and its like.
	around   = regexp.MustCompile(`^(.+?)(向|跟|对|在)(.+?)(汇报|负责|工作|上班|任教|上学|读书|居住|生活|举行|召开|出生|去世|创立|成立|结婚)$`)
	propZh   = regexp.MustCompile(`(?:时间|日期|地点|负责人|经理|主管|老板|上级|领导|预算|价格|费用|上限|限额|目标|状态|版本|端口|地址|电话|号码|邮箱|密码|名字|姓名|名称|颜色|大小|首都|省会|货币|语言|人口|总部|会议室|区域|方案|工具|数据库|服务器|频道|联系人|供应商|生日|年龄|身高|体重|工资|职位|职业|宗教|国籍|家乡|学校|作者|创始人|格式|时区|截止日|口令|阈值|例会|周会|晨会)$`)
	hasHanRE = regexp.MustCompile(`\p{Han}`)
)

// readChinese cuts a sentence at the words that join subject and object.
func readChinese(s string) (Statement, bool) {
	if !hasHanRE.MatchString(s) {
		return Statement{}, false
	}
	s = hedgeZh.ReplaceAllString(s, "")
	plainText := strings.TrimSpace(innerZh.ReplaceAllString(s, ""))
	for _, r := range []struct {
		re              *regexp.Regexp
		subject, object int
		link            []int
	}{
		{by, 1, 2, []int{3}}, {around, 1, 3, []int{2, 4}}, {of, 1, 4, []int{2, 3}}, {verb, 1, 3, []int{2}}, {plain, 1, 3, []int{2}},
	} {
		m := r.re.FindStringSubmatch(plainText)
		if m == nil {
			continue
		}
		if r.re == plain && !propZh.MatchString(m[1]) {
			continue
		}
		key := m[r.subject]
		for _, l := range r.link {
			key += "|" + alias(m[l])
		}
		if strings.HasPrefix(m[r.object], "不") || strings.HasSuffix(m[r.subject], "不") || strings.Contains(m[r.object], "，") && len([]rune(m[r.object])) > 30 {
			return Statement{}, false
		}
		return Statement{Key: fold(key), Object: m[r.object], Many: many.has(key)}, true
	}
	return Statement{}, false
}

// Standing leaves out the notes whose statement a later note of the same audience
// replaces, later by event date, else by when it was said; and of notes that say
// the same all but the latest. Nothing is deleted: it is only not served as
// current.
func Standing(found []Scored) []Scored {
	return standing(found, func(s Scored) Statement {
		st, _ := ReadStatement(s.Text)
		return st
	})
}

// standing is Standing with a way to read a Fact.
func standing(found []Scored, statement func(Scored) Statement) []Scored {
	type holder struct {
		at     int
		object string
	}
	latest := map[string]holder{}
	read := make([]Statement, len(found))
	key := make([]string, len(found))
	for i, s := range found {
		if s.Predicate != Note {
			continue
		}
		st := statement(s)
		if st.Key == "" {
			continue
		}
		who := ""
		if firstPerson.MatchString(s.Text) || strings.ContainsAny(s.Text, "我俺咱") {
			who = s.By
		}
		read[i], key[i] = st, strings.Join([]string{s.Audience.Kind, s.Audience.ID, who, st.Key}, "\x00")
		if h, ok := latest[key[i]]; !ok || newer(found[i].Fact, found[h.at].Fact) {
			latest[key[i]] = holder{i, fold(st.Object)}
		}
	}
	var out []Scored
	for i, s := range found {
		h, ok := latest[key[i]]
		if key[i] == "" || !ok || h.at == i || read[i].Many && fold(read[i].Object) != h.object {
			out = append(out, s)
			continue
		}
		// Its place in the order is its successor's, if that is better.
		if j := slices.IndexFunc(out, func(o Scored) bool { return o.ID == found[h.at].ID }); j < 0 {
			found[h.at].Score = max(found[h.at].Score, s.Score)
		}
	}
	slices.SortStableFunc(out, byScore)
	return out
}

// newer reports whether a holds rather than b.
func newer(a, b Fact) bool {
	if c := a.When().Compare(b.When()); c != 0 {
		return c > 0
	}
	return a.Said.After(b.Said)
}
