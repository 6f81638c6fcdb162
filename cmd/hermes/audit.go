package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hermes/bot/terminal"
	"hermes/config"
	"hermes/internal/store"
)

type headsArgs struct {
	Heads []store.Head `json:"heads"`
}

// opAuditVerify holds the audit against the heads of the file as well.
var opAuditVerify = asOp("audit.verify", func(ctx context.Context, h *hermes, in headsArgs) (store.Verified, error) {
	noted, err := readHeads(headFile(h.cfg))
	if err != nil {
		return store.Verified{}, err
	}
	v, err := h.db.Journal().Verify(ctx, append(noted, in.Heads...)...)
	if err == nil && v.Rows > 0 && len(noted) == 0 {
		v.Headless = append(v.Headless, headFile(h.cfg))
	}
	if errors.Is(err, store.ErrBroken) {
		return v, fmt.Errorf("%w\n  hint: `hermes audit export` shows the rows as they are now; compare with a backup, or with a copy of the log, which has the head of each day", err)
	}
	return v, err
})

type pageArgs struct {
	Filter store.AuditFilter `json:"filter"`
	N      int               `json:"n"`
	Last   bool              `json:"last,omitempty"` // the last n, the newest first
}

var opAuditPage = asOp("audit.page", func(ctx context.Context, h *hermes, in pageArgs) ([]store.Entry, error) {
	if in.Last {
		return h.db.Journal().AuditOf(ctx, in.Filter, in.N)
	}
	return h.db.Journal().AuditFrom(ctx, in.Filter, in.N)
})

type pruneArgs struct {
	Before time.Time `json:"before"`
}

var opAuditPrune = asOp("audit.prune", func(ctx context.Context, h *hermes, in pruneArgs) (int64, error) {
	n, err := h.db.Journal().Prune(ctx, in.Before, terminal.Owner)
	if err != nil {
		return n, err
	}
	return n, h.noteHead(ctx)
})

// audited asks the daemon about the audit or, when none runs, holds its lock and opens
// the store alone: an audit can be read although nothing else of the configuration
// works any more.
func (s *shell) audited(ctx context.Context, do func(ask func(o op, in, out any) error) error) error {
	cfg, err := s.config()
	if err != nil {
		return err
	}
	if _, err := os.Stat(cfg.Data); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no data folder %s\n  hint: --data names another; `hermes serve` makes one", cfg.Data)
	}
	release, err := lock(cfg.Data)
	if errors.Is(err, errHeld) {
		return do(func(o op, in, out any) error {
			raw, err := json.Marshal(in)
			if err != nil {
				return err
			}
			value, err := knock(ctx, cfg.Data, o.name, raw)
			if err != nil {
				return err
			}
			return json.Unmarshal(value, out)
		})
	}
	if err != nil {
		return err
	}
	defer release()
	h, err := s.auditAlone(ctx, cfg)
	if err != nil {
		return err
	}
	err = do(func(o op, in, out any) error {
		raw, err := json.Marshal(in)
		if err != nil {
			return err
		}
		value, err := o.ask(ctx, h, raw)
		if err != nil {
			return err
		}
		return json.Unmarshal(value, out)
	})
	return errors.Join(err, h.db.Close())
}

// auditAlone is of the whole program what the audit needs.
func (s *shell) auditAlone(ctx context.Context, cfg config.Config) (*hermes, error) {
	h := &hermes{cfg: cfg, log: s.logger("error"), now: time.Now}
	var err error
	h.db, err = store.Open(ctx, store.Config{DSN: dsn(cfg), Log: h.log, Audit: auditKeys(cfg)})
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	return h, nil
}

func (s *shell) audit() *cobra.Command {
	root := &cobra.Command{
		Use: "audit", Short: "Verify, show, export and prune the audit of what was decided and done",
		Long: "Verify, show, export and prune the audit of what was decided and done.\n\n" +
			"Its rows hold ids and hashes, and are chained under a key (audit.key). `go doc\n" +
			"hermes/internal/store` says which bytes each hash is made of.",
	}
	root.AddCommand(s.auditVerify(), s.auditShow(), s.auditExport(), s.auditPrune(), s.auditAcknowledge())
	return root
}

