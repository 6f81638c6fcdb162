package store

import (
	"context"
	"fmt"

	"hermes/agent/tool"
)

// Tables returns what the queries of a Run have brought, the oldest first.
func (s Artifacts) Tables(ctx context.Context, run string) ([]tool.Artifact, error) {
	var ids []string
	err := s.db.r.WithContext(ctx).Raw("SELECT id FROM artifacts WHERE run = ? AND kind = ? ORDER BY added, id", run, string(tool.Table)).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("tables of %s: %w", run, err)
	}
	var all []tool.Artifact
	for _, id := range ids {
		a, err := s.Artifact(ctx, id)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}
