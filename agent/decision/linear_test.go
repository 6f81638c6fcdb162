package decision

import (
	"strings"
	"testing"
)

// hostile are texts that make a careless parser slow. Each is one piece, repeated.
var hostile = map[string]struct{ head, piece, tail string }{
	"calls in prose":            {piece: "query_metric(a=\"b\")\n"},
	"a call in prose":           {head: "query_metric(", piece: `a="b", `},
	"a call without an end":     {head: "query_metric(", piece: `a=[(`},
	"tags of calls":             {piece: `<invoke name="query_metric"></invoke>`},
	"opening brackets":          {piece: `[`},
	"keys of objects":           {piece: `{"a":`},
	"closing brackets":          {head: `[`, piece: `}`},
	"pairs of brackets":         {head: `[`, piece: `[}`, tail: `]`},
	"quotation marks":           {head: `{"a":"`, piece: `"`},
	"marks and spaces":          {head: `["`, piece: `" `, tail: `"]`},
	"words in marks":            {head: `{"a": "x `, piece: `"b" c, `, tail: `"}`},
	"marks and commas":          {head: `["a `, piece: `"b", c `},
	"strings without an end":    {head: `[`, piece: `"a, `, tail: `]`},
	"lines without an end":      {head: "{", piece: "\n\"k\": \"v"},
	"bare keys without an end":  {head: "{", piece: "\nk: \"v"},
	"comments without an end":   {head: `{"a":"`, piece: `"/*`},
	"comments with a far end":   {head: `{"a":"`, piece: `"/*`, tail: `*/}`},
	"line comments":             {head: `{"a":"`, piece: `"//`},
	"hash comments":             {head: `{"a":"`, piece: `"# `},
	"calls":                     {head: `{"a":`, piece: `f("x`},
	"parentheses":               {head: `[`, piece: `(1,`},
	"parentheses round one":     {head: `[`, piece: `(`, tail: `1`},
	"triple marks":              {head: `[`, piece: `""" , `},
	"apostrophes":               {head: `{'a':'`, piece: `it's 'b' `, tail: `'}`},
	"Chinese marks":             {head: `{“a”：“`, piece: `“甲”，`, tail: `”}`},
	"Chinese in plain marks":    {head: `{"a":"`, piece: `说"好"，`, tail: `"}`},
	"backslashes":               {head: `{"a":"`, piece: `\`},
	"escaped marks":             {head: `{\"a\":\"`, piece: `\"`},
	"bare words":                {head: `{a:`, piece: `b, c `},
	"bare brackets":             {head: `{a:`, piece: `b{c(`},
	"bare words in lines":       {head: "{a:", piece: "b\n"},
	"spaces":                    {head: `{"a":"x"`, piece: ` `, tail: `x`},
	"keys":                      {head: `{`, piece: `"a" `},
	"stray arrays":              {head: `{"a":[1]`, piece: `,[2]`, tail: `}`},
	"stray braces":              {head: `{`, piece: `{"a":1},`},
	"missing braces":            {head: `[`, piece: `"a":[`},
	"embedded":                  {head: `[`, piece: `"{"a":[1,`},
	"embedded that fails":       {head: `{"a":`, piece: `"["`},
	"fences":                    {piece: "```json\n{\"a\":"},
	"prose with brackets":       {piece: `see [a] and {b} or `},
	"prose with braces":         {piece: `see {"a `},
	"numbers":                   {head: `[`, piece: `1,234 `},
	"regular expressions":       {head: `{"a":`, piece: `/a`},
	"thoughts":                  {piece: `<think>a</think>`},
	"thoughts without an end":   {piece: `<think>`},
	"ends of thoughts":          {piece: `a</think>`},
	"ellipses":                  {head: `[`, piece: `...,`},
	"plus signs":                {head: `[`, piece: `"a"+`},
	"strings in a row":          {head: `{"a":`, piece: `"b" `},
	"half keys":                 {head: `{`, piece: `"a: {`},
	"half keys in arrays":       {head: `[1`, piece: `, "a: {`},
	"numbers and spaces":        {head: `[`, piece: `1 `},
	"words and spaces":          {head: `["a" `, piece: `true `},
	"brackets of words":         {piece: `[a`},
	"lines in a bare value":     {head: `{a: b`, piece: "\n", tail: `c`},
	"lines in an open string":   {head: `{"a": "b`, piece: "\n", tail: `c`},
	"white space, then prose":   {head: strings.Repeat(" ", 5_000), piece: `{a} `},
	"doubled marks":             {head: `{""a"":`, piece: `""b"" `},
	"marks in bare text":        {head: `{a: b`, piece: ` "c`},
	"slashes":                   {head: `[`, piece: `/a, `},
	"good JSON":                 {head: `[`, piece: `{"a":"b"},`, tail: `{}]`},
	"good JSON with one fault":  {head: `[`, piece: `{"a":"b"},`, tail: `{"a":}]`},
	"objects in a row":          {piece: `{"a":"b"} `},
	"objects between words":     {piece: `{"a":"b"} and `},
	"closing tags":              {head: `{"a":"`, piece: `"</`},
	"dots and colons":           {head: `{`, piece: `a:`},
	"full-width brackets":       {piece: `｛“a”：`},
	"marks that are never seen": {head: `{"a":“`, piece: `"x” `},
}

// Ten times the text is ten times the work, not a hundred times.
func TestValueIsLinear(t *testing.T) {
	t.Parallel()
	for name, h := range hostile {
		t.Run(name, func(t *testing.T) {
			text := func(n int) string { return h.head + strings.Repeat(h.piece, n) + h.tail }
			n := 5_000 / len(h.piece)
			small, large := work(text(n)), work(text(10*n))
			if large > 12*small+1000 {
				t.Errorf("work grows from %d to %d", small, large)
			}
			if perByte := float64(large) / float64(len(text(10*n))); perByte > 500 {
				t.Errorf("each character is looked at %.0f times", perByte)
			}
		})
	}
}