func (s *shell) auditVerify() *cobra.Command {
	var heads, files []string
	cmd := &cobra.Command{
		Use: "verify", Short: "Go through all rows; fail with the number of the first that was changed, is missing, or was put in", Args: cobra.NoArgs,
		Long: "Go through all rows; fail with the number of the first that was changed, is missing,\n" +
			"or was put in. That the end was cut off shows by the head that the database keeps, by\n" +
			"those in audit.head of the data folder, and by those given with --head, such as the\n" +
			"log has them each day, or read from a file with --from: a copy of the log, of audit.head,\n" +
			"or of an export. Who puts back the database, audit.head and audit.key as they were on an\n" +
			"earlier day puts back all of that: this shows only by a head that was kept where they\n" +
			"cannot write. The number of the last row only grows; it is in the log at each start\n" +
			"and end, and once a day.\n\n" +
			"It fails too where the database has what hermes has not written: a raise of a budget,\n" +
			"a grant, an approval or an agreement that the audit has not or has otherwise, a row of\n" +
			"the inbox or the outbox, a report or a file that was changed, a post elsewhere that\n" +
			"nobody allowed. None of them is acted on. `hermes audit acknowledge` says that one was dealt\n" +
			"with; it is listed then and is no fault any more.\n\n" +
			"Status: 0 all is well; 1 something is wrong; 3 nothing is wrong, and a head that\n" +
			"should be there is not, so that the end may have been cut off.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := headsArgs{}
			for _, text := range heads {
				h, err := readHead(text)
				if err != nil {
					return err
				}
				in.Heads = append(in.Heads, h)
			}
			for _, name := range files {
				found, err := headsIn(name)
				if err != nil {
					return err
				}
				in.Heads = append(in.Heads, found...)
			}
			return s.audited(cmd.Context(), func(ask func(op, any, any) error) error {
				var v store.Verified
				if err := ask(opAuditVerify, in, &v); err != nil {
					return err
				}
				return errors.Join(s.sayVerified(v), s.sayOutside(v, in), verdict(v))
			})
		},
	}
	cmd.Flags().StringArrayVar(&files, "from", nil, "a `file` with heads: a copy of the log, of audit.head, or of an export")
	cmd.Flags().StringSliceVar(&heads, "head", nil, "a row that was the last one once: its hash, or its number, a colon and its hash")
	return cmd
}

func readHead(text string) (store.Head, error) {
	number, hash, ok := strings.Cut(text, ":")
	if !ok {
		number, hash = "0", text
	}
	seq, err := strconv.ParseInt(number, 10, 64)
	if err != nil || len(hash) != 64 || strings.Trim(hash, "0123456789abcdef") != "" {
		return store.Head{}, fmt.Errorf("--head %q is no head\n  hint: write the 64 digits of a hash, or 123: before them for row 123, as `hermes audit verify` prints it", text)
	}
	return store.Head{Seq: seq, Hash: hash}, nil
}

func (s *shell) sayVerified(v store.Verified) error {
	p := printer{w: s.out}
	if v.Rows == 0 {
		p.f("· the audit has no rows yet\n")
		return p.err
	}
	p.f("✓ rows: %d, %s to %s\n  head %d:%s\n", v.Rows, auditMoment(v.First), auditMoment(v.Last), v.Head.Seq, v.Head.Hash)
	if v.Heads > 0 {
		p.f("  heads that were noted and are there: %d\n", v.Heads)
	}
	if v.Plain > 0 {
		p.f("  rows of before there was a key, under a seal: %d\n", v.Plain)
	}
	if v.Unproven > 0 {
		p.f("! rows under a key that is lost, so that nobody can verify what they say: %d\n", v.Unproven)
	}
	for _, where := range v.Headless {
		p.f("! no head: %s has none\n", where)
	}
	for _, d := range v.Doubts {
		if d.Known != "" {
			p.f("· %s: %s (known: %s)\n", d.Subject, d.How, d.Known)
			continue
		}
		p.f("✗ %s: %s\n", d.Subject, d.How)
	}
	return p.err
}

