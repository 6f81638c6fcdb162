// Package sample is a sales database to try Hermes with: 36 months of orders, up
// to now. It is a file of its own, beside the store, and can be deleted at any
// time. What may be asked of it is a querydb.Layer like any other; nothing else in
// the house knows that it is a sample.
//
// What a newcomer would break: every row is a function of seed and day alone.
// Whoever lets a row depend on the row before, on the clock or on when it was
// made, gives people reports that differ from the ones they were sent.
package sample

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// seed makes the numbers that the README shows.
const seed = 20_240_101

// months is how much there is when the file is new. Three whole years, so that a
// year can be compared with the one before and still have a trend.
const months = 36

// version is that of the tables and of the rows: a file of another one is made
// anew.
const version = 1

// A DB is the sample database. It fills itself in the background after Open;
// TopUp waits for that.
type DB struct {
	db     *sql.DB
	now    func() time.Time
	months int
	stop   context.CancelFunc
	done   chan struct{} // the filling has ended

	mu    sync.Mutex
	until time.Time // the last day and minute that is there
}

// Open makes the file if it is not there and begins to fill it. The days are those
// of the zone of now.
func Open(ctx context.Context, path string, now func() time.Time) (*DB, error) {
	return openMonths(ctx, path, now, months)
}

func openMonths(ctx context.Context, path string, now func() time.Time, months int) (*DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open sample: %w", err)
	}
	name := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}
	// All of it can be made again, so no order waits for the disk; NORMAL keeps the
	// file whole when the machine stops.
	db, err := sql.Open("sqlite", name.String()+"?_txlock=immediate&_busy_timeout=10000&_journal_mode=WAL&_synchronous=NORMAL")
	if err != nil {
		return nil, fmt.Errorf("open sample: %w", err)
	}
	db.SetMaxOpenConns(1)
	if err := build(ctx, db); err != nil {
		return nil, errors.Join(fmt.Errorf("open sample %s: %w", path, err), db.Close())
	}
	// The filling outlives the call: Close ends it.
	filling, stop := context.WithCancel(context.WithoutCancel(ctx))
	d := &DB{db: db, now: now, months: months, stop: stop, done: make(chan struct{})}
	go func() {
		defer close(d.done)
		// Who asks next fills what is left, and hears of the error.
		_ = d.TopUp(filling)
	}()
	return d, nil
}

// Close ends the filling; the next Open goes on with it.
func (d *DB) Close() error {
	d.stop()
	<-d.done
	return d.db.Close()
}

const schema = `
DROP TABLE IF EXISTS orders;
DROP TABLE IF EXISTS regions;
DROP TABLE IF EXISTS products;
DROP TABLE IF EXISTS categories;
DROP TABLE IF EXISTS customers;
DROP TABLE IF EXISTS filled;
CREATE TABLE regions (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, category INTEGER NOT NULL REFERENCES categories (id), price INTEGER NOT NULL);
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, region INTEGER NOT NULL REFERENCES regions (id));
CREATE TABLE orders (
	day TEXT NOT NULL,
	number INTEGER NOT NULL,
	time TEXT NOT NULL,
	region INTEGER NOT NULL REFERENCES regions (id),
	product INTEGER NOT NULL REFERENCES products (id),
	customer INTEGER NOT NULL REFERENCES customers (id),
	quantity INTEGER NOT NULL,
	amount INTEGER NOT NULL,
	cost INTEGER NOT NULL,
	PRIMARY KEY (day, number)
) WITHOUT ROWID;
CREATE TABLE filled (day TEXT NOT NULL);
`

// build makes the tables and the names, unless they are there.
func build(ctx context.Context, db *sql.DB) error {
	var have int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	if have == version {
		return nil
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	fill := func(table string, width int, values []any) error {
		marks := strings.TrimSuffix(strings.Repeat("(?"+strings.Repeat(", ?", width-1)+"), ", len(values)/width), ", ")
		_, err := tx.ExecContext(ctx, "INSERT INTO "+table+" VALUES "+marks, values...)
		return err
	}
	var rs, cs, ps, us []any
	for i, r := range regions {
		rs = append(rs, i, r.en)
		for j, name := range customers[i] {
			us = append(us, customersOf[i][j], name, i)
		}
	}
	for i, c := range categories {
		cs = append(cs, i, c.en)
	}
	for i, p := range products {
		ps = append(ps, i, p.en, p.category, p.price)
	}
	err = errors.Join(fill("regions", 2, rs), fill("categories", 2, cs), fill("products", 4, ps), fill("customers", 3, us))
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return err
	}
	return tx.Commit()
}
