package rules

import (
	"regexp"
	"strings"
	"unicode"
)

// chatKinds are the things said for the sake of saying them. Each pattern takes a
// whole text: a greeting before a wish is part of the wish.
var chatKinds = []struct {
	kind    string
	pattern *regexp.Regexp
}{
	{"help", regexp.MustCompile(`^(?:help(?: me)?|\?|what (?:can|could|do) you (?:do|offer|help with|help me with)(?: for (?:me|us))?|what are you able to do|what are your (?:abilities|features|skills)|what else can you do|how (?:can|could) you help(?: me| us)?|how do (?:you work|i use you|i use this|you help)|show me what you can do|what are you (?:good )?for|can you help(?: me)?|i need (?:some )?help|examples?|帮助|帮帮我|你能做什么|你能帮我做什么|你能干什么|你能干嘛|你能做些什么|你都能做什么|你会什么|你会做什么|你可以做什么|你可以帮我做什么|你有什么功能|你有哪些功能|有什么功能|怎么用|怎么使用|如何使用|使用说明|你能帮我什么|你能帮什么忙|能做什么|你?(?:都|还)?(?:能|会|可以)(?:帮我|帮我们)?(?:做|干)(?:些|点)?(?:什么|啥|嘛)(?:事情?|活)?|怎么用你)$`)},
	{"who", regexp.MustCompile(`^(?:who are you|what are you|what is your name|what's your name|are you (?:a )?(?:bot|robot|human|real|person|an ai|ai)|introduce yourself|tell me about yourself|你是谁|你叫什么|你叫什么名字|你的名字是什么|你是机器人吗|你是真人吗|你是人吗|自我介绍一下|介绍一下你自己|介绍你自己)$`)},
	{"how", regexp.MustCompile(`^(?:how are you(?: doing)?(?: today)?|how's it going|how is it going|how do you do|what's up|whats up|how are things|how's your day|how is your day(?: going)?|你好吗|你还好吗|最近怎么样|最近好吗|今天怎么样|你今天怎么样|过得怎么样|忙吗|在忙吗|吃了吗)$`)},
	{"morning", regexp.MustCompile(`^(?:good morning|morning|早上好|早安|早|上午好|早啊)$`)},
	{"evening", regexp.MustCompile(`^(?:good (?:evening|afternoon)|下午好|晚上好|中午好)$`)},
	{"night", regexp.MustCompile(`^(?:good night|night|晚安)$`)},
	{"hello", regexp.MustCompile(`^(?:hi|hello|hey|hiya|howdy|yo|hi there|hello there|hey there|greetings|good day|你好|您好|嗨|哈喽|哈啰|大家好|在吗|在不在|你在吗|hello啊)$`)},
	{"thanks", regexp.MustCompile(`^(?:thanks|thank you|thx|ty|cheers|many thanks|thanks a lot|thank you (?:so|very) much|thanks so much|much appreciated|nice|looks good|sounds good|looks great|lgtm|(?:that's|thats|this is|it's|that is) (?:great|perfect|good|nice|awesome|excellent|lovely|fine|wonderful|exactly what i (?:need|needed|wanted))|that works|nice one|great|perfect|awesome|cool|well done|good job|great job|great work|nice work|good bot|lovely|excellent|谢谢|谢谢你|谢谢您|多谢|感谢|非常感谢|辛苦了|谢了|太好了|太棒了|真棒|很好|不错|好的谢谢|好棒|厉害|干得好|做得好)$`)},
	{"praise", regexp.MustCompile(`^(?:(?:nice|great|good|lovely|impressive|solid|strong|amazing|awesome|excellent|fantastic|wonderful|cool|super|beautiful|interesting) (?:numbers?|figures|results?|month|week|quarter|year|stuff|chart|charts|analysis|summary|report|reports|progress|growth|team ?work|news|to see|one)|well played|way to go|kudos|congrats|congratulations|bravo|wow|woohoo|yay|hooray|love it|so good|数据?(?:真|很|挺|太)?(?:不错|漂亮|好看|给力)(?:了)?|(?:这个月|本月|上个月|这周|业绩|数字|成绩)(?:的)?(?:数据|业绩|成绩)?(?:真|很|挺|太)?(?:不错|漂亮|给力|棒|好)(?:了)?|干得(?:漂亮|不错)|恭喜|牛|赞|点赞|给力|加油)$`)},
	{"approver", regexp.MustCompile(`^(?:(?:do you know )?who (?:has )?(?:approved|denied|declined|rejected|allowed|confirmed|signed off(?: on)?|decided(?: on)?|said (?:yes|no)(?: to)?|pressed the button)(?: (?:it|this|that|them|the (?:last |latest )?(?:post|report|message|card|schedule|request)))?|who was it approved by|(?:这|这个|那|那个|上次|它|刚才那个|报告)?(?:是|由)?谁(?:来)?(?:批准|同意|审批|批|通过|拒绝|否决|点)(?:的|了)?(?:它|这个|那个)?(?:的)?|审批人是谁|批准人是谁)$`)},
	{"status", regexp.MustCompile(`^(?:(?:what(?:'s| is) the|any|current) (?:status|state|progress|news|updates?)(?: (?:of|on|with|for) (?:it|this|that|them|the (?:post|report|request|card)))?(?: now)?|status(?: update)?(?: please)?|where (?:are we|do we stand)|(?:is|was) (?:it|this|that) (?:done|posted|sent|approved|finished|ready)(?: yet| now| already)?|has (?:it|this|that) been (?:done|posted|sent|approved)(?: yet)?|did (?:it|that) (?:work|go out|go through)|what happened|进展|进度|状态|(?:现在|目前|这个|它)?(?:的)?(?:是)?(?:什么|啥)(?:状态|情况|进度|进展)(?:了)?|(?:现在|目前)?(?:的)?(?:进展|进度|状态|情况)(?:如何|怎么样|怎样)(?:了)?|(?:做|弄|发|批|批准|发出去|搞|处理)(?:好|完|出去)?了(?:吗|没有|没)|到哪一?步了|怎么样了)$`)},
	{"fine", regexp.MustCompile(`^(?:ok|okay|k|fine|alright|all right|got it|i see|sure|understood|never mind|nevermind|nothing|no|yes|forget it|forget about it|no thanks|no thank you|好|好的|行|嗯|嗯嗯|哦|知道了|明白了|明白|了解|收到|没事|没事了|算了|不用了|没什么)$`)},
	{"bye", regexp.MustCompile(`^(?:bye|goodbye|good bye|bye bye|see you|see you later|see ya|see you tomorrow|later|cya|take care|have a (?:nice|good|great) (?:day|evening|weekend|night|one)|再见|拜拜|拜|回见|明天见|回头见|下次见|周末愉快)$`)},
	{"sorry", regexp.MustCompile(`^(?:sorry|i'm sorry|my bad|my mistake|oops|对不起|抱歉|不好意思)$`)},
	{"joke", regexp.MustCompile(`^(?:tell (?:me|us) a joke|do you know (?:a|any) jokes?|make me laugh|讲个笑话|说个笑话|讲一个笑话|你会讲笑话吗)$`)},
}

