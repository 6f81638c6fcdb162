package querydb

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/tool"
)

// A Query is the Meta of a Table that query_metric made: what a Grid has no
// place for.
type Query struct {
	// Totals are the measure over the whole of each period, by the Role of its
	// column; not the sum of the rows where rows are left out or do not add up.
	Totals   map[tool.Role]*float64 `json:"totals"`
	NoTotal  bool                   `json:"no_total,omitempty"` // the rows do not add up
	Top      int                    `json:"top,omitempty"`
	Compared map[string]Days        `json:"compared,omitempty"` // by name of the comparison
	Recipe   Recipe                 `json:"recipe"`
}

// Days are a period for people: both days belong to it.
type Days struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// maxAnswer is how many rows the model reads; the table has all of them.
const maxAnswer = 50

// An answer is the text of a Result.
type answer struct {
	Table       string          `json:"table"`
	Title       string          `json:"title"`
	Period      *Days           `json:"period,omitempty"`
	Compared    map[string]Days `json:"compared,omitempty"`
	Columns     []tool.Column   `json:"columns"`
	Rows        [][]any         `json:"rows"`
	RowCount    int             `json:"row_count"`
	Truncated   int             `json:"truncated,omitempty"`
	Total       *total          `json:"total,omitempty"`
	Overall     *total          `json:"overall,omitempty"` // in place of Total where parts do not add up
	MissingDays []string        `json:"missing_days,omitempty"`
	AsOf        string          `json:"as_of,omitempty"` // of when the figures are
	Note        string          `json:"note,omitempty"`
}

type total struct {
	Value    *float64 `json:"value"`
	Previous *float64 `json:"previous_period,omitempty"`
	Year     *float64 `json:"year_before,omitempty"`
}

// store keeps the table and says what is in it. What it says is read from what is
// kept, since a call that is run again after a crash finds the first table.
func (m metric) store(ctx context.Context, c tool.Call, q question, t tables) (tool.Result, error) {
	hash, err := hashOf(q.recipe())
	if err != nil {
		return tool.Result{}, err
	}
	meta := Query{Totals: t.totals, NoTotal: q.measure.NoTotal, Top: q.top, Recipe: q.recipe()}
	for _, p := range q.compare {
		if meta.Compared == nil {
			meta.Compared = map[string]Days{}
		}
		meta.Compared[p.name] = Days{p.days.first(), p.days.last()}
	}
	a, g, err := keep(ctx, m.arts, c, q.grid(t), meta, hash)
	if err != nil {
		return tool.Result{}, err
	}
	if err := json.Unmarshal(a.Meta, &meta); err != nil {
		return tool.Result{}, fmt.Errorf("decode query of table %s: %w", a.ID, err)
	}
	period := days{wallDay(g.Period.From, g.Period.From.Location()), wallDay(g.Period.To, g.Period.To.Location())}
	out := answerOf(a, g)
	out.Period = &Days{period.first(), period.last()}
	out.Compared = meta.Compared
	out.MissingDays = g.Missing
	sums := &total{meta.Totals[tool.RoleValue], meta.Totals[tool.RolePrevious], meta.Totals[tool.RoleYear]}
	if meta.NoTotal {
		out.Overall = sums
	} else {
		out.Total = sums
	}
	switch {
	case sums.Value == nil:
		out.Note = "there is no data for this in the period"
	case q.asked.running() && len(q.compare) > 0 && q.lang == "zh":
		out.Note = "这段时间还没有结束，对比的是同样多的天数。"
	case q.asked.running() && len(q.compare) > 0:
		out.Note = "The period is not over yet; it is compared with as many days."
	}
	return tool.JSON(out)
}

