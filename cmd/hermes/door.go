package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"hermes/config"
)

// The door is a socket in the data folder by which commands ask the daemon. Who may
// open the socket's file owns the data, so there is no other key.

// An op is something that can be asked at the door.
type op struct {
	name string
	do   func(context.Context, *hermes, json.RawMessage) (any, error)
}

// asOp makes an op of a function with typed arguments.
func asOp[In, Out any](name string, do func(context.Context, *hermes, In) (Out, error)) op {
	return op{name, func(ctx context.Context, h *hermes, raw json.RawMessage) (any, error) {
		var in In
		if err := json.Unmarshal(raw, &in); err != nil {
			return nil, fmt.Errorf("arguments of %s: %w", name, err)
		}
		return do(ctx, h, in)
	}}
}

// ops are all that can be asked.
func ops() []op {
	return []op{opURL, opTrace, opScheduleList, opScheduleAdd, opScheduleRun, opScheduleShow, opScheduleSet, opSchedulePolicy, opRehearse, opGrantsList, opGrantsRevoke, opSlow, opToolsSeen, opBudgetList, opBudgetRaise, opChannels, opAuditVerify, opAuditPage, opAuditPrune, opAuditAcknowledge, opReportList, opReportShow, opReportSave, opReportDelete, opReportRun, opReportTest, opSpotList, opSpotJudge, opInterventions}
}

// said is what comes back.
type said struct {
	Value json.RawMessage `json:"value,omitempty"`
	Error string          `json:"error,omitempty"`
}

func socketName(dir string) string { return filepath.Join(dir, "hermes.sock") }

// listen opens the door of a data folder that is locked by the caller. What an
// earlier daemon left there is nobody's.
func listen(ctx context.Context, dir string) (net.Listener, error) {
	name := socketName(dir)
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("door: %w", err)
	}
	// The folder is 0700 when we make it; 0600 holds where somebody opened it.
	l, err := (&net.ListenConfig{}).Listen(ctx, "unix", name)
	if err != nil {
		return nil, fmt.Errorf("door: %w\n  hint: a socket's path must be short; --data names another folder", err)
	}
	if err := os.Chmod(name, 0o600); err != nil {
		return nil, fmt.Errorf("door: %w", errors.Join(err, l.Close()))
	}
	return l, nil
}

// attend answers at the door until ctx ends.
func attend(ctx context.Context, l net.Listener, h *hermes, log *slog.Logger) error {
	mux := http.NewServeMux()
	for _, o := range ops() {
		mux.HandleFunc("POST /"+o.name, func(w http.ResponseWriter, r *http.Request) {
			answer := said{}
			raw, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
			if err == nil {
				answer.Value, err = o.ask(r.Context(), h, raw)
			}
			if err != nil {
				answer.Error = err.Error()
			}
			if err := json.NewEncoder(w).Encode(answer); err != nil {
				log.Debug("who asked at the door has gone", "op", o.name, "err", err)
			}
		})
	}
	for _, probe := range []string{"GET /healthz", "GET /readyz"} {
		mux.Handle(probe, h.probes())
	}
	h.terminal.Handle(mux)
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("door: %w", err)
	case <-ctx.Done():
		return srv.Close()
	}
}

func (o op) ask(ctx context.Context, h *hermes, raw json.RawMessage) (json.RawMessage, error) {
	v, err := o.do(ctx, h, raw)
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// inquire has the daemon do an op, or does it itself under the daemon's lock when none
// runs.
func inquire[Out any](ctx context.Context, s *shell, o op, in any) (Out, error) {
	var out Out
	cfg, err := s.config()
	if err != nil {
		return out, err
	}
	raw, err := json.Marshal(in)
	if err != nil {
		return out, fmt.Errorf("arguments of %s: %w", o.name, err)
	}
	value, err := s.through(ctx, cfg, o, raw)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(value, &out); err != nil {
		return out, fmt.Errorf("answer of %s: %w", o.name, err)
	}
	return out, nil
}

func (s *shell) through(ctx context.Context, cfg config.Config, o op, raw json.RawMessage) (json.RawMessage, error) {
	if _, err := os.Stat(cfg.Data); errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no data folder %s\n  hint: --data names another; `hermes serve` makes one", cfg.Data)
	}
	release, err := lock(cfg.Data)
	if errors.Is(err, errHeld) {
		return knock(ctx, cfg.Data, o.name, raw)
	}
	if err != nil {
		return nil, err
	}
	defer release()
	h, err := build(ctx, cfg, s.logger("error"), time.Now)
	if err != nil {
		return nil, err
	}
	value, err := o.ask(ctx, h, raw)
	return value, errors.Join(err, h.close())
}

// knock asks a running daemon.
func knock(ctx context.Context, dir, name string, raw json.RawMessage) (json.RawMessage, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://door/"+name, bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("ask the daemon: %w", err)
	}
	resp, err := doorClient(dir).Do(req)
	if err != nil {
		return nil, fmt.Errorf("%w by another process, and no daemon answers at %s: %w\n  hint: wait for the other command, or stop it", errHeld, socketName(dir), err)
	}
	defer func() { _ = resp.Body.Close() }() // it was read to its end
	var answer said
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return nil, fmt.Errorf("answer of the daemon: %w", err)
	}
	if answer.Error != "" {
		return nil, errors.New(answer.Error)
	}
	return answer.Value, nil
}

// doorClient is a client whose every request goes to the door of a data folder.
func doorClient(dir string) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", socketName(dir))
		},
	}}
}
