package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"hermes/memory"
)

var _ memory.Store = Facts{}

// A factRow is a memory.Fact.
type factRow struct {
	Seq                        int64 `gorm:"primaryKey;autoIncrement"`
	ID                         string
	Subject, Predicate, Object string
	Text, Kind                 string
	Confidence                 float64
	Source, Link, Place        string
	ByWhom                     string
	Said, Event                stamp
	AudienceKind, Audience     string
	Status, ReplacedBy         string
	Closed                     stamp
	Mac                        string

	TrueTo, Used, Expires stamp
	Hits                  int
	Evidence              string // JSON, empty for none
}

// factColumns are those of a factRow.
const factColumns = `r.seq, r.id, r.subject, r.predicate, r.object, r.text, r.kind, r.confidence, r.source, r.link, r.place, r.by_whom,
	r.said, r.event, r.audience_kind, r.audience, r.status, r.replaced_by, r.closed, r.mac,
	r.true_to, r.used, r.expires, r.hits, r.evidence`

// columns are where a row is read into, in the order of factColumns.
func (r *factRow) columns() []any {
	return []any{
		&r.Seq, &r.ID, &r.Subject, &r.Predicate, &r.Object, &r.Text, &r.Kind, &r.Confidence, &r.Source, &r.Link, &r.Place, &r.ByWhom,
		&r.Said, &r.Event, &r.AudienceKind, &r.Audience, &r.Status, &r.ReplacedBy, &r.Closed, &r.Mac,
		&r.TrueTo, &r.Used, &r.Expires, &r.Hits, &r.Evidence,
	}
}

const (
	// current facts are what is known; the others are history.
	current = "r.status IN ('active', 'disputed')"
	newest  = " ORDER BY r.said DESC, r.seq DESC"
)

// factRowOf is a Fact as it reaches the database, with its seal.
func (d *DB) factRowOf(f memory.Fact) factRow {
	now := d.now()
	evidence := ""
	if len(f.Evidence) > 0 {
		evidence, _ = encode(f.Evidence) // of texts, which it can
	}
	row := factRow{
		TrueTo: at(f.Until), Used: at(f.Used), Expires: at(f.Expires), Hits: f.Hits, Evidence: plain(evidence),
		ID: f.ID, Subject: plain(f.Subject), Predicate: plain(f.Predicate), Object: plain(f.Object), Text: plain(f.Text), Kind: f.Kind,
		Confidence: f.Confidence, Source: plain(f.Source), Link: plain(f.Link), Place: plain(f.Place), ByWhom: f.By,
		Said: at(f.Said).or(now), Event: at(f.Event), AudienceKind: f.Audience.Kind, Audience: f.Audience.ID,
		Status: string(f.Status), ReplacedBy: f.ReplacedBy, Closed: at(f.Closed),
	}
	for _, text := range []*string{&row.ID, &row.Subject, &row.Predicate, &row.Object, &row.Text, &row.Kind, &row.Source, &row.Link, &row.Place, &row.ByWhom, &row.Audience, &row.Evidence} {
		*text = d.asKept(*text)
	}
	row.Mac = d.keys.current.line(row.says()...)
	return row
}

func (r factRow) fact() memory.Fact {
	var evidence []string
	if r.Evidence != "" {
		_ = json.Unmarshal([]byte(r.Evidence), &evidence) // what cannot be read is no evidence
	}
	return memory.Fact{
		Until: r.TrueTo.Time, Used: r.Used.Time, Expires: r.Expires.Time, Hits: r.Hits, Evidence: evidence,
		ID: r.ID, Subject: r.Subject, Predicate: r.Predicate, Object: r.Object, Text: r.Text, Kind: r.Kind, Confidence: r.Confidence,
		Source: r.Source, Link: r.Link, Place: r.Place, By: r.ByWhom, Said: r.Said.Time, Event: r.Event.Time,
		Audience: memory.Audience{Kind: r.AudienceKind, ID: r.Audience}, Status: memory.Status(r.Status), ReplacedBy: r.ReplacedBy, Closed: r.Closed.Time,
	}
}

