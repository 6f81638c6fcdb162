package redact

import (
	"context"
	"fmt"
	"log/slog"
)

// Handler returns a slog.Handler that hands on what it is given without secrets: of the
// message, of every attribute and of the groups of attributes. An attribute whose name
// is that of a secret loses its value whatever it is.
func (r *Redactor) Handler(next slog.Handler) slog.Handler { return handler{r, next} }

type handler struct {
	r    *Redactor
	next slog.Handler
}

// Enabled implements slog.Handler.
func (h handler) Enabled(ctx context.Context, l slog.Level) bool { return h.next.Enabled(ctx, l) }

// Handle implements slog.Handler.
func (h handler) Handle(ctx context.Context, rec slog.Record) error {
	clean := slog.NewRecord(rec.Time, rec.Level, h.r.Text(rec.Message), rec.PC)
	rec.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(h.attr(a))
		return true
	})
	return h.next.Handle(ctx, clean)
}

// WithAttrs implements slog.Handler.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	clean := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		clean[i] = h.attr(a)
	}
	return handler{h.r, h.next.WithAttrs(clean)}
}

// WithGroup implements slog.Handler.
func (h handler) WithGroup(name string) slog.Handler { return handler{h.r, h.next.WithGroup(name)} }

func (h handler) attr(a slog.Attr) slog.Attr {
	v := a.Value.Resolve()
	if kind := Named(a.Key); kind != "" && v.Kind() != slog.KindGroup {
		return slog.String(a.Key, Marker(kind))
	}
	switch v.Kind() {
	case slog.KindString:
		return slog.String(a.Key, h.r.Text(v.String()))
	case slog.KindGroup:
		var inside []any
		for _, g := range v.Group() {
			inside = append(inside, h.attr(g))
		}
		return slog.Group(a.Key, inside...)
	case slog.KindAny:
		said := fmt.Sprintf("%+v", v.Any())
		if clean := h.r.Text(said); clean != said {
			return slog.String(a.Key, clean)
		}
	}
	return slog.Attr{Key: a.Key, Value: v}
}
