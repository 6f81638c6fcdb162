package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// An instruction is one line of a Dockerfile, put together.
type instruction struct{ name, rest string }

// A stage begins with FROM.
type stage struct {
	image, as string
	steps     []instruction
}

func (s stage) find(name string) []string {
	var found []string
	for _, i := range s.steps {
		if i.name == name {
			found = append(found, i.rest)
		}
	}
	return found
}

const root = "../.." // of the module

// stages reads the Dockerfile.
func stages(t *testing.T) []stage {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	var all []stage
	whole := strings.ReplaceAll(string(body), "\\\n", " ")
	for line := range strings.SplitSeq(whole, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		name, rest = strings.ToUpper(name), strings.TrimSpace(rest)
		if name == "FROM" {
			f := strings.Fields(rest)
			s := stage{image: f[0]}
			if len(f) == 3 && strings.EqualFold(f[1], "as") {
				s.as = f[2]
			}
			all = append(all, s)
			continue
		}
		if len(all) == 0 {
			t.Fatalf("%q comes before any FROM", line)
		}
		last := &all[len(all)-1]
		last.steps = append(last.steps, instruction{name, rest})
	}
	if len(all) != 2 {
		t.Fatalf("%d stages, want one that builds and one that runs", len(all))
	}
	return all
}

// The image cannot be built where this is tested; what it promises is read: a static
// program of the Go that go.mod names, in an image with nothing else, run by a user
// without rights.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	all := stages(t)
	build, final := all[0], all[1]

	t.Run("the Go of go.mod builds it", func(t *testing.T) {
		mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		want := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(mod)
		got := regexp.MustCompile(`^golang:(\d+\.\d+)[-.\d]*`).FindStringSubmatch(build.image)
		if want == nil || got == nil || got[1] != string(want[1]) {
			t.Errorf("image %q, go.mod %q", build.image, want)
		}
	})

	t.Run("it is static and stripped", func(t *testing.T) {
		builds := 0
		for _, run := range build.find("RUN") {
			if !strings.Contains(run, "go build") {
				continue
			}
			builds++
			for _, want := range []string{"CGO_ENABLED=0 go build", "-trimpath", `-ldflags "-s -w"`, "./cmd/hermes"} {
				if !strings.Contains(run, want) {
					t.Errorf("RUN %s: want %s", run, want)
				}
			}
		}
		if builds != 1 {
			t.Errorf("%d builds, want 1", builds)
		}
	})

	t.Run("it runs without rights", func(t *testing.T) {
		user := final.find("USER")
		if len(user) != 1 || regexp.MustCompile(`^(root|0)(:|$)`).MatchString(user[0]) {
			t.Errorf("USER %q, want one that is not root", user)
		}
		if strings.Contains(final.image, ":debug") || !strings.Contains(final.image, "static") {
			t.Errorf("it runs in %q, want an image without a shell", final.image)
		}
		for _, name := range []string{"RUN", "ADD"} {
			if got := final.find(name); len(got) > 0 {
				t.Errorf("%s in the image that runs: %q", name, got)
			}
		}
	})

	t.Run("it starts the daemon on the volume", func(t *testing.T) {
		if got := final.find("ENTRYPOINT"); !slices.Equal(got, []string{`["/hermes"]`}) {
			t.Errorf("ENTRYPOINT %q, want the program itself, so that it hears signals", got)
		}
		if got := final.find("CMD"); !slices.Equal(got, []string{`["serve"]`}) {
			t.Errorf("CMD %q", got)
		}
		if env, volume := final.find("ENV"), final.find("VOLUME"); !slices.Contains(env, "HERMES_DATA=/data") || !slices.Equal(volume, []string{"/data"}) {
			t.Errorf("ENV %q and VOLUME %q, want the data there", env, volume)
		}
	})

	t.Run("nothing comes from the net but modules and signed packages", func(t *testing.T) {
		for _, s := range all {
			for _, i := range s.steps {
				if i.name == "ADD" || i.name == "RUN" && regexp.MustCompile(`\b(curl|wget|git clone|apk)\b`).MatchString(i.rest) {
					t.Errorf("%s %s", i.name, i.rest)
				}
			}
		}
	})

	t.Run("what it copies is there", func(t *testing.T) {
		ignored, err := os.ReadFile(filepath.Join(root, ".dockerignore"))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			for _, c := range s.find("COPY") {
				args, from := strings.Fields(c), ""
				for len(args) > 0 && strings.HasPrefix(args[0], "--") {
					if stage, ok := strings.CutPrefix(args[0], "--from="); ok {
						from = stage
					}
					args = args[1:]
				}
				if len(args) < 2 {
					t.Fatalf("COPY %s", c)
				}
				for _, src := range args[:len(args)-1] {
					if from != "" {
						made := strings.Join(build.find("RUN"), "\n")
						if from != build.as || !strings.Contains(made, src) {
							t.Errorf("COPY %s: nothing in stage %q makes %s", c, build.as, src)
						}
						continue
					}
					if _, err := os.Stat(filepath.Join(root, src)); err != nil {
						t.Errorf("COPY %s: %v", c, err)
					}
					if slices.Contains(strings.Fields(string(ignored)), filepath.Base(src)) {
						t.Errorf("COPY %s: .dockerignore leaves %s out", c, src)
					}
				}
			}
		}
	})

	t.Run("no secret and no data goes in", func(t *testing.T) {
		ignored, err := os.ReadFile(filepath.Join(root, ".dockerignore"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{".git", "hermes-data", "bin"} {
			if !slices.Contains(strings.Fields(string(ignored)), want) {
				t.Errorf(".dockerignore does not name %s", want)
			}
		}
	})
}