var (
	callName  = regexp.MustCompile(`^(?:@?hermes[ ,，:：]+)|[ ,，]*@?hermes$`)
	chatMarks = regexp.MustCompile(`[\s.,!?~，。！？～、…:)(]*[呀啊哈哦呢啦喔哟]?[\s.,!?~，。！？～、…:)(]+$|[呀啊哦呢啦喔哟]+$|^[\s.,!~，。！～]+`)
	chatHead  = regexp.MustCompile(`^(?:ok|okay|well|oh|hey|hi|hello|so|and|yes|great|好的|好|嗯|嗨)[,，!！ ]+`)
	chatTail  = regexp.MustCompile(`[,， ]+(?:everyone|everybody|all|team|there|bot|friend|buddy|folks|guys|hermes|大家|各位)$`)
)

// chatKind says which kind of small talk a text is, "" for none.
func chatKind(text string) string {
	if len(text) > 200 {
		return ""
	}
	if onlySigns(text) {
		return "praise"
	}
	if m := praised.FindStringSubmatch(strings.TrimSpace(text)); m != nil && !strings.EqualFold(strings.TrimPrefix(m[2], "@"), "hermes") {
		// "Great, Europe" may speak of figures.
		if k := chatKind(m[1]); (k == "praise" || k == "thanks") && (strings.Contains(m[1], " ") || thanked.MatchString(m[1])) {
			return "praise" // of somebody else
		}
	}
	s := strings.TrimSpace(string(normalise(text).runes))
	s = chatMarks.ReplaceAllString(s, "")
	s = chatMarks.ReplaceAllString(callName.ReplaceAllString(s, ""), "")
	whole := s
	for range 2 {
		for _, k := range chatKinds {
			if k.pattern.MatchString(s) {
				return k.kind
			}
		}
		s = chatTail.ReplaceAllString(chatHead.ReplaceAllString(s, ""), "")
	}
	// "Hi Hermes, how are you?" is two kinds; the later one wants the answer.
	kind := ""
	for part := range strings.FieldsFuncSeq(whole, func(r rune) bool { return strings.ContainsRune(",!.?，。！？~～", r) }) {
		k := ""
		for _, c := range chatKinds {
			if c.pattern.MatchString(strings.TrimSpace(part)) {
				k = c.kind
				break
			}
		}
		if k == "" {
			return ""
		}
		kind = k
	}
	return kind
}

