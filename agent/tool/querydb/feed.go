package querydb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"hermes/internal/tabular"
)

// Sources that are no database are read into one in memory, wholly, and asked there: see
// snapshot.go. A feed is where its tables come from.
type feed interface {
	// state is what changes when the tables do, as far as that can be seen without
	// reading them; empty if it cannot.
	state(context.Context) (string, error)
	// load reads all tables, and says of when they are. An error is for the operator; it
	// names file, row and column, or what was asked for, and holds no secret.
	load(context.Context) ([]tabular.Table, time.Time, error)
}

// Files are the tables of CSV files and workbooks.
type Files struct {
	Path string // a file, a folder, or a pattern such as reports/*.csv
	tabular.Options
	MaxBytes int64 // of all files; 0: 64 MB
}

// Bounds of files, where nothing else is said.
const (
	mostFileBytes = 64 << 20
	mostFiles     = 200
)

// A found file is one that is to be read.
type found struct {
	path string // as it is opened
	name string // as it is called in errors: without the folder
	info fs.FileInfo
}

// find lists the files in the order of their names. Those that are hidden, and what a
// program leaves beside a file that is open in it, are passed over, as is what is of no
// kind that is read.
func (f Files) find() ([]found, error) {
	paths := []string{f.Path}
	folder := filepath.Dir(f.Path)
	info, err := os.Stat(f.Path)
	switch {
	case err == nil && info.IsDir():
		folder = f.Path
		entries, err := os.ReadDir(f.Path)
		if err != nil {
			return nil, fmt.Errorf("read folder: %w", err)
		}
		paths = nil
		for _, e := range entries {
			paths = append(paths, filepath.Join(f.Path, e.Name()))
		}
	case err != nil && strings.ContainsAny(f.Path, "*?["):
		if paths, err = filepath.Glob(f.Path); err != nil {
			return nil, fmt.Errorf("path %s: %w", f.Path, err)
		}
	case err != nil:
		return nil, fmt.Errorf("path: %w", err)
	}
	slices.Sort(paths)
	var all []found
	for _, p := range paths {
		base := filepath.Base(p)
		kind := strings.ToLower(filepath.Ext(base))
		if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "~$") || len(paths) > 1 && kindOf(kind) == "" {
			continue
		}
		info, err := os.Stat(p)
		switch {
		case err != nil:
			return nil, fmt.Errorf("path: %w", err)
		case !info.Mode().IsRegular() && len(paths) > 1:
			continue
		case !info.Mode().IsRegular():
			return nil, fmt.Errorf("path: %s is no file", p)
		}
		name, err := filepath.Rel(folder, p)
		if err != nil {
			name = base
		}
		all = append(all, found{p, filepath.ToSlash(name), info})
	}
	switch {
	case len(all) == 0:
		return nil, fmt.Errorf("path: %s has no file that ends in .csv, .tsv, .txt or .xlsx", f.Path)
	case len(all) > mostFiles:
		return nil, fmt.Errorf("path: %s has %d files, more than %d", f.Path, len(all), mostFiles)
	}
	return all, nil
}

func kindOf(ext string) string {
	switch ext {
	case ".csv", ".tsv", ".txt":
		return "csv"
	case ".xlsx", ".xlsm":
		return "xlsx"
	}
	return ""
}

// state implements feed: names, sizes and times of change.
func (f Files) state(context.Context) (string, error) {
	all, err := f.find()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, x := range all {
		fmt.Fprintf(&b, "%q %d %d\n", x.path, x.info.Size(), x.info.ModTime().UnixNano())
	}
	return b.String(), nil
}

// load implements feed. The tables are of when the last of the files was changed.
func (f Files) load(ctx context.Context) ([]tabular.Table, time.Time, error) {
	all, err := f.find()
	if err != nil {
		return nil, time.Time{}, err
	}
	var tables []tabular.Table
	var asOf time.Time
	left := cmp.Or(f.MaxBytes, int64(mostFileBytes))
	for _, x := range all {
		if err := ctx.Err(); err != nil {
			return nil, asOf, fmt.Errorf("read files: %w", context.Cause(ctx))
		}
		if left -= x.info.Size(); left < 0 {
			return nil, asOf, tabular.Fault{File: x.name, Why: fmt.Sprintf("with it the files have more than %d bytes", cmp.Or(f.MaxBytes, int64(mostFileBytes))), Hint: "raise max_bytes of the source, or put it into a database"}
		}
		b, err := os.ReadFile(x.path)
		if err != nil {
			return nil, asOf, fmt.Errorf("read file: %w", err)
		}
		read, err := f.read(x.name, b)
		if err != nil {
			return nil, asOf, err
		}
		tables = append(tables, read...)
		if x.info.ModTime().After(asOf) {
			asOf = x.info.ModTime()
		}
	}
	if len(tables) == 0 {
		return nil, asOf, fmt.Errorf("path: %s has no table", f.Path)
	}
	tables, err = grouped(tables)
	return tables, asOf, err
}

// read makes tables of a file. What it is its bytes say.
func (f Files) read(name string, b []byte) ([]tabular.Table, error) {
	base := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	if !strings.HasPrefix(string(b[:min(len(b), 4)]), "PK\x03\x04") {
		t, err := tabular.CSV(name, b, f.Options)
		t.Name = series(base)
		return []tabular.Table{t}, err
	}
	tables, err := tabular.Workbook(name, b, f.Options)
	for i := range tables {
		if len(tables) == 1 {
			tables[i].Name = series(base)
		} else {
			tables[i].Name = tabular.Name(series(base) + "_" + tables[i].Name)
		}
	}
	return tables, err
}

var inSeries = regexp.MustCompile(`[0-9]+|年|月|季度|[qQ][1-4]`)

// series is the name of the table of a file: what is left of its name without the numbers
// that tell sales-2026-09 from sales-2026-10.
func series(base string) string {
	if name := strings.Trim(inSeries.ReplaceAllString(base, " "), " _-.()（）"); name != "" {
		return tabular.Name(name)
	}
	return tabular.Name("t " + base)
}

// grouped puts the tables of one name into one.
func grouped(tables []tabular.Table) ([]tabular.Table, error) {
	var names []string
	of := map[string][]tabular.Table{}
	for _, t := range tables {
		if of[t.Name] == nil {
			names = append(names, t.Name)
		}
		of[t.Name] = append(of[t.Name], t)
	}
	var out []tabular.Table
	for _, n := range names {
		t, err := tabular.Join(n, of[n])
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// validate returns what is wrong with the files as they are declared.
func (f Files) validate() error {
	var faults []error
	if strings.TrimSpace(f.Path) == "" {
		faults = append(faults, errors.New("path: missing"))
	}
	return errors.Join(append(faults, optionFaults(f.Options)...)...)
}

func optionFaults(o tabular.Options) (faults []error) {
	one := func(key, value string, of ...string) {
		if value != "" && !slices.Contains(of, value) {
			faults = append(faults, fmt.Errorf("%s: %q is none of %s", key, value, strings.Join(of, ", ")))
		}
	}
	one("encoding", o.Encoding, "utf-8", "utf-16", "gb18030", "windows-1252")
	one("decimal", o.Comma, tabular.PointSign, tabular.CommaSign)
	one("days", o.Days, tabular.DMY, tabular.MDY)
	for _, name := range sortedKeys(o.Types) {
		one("columns["+name+"].type", string(o.Types[name]), string(tabular.Text), string(tabular.Integer), string(tabular.Decimal), string(tabular.Day), string(tabular.Time))
	}
	return faults
}

func sortedKeys[V any](m map[string]V) []string {
	var all []string
	for k := range m {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}
