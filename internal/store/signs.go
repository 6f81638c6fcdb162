package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"hermes/memory"
)

// among is the condition under which a row called r has one of the audiences.
func among(as []memory.Audience) (string, []any) {
	parts := []string{"1 = 0"}
	var args []any
	for _, a := range as {
		parts = append(parts, "r.audience = ? AND r.audience_kind = ?")
		args = append(args, a.ID, a.Kind)
	}
	return "(" + strings.Join(parts, " OR ") + ")", args
}

// A signRow is what was read in a fact's words, with the fact.
type signRow struct {
	Fact                     factRow
	Model                    string
	Sign, Vector             []byte
	From, To, States, Object string
	Many                     bool
	Mac                      string
}

// says are the texts that what a fact is found by is sealed by, with where it stands.
func (r signRow) says() []string {
	f := r.Fact
	return []string{
		"sign", strconv.FormatInt(f.Seq, 10), f.Mac, f.Place, f.Subject, f.Said.Format(layout), f.AudienceKind, f.Audience, r.Model, string(r.Sign),
	}
}

// means are the texts that what a fact was read to say is sealed by.
func (r signRow) means() []string {
	return []string{"means", strconv.FormatInt(r.Fact.Seq, 10), r.Fact.Mac, r.Model, string(r.Vector), r.From, r.To, r.States, r.Object, strconv.FormatBool(r.Many)}
}

// halves are the seals of a sign.
func (r signRow) halves() (says, means string) {
	return r.Mac[:min(len(r.Mac), sealSize)], r.Mac[min(len(r.Mac), sealSize):]
}

