package store

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// A stamp is a time in a row: UTC, to the microsecond, and of one length, so that it
// sorts as text on SQLite and is a timestamp on PostgreSQL. The zero time is NULL.
type stamp struct{ time.Time }

const layout = "2006-01-02T15:04:05.000000Z"

func at(t time.Time) stamp {
	if t.IsZero() {
		return stamp{}
	}
	return stamp{t.UTC().Truncate(time.Microsecond)}
}

// or is s, or another if it is zero.
func (s stamp) or(other stamp) stamp {
	if s.IsZero() {
		return other
	}
	return s
}

// Value implements driver.Valuer.
func (s stamp) Value() (driver.Value, error) {
	if s.IsZero() {
		return nil, nil
	}
	return s.UTC().Format(layout), nil
}

// Scan implements sql.Scanner.
func (s *stamp) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*s = stamp{}
	case time.Time:
		*s = stamp{v.UTC()}
	case string:
		t, err := time.Parse(layout, v)
		if err != nil {
			return fmt.Errorf("time in database: %w", err)
		}
		*s = stamp{t}
	default:
		return fmt.Errorf("time in database is a %T", v)
	}
	return nil
}

// encode writes v as JSON text, and leaves "<" and "&" in it as they are: what was
// approved comes back byte for byte.
func encode(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// plain is text that PostgreSQL takes as well: valid UTF-8 without zero bytes.
func plain(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}