// sayOutside says what nobody can know without a head that was kept elsewhere.
func (s *shell) sayOutside(v store.Verified, in headsArgs) error {
	if v.Rows == 0 || len(in.Heads) > 0 {
		return nil
	}
	_, err := fmt.Fprint(s.out, "· no head from elsewhere was given: the data folder of an earlier day that was put back as a whole shows only by one\n"+
		"  hint: --from a copy of the log or of an export that is kept where nobody of this machine can change it\n")
	return err
}

// verdict is what Verified comes to beside the chain: doubts are faults
// until the operator has dealt with them, and where a head
// is missing nobody can be sure.
func verdict(v store.Verified) error {
	n := 0
	for _, d := range v.Doubts {
		if d.Known == "" {
			n++
		}
	}
	switch {
	case n > 0:
		return fmt.Errorf("what the database has and the audit has not, or otherwise: %d\n  hint: none of them is acted on; look at who can write to the database, end a grant with `hermes grants revoke ID`, and when one is dealt with: `hermes audit acknowledge ID --reason …`", n)
	case len(v.Headless) > 0:
		return unsure{fmt.Errorf("a head of the audit is missing (%s): its end may have been cut off\n  hint: give the last one that the log or an export has with --head; `hermes serve` notes it anew", strings.Join(v.Headless, ", "))}
	}
	return nil
}

type acknowledgeArgs struct {
	Subject string `json:"subject"`
	Reason  string `json:"reason"`
}

var opAuditAcknowledge = asOp("audit.acknowledge", func(ctx context.Context, h *hermes, in acknowledgeArgs) (bool, error) {
	err := h.db.Journal().Acknowledge(ctx, in.Subject, in.Reason, terminal.Owner)
	if errors.Is(err, store.ErrNoDoubt) {
		err = fmt.Errorf("%w\n  hint: `hermes audit verify` lists what it finds, each with its id before the colon", err)
	}
	return err == nil, err
})

func (s *shell) auditAcknowledge() *cobra.Command {
	in := acknowledgeArgs{}
	cmd := &cobra.Command{
		Use: "acknowledge ID", Short: "Say that what verify finds about an id was dealt with, and why", Args: cobra.ExactArgs(1),
		Long: "Say that what verify finds about an id was dealt with, and why. The audit has a row\n" +
			"that you did, with the hash of the reason; verify lists the finding as known from then\n" +
			"on, and its status is 0 when only such are left. What else is found about the same id\n" +
			"later is a finding of its own. Rows of the audit itself cannot be acknowledged.",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Subject = args[0]
			if strings.TrimSpace(in.Reason) == "" {
				return errors.New("--reason is missing\n  hint: write in a sentence what it was and what was done about it")
			}
			return s.audited(cmd.Context(), func(ask func(op, any, any) error) error {
				var done bool
				if err := ask(opAuditAcknowledge, in, &done); err != nil {
					return err
				}
				_, err := fmt.Fprintf(s.out, "%s is known from now on\n", in.Subject)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&in.Reason, "reason", "", "what it was, and what was done about it")
	return cmd
}

func auditMoment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

func (s *shell) auditShow() *cobra.Command {
	in := pageArgs{Last: true}
	cmd := &cobra.Command{
		Use: "show", Short: "Show the last rows, the newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if in.N < 1 {
				return fmt.Errorf("-n %d shows nothing\n  hint: write 1 or more", in.N)
			}
			return s.audited(cmd.Context(), func(ask func(op, any, any) error) error {
				var rows []store.Entry
				if err := ask(opAuditPage, in, &rows); err != nil {
					return err
				}
				return s.showAudit(rows)
			})
		},
	}
	cmd.Flags().IntVarP(&in.N, "rows", "n", 20, "how many rows")
	cmd.Flags().StringVar(&in.Filter.Who, "who", "", "of this person: platform:workspace:user")
	cmd.Flags().StringVar(&in.Filter.What, "what", "", "of this kind, such as approved, denied, \"post queued\"")
	cmd.Flags().StringVar(&in.Filter.Subject, "subject", "", "about this question, grant, post, run, job or place, by its id")
	return cmd
}

