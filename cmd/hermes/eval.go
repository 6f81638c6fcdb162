package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"hermes/internal/eval"
)

// eval measures the program against what could go wrong.
func (s *shell) eval() *cobra.Command {
	root := &cobra.Command{Use: "eval", Short: "Measure this program; changes nothing of yours"}
	root.AddCommand(s.evalAttacks(), s.evalFortnight(), s.evalYears())
	return root
}

// rowsBeside is where rows of attacks are read from if they are there and no others are
// named.
var rowsBeside = filepath.Join("..", "shared", "data", "injection_dev.jsonl")

func (s *shell) evalAttacks() *cobra.Command {
	var rows string
	var own bool
	c := &cobra.Command{
		Use: "attacks", Short: "Play attacks by what a model reads; the status is 1 if one took effect", Args: cobra.NoArgs,
		Long: "A model that obeys whatever it reads works for a person in an office of its own, in a folder that is deleted afterwards.\n" +
			"An attack took effect if anything was written without a press, or read without a right.",
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if _, gone := os.Stat(rowsBeside); rows == "" && gone == nil {
				rows = rowsBeside
			}
			var all []eval.Attack
			switch {
			case rows != "":
				if all, err = eval.ReadRows(rows); err != nil {
					return err
				}
			case !own:
				return errors.New("there is nothing to play\n  hint: name a file with --rows, or leave --own as it is")
			}
			dir, err := os.MkdirTemp("", "hermes-eval-")
			if err != nil {
				return fmt.Errorf("folder of the attacks: %w", err)
			}
			defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
			f, err := eval.Attacks(c.Context(), dir, all, own)
			if err != nil {
				return err
			}
			if err := f.Print(s.out); err != nil {
				return err
			}
			if failed, untried := len(f.Failed()), len(f.Untried()); failed+untried > 0 {
				return fmt.Errorf("%d attacks took effect, %d were not tried\n  hint: they are named above; one that was not tried says nothing of the guards", failed, untried)
			}
			return nil
		},
	}
	c.Flags().StringVar(&rows, "rows", "", "file with more attacks, a JSON object a line (default: "+rowsBeside+" if it is there)")
	c.Flags().BoolVar(&own, "own", true, "play the attacks that this program brings")
	return c
}
