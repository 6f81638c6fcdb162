package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
)

// decision is the row about a question that was settled.
func (d *DB) decision(q run.Question, a run.Answer) entry {
	e := entry{Who: a.By, What: Answered, Subject: q.ID, Part: q.Run, Place: q.Home, Outcome: a.Choice}
	var tools, hashes []string
	for _, c := range q.Calls {
		hash := c.Hash
		if args, ok := a.Args[c.ID]; ok {
			hash = hashOf(c.Name, args)
		}
		tools, hashes = append(tools, c.Name), append(hashes, hash)
	}
	e.Tool, e.Digest = strings.Join(tools, ","), combined(hashes)
	o, known := q.Option(a.Choice)
	switch {
	case a.Choice == run.Late && a.By == "":
		e.What = Expired
	case a.Choice == run.Ceased:
		e.What = CalledOff
	case q.Kind != run.Approve:
		// What a tool gives to choose from, and what people say to it, may be words.
		e.Outcome = string(q.Kind)
	case a.Choice == run.No:
		e.What = Denied
	case known && len(o.Calls) > 0:
		e.What = Approved
		if len(a.Args) > 0 {
			e.Outcome += "+edited"
		}
	}
	return e
}

// agreement is one yes of several.
func (d *DB) agreement(q run.Question, a run.Answer) entry {
	e := d.decision(q, a)
	e.What = Agreed
	return e
}

// combined is the hash of several as one: of one it is that.
func combined(hashes []string) string {
	if len(hashes) < 2 {
		return strings.Join(hashes, "")
	}
	sum := sha256.Sum256([]byte(strings.Join(hashes, "\n")))
	return hex.EncodeToString(sum[:])
}

// hashOf is the hash of a call's canonical arguments; of what is no JSON that of the
// bytes.
func hashOf(name string, args json.RawMessage) string {
	hash, err := run.HashArgs(name, args)
	if err != nil {
		sum := sha256.Sum256(append([]byte(name+"\x00"), args...))
		hash = hex.EncodeToString(sum[:])
	}
	return hash
}

