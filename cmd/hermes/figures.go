package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"hermes/agent/llm/rules"
	"hermes/agent/tool/querydb"
	"hermes/config"
	"hermes/internal/sample"
	"hermes/internal/tabular"
)

// figures are the databases that figures come from.
type figures struct {
	sources []*querydb.Source
	sample  *sample.DB

	mu     sync.Mutex
	values []knownValue // of the dimensions, as last read
	read   time.Time
	now    func() time.Time
}

// openFigures opens the configured sources, or the sample database if there are
// none.
func openFigures(ctx context.Context, cfg config.Config, now func() time.Time, log *slog.Logger) (*figures, error) {
	f := &figures{now: now}
	layers := layersOf(cfg)
	options := querydb.Options{Now: now, Store: storeFile(cfg), Log: log}
	if len(layers) == 0 {
		path := sampleFile(cfg)
		db, err := openSample(ctx, path, inZone(now, cfg.Zone))
		if err != nil {
			return nil, err
		}
		f.sample, options.Before = db, db.TopUp
		layer := sample.Layer()
		layer.DSN = path
		layers = []querydb.Layer{layer}
	}
	for _, l := range layers {
		if err := l.Validate(); err != nil {
			return nil, errors.Join(fmt.Errorf("config: sources: %w", err), f.close())
		}
		s, err := querydb.Open(l, options)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("source %s: %w", l.Name, err), f.close())
		}
		f.sources = append(f.sources, s)
	}
	return f, nil
}

// vet refuses sources that are not to be asked anything. One that cannot be reached is no
// reason not to start.
func (f *figures) vet(ctx context.Context) error {
	var faults []error
	for _, s := range f.sources {
		if err := s.Vet(ctx); err != nil {
			faults = append(faults, fmt.Errorf("config: sources: %w", err))
		}
	}
	return errors.Join(faults...)
}

// storeFile is the file of the store, which is no source; empty if it is on a server,
// where it is known by its tables.
func storeFile(cfg config.Config) string {
	if _, _, server := cfg.PostgresStore(); server {
		return ""
	}
	return dsn(cfg)
}

// sampleFile is where the sample database is.
func sampleFile(cfg config.Config) string { return filepath.Join(cfg.Data, "sample.db") }

// openSample opens the sample database. One that is damaged is made anew: every row
// of it can be.
func openSample(ctx context.Context, path string, now func() time.Time) (*sample.DB, error) {
	if err := private(path); err != nil {
		return nil, fmt.Errorf("sample database: %w", err)
	}
	db, err := sample.Open(ctx, path, now)
	if err == nil || ctx.Err() != nil {
		return db, err
	}
	for _, name := range filesOf(path) {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("make the sample database anew: %w", err)
		}
	}
	if err := private(path); err != nil {
		return nil, fmt.Errorf("sample database: %w", err)
	}
	return sample.Open(ctx, path, now)
}

// filesOf are the files of a SQLite database.
func filesOf(path string) []string { return []string{path, path + "-wal", path + "-shm"} }

