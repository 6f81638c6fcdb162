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

// readLimits are what that process may have: memory that it writes to, addresses in all,
// seconds of work, bytes of a file. The last two end one whose daemon was killed.
var readLimits = []struct {
	what  int
	limit uint64
}{
	{unix.RLIMIT_DATA, 1 << 30}, {unix.RLIMIT_AS, 4 << 30}, {unix.RLIMIT_CPU, 60}, {unix.RLIMIT_FSIZE, 256 << 20},
}

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
			for _, l := range readLimits {
				if err := unix.Setrlimit(l.what, &unix.Rlimit{Cur: l.limit, Max: l.limit}); err != nil {
					return fmt.Errorf("bound what it may have: %w", err)
				}
			}
			return file.Serve(s.in, s.out)
		},
	}
}
