package eval

import (
	"fmt"
	"time"
)

// fortnightBegan is a Monday, before anybody is at work.
var fortnightBegan = time.Date(2026, 11, 2, 5, 0, 0, 0, time.UTC)

const fortnightLong = 14 * 24 * time.Hour

// A task is something that a person asks for in the fortnight, and, where it comes again
// by a schedule, each of its slots is one more.
type task struct {
	id     string
	at     time.Time
	from   string
	zone   string
	text   string
	report bool
	posts  string // channel to which it posts
	stages []stage
	last   string
	next   func(n int) *Call // of one that never comes to an end
	slots  []stage           // what its schedule does each time; none: there is no schedule
	says   string            // what its person answers when it is asked for words
}

// figure is the call for figures.
func figure(measure, by, period string, more ...any) Call {
	args := map[string]any{"measure": measure, "period": period}
	if by != "" {
		args["by"] = []any{by}
	}
	for i := 0; i+1 < len(more); i += 2 {
		if name, ok := more[i].(string); ok {
			args[name] = more[i+1]
		}
	}
	return Call{"query_metric", args}
}

func filter(dimension, value string) []any {
	return []any{map[string]any{"dimension": dimension, "values": []any{value}}}
}

func reportAs(format string) Call {
	return Call{"make_report", map[string]any{"tables": []any{"$table"}, "format": format}}
}

func postTo(channel string) Call {
	return Call{"post_message", map[string]any{"channel": channel, "report": "$report"}}
}

// plain are stages without a slip.
func plain(calls ...Call) []stage {
	var all []stage
	for _, c := range calls {
		all = append(all, stage{call: c})
	}
	return all
}

// again are the stages of a report that is posted now and again by a schedule: both are
// asked for in one reply.
func again(look Call, format, channel, when, request, name string) []stage {
	add := Call{"schedule_add", map[string]any{"when": when, "request": request, "channel": channel, "report": "$report", "name": name}}
	all := plain(look, reportAs(format), postTo(channel))
	all[2].with = []Call{add}
	return all
}

const (
	atBerlin   = "Europe/Berlin"
	atShanghai = "Asia/Shanghai"
)

// fortnightTasks are those that people ask for: 61 of the 84 are reports that come every
// week or day, and 33 of these by schedules.
func fortnightTasks() []task {
	var all []task
	add := func(dayOf, hour, minute int, t task) {
		t.at = time.Date(2026, 11, 2+dayOf, hour, minute, 0, 0, time.UTC)
		if t.zone == "" {
			t.zone = atBerlin
		}
		t.id = fmt.Sprintf("t%02d", len(all)+1)
		all = append(all, t)
	}
	// Four reports by schedule: each is approved once, by the card of its first post.
	salesDaily := figure("sales", "region", "yesterday")
	add(0, 6, 30, task{
		from: person("ana"), report: true, posts: "sales", last: "The report is in #sales, and comes there every weekday at 8:30.",
		text:   "Make a report of yesterday's sales by region, post it to #sales, and do this every weekday at 8:30",
		stages: again(salesDaily, "xlsx", "#sales", "every weekday at 8:30", "Make a report of yesterday's sales by region and post it to #sales", "Daily sales"),
		slots:  plain(salesDaily, reportAs("xlsx"), postTo("#sales")),
	})
	ordersDaily := figure("orders", "product", "yesterday")
	add(0, 7, 5, task{
		from: person("wei"), zone: atShanghai, report: true, posts: "ops", last: "报告已发到 #ops，以后每个工作日 17:30 都会发。",
		text:   "按产品汇总昨天的订单数，做成报告发到 #ops，每个工作日17:30发一次",
		stages: again(ordersDaily, "xlsx", "#ops", "每个工作日17:30", "按产品汇总昨天的订单数，做成报告发到 #ops", "每日订单"),
		slots:  plain(ordersDaily, reportAs("xlsx"), postTo("#ops")),
	})
	profitDaily := figure("profit", "category", "yesterday")
	add(0, 8, 10, task{
		from: person("tom"), report: true, posts: "finance", last: "Posted to #finance; from now on every weekday at 18:00.",
		text:   "Report yesterday's profit by category to #finance, and again every weekday at 18:00",
		stages: again(profitDaily, "none", "#finance", "every weekday at 18:00", "Report yesterday's profit by category to #finance", "Daily profit"),
		slots:  plain(profitDaily, reportAs("none"), postTo("#finance")),
	})
	// SCEN-12: the Friday report with its CSV.
	friday := figure("sales", "product", "this_week")
	add(4, 9, 0, task{
		from: person("eve"), report: true, posts: "management", last: "The CSV and the report are in #management, and come there every Friday at 16:00.",
		text:   "Export this week's sales by product as CSV with a short report, post it to #management, and do the same every Friday at 16:00",
		stages: again(friday, "csv", "#management", "every Friday at 16:00", "Export this week's sales by product as CSV with a short report and post it to #management", "Friday report"),
		slots:  plain(friday, reportAs("csv"), postTo("#management")),
	})
	// A report that is asked for by hand, four times: the first yes allows all of its kind.
	board := figure("sales", "category", "last_week")
	for _, d := range []int{1, 3, 8, 10} {
		add(d, 12, 40, task{
			from: person("sam"), report: true, posts: "board", last: "It is in #board.",
			text: "Make the report of last week's sales by category and post it to #board", stages: plain(board, reportAs("xlsx"), postTo("#board")),
		})
	}
	// Weekly reports for the leads of regions and products, answered where they ask.
	for week := range 2 {
		for i, r := range []string{"Asia", "Europe", "North America", "South America", "Africa", "Oceania"} {
			add(7*week+i/3, 7, 20+9*(i%3), task{
				from: person(fmt.Sprintf("lead%d", i)), report: true, last: "Here is the report of last week for " + r + ". $first",
				text:   "Weekly report of sales for " + r + " by product, please: last week compared with the week before",
				stages: plain(figure("sales", "product", "last_week", "where", filter("region", r), "compare", []any{"previous_period"}), reportAs("xlsx")),
			})
		}
		for i, c := range []string{"Furniture", "Stationery", "Electronics"} {
			add(7*week+2, 9, 40+6*i, task{
				from: person("product" + fmt.Sprint(i)), report: true, last: "Here is the weekly report of " + c + ". $first",
				text:   "Weekly report of units of " + c + " by region, last week",
				stages: plain(figure("units", "region", "last_week", "where", filter("category", c)), reportAs("csv")),
			})
		}
	}
	for i, d := range []int{3, 6, 11} {
		add(d, 13, 10, task{
			from: person("joe"), report: true, last: "这是本月到目前的报告。$first", zone: atShanghai,
			text:   []string{"做一份本月至今的销售周报，按地区", "把本月至今的销售按地区再做一份周报", "本月至今的销售周报，按地区"}[i],
			stages: plain(figure("sales", "region", "this_month"), reportAs("none")),
		})
	}
	adHoc(add)
	return all
}

