// Package intruder changes the database of a running program as somebody does who can
// write to its file and does not have the key of the audit. Tests alone use it.
//
// What a newcomer would break: it knows nothing of the store. It speaks SQL to the file,
// since whoever attacks does not go through our code.
package intruder

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	_ "modernc.org/sqlite" // the engine of the file
)

func open(folder string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, "hermes.db")+"?_pragma=busy_timeout(10000)")
	if err != nil {
		return nil, fmt.Errorf("open the database in %s: %w", folder, err)
	}
	return db, nil
}

// Do runs one statement on the database in a data folder.
func Do(ctx context.Context, folder, statement string, args ...any) error {
	db, err := open(folder)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // what was written is there
	if _, err := db.ExecContext(ctx, statement, args...); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

// Read returns the one value that a query of the database in a data folder gives; NULL is
// empty.
func Read(ctx context.Context, folder, query string, args ...any) (string, error) {
	db, err := open(folder)
	if err != nil {
		return "", err
	}
	defer func() { _ = db.Close() }() // it was only read
	var v sql.NullString
	if err := db.QueryRowContext(ctx, query, args...).Scan(&v); err != nil {
		return "", fmt.Errorf("%s: %w", query, err)
	}
	return v.String, nil
}
