package querydb

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/tool"
)

// tables are the figures of a question, still without words.
type tables struct {
	rows    []row
	left    int // rows beyond top
	totals  map[tool.Role]*float64
	days    int      // with data
	missing []string // without
	sql     string
	asOf    time.Time // of when they are; zero: now
}

// A row has the values of the dimensions and a figure for each period.
type row struct {
	by      []any // string or nil
	figures map[tool.Role]*float64
}

// fetch asks the database, all in one transaction, so that the parts and their
// total are of one moment.
func (q question) fetch(ctx context.Context) (tables, error) {
	t := tables{totals: map[tool.Role]*float64{}}
	periods := append([]comparison{{role: tool.RoleValue, days: q.asked.days}}, q.compare...)
	var err error
	t.asOf, err = q.source.ask(ctx, q.run, q.zone, func(ctx context.Context, tx *sql.Tx) error {
		all := map[string]*row{}
		for _, p := range periods {
			total, err := q.total(ctx, tx, p.days)
			if err != nil {
				return err
			}
			t.totals[p.role] = total
			if len(q.by) == 0 {
				all[""] = q.put(all[""], nil, p.role, total)
				continue
			}
			query, err := q.parts(ctx, tx, p, all)
			if err != nil {
				return err
			}
			if p.role == tool.RoleValue {
				t.sql = query
			}
		}
		if len(q.by) == 0 {
			t.sql, _ = q.statement(q.asked.days, nil)
		}
		t.rows = q.finish(all, t.totals)
		if q.top > 0 && len(t.rows) > q.top {
			t.left = len(t.rows) - q.top
			t.rows = t.rows[:q.top]
		}
		if !q.measure.Daily {
			return nil
		}
		var err error
		t.days, t.missing, err = q.daily(ctx, tx)
		return err
	})
	return t, err
}

func (q question) put(r *row, by []any, role tool.Role, f *float64) *row {
	if r == nil {
		r = &row{by: by, figures: map[tool.Role]*float64{}}
	}
	r.figures[role] = f
	return r
}

// statement builds the query of one period. Every piece of it is declared or
// ours; every value is bound.
func (q question) statement(d days, by []Dimension) (string, []any) {
	e := q.source.engine
	var b strings.Builder
	b.WriteString("SELECT ")
	for _, d := range by {
		b.WriteString(q.expression(d) + ", ")
	}
	fmt.Fprintf(&b, "%s, COUNT(*) FROM %s WHERE %s >= %s AND %s < %s", q.measure.SQL, q.measure.From, q.measure.Time, e.day(1), q.measure.Time, e.day(2))
	args := []any{d.first(), d.to.Format(time.DateOnly)}
	for _, f := range q.where {
		var marks []string
		for _, v := range f.values {
			args = append(args, v)
			marks = append(marks, e.param(len(args)))
		}
		fmt.Fprintf(&b, " AND %s IN (%s)", e.text(f.dimension.SQL), strings.Join(marks, ", "))
	}
	if len(by) > 0 {
		b.WriteString(" GROUP BY 1")
		for i := range by[1:] {
			fmt.Fprintf(&b, ", %d", i+2)
		}
	}
	return b.String(), args
}

func (q question) expression(d Dimension) string {
	if isTimeDimension(d.Name) {
		return q.source.engine.bucket(q.measure.Time, d.Name)
	}
	return q.source.engine.text(d.SQL)
}

// total is the measure over a whole period, or nil if it has no row.
func (q question) total(ctx context.Context, tx *sql.Tx, d days) (*float64, error) {
	query, args := q.statement(d, nil)
	var value any
	var n int64
	if err := tx.QueryRowContext(ctx, query, args...).Scan(&value, &n); err != nil {
		return nil, q.wrap(err)
	}
	if n == 0 {
		return nil, nil
	}
	return q.figure(value)
}

func (q question) figure(value any) (*float64, error) {
	f, err := figure(value, q.measure.Scale)
	if err != nil {
		return nil, q.wrap(err)
	}
	return f, nil
}

func (q question) wrap(err error) error {
	return fmt.Errorf("query %s of source %s: %w", q.measure.Name, q.source.layer.Name, err)
}

