package main

import (
	"github.com/spf13/cobra"

	"hermes/bot/terminal"
)

func (s *shell) chat() *cobra.Command {
	return &cobra.Command{
		Use:   "chat",
		Short: "Talk to the running daemon in this terminal",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := s.config()
			if err != nil {
				return err
			}
			return terminal.NewClient(doorClient(cfg.Data), s.in, s.out).Run(cmd.Context())
		},
	}
}
