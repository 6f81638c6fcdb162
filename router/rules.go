package router

import "slices"

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

// aboutBot are the things people ask a bot about itself, or for company.
var aboutBot = list(
	"who made you|made you|created you|who created|who built you|built you|programmed you|designed you|invented you|who programmed|who designed|developed you|conjured you|your maker|your creator|your developers|made this ai|made the ai|who made|who is responsible for making|created your",
	"your name|how old|your age|your birthday|were you born|you were born|was your birth|your birth|where are you from|you're from|you are from|are you from|come from originally|your origin|your hometown|call home|you originate|you originally from|you hail from|you come from",
	"a bot|a robot|an ai|a real person|real live person|a human|are you human|are you real|are you alive|artificial intelligence|are you a computer|live person|talking to a|speaking with a|speaking to a|are you a person|am i talking|am i speaking|is this a real",
	"your boss|you work for|work for you|your employer|who owns you|your owner|who controls you|does someone else control|your master|your company",
	"pets|pet|hobbies|hobby|spare time|free time|for fun|your favorite|your favourite|meaning of life|meaning to life|meaning behind life|life's meaning|meaning in life|point of life|purpose of life|meaning to being|meaning of our existence|joke|jokes|something funny|funny|hilarious|make me laugh|humor|humour|gossip|gossips|chat with you|talk to you|talk with you|speak with you|conversation|hear from you|good talk|nice talk|nice chat|see you later|see you soon|see you tomorrow|goodbye|bye|good bye|syonara|sayonara|farewell|gator|until next time|i'm leaving|i am leaving|nice to meet you|nice to see you|pleased to meet|glad to meet|glad i got to",
	"thank you|thanks|thankful|grateful|appreciate|appreciated|gratitude|how are you|how have you been|how are things|how you doing|how you are doing|how are ya|how's your day|how is your day|how's it going|how goes it|are you ok|are you okay|what's new with you|having a good day|are you well|are you feeling|do you feel|how do you feel|you feel",
	"do you like|do you love|do you hate|do you think|do you dream|do you believe|do you eat|do you drink|do you sleep|do you get|do you ever|do you enjoy|do you want|what do you like|what do you think|what do you want|what do you eat|what do you hate|what do you do|what do you know about you|can you feel|can you think|can you eat|can you move|can you walk|can you breathe|can you sleep|tell me about yourself|about yourself|describe yourself|introduce yourself|your dreams|your feelings|your fear|your mood|makes you|make you|have you felt|have you ever|call you|my friend|i love you|i hate you|i like you|marry me",
	"你多大|你几岁|你的名字|你叫什么|谁创造了你|谁制造了你|谁发明了你|谁是你的|你的父亲|你的母亲|你的老板|你是男|你是女|你是不是|你是机器人|你是人|你是什么|你喜欢|你讨厌|你最喜欢|你爱|你恨|你会不会|你觉得|你认为|你的爱好|你感觉|你感到|你高兴|你开心|你伤心|你生气|你害怕|你孤单|你无聊|你的心情|笑话|讲个故事|人生的意义|机器人|和你聊天|跟你聊天|陪我聊天|聊聊天|聊天吧|开玩笑|八卦|你好吗|谢谢|感谢|再见|晚安|很高兴|最近如何|让你|婆娘|幽默|你有兄弟|你有朋友|你有爱|你穿|你吃|情感|情绪|撒谎|你听起来|你看起来|什么样的电脑|聊天机器人|生你的气",
)

