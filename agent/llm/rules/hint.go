package rules

import "regexp"

// What people ask for that is not done, and what can be done instead of it.
var (
	noFormat  = regexp.MustCompile(`(?i)^(?:i|we) (?:don't|don’t|do not|no longer|never) (?:want|need|like|use)(?: to (?:get|have|see|use))?(?: (?:any|an|the|my|more))* (?:excel|xlsx?|csv|pdfs?|spreadsheets?)(?: (?:files?|sheets?|format|reports?))?(?: any ?more| any longer)?[.! ]*$|^(?:我|我们)(?:再也|以后|现在)?(?:不要|不想要|不再要|不用|不需要|不喜欢|不再用|不再需要) ?(?:excel|xlsx?|csv|pdf|表格|电子表格)(?:格式|文件|的)*(?:了|啦)?[。！! ]*$`)
	allJobs   = regexp.MustCompile(`(?i)^(?:please |can you |could you )*(?:pause|suspend|stop|hold|resume|unpause|restart|delete|cancel|remove|drop) (?:everything|(?:all|every)(?: of)?(?: (?:my|our|the|these|those|running|active|scheduled))* (?:schedules?|jobs?|tasks?|reminders?|reports?)|all of (?:it|them))(?: please)?[.! ]*$|^(?:请|麻烦|帮我)*(?:把)?(?:暂停|停止|停掉|恢复|删除|取消|删掉|清空)(?:掉)?(?:我|我们)?的?(?:所有|全部)的?(?:定时)?(?:任务|计划|报告|提醒)(?:吧)?[。！! ]*$|^(?:请|麻烦|帮我)*把?(?:我|我们)?的?(?:所有|全部)的?(?:定时)?(?:任务|计划|报告|提醒)(?:都|全)*(?:暂停|停止|停掉|停了|恢复|删除|取消|删掉|删了)(?:吧|掉|了)*[。！! ]*$`)
	remindAny = regexp.MustCompile(`(?i)\bremind\b|提醒`)
)

// hintFor says what to do instead, for the whole of a text that comes to nothing.
func (c reader) hintFor(text string) string {
	switch {
	case noFormat.MatchString(text):
		return c.pick("To get another format from now on, say “from now on I want CSV” (or Excel, or PDF). To drop what I keep of it, say “forget that I prefer Excel”. For one report only: “…, no file”.", "要换格式就说“以后我要CSV格式”（或Excel、PDF）；要我不再记着就说“忘记我喜欢Excel”；只有一次不要文件就说“……，不要文件”。")
	case allJobs.MatchString(text):
		return c.pick("I change one schedule at a time, so that none goes by mistake: “show my schedules” lists them, then “pause j…” or “delete j…” with the id.", "我一次只改一个定时任务，免得弄错。说“有哪些定时任务”会列出来，然后说“暂停 j…”或“删除 j…”加编号。")
	case renameEn.MatchString(text) || renameZh.MatchString(text):
		return c.pick("A saved report keeps its name, by which its schedules and what was allowed for it go: ask once more for what it says, tell me “save this as report …” with the new name, then “delete the report …” with the old one.", "已保存的报表不能改名，它的定时任务和授权都认这个名字：请再要一次同样的内容，说“把这个存成报表，叫……”（新名字），然后说“删除报表……”（旧名字）。")
	}
	return ""
}

var (
	renameEn = regexp.MustCompile(`(?i)^\W*(?:(?:please|can you|could you) )*(?:rename (?:the |my |our )?(?:saved )?(?:report\b.+|.+ report) (?:to|as|into) \S|change the name of (?:the |my |our )?(?:saved )?(?:report\b|.+ report\b))`)
	renameZh = regexp.MustCompile(`^(?:请|麻烦|帮我)*(?:把|将)?[^，。]*(?:报表|报告)[^，。]*(?:改名|重命名|更名|改个名)`)
)

// hintBehind says what to do instead of what was not understood.
func (c reader) hintBehind(text string) string {
	if remindAny.MatchString(text) {
		return c.pick("I can remind you here, and nobody else: “remind me tomorrow at 15:00 to call the bank”.", "我只能在这里提醒您本人，例如“明天下午3点提醒我给银行打电话”。")
	}
	return ""
}
