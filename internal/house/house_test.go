// Package house checks the plan of the house: which rooms there are, which may
// know which, and where each foreign thing lives. It holds tests only; run it
// with
//
//	go test ./internal/house
//
// A failure names the file, the rule, and what to do about it. The plan may
// change: then the two tables below change in the same commit as the house.
package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "hermes"

// plan lists every room and which of ours it may import. Keep it sorted from the
// ground up: an arrow may only point upwards in this list, which is what makes
// circles impossible to draw.
//
// A room may be listed before it is built; one that is built must be listed. A
// name that ends in "*" is any one folder at that place without a row of its
// own. Who may import "*" may import all that stands above.
var plan = []struct {
	pkg string
	of  []string
}{
	// The ground floor knows nobody. What is common stands below it: all may import it.
	{"internal/redact", nil},
	{"internal/dial", nil},
	{"internal/filename", nil},
	{"internal/slip", nil},
	// How cells of files are read, by those who read tables.
	{"internal/tabular", nil},
	{"router", nil},
	// How the router's weights are made: no part of the daemon.
	{"router/train", []string{"router"}},
	{"memory", nil},
	{"memory/session", nil},
	{"scheduler/calendar", nil},
	{"scheduler/phrase", []string{"scheduler/calendar"}},
	{"scheduler", []string{"scheduler/calendar", "scheduler/phrase"}},
	{"config", nil},
	{"agent/llm", nil},
	{"agent/tool", nil},
	{"agent/sandbox", nil},
	// The record of work and the saved report are nouns that tools may speak of.
	{"agent/run", []string{"agent/llm", "agent/tool"}},
	// A saved report is about a period of the calendar, whichever slot it runs in.
	{"agent/playbook", []string{"agent/run", "agent/tool", "scheduler", "scheduler/calendar"}},

	// Adapters and fakes know what they adapt to. A tool that needs to know
	// more than what a tool is gets a row of its own.
	{"memory/memorytest", []string{"memory"}},
	{"scheduler/schedulertest", []string{"scheduler"}},
	// What all clients of a vendor's HTTP share.
	{"agent/llm/wire", []string{"agent/llm"}},
	{"agent/llm/*", []string{"agent/llm", "agent/llm/wire"}},
	{"agent/llm/rules", []string{"agent/llm", "scheduler/calendar", "scheduler/phrase"}},
	{"agent/mcp", []string{"agent/tool"}},
	{"agent/tool/*", []string{"agent/sandbox", "agent/tool"}},
	{"agent/tool/audit", []string{"agent/tool", "scheduler/calendar"}},
	{"agent/tool/memory", []string{"agent/tool", "memory"}},
	{"agent/tool/querydb", []string{"agent/tool", "internal/tabular", "scheduler/calendar"}},
	// The tools of saved reports speak of what they are.
	{"agent/tool/saved", []string{"agent/playbook", "agent/run", "agent/tool", "scheduler", "scheduler/calendar"}},
	// A schedule that posts proposes the grant that post_message will need, and one of a
	// saved report the one for that very text.
	{"agent/tool/schedule", []string{"agent/playbook", "agent/tool", "agent/tool/*", "scheduler", "scheduler/calendar", "scheduler/phrase"}},
	// The sample database ships its declared layer.
	{"internal/sample", []string{"agent/tool/querydb"}},

	// The agent thinks. It does not know that there is a chat.
	{"agent/guard", []string{"agent/llm", "agent/run", "agent/tool"}},
	{"agent/decision", []string{"agent/llm", "agent/tool"}},
	// How a tool is run: deadline, tries, side by side.
	{"agent/exec", []string{"agent/tool"}},
	{"agent/result", []string{"agent/llm", "agent/tool"}},
	// What people attach is read for runs.
	{"agent/file", []string{"agent/result", "agent/run", "agent/tool", "internal/tabular"}},
	{"agent/plan", []string{"agent/run", "agent/tool"}},
	{"agent/verify", []string{"agent/plan", "agent/run", "agent/tool"}},
	{"agent/prompt", []string{"agent/file", "agent/llm", "agent/plan", "agent/playbook", "agent/result", "agent/run", "agent/tool", "memory", "memory/session"}},
	{"agent", []string{
		"agent/decision", "agent/exec", "agent/file", "agent/guard", "agent/llm", "agent/plan", "agent/playbook", "agent/prompt", "agent/result",
		"agent/run", "agent/tool", "agent/verify", "memory", "memory/session",
	}},
	{"agent/agenttest", []string{"agent", "agent/llm", "agent/run", "agent/tool"}},

	// The bot talks. It knows the agent's nouns, not the agent.
	{"bot", []string{"agent/run", "router", "scheduler"}},
	{"bot/bottest", []string{"agent/run", "bot"}},
	{"bot/*", []string{"bot"}},

	// Machinery knows whom it serves; nobody but the program knows it.
	{"internal/store", []string{"agent", "agent/llm", "agent/playbook", "agent/run", "agent/tool", "bot", "memory", "memory/session", "scheduler"}},
	{"internal/trace", []string{"agent", "agent/llm", "agent/run", "agent/tool", "bot", "memory", "router", "scheduler"}},
	{"internal/fakeslack", nil},
	{"internal/fakeslack/serve", []string{"internal/fakeslack"}},
	{"internal/eval", []string{"*"}},
	{"internal/golden", nil},
	{"internal/intruder", nil},
	{"internal/house", nil},
	{"cmd/hermes", []string{"*"}},
}

