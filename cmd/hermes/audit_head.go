package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"hermes/bot"
	"hermes/config"
	"hermes/internal/store"
)

// The head of the audit is noted outside of the database, in a file of the data folder
// and in the log: at each start and end, and once a day. So an end that is cut off
// shows. Who copies the log elsewhere has it where nobody of this machine can change it.
// The database keeps one as well, which moves with each row; where either is gone, that
// is said at a start and by verify.
//
// Who can write the whole data folder can put back all of it as it was on an earlier day,
// heads too: that shows only by what was kept elsewhere, such as a copy of the log or an
// export (verify --from), and, while the daemon runs, by the number that it has seen.

func headFile(cfg config.Config) string { return filepath.Join(cfg.Data, "audit.head") }

// How often grants are looked at whose time is over, and tries that were refused are
// told; and how often the head is noted.
const (
	auditLook  = time.Minute
	auditNoted = 24 * time.Hour
)

// auditKeys are those of the configuration.
func auditKeys(cfg config.Config) store.AuditKeys {
	k := store.AuditKeys{Current: string(cfg.Audit.Key)}
	for _, f := range cfg.Audit.FormerKeys {
		k.Former = append(k.Former, string(f))
	}
	return k
}

// noteConfig tells the audit with which configuration the daemon starts, if it is
// another than at the start before.
func (h *hermes) noteConfig(ctx context.Context) error {
	h.lookBack(ctx) // before there are new rows
	changed, err := h.db.Journal().Configured(ctx, h.cfg.Flat())
	if err != nil {
		return err
	}
	if len(changed) > 0 {
		h.log.Info("the configuration has changed since the last start", "keys", strings.Join(changed, " "))
	}
	return nil
}

// keepAudit does what the audit needs while the daemon runs, until ctx ends. Work goes
// on where it cannot: rows are written in the transactions of what they tell.
func (h *hermes) keepAudit(ctx context.Context) error {
	h.lookBack(ctx)
	tick := time.NewTicker(auditLook)
	defer tick.Stop()
	var noted time.Time
	for {
		if err := h.tendAudit(ctx, &noted); err != nil && ctx.Err() == nil {
			h.log.Error("the audit could not be looked after", "err", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
			defer cancel()
			if err := errors.Join(h.db.Journal().Tally(last, true), h.noteHead(last)); err != nil {
				h.log.Error("the audit could not be ended: its head or what was refused last is not noted", "err", err)
			}
			return nil
		}
	}
}

// tendAudit notes grants that are over, what was refused, and the head when a day has
// passed.
func (h *hermes) tendAudit(ctx context.Context, noted *time.Time) error {
	err := errors.Join(h.db.Journal().ExpireGrants(ctx), h.db.Journal().Tally(ctx, false), h.watchHead(ctx))
	if now := h.now(); noted.IsZero() || now.Sub(*noted) >= auditNoted {
		failed := h.noteHead(ctx)
		if failed == nil {
			*noted = now
		}
		err = errors.Join(err, failed)
	}
	return err
}

// watchHead says so when the audit has gone back while the daemon runs: its rows only
// become more.
func (h *hermes) watchHead(ctx context.Context) error {
	head, err := h.db.Journal().Head(ctx)
	if err != nil {
		return err
	}
	was := h.headSeen
	h.headSeen = head
	if head.Seq >= was.Seq {
		return nil
	}
	h.log.Error("the audit has gone back: it was put back or cut off while hermes runs", "row", head.Seq, "was", was.Seq, "hash", was.Hash,
		"hint", fmt.Sprintf("`hermes audit verify --head %d:%s` says more; look at who can write to the database", was.Seq, was.Hash))
	return nil
}

// headsIn reads the heads out of a copy of the log (text or JSON), of the file of heads, or
// of an export (JSON or CSV).
func headsIn(name string) ([]store.Head, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--from: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	var heads []store.Head
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if h, ok := headOn(lines.Text()); ok {
			heads = append(heads, h)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("--from %s: %w", name, err)
	}
	if len(heads) == 0 {
		return nil, fmt.Errorf("--from %s: there is no head of the audit in it\n  hint: it is a copy of the log, of audit.head, or of what `hermes audit export` writes", name)
	}
	return heads, nil
}

// loggedHead is a head on a line of a log in text.
var loggedHead = regexp.MustCompile(`msg="head of the audit" row=(\d+) hash=([0-9a-f]{64})`)

// headOn is the head that stands on a line, if one does.
func headOn(line string) (store.Head, bool) {
	var in struct {
		Msg, Hash string
		Row, Seq  int64
		At, Time  time.Time
	}
	number, hash := "", ""
	switch cells := strings.Split(line, ","); {
	case strings.HasPrefix(strings.TrimSpace(line), "{"):
		if json.Unmarshal([]byte(line), &in) != nil || in.Row > 0 && in.Msg != "head of the audit" {
			return store.Head{}, false
		}
		if in.At.IsZero() {
			in.At = in.Time
		}
		number, hash = strconv.FormatInt(max(in.Row, in.Seq), 10), in.Hash
	case loggedHead.MatchString(line):
		m := loggedHead.FindStringSubmatch(line)
		number, hash = m[1], m[2]
	case len(cells) == 16:
		number, hash = cells[0], cells[15]
		in.At, _ = time.Parse(time.RFC3339, cells[1])
	default:
		if w := strings.Fields(line); len(w) == 3 {
			number, hash = w[1], w[2]
			in.At, _ = time.Parse(time.RFC3339, w[0])
		}
	}
	seq, err := strconv.ParseInt(number, 10, 64)
	if err != nil || seq < 1 || len(hash) != 64 || strings.Trim(hash, "0123456789abcdef") != "" {
		return store.Head{}, false
	}
	return store.Head{Seq: seq, Hash: hash, At: in.At}, true
}

// noteHead writes down which row is the last one.
func (h *hermes) noteHead(ctx context.Context) error {
	if _, err := h.db.Journal().KeepHead(ctx); err != nil {
		return err
	}
	head, err := h.db.Journal().Head(ctx)
	if err != nil || head.Seq == 0 {
		return err
	}
	h.log.Info("head of the audit", "row", head.Seq, "hash", head.Hash)
	known, err := readHeads(headFile(h.cfg))
	if err != nil {
		return err
	}
	if n := len(known); n > 0 && known[n-1].Hash == head.Hash {
		return nil
	}
	f, err := os.OpenFile(headFile(h.cfg), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("note the head of the audit: %w", err)
	}
	_, err = fmt.Fprintf(f, "%s %d %s\n", h.now().UTC().Format(time.RFC3339), head.Seq, head.Hash)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("note the head of the audit: %w", err)
	}
	return nil
}