// factRows returns those that a condition picks, in its order.
func factRows(r *gorm.DB, where string, args ...any) ([]factRow, error) {
	var rows []factRow
	err := r.Raw("SELECT "+factColumns+" FROM facts r WHERE "+where, args...).Scan(&rows).Error
	return rows, err
}

// facts returns those that a condition picks, whoever wrote them: to delete them, or to
// settle which counts.
func facts(r *gorm.DB, where string, args ...any) ([]memory.Fact, error) {
	rows, err := factRows(r, where, args...)
	return factsOf(rows), err
}

func factsOf(rows []factRow) []memory.Fact {
	var fs []memory.Fact
	for _, row := range rows {
		fs = append(fs, row.fact())
	}
	return fs
}

// known are the facts that a condition picks and that the program has written.
func (s Facts) known(ctx context.Context, where string, args ...any) ([]memory.Fact, error) {
	rows, err := factRows(s.db.r.WithContext(ctx), where, args...)
	if err == nil {
		rows, err = s.db.vouchedFacts(ctx, rows)
	}
	return factsOf(rows), err
}

// seenBy is the condition under which a viewer sees a row called r, with its
// arguments.
func seenBy(v memory.Viewer) (string, []any) { return among(v.Audiences()) }

// Current implements memory.Store.
func (s Facts) Current(ctx context.Context, a memory.Audience, subject, predicate string) ([]memory.Fact, error) {
	fs, err := s.known(ctx, "r.subject = ? AND r.predicate = ? AND r.audience = ? AND r.audience_kind = ? AND "+current+newest,
		subject, predicate, a.ID, a.Kind)
	if err != nil {
		return nil, fmt.Errorf("current facts: %w", err)
	}
	return fs, nil
}

// Fact implements memory.Store.
func (s Facts) Fact(ctx context.Context, id string) (memory.Fact, bool, error) {
	fs, err := s.known(ctx, "r.id = ?", id)
	if err != nil || len(fs) == 0 {
		if err != nil {
			err = fmt.Errorf("fact %s: %w", id, err)
		}
		return memory.Fact{}, false, err
	}
	return fs[0], true, nil
}

// Put implements memory.Store.
func (s Facts) Put(ctx context.Context, f memory.Fact) error {
	if err := s.db.write(ctx, func(tx *gorm.DB) error { return s.put(tx, f) }); err != nil {
		return fmt.Errorf("keep fact %s: %w", f.ID, err)
	}
	return nil
}