// common are the rooms that all may import: what every exit needs.
var common = []string{"internal/redact", "internal/dial", "internal/filename", "internal/slip"}

// foreign lists every import from outside that has a room, and the room. What
// the standard library offers is free unless it is listed; anything else must be
// listed, so that a new dependency is a decision and not an accident.
var foreign = []struct {
	path  string
	rooms []string
}{
	// The store opens our database. The tool opens other people's, to read.
	{"database/sql", []string{"internal/store", "internal/sample", "internal/intruder", "agent/tool/querydb"}},
	{"gorm.io", []string{"internal/store", "internal/sample", "agent/tool/querydb"}},
	{"github.com/glebarez", []string{"internal/store", "internal/sample", "agent/tool/querydb"}},
	{"github.com/go-sql-driver/mysql", []string{"internal/store", "internal/sample", "agent/tool/querydb"}},
	{"github.com/jackc/pgx", []string{"internal/store", "internal/sample", "agent/tool/querydb"}},
	{"github.com/lib/pq", []string{"internal/store", "internal/sample", "agent/tool/querydb"}},
	{"github.com/mattn/go-sqlite3", []string{"internal/store", "internal/sample", "agent/tool/querydb"}},
	{"github.com/ncruces/go-sqlite3", []string{"internal/store", "internal/sample", "agent/tool/querydb"}},
	{"modernc.org/sqlite", []string{"internal/store", "internal/sample", "internal/intruder", "agent/tool/querydb"}},

	{"github.com/spf13/viper", []string{"config"}},
	{"github.com/spf13/cobra", []string{"cmd/hermes"}},
	{"go.yaml.in/yaml", []string{"config", "agent/playbook", "bot/slack"}},
	{"github.com/slack-go/slack", []string{"bot/slack", "internal/fakeslack"}},
	{"github.com/coder/websocket", []string{"bot/slack", "internal/fakeslack"}},
	{"html/template", []string{"bot/web", "internal/eval"}},
	{"github.com/robfig/cron", []string{"scheduler", "scheduler/calendar"}},

	{"github.com/anthropics", []string{"agent/llm/*"}},
	{"github.com/openai", []string{"agent/llm/*"}},
	{"github.com/sashabaranov/go-openai", []string{"agent/llm/*"}},
	{"github.com/ollama", []string{"agent/llm/*"}},
	{"google.golang.org/genai", []string{"agent/llm/*"}},
	{"github.com/modelcontextprotocol", []string{"agent/mcp"}},
	{"github.com/mark3labs/mcp-go", []string{"agent/mcp"}},

	{"go.opentelemetry.io", []string{"internal/trace"}},
	{"github.com/prometheus", []string{"internal/trace"}},

	{"github.com/google/jsonschema-go", []string{"agent/tool", "internal/fakeslack"}},
	{"github.com/golang/freetype", []string{"agent/tool/report"}},
	{"github.com/go-analyze/charts", []string{"agent/tool/report"}},
	{"codeberg.org/go-pdf/fpdf", []string{"agent/tool/report"}},
	{"github.com/xuri/excelize", []string{"agent/file", "agent/tool/report", "internal/tabular"}},
	{"github.com/ledongthuc/pdf", []string{"agent/file"}},
	{"golang.org/x/net/html", []string{"agent/result"}},
	{"github.com/yuin/goldmark", []string{"bot/web", "bot/slack"}},
	{"github.com/teambition/rrule-go", []string{"scheduler/calendar"}},
	{"github.com/chromedp", []string{"cmd/hermes"}},
	{"pgregory.net/rapid", []string{"*"}},
	{"go.uber.org/goleak", []string{"*"}},

	{"golang.org/x", []string{"*"}},
	{"github.com/google/go-cmp", []string{"*"}},
}

