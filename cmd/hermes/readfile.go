package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"hermes/agent/file"
)

// readFile is the command by which this program reads a workbook or a PDF in a process
// of its own.
const readFile = "read-file"

// running is this program though its file has been replaced since, where there is such
// a name.
const running = "/proc/self/exe"

// readRoom is how much memory that process may ask for.
const readRoom = 4 << 30

// fileGuard has such files read by this program again.
func fileGuard() (*file.Guard, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	if strings.HasSuffix(self, ".test") {
		return nil, nil // a test binary has no commands; it reads by itself
	}
	if _, err := os.Stat(running); err == nil {
		self = running
	}
	return file.NewGuard(self, readFile), nil
}

func (s *shell) readFile() *cobra.Command {
	return &cobra.Command{
		Use: readFile, Short: "Read one file from the input, for the daemon", Hidden: true, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: readRoom, Max: readRoom}); err != nil {
				return fmt.Errorf("bound the memory: %w", err)
			}
			return file.Serve(s.in, s.out)
		},
	}
}
