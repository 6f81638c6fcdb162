package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// strict has every command that only holds others refuse what is none of them. Left
// to itself it would print its help and call that a success.
func strict(c *cobra.Command) {
	for _, sub := range c.Commands() {
		strict(sub)
	}
	if !c.HasSubCommands() || c.Runnable() {
		return
	}
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return cmd.Help()
	}
}

// unknownCommand names the nearest command, or all of them.
func unknownCommand(parent *cobra.Command, name string) error {
	hint := "did you mean "
	parent.SuggestionsMinimumDistance = 2 // letters that differ
	near := parent.SuggestionsFor(name)
	if len(near) == 0 {
		hint = "there are "
		for _, c := range parent.Commands() {
			if c.IsAvailableCommand() {
				near = append(near, c.Name())
			}
		}
	}
	for i, n := range near {
		near[i] = "`" + parent.CommandPath() + " " + n + "`"
	}
	return fmt.Errorf("there is no command `%s %s`\n  hint: %s%s", parent.CommandPath(), name, hint, strings.Join(near, ", "))
}

// helpCommand shows the help of a command, and refuses what is none.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Show the help of a command",
		RunE: func(_ *cobra.Command, args []string) error {
			c := root
		next:
			for _, name := range args {
				for _, sub := range c.Commands() {
					if sub.Name() == name || sub.HasAlias(name) {
						c = sub
						continue next
					}
				}
				return unknownCommand(c, name)
			}
			return c.Help()
		},
	}
}
