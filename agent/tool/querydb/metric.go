package querydb

import (
	"context"
	"crypto/sha256"
	"database/sql"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/tool"
	"hermes/internal/tabular"
)

//go:embed metric.md
var metricWords string

// MetricName is the name of the tool that Metric returns.
const MetricName = "query_metric"

// MetricArgs are the arguments of query_metric.
type MetricArgs struct {
	Measure string        `json:"measure" jsonschema:"its name" tool:"alias=metric|metrics|measures|metric_name|measure_name|kpi"`
	By      []string      `json:"by,omitempty" jsonschema:"dimensions" tool:"max=3,alias=group_by|groupby|groupBy|dimension|dimensions|breakdown|split_by"`
	Period  string        `json:"period,omitempty" jsonschema:"last_month (default), weeks_ago:3, last_7_days, ytd, 2026-W40, 2026-10, 2026-Q3, 2026-10-01..2026-10-31" tool:"alias=time|date|dates|date_range|dateRange|time_range|timeRange|time_period|timeframe|time_frame|range"`
	Where   []tool.Filter `json:"where,omitempty" jsonschema:"values to keep, in any language" tool:"alias=filter|filters"`
	Top     int           `json:"top,omitempty" jsonschema:"largest only" tool:"min=1,alias=limit|top_n|topN"`
	Compare []string      `json:"compare,omitempty" tool:"enum=previous_period|year_before,alias=compare_to|compare_with|comparison|comparisons"`
}

// Metric returns query_metric over the sources. It writes each table into arts.
func Metric(arts tool.Artifacts, sources ...*Source) tool.Tool {
	m := metric{arts, sources}
	return sighted{tool.New(tool.Spec{
		Name:        MetricName,
		Description: metricDescription(sources),
		Output:      tool.OutputOf[answer](),
		Effect:      tool.Read,
		Unattended:  true,
		Timeout:     time.Minute,
		Alternates:  []string{DatabaseName},
		Words: []string{
			"figure", "sales", "orders", "revenue", "average", "total", "sum", "count", "top", "trend", "compare", "growth",
			"销售", "销售额", "订单", "收入", "平均", "多少", "合计", "排名", "趋势", "同比", "环比", "统计", "数据",
		},
	}, m.run), sources, metricDescription, describeReach}
}

// describeReach says which of the sources cannot be reached; what may be asked for is
// declared and stands in the Description.
func describeReach(ctx context.Context, sources []*Source) (string, error) {
	var lines []string
	var faults []error
	for _, s := range sources {
		if err := s.read(ctx, "", func(context.Context, *sql.Tx) error { return nil }); err != nil {
			lines, faults = append(lines, unreachable(s)), append(faults, err)
		}
	}
	if len(faults) == len(sources) {
		return "", errors.Join(faults...)
	}
	return strings.Join(lines, "\n"), nil
}

// unreachable is what a model is told of a source that does not answer. Why is for
// the log alone: the words of a driver name hosts and logins.
func unreachable(s *Source) string {
	return "WARNING: source " + s.layer.Name + " cannot be reached right now; calls to it will fail."
}

// vocabulary lists what may be asked for.
func vocabulary(sources []*Source) string {
	var b strings.Builder
	for _, s := range sources {
		fmt.Fprintf(&b, "\nSource %s. Measures:", s.layer.Name)
		for _, m := range s.layer.Measures {
			fmt.Fprintf(&b, " %s (%s", m.Name, m.Label.In("en"))
			if m.Unit != "" {
				fmt.Fprintf(&b, ", %s", m.Unit)
			}
			b.WriteString(");")
		}
		b.WriteString(" dimensions:")
		for _, d := range s.layer.AllDimensions() {
			fmt.Fprintf(&b, " %s;", d.Name)
		}
	}
	return b.String()
}

type metric struct {
	arts    tool.Artifacts
	sources []*Source
}

func (m metric) run(ctx context.Context, c tool.Call, in MetricArgs) (tool.Result, error) {
	q, err := m.read(ctx, c, in)
	if err == nil {
		var t tables
		if t, err = q.fetch(ctx); err == nil {
			return m.store(ctx, c, q, t)
		}
	}
	return failed(err)
}

