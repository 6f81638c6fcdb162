package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"

	"gorm.io/gorm"
)

// kept is how many statements stay prepared. There are fewer, but for lists of
// different lengths.
const kept = 512

// A pen is the one connection that writes to SQLite, as a gorm.ConnPool: it is both
// the pool and the transaction. database/sql prepares a statement that began in a
// transaction again in every other one, which costs as much as half of the
// transactions themselves. Whoever holds it may use it, and nobody else.
type pen struct {
	held  chan struct{} // has something in it while somebody holds the pen
	soft  bool          // the connection does not wait for the disk
	queue struct {      // of what is to be written
		sync.Mutex
		jobs []*job
	}
	db   *sql.DB
	conn *sql.Conn // nil before the first use, and after it broke
	said map[string]*sql.Stmt
}

func newPen(db *sql.DB) *pen {
	return &pen{held: make(chan struct{}, 1), db: db, said: map[string]*sql.Stmt{}}
}

// level says whether what is written next waits for the disk.
func (p *pen) level(ctx context.Context, soft bool) error {
	if p.soft == soft {
		return nil
	}
	level := "FULL" // as it is in a new connection
	if soft {
		level = "NORMAL"
	}
	if _, err := p.ExecContext(ctx, "PRAGMA synchronous = "+level); err != nil {
		return err
	}
	p.soft = soft
	return nil
}

// GetDBConn implements gorm.GetDBConnector.
func (p *pen) GetDBConn() (*sql.DB, error) { return p.db, nil }

// PrepareContext implements gorm.ConnPool. The statement is closed with the pen.
func (p *pen) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := p.said[query]; s != nil {
		return s, nil
	}
	if p.conn == nil {
		conn, err := p.db.Conn(ctx)
		if err != nil {
			return nil, fmt.Errorf("connect: %w", err)
		}
		p.conn = conn
	}
	s, err := p.conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, p.broken(err)
	}
	if len(p.said) >= kept {
		for q, old := range p.said {
			_ = old.Close() // it has run to its end
			delete(p.said, q)
		}
	}
	p.said[query] = s
	return s, nil
}

// ExecContext implements gorm.ConnPool.
func (p *pen) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	s, err := p.PrepareContext(ctx, query) //nolint:sqlclosecheck // it is kept
	if err != nil {
		return nil, err
	}
	res, err := s.ExecContext(ctx, args...)
	return res, p.broken(err)
}

// QueryContext implements gorm.ConnPool.
func (p *pen) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := p.PrepareContext(ctx, query) //nolint:sqlclosecheck // it is kept
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(ctx, args...)
	return rows, p.broken(err)
}

// QueryRowContext implements gorm.ConnPool.
func (p *pen) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	s, err := p.PrepareContext(ctx, query) //nolint:sqlclosecheck // it is kept
	if err != nil {
		ctx, cancel := context.WithCancelCause(ctx)
		cancel(err)
		return p.db.QueryRowContext(ctx, query) // there is no other way to a Row with an error
	}
	return s.QueryRowContext(ctx, args...)
}

// BeginTx implements gorm.ConnPoolBeginner. It asks for the lock of a writer at once,
// so that nothing fails halfway for the want of it.
func (p *pen) BeginTx(ctx context.Context, _ *sql.TxOptions) (gorm.ConnPool, error) {
	if _, err := p.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return nil, err
	}
	return &transaction{p, context.WithoutCancel(ctx)}, nil
}

// broken gives up a connection that is of no use any more.
func (p *pen) broken(err error) error {
	if errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) {
		p.close()
	}
	return err
}

// shut waits for who holds the pen and closes the database; what is written after it
// fails.
func (p *pen) shut() error {
	p.held <- struct{}{}
	defer func() { <-p.held }()
	p.close()
	return p.db.Close()
}

// close gives the connection up, with whatever is under way on it.
func (p *pen) close() {
	// What a connection has prepared goes before it; of one that is gone already nothing
	// may be touched.
	if p.conn != nil && p.conn.Raw(func(any) error { return nil }) == nil {
		for _, s := range p.said {
			_ = s.Close() // the connection goes anyway
		}
		_ = p.conn.Raw(func(any) error { return driver.ErrBadConn }) // the pool gives it to nobody
	}
	p.conn, p.soft = nil, false
	clear(p.said)
}

// A transaction is a pen that has begun one.
type transaction struct {
	*pen
	ctx context.Context // to end it with, which nobody calls off
}

// Commit implements gorm.TxCommitter. One that fails is still to be rolled back.
func (t *transaction) Commit() error {
	_, err := t.ExecContext(t.ctx, "COMMIT")
	return err
}

// Rollback implements gorm.TxCommitter.
func (t *transaction) Rollback() error {
	_, err := t.ExecContext(t.ctx, "ROLLBACK")
	if err != nil {
		// SQLite has rolled back by itself, or is stuck: what comes next begins on a
		// connection of its own.
		t.close()
	}
	return err
}