func (s Facts) put(tx *gorm.DB, f memory.Fact) error {
	row := s.db.factRowOf(f)
	return tx.Exec(`INSERT INTO facts (id, subject, predicate, object, text, kind, confidence, source, link, place, by_whom, said, event,
			audience_kind, audience, status, replaced_by, closed, mac, true_to, used, expires, hits, evidence)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
		asIs{row.ID}, asIs{row.Subject}, asIs{row.Predicate}, asIs{row.Object}, asIs{row.Text}, asIs{row.Kind}, row.Confidence, asIs{row.Source}, asIs{row.Link}, asIs{row.Place}, asIs{row.ByWhom},
		row.Said, row.Event, row.AudienceKind, asIs{row.Audience}, row.Status, row.ReplacedBy, row.Closed, asIs{row.Mac},
		row.TrueTo, row.Used, row.Expires, row.Hits, asIs{row.Evidence}).Error
}

// Supersede implements memory.Store.
func (s Facts) Supersede(ctx context.Context, old string, successor memory.Fact) error {
	err := s.db.write(ctx, func(tx *gorm.DB) error {
		if err := s.put(tx, successor); err != nil {
			return err
		}
		return supersede(tx, old, successor.ID, at(successor.Said).or(s.db.now()))
	})
	if err != nil {
		return fmt.Errorf("supersede fact %s: %w", old, err)
	}
	return nil
}

func supersede(tx *gorm.DB, id, by string, when stamp) error {
	return tx.Exec("UPDATE facts SET status = 'superseded', replaced_by = ?, closed = ? WHERE id = ? AND status <> 'superseded'", by, when, id).Error
}

// List implements memory.Store.
func (s Facts) List(ctx context.Context, v memory.Viewer, limit int) ([]memory.Fact, error) {
	seen, args := seenBy(v)
	fs, err := s.known(ctx, seen+" AND "+current+newest+" LIMIT ?", append(args, limit)...)
	if err != nil {
		return nil, fmt.Errorf("list facts: %w", err)
	}
	return fs, nil
}

type episodeRow struct {
	Seq                    int64 `gorm:"primaryKey;autoIncrement"`
	ID                     string
	At                     stamp
	Who, Place, Text, Link string
	AudienceKind, Audience string

	Asked, Outcome, Steps, Tools, Result, Data string
	Expires                                    stamp
}

func (r episodeRow) seq() int64 { return r.Seq }

func (r episodeRow) episode() memory.Episode {
	return memory.Episode{
		Asked: r.Asked, Outcome: r.Outcome, Steps: r.Steps, Tools: strings.Fields(r.Tools), Result: r.Result, Data: r.Data, Expires: r.Expires.Time,
		ID: r.ID, At: r.At.Time, Who: r.Who, Place: r.Place, Text: r.Text, Link: r.Link,
		Audience: memory.Audience{Kind: r.AudienceKind, ID: r.Audience},
	}
}

// PutEpisode implements memory.Store.
func (s Facts) PutEpisode(ctx context.Context, e memory.Episode) error {
	err := s.db.write(ctx, func(tx *gorm.DB) error {
		var seqs []int64
		err := tx.Raw(`INSERT INTO episodes (id, at, who, place, text, link, audience_kind, audience, asked, outcome, steps, tools, result, data, expires)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO NOTHING RETURNING seq`,
			e.ID, at(e.At).or(s.db.now()), e.Who, e.Place, plain(e.Text), plain(e.Link), e.Audience.Kind, e.Audience.ID,
			plain(e.Asked), plain(e.Outcome), plain(e.Steps), plain(strings.Join(e.Tools, " ")), plain(e.Result), plain(e.Data), at(e.Expires)).Scan(&seqs).Error
		if err != nil || len(seqs) == 0 {
			return err
		}
		return s.db.index(tx, "episode", seqs[0], strings.Join([]string{e.Text, e.Asked, e.Outcome}, " "))
	})
	if err != nil {
		return fmt.Errorf("keep episode %s: %w", e.ID, err)
	}
	return nil
}

// Episodes implements memory.Store.
func (s Facts) Episodes(ctx context.Context, v memory.Viewer, text string, limit int) ([]memory.Episode, error) {
	const columns = `r.seq, r.id, r.at, r.who, r.place, r.text, r.link, r.audience_kind, r.audience,
		r.asked, r.outcome, r.steps, r.tools, r.result, r.data, r.expires`
	seen, args := seenBy(v)
	var es []memory.Episode
	if text != "" {
		hits, err := search[episodeRow](ctx, s.db, searched{"episode", columns, seen, args}, text, limit)
		if err != nil {
			return nil, fmt.Errorf("search episodes: %w", err)
		}
		for _, h := range hits {
			es = append(es, h.Row.episode())
		}
		return es, nil
	}
	var rows []episodeRow
	err := s.db.r.WithContext(ctx).Raw("SELECT "+columns+" FROM episodes r WHERE "+seen+" ORDER BY r.at DESC, r.seq DESC LIMIT ?", append(args, limit)...).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list episodes: %w", err)
	}
	for _, r := range rows {
		es = append(es, r.episode())
	}
	return es, nil
}