// Fresh implements memory.Store. What the program has not read in a fact's words is as
// if it were not there: then it is read in the fact, which has a seal of its own. A
// scope of a hundred thousand facts is read by it, so GORM does not fill a struct for
// each.
func (s Facts) Fresh(ctx context.Context, a memory.Audience, after int64, limit int) ([]memory.Entry, error) {
	rows, err := s.db.r.WithContext(ctx).Raw(`SELECT r.seq, r.place, r.subject, r.said, r.mac, COALESCE(s.model, ''), s.sign, COALESCE(s.mac, '')
		FROM facts r LEFT JOIN fact_signs s ON s.seq = r.seq
		WHERE r.audience = ? AND r.audience_kind = ? AND r.seq > ? AND `+current+` ORDER BY r.seq LIMIT ?`, a.ID, a.Kind, after, limit).Rows()
	if err != nil {
		return nil, fmt.Errorf("fresh facts: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err tells what matters
	var all []memory.Entry
	for rows.Next() {
		r := signRow{Fact: factRow{AudienceKind: a.Kind, Audience: a.ID}}
		if err := rows.Scan(&r.Fact.Seq, &r.Fact.Place, &r.Fact.Subject, &r.Fact.Said, &r.Fact.Mac, &r.Model, &r.Sign, &r.Mac); err != nil {
			return nil, fmt.Errorf("fresh facts: %w", err)
		}
		e := memory.Entry{Seq: r.Fact.Seq, Place: r.Fact.Place, Speaker: r.Fact.Subject, Said: r.Fact.Said.Time}
		if says, _ := r.halves(); s.db.keys.holds(says, r.says()...) {
			e.Model, e.Sign = r.Model, r.Sign
		}
		all = append(all, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("fresh facts: %w", err)
	}
	return all, nil
}

// At implements memory.Store.
func (s Facts) At(ctx context.Context, as []memory.Audience, seqs []int64) ([]memory.Numbered, error) {
	seen, args := among(as)
	rows, err := s.db.r.WithContext(ctx).Raw("SELECT "+factColumns+`, COALESCE(s.model, ''), s.vector, COALESCE(s.from_node, ''), COALESCE(s.to_node, ''),
			COALESCE(s.states, ''), COALESCE(s.object, ''), COALESCE(s.many, 0) <> 0, COALESCE(s.mac, '')
		FROM facts r LEFT JOIN fact_signs s ON s.seq = r.seq WHERE r.seq IN ? AND `+current+" AND "+seen, append([]any{seqs}, args...)...).Rows()
	if err != nil {
		return nil, fmt.Errorf("facts by number: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err tells what matters
	var read []signRow
	for rows.Next() {
		var r signRow
		if err := rows.Scan(append(r.Fact.columns(), &r.Model, &r.Vector, &r.From, &r.To, &r.States, &r.Object, &r.Many, &r.Mac)...); err != nil {
			return nil, fmt.Errorf("facts by number: %w", err)
		}
		read = append(read, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("facts by number: %w", err)
	}
	all := make([]memory.Numbered, 0, len(read))
	for _, r := range read {
		ours, err := s.db.vouchedFact(ctx, r.Fact)
		if err != nil {
			return nil, fmt.Errorf("facts by number: %w", err)
		}
		if !ours {
			continue
		}
		n := memory.Numbered{Fact: r.Fact.fact(), Seq: r.Fact.Seq}
		if _, means := r.halves(); s.db.keys.holds(means, r.means()...) {
			n.Model, n.Vector, n.Says = r.Model, r.Vector, memory.Statement{Key: r.States, Object: r.Object, Many: r.Many}
		}
		all = append(all, n)
	}
	return all, nil
}

// Sign implements memory.Store. What is lost with the power is made anew.
func (s Facts) Sign(ctx context.Context, signed []memory.Signed) error {
	if len(signed) == 0 {
		return nil
	}
	seqs := make([]int64, len(signed))
	for i, x := range signed {
		seqs[i] = x.Seq
	}
	err := s.db.precede(ctx, func(tx *gorm.DB) error {
		rows, err := factRows(tx, "r.seq IN ?", seqs)
		if err != nil {
			return err
		}
		of := map[int64]factRow{}
		for _, r := range rows {
			of[r.Seq] = r
		}
		for _, x := range signed {
			f, there := of[x.Seq]
			if !there {
				continue
			}
			if err := s.sign(tx, f, x); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("sign %d facts: %w", len(signed), err)
	}
	return nil
}

func (s Facts) sign(tx *gorm.DB, f factRow, x memory.Signed) error {
	r := signRow{
		Fact: f, Model: x.Model, Sign: x.Sign, Vector: x.Vector,
		From: plain(x.From), To: plain(x.To), States: plain(x.Says.Key), Object: plain(x.Says.Object), Many: x.Says.Many,
	}
	for _, text := range []*string{&r.From, &r.To, &r.States, &r.Object} {
		*text = s.db.asKept(*text)
	}
	r.Mac = s.db.keys.current.line(r.says()...) + s.db.keys.current.line(r.means()...)
	many := 0
	if r.Many {
		many = 1
	}
	return tx.Exec(`INSERT INTO fact_signs (seq, model, sign, vector, from_node, to_node, states, object, many, mac) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (seq) DO UPDATE SET model = excluded.model, sign = excluded.sign, vector = excluded.vector, from_node = excluded.from_node,
			to_node = excluded.to_node, states = excluded.states, object = excluded.object, many = excluded.many, mac = excluded.mac`,
		f.Seq, r.Model, asItIs{r.Sign}, asItIs{r.Vector}, asIs{r.From}, asIs{r.To}, asIs{r.States}, asIs{r.Object}, many, asIs{r.Mac}).Error
}

// asItIs is bytes that are no text, in which a secret could be seen by chance alone.
type asItIs struct{ bytes []byte }

// Value implements driver.Valuer.
func (k asItIs) Value() (driver.Value, error) {
	if k.bytes == nil {
		return nil, nil
	}
	return k.bytes, nil
}

// Linked implements memory.Store.
func (s Facts) Linked(ctx context.Context, as []memory.Audience, nodes []string, depth, limit int) ([]memory.Link, error) {
	if len(nodes) == 0 {
		return nil, nil
	}
	seen, args := among(as)
	from := "SELECT r.seq, s.to_node, %s FROM %s JOIN facts r ON r.seq = s.seq WHERE %s AND " + current + " AND " + seen
	first := fmt.Sprintf(from, "1", "fact_signs s", "s.from_node IN ? AND s.from_node <> ''")
	next := fmt.Sprintf(from, "w.depth + 1", "walk w JOIN fact_signs s ON s.from_node = w.node AND s.from_node <> ''", "w.depth < ?")
	all := append([]any{nodes}, args...)
	all = append(append(append(all, depth), args...), limit)
	var links []memory.Link
	err := s.db.r.WithContext(ctx).Raw("WITH RECURSIVE walk (seq, node, depth) AS ("+first+" UNION "+next+") SELECT seq, depth FROM walk LIMIT ?", all...).Scan(&links).Error
	if err != nil {
		return nil, fmt.Errorf("walk from %d nodes: %w", len(nodes), err)
	}
	return links, nil
}
