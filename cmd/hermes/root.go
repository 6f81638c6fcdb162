package main

import (
	"io"
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"hermes/config"
	"hermes/internal/redact"
)

// defaultFile is read if it is there and no other is named.
const defaultFile = "hermes.yaml"

// A shell is what every command has: where it reads and writes, and the file.
type shell struct {
	in       io.Reader
	person   bool // somebody types what in gives
	out, err io.Writer
	file     string
	data     string
	redact   *redact.Redactor // of the configuration, once that is read
}

// command returns the whole command line.
func command(in io.Reader, out, errs io.Writer) *cobra.Command {
	s := &shell{in: in, out: out, err: errs, person: isTerminal(in)}
	root := &cobra.Command{
		Use:           "hermes",
		Short:         "A chat bot that gets work done, remembers, and keeps appointments",
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	root.PersistentFlags().StringVar(&s.file, "config", "", "configuration file (default: "+defaultFile+" if it is there)")
	root.PersistentFlags().StringVar(&s.data, "data", "", "data folder (default: hermes-data, or the file's)")
	root.AddCommand(s.serve(), s.url(), s.chat(), s.try(), s.router(), s.schedule(), s.report(), s.grants(), s.audit(), s.budget(), s.spot(), s.interventions(), s.trace(), s.diagnose(), s.eval(), s.tools(), s.source(), s.initCommand(), s.check(), s.health(), s.readFile())
	root.SetHelpCommand(helpCommand(root))
	strict(root)
	s.veil(root)
	return root
}

// config reads the configuration of this call.
func (s *shell) config() (config.Config, error) {
	cfg, err := config.Load(s.configFile(), os.Environ()...)
	if err == nil && s.data != "" {
		cfg.Data = s.data
	}
	if err == nil {
		s.redact = redactor(cfg)
	}
	return cfg, err
}

// configFile is the file that is read; empty if there is none.
func (s *shell) configFile() string {
	if s.file == "" {
		if _, err := os.Stat(defaultFile); err == nil {
			return defaultFile
		}
	}
	return s.file
}

// logger returns the program's own log.
func (s *shell) logger(level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelInfo
	}
	return slog.New(s.redact.Handler(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: l})))
}

// version is what the build says of itself.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, kv := range info.Settings {
		if kv.Key == "vcs.revision" && len(kv.Value) >= 12 {
			return kv.Value[:12]
		}
	}
	return info.Main.Version
}