// lookBack is recallHead once, at a start. Work goes on where it cannot.
func (h *hermes) lookBack(ctx context.Context) {
	h.recalled.Do(func() {
		if err := h.recallHead(ctx); err != nil && ctx.Err() == nil {
			h.log.Error("the last head of the audit could not be looked up", "err", err)
		}
	})
}

const headHint = "`hermes audit verify --head` with the last head that the log, a copy of it or an export has says whether the end was cut off; it is noted anew now"

// recallHead looks at a start whether the row is there that was noted last, and says so
// where none is noted. Whether all between is as it was, verify says.
func (h *hermes) recallHead(ctx context.Context) error {
	head, err := h.db.Journal().Head(ctx)
	if err != nil {
		return err
	}
	has, err := h.db.Journal().CheckHead(ctx)
	switch {
	case errors.Is(err, store.ErrBroken):
		h.log.Error("the audit is not the one whose head the database keeps; `hermes audit verify` says more", "err", err)
	case err != nil:
		return err
	case !has:
		h.log.Warn("the database keeps no head of its audit: rows may have been cut off from its end, unless this is the first start since an upgrade", "row", head.Seq, "hint", headHint)
	}
	heads, err := readHeads(headFile(h.cfg))
	if err != nil {
		return err
	}
	if len(heads) == 0 {
		if head.Seq > 0 {
			h.log.Warn("there is no file with heads of the audit, and there are rows: some may have been cut off from its end, unless this is the first start", "file", headFile(h.cfg), "row", head.Seq, "hint", headHint)
		}
		return nil
	}
	was := heads[len(heads)-1]
	rows, err := h.db.Journal().AuditFrom(ctx, store.AuditFilter{After: was.Seq - 1}, 1)
	if err != nil {
		return err
	}
	if len(rows) == 0 || rows[0].Seq == was.Seq && rows[0].Hash != was.Hash {
		h.log.Error("the audit ends before, or is another than, what was noted as its end; `hermes audit verify` says more. After a backup was put back, remove the file",
			"row", was.Seq, "file", headFile(h.cfg))
	}
	return nil
}

// readHeads reads the file of heads. A line that was cut off in a crash is passed over.
func readHeads(name string) ([]store.Head, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("heads of the audit: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	var heads []store.Head
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		w := strings.Fields(lines.Text())
		if len(w) != 3 || len(w[2]) != 64 {
			continue
		}
		at, err := time.Parse(time.RFC3339, w[0])
		seq, wrong := strconv.ParseInt(w[1], 10, 64)
		if err == nil && wrong == nil && seq > 0 {
			heads = append(heads, store.Head{Seq: seq, Hash: w[2], At: at})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("heads of the audit: %w", err)
	}
	return heads, nil
}

// checkAudit says under which key the audit is, and where it is kept.
func checkAudit(cfg config.Config, c *checking) {
	if key := string(cfg.Audit.Key); key != "" {
		c.report("audit: its key is audit.key, id "+store.AuditKeyID(key), nil, "")
		return
	}
	name := store.AuditKeyFile(dsn(cfg))
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.f("· audit: no audit.key is configured; `hermes serve` makes %s: keep a copy of it, apart from that of the database\n", name)
	case err != nil:
		c.report("audit: "+name, err, "the user that runs hermes must be able to read it")
	case info.Mode().Perm()&0o077 != 0:
		c.report("audit: "+name, fmt.Errorf("others can read it (%v)", info.Mode().Perm()), "chmod 600 "+name)
	default:
		c.report("audit: its key is the file "+name+": keep a copy of it, apart from that of the database", nil, "")
	}
}

var _ bot.Auditor = store.Journal{}
