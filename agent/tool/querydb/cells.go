package querydb

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"hermes/internal/redact"
)

// postgresReason is reason for PostgreSQL: faults of the query (classes 22, 42
// and the like), rights, and what a READ ONLY transaction refuses.
func postgresReason(err error) (string, bool) {
	var long *pgproto3.ExceededMaxBodyLenErr
	if errors.As(err, &long) {
		return "a row is too long to be read; ask for less of it", true
	}
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || len(pg.Code) != 5 {
		return "", false
	}
	switch pg.Code[:2] {
	case "0A", "21", "22", "25", "42", "54", "57":
		why := pg.Message
		if pg.Hint != "" {
			why += " (" + pg.Hint + ")"
		}
		return why, true
	}
	return "", false
}

// grid is what a query gave.
type grid struct {
	columns []string
	rows    [][]any // string, float64 or nil
	left    int     // rows that were not read, as far as counted
	more    bool    // they were not counted to their end
}

// readGrid runs a query and reads as many rows as the limits allow.
func (s *Source) readGrid(ctx context.Context, tx *sql.Tx, query string, args ...any) (grid, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return grid{}, err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return grid{}, err
	}
	g := grid{rows: [][]any{}}
	for _, t := range types {
		g.columns = append(g.columns, t.Name())
	}
	raw, to := make([]any, len(types)), make([]any, len(types))
	for i := range raw {
		to[i] = &raw[i]
	}
	bytes := 0
	for rows.Next() {
		// Counting what is left out stops at ten times the limit: whoever asked for
		// more than that does not want the number.
		if len(g.rows) >= s.options.MaxRows || bytes >= s.options.MaxBytes {
			if g.left++; g.left >= 9*s.options.MaxRows {
				g.more = true
				break
			}
			continue
		}
		if err := rows.Scan(to...); err != nil {
			return grid{}, err
		}
		row := make([]any, len(raw))
		for i, v := range raw {
			row[i] = cell(v, types[i].DatabaseTypeName())
			if kind := redact.Named(types[i].Name()); kind != "" && row[i] != nil {
				row[i] = redact.Marker(kind) // nobody asks for passwords to read them
			}
			if text, ok := row[i].(string); ok {
				bytes += len(text)
			}
			bytes += 8
		}
		g.rows = append(g.rows, row)
	}
	return g, rows.Err()
}

// maxCell keeps one long text from filling the table, in characters.
const maxCell = 10_000

// bounded cuts what is too long for a cell, and says how much of it was not read and how
// to read it.
func bounded(s string) string {
	if len(s) <= maxCell {
		return s
	}
	n := utf8.RuneCountInString(s)
	if n <= maxCell {
		return s
	}
	kept := strings.TrimSuffix(cut(s, maxCell), "…")
	return fmt.Sprintf("%s … [%d more characters were not read; ask for a part: substr(…, %d, %d)]", kept, n-maxCell, maxCell+1, maxCell)
}

// cell makes a value of a driver a string, a float64 or nil. A number that a
// float64 would change stays text.
func cell(v any, kind string) any {
	switch v := v.(type) {
	case nil:
		return nil
	case int64:
		if v > 1<<53 || v < -1<<53 {
			return strconv.FormatInt(v, 10)
		}
		return float64(v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return strconv.FormatFloat(v, 'g', -1, 64)
		}
		return v
	case bool:
		return strconv.FormatBool(v)
	case time.Time:
		if h, m, s := v.Clock(); h+m+s+v.Nanosecond() == 0 {
			return v.Format(time.DateOnly)
		}
		return v.Format("2006-01-02 15:04:05.999999")
	case []byte:
		if !utf8.Valid(v) {
			return "0x" + hex.EncodeToString(v[:min(len(v), 100)])
		}
		return textCell(string(v), kind)
	case string:
		return textCell(v, kind)
	}
	return bounded(fmt.Sprint(v))
}

func textCell(v, kind string) any {
	switch kind {
	case "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT", "UNSIGNED TINYINT", "UNSIGNED SMALLINT", "UNSIGNED MEDIUMINT", "UNSIGNED INT", "UNSIGNED BIGINT", "YEAR":
		// MySQL writes all numbers as texts; SQLite and PostgreSQL do not.
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			return cell(n, "")
		}
	case "FLOAT", "DOUBLE":
		if f, err := strconv.ParseFloat(v, 64); err == nil {
			return f
		}
	case "DATETIME", "TIMESTAMP":
		return strings.TrimSuffix(v, " 00:00:00")
	case "NUMERIC", "DECIMAL":
		digits := strings.TrimLeft(v, "-0.")
		if strings.Contains(v, ".") {
			digits = strings.TrimRight(digits, "0")
		}
		// So many digits come back from a float64 as they were.
		if f, err := strconv.ParseFloat(v, 64); err == nil && len(strings.Replace(digits, ".", "", 1)) <= 15 {
			return f
		}
	}
	return bounded(strings.ToValidUTF8(v, "�"))
}

// figure makes a value of a driver a number with so many digits after the point,
// without going through a float where the database was exact.
func figure(v any, scale int) (*float64, error) {
	text := ""
	switch v := v.(type) {
	case nil:
		return nil, nil
	case int64:
		text = strconv.FormatInt(v, 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, nil
		}
		text = strconv.FormatFloat(v, 'g', -1, 64)
	case []byte:
		text = string(v)
	case string:
		text = v
	default:
		return nil, fmt.Errorf("the measure gave %T, not a number", v)
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		if text == "NaN" {
			return nil, nil
		}
		return nil, fmt.Errorf("the measure gave %q, not a number", cut(text, 30))
	}
	f, err := strconv.ParseFloat(exact.FloatString(scale), 64)
	if err != nil {
		return nil, fmt.Errorf("the measure gave %q: %w", cut(text, 30), err)
	}
	f += 0 // makes a plain zero of a negative one
	return &f, nil
}

// rounded is a number with so many digits after the point.
func rounded(f float64, scale int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', scale, 64), 64)
	if err != nil {
		return f
	}
	return r
}