func (s *shell) showAudit(rows []store.Entry) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(s.out, "the audit has no such rows")
		return err
	}
	w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	p := printer{w: w}
	p.f("ROW\tTIME\tWHO\tWHAT\tSUBJECT\tUNDER\tPART OF\tPLACE\tTOOL\tOUTCOME\tDIGEST\n")
	for _, e := range rows {
		p.f("%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.Seq, auditMoment(e.At), or(e.Who, "-"), e.What, or(e.Subject, "-"), or(e.Under, "-"), or(e.Part, "-"),
			or(e.Place, "-"), or(e.Tool, "-"), or(e.Outcome+e.Detail, "-"), or(brief(e.Digest), "-"))
	}
	return errors.Join(p.err, w.Flush())
}

// brief is enough of a hash to tell it from others.
func brief(hash string) string { return hash[:min(len(hash), len("hmac:")+12)] }

func (s *shell) auditExport() *cobra.Command {
	var from, to, format string
	cmd := &cobra.Command{
		Use: "export", Short: "Write rows with their hashes, the oldest first, so that others can verify them", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := s.config()
			if err != nil {
				return err
			}
			in := pageArgs{N: exportPage}
			if in.Filter.From, err = auditTime("--from", from, cfg.Zone, 0); err != nil {
				return err
			}
			if in.Filter.To, err = auditTime("--to", to, cfg.Zone, 1); err != nil {
				return err
			}
			write, end, err := exporter(s.out, format)
			if err != nil {
				return err
			}
			var last store.Entry
			rows := 0
			err = s.audited(cmd.Context(), func(ask func(op, any, any) error) error {
				return export(in, ask, func(e store.Entry) error { rows, last = rows+1, e; return write(e) }, end)
			})
			if err == nil && rows > 0 {
				_, err = fmt.Fprintf(s.err, "rows: %d; the last, for `hermes audit verify --head`:\n%d:%s\n", rows, last.Seq, last.Hash)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "from this day, or time (RFC 3339)")
	cmd.Flags().StringVar(&to, "to", "", "to this day, which is the last, or up to this time (RFC 3339)")
	cmd.Flags().StringVar(&format, "format", "jsonl", "jsonl or csv")
	return cmd
}

// exportPage is how many rows are in memory at a time.
const exportPage = 1000

func export(in pageArgs, ask func(op, any, any) error, write func(store.Entry) error, end func() error) error {
	for {
		var rows []store.Entry
		if err := ask(opAuditPage, in, &rows); err != nil {
			return err
		}
		for _, e := range rows {
			in.Filter.After = e.Seq
			if err := write(e); err != nil {
				return err
			}
		}
		if len(rows) < exportPage {
			return end()
		}
	}
}

// exporter writes entries in a format.
func exporter(out io.Writer, format string) (write func(store.Entry) error, end func() error, err error) {
	switch format {
	case "jsonl":
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		return func(e store.Entry) error { return enc.Encode(e) }, func() error { return nil }, nil
	case "csv":
		w := csv.NewWriter(out)
		err := w.Write([]string{"seq", "at", "version", "key", "who", "what", "subject", "under", "part_of", "place", "tool", "digest", "outcome", "detail", "prev", "hash"})
		return func(e store.Entry) error {
			cells := []string{
				strconv.FormatInt(e.Seq, 10), e.At.UTC().Format("2006-01-02T15:04:05.000000Z"), strconv.Itoa(e.Version), e.Key, e.Who, e.What, e.Subject,
				e.Under, e.Part, e.Place, e.Tool, e.Digest, e.Outcome, e.Detail, e.Prev, e.Hash,
			}
			for i, c := range cells {
				if c != "" && strings.ContainsRune("=+-@\t\r", rune(c[0])) {
					cells[i] = "'" + c // only rows of version 1 can begin as a formula does
				}
			}
			return w.Write(cells)
		}, func() error { w.Flush(); return w.Error() }, err
	}
	return nil, nil, fmt.Errorf("--format %q is neither jsonl nor csv\n  hint: jsonl is one JSON object a line", format)
}

// auditTime reads a day of a zone, and so many days after it, or a time.
func auditTime(flag, text, zone string, days int) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return time.Time{}, fmt.Errorf("zone %s: %w", zone, err)
	}
	t, err := time.ParseInLocation(time.DateOnly, text, loc)
	if err != nil {
		return t, fmt.Errorf("%s %q is no day\n  hint: write 2026-11-01 (in %s), or a time such as 2026-11-01T09:00:00+01:00", flag, text, zone)
	}
	return t.AddDate(0, 0, days), nil
}

