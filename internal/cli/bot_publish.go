// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/bots"
	"github.com/krow-lab/krow/bot"
	"github.com/krow-lab/krow/internal/store"
)

func newBot() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "bot",
		Short:   "Write programs that play",
		Long:    "Write programs that play, in Starlark or WebAssembly. See docs/reference/bots.md.",
		Example: "  krow bot new mine\n  krow bot play mine.star --against rules\n  krow bot publish mine.star",
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBotNew(), newBotCheck(), newBotTest(), newBotPlay(), newBotPublish(), newBotList(), newBotToken(), newBotConnect())
	return cmd
}

const noBots = "no bot has been kept yet"

func newBotPublish() *cobra.Command {
	var db databaseFlag
	var name string
	cmd := &cobra.Command{
		Use:   "publish FILE",
		Short: "Keep a bot in the database and publish it",
		Long: `Keep a bot in the database as a new version and publish it: bot:NAME is then a player in every command, in the page
and in the league. The name is that of the file without what follows a dot, unless --name says another. A bot that
cannot play is not kept.`,
		Example: "  krow bot publish fork.star\n  krow match gomoku bot:fork rules --games 20",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			p, err := bot.Read(args[0])
			if err != nil {
				return err
			}
			p.Name = cmp.Or(name, p.Name)
			if err := bots.CheckProgram(p); err != nil {
				return err
			}
			s, err := db.open()
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.Close()) }()
			mine := bots.Of(s, bots.Everybody)
			version, err := mine.Save(p.Name, p.Text)
			if err != nil {
				return err
			}
			b, err := mine.Publish(p.Name, version)
			if err != nil {
				return err
			}
			if asJSON(cmd) {
				return printJSON(cmd.OutOrStdout(), b)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "published bot:%s, version %d\n", b.Name, b.Published)
			return err
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "name of the bot: letters, digits, - and _")
	db.add(cmd)
	completeFlag(cmd, "name", nothing)
	return cmd
}

func newBotList() *cobra.Command {
	var db databaseFlag
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the bots of the database",
		Long:    "List the bots that the database keeps, those that changed last first, with their published and their newest version.",
		Example: "  krow bot list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return db.lookFor(noBots, func(s *store.Store) error {
				all, err := bots.Of(s, bots.Everybody).List()
				if err != nil {
					return err
				}
				return printRows(cmd.OutOrStdout(), asJSON(cmd), "name\tkind\tpublished\tnewest\tchanged", all, func(b bots.Bot) string {
					published := "-"
					if b.Published > 0 {
						published = fmt.Sprint(b.Published)
					}
					return fmt.Sprintf("%s\t%s\t%s\t%d\t%s", b.Name, b.Kind, published, b.Latest, b.Updated.Format(time.DateOnly))
				})
			})
		},
	}
	db.add(cmd)
	return cmd
}
