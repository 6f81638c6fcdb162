package querydb

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hermes/internal/redact"
	"hermes/internal/tabular"
)

// A Draft is a Layer that a person has still to read: what of the schema looks like
// figures, and what they may be broken down by. The same schema gives the same Draft.
type Draft struct {
	Layer Layer
	Notes []string // what was left out, and why
}

// Bounds of a Draft.
const (
	draftTables  = 60
	draftSample  = 20_000 // rows that are looked at for the values of a column
	draftValues  = 200    // more are no vocabulary
	draftListed  = 12     // so many are listed one by one
	draftDayRows = 50
)

// A drafted table is one of the schema.
type draftTable struct {
	name    string
	columns []draftColumn
	key     []string
}

type draftColumn struct {
	name, kind string // number, integer, day, text, flag or empty
	unit       string
	scale      int
	of, ofCol  string // the table and column that it refers to
	header     string
}

// Draft reads the schema, and some rows to see what columns hold.
func (s *Source) Draft(ctx context.Context) (Draft, error) {
	d := drafter{source: s, used: map[string]bool{}}
	for _, t := range TimeDimensions() {
		d.used[t.Name] = true
	}
	d.out.Layer = Layer{Name: s.layer.Name, Dialect: s.layer.Dialect}
	err := s.read(ctx, "", func(ctx context.Context, tx *sql.Tx) error {
		if err := d.schema(ctx, tx); err != nil {
			return err
		}
		for i := range d.tables {
			if err := d.table(ctx, tx, &d.tables[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Draft{}, fmt.Errorf("draft source %s: %w", s.layer.Name, err)
	}
	return d.out, nil
}

type drafter struct {
	source *Source
	tables []draftTable
	out    Draft
	used   map[string]bool // names of measures and dimensions
}

func (d *drafter) note(format string, args ...any) {
	d.out.Notes = append(d.out.Notes, fmt.Sprintf(format, args...))
}

// schema reads tables, columns and keys.
func (d *drafter) schema(ctx context.Context, tx *sql.Tx) error {
	g, err := d.source.readGrid(ctx, tx, d.source.engine.schema())
	if err != nil {
		return fmt.Errorf("read schema: %w", err)
	}
	at := map[string]int{}
	for _, row := range g.rows {
		name := fmt.Sprint(row[0])
		if _, ok := at[name]; !ok {
			if len(d.tables) == draftTables {
				d.note("there are more than %d tables; the others were not looked at", draftTables)
				break
			}
			at[name] = len(d.tables)
			d.tables = append(d.tables, draftTable{name: name})
		}
		t := &d.tables[at[name]]
		t.columns = append(t.columns, draftColumn{name: fmt.Sprint(row[1]), kind: kindOfType(fmt.Sprint(row[2]))})
	}
	keys, err := d.source.readGrid(ctx, tx, d.source.engine.keys())
	if err != nil {
		return fmt.Errorf("read keys: %w", err)
	}
	for _, row := range keys.rows {
		i, ok := at[fmt.Sprint(row[0])]
		if !ok {
			continue
		}
		t := &d.tables[i]
		c := slices.IndexFunc(t.columns, func(c draftColumn) bool { return c.name == fmt.Sprint(row[1]) })
		switch of, _ := row[2].(string); {
		case c < 0:
		case of == "":
			t.key = append(t.key, t.columns[c].name)
		default:
			t.columns[c].of = of
			t.columns[c].ofCol, _ = row[3].(string)
		}
	}
	return d.seen(ctx)
}

// seen takes over what reading files and answers has shown: units, digits, names.
func (d *drafter) seen(ctx context.Context) error {
	if d.source.feed == nil {
		return nil
	}
	snap, done, err := d.source.take(ctx, "")
	if err != nil {
		return err
	}
	defer done()
	for _, t := range snap.tables {
		d.out.Notes = append(d.out.Notes, t.Notes...)
		for i := range d.tables {
			if d.tables[i].name != t.Name {
				continue
			}
			for c, col := range t.Columns {
				x := &d.tables[i].columns[c]
				x.unit, x.scale, x.header = col.Unit, col.Scale, col.Header
			}
		}
	}
	return nil
}

func kindOfType(declared string) string {
	t := strings.ToLower(declared)
	switch {
	case strings.Contains(t, "bool"), t == "bit", t == "tinyint(1)":
		return "flag"
	case strings.Contains(t, "date"), strings.HasPrefix(t, "timestamp"):
		return "day"
	case strings.Contains(t, "int") && t != "interval" && t != "point", strings.Contains(t, "serial"):
		return "integer"
	case strings.Contains(t, "real"), strings.Contains(t, "doub"), strings.Contains(t, "float"), strings.Contains(t, "num"), strings.Contains(t, "dec"), t == "money":
		return "number"
	case strings.Contains(t, "char"), strings.Contains(t, "text"), strings.Contains(t, "clob"), t == "enum", t == "set", t == "user-defined", t == "":
		return "text"
	}
	return ""
}

var (
	idColumn   = regexp.MustCompile(`(?i)(?:^|_)(?:id|uuid|guid|key|no|nr|number|code|zip|postcode|phone|sku|year|row|line|position|version|编号|号码|编码|代码|年份|邮编|电话)$|号$|(?-i:[a-z]I[dD]$)`)
	secretName = regexp.MustCompile(`(?i)token|secret|passw|passphrase|pwd|api_?key|credential|(?:^|_)(?:pin|salt|ssn|iban)(?:_|$)`)
	longText   = regexp.MustCompile(`(?i)(?:^|_)(?:description|comment|comments|note|notes|remark|text|body|message|url|link|address|street|email|mail|hash|path|file|备注|说明|描述|地址|邮箱)(?:_|$)`)
	meanColumn = regexp.MustCompile(`(?i)(?:^|_)(?:price|rate|ratio|avg|average|mean|percent|percentage|pct|share|score|rating|age|temperature|duration|margin_pct)(?:_|$)|单价|价格|比例|比率|率$|占比|评分|得分|平均|年龄|时长`)
	moneyWords = regexp.MustCompile(`(?i)^(?:amount|total|value|revenue|sales|turnover|net|gross|sum|umsatz|betrag|金额|总额|销售额|营业额|收入|销售金额)(?:_|$)`)
	moneyTable = regexp.MustCompile(`(?i)^(?:sales|revenue|turnover|income|expenses|costs|umsatz|umsaetze|销售|销售额|营收|收入|支出|费用|销售数据|销售明细)$`)
	nameColumn = regexp.MustCompile(`(?i)^(?:name|title|label|display_name|full_name|名称|名字|标题|姓名)$`)
	dayNames   = []string{"day", "date", "ordered_on", "order_date", "sold_on", "sold_at", "ordered_at", "booked_on", "paid_on", "paid_at", "invoice_date", "日期", "下单日期", "时间", "datum", "created_on", "created_at"}
)

// day finds the column that says to which day a row belongs.
func (d *drafter) day(ctx context.Context, tx *sql.Tx, t *draftTable) (string, error) {
	var days []string
	for i := range t.columns {
		c := &t.columns[i]
		if c.kind == "text" && d.source.layer.Dialect == SQLite && d.source.feed == nil && !longText.MatchString(c.name) {
			ok, err := d.isDay(ctx, tx, t.name, c.name)
			if err != nil {
				return "", err
			}
			if ok {
				c.kind = "day"
			}
		}
		if c.kind == "day" {
			days = append(days, c.name)
		}
	}
	if len(days) == 0 {
		return "", nil
	}
	for _, n := range dayNames {
		for _, have := range days {
			if strings.EqualFold(have, n) {
				return have, nil
			}
		}
	}
	return days[0], nil
}

var isoDay = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(?:$|[ T])`)

// isDay reports whether the texts of a column begin as days do.
func (d *drafter) isDay(ctx context.Context, tx *sql.Tx, table, column string) (bool, error) {
	c := d.id(column)
	g, err := d.source.readGrid(ctx, tx, fmt.Sprintf("SELECT %s FROM %s WHERE %s IS NOT NULL LIMIT %d", c, d.tableID(table), c, draftDayRows))
	if err != nil {
		return false, fmt.Errorf("look at %s.%s: %w", table, column, err)
	}
	for _, row := range g.rows {
		if s, ok := row[0].(string); !ok || !isoDay.MatchString(s) {
			return false, nil
		}
	}
	return len(g.rows) > 0, nil
}

// secret reports whether a column is not looked at by its name.
func secret(name string) bool { return redact.Named(name) != "" || secretName.MatchString(name) }

// table drafts the measures and dimensions of one table.
func (d *drafter) table(ctx context.Context, tx *sql.Tx, t *draftTable) error {
	time, err := d.day(ctx, tx, t)
	if err != nil {
		return err
	}
	if time == "" {
		referred := slices.ContainsFunc(d.tables, func(o draftTable) bool {
			return slices.ContainsFunc(o.columns, func(c draftColumn) bool { return c.of == t.name })
		})
		if !referred {
			d.note("table %s has no column of days, so there are no figures of it", t.name)
		}
		return nil
	}
	from, dims, err := d.dimensions(ctx, tx, t)
	if err != nil {
		return err
	}
	d.measures(t, from, time, dims)
	return nil
}

// dimensions drafts what the figures of a table may be broken down by, and joins what its
// keys lead to.
func (d *drafter) dimensions(ctx context.Context, tx *sql.Tx, t *draftTable) (from string, names []string, err error) {
	from = d.tableID(t.name)
	joined := map[string]bool{t.name: true}
	for _, c := range t.columns {
		if c.of == "" || c.ofCol == "" {
			continue
		}
		name, ok := d.nameOf(c.of)
		if !ok {
			continue
		}
		alias, place := d.tableID(c.of), d.tableID(c.of)
		if joined[c.of] {
			alias = d.id(strings.TrimSuffix(tabular.Name(c.name), "_id"))
			place += " AS " + alias
		}
		joined[c.of] = true
		from += fmt.Sprintf(" LEFT JOIN %s ON %s.%s = %s.%s", place, alias, d.id(c.ofCol), d.tableID(t.name), d.id(c.name))
		dim := Dimension{Name: strings.TrimSuffix(strings.TrimSuffix(tabular.Name(c.name), "id"), "_"), SQL: alias + "." + d.id(name), From: place}
		if err := d.dimension(ctx, tx, dim, c.of, name, "", &names); err != nil {
			return from, names, err
		}
	}
	for _, c := range t.columns {
		if c.of != "" || c.kind != "text" && c.kind != "flag" || slices.Contains(t.key, c.name) || idColumn.MatchString(c.name) || longText.MatchString(c.name) {
			continue
		}
		if secret(c.name) {
			d.note("%s.%s looks like a secret and was not looked at", t.name, c.name)
			continue
		}
		dim := Dimension{Name: tabular.Name(c.name), SQL: d.tableID(t.name) + "." + d.id(c.name)}
		if err := d.dimension(ctx, tx, dim, t.name, c.name, c.header, &names); err != nil {
			return from, names, err
		}
	}
	return from, names, nil
}

// dimension drafts one, unless its values are no vocabulary.
func (d *drafter) dimension(ctx context.Context, tx *sql.Tx, dim Dimension, table, column, header string, names *[]string) error {
	c := d.id(column)
	g, err := d.source.readGrid(ctx, tx, fmt.Sprintf("SELECT DISTINCT %s FROM (SELECT %s FROM %s LIMIT %d) AS some_rows WHERE %s IS NOT NULL ORDER BY 1 LIMIT %d",
		d.source.engine.text(c), c, d.tableID(table), draftSample, c, draftValues+1))
	if err != nil {
		return fmt.Errorf("look at %s.%s: %w", table, column, err)
	}
	switch n := len(g.rows); {
	case n == 0:
		d.note("%s.%s is empty", table, column)
		return nil
	case n > draftValues:
		d.note("%s.%s has more than %d values and is no dimension", table, column, draftValues)
		return nil
	case n <= draftListed:
		for _, row := range g.rows {
			if v, ok := row[0].(string); ok && v != "" && len(v) <= 60 {
				dim.ValueSynonyms = append(dim.ValueSynonyms, Value{Value: v})
			}
		}
	}
	dim.Name = d.name(dim.Name, table)
	dim.Label, dim.Synonyms = labelOf(dim.Name, header)
	*names = append(*names, dim.Name)
	d.out.Layer.Dimensions = append(d.out.Layer.Dimensions, dim)
	return nil
}

// measures drafts the figures of a table: how many rows, and what its columns of numbers
// come to.
func (d *drafter) measures(t *draftTable, from, time string, dims []string) {
	time = d.tableID(t.name) + "." + d.id(time)
	base := Measure{From: from, Time: time, Dimensions: dims}
	money := moneyTable.MatchString(t.name)
	var drafted []Measure
	named := false
	for _, c := range t.columns {
		if c.kind != "number" && c.kind != "integer" || c.of != "" || slices.Contains(t.key, c.name) || idColumn.MatchString(c.name) {
			continue
		}
		m := base
		name := tabular.Name(c.name)
		column := d.tableID(t.name) + "." + d.id(c.name)
		m.Unit, m.Scale = unitOf(c)
		cents := strings.HasSuffix(name, "_cents")
		if cents {
			name = strings.TrimSuffix(name, "_cents")
		}
		m.SQL = "SUM(" + column + ")"
		if meanColumn.MatchString(name) || m.Unit == "%" {
			m.SQL, m.NoTotal, m.Scale = "AVG("+column+")", true, max(m.Scale, 2)
		}
		if cents {
			m.SQL, m.Scale = m.SQL+" / 100.0", 2
		}
		l, more := labelOf(name, c.header)
		if !named && money && !m.NoTotal && moneyWords.MatchString(name) { // what people call by the table's name
			named = true
			table, other := labelOf(tabular.Name(t.name), "")
			more = append(append(append(more, other...), l.En, l.Zh), tabular.Name(t.name))
			name, l = tabular.Name(t.name), Label{cmp.Or(table.En, l.En), cmp.Or(table.Zh, l.Zh)}
		}
		m.Name, m.Label, m.Synonyms = d.name(name, t.name), l, others(more, l)
		drafted = append(drafted, m)
	}
	count := base
	count.SQL = "COUNT(*)"
	plain := t.name[strings.LastIndexByte(t.name, '.')+1:]
	if !money {
		count.Name = d.name(tabular.Name(plain), "")
		count.Label, count.Synonyms = labelOf(tabular.Name(plain), "")
	} else {
		table, _ := labelOf(tabular.Name(plain), "")
		word := strings.ToLower(cmp.Or(table.En, "entries"))
		count.Name = d.name(strings.ReplaceAll(word, " ", "_")+"_count", "")
		count.Label = Label{En: "number of " + word, Zh: "笔数"}
	}
	d.out.Layer.Measures = append(append(d.out.Layer.Measures, drafted...), count)
}

// others are words beside a label, each once.
func others(words []string, l Label) (all []string) {
	for _, w := range words {
		if w != "" && w != l.En && w != l.Zh && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// name makes a name that is not used yet: with the table's before it, or a number.
func (d *drafter) name(name, table string) string {
	name = ascii(name)
	if d.used[name] && table != "" {
		name = ascii(tabular.Name(table)) + "_" + name
	}
	for base, n := name, 2; d.used[name]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	d.used[name] = true
	return name
}

// ascii makes a name of a layer, which has small letters, digits and _ alone; the words
// that people use are its label's.
func ascii(name string) string {
	if en := english(name); en != "" {
		name = strings.ReplaceAll(en, " ", "_")
	}
	name = strings.Trim(notName.ReplaceAllString(strings.ToLower(name), "_"), "_0123456789")
	return cmp.Or(name, "field")
}

var notName = regexp.MustCompile(`[^a-z0-9]+`)

// nameOf is the column by which the rows of a table are called.
func (d *drafter) nameOf(table string) (string, bool) {
	i := slices.IndexFunc(d.tables, func(t draftTable) bool { return t.name == table })
	if i < 0 {
		return "", false
	}
	first := ""
	for _, c := range d.tables[i].columns {
		if c.kind != "text" || secret(c.name) {
			continue
		}
		if nameColumn.MatchString(c.name) {
			return c.name, true
		}
		if first == "" && !idColumn.MatchString(c.name) && !longText.MatchString(c.name) {
			first = c.name
		}
	}
	return first, first != ""
}

var simpleName = regexp.MustCompile(`^[a-z_\p{Han}][a-z0-9_\p{Han}]*$`)

// id writes a name for SQL, in quotes if it needs them.
func (d *drafter) id(name string) string {
	if simpleName.MatchString(name) && tabular.Name(name) == name {
		return name
	}
	if d.source.layer.Dialect == MySQL {
		return "`" + strings.ReplaceAll(name, "`", "``") + "`"
	}
	return quotedName(name)
}

// tableID is id for a table, which may have a schema before it.
func (d *drafter) tableID(name string) string {
	if schema, table, ok := strings.Cut(name, "."); ok && d.source.layer.Dialect == Postgres {
		return d.id(schema) + "." + d.id(table)
	}
	return d.id(name)
}

func unitOf(c draftColumn) (unit string, scale int) {
	scale = c.scale
	if c.kind == "number" && scale == 0 {
		scale = 2
	}
	if u := map[string]string{"$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "%": "%"}[c.unit]; u != "" {
		return u, scale
	}
	for _, u := range []string{"usd", "eur", "gbp", "cny", "jpy", "chf"} {
		if strings.HasSuffix(strings.ToLower(c.name), "_"+u) {
			return strings.ToUpper(u), scale
		}
	}
	return "", scale
}