// programs are the folders of package main. Nobody can import one, so what else is
// of use in it stands in a room beside it.
var programs = []string{"cmd/hermes", "internal/fakeslack/serve"}

// calls lists what may be called in few places or nowhere, and why.
var calls = map[string]struct {
	where func(file) bool
	why   string
}{
	"context.WithValue":  {nowhere, "make it a parameter"},
	"context.Background": {inProgramOrTest, "take ctx from the caller"},
	"context.TODO":       {inProgramOrTest, "take ctx from the caller"},
	"os.Getenv":          {wherePassed, "let cmd read it and pass it on"},
	"os.LookupEnv":       {inProgramOrTest, "let cmd read it and pass it on"},
	"os.Environ":         {inProgramOrTest, "let cmd read it and pass it on"},
	"os.Exit":            {inProgram, "return an error"},
	"time.Sleep":         {outsideTests, "wait for a fact, in testing/synctest or on a channel"},
}

func nowhere(file) bool           { return false }
func inProgram(f file) bool       { return slices.Contains(programs, f.pkg) }
func inProgramOrTest(f file) bool { return inProgram(f) || f.test }
func outsideTests(f file) bool    { return !f.test }

// wherePassed has the fake too: it is a part of tests, each of which would have to
// hand it what CI says.
func wherePassed(f file) bool { return inProgramOrTest(f) || f.pkg == "internal/fakeslack" }

// The house as it stands keeps every rule.
func TestHouse(t *testing.T) {
	files := walk(t, filepath.Join("..", ".."))
	for _, f := range files {
		for _, fault := range f.faults() {
			t.Error(fault)
		}
	}
	for _, pkg := range undocumented(files) {
		t.Errorf("%s: no package comment; say what lives here, what does not, and the rule a newcomer would break", pkg)
	}
}

// The plan itself can be built: every arrow points to a room above.
func TestPlan(t *testing.T) {
	var above []string
	for _, room := range plan {
		if slices.Contains(above, room.pkg) {
			t.Errorf("%s is in the plan twice", room.pkg)
		}
		for _, of := range room.of {
			if of != "*" && !slices.Contains(above, of) {
				t.Errorf("%s may import %s, which does not stand above it in the plan", room.pkg, of)
			}
		}
		above = append(above, room.pkg)
	}
}