// private makes the file of a SQLite database for nobody else to read, or makes one
// that is there so. SQLite would make it by the umask; the files beside it have its
// mode.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	err = f.Close()
	for _, name := range filesOf(path) {
		if e := os.Chmod(name, 0o600); e != nil && !errors.Is(e, os.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// inZone reads a clock in a zone that was checked before.
func inZone(now func() time.Time, zone string) func() time.Time {
	loc, err := time.LoadLocation(zone)
	if err != nil {
		loc = time.UTC
	}
	return func() time.Time { return now().In(loc) }
}

func (f *figures) close() error {
	var errs []error
	for _, s := range f.sources {
		errs = append(errs, s.Close())
	}
	if f.sample != nil {
		errs = append(errs, f.sample.Close())
	}
	return errors.Join(errs...)
}

// A knownValue is a value with the source that it stands in.
type knownValue struct {
	of *querydb.Source
	rules.Value
}

// has reports whether a source of that name is one of these.
func (f *figures) has(name string) bool {
	return slices.ContainsFunc(f.sources, func(s *querydb.Source) bool { return s.Name() == name })
}

// vocabulary is what the built-in rules can speak of to whom some sources are open.
func (f *figures) vocabulary(sources []*querydb.Source) rules.Vocabulary {
	v := rules.Vocabulary{Values: func() []rules.Value {
		var mine []rules.Value
		for _, x := range f.known() {
			if slices.Contains(sources, x.of) {
				mine = append(mine, x.Value)
			}
		}
		return mine
	}}
	for _, s := range sources {
		l := s.Layer()
		for _, m := range l.Measures {
			v.Measures = append(v.Measures, rules.Term{Name: m.Name, Words: m.Words(), Label: rules.Label{En: m.Label.En, Zh: m.Label.Zh}})
		}
		for _, d := range l.Dimensions {
			v.Dimensions = append(v.Dimensions, rules.Term{Name: d.Name, Words: d.Words(), Label: rules.Label{En: d.Label.En, Zh: d.Label.Zh}})
		}
	}
	return v
}

// fresh is how long the values of the dimensions are good for.
const fresh = time.Minute

// known returns the values of the dimensions. It reads them anew once a minute; if
// a source does not answer it knows what it knew.
func (f *figures) known() []knownValue {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.values != nil && f.now().Sub(f.read) < fresh {
		return f.values
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var values []knownValue
	for _, s := range f.sources {
		for _, d := range s.Layer().Dimensions {
			names, err := s.Values(ctx, d.Name)
			if err != nil {
				continue
			}
			for _, name := range names {
				v := rules.Value{Dimension: d.Name, Value: name, Words: []string{name}}
				for _, syn := range d.ValueSynonyms {
					if syn.Value == name {
						v.Words = append(v.Words, syn.Words...)
						v.Words = append(v.Words, syn.Label.En, syn.Label.Zh)
					}
				}
				v.Words = slices.DeleteFunc(v.Words, func(w string) bool { return w == "" })
				values = append(values, knownValue{s, v})
			}
		}
	}
	if values != nil {
		f.values, f.read = values, f.now()
	}
	return f.values
}

// layersOf are the declared layers of the configuration.
func layersOf(cfg config.Config) []querydb.Layer {
	var layers []querydb.Layer
	for _, s := range cfg.Sources {
		l := querydb.Layer{Name: s.Name, Dialect: s.Dialect, DSN: string(s.DSN), Functions: s.Functions}
		feedOf(s, &l)
		for _, m := range s.Measures {
			l.Measures = append(l.Measures, querydb.Measure{
				Name: m.Name, Label: querydb.Label{En: m.Label.EN, Zh: m.Label.ZH}, Synonyms: m.Synonyms,
				SQL: m.SQL, From: m.From, Time: m.Time, Unit: m.Unit, Scale: m.Scale, Daily: m.Daily, NoTotal: m.NoTotal, Dimensions: m.Dimensions,
			})
		}
		for _, d := range s.Dimensions {
			dim := querydb.Dimension{Name: d.Name, Label: querydb.Label{En: d.Label.EN, Zh: d.Label.ZH}, Synonyms: d.Synonyms, SQL: d.SQL, From: d.From}
			for _, v := range d.Values {
				dim.ValueSynonyms = append(dim.ValueSynonyms, querydb.Value{Value: v.Value, Words: v.Words})
			}
			l.Dimensions = append(l.Dimensions, dim)
		}
		layers = append(layers, l)
	}
	return layers
}

// feedOf says where the tables of a source come from that is no database.
func feedOf(s config.Source, l *querydb.Layer) {
	options := func(c config.Cells) tabular.Options {
		o := tabular.Options{Encoding: c.Encoding, Comma: c.Decimal, Days: c.Days, MaxRows: c.MaxRows, Types: map[string]tabular.Type{}}
		for _, col := range c.Columns {
			o.Types[col.Name] = tabular.Type(col.Type)
		}
		return o
	}
	switch {
	case s.IsFiles():
		l.Dialect, l.Files = querydb.SQLite, &querydb.Files{Path: s.Files.Path, Options: options(s.Files.Cells), MaxBytes: int64(s.Files.MaxBytes)}
		l.Files.Sheet = s.Files.Sheet
	case s.IsHTTP():
		h := s.HTTP
		l.Dialect, l.Fresh = querydb.SQLite, h.Fresh
		l.Web = &querydb.Web{
			URL: string(h.URL), Table: h.Table, Rows: h.Rows, Next: h.Next, Cursor: h.Cursor, Page: h.Page, First: h.First, MaxPages: h.MaxPages,
			MaxBytes: int64(h.MaxBytes), Timeout: h.Timeout, Private: h.Private, Options: options(h.Cells),
		}
		for _, x := range h.Headers {
			l.Web.Headers = append(l.Web.Headers, querydb.Header{Name: x.Name, Value: string(x.Value)})
		}
	}
}
