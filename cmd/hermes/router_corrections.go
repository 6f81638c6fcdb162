package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"hermes/bot"
	"hermes/internal/redact"
	"hermes/router"
	"hermes/router/train"
)

// correctionsFile is where what people correct is kept in the data folder, in the form
// that `hermes router train` reads.
const correctionsFile = "router-corrections.jsonl"

// A tutor keeps corrections, without secrets.
type tutor struct {
	name   string
	redact *redact.Redactor
	mu     sync.Mutex
}

// Corrected implements bot.Tutor.
func (t *tutor) Corrected(_ context.Context, c bot.Correction) error {
	line, err := json.Marshal(train.Line{Text: t.redact.Text(c.Text), Label: c.Is, Lang: router.Lang(c.Text)})
	if err != nil {
		return fmt.Errorf("correction: %w", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	f, err := os.OpenFile(t.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("correction: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}
