package verify

import (
	"strings"

	"hermes/agent/run"
)

// How a claim is put in Chinese:
//
//	done       已(经)发到 #sales    我把报告发到 #sales 了    发送成功    记住了
//	stands     提醒已设置好        (a look proves it as well)
//	promise    我会明天提醒你      报告将于每月1号发到 #sales

// things are what is made, kept and sent here. What is done to other things, such as
// orders, is data.
const things = `(?:客户资料|资料|报告|报表|汇总|总结|摘要|分析|消息|通知|公告|邮件|内容|结果|图表|文件|链接|提醒|定时任务|任务|日程|计划|定时|闹钟|偏好|设置|设定|配置|记录|记忆|全部|所有|这些|这个|它|∎)`

// handed are words for bringing a thing somewhere, and where it is brought to.
const handed = `(?:张?贴|放|转|转发|转交|交|传|上传|挂|发|送|寄|推)(?:到|给|在|至)`

// A sayingZh is how an act is said.
type sayingZh struct {
	act  run.Act
	verb string // after 已
	with string // what else the clause must hold; empty: nothing
	over string // the act with its end, alone or after 我
}

var sayingsZh = []sayingZh{
	{run.Posted, `(?:发布|发送|发出|发到|发给|发往|发至|推送|转发|上传|寄出|分享到|同步到|通知|` + handed + `|[贴挂放]出)`, ``, `(?:发|发布|发送|推送|转发|上传)(?:好了|完了|出去了|成功|完毕)|(?:发到|发布到|发送到|发给|推送到|分享到|转发给).{1,20}了$|` + handed + `(?:了\s*\S|.{1,20}了$)|(?:转发|发)给了|(?:已经?)?在路上|(?:已经?)?(?:把|将)(?:其|它|这个|报告|结果|内容|消息|数据|汇总)(?:一并|成功)?提交(?:了|完成|成功)?$`},
	{run.Scheduled, `(?:安排|设置|设定|设为|预约|定好)`, `提醒|定时|任务|日程|闹钟|每[天日周月年个]|自动|明天|后天|下周`, `(?:已经?)?(?:安排|设置|设定|设|定|创建)好了|^已经?(?:安排|设置|设定)(?:好|妥)?了?$|(?:已经?)?(?:安排|设置|设定)(?:完成|完毕|成功|妥当)$|(?:安排|设置|设定|创建|添加|建)了.{0,15}(?:提醒|定时|任务|日程|闹钟)|(?:提醒|定时任务|定时).{0,6}(?:设置|设|安排|创建|添加|建)(?:好了|成功|完成|完毕)`},
	{run.Scheduled, `(?:设|创建|添加|建立|新建|新增|加入|配置)`, `提醒|定时|任务|日程|闹钟`, `(?:定时任务|提醒)(?:创建|添加)(?:成功|完成)`},
	{run.Remembered, `(?:记住|记下|记好|记录|保存|存好|存入|写入记忆|存到)`, ``, `(?:记住|记下|记好|保存好|存好)(?:来)?了|保存(?:成功|完毕)`},
	{run.Deleted, `(?:删除|删掉|删了|移除|取消|忘记|忘掉|清除|清空|撤销|撤回)`, ``, `(?:删掉|删除|忘掉|取消掉?)了|删除(?:成功|完毕)|取消成功`},
	{run.Changed, `(?:修改|更新|更改|改成|改为|改到|调整|切换|写入|重命名)`, `设置|提醒|定时|任务|日程|偏好|客户资料|crm|配置|数据库|账号`, `(?:修改|更新|更改)(?:好了|成功)`},
	{run.Changed, `(?:暂停|恢复|停用|启用|关闭|开启)`, `提醒|定时|任务|日程|计划|报告|发送|推送|它|这个|通知`, `(?:任务|提醒|定时).{0,4}(?:暂停|恢复|停用|启用)了`},
}

// adverbsZh may stand between 已 and its verb.
const adverbsZh = `(?:(?:成功|顺利|自动|一并|全部|都|[为帮替给][你您]|按照?[你您]的(?:要求|意思)|按要求|在[^，。]{1,20}?|(?:把|将)[^已，]{1,30}?))*`

