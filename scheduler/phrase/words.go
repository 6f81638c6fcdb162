package phrase

import "hermes/scheduler/calendar"

// weekdays is a set of days of the week; bit 0 is Sunday.
type weekdays uint8

const (
	workdays weekdays = 0b0111110
	weekend  weekdays = 0b1000001
)

// plurals are the names that by themselves say "every".
var weekdayNames, plurals = weekdayTable()

var cardinals = map[string]int{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
	"nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

var ordinals = map[string]int{
	"first": 1, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17,
	"eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}

var monthNames = monthTable()

func monthTable() map[string]int {
	full := []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}
	table := map[string]int{"sept": 9}
	for i, name := range full {
		table[name], table[name[:3]] = i+1, i+1
	}
	return table
}

func weekdayTable() (names map[string]weekdays, plural map[string]bool) {
	names, plural = map[string]weekdays{}, map[string]bool{}
	for day, forms := range [][]string{
		{"sunday", "sun"}, {"monday", "mon"}, {"tuesday", "tues", "tue"}, {"wednesday", "wed", "weds"}, {"thursday", "thurs", "thur", "thu"},
		{"friday", "fri"}, {"saturday", "sat"},
	} {
		for _, form := range forms {
			names[form] = 1 << day
		}
		names[forms[0]+"s"] = 1 << day
		plural[forms[0]+"s"] = true
	}
	return names, plural
}

// unitWords are the words for units, in their canonical form.
var unitWords = map[string]calendar.Unit{
	"second": second, "minute": calendar.Minute, "hour": calendar.Hour, "day": calendar.Day, "week": calendar.Week, "month": calendar.Month,
	"quarter": calendar.Quarter, "halfyear": calendar.HalfYear, "year": calendar.Year, "fortnight": fortnight, "workday": workday, "weekdays": workday,
	"weekend": weekends, "weekends": weekends,
}

// Units that people count in and the calendar does not.
const (
	second    calendar.Unit = "second"
	fortnight calendar.Unit = "fortnight"
	workday   calendar.Unit = "workday"
	weekends  calendar.Unit = "weekend"
)

// manyParts are parts of the day that come again and again.
var manyParts = map[string]string{"mornings": "morning", "afternoons": "afternoon", "evenings": "evening", "nights": "night"}

// synonyms brings words that mean the same to times into one form.
var synonyms = map[string]string{
	"each": "every", "everyday": "daily", "tmr": "tomorrow", "tmrw": "tomorrow", "tomorow": "tomorrow", "tomorrows": "tomorrow", "todays": "today",
	"tongiht": "tonight", "tonite": "tonight", "yesterdays": "yesterday",
	"mins": "minute", "min": "minute", "minutes": "minute", "hours": "hour", "hr": "hour", "hrs": "hour", "days": "day", "weeks": "week", "wk": "week",
	"wks": "week", "months": "month", "mos": "month", "years": "year", "yr": "year", "yrs": "year", "quarters": "quarter", "qtr": "quarter",
	"seconds": "second", "secs": "second", "sec": "second", "fortnight": "fortnight", "fortnights": "fortnight",
	"workday": "workday", "workdays": "workday", "weekday": "workday", "weekdays": "weekdays", "nightly": "nightly",
	"lunchtime": "noon", "midday": "noon", "noontime": "noon",
	"annually": "yearly", "oclock": "oclock", "eod": "eod", "cob": "eod", "upcoming": "coming", "prior": "last", "past": "past",
	"till": "until", "til": "until", "through": "to", "thru": "to", "excluding": "except", "besides": "except", "not": "not",
	"beginning": "start", "begin": "start", "start": "start", "begins": "start", "couple": "couple", "few": "few", "several": "few",
	"approximately": "about", "around": "about", "circa": "about", "roughly": "about", "occurrences": "times", "occurrence": "times", "time": "time",
	"alternate": "other", "instances": "instance", "onwards": "onward", "nows": "now",
}

var simplified = map[rune]rune{
	'週': '周', '個': '个', '點': '点', '號': '号', '後': '后', '鐘': '钟', '時': '时', '禮': '礼', '從': '从', '開': '开', '間': '间', '僅': '仅', '內': '内',
	'兩': '两', '這': '这', '現': '现', '馬': '马', '過': '过', '晝': '昼', '聽': '听', '尋': '寻', '發': '发', '總': '总', '銷': '销', '對': '对', '報': '报',
	'統': '统', '計': '计', '還': '还', '與': '与', '為': '为', '給': '给', '請': '请', '額': '额', '數': '数', '訂': '订', '單': '单', '換': '换', '幾': '几', '農': '农', '曆': '历', '歷': '历', '節': '节', '陰': '阴',
}

var chineseDigits = map[rune]int{
	'零': 0, '〇': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9,
}

// chinese is what the lexer knows, in simplified characters, with the English
// word of the same meaning where the grammar has one.
var chinese = map[string]string{
	"每": "every", "每个": "every", "每一个": "every", "每逢": "every", "逢": "every", "每当": "每当", "单月": "oddmonth", "奇数月": "oddmonth", "双月": "evenmonth", "偶数月": "evenmonth", "每隔": "everyskip", "各": "各", "每晚": "nightly", "每早": "everymorning",
	"隔天": "everyotherday", "隔日": "everyotherday", "隔周": "everyotherweek",
	"年": "year", "月": "month", "周": "week", "星期": "week", "礼拜": "week", "天": "day", "日": "day", "季度": "quarter", "季": "quarter", "半年": "halfyear",
	"小时": "hour", "钟头": "hour", "分钟": "minute", "分": "minute", "秒": "second", "秒钟": "second", "刻钟": "刻", "刻": "刻", "月份": "month",
	"个": "个", "号": "号", "第": "第", "最后": "final", "最后一": "final", "最后一个": "final", "首": "firstone", "首个": "firstone", "的": "的", "那": "的", "头": "头",
	"今天": "today", "今日": "today", "明天": "tomorrow", "明日": "tomorrow", "听日": "tomorrow", "后天": "overmorrow", "大后天": "in3days", "昨天": "yesterday", "昨日": "yesterday", "寻日": "yesterday",
	"前天": "2daysago", "大前天": "3daysago", "今晚": "tonight", "明晚": "tomorrownight", "听晚": "tomorrownight", "昨晚": "lastnight", "今早": "thismorning", "今晨": "thismorning", "今朝": "thismorning",
	"明早": "tomorrowmorning", "听朝": "tomorrowmorning", "明晨": "tomorrowmorning", "现在": "now", "而家": "now", "马上": "now", "立刻": "now", "立即": "now",
	"下": "next", "下个": "next", "下一": "next", "下一个": "next", "下下": "next2", "下下个": "next2", "上": "prev", "上个": "prev", "上一": "prev", "上一个": "prev", "上上": "prev2", "上上个": "prev2",
	"这": "this", "这个时候": "thistime", "这个时间": "thistime", "这时候": "thistime", "同一时间": "thistime", "这个": "this", "本": "this", "当": "this", "去年": "lastyear", "今年": "thisyear", "明年": "nextyear", "后年": "nextyear2", "前年": "lastyear2",
	"后": "later", "之后": "later", "以后": "later", "过后": "later", "前": "ago", "之前": "ago", "以前": "ago", "内": "within", "之内": "within", "以内": "within",
	"至": "to", "到": "to", "和": "and", "与": "and", "及": "and", "以及": "and", "或": "or", "从": "from", "由": "from", "自": "from", "起": "onward", "开始": "start",
	"直到": "until", "截至": "until", "截止": "until", "截止到": "until", "除": "except", "除了": "except", "外": "外", "以外": "外", "之外": "外", "删除": "删除", "解除": "解除", "清除": "清除", "移除": "移除", "扣除": "扣除", "免除": "免除", "去除": "去除", "开除": "开除", "除以": "除以", "除非": "除非", "除法": "除法", "除夕": "除夕", "除去": "except", "除外": "except", "之间": "between", "仅在": "only", "只在": "only", "仅": "only", "只": "only",
	"月底": "monthend", "月末": "monthend", "月初": "monthstart", "年底": "yearend", "年末": "yearend", "年初": "yearstart", "季末": "quarterend", "季度末": "quarterend", "季初": "quarterstart", "季度初": "quarterstart",
	"周末": "weekend", "工作日": "workday", "平日": "workday", "上班日": "workday", "交易日": "workday", "次": "times", "遍": "times", "一次": "once", "一遍": "once",
	"早上": "morning", "早晨": "morning", "上午": "morning", "清晨": "morning", "清早": "morning", "早": "morning", "早中晚": "早中晚", "早午晚": "早中晚", "中午": "noon", "正午": "noon", "午间": "noon",
	"下午": "afternoon", "午后": "afternoon", "晏昼": "afternoon", "傍晚": "evening", "晚上": "evening", "晚间": "evening", "晚": "evening", "夜里": "night", "夜晚": "night", "夜间": "night",
	"半夜": "midnight", "午夜": "midnight", "深夜": "night", "凌晨": "smallhours", "点": "点", "点钟": "点", "时": "时", "半": "half", "整": "整", "正": "整", "开始在": "start",
	"星期天": "sunday", "几": "few", "数": "few", "最接近": "nearest", "早报": "早报", "日报": "日报", "周报": "周报", "月报": "月报", "年报": "年报", "节假日": "holiday", "在": "at",
	"最近": "最近", "过去": "过去", "近": "近", "再": "再", "往": "往", "向": "向", "以来": "以来", "至今": "至今", "今": "今", "目前": "目前", "同期": "同期",
	"时间": "时间", "倒数": "倒数", "过": "过", "分别": "分别", "前一": "前一", "后一": "后一", "半天": "半天", "半小时": "halfhour", "半个小时": "halfhour", "半个钟头": "halfhour", "半分钟": "halfminute", "半个月": "halfmonth", "双周": "everyotherweek", "农历": "lunar", "阴历": "lunar", "初": "初",
}

// lunar are days that follow the moon: which day they are is asked, not
// guessed.
var lunar = []string{
	"农历", "阴历", "農曆", "陰曆", "春节", "春節", "除夕", "大年", "元宵", "端午", "七夕", "中秋", "重阳", "重陽", "腊月", "臘月", "正月", "清明", "冬至",
	"lunar", "full moon", "new moon", "满月", "chinese new year", "spring festival", "mid-autumn", "dragon boat", "ramadan", "eid", "diwali",
}

// dayparts are what people mean by a part of a day when they give no hour, and
// whether an hour they give with it is after noon.
var dayparts = map[string]struct {
	hour int
	pm   bool
}{
	"morning": {9, false}, "noon": {12, true}, "afternoon": {15, true}, "evening": {20, true}, "night": {22, true}, "midnight": {0, false}, "smallhours": {0, false},
}

// shichen are the twelve double hours by the hour they start at.
var shichen = map[string]int{
	"子": 23, "丑": 1, "寅": 3, "卯": 5, "辰": 7, "巳": 9, "午": 11, "未": 13, "申": 15, "酉": 17, "戌": 19, "亥": 21,
}