// The rules see what they are there to see, and nothing else.
func TestRules(t *testing.T) {
	for name, tt := range map[string]struct {
		file string
		code string
		want string // part of the only fault; none if empty
	}{
		"an arrow of the plan":            {"bot/x.go", `import _ "hermes/router"`, ""},
		"an arrow against it":             {"agent/x.go", `import _ "hermes/bot"`, "agent may not import bot"},
		"the ground floor knows nobody":   {"router/x.go", `import _ "hermes/bot"`, "router may not import bot"},
		"nouns are not the agent":         {"bot/x.go", `import _ "hermes/agent"`, "bot may not import agent"},
		"an adapter knows the bot alone":  {"bot/web/x.go", `import _ "hermes/agent/run"`, "bot/web may not import agent/run"},
		"tests may furnish their room":    {"bot/x_test.go", `import _ "hermes/agent"`, ""},
		"a new tool needs no row":         {"agent/tool/weather/x.go", `import _ "hermes/agent/tool"`, ""},
		"unless it wants more":            {"agent/tool/weather/x.go", `import _ "hermes/memory"`, "agent/tool/weather may not import memory"},
		"a row goes before a star":        {"agent/tool/memory/x.go", `import _ "hermes/memory"`, ""},
		"built-in rules know phrases":     {"agent/llm/rules/x.go", `import _ "hermes/scheduler/phrase"`, ""},
		"a provider does not":             {"agent/llm/openai/x.go", `import _ "hermes/scheduler/phrase"`, "agent/llm/openai may not import scheduler/phrase"},
		"what is common is everybody's":   {"memory/x.go", `import _ "hermes/internal/redact"`, ""},
		"the program knows all":           {"cmd/hermes/x.go", `import _ "hermes/internal/eval"`, ""},
		"all is what stands above":        {"internal/eval/x.go", `import _ "hermes/cmd/hermes"`, "internal/eval may not import cmd/hermes"},
		"a room without a row":            {"utils/x.go", ``, "utils is not in the plan"},
		"a folder too deep":               {"bot/slack/render/x.go", ``, "bot/slack/render is not in the plan"},
		"a foreign thing at home":         {"bot/slack/x.go", `import _ "github.com/slack-go/slack/socketmode"`, ""},
		"a foreign thing abroad":          {"bot/x.go", `import _ "github.com/slack-go/slack"`, "github.com/slack-go/slack lives in"},
		"in a test as well":               {"bot/x_test.go", `import _ "gorm.io/driver/sqlite"`, "gorm.io/driver/sqlite lives in"},
		"a standard one":                  {"memory/x.go", `import _ "database/sql/driver"`, "database/sql/driver lives in"},
		"the database of others":          {"agent/tool/querydb/x.go", `import _ "database/sql"`, ""},
		"an SDK in the agent":             {"agent/x.go", `import _ "github.com/openai/openai-go/v3"`, "github.com/openai/openai-go/v3 lives in"},
		"an SDK in its folder":            {"agent/llm/openai/x.go", `import _ "github.com/openai/openai-go/v3"`, ""},
		"cron where times are made":       {"scheduler/calendar/x.go", `import _ "github.com/robfig/cron/v3"`, ""},
		"the file is the program's":       {"bot/x.go", `import _ "go.yaml.in/yaml/v3"`, "go.yaml.in/yaml/v3 lives in"},
		"a socket in the fake":            {"internal/fakeslack/x.go", `import _ "github.com/coder/websocket"`, ""},
		"a foreign thing without a row":   {"bot/x.go", `import _ "github.com/some/thing"`, "github.com/some/thing has no room"},
		"a name is no prefix of another":  {"bot/x.go", `import _ "gorm.iox/y"`, "gorm.iox/y has no room"},
		"an init function":                {"bot/x.go", `func init() {}`, "no init"},
		"a method of that name":           {"bot/x.go", `type x int; func (x) init() {}`, ""},
		"a bag in the context":            {"bot/x.go", `import "context"; var _ = context.WithValue`, "context.WithValue"},
		"a context out of nothing":        {"bot/x.go", `import "context"; var _ = context.Background()`, "context.Background"},
		"under another name":              {"bot/x.go", `import c "context"; var _ = c.TODO()`, "context.TODO"},
		"in main":                         {"cmd/hermes/x.go", `import "context"; var _ = context.Background()`, ""},
		"in the other program":            {"internal/fakeslack/serve/x.go", `import "os"; func f() { os.Exit(1) }`, ""},
		"in a test":                       {"bot/x_test.go", `import "context"; var _ = context.Background()`, ""},
		"the environment":                 {"config/x.go", `import "os"; var _ = os.Getenv("HOME")`, "os.Getenv"},
		"an exit":                         {"bot/x.go", `import "os"; func f() { os.Exit(1) }`, "os.Exit"},
		"an exit from a test":             {"bot/x_test.go", `import "os"; func f() { os.Exit(1) }`, "os.Exit"},
		"a test that waits for luck":      {"bot/x_test.go", `import "time"; func f() { time.Sleep(1) }`, "time.Sleep"},
		"a program that waits":            {"bot/x.go", `import "time"; func f() { time.Sleep(1) }`, ""},
		"a field that looks like a sleep": {"bot/x_test.go", `var time struct{ Sleep int }; var _ = time.Sleep`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := load(t, tt.file, "package x\n"+tt.code).faults()
			switch {
			case tt.want == "" && len(got) > 0:
				t.Errorf("faults = %q, want none", got)
			case tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)):
				t.Errorf("faults = %q, want one with %q", got, tt.want)
			}
		})
	}
	bare, said := load(t, "bot/x.go", "package x"), load(t, "bot/y.go", "// Package x is.\npackage x")
	if got := undocumented([]file{bare}); !slices.Equal(got, []string{"bot"}) {
		t.Errorf("undocumented = %q, want bot", got)
	}
	if got := undocumented([]file{bare, said}); len(got) > 0 {
		t.Errorf("undocumented = %q, want none: one comment is enough", got)
	}
}