func (s *shell) auditPrune() *cobra.Command {
	var before, exported string
	sure := false
	cmd := &cobra.Command{
		Use: "prune", Short: "Take out the rows before a day for good, once they are exported", Args: cobra.NoArgs,
		Long: "Take out the rows before a day for good, once they are exported. All of the audit is\n" +
			"verified first, and the export (JSONL) must have each row that goes. A row with the\n" +
			"hash of the last one that went stays, so that what is left verifies by itself, and\n" +
			"together with the export. What gives a grant that stands is written anew.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := s.config()
			if err != nil {
				return err
			}
			at, err := auditTime("--before", before, cfg.Zone, 0)
			switch {
			case err != nil:
				return err
			case at.IsZero():
				return errors.New("--before is missing\n  hint: write the first day that stays, such as --before 2026-01-01")
			case !sure:
				return fmt.Errorf("nothing was taken out\n  hint: `hermes audit export --to %s > audit.jsonl` first, keep that file, then add --export audit.jsonl --yes", at.Format(time.RFC3339))
			case exported == "":
				return fmt.Errorf("nothing was taken out: --export is missing\n  hint: name the file of `hermes audit export --to %s > audit.jsonl`; each row that goes must be in it", at.Format(time.RFC3339))
			}
			return s.audited(cmd.Context(), func(ask func(op, any, any) error) error {
				if err := checkExport(exported, at, ask); err != nil {
					return fmt.Errorf("nothing was taken out: %w\n  hint: `hermes audit export --to %s > audit.jsonl` makes one that has all", err, at.Format(time.RFC3339))
				}
				var n int64
				if err := ask(opAuditPrune, pruneArgs{at}, &n); err != nil {
					return err
				}
				_, err := fmt.Fprintf(s.out, "%d rows of before %s are gone\n", n, before)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&before, "before", "", "the first day that stays, or a time (RFC 3339)")
	cmd.Flags().StringVar(&exported, "export", "", "the file (JSONL) with the rows that go")
	cmd.Flags().BoolVar(&sure, "yes", false, "the rows are exported, and may go")
	return cmd
}

// checkExport reports whether a file has each row of before a time, as it stands.
func checkExport(file string, before time.Time, ask func(op, any, any) error) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	has := map[int64]string{}
	for lines := json.NewDecoder(f); ; {
		var e store.Entry
		err := lines.Decode(&e)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("export %s, after %d rows: %w", file, len(has), err)
		}
		has[e.Seq] = line(e)
	}
	errEnough := errors.New("the first that stays")
	err = export(pageArgs{N: exportPage}, ask, func(e store.Entry) error {
		if !e.At.Before(before) {
			return errEnough // what follows it stays too, whatever the clock was then
		}
		if has[e.Seq] != line(e) {
			return fmt.Errorf("export %s does not have row %d as it is in the audit", file, e.Seq)
		}
		return nil
	}, func() error { return nil })
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// line is a row as an export has it.
func line(e store.Entry) string {
	e.At = e.At.UTC()
	b, err := json.Marshal(e)
	if err != nil {
		return "" // a time beyond all years: no export has it either
	}
	return string(b)
}