// written adds a row for each write of a Run that has come to a result since it had
// was steps, and for each call that was refused. A call is told once.
func (d *DB) written(tx *gorm.DB, r run.Run, was int) error {
	for i := max(0, was-1); i < len(r.Steps); i++ {
		for _, res := range r.Steps[i].Results {
			e, ok := refusal(r, r.Steps[i], res)
			if !ok {
				e, ok = d.writing(r, r.Steps[i], res)
			}
			if !ok {
				continue
			}
			if told, err := audited(tx, e.What, d.keys.current.asID(e.Subject)); err != nil || told {
				if err != nil {
					return err
				}
				continue
			}
			if err := d.audit(tx, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// writing is the row about what came of a call; none of one that was not a write or did
// not run.
func (d *DB) writing(r run.Run, s run.Step, res run.Result) (entry, bool) {
	i := slices.IndexFunc(s.Reply.Message.Calls, func(c llm.Call) bool { return c.ID == res.ID })
	if i < 0 || res.Under == "" && !res.Unknown {
		return entry{}, false
	}
	call, under := s.Reply.Message.Calls[i], res.Under
	for _, q := range r.Questions {
		if q.ID != under && !(under == "" && slices.ContainsFunc(q.Calls, func(p run.Planned) bool { return p.ID == res.ID })) {
			continue
		}
		if q.Kind != run.Approve {
			return entry{}, false // a tool that reads has asked something
		}
		under = q.ID
		if approved, ok := q.Approved(res.ID); ok {
			call = approved
		}
	}
	outcome := "done"
	switch {
	case res.Unknown:
		outcome = "unknown"
	case res.Failed:
		outcome = "failed"
	}
	return entry{
		Who: r.Asker, What: Written, Subject: r.ToolCall(call).ID, Under: under, Part: r.Key, Place: r.Home,
		Tool: call.Name, Digest: hashOf(call.Name, call.Args), Outcome: outcome,
	}, true
}

// refusal is the row about a call that was refused, and by what: the rights of who asked,
// what a schedule may do, or a decision that is not the one that was made.
func refusal(r run.Run, s run.Step, res run.Result) (entry, bool) {
	by := ""
	switch {
	case res.Hidden:
		by = "rights"
	case res.Unrun == run.Altered:
		by = "altered"
	case res.Unrun == run.Forbidden && res.Denied == "" && !r.NoTools:
		by = "unattended"
	}
	i := slices.IndexFunc(s.Reply.Message.Calls, func(c llm.Call) bool { return c.ID == res.ID })
	if by == "" || i < 0 {
		return entry{}, false
	}
	c := s.Reply.Message.Calls[i]
	return entry{
		Who: r.Asker, What: Refused, Subject: r.ToolCall(c).ID, Part: r.Key, Place: r.Home, Tool: c.Name, Digest: hashOf(c.Name, c.Args), Outcome: by,
	}, true
}

// queued is the row about a post that goes to another place.
func queued(r run.Run, p run.Post) entry {
	return entry{
		Who: r.Asker, What: PostQueued, Subject: p.Key, Under: p.Under, Part: r.Key, Place: p.Post.To,
		Tool: called(r, p.Call), Digest: p.Post.Hash,
	}
}

// called is the tool of a call.
func called(r run.Run, id string) string {
	for _, s := range slices.Backward(r.Steps) {
		for _, c := range s.Reply.Message.Calls {
			if c.ID == id {
				return c.Name
			}
		}
	}
	return ""
}

// delivered is the row about what became of it. Why it failed are words of the
// platform, so it stands as a keyed hash.
func (d *DB) delivered(tx *gorm.DB, p bot.Post, r bot.Receipt) error {
	e := entry{What: Posted, Subject: p.Key, Part: p.Run, Place: r.Ref.Place.String(), Digest: p.Hash, Outcome: r.Ref.ID}
	if r.Failed != "" {
		e.What, e.Place, e.Outcome = PostFailed, p.Place.String(), d.keys.current.value(r.Failed)
	}
	var was []auditRow
	if err := tx.Raw("SELECT * FROM audit WHERE subject = ? AND what = ? ORDER BY seq LIMIT 1", d.keys.current.asID(p.Key), PostQueued).Scan(&was).Error; err != nil {
		return fmt.Errorf("audit of post %s: %w", p.Key, err)
	}
	if len(was) > 0 {
		e.Who, e.Under, e.Tool = was[0].Who, was[0].Under, was[0].Tool
	}
	return d.audit(tx, e)
}

// ExpireGrants notes the grants whose time is up, once each.
func (j Journal) ExpireGrants(ctx context.Context) error {
	d := j.db
	var n int64
	const due = "until <= ? AND revoked IS NULL AND over IS NULL"
	if err := d.r.WithContext(ctx).Raw("SELECT COUNT(*) FROM grants WHERE "+due, d.now()).Scan(&n).Error; err != nil || n == 0 {
		return wrapped(err, "grants that are over")
	}
	err := d.write(ctx, func(tx *gorm.DB) error {
		var gone []grantRow
		if err := tx.Raw("UPDATE grants SET over = ? WHERE "+due+" RETURNING "+d.grantColumns(), d.now(), d.now()).Scan(&gone).Error; err != nil {
			return err
		}
		slices.SortFunc(gone, func(a, b grantRow) int { return cmp.Or(a.Until.Compare(b.Until.Time), cmp.Compare(a.ID, b.ID)) })
		for _, g := range gone {
			if err := d.audit(tx, entry{What: GrantOver, Subject: g.ID, Under: g.Question, Part: g.Job, Tool: g.Tool, Outcome: fmt.Sprintf("%d/%d", g.Uses, g.Max)}); err != nil {
				return err
			}
		}
		return nil
	})
	return wrapped(err, "grants that are over")
}

// LoggedIn notes that a browser was let in as somebody.
func (j Journal) LoggedIn(ctx context.Context, person string) error {
	return wrapped(j.db.write(ctx, func(tx *gorm.DB) error {
		return j.db.audit(tx, entry{Who: person, What: LoggedIn, Subject: "console"})
	}), "audit of a login")
}

// configured is what of the configuration is kept between two starts.
const configured = "audit.config"

// prints are the keyed hashes of the values of a configuration, by their keys.
type prints struct {
	Key    string            `json:"key"`
	Values map[string]string `json:"values"`
}

func (k auditKey) prints(values map[string]string) prints {
	p := prints{Key: k.id, Values: map[string]string{}}
	for name, v := range values {
		p.Values[name] = k.value(name + "\n" + v)
	}
	return p
}

// total is the hash over all of them, in the order of their keys.
func (p prints) total() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.Values)) {
		b.WriteString(name + "=" + p.Values[name] + "\n")
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}

// Configured notes the effective configuration at a start, if it differs from that of
// the start before: the keys whose values have changed, by name, and a hash of all.
// The values, secrets too, stand nowhere but as hashes under the audit's key. It
// returns the names.
func (j Journal) Configured(ctx context.Context, values map[string]string) ([]string, error) {
	d, changed := j.db, []string(nil)
	err := d.write(ctx, func(tx *gorm.DB) error {
		if err := d.locked(tx, "audit"); err != nil {
			return err
		}
		now := d.keys.current.prints(values)
		was, trusted, err := d.lastPrints(tx)
		if err != nil {
			return err
		}
		like := now // under the key of that time
		if k, ok := d.keys.known[was.Key]; ok {
			like = k.prints(values)
		} else {
			trusted = false
		}
		if err := d.sealsBegin(tx); err != nil {
			return err
		}
		if trusted && like.total() == was.total() && like.Key == now.Key {
			return nil
		}
		for name, v := range like.Values {
			if old, ok := was.Values[name]; !ok || old != v {
				changed = append(changed, name)
			}
		}
		for name := range was.Values {
			if _, ok := like.Values[name]; !ok {
				changed = append(changed, name)
			}
		}
		slices.Sort(changed)
		e := entry{What: Configured, Subject: "configuration", Digest: now.total(), Outcome: fmt.Sprintf("changed/%d", len(changed))}
		if !trusted {
			e.Outcome, changed = "all", nil
		}
		for _, name := range changed {
			if err := d.audit(tx, entry{What: ConfigKey, Subject: name, Digest: now.Values[name]}); err != nil {
				return err
			}
		}
		if err := d.audit(tx, e); err != nil {
			return err
		}
		kept, err := encode(now)
		if err != nil {
			return err
		}
		return put(tx, "", configured, kept, d.now())
	})
	return changed, wrapped(err, "audit of the configuration")
}

// lastPrints are those of the start before, and whether they are what the audit has.
func (d *DB) lastPrints(tx *gorm.DB) (prints, bool, error) {
	var kept []string
	if err := tx.Raw("SELECT value FROM settings WHERE workspace = '' AND name = ?", configured).Scan(&kept).Error; err != nil {
		return prints{}, false, err
	}
	var rows []auditRow
	if err := tx.Raw("SELECT * FROM audit WHERE subject = 'configuration' AND what = ? ORDER BY seq DESC LIMIT 1", Configured).Scan(&rows).Error; err != nil {
		return prints{}, false, err
	}
	var was prints
	if len(kept) == 0 || len(rows) == 0 {
		return was, false, nil
	}
	if err := json.Unmarshal([]byte(kept[0]), &was); err != nil {
		return prints{}, false, nil //nolint:nilerr // what somebody has spoilt is no better than none
	}
	return was, was.total() == rows[0].Digest, nil
}

var _ bot.Auditor = Journal{}
