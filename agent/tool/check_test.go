package tool_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
)

// booking is a tool with an argument of every sort, as people write schemas.
var booking = tool.Spec{Name: "book_room", Aliases: map[string]string{"q": "query", "search": "query"}, Schema: json.RawMessage(`{
	"type": "object",
	"properties": {
		"query": {"type": "string", "description": "what to look for"},
		"max_results": {"type": "integer", "minimum": 1, "maximum": 20, "default": 5},
		"day": {"type": "string", "format": "date"},
		"size": {"enum": ["small", "large"]},
		"rate": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.01},
		"shared": {"type": "boolean"},
		"tags": {"type": "array", "items": {"type": "string"}},
		"ids": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "uniqueItems": true},
		"guest": {"type": "object", "properties": {"name": {"type": "string"}, "email": {"type": "string", "format": "email"}}, "required": ["name"]},
		"labels": {"type": "object"},
		"body": {"type": "string", "minLength": 0}
	},
	"required": ["query"]
}`)}

func check(t *testing.T, s tool.Spec, args string) tool.Checked {
	t.Helper()
	c := tool.Check(s, json.RawMessage(args), tool.CheckOptions{})
	if c.Args != nil && !json.Valid(c.Args) {
		t.Errorf("arguments %s came out as %s", args, c.Args)
	}
	return c
}

// What passes and how the tool gets it.
func TestGoodCallsPass(t *testing.T) {
	for name, tt := range map[string]struct{ given, want string }{
		"TOOL-08 a default is filled in":      {`{"query":"a"}`, `{"max_results":5,"query":"a"}`},
		"TOOL-08 the bounds are in the range": {`{"query":"a","max_results":20}`, `{"max_results":20,"query":"a"}`},
		"numbers keep their digits":           {`{"query":"a","max_results":1,"rate":12345678901234567890.10}`, `{"max_results":1,"query":"a","rate":12345678901234567890.10}`},
		"an object of which nothing is said":  {`{"query":"a","max_results":1,"labels":{"x":[1,{"y":null}]}}`, `{"labels":{"x":[1,{"y":null}]},"max_results":1,"query":"a"}`},
		"a blank that may be one":             {`{"query":"a","max_results":1,"body":""}`, `{"body":"","max_results":1,"query":"a"}`},
		"text is not escaped":                 {`{"query":"<a> & 名","max_results":1}`, `{"max_results":1,"query":"<a> & 名"}`},
	} {
		t.Run(name, func(t *testing.T) {
			c := check(t, booking, tt.given)
			if !c.Valid || len(c.Faults)+len(c.Coerced)+len(c.Missing) > 0 || string(c.Args) != tt.want {
				t.Errorf("%+v\nwant %s", c, tt.want)
			}
		})
	}
}