// adHoc are 23 tasks beside the reports. Of four the script never comes to an end, and two
// lack what only their person knows.
func adHoc(add func(int, int, int, task)) {
	ask := func(d, h, m int, who, text string, look Call) {
		add(d, h, m, task{from: person(who), text: text, stages: plain(look), last: "$first (step 1)"})
	}
	ask(0, 10, 15, "ana", "How many orders did we have last month, by region?", figure("orders", "region", "last_month"))
	ask(0, 14, 5, "joe", "上个月哪个产品的销售额最高？", figure("sales", "product", "last_month", "top", 3))
	ask(1, 9, 30, "tom", "Which category brought the most profit in the third quarter?", figure("profit", "category", "2026-Q3"))
	ask(1, 15, 45, "eve", "Who are our five largest customers in Europe this year?", figure("sales", "customer", "ytd", "top", 5, "where", filter("region", "Europe")))
	ask(2, 11, 0, "sam", "Compare last month's sales by region with the month before", figure("sales", "region", "last_month", "compare", []any{"previous_period"}))
	ask(2, 16, 20, "wei", "亚洲上周卖了多少件？", figure("units", "product", "last_week", "where", filter("region", "Asia")))
	ask(3, 8, 40, "ana", "What was the average order value last month by category?", figure("average_order_value", "category", "last_month"))
	ask(4, 11, 30, "lead1", "How did sales of the standing desk develop this year, by month?", figure("sales", "month", "ytd", "where", filter("product", "Standing Desk")))
	ask(4, 14, 15, "joe", "What were yesterday's orders by region?", figure("orders", "region", "yesterday"))
	ask(7, 10, 30, "tom", "Profit by region of the last 7 days?", figure("profit", "region", "last_7_days"))
	ask(8, 9, 5, "eve", "Which product sold worst last month in units?", figure("units", "product", "last_month"))
	ask(8, 15, 30, "wei", "上季度各类别的利润是多少？", figure("profit", "category", "last_quarter"))
	ask(9, 11, 10, "sam", "Sales per month this year, please", figure("sales", "month", "ytd"))
	ask(9, 14, 50, "lead2", "What did North America sell last week by category?", figure("sales", "category", "last_week", "where", filter("region", "North America")))
	ask(10, 9, 15, "ana", "Compare the sales of last month with the year before, by category", figure("sales", "category", "last_month", "compare", []any{"year_before"}))
	ask(11, 10, 0, "joe", "How many orders came in this week so far by region?", figure("orders", "region", "this_week"))
	ask(11, 15, 20, "lead0", "亚洲本月销售额按产品是多少？", figure("sales", "product", "this_month", "where", filter("region", "Asia")))
	// What only they know: they answer in words.
	for i, d := range []int{2, 9} {
		want := []string{"Europe", "Asia"}[i]
		add(d, 13, 25, task{
			from: person("new"), text: "Make me a report of the sales of my region last month", says: want, last: "Here is the report of your region. $first",
			stages: plain(Call{"ask", map[string]any{"question": "Which region is yours?"}},
				figure("sales", "product", "last_month", "where", filter("region", want)), reportAs("none")),
		})
	}
	// What never comes to an end: the same call, two calls in turn, one that is always
	// another, and one that fits no tool.
	never := func(d, h, m int, text string, next func(n int) *Call) {
		add(d, h, m, task{from: person("kim"), text: text, next: next})
	}
	never(1, 10, 50, "Find out why sales fell last month", func(int) *Call { c := figure("sales", "region", "last_month"); return &c })
	never(3, 10, 5, "Look into the profit of all our categories until it is clear", func(n int) *Call {
		c := figure("profit", []string{"category", "region"}[n%2], "last_month")
		return &c
	})
	never(8, 11, 40, "Go through our customers and tell me whatever is odd", func(n int) *Call {
		c := figure("sales", "customer", "last_month", "top", n+1)
		return &c
	})
	never(10, 15, 35, "Reconcile the sales with the ledger", func(n int) *Call {
		return &Call{"read_ledger", map[string]any{"page": n}}
	})
}
