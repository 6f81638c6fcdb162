package router

// politeWords stand before what is wanted and say nothing of it.
var politeWords = list(
	"please|pls|kindly|hi|hello|hey|hey there|hi there|ok|okay|so|well|now|right now|alright|um|uh|ai|siri|hermes|good morning|good afternoon|good evening|excuse me|sorry|thanks|and|also|then|just|actually|by the way|btw|yo|go ahead and|quickly|first|next",
	"请|麻烦|麻烦你|你好|您好|嗨|早上好|下午好|晚上好|那|那么|好|好的|嘿|请问|劳驾|帮我|请帮我|帮忙|你帮我|麻烦帮我",
)

// social are whole messages that only keep people company.
var social = list(
	"hi|hello|hey|hiya|howdy|yo|ahoy|greetings|hi all|hello everyone|hi everyone|hello there|hi there|hey there|good morning|morning|good afternoon|good evening|good night|night|good morning everyone|good morning all|good day",
	"thanks|thank you|thx|ty|cheers|thanks a lot|thank you so much|thank you very much|many thanks|much appreciated|great|nice|cool|awesome|perfect|excellent|lovely|wow|well done|good job|great job|nice work|great work|good bot|ok|okay|k|fine|got it|i see|sure|understood|never mind|nevermind|yes|no|yep|nope|haha|lol|bye|goodbye|bye bye|see you|see ya|see you later|later|take care|have a nice day|have a good day|have a nice weekend|sorry|my bad|oops|how are you|how are you doing|how are you today|whats up|what's up|how's it going|how is it going|how do you do|who are you|what are you|what can you do|what can you do for me|what do you do|how can you help|how can you help me|are you there|you there|forget it",
	"你好|您好|嗨|哈喽|哈啰|早|早安|早上好|上午好|中午好|下午好|晚上好|晚安|大家好|在吗|在不在|你在吗|谢谢|谢谢你|谢谢您|多谢|感谢|非常感谢|辛苦了|不客气|好|好的|行|嗯|嗯嗯|哦|知道了|明白了|收到|没事|没事了|算了|不用了|太好了|太棒了|真棒|很好|不错|哈哈|哈哈哈|厉害|再见|拜拜|回见|明天见|对不起|抱歉|不好意思|你好吗|最近好吗|最近怎么样|吃了吗|忙吗|你是谁|你叫什么|你叫什么名字|你能做什么|你会什么|你会做什么|你可以做什么|你能干什么|你能帮我做什么|你能帮我什么|你有什么功能|周末愉快",
)

// DefaultRules are the rules for English, Chinese, and both in one sentence: only what
// is so whatever else a text says. All else is for the classifier.
func DefaultRules() []Rule {
	return []Rule{
		{Name: "command", Kind: Command, Confidence: 0.95, Any: each("=", list("help|帮助|stop|停|停止|status|version"))},
		{Name: "small talk", Kind: Chitchat, Confidence: 0.97, Any: each("=", social)},
		{Name: "verb of a tool", Kind: Task, Confidence: 0.9,
			Any: append(each("=", list("pause|resume|undo|again|retry|resend|export|go on|continue|暂停|恢复|撤销|重试|重发|导出|继续|再来一次|再发一次")),
				list("^take back|^take that back|^take it back|^unsend|^撤回|^收回")...),
			Unless: list("^why|^how|为什么|怎么|吗")},
		{Name: "memory", Kind: Question, Confidence: 0.9, Any: list(
			"you remember about|you remember of|you know about me|you know about us|have you stored|what is scheduled|what's scheduled|你记得我|你都记得|你还记得|你记住了|你都记住了|记住了什么|记住了哪些|知道我什么|有哪些定时|有什么定时")},
		{Name: "schedule, post or remember", Kind: Task, Confidence: 0.9,
			Any: list(
				"do this every|do that every|and repeat it every|post it to|post this to|post that to|^remember that|^remember this|^forget that|^from now on",
				"每次都发到|以后每|每天早上|每周一早上|每个月1号|并发到|^记住|^以后都|^以后我|^忘掉"),
			Unless: list("^why|^how|^when|^who|^what|为什么|怎么|如何|是什么|是多少|吗|谁")},
	}
}
