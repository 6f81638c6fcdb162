package slack

import (
	"context"
	"errors"
	"fmt"
)

// Check asks Slack whether both tokens are good, and returns what is wrong with
// them. It hears nothing and posts nothing.
func (s *Slack) Check(ctx context.Context) error {
	var errs []error
	if _, err := s.api.AuthTestContext(ctx); err != nil {
		errs = append(errs, fmt.Errorf("bot token: auth.test: %w", err))
	}
	if _, _, err := s.api.StartSocketModeContext(ctx); err != nil {
		errs = append(errs, fmt.Errorf("app token: apps.connections.open: %w", err))
	}
	return errors.Join(errs...)
}
