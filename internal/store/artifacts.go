package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hermes/agent/tool"
	"hermes/bot"
)

var _ tool.Artifacts = Artifacts{}

type artifactRow struct {
	ID       string `gorm:"primaryKey"`
	Hash     string
	Kind     string
	Audience string
	Title    string
	Name     string
	Mime     string
	Body     []byte
	Recipe   string
	Meta     []byte
	Run      string
	Call     string
	Added    stamp
	Mac      string
}

// TableName implements gorm's Tabler.
func (artifactRow) TableName() string { return "artifacts" }

// Put implements tool.Artifacts. A Run or a Post that names it is on disk no sooner
// than it.
func (s Artifacts) Put(ctx context.Context, a tool.Artifact) (tool.Artifact, error) {
	a = s.db.clean(a)
	var kept tool.Artifact
	err := s.db.precede(ctx, func(tx *gorm.DB) error {
		hashes, err := hashesOf(tx, a.Files)
		if err != nil {
			return err
		}
		var home []string
		if err := tx.Raw("SELECT home FROM runs WHERE key = ?", a.Run).Scan(&home).Error; err != nil {
			return err
		}
		row := artifactRow{
			ID: a.ID, Hash: tool.HashOf(a, hashes), Kind: string(a.Kind), Title: plain(a.Title), Name: plain(a.Name), Mime: a.Mime,
			Body: a.Body, Recipe: plain(a.Recipe), Meta: a.Meta, Run: a.Run, Call: a.Call, Added: s.db.now(),
		}
		if len(home) > 0 {
			row.Audience = home[0]
		}
		row.Mac = s.db.keys.current.line(row.says(a.Files)...)
		res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row)
		if res.Error != nil {
			return res.Error
		}
		if res.RowsAffected == 0 {
			kept, err = s.db.artifact(tx, a.ID)
			return err
		}
		for i, f := range a.Files {
			if err := tx.Exec("INSERT INTO artifact_files (artifact, n, file) VALUES (?, ?, ?)", a.ID, i, f).Error; err != nil {
				return err
			}
		}
		kept, kept.Hash = a, row.Hash
		return nil
	})
	if err != nil {
		return tool.Artifact{}, fmt.Errorf("keep artifact %s: %w", a.ID, err)
	}
	return kept, nil
}

// hashesOf returns the hashes of files, which must be there.
func hashesOf(tx *gorm.DB, files []string) ([]string, error) {
	var hashes []string
	for _, f := range files {
		var h []string
		if err := tx.Raw("SELECT hash FROM artifacts WHERE id = ?", f).Scan(&h).Error; err != nil {
			return nil, err
		}
		if len(h) == 0 {
			return nil, fmt.Errorf("file %s: %w", f, tool.ErrNoArtifact)
		}
		hashes = append(hashes, h[0])
	}
	return hashes, nil
}

// Artifact implements tool.Artifacts.
func (s Artifacts) Artifact(ctx context.Context, id string) (tool.Artifact, error) {
	a, err := s.db.artifact(s.db.r.WithContext(ctx), id)
	if err != nil {
		return a, fmt.Errorf("artifact %s: %w", id, err)
	}
	return a, nil
}

// artifact reads one. Its Hash is that of the bytes as they are now.
func (d *DB) artifact(r *gorm.DB, id string) (tool.Artifact, error) {
	var rows []artifactRow
	if err := r.Where("id = ?", id).Limit(1).Find(&rows).Error; err != nil {
		return tool.Artifact{}, err
	}
	if len(rows) == 0 {
		return tool.Artifact{}, tool.ErrNoArtifact
	}
	row := rows[0]
	a := tool.Artifact{
		ID: row.ID, Kind: tool.Kind(row.Kind), Title: row.Title, Name: row.Name, Mime: row.Mime, Body: row.Body,
		Recipe: row.Recipe, Meta: row.Meta, Run: row.Run, Call: row.Call,
	}
	files, err := filesOf(r, id)
	if err != nil {
		return a, err
	}
	a.Files = files
	hash, whole, err := d.rehash(r, row, a)
	a.Hash, a.Altered = hash, !whole
	return a, err
}

var _ bot.Shelf = Artifacts{}

// Report implements bot.Shelf.
func (s Artifacts) Report(ctx context.Context, id string) (bot.Shown, error) {
	a, err := s.Artifact(ctx, id)
	if err != nil {
		return bot.Shown{}, err
	}
	shown := bot.Shown{ID: a.ID, Hash: a.Hash, Title: a.Title, Altered: a.Altered}
	switch a.Kind {
	case tool.Report:
		shown.Text = string(a.Body)
	case tool.File:
		shown.Files = []bot.File{{ID: a.ID, Name: a.Name, Mime: a.Mime}}
	}
	files, err := s.db.Journal().files(ctx, id)
	if err != nil {
		return shown, fmt.Errorf("files of %s: %w", id, err)
	}
	shown.Files = append(shown.Files, files...)
	return shown, nil
}

// Open implements bot.Shelf.
func (s Artifacts) Open(ctx context.Context, id string) (bot.File, []byte, error) {
	a, err := s.Artifact(ctx, id)
	if err == nil && a.Altered {
		err = fmt.Errorf("file %s: %w", id, bot.ErrAltered)
	}
	return bot.File{ID: a.ID, Name: a.Name, Mime: a.Mime}, a.Body, err
}

var _ bot.Drawer = Artifacts{}

// Keep implements bot.Drawer.
func (s Artifacts) Keep(ctx context.Context, key string, n int, a bot.Attachment, b []byte) (bot.Attachment, error) {
	part := fmt.Sprintf("attached%d", n)
	kept, err := s.Put(ctx, tool.Artifact{
		ID: tool.NewID(key, part), Kind: tool.File, Title: a.Name, Name: a.Name, Mime: a.Mime, Body: b, Run: key, Call: key + "/" + part,
	})
	if err != nil {
		return a, fmt.Errorf("file %d of %s: %w", n, key, err)
	}
	a.ID, a.Size = kept.ID, int64(len(kept.Body))
	return a, nil
}
