package verify

import "strings"

var (
	// soonLook is of a sentence that says what the bot is about to look at, and asksWait one
	// that asks for patience.
	soonLook = re(`^` + ack + `(?:(?:let me|allow me to|i(?:'ll| will| shall| am going to|'m going to| need to| have to| am about to|'m about to)|i(?:'m| am)) (?:(?:now|just|first|quickly|also|currently|go ahead and|start by|begin by|try to|going to) )*` +
		`(?:look|check|search|quer(?:y|i)|find|fetch|pull|get|gett|retriev|gather|run|runn|see|dig|review|access|consult|call|collect|comput|calculat|summari[sz]|analy[sz]|prepar|start|begin|read|verif|load|take a look|work|process)(?:e|y|ing|ying)?\b` +
		`|(?:now |currently |still )?(?:fetching|querying|looking (?:up|into|for|at|that|this|it)|checking|searching|retrieving|pulling|gathering|loading|running|working on|processing|analy[sz]ing|calculating|collecting|getting|reading|accessing|calling)\b)`)
	asksWait = re(`^(?:please |just |so )*(?:(?:one|a|give me (?:a|one)) (?:moment|second|sec|minute|min)|(?:hold on|hang on|wait|stand by|bear with me|be patient)(?: for)?(?: (?:a|one|just a))?(?: (?:moment|second|sec|minute|min|while))?)(?:[ ,]*(?:please|while i .*))?$|^(?:this|it) (?:may|might|will|should) (?:only )?take .*$|^i(?:'ll| will) (?:be right back|get back to you|let you know|report back|have (?:it|that|them) for you|update you|share)\b.*$`)
	agrees   = re(`^(?:ok|okay|sure|sure thing|great|got it|understood|certainly|of course|absolutely|no problem|yes|happy to help|alright|all right|will do|good question|thanks|thank you)$`)
	hinges   = re(`\b(?:if|once|unless|when you|before i|after you|every|each|tomorrow|later|know|remind|checking out|running (?:well|late|low|fine|out|smoothly))\b|^\w+ing (?:is|are|was)\b`)
	// tells is of words that say what was found.
	tells      = re(`\b(?:was|were|is|are|came|shows?|showed|has|have|rose|fell|total)\b|[$€¥£%]`)
	soonLookZh = re(`^(?:(?:好的?|行|没问题|收到|明白|那|现在)[，,\s]*)*(?:(?:我)?正在|我?(?:来|先|去|这就|马上|立即|立刻|需要先|要先|将)|让我(?:来|先|去)?|(?:这就|马上|开始|正))(?:为|帮|给|替)?(?:你|您)?(?:去|来|先)?(?:查|搜|找|看|调用|获取|检索|统计|汇总|计算|分析|处理|运行|执行|读取|拉取|加载|整理|核对|核实|努力)`)
	asksWaitZh = re(`^(?:请)?(?:您|你)?(?:稍等|稍候|稍后|等一下|等一等|等等|耐心等|等我|等待)[^，]{0,8}$|^(?:很快|马上|一会儿|稍后)(?:就)?(?:好|给你|给您|告诉|回来|回复|有结果)[^，]{0,8}$`)
	agreesZh   = re(`^(?:好|好的|好嘞|行|可以|没问题|收到|明白|了解)$`)
	hingesZh   = re(`如果|要是|的话|等你|等您|每[天周月]|明天|提醒|[：:].|\d+ ?[万亿元%]`)
)

// Defers reports whether an answer is none yet: all that it says is that the bot is about
// to look, or that people are to wait.
func Defers(text string) bool {
	low := strings.ToLower(strings.Trim(text, " \n\t…"))
	if len(low) > mostDeferred {
		return false
	}
	found := false
	for _, s := range sentences(plain(low)) {
		if s.asks || hinges().MatchString(s.text) && !asksWait().MatchString(s.text) || hingesZh().MatchString(s.text) {
			return false
		}
		for i, c := range s.clauses {
			c = strings.TrimSpace(c)
			switch {
			case agrees().MatchString(c), agreesZh().MatchString(c):
			case soonLook().MatchString(c), asksWait().MatchString(c), soonLookZh().MatchString(c), asksWaitZh().MatchString(c):
				found = true
			case i > 0 && found && !han(c) && !tells().MatchString(c): // "… of October, by region"
			default:
				return false
			}
		}
		if !han(s.text) && strings.Contains(s.text, ": ") {
			return false
		}
	}
	return found
}

// mostDeferred is how long, in bytes, an answer may be that says nothing yet.
const mostDeferred = 300
