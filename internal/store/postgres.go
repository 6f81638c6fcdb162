package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// connections is how many this process may have open: enough that nobody waits for
// one behind the model's answers, and few enough for a dozen replicas on a server
// as it is delivered (100).
const connections = 8

func (d *DB) openPostgres(ctx context.Context) error {
	cfg, err := pgx.ParseConfig(d.cfg.DSN)
	if err != nil {
		return &Error{d.cfg.DSN, err, "write it as postgres://user:password@host:5432/database"}
	}
	cfg.RuntimeParams["application_name"] = "hermes"
	cfg.RuntimeParams["timezone"] = "UTC"
	pool := sql.OpenDB(stdlib.GetConnector(*cfg))
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	if d.w, err = gorm.Open(d.onServer(postgres.Config{Conn: pool}), d.options()); err != nil {
		d.w = nil
		return errors.Join(&Error{d.cfg.DSN, err, "is the server running, and does it let this user in?"}, pool.Close())
	}
	d.r = d.w
	if err := d.migrate(ctx, pool); err != nil {
		return err
	}
	var schema string
	if err := d.w.WithContext(ctx).Raw("SELECT current_schema()").Scan(&schema).Error; err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	conn, err := listen(ctx, cfg, schema)
	if err != nil {
		return err
	}
	d.work.Go(func() { d.hear(conn, cfg, schema) })
	return nil
}

// notify wakes the lines of the other replicas, once the transaction is done.
func (d *DB) notify(tx *gorm.DB, table string) error {
	if !d.postgres {
		return nil
	}
	return tx.Exec("SELECT pg_notify('hermes_' || current_schema(), ?)", table).Error
}

func listen(ctx context.Context, cfg *pgx.ConnConfig, schema string) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, cfg.Copy())
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{"hermes_" + schema}.Sanitize()); err != nil {
		_ = conn.Close(context.WithoutCancel(ctx)) // the error before it says more
		return nil, fmt.Errorf("listen: %w", err)
	}
	return conn, nil
}

// hear wakes our lines when another replica has put something into them. While the
// connection is broken the sweep does that, a little later.
func (d *DB) hear(conn *pgx.Conn, cfg *pgx.ConnConfig, schema string) {
	for d.ctx.Err() == nil {
		n, err := conn.WaitForNotification(d.ctx)
		switch {
		case d.ctx.Err() != nil:
		case err == nil && n.Payload == "inbox":
			d.inbox.wake()
			continue
		case err == nil:
			d.outbox.wake()
			continue
		default:
			d.cfg.Log.Warn("listening to the database ended; trying again", "err", err)
		}
		_ = conn.Close(context.WithoutCancel(d.ctx)) // it is of no use any more
		for d.ctx.Err() == nil {
			if conn, err = listen(d.ctx, cfg, schema); err == nil {
				// What was said meanwhile nobody heard.
				d.inbox.wake()
				d.outbox.wake()
				break
			}
			pause(d.ctx, sweep)
		}
	}
}

// locked keeps all other replicas out of what has this name until the transaction
// ends. On SQLite the pen does that.
func (d *DB) locked(tx *gorm.DB, name string) error {
	if !d.postgres {
		return nil
	}
	return tx.Exec("SELECT pg_advisory_xact_lock(hashtext(current_schema()), hashtext(?))", name).Error
}

func pause(ctx context.Context, t time.Duration) {
	timer := time.NewTimer(t)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// folder is where the migrations of this kind of database are.
func (d *DB) folder() string {
	if d.postgres {
		return "migrations/postgres"
	}
	return "migrations/sqlite"
}
