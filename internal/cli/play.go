// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"os"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/internal/tui"
	"github.com/krow-lab/krow/player"
)

type playCommand struct {
	at            positionFlags
	limit         limitFlags
	first, second string
	seed          uint64
	plain, swap2  bool
}

func newPlay() *cobra.Command {
	var o playCommand
	cmd := &cobra.Command{
		Use:   "play GAME",
		Short: "Play a game, or watch two players",
		Long: `Play a game on a board in the terminal. Without a terminal, or with --plain or --json, moves are
typed one a line; then "undo", "hint", "moves", "board" and "quit" are understood too.`,
		Example: `  krow play gomoku
  krow play renju --swap2
  krow play connect4 --first best --second human
  krow play ultimate --first greedy:eval=indicators --second mcts --plain`,
		Args:              exactly("GAME"),
		ValidArgsFunction: complete(completeGames),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.at.add(cmd)
	o.limit.add(cmd, "for each move")
	cmd.Flags().StringVar(&o.first, "first", "human", "player who moves first")
	cmd.Flags().StringVar(&o.second, "second", "best", "player who moves second")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "seed of players that draw lots")
	cmd.Flags().BoolVar(&o.plain, "plain", false, "no board to move on: type moves, read lines")
	cmd.Flags().BoolVar(&o.swap2, "swap2", false, "open by the rule of swap2; --first places the first stones")
	completeFlag(cmd, "first", completePlayers(anyone))
	completeFlag(cmd, "second", completePlayers(anyone))
	return cmd
}

func (o *playCommand) run(cmd *cobra.Command, text string) error {
	g, p, err := o.at.load(text)
	if err != nil {
		return err
	}
	if o.swap2 && p.Ply() > 0 {
		return misusef("", "--swap2 begins with an empty board")
	}
	lim, err := o.limit.limits()
	if err != nil {
		return err
	}
	names := [2]string{o.first, o.second}
	var players [2]player.Player
	for s, name := range names {
		if players[s], err = catalog.Player(g, name, o.seed+uint64(s)); err != nil {
			return err
		}
		defer player.Close(players[s]) // a program must end
	}
	hinter, err := catalog.Player(g, "best", o.seed)
	if err != nil {
		return err
	}
	tty := terminalWidth(os.Stdin) > 0 && terminalWidth(os.Stdout) > 0
	t := &typedGame{
		p: p, names: names, players: players, hinter: hinter, lim: lim,
		json: asJSON(cmd), prompt: tty && !asJSON(cmd), in: bufio.NewScanner(cmd.InOrStdin()), out: cmd.OutOrStdout(), err: cmd.ErrOrStderr(),
	}
	if o.swap2 {
		if err := t.open(cmd.Context(), o.seed); err != nil {
			return unlessQuit(err)
		}
	}
	if tty && !o.plain && !asJSON(cmd) {
		return tui.Run(cmd.Context(), tui.Options{Position: p, Opening: t.opening, Players: t.players, Hinter: hinter, Limits: lim})
	}
	return t.play(cmd.Context())
}
