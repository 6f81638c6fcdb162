package slack_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/bot"
	"hermes/bot/slack"
)

// Nothing of a table is lost that Slack does not take: it shows as many rows and columns
// as have room, says of how many, and brings all of it as a file.
func TestATableThatIsTooLargeIsNotLost(t *testing.T) {
	for name, tt := range map[string]struct {
		text          string
		rows, columns int // of the file
		en, zh        string
	}{
		"wide":       {wide(30, 2), 3, 30, "The first 20 of 30 columns;", "共 30 列，这里是前 20 列；"},
		"long":       {wide(3, 250), 251, 3, "The first 99 of 250 rows;", "共 250 行，这里是前 99 行；"},
		"both":       {wide(25, 120), 121, 25, "of 120 rows and 20 of 25 columns;", "共 120 行 25 列，这里是前 "},
		"long cells": {"| a | b |\n|---|---|\n| " + strings.Repeat("x", 9000) + " | y |", 2, 2, "The table has no room here;", "表格太大"},
	} {
		for lang, want := range map[string]string{"en": tt.en, "zh": tt.zh} {
			pages, files, err := slack.Render(bot.Post{Key: name, Lang: lang, Text: tt.text})
			if err != nil || len(pages) != 1 || len(files) != 1 {
				t.Fatalf("%s: %d pages, %d files, %v; want one of each", name, len(pages), len(files), err)
			}
			if b, err := json.Marshal(pages[0].Blocks()); err != nil || !strings.Contains(string(b), want) {
				t.Errorf("%s: it does not say %q:\n%s", name, want, b)
			}
			rows := strings.Split(strings.TrimSpace(string(files[0].Data())), "\n")
			if len(rows) != tt.rows || strings.Count(rows[0], ",")+1 != tt.columns {
				t.Errorf("%s: the file has %d rows, the first %q", name, len(rows), rows[0])
			}
		}
	}
}

// Cells beyond the head are shown, and so is a row that has less.
func TestRowsThatAreWiderThanTheirHead(t *testing.T) {
	pages, files, err := slack.Render(bot.Post{Key: "k", Text: "| a | b |\n|---|---|\n| 1 | 2 | 3 |\n| 4 |\n| 5 | 6 | 7 | eight |"})
	if err != nil || len(pages) != 1 || len(files) != 0 {
		t.Fatalf("%d pages, %d files, %v", len(pages), len(files), err)
	}
	for _, want := range []string{"a", "b", "3", "4", "7", "eight"} {
		if !strings.Contains(pages[0].Text(), want) {
			t.Errorf("%q is lost:\n%s", want, pages[0].Text())
		}
	}
}
