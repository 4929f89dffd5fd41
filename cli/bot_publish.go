// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/league"
)

func newBot() *cobra.Command {
	return newGroup(&cobra.Command{
		Use:     "bot",
		Short:   "Write programs that play",
		Long:    "Write programs that play, in Starlark or WebAssembly. See docs/reference/bots.md.",
		Example: "  krow bot new mine\n  krow bot play mine.star --against rules\n  krow bot publish mine.star",
	}, newBotNew(), newBotTest(), newBotPlay(), newBotPublish(), newBotConnect())
}

const noBots = "no bot has been kept yet"

func newBotPublish() *cobra.Command {
	var db databaseFlag
	var name string
	cmd := &cobra.Command{
		Use:   "publish FILE",
		Short: "Publish a bot as a player of this database",
		Long: `Store a bot in the database as a new version and publish it. Then bot:NAME is a player in every command, on the
page and in leagues. Without --name the bot has the name of the file without its extension. A bot that cannot play is
refused. The new version replaces the previous one in every league.`,
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
			mine := bots.Of(s, bots.Everybody, nil)
			version, err := mine.Save(p.Name, p.Text)
			if err != nil {
				return err
			}
			b, err := mine.Publish(p.Name, version)
			if err != nil {
				return err
			}
			open := func(g game.Game, spec string, seed uint64) (player.Player, error) {
				return db.player(cmd, g, spec, seed)
			}
			err = league.FollowBot(s, b, open, func(name string, err error) {
				fmt.Fprintf(cmd.ErrOrStderr(), "version %d does not play in the league %s: %v\n", b.Published, name, err)
			})
			if err != nil {
				return err
			}
			return printAnswer(cmd, b, "published bot:%s, version %d\n", b.Name, b.Published)
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "`NAME` of the bot: letters, digits, - and _")
	db.add(cmd)
	return cmd
}
