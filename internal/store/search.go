package store

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"
)

// window is how many rows are ranked at most, the newest that match and may be seen.
// To rank is what costs; a word that more rows have than that says little.
const window = 1000

// A searched is what words are looked for in. Facts are not: their index is memory's.
type searched struct {
	what    string // "episode", whose table is "episodes"
	columns string // of a row called r
	where   string // who sees what, before any limit
	args    []any
}

// A hit is a row that was found, with how well it matches.
type hit[R any] struct {
	Row   R `gorm:"embedded"`
	Score float64
}

// search returns the rows that match the words of text best, best first. Words that
// few rows have go first; the others fill what is left.
func search[R interface{ seq() int64 }](ctx context.Context, d *DB, in searched, text string, limit int) ([]hit[R], error) {
	all := terms(text)
	if len(all) == 0 || len(in.args) == 0 {
		return nil, nil
	}
	rare, err := d.rare(ctx, in, all)
	if err != nil {
		return nil, err
	}
	found, err := ranked[R](ctx, d, in, rare, limit)
	if err != nil || len(found) >= limit || len(rare) == len(all) {
		return found, err
	}
	rest, err := ranked[R](ctx, d, in, all, limit)
	if err != nil {
		return nil, err
	}
	seen := map[int64]bool{}
	for _, h := range found {
		seen[h.Row.seq()] = true
	}
	for _, h := range rest {
		if len(found) == limit || seen[h.Row.seq()] {
			continue
		}
		if n := len(found); n > 0 {
			h.Score = min(h.Score, found[n-1].Score)
		}
		found = append(found, h)
	}
	return found, nil
}

// rare returns the terms that fit into the window, whoever may see them.
func (d *DB) rare(ctx context.Context, in searched, all []term) ([]term, error) {
	if len(all) == 1 {
		return all, nil
	}
	count := fmt.Sprintf("SELECT COUNT(*) FROM (SELECT 1 FROM %[1]s_words WHERE %[1]s_words MATCH ? LIMIT ?) AS few", in.what)
	if d.postgres {
		count = fmt.Sprintf("SELECT COUNT(*) FROM (SELECT 1 FROM %ss WHERE words @@ to_tsquery('simple', ?) LIMIT ?) AS few", in.what)
	}
	var few []term
	for _, t := range all {
		var n int
		if err := d.r.WithContext(ctx).Raw(count, d.match([]term{t}), window+1).Scan(&n).Error; err != nil {
			return nil, err
		}
		if n <= window {
			few = append(few, t)
		}
	}
	return few, nil
}

// ranked returns the rows that have any of the terms.
func ranked[R any](ctx context.Context, d *DB, in searched, of []term, limit int) ([]hit[R], error) {
	if len(of) == 0 {
		return nil, nil
	}
	from := fmt.Sprintf(`SELECT %[2]s, -bm25(%[1]s_words) AS score FROM %[1]s_words CROSS JOIN %[1]ss r ON r.seq = %[1]s_words.rowid
		WHERE %[1]s_words MATCH ? AND %[3]s ORDER BY %[1]s_words.rowid DESC LIMIT ?`, in.what, in.columns, in.where)
	if d.postgres {
		from = fmt.Sprintf(`SELECT %[2]s, ts_rank(r.words, query) AS score FROM %[1]ss r, to_tsquery('simple', ?) query
			WHERE r.words @@ query AND %[3]s ORDER BY r.seq DESC LIMIT ?`, in.what, in.columns, in.where)
	}
	args := append(append([]any{d.match(of)}, in.args...), window, limit)
	var rows []hit[R]
	err := d.r.WithContext(ctx).Raw("SELECT * FROM ("+from+") AS newest ORDER BY score DESC, seq DESC LIMIT ?", args...).Scan(&rows).Error
	return rows, err
}

// match is the query for rows that have any of the terms.
func (d *DB) match(of []term) string {
	var parts []string
	for _, t := range of {
		if d.postgres {
			parts = append(parts, t.postgres())
		} else {
			parts = append(parts, t.sqlite())
		}
	}
	if d.postgres {
		return strings.Join(parts, " | ")
	}
	return strings.Join(parts, " OR ")
}

// index makes a row findable by the words of text.
func (d *DB) index(tx *gorm.DB, what string, seq int64, text string) error {
	// Cut into words, in lower case, a secret would not be known any more.
	text = d.plainly(text)
	if d.postgres {
		return tx.Exec("UPDATE "+what+"s SET words = to_tsvector('simple', ?) WHERE seq = ?", indexed(text), seq).Error
	}
	return tx.Exec("INSERT INTO "+what+"_words (rowid, words) VALUES (?, ?)", seq, indexed(text)).Error
}
