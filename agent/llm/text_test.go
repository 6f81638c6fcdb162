package llm_test

import (
	"encoding/json"
	"testing"

	"hermes/agent/llm"
)

func TestATextThatNobodySeesIsBlank(t *testing.T) {
	for s, want := range map[string]bool{
		"": true, " \n\t": true, "\u200b\ufeff": true, "\u00ad": true, "\u0301": true, "\u2060\u200d\u200e": true, "\u3164\u2800\u115f": true,
		"\u00a0\u3000": true, "\x00\x1b": true, "\u202e": true, "```\n```": true, "```json\n\n```": true, "~~~\n~~~": true, "```json\n{}\n```": true,
		"{}": true, "[]": true, "null": true, `""`: true, `{"answer":""}`: true, `{"answer":"\u200b","sources":[null,{}]}`: true, "****": true, "#": true, "> ": true,
		"0": false, "false": false, `{"count":0}`: false, "[0]": false, "…": false, "?": false, "好": false, "👍": false, "👨\u200d👩": false, "```\nx\n```": false,
		"```ok```": false, "سلام": false, "é": false, "-": false,
	} {
		if got := llm.Blank(s); got != want {
			t.Errorf("Blank(%q) = %t", s, got)
		}
	}
}

func TestWhatAScreenObeysIsTakenOutAndWritingStays(t *testing.T) {
	for s, want := range map[string]string{
		"a\x00b\x1b[31mc\x7f\u0085d":                "abcd",
		"x\u202egnp.exe\u202c \u2066y\u2069":        "xgnp.exe y",
		"line\r\n\ttab\n":                           "line\r\n\ttab\n",
		"👨\u200d👩\u200d👧\ufe0f 🏳\ufe0f\u200d🌈":      "👨\u200d👩\u200d👧\ufe0f 🏳\ufe0f\u200d🌈",
		"می\u200cخواهم \u200fשלום\u200e ABC \u061c": "می\u200cخواهم \u200fשלום\u200e ABC \u061c",
		"Zusammen\u00adsetzung 好":                   "Zusammen\u00adsetzung 好",
	} {
		if got := llm.Legible(s); got != want {
			t.Errorf("Legible(%q) = %q", s, got)
		}
	}
}

func TestArgumentsLoseWhatAScreenObeysAndNothingElse(t *testing.T) {
	for args, want := range map[string]string{
		`{"t":"a\u0000b\u202Ec\u001b[1m"}`:         `{"t":"abc[1m"}`,
		"{\"t\":\"a\u202eb\"}":                     `{"t":"ab"}`,
		`{"t":"write \\u202e here\\\u202e"}`:       `{"t":"write \\u202e here\\"}`,
		`{"t":"a\n\tb\u000a\ud83d\udc4d\u200d"}`:   `{"t":"a\n\tb\u000a\ud83d\udc4d\u200d"}`,
		`{ "n": 1.50, "n": 2, "p": "C:\\u\u0041"}`: `{ "n": 1.50, "n": 2, "p": "C:\\u\u0041"}`,
	} {
		got := llm.LegibleArgs(json.RawMessage(args))
		if string(got) != want || !json.Valid(got) {
			t.Errorf("LegibleArgs(%s) = %s", args, got)
		}
	}
}