// keep stores a Grid as a Table and returns what is stored under its id.
func keep(ctx context.Context, arts tool.Artifacts, c tool.Call, g tool.Grid, meta any, recipe string) (tool.Artifact, tool.Grid, error) {
	body, err := json.Marshal(g)
	if err != nil {
		return tool.Artifact{}, g, fmt.Errorf("encode table: %w", err)
	}
	about, err := json.Marshal(meta)
	if err != nil {
		return tool.Artifact{}, g, fmt.Errorf("encode query of table: %w", err)
	}
	a, err := arts.Put(ctx, tool.Artifact{
		ID: tool.NewID(c.ID, "table"), Kind: tool.Table, Title: g.Title, Mime: "application/json",
		Body: body, Meta: about, Recipe: recipe, Run: c.Run, Call: c.ID,
	})
	if err != nil {
		return tool.Artifact{}, g, fmt.Errorf("keep table: %w", err)
	}
	g, err = tool.DecodeGrid(a.Body)
	return a, g, err
}

func answerOf(a tool.Artifact, g tool.Grid) answer {
	asOf := ""
	if !g.AsOf.IsZero() {
		asOf = g.AsOf.UTC().Format(time.RFC3339)
	}
	return answer{
		AsOf: asOf, Table: a.ID, Title: g.Title, Columns: g.Columns, Rows: g.Rows[:min(len(g.Rows), maxAnswer)],
		RowCount: len(g.Rows), Truncated: g.Truncated,
	}
}

// grid puts the figures into words.
func (q question) grid(t tables) tool.Grid {
	g := tool.Grid{
		Title: q.title(), Measure: q.measure.Name, By: q.byNames(), Where: q.filterNames(),
		Range: q.asked.words, Period: q.asked.period(), Zone: q.zone,
		Rows: [][]any{}, Truncated: t.left, NoTotal: q.measure.NoTotal, Source: q.source.layer.Name, SQL: t.sql, Days: t.days, Missing: t.missing, AsOf: t.asOf,
	}
	for _, d := range q.by {
		g.Columns = append(g.Columns, tool.Column{Key: d.Name, Label: d.Label.In(q.lang), Role: tool.RoleBy})
	}
	label := q.measure.Label.In(q.lang)
	value := tool.Column{Key: q.measure.Name, Label: label, Role: tool.RoleValue, Unit: q.measure.Unit, Scale: q.measure.Scale}
	g.Columns = append(g.Columns, value)
	for _, p := range q.compare {
		beside := value
		beside.Key, beside.Role = q.measure.Name+"_"+p.name, p.role
		if beside.Label = label + ", " + p.label; isZh(q.lang) {
			beside.Label = p.label + label
		}
		g.Columns = append(g.Columns, beside)
	}
	for _, r := range t.rows {
		var cells []any
		for i, v := range r.by {
			if name, ok := v.(string); ok {
				v = q.by[i].Show(name, q.lang)
			}
			cells = append(cells, v)
		}
		for _, c := range g.Columns[len(q.by):] {
			if f := r.figures[c.Role]; f != nil {
				cells = append(cells, *f)
			} else {
				cells = append(cells, nil)
			}
		}
		g.Rows = append(g.Rows, cells)
	}
	return g
}

// title says what the table is: "Sales by region, October 2026",
// "2026年10月按地区汇总的销售额".
func (q question) title() string {
	zh := isZh(q.lang)
	var by, values []string
	for _, d := range q.by {
		by = append(by, d.Label.In(q.lang))
	}
	for _, f := range q.where {
		for _, v := range f.values {
			values = append(values, f.dimension.Show(v, q.lang))
		}
	}
	if n := len(values); n > 4 {
		more := fmt.Sprintf("%d more", n-3)
		if zh {
			more = fmt.Sprintf("等%d项", n)
		}
		values = append(slices.Clone(values[:3]), more)
	}
	label, period := q.measure.Label.In(q.lang), q.asked.label(q.lang)
	if zh {
		title := period + strings.Join(values, "、")
		if len(by) > 0 {
			title += "按" + strings.Join(by, "、") + "汇总的"
		}
		title += label
		if q.top > 0 {
			title += fmt.Sprintf("（前%d名）", q.top)
		}
		return title
	}
	title := label
	if len(by) > 0 {
		title += " by " + strings.Join(by, " and ")
	}
	if len(values) > 0 {
		title += ", " + strings.Join(values, ", ")
	}
	if q.top > 0 {
		title += fmt.Sprintf(", top %d", q.top)
	}
	return title + ", " + period
}