// failed makes what the model can mend a failed Result.
func failed(err error) (tool.Result, error) {
	var f fault
	var unread tabular.Fault
	switch why, known := reason(err); {
	case errors.As(err, &f):
		return tool.Fail("%s", string(f)), nil
	case errors.As(err, &unread):
		return tool.Fail("%s", err), nil // who has the file can mend it
	case errors.Is(err, errDeadline):
		return tool.Fail("%s; ask for less", err), nil
	case known:
		return tool.Fail("the database refused: %s", why), nil
	}
	return tool.Result{}, err
}

// A question is a call with every name resolved.
type question struct {
	target
	by      []Dimension
	where   []filter
	top     int
	asked   asked
	compare []comparison
	lang    string
	zone    string
	run     string
}

type filter struct {
	dimension Dimension
	values    []string
}

// read resolves the arguments, or says in a fault what is wrong with them.
func (m metric) read(ctx context.Context, c tool.Call, in MetricArgs) (question, error) {
	q := question{top: in.Top, lang: c.Lang, zone: c.Zone, run: c.Run}
	var err error
	if q.target, err = measureNamed(in.Measure, seen(ctx, c.Viewer(), m.sources)); err != nil {
		if hidden, none := measureNamed(in.Measure, m.sources); none == nil {
			if err := hidden.source.tell(ctx, c); err != nil {
				return q, err
			}
		}
		return q, err
	}
	for _, name := range in.By {
		d, err := q.dimensionNamed(name)
		if err != nil {
			return q, err
		}
		if slices.ContainsFunc(q.by, func(other Dimension) bool { return other.Name == d.Name }) {
			return q, faultf("by names %s twice", d.Name)
		}
		q.by = append(q.by, d)
	}
	if q.where, err = q.filters(ctx, in.Where); err != nil {
		return q, err
	}
	if q.asked, err = askedPeriod(strings.TrimSpace(in.Period), c); err != nil {
		return q, err
	}
	if n := q.asked.days.count(); n > maxDays {
		return q, faultf("the period has %d days; at most %d", n, maxDays)
	}
	for _, name := range []string{previousPeriod, yearBefore} {
		if slices.Contains(in.Compare, name) {
			q.compare = append(q.compare, q.asked.comparison(name, c.Lang))
		}
	}
	return q, nil
}

// maxDays is a century: more is a slip of the pen.
const maxDays = 36_600

func (t target) filters(ctx context.Context, in []tool.Filter) ([]filter, error) {
	var where []filter
	for _, f := range in {
		d, err := t.dimensionNamed(f.Dimension)
		if err != nil {
			return nil, err
		}
		values, err := t.source.valuesNamed(ctx, d, f.Values)
		if err != nil {
			return nil, err
		}
		if len(values) == 0 {
			return nil, faultf("where names no value of %s", d.Name)
		}
		if slices.ContainsFunc(where, func(other filter) bool { return other.dimension.Name == d.Name }) {
			return nil, faultf("where names %s twice; put all its values in one", d.Name)
		}
		where = append(where, filter{d, values})
	}
	slices.SortFunc(where, func(a, b filter) int { return strings.Compare(a.dimension.Name, b.dimension.Name) })
	return where, nil
}

// A Recipe is what a table is made by, but for the time that it is about.
type Recipe struct {
	Source  string        `json:"source"`
	Measure string        `json:"measure"`
	By      []string      `json:"by"`
	Where   []tool.Filter `json:"where"`
	Top     int           `json:"top"`
	Compare []string      `json:"compare"`
	Range   string        `json:"range"`
}

func (q question) recipe() Recipe {
	r := Recipe{
		Source: q.source.layer.Name, Measure: q.measure.Name, Top: q.top, Range: q.asked.words,
		By: q.byNames(), Where: q.filterNames(), Compare: []string{},
	}
	for _, c := range q.compare {
		r.Compare = append(r.Compare, c.name)
	}
	return r
}

func (q question) byNames() []string {
	names := []string{}
	for _, d := range q.by {
		names = append(names, d.Name)
	}
	return names
}

func (q question) filterNames() []tool.Filter {
	filters := []tool.Filter{}
	for _, f := range q.where {
		filters = append(filters, tool.Filter{Dimension: f.dimension.Name, Values: f.values})
	}
	return filters
}

// hashOf names a recipe.
func hashOf(recipe any) (string, error) {
	b, err := json.Marshal(recipe)
	if err != nil {
		return "", fmt.Errorf("encode recipe: %w", err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}
