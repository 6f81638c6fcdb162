package bot

import "fmt"

// budgetWords are what the bot says of budgets.
type budgetWords struct {
	budgets     string // over a list
	budget1     string // before one in a status
	noBudgets   string
	noBudget    string // of that name
	howToRaise  string
	whichBudget string // before the names of several
	raisedBy    string // beside one that was raised
	you         string
	workspace   string
	spans       map[string]string // "day": "today"
	moment      string            // layout of a time
	everybody   func(span string) string
	during      func(of, span string) string
	oneRun      func(trace string) string
	oneJob      func(id string) string
	outOf       func(spent, limit string) string
	notRaised   func(of, amounts string) string
	isRaised    func(of, amounts, until string) string
	raises      func(who string) string
	anew        func(until string) string
	stop1       string // between sentences that hold no full stop
	nearly      func(percent int, of, amounts, until string) string
	nearEnd     string // instead of "used up", where some of it is left
	nextCall    func(left string) string
	hidden      func(step string) string // of what was not done, since it is not for who asked
}

var englishBudgets = budgetWords{
	budgets:     "**Budgets**",
	budget1:     "Budget of ",
	noBudgets:   "There are no budgets that you may look at.",
	noBudget:    "I know no such budget.",
	howToRaise:  "Write for example `budget raise user/day:slack:T0123ABC:U0456DEF to $10`, or `… to 200000 tokens`; `budget list` shows the names.",
	whichBudget: "Several budgets could be meant. Write one of: ",
	raisedBy:    " (raised)",
	you:         "you",
	workspace:   "this workspace",
	spans:       map[string]string{"day": "today", "month": "this month"},
	moment:      "2 January, 15:04 MST",
	everybody:   func(span string) string { return "everybody, " + span },
	during:      func(of, span string) string { return of + ", " + span },
	oneRun:      func(trace string) string { return "this task (" + trace + ")" },
	oneJob:      func(id string) string { return "schedule " + id },
	outOf:       func(spent, limit string) string { return spent + " of " + limit },
	notRaised: func(of, amounts string) string {
		return "Nothing is raised: the budget has no limit of that kind, or already as much. " + of + ": " + amounts + "."
	},
	isRaised: func(of, amounts, until string) string {
		text := "Raised. " + upper(of) + ": " + amounts
		if until != "" {
			text += ", until " + until
		}
		return text + ". What stopped for it goes on with Continue."
	},
	raises: func(who string) string { return who + " can raise it" },
	anew:   func(until string) string { return "It begins anew on " + until },
	stop1:  ". ",
	nearly: func(percent int, of, amounts, until string) string {
		text := fmt.Sprintf("%d%% of a budget is used (%s: %s). Once all of it is I stop", percent, of, amounts)
		if until != "" {
			text += " until " + until
		}
		return text + ". "
	},
	nearEnd: "This is not complete: the next step would pass a budget.",
	nextCall: func(left string) string {
		return left + " is left, and the next call of the model would pass it"
	},
	hidden: func(step string) string { return "⚠ Not done: " + step + ". You may not use this here." },
}

var chineseBudgets = budgetWords{
	budgets:     "**预算**",
	budget1:     "预算：",
	noBudgets:   "没有您可以查看的预算。",
	noBudget:    "没有这个预算。",
	howToRaise:  "可以这样写：`budget raise user/day:slack:T0123ABC:U0456DEF to $10`，或 `把本月的预算提高到 200000 tokens`；`预算` 会列出名称。",
	whichBudget: "可能是指几个预算，请写其中一个：",
	raisedBy:    "（已提高）",
	you:         "你",
	workspace:   "本工作区",
	spans:       map[string]string{"day": "今天", "month": "本月"},
	moment:      "1月2日 15:04 MST",
	everybody:   func(span string) string { return span + "所有人" },
	during:      func(of, span string) string { return of + span },
	oneRun:      func(trace string) string { return "这件事（" + trace + "）" },
	oneJob:      func(id string) string { return "定时任务 " + id },
	outOf:       func(spent, limit string) string { return spent + "，上限 " + limit },
	notRaised: func(of, amounts string) string {
		return "没有提高：这个预算没有这一类上限，或者已经有这么多。" + of + "：" + amounts + "。"
	},
	isRaised: func(of, amounts, until string) string {
		text := "已提高。" + of + "：" + amounts
		if until != "" {
			text += "，到 " + until + " 为止"
		}
		return text + "。因此停下的事按“继续”就能接着做。"
	},
	raises: func(who string) string { return who + " 可以提高它" },
	anew:   func(until string) string { return until + " 重新开始计算" },
	stop1:  "。",
	nearly: func(percent int, of, amounts, until string) string {
		text := fmt.Sprintf("一个预算已用 %d%%（%s：%s）。用完后我会停下", percent, of, amounts)
		if until != "" {
			text += "，直到 " + until
		}
		return text + "。"
	},
	nearEnd:  "还没做完：下一步会超出一个预算。",
	nextCall: func(left string) string { return "还剩 " + left + "，再调用一次模型就会超出" },
	hidden:   func(step string) string { return "⚠ 没有做：" + step + "。你在这里不能用这个功能。" },
}
