// SPDX-License-Identifier: Apache-2.0

package cli

import "github.com/spf13/cobra"

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Say how a command is used",
		Long:    "Say how a command is used, as its flag --help does.",
		Example: "  krow help analyze",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return exactly("COMMAND")(cmd, args)
			}
			return nil
		},
		ValidArgsFunction: complete(func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var all []cobra.Completion
			for _, c := range cmd.Root().Commands() {
				if !c.Hidden {
					all = append(all, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return all, cobra.ShellCompDirectiveNoFileComp
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				cmd.Root().InitDefaultHelpFlag()
				cmd.Root().InitDefaultVersionFlag()
				return cmd.Root().Help()
			}
			for _, c := range cmd.Root().Commands() {
				if c.Name() == args[0] {
					c.InitDefaultHelpFlag()
					return c.Help()
				}
			}
			return unknownCommand(cmd.Root(), args[0])
		},
	}
}
