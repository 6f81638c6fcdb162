package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// Get returns what is kept under a name for a workspace (platform:workspace), or
// for the whole program if that is empty. It reports false if there is nothing.
func (s Settings) Get(ctx context.Context, workspace, name string) (string, bool, error) {
	var values []string
	err := s.db.r.WithContext(ctx).Raw("SELECT value FROM settings WHERE workspace = ? AND name = ?", workspace, name).Scan(&values).Error
	if err != nil {
		return "", false, fmt.Errorf("read setting %s: %w", name, err)
	}
	if len(values) == 0 {
		return "", false, nil
	}
	return values[0], true, nil
}

// Set keeps it, in the place of what was there.
func (s Settings) Set(ctx context.Context, workspace, name, value string) error {
	err := s.db.commit(ctx, func(w *gorm.DB) error { return put(w, workspace, name, value, s.db.now()) })
	if err != nil {
		return fmt.Errorf("keep setting %s: %w", name, err)
	}
	return nil
}

func put(w *gorm.DB, workspace, name, value string, now stamp) error {
	return w.Exec(`INSERT INTO settings (workspace, name, value, at) VALUES (?, ?, ?, ?)
		ON CONFLICT (workspace, name) DO UPDATE SET value = excluded.value, at = excluded.at`, workspace, name, value, now).Error
}
