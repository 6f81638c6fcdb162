package main

import (
	"testing"

	"hermes/config"
	"hermes/internal/fakeslack"
)

// SLK-03: who has said no is named in the answer as in the card, and not by an id with a
// mark in it; what they wrote beside it names nobody.
func TestWhoHasDeniedIsNamedInTheAnswer(t *testing.T) {
	t.Parallel()
	s := newSenate(t, config.Approvals{}, func(*fakeslack.Server) {})
	root := s.says("ana", "general", "@hermes summarise last month's sales by region and post it to #sales")
	s.press("leo", s.card(root), "Deny")
	s.answer(root, "Not posted: <@"+leo+"> said no.")
}