// formsZh are the compiled sayings.
var formsZh = func() []formZh {
	var all []formZh
	for _, a := range sayingsZh {
		all = append(all, formZh{
			act:  a.act,
			done: re(`(?:已经?|刚刚?)\s*` + adverbsZh + `\s*` + a.verb + `(.*)$`),
			with: re(a.with),
			over: re(a.over),
		})
	}
	return all
}()

type formZh struct {
	act              run.Act
	done, with, over lazy
}

// promisesZh are claims of what will be done; the first that fits has it.
var promisesZh = []reading{
	{run.Scheduled, re(`(?:会|将)[^，]{0,25}?(?:提醒|通知)(?:你|您|大家|各位|他们|#)|我[^，]{0,6}(?:明天|后天|下周|每[天周月年]|到时候?|届时|\d+点)[^，]{0,20}(?:提醒|通知)(?:你|您|大家)`)},
	{run.Scheduled, re(`(?:会|将)[^，]{0,20}(?:每[天日周月年个]|明天|后天|下周|定时|按时|准时|自动|到点)[^，]{0,30}(?:发|推送|提醒|生成|执行|运行|汇报)|(?:每[天日周月年个]|明天|后天|下周|定时|按时|准时|自动|到时候?)[^，]{0,20}(?:会|将)[^，]{0,25}(?:发|推送|生成|执行|运行|汇报)`)},
	{run.Remembered, re(`会[^，]{0,12}(?:记住|记下|记着|记得|牢记)|(?:以后|今后|往后|从现在起)[^，]{0,10}(?:我[都就]?会|我都|都会?用|会用|就用|一律用)`)},
	{run.Posted, re(`(?:我会|我这就|我马上|我将)[^，]{0,25}(?:发到|发布到|发送到|发给|推送到|转发)`)},
	{run.Deleted, re(`(?:我会|我这就|我马上|我将)[^，]{0,12}(?:删除|删掉|忘掉|取消)`)},
	{run.Changed, re(`(?:我会|我这就|我马上|我将)[^，]{0,20}(?:修改|更新|更改|暂停|恢复)[^，]{0,12}(?:设置|提醒|定时|任务|日程|偏好|记录)`)},
}

var (
	// leadsZh may stand before a claim without changing it: words of agreement, the
	// bot itself, or one of our things.
	leadsZh = re(`^(?:(?:好的?|好嘞|好了|行|可以了?|收到|完成了?|搞定了?|没问题|明白|了解|ok|okay|done|现在|目前|另外|同时|并且|并|而且|还|也|都|均|我|然后|接着|随后|最后|这就|就|按照?(?:你|您)的(?:要求|意思)|按要求|根据(?:你|您)的要求|应(?:你|您)的?要求|(?:为|帮|给|替)(?:你|您)|成功|[^他她把将说称示]{0,30}` + things + `|以后(?:每[天周月年].{0,12})?|每[天周月年][^，]{0,14})\s*)*$`)
	// unlessZh are words before which nothing is claimed, and ifsZh those with which a
	// promise hangs on something.
	unlessZh = re(`如果|若|要是|假如|倘若|一旦|等(?:你|您|到|确认|批准)|待(?:你|您|确认|批准)|当(?:你|您)|只要|除非|除了|例如|比如|假设|没有?|未|无法|不能|不会|不可|不要|不用|并不|还不|不必|不是|别|失败|尚|可以(?:把|将|帮|为|在)?|能够|能把|能帮|想要|打算|准备|建议|应该|需要|必须|请|希望|显示|表示|说|称|根据.*(?:记录|日志)|确认|看到|草拟|@`)
	ifsZh    = re(`如果|若|要是|假如|一旦|等(?:你|您|到|确认|批准)|待(?:你|您|确认|批准)|只要|除非|(?:确认|批准|同意|审批|点击|按下|回复)[^，]{0,6}(?:后|之后|就)|按(?:“|∎|下|钮)|可以|需要`)
	pastZh   = re(`^(?:我|这个|它)?(?:昨天|前天|上次|之前|此前|以前|早些时候|早先|上周|去年|今早|那时|上个?月(?:[^的]|$))`)
	// noun follows a verb that only describes: 已发布的报告.
	noun = re(`^(?:过|好|成功)?的|^(?:到|给|至|在|于)?\s*#?[\w-]{1,30}\s*(?:频道)?(?:里|中|上)?的(?:[^，]{0,8})(?:报告|消息|内容|公告|文件|邮件)`)
	// number follows a verb in data: 已发送 1,200 封.
	number = re(`^(?:了)?\s*[:：]?\s*[\d,.]+\s*(?:[万亿千百]|封|条|笔|份|次|个|家|人|%|元|台|件|$)`)
	inChat = re(`^(?:在|到)?(?:上面|下面|上方|下方|如下|这里|此处|本对话|本帖)|如下|见(?:上|下)(?:文|方|面)`)
	// inAnswer is a place in the answer itself, or in what is worked with.
	inAnswer = re(`(?:到|给|在|至)了?\s*(?:同?一|[上下前后末最]|[表图]|附件|括号|这里|此处|第|模型|缓存|内存|[^，#@\s]{0,6}(?:列|行|表格|表[里中]|图[里中]|下方|上方|末尾|开头|附件|括号))`)
	// reachedZh is of people who have been told something.
	reachedZh = re(`^[@#\p{L}]{1,10}?\s*已经?(?:被通知|被告知|(?:收到|得到)(?:了)?(?:通知|提醒|消息|邮件))`)
	notHereZh = re(`客户|用户|顾客|买家|供应商|商家|订单`)
	// data is what acts are counted of that are not ours.
	data = re(`^了?(?:订单|交易|客户|用户|合同|商品|产品|门店)`)
	// ofThing is a subject of ours at the end of what stands before 已.
	ofThing = re(things + `\s*(?:也|都|均|全部)?$`)
)