// doing are the verbs of somebody who wants something done.
var doing = list(
	"set|book|cancel|add|play|turn|pause|stop|change|text|call|switch|remove|put|make|delete|rate|remind|order|reserve|create|pay|move|use|resume|skip|send|post|share|email|mail|forward|schedule|reschedule|summarise|summarize|export|plot|chart|draw|write|draft|generate|build|update|edit|modify|open|close|start|begin|run|execute|deploy|rollback|restart|reboot|install|submit|file|transfer|redeem|activate|deactivate|enable|disable|connect|disconnect|pair|sync|dial|phone|roll|flip|toss|reset|clear|erase|snooze|wake|mute|unmute|raise|lower|increase|decrease|reduce|dim|freeze|unfreeze|block|unblock|apply|register|sign|buy|purchase|get|bring|fetch|arrange|organise|organize|sort|mark|copy|rename|upload|download|save|store|push|merge|commit|analyse|analyze|compile|prepare|compare|translate|invite|approve|reject|assign|notify|alert|ping|broadcast|publish|announce|record|log|track|monitor|watch|lock|unlock|fix|repair|replace|shut|go|take|let|place|keep|whisper|speak|talk|repeat|shuffle|rewind|unpause|continue|stream|listen|find me|find a|find the|locate|integrate|revert|retrieve|display|print|fill|calibrate|attach|inform|report|complete|finish|subscribe|unsubscribe|collect|convert the|adjust|limit|slow|pop|nix|dismiss|extend|renew|upgrade|downgrade|enroll|rent|return|refund|withdraw|deposit|ship|pick|drop|throw|hold|stay|speed|turn off|turn on|look up flights|search|search for|do this|do it|pull|enter|ensure|proceed|give a|give the|respond|answer|initiate|format|append|tweet|tag|follow|retweet|comment|highlight|back up|backup|archive|star|pin|unpin|scan|test|check out|check in|estimate|secure|help me book|help me get|help me pay|help me order|help me locate|help me find|help me set|help me with",
	"remember|forget|note|don't|do not|plan|create a|put together|show me how to order|crank|lower|shoot|reply|unfollow|cd|mkdir|touch|ls|grep",
)

// doingHan are those of Chinese.
var doingHan = list(
	"设置|设定|设个|设一个|预订|预定|预约|订|取消|添加|增加|减少|加入|加到|播放|放一|打开|关闭|关掉|开启|启动|停止|暂停|恢复|继续|删除|移除|清除|清空|提醒|叫醒|打电话|发给|发到|发送|发邮件|发一|发布|推送|转发|分享|创建|新建|建立|建一个|写一|写个|写份|画|导出|导入|汇总|总结|整理|生成|做一|做个|做成|更新|修改|改成|改为|换成|调整|调节|调到|调高|调低|调为|上传|下载|保存|部署|重启|回滚|运行|执行|安排|安装|登记|记住|记一下|记下|忘掉|忘记|评分|评为|评级|打分|打零|打一|给我订|买|购买|下单|支付|付款|转账|翻译|邀请|通知|批准|锁|解锁|开灯|关灯|开始|结束|上一首|下一首|上一曲|下一曲|音量|静音|分析一下|分析|对比一下|拉一下|备份|归档|合并|提交|帮我查|查找|寻找|找一|找到|为我找|搜索|想要预|想预|需要一张|需要预|想听|听一|让我们听|我想订|我想去|订一|订个|换一|关上|开一下|关一下|变成|变为|倒计时|计时|闹钟|转到|跳过|每天|每周|每月|每个月|以后|打个电话|星评|颗星|分中的|星的|给当前|给这本|给这篇|给这首|把",
)

// asking begins a question.
var asking = list(
	"what|what's|whats|what're|who|who's|whose|whom|where|where's|when|when's|why|which|how|how's|hows|is|isn't|are|aren't|was|were|do|does|did|doesn't|am|has|have|had|can i|can we|can a|can the|can it|can you tell|can you explain|can you show|can you give|could you tell|could you explain|can you spell|can you help me understand|can you teach|can you describe|can you define|can you convert|can you calculate|can you do a math|can you find|could you find|could i|may i|might i|might|must|should|shall|will|would it|would i|would there|would a|would the|will i|won't|if|in what|in which|by which|at what|on what|for what|from what|to what",
)