// A file is one file of ours.
type file struct {
	name, pkg string // from the root, with slashes
	test      bool
	tree      *ast.File
}

func load(t *testing.T, name, code string) file {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), name, code, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file{name, path.Dir(name), strings.HasSuffix(name, "_test.go"), tree}
}

// walk loads what the go command would build below root: no hidden folder, no
// testdata, no module of its own.
func walk(t *testing.T, root string) []file {
	t.Helper()
	var files []file
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(p, "go.mod"))
			if p != root && (err == nil || d.Name() == "testdata" || d.Name() == "vendor" || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		code, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		files = append(files, load(t, filepath.ToSlash(rel), string(code)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// faults returns what breaks a rule in f.
func (f file) faults() []string {
	here := row(f.pkg)
	if here < 0 {
		return []string{fmt.Sprintf("%s: %s is not in the plan; give it a row, as far up as it can stand", f.name, f.pkg)}
	}
	var faults []string
	fault := func(format string, args ...any) {
		faults = append(faults, f.name+": "+fmt.Sprintf(format, args...))
	}
	names := map[string]string{} // of the imports, as this file calls them
	for _, spec := range f.tree.Imports {
		im, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			fault("import %s: %v", spec.Path.Value, err)
			continue
		}
		name := path.Base(im)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = im
		if ours, ok := strings.CutPrefix(im, module+"/"); ok {
			if !f.test && !mayImport(here, ours) {
				fault("%s may not import %s; see the plan", f.pkg, ours)
			}
			continue
		}
		rooms, ok := home(im)
		switch {
		case !ok:
			fault("%s has no room; give it a row", im)
		case !slices.ContainsFunc(rooms, func(r string) bool { return r == "*" || matches(r, f.pkg) }):
			fault("%s lives in %s; ask there for what you need", im, strings.Join(rooms, " and "))
		}
	}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				fault("no init functions; let cmd call it")
			}
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok {
				break
			}
			call := names[x.Name] + "." + n.Sel.Name
			if rule, ok := calls[call]; ok && !rule.where(f) {
				fault("no %s here; %s", call, rule.why)
			}
		}
		return true
	})
	return faults
}

// row returns where pkg stands in the plan, or -1.
func row(pkg string) int {
	star := -1
	for i, room := range plan {
		if room.pkg == pkg {
			return i
		}
		if star < 0 && matches(room.pkg, pkg) {
			star = i
		}
	}
	return star
}

func mayImport(here int, ours string) bool {
	if slices.Contains(common, ours) {
		return true
	}
	there := row(ours)
	if there < 0 {
		return false
	}
	of := plan[here].of
	return slices.Contains(of, plan[there].pkg) || slices.Contains(of, "*") && there < here
}

// home returns the rooms of a foreign import. It reports false for one that needs
// a row and has none: only the standard library's paths begin without a dot.
func home(im string) ([]string, bool) {
	for _, f := range foreign {
		if im == f.path || strings.HasPrefix(im, f.path+"/") {
			return f.rooms, true
		}
	}
	first, _, _ := strings.Cut(im, "/")
	return []string{"*"}, !strings.Contains(first, ".")
}

// matches reports whether pkg is the room, or a folder its star stands for.
func matches(room, pkg string) bool {
	above, star := strings.CutSuffix(room, "/*")
	return room == pkg || star && path.Dir(pkg) == above
}

// undocumented returns the packages in which no file says what they are.
func undocumented(files []file) []string {
	said := map[string]bool{}
	for _, f := range files {
		said[f.pkg] = said[f.pkg] || f.tree.Doc != nil
	}
	var bare []string
	for pkg, ok := range said {
		if !ok {
			bare = append(bare, pkg)
		}
	}
	slices.Sort(bare)
	return bare
}