// fixed are phrases whose signs mean nothing here.
var fixed = strings.NewReplacer("没问题", "好的", "不过", "", "不仅", "", "不但", "", "别的", "", "邀请", "邀约", "申请", "申报")

// chinese returns what a sentence claims in Chinese.
func (s sentence) chinese() []Claim {
	if !holds(s.text, stemsZh...) {
		return nil
	}
	var found []Claim
	for i, c := range s.clauses {
		before, after := s.around(i)
		c, before = fixed.Replace(c), fixed.Replace(before)
		if unlessZh().MatchString(before) {
			continue
		}
		if reachedZh().MatchString(c) && !unlessZh().MatchString(c) && !notHereZh().MatchString(c) {
			found = append(found, Claim{Act: run.Posted})
		}
		for _, f := range formsZh {
			if claim, ok := f.in(c, s.heads); ok && !pastZh().MatchString(c) {
				found = append(found, claim)
			}
		}
		if s.asksLater || ifsZh().MatchString(before+c+after) {
			continue
		}
		for _, p := range promisesZh {
			at := p.says().FindStringIndex(c)
			if at != nil && !unlessZh().MatchString(c[:at[1]]) && ours(c[:at[0]]) {
				found = append(found, Claim{Act: p.act})
				break
			}
		}
	}
	return found
}

// in reports whether a clause says that the act is done.
func (f formZh) in(c string, heads bool) (Claim, bool) {
	if m := f.done().FindStringSubmatchIndex(c); m != nil && f.with().MatchString(c) {
		head, act, rest := c[:m[0]], c[m[0]:m[2]], c[m[2]:]
		honest := noun().MatchString(rest) || number().MatchString(rest) || inChat().MatchString(rest) || data().MatchString(rest) || inAnswer().MatchString(act+rest) ||
			unlessZh().MatchString(head+act) || heads && rest == ""
		if !honest && leadsZh().MatchString(head) {
			return Claim{Act: f.act, Stands: f.act != run.Posted && ofThing().MatchString(head)}, true
		}
	}
	at := f.over().FindStringIndex(c)
	if at == nil || inAnswer().MatchString(c[at[0]:]) {
		return Claim{}, false
	}
	head := c[:at[0]]
	mine := strings.HasPrefix(head, "我") && !pastZh().MatchString(head)
	if strings.HasPrefix(c[at[1]:], "就") {
		return Claim{}, false // "if only it is"
	}
	return Claim{Act: f.act}, !unlessZh().MatchString(head) && (mine || leadsZh().MatchString(head))
}

// ours reports whether nobody else is the one who will act.
func ours(head string) bool { return strings.Contains(head, "我") || leadsZh().MatchString(head) }