// parts reads the rows of one period into all. Those of other periods are laid
// beside: a day of a month beside the same one, counted from the first.
func (q question) parts(ctx context.Context, tx *sql.Tx, p comparison, all map[string]*row) (string, error) {
	query, args := q.statement(p.days, q.by)
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return "", q.wrap(err)
	}
	defer rows.Close()
	beside := q.beside(p)
	n := len(q.by)
	names, values := make([]sql.NullString, n), make([]any, 2)
	to := []any{&values[0], &values[1]}
	for i := n - 1; i >= 0; i-- {
		to = append([]any{&names[i]}, to...)
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return "", q.wrap(err)
		}
		by, key, known := make([]any, n), "", true
		for i, name := range names {
			if name.Valid && beside[i] != nil {
				name.String, known = beside[i][name.String], known && beside[i][name.String] != ""
			}
			if name.Valid {
				by[i] = name.String
				key += "=" + name.String
			}
			key += "\x00"
		}
		if !known {
			continue // the 31st of the month before, beside a month of 30 days
		}
		f, err := q.figure(values[0])
		if err != nil {
			return "", err
		}
		if all[key] == nil && len(all) >= q.source.options.MaxRows {
			return "", faultf("the table would have more than %d rows; use fewer dimensions or a shorter period", q.source.options.MaxRows)
		}
		all[key] = q.put(all[key], by, p.role, f)
	}
	if err := rows.Err(); err != nil {
		return "", q.wrap(err)
	}
	return query, nil
}

// beside maps the parts of another period to those of the one asked for, for
// each dimension that is time.
func (q question) beside(p comparison) []map[string]string {
	maps := make([]map[string]string, len(q.by))
	for i, d := range q.by {
		if !isTimeDimension(d.Name) || p.role == tool.RoleValue {
			continue
		}
		maps[i] = map[string]string{}
		ours := q.asked.days.buckets(d.Name)
		for n, theirs := range p.days.buckets(d.Name) {
			if n < len(ours) {
				maps[i][theirs] = ours[n]
			}
		}
	}
	return maps
}

// finish puts the rows in order and says what an absent figure is: nothing was
// sold, so zero, unless nobody knows.
func (q question) finish(all map[string]*row, totals map[tool.Role]*float64) []row {
	if totals[tool.RoleValue] == nil {
		return nil
	}
	timed := slices.ContainsFunc(q.by, func(d Dimension) bool { return d.Time })
	rows := make([]row, 0, len(all))
	for _, r := range all {
		for role, total := range totals {
			if r.figures[role] == nil && total != nil && !timed && !q.measure.NoTotal {
				r.figures[role] = new(float64)
			}
		}
		rows = append(rows, *r)
	}
	slices.SortFunc(rows, func(a, b row) int {
		for i, d := range q.by {
			if c := compareCells(a.by[i], b.by[i]); d.Time && q.top == 0 && c != 0 {
				return c
			}
		}
		if c := compareFigures(b.figures[tool.RoleValue], a.figures[tool.RoleValue]); c != 0 {
			return c
		}
		for i := range q.by {
			if c := compareCells(a.by[i], b.by[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	return rows
}

func compareCells(a, b any) int {
	x, _ := a.(string)
	y, _ := b.(string)
	return cmp.Or(strings.Compare(x, y), cmp.Compare(present(a), present(b)))
}

func present(v any) int {
	if v == nil {
		return 0
	}
	return 1
}

// compareFigures puts none below all.
func compareFigures(a, b *float64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return cmp.Compare(*a, *b)
}

// daily says how many days of the period have data at all, whatever where says,
// and which have none. Today and what comes after it may still get some, and
// before the first row of all nothing was to be expected.
func (q question) daily(ctx context.Context, tx *sql.Tx) (int, []string, error) {
	e, m := q.source.engine, q.measure
	query := fmt.Sprintf("SELECT DISTINCT %s FROM %s WHERE %s >= %s AND %s < %s", e.bucket(m.Time, "day"), m.From, m.Time, e.day(1), m.Time, e.day(2))
	rows, err := tx.QueryContext(ctx, query, q.asked.days.first(), q.asked.days.to.Format(time.DateOnly))
	if err != nil {
		return 0, nil, q.wrap(err)
	}
	defer rows.Close()
	has := map[string]bool{}
	for rows.Next() {
		var day string
		if err := rows.Scan(&day); err != nil {
			return 0, nil, q.wrap(err)
		}
		has[day] = true
	}
	if err := rows.Err(); err != nil {
		return 0, nil, q.wrap(err)
	}
	var missing []string
	for day := q.asked.days.from; day.Before(q.asked.days.to) && day.Before(q.asked.today); day = day.AddDate(0, 0, 1) {
		if name := day.Format(time.DateOnly); !has[name] {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 || missing[0] != q.asked.days.first() {
		return len(has), missing, nil
	}
	var first sql.NullString
	query = fmt.Sprintf("SELECT %s FROM %s", e.bucket("MIN("+m.Time+")", "day"), m.From)
	if err := tx.QueryRowContext(ctx, query).Scan(&first); err != nil {
		return 0, nil, q.wrap(err)
	}
	begun := slices.IndexFunc(missing, func(day string) bool { return first.Valid && day > first.String })
	if begun < 0 {
		return len(has), nil, nil
	}
	return len(has), missing[begun:], nil
}