// wondering is what people say when they want to know, wherever it stands.
var wondering = list(
	"tell me|let me know|i need to know|i want to know|i wanna know|want to know|need to know|like to know|i wonder|wondering|i'm curious|curious|do you know|explain|what is|what are|what was|what were|what's|how do|how does|how can|how to|how many|how much|how long|how far|how often|why is|why are|why does|is there|are there|is it possible|do i need|should i|spell|define|definition|meaning of|mean|means|recipe|ingredients|calories|nutrition|nutritional|substitute|instead of|timezone|time zone|visa|vaccines|shots|plug|carry on|suggest|suggestion|suggestions|recommend|recommendation|recommendations|percent of|square root|convert|walk me through|teach me|show me how|inform me|any idea|which|who is|who was|when is|when does|where is|where are|ideas for|things to do|sights|attractions|list|name|give me|look up|show|show me|can you help|math|credit score|jump start|oil change|change my oil|change the oil|out loud|statistics|number of|difference between|compared|overview of|status of|info|information|details|facts",
	"什么|谁|哪|哪里|哪个|哪些|为什么|为何|怎么|怎样|如何|多少|几|几个|几点|是否|是不是|有没有|吗|呢|多长|多久|多远|多大|告诉我|想知道|请问|解释|意思|区别|是多少|怎么样|情况|查一下|看一下|看看|看下|查询|显示|列出|对不对",
)