// praised is a remark that ends with whom it is for.
var praised = regexp.MustCompile(`^(.+?)[, ，]+(?:(?:for|from|by|to) )?(@[\p{L}\p{N}._-]+|<@\w+>|\p{Lu}[\p{L}'-]+)[\s.!！。]*$`)

var thanked = regexp.MustCompile(`(?i)^(?:thanks|thx|ty|cheers|kudos|congrats|congratulations|bravo|谢谢|多谢|辛苦了)$`)

// onlySigns says whether a text is nothing but an emoji or the like.
func onlySigns(text string) bool {
	found := false
	for _, r := range text {
		switch {
		case unicode.Is(unicode.So, r):
			found = true
		case !unicode.IsSpace(r) && !unicode.Is(unicode.Sk, r) && r != 0x200D && r != 0xFE0F:
			return false
		}
	}
	return found
}

// chats are the answers to small talk, English and Chinese.
var chats = map[string][2]string{
	"hello":   {"Hello! What would you like to know?", "你好！想了解什么？"},
	"morning": {"Good morning! Have a good day. If you need figures, just ask.", "早上好！祝你一天顺利。需要数据就叫我。"},
	"evening": {"Hello! Hope the day is going well. If you need figures, just ask.", "你好！希望今天一切顺利。需要数据就叫我。"},
	"night":   {"Good night! What is scheduled I will do on time.", "晚安！定好的任务我会按时做。"},
	"thanks":  {"You're welcome!", "不客气！"},
	"fine":    {"All right. Nothing more was done.", "好的，没有再做什么。"},
	"bye":     {"Bye! Talk to you soon.", "再见，回头聊！"},
	"sorry":   {"No problem at all.", "没关系。"},
	"praise":  {"Good to hear.", "很高兴听到。"},
	"how":     {"All is well here, thank you. And you? If you need figures, just ask.", "我很好，谢谢！你呢？需要数据就叫我。"},
	"who":     {"I am Hermes, a bot for figures and reports. I am running on built-in rules just now, without a language model. Ask me \"what can you do?\" for what I understand.", "我是 Hermes，做数据和报告的机器人。现在用的是内置规则，没有语言模型。想知道我懂什么，问我“你能做什么”。"},
	"joke":    {"I know no jokes; built-in rules are a dry lot. Figures I can do.", "我不会讲笑话，内置规则比较无趣。数据我倒是会。"},
	"":        {"I work by built-in rules and do not follow that. Figures, reports and schedules I can do; ask me \"what can you do?\".", "我按内置规则工作，这句话没听懂。数据、报告和定时任务我会做，可以问我“你能做什么”。"},
}

// sayChat answers small talk.
func (c reader) sayChat(kind string) string {
	switch kind {
	case "help":
		return c.sayHelp()
	case "approver", "status":
		return c.sayWhatIsKnown(kind)
	}
	return c.pick(chats[kind][0], chats[kind][1])
}

// pick returns the words in the asker's language.
func (c reader) pick(en, zh string) string {
	if c.lang == "zh" {
		return zh
	}
	return en
}

// sayWhatIsKnown answers questions about what was done before: with what was said
// last, and where the rest stands. Who pressed a button is not told to a model.
func (c reader) sayWhatIsKnown(kind string) string {
	last, _, _ := strings.Cut(strings.TrimSpace(c.said), "\n")
	if r := []rune(last); len(r) > 200 {
		last = string(r[:199]) + "…"
	}
	var text string
	switch {
	case last != "":
		text = c.pick("The last thing I said here was “"+last+"”. ", "我在这里最后说的是：“"+last+"”。")
	case kind == "status":
		text = c.pick("I have said nothing here yet. ", "我在这里还没有说过什么。")
	}
	if kind == "approver" {
		return text + c.pick("Who decided, and when, stands on the card itself; I am not told more than a yes or a no.", "谁在什么时候决定的，写在卡片上；我只知道结果是同意还是没有同意。")
	}
	return text + c.pick("Every step stands on the page of the run (its link is under the answer), what waits for a decision on its card, and “show my schedules” lists what comes again.", "每一步都在这次运行的页面上（链接在回答下面），等待决定的在卡片上；说“有哪些定时任务”可以看定时任务。")
}
