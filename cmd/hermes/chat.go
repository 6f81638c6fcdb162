package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"hermes/bot/terminal"
)

// answerTime is how long a piped line waits for its answer: longer than any of the
// built-in profiles lets a task go on.
const answerTime = 15 * time.Minute

func (s *shell) chat() *cobra.Command {
	opts := terminal.Options{}
	cmd := &cobra.Command{
		Use:   "chat",
		Short: "Talk to the running daemon in this terminal, or pipe lines to it and wait for their answers",
		Long: `Talk to the running daemon in this terminal.

Lines that are piped to it are said one after the other, each once the one before has
its answer or its question; a line that is a number presses that button. The status is
0 if all of them were answered.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := s.config()
			if err != nil {
				return err
			}
			opts.Answers = !s.person
			opts.Bold = isTerminal(s.out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
			return terminal.NewClient(doorClient(cfg.Data), s.in, s.out, opts).Run(cmd.Context())
		},
	}
	cmd.Flags().StringArrayVar(&opts.Files, "file", nil, "a file that goes with the first line; may be given again")
	cmd.Flags().DurationVar(&opts.Wait, "wait", answerTime, "how long a piped line waits for its answer; 0 is for ever")
	return cmd
}

// isTerminal reports whether a person is at the other end of a stream.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	return err == nil
}