// DefaultRules are the rules for English, Chinese, and both in one sentence. Their
// order matters: "how do I export it" asks, although it has a verb of doing.
func DefaultRules() []Rule {
	doStart := slices.Concat(each("^", doing), doingHan)
	request := list(
		"can you|could you|would you|will you|can u|could u|would you mind|i want you to|i need you to|i'd like you to|i would like you to|i'd like to|i would like to|i want to|i need to|i wish to|i have to|let's|let us|i wanna|i gotta|i got to|help me|we need to|we want to|i'd love to|i am going to|i'm going to|i'm trying to|trying to|looking to|like it if you|you to|remind me|make sure|go ahead|please",
	)
	having := list("^i need a|^i need an|^i need the|^i need my|^i need some|^i need more|^i want a|^i want an|^i want my|^i want the|^i want your|^i would like a|^i'd like a|^i would like an|^i'd like an|^i would like my|^i would like more|^i'm out of|^i am out of|^i lost|^i've lost|^i need|^my card|^i'm planning|^i've|^i require|^i feel|^i've got|^timer|^alarm|^volume|^reminder|^i have an|^i have a|^i'm|^i am|^my")
	var asked []Rule
	asked = append(asked,
		Rule{Name: "command", Kind: Command, Confidence: 0.95, Any: list("=help|=帮助|=stop|=停|=停止|=status|=version")},
		Rule{Name: "small talk", Kind: Chitchat, Confidence: 0.97, Any: each("=", social)},
		Rule{Name: "memory", Kind: Question, Confidence: 0.9, Any: list("you remember|you know about me|you know about us|who is my manager|who is my boss|have you stored|what is scheduled|what's scheduled|你记得|你都记得|你还记得|你记住了|你都记住了|记住了什么|记住了哪些|知道我什么|有哪些定时|哪些任务|什么任务|我的经理是谁|我的老板是谁|有什么定时")},
		Rule{Name: "work", Kind: Task, Confidence: 0.9, Any: list("summarise|summarize|post it|post this|post that|do this every|every month on|every day at|every monday|from now on|remember that|write a report|write an analysis|write a short analysis|汇总|发到|以后每|每个月|每周一|每天早上|做一份|写一份|导出|记住|以后我要|定时"), Unless: list("^为什么|^怎么|^如何|^how|^why|^who")},
		Rule{Name: "figures asked for", Kind: Question, Confidence: 0.85,
			Any:    list("sales|revenue|orders|turnover|figures|kpi|units sold|customers|销售|销售额|订单|营收|收入|销量|客户数|业绩|同比|环比"),
			Unless: slices.Concat(each("^", doing), list("every|post|send|export|report|chart|spreadsheet|excel|csv|发|导出|报告|图|每天|每周|每月|表格"))},
		Rule{Name: "asked to do", Kind: Task, Confidence: 0.75, Any: request, Then: doing,
			Unless: list("^what|^how|^why|^when|^where|^which|^who|tell me|to know|make pizza|recipe|spell|^do i|^is|^are|suggestion|suggestions|joke|let me know|nutrition|nutritional|visa|my oil|credit score|talk to you|talk with you|speak with you")},
		Rule{Name: "about the bot", Kind: Chitchat, Confidence: 0.85, Most: 18, Any: aboutBot,
			Unless: slices.Concat(each("^", list("set|book|cancel|add|play|turn|pause|change|call|switch|remove|put|delete|rate|remind|order|reserve|create|send|post|share|schedule|use|resume|skip|find|get|buy|open|close|start|i need to order|i need to book")), list("and then|播放|添加|设置|删除|餐厅|提醒|sales|revenue|orders|report|csv|excel|schedule|post it|post this|数据|销售|订单|报告|频道|calories|recipe|reservation|reservations|flight|oil|restaurant|my calendar|timezone|visa"))},
		Rule{Name: "how one does it", Kind: Question, Confidence: 0.8, Any: list("^how|^why|^为什么|^怎么|^如何|^tell me how|^can you tell me how|^show me how|^explain|^can you explain|^could you explain")},
		Rule{Name: "doing", Kind: Task, Confidence: 0.85, Any: doStart,
			Unless: list("^谁|^什么是|^什么|^为什么|^是谁|^do you know|^convert|^calculate|^name|^给我推荐")},
	)
	return append(asked,
		Rule{Name: "about you", Kind: Chitchat, Confidence: 0.7, Most: 14, Any: list("^you|^you're|^are you|^were you|^do you|^did you|^would you|^have you|^what are you|^what are your|^who is your|^who's your|^what is your|^what's your|^where do you|^where did you|^where were you|^when were you|^what do you|^what did you|^what makes you|^who do you|^whom do you|^how old|^tell me about you|^tell me your|^give me your|^may i have your|^can i have your|yourself|^your|^the feeling|^ai|^it is nice|^it was nice|^it's nice|^it was lovely|^what kind of robot|^are ai|^what is ai|你|^机器人|^我有|^我很|^我在|^不它|^不撒谎|^有趣|^感觉"),
			Unless: list("do you know|do you have any idea|你知道|would you|will you|你能不能|你可以帮|请|帮我|给我|提醒|我要|发|看|查|数据|频道|文件|定时|任务|报告|need to make|do you need|do you recommend|do you suggest|do you convert|do you spell|recipe|do you make|do you cook|do you change|do you use|do you jump|你知道吗")},
		Rule{Name: "having", Kind: Task, Confidence: 0.6, Any: having, Unless: wonderingEn()},
		Rule{Name: "asking", Kind: Question, Confidence: 0.8, Any: each("^", asking)},
		Rule{Name: "wondering", Kind: Question, Confidence: 0.7, Any: wondering},
		Rule{Name: "having something", Kind: Task, Confidence: 0.5, Any: having},
		Rule{Name: "asked", Kind: Task, Confidence: 0.5, Any: list("can you|could you|please|i want|i need|i'd like|i would like|我想|我要|我需要|请|帮")},
	)
}

// wonderingEn are the words of wondering that weigh more than "I need".
func wonderingEn() []string {
	return list("to know|recipe|ingredients|calories|nutrition|how to|how do|how long|how many|how much|what|suggestion|suggestions|recommendation|recommendations|visa|vaccines|shots|plug|timezone|carry on|spell|jump start|substitute|convert|next holiday|credit score|ideas|things to do|meal|which|where|when|why|who|information|math|make")
}