// TOOL-12, C-16: what can be read in one way only is read and noted. It is no valid
// call all the same.
func TestTOOL12WhatIsReadIsNoted(t *testing.T) {
	for name, tt := range map[string]struct{ given, want, path string }{
		"a number that came as a string":       {`{"query":"a","max_results":"7"}`, `{"max_results":7,"query":"a"}`, "max_results"},
		"a list that came as a string":         {`{"query":"a","max_results":1,"ids":"[1,2]"}`, `{"ids":[1,2],"max_results":1,"query":"a"}`, "ids"},
		"an item that came as a string":        {`{"query":"a","max_results":1,"ids":[1,"2"]}`, `{"ids":[1,2],"max_results":1,"query":"a"}`, "ids[1]"},
		"one word where a list is wanted":      {`{"query":"a","max_results":1,"tags":"red"}`, `{"max_results":1,"query":"a","tags":["red"]}`, "tags"},
		"a list of one word":                   {`{"query":["a"],"max_results":1}`, `{"max_results":1,"query":"a"}`, "query"},
		"an object that came as a string":      {`{"query":"a","max_results":1,"guest":"{\"name\":\"A\"}"}`, `{"guest":{"name":"A"},"max_results":1,"query":"a"}`, "guest"},
		"yes":                                  {`{"query":"a","max_results":1,"shared":"yes"}`, `{"max_results":1,"query":"a","shared":true}`, "shared"},
		"True":                                 {`{"query":"a","max_results":1,"shared":"True"}`, `{"max_results":1,"query":"a","shared":true}`, "shared"},
		"no":                                   {`{"query":"a","max_results":1,"shared":"no"}`, `{"max_results":1,"query":"a","shared":false}`, "shared"},
		"否":                                    {`{"query":"a","max_results":1,"shared":"否"}`, `{"max_results":1,"query":"a","shared":false}`, "shared"},
		"a number where a string is wanted":    {`{"query":2024.50,"max_results":1}`, `{"max_results":1,"query":"2024.50"}`, "query"},
		"null for what may be left out":        {`{"query":"a","max_results":1,"ids":null}`, `{"max_results":1,"query":"a"}`, "ids"},
		"a blank for what may be left out":     {`{"query":"a","max_results":1,"size":" ","day":""}`, `{"max_results":1,"query":"a"}`, "day size"},
		"null, and the default comes in":       {`{"query":"a","max_results":null}`, `{"max_results":5,"query":"a"}`, "max_results"},
		"TOOL-06 another name":                 {`{"q":"a","max_results":1}`, `{"max_results":1,"query":"a"}`, "q"},
		"TOOL-07 a date of Chinese":            {`{"query":"a","max_results":1,"day":"2024年1月1日"}`, `{"day":"2024-01-01","max_results":1,"query":"a"}`, "day"},
		"TOOL-07 a date with strokes":          {`{"query":"a","max_results":1,"day":"2024/1/1"}`, `{"day":"2024-01-01","max_results":1,"query":"a"}`, "day"},
		"TOOL-07 a date in wide digits":        {`{"query":"a","max_results":1,"day":"２０２４年１２月３１号"}`, `{"day":"2024-12-31","max_results":1,"query":"a"}`, "day"},
		"TOOL-07 a date with the month's name": {`{"query":"a","max_results":1,"day":"1 Feb 2024"}`, `{"day":"2024-02-01","max_results":1,"query":"a"}`, "day"},
		"TOOL-07 a day that is no month":       {`{"query":"a","max_results":1,"day":"13/02/2024"}`, `{"day":"2024-02-13","max_results":1,"query":"a"}`, "day"},
		"TOOL-07 a day after its month":        {`{"query":"a","max_results":1,"day":"02-13-2024"}`, `{"day":"2024-02-13","max_results":1,"query":"a"}`, "day"},
		"TOOL-07 day and month are one number": {`{"query":"a","max_results":1,"day":"5.5.2024"}`, `{"day":"2024-05-05","max_results":1,"query":"a"}`, "day"},
		"all of it as one string":              {`"{\"query\":\"a\",\"max_results\":1}"`, `{"max_results":1,"query":"a"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := check(t, booking, tt.given)
			if c.Valid || len(c.Faults) > 0 || string(c.Args) != tt.want || strings.Join(c.Coerced, " ") != tt.path || len(c.Strict) != len(c.Coerced) {
				t.Errorf("%+v\nwant %s, read at %q", c, tt.want, tt.path)
			}
			exact := tool.Check(booking, json.RawMessage(tt.given), tool.CheckOptions{Exact: true})
			if len(exact.Faults) == 0 || len(exact.Coerced) > 0 {
				t.Errorf("to the letter: %+v, want a fault", exact)
			}
		})
	}
}

// A whole number is one however it is written, and comes as a reader of whole numbers
// can take it.
func TestAWholeNumberIsOneHoweverItIsWritten(t *testing.T) {
	for _, given := range []string{"5.0", "5e0", "0.5e1", "50E-1"} {
		c := check(t, booking, `{"query":"a","max_results":`+given+`}`)
		if !c.Valid || string(c.Args) != `{"max_results":5,"query":"a"}` {
			t.Errorf("%s = %+v", given, c)
		}
	}
}

// What is refused, where, and in which words: they name what is wanted and what came.
func TestBadCallsAreRefused(t *testing.T) {
	for name, tt := range map[string]struct{ given, want string }{
		"TOOL-08 below the range":              {`{"query":"a","max_results":0}`, "max_results: wants a whole number from 1 to 20; got 0"},
		"TOOL-08 above the range":              {`{"query":"a","max_results":21}`, "max_results: wants a whole number from 1 to 20; got 21"},
		"TOOL-12 maybe":                        {`{"query":"a","shared":"maybe"}`, `shared: wants true or false; got "maybe"`},
		"TOOL-12 a number is no truth":         {`{"query":"a","shared":1}`, "shared: wants true or false; got 1"},
		"TOOL-12 a word is no list":            {`{"query":"a","ids":"1,2"}`, `ids: wants a list of at least 1 item (each: a whole number), all different; got "1,2"`},
		"TOOL-12 several words may be one":     {`{"query":"a","tags":"red, blue"}`, `tags: wants a list (each: a string); got "red, blue"`},
		"TOOL-12 a list that is broken":        {`{"query":"a","tags":"[red"}`, `tags: wants a list (each: a string); got "[red"`},
		"TOOL-12 a list of two is not one":     {`{"query":["a","b"]}`, `query: wants a string; got a list ["a","b"]`},
		"TOOL-11 a list of a blank":            {`{"query":[" "]}`, `query: wants a string; got a list [" "]`},
		"TOOL-12 half a number is lost":        {`{"query":"a","max_results":"5.5"}`, `max_results: wants a whole number from 1 to 20; got "5.5"`},
		"TOOL-12 a number of another country":  {`{"query":"a","rate":"1.000,5"}`, `rate: wants a number above 0, a multiple of 0.01; got "1.000,5"`},
		"TOOL-07 a date of three readings":     {`{"query":"a","day":"01/02/24"}`, `day: wants a date as YYYY-MM-DD; got "01/02/24"`},
		"TOOL-07 a date of two readings":       {`{"query":"a","day":"02/03/2024"}`, `day: wants a date as YYYY-MM-DD; got "02/03/2024", which may be 2024-03-02 or 2024-02-03; ask the person which one is meant`},
		"TOOL-07 a date in neither reading":    {`{"query":"a","day":"30/02/2024"}`, `day: wants a date as YYYY-MM-DD; got "30/02/2024"`},
		"TOOL-07 a date with two signs":        {`{"query":"a","day":"13/02-2024"}`, `day: wants a date as YYYY-MM-DD; got "13/02-2024"`},
		"TOOL-07 no day of the calendar":       {`{"query":"a","day":"2024年2月30日"}`, `day: wants a date as YYYY-MM-DD; got "2024年2月30日"`},
		"TOOL-07 a time is no day":             {`{"query":"a","day":"2024-01-01T23:00:00Z"}`, `day: wants a date as YYYY-MM-DD; got "2024-01-01T23:00:00Z"`},
		"TOOL-11, FAIL-17 a blank":             {`{"query":" "}`, "query: is required and blank; wants a string (what to look for)"},
		"TOOL-11 a blank further in":           {`{"query":"a","guest":{"name":""}}`, "guest.name: is required and blank; wants a string"},
		"TOOL-13 nothing":                      {`{}`, "query: is missing; wants a string (what to look for)"},
		"TOOL-13 null":                         {`{"query":null}`, "query: is required and null; wants a string (what to look for)"},
		"TOOL-14 one too many":                 {`{"query":"a","foo":1}`, "foo: is unknown; there are: query, max_results, day, size, rate, shared, tags, ids, guest, labels, body"},
		"TOOL-14 a slip of the pen":            {`{"query":"a","maxResult":1}`, "maxResult: is unknown; did you mean max_results?"},
		"TOOL-14 one too many further in":      {`{"query":"a","guest":{"name":"A","age":1}}`, "guest.age: is unknown; there are: name, email"},
		"RES-17 a field of an earlier result":  {`{"query":"a","region_id":7}`, "region_id: is unknown"},
		"TOOL-06 both names":                   {`{"query":"a","q":"b"}`, "q: is another name of query, which is given too; give one"},
		"TOOL-06 two other names":              {`{"q":"a","search":"b"}`, "search: is another name of query"},
		"a choice":                             {`{"query":"a","size":"Large"}`, `size: wants one of "small", "large"; got "Large"; did you mean "large"?`},
		"an address":                           {`{"query":"a","guest":{"name":"A","email":"A <a@b.c>"}}`, `guest.email: wants an e-mail address as name@example.com; got "A <a@b.c>"`},
		"one item twice":                       {`{"query":"a","ids":[1,1.0]}`, "ids: has 1 twice; all must be different"},
		"no item":                              {`{"query":"a","ids":[]}`, "ids: wants a list of at least 1 item (each: a whole number), all different; got 0 items"},
		"a list":                               {`[1]`, "the arguments are a JSON object with names; got a list [1]"},
		"a number of too many places":          {`{"query":"a","rate":1e999999999}`, "rate: is a number with too many places"},
		"one name twice":                       {`{"query":"a","query":"b"}`, `"query" is given twice`},
		"too deep":                             {`{"query":"a","labels":` + strings.Repeat(`{"a":`, 200) + `1` + strings.Repeat(`}`, 200) + `}`, "it nests deeper than 100 levels"},
		"a secret is not shown at full length": {`{"query":"a","shared":"` + strings.Repeat("x", 100) + `"}`, strings.Repeat("x", 60) + `…"`},
	} {
		t.Run(name, func(t *testing.T) {
			c := check(t, booking, tt.given)
			if len(c.Faults) != 1 || c.Valid || !strings.Contains(c.Fault(), tt.want) {
				t.Errorf("faults %v\nwant %s", c.Faults, tt.want)
			}
		})
	}
}

// L4, TOOL-11, TOOL-13: all that is wrong is said at once, what is missing first, and what is missing or blank is listed, so that a person can be asked.
func TestL4AllFaultsComeAtOnce(t *testing.T) {
	c := check(t, tool.Spec{Name: "write_file", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"format":{"type":"string"},"lines":{"type":"integer"}},"required":["path","format"]}`)},
		`{"path":"","format":"","lines":"many","foo":1}`)
	if d := cmp.Diff([]string{"path", "format", "foo", "lines"}, c.Paths()); d != "" {
		t.Errorf("paths (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"path", "format"}, c.Missing); d != "" {
		t.Errorf("missing (-want +got):\n%s", d)
	}
	if string(c.Args) != `{"foo":1,"format":"","lines":"many","path":""}` || c.Coerced != nil {
		t.Errorf("arguments of a call that does not run = %s, %v; want them as they came", c.Args, c.Coerced)
	}
	err := c.Err("write_file")
	if err.Type != tool.InputError || err.Tool != "write_file" || !strings.Contains(err.Message, "path: is required and blank") || !strings.Contains(err.Message, "lines: wants a whole number") ||
		err.Suggestion != "give path, format; ask the person for what you cannot know" || !cmp.Equal(err.Fields, c.Paths()) {
		t.Errorf("error = %+v", err)
	}
	if check(t, booking, `{"query":"a"}`).Err("x") != nil {
		t.Error("a good call has an error")
	}
}

// A tool without a schema takes any object; one whose schema nobody can read takes
// nothing.
func TestAToolWithoutASchemaTakesAnyObject(t *testing.T) {
	if c := check(t, tool.Spec{Name: "x"}, `{"b":1,"a":null}`); !c.Valid || string(c.Args) != `{"a":null,"b":1}` {
		t.Errorf("without a schema: %+v", c)
	}
	if c := check(t, tool.Spec{Name: "x"}, `7`); c.Valid {
		t.Errorf("without a schema a number passes: %+v", c)
	}
	for _, schema := range []string{`{`, `[]`, `7`, `{} {}`} {
		if c := check(t, tool.Spec{Name: "x", Schema: json.RawMessage(schema)}, `{}`); c.Valid || !strings.Contains(c.Fault(), "the schema of x cannot be read") {
			t.Errorf("with schema %s: %+v", schema, c)
		}
	}
}
