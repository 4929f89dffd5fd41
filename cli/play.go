// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/cli/tui"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
)

type playCommand struct {
	at            positionFlags
	limit         limitFlags
	first, second string
	level         int
	seed          uint64
	plain         bool
	opening       string
	resume        string
	out           outFlag
	db            databaseFlag
}

func newPlay() *cobra.Command {
	var o playCommand
	cmd := &cobra.Command{
		Use:   "play [GAME]",
		Short: "Play a game, or watch two players",
		Long: `Play a game on a board in the terminal. You choose your opponent in a menu, unless --first, --second or
--level names one. Without a terminal, or with --plain or --json, you type one move on each line, or one of the commands
"undo", "hint", "moves", "board", "save" and "quit". Before you leave, krow asks whether to save the game. --resume
continues a saved game; krow review finds the mistakes in a saved game.`,
		Example: `  krow play gomoku
  krow play renju --level 2 --opening swap2
  krow play renju --opening taraguchi10
  krow play connect4 --first best --second human
  krow play mnk:7,7,4 --second system:A
  krow play ultimate --first greedy:eval=indicators --second mcts --plain
  krow play --resume gomoku-1.sgf`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.playGame(cmd, args) },
	}
	o.at.add(cmd)
	o.limit.add(cmd, "for each move")
	cmd.Flags().StringVar(&o.first, "first", "human", "`PLAYER` who moves first")
	cmd.Flags().StringVar(&o.second, "second", "level", "`PLAYER` who moves second")
	cmd.Flags().IntVar(&o.level, "level", 0, "strength of your opponent, from 1 (default the middle level)")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "seed of random players")
	cmd.Flags().BoolVar(&o.plain, "plain", false, "type moves and read text instead of using the board, for example with a screen reader")
	addOpening(cmd, &o.opening, "the player of --first begins")
	cmd.Flags().StringVar(&o.resume, "resume", "", "`FILE` of a saved game; krow continues this game and saves it in FILE again")
	o.out.add(cmd, "out", "`FILE` in which the game is saved at its end or when you leave")
	for _, other := range []string{"moves", "stones", "opening", "out"} {
		cmd.MarkFlagsMutuallyExclusive("resume", other)
	}
	o.db.add(cmd)
	completeFlag(cmd, "first", completePlayers(anyone))
	completeFlag(cmd, "second", completePlayers(anyone))
	return cmd
}

// begin returns the position in which the game begins or is resumed, and the specs of the two players.
func (o *playCommand) begin(cmd *cobra.Command, args []string) (p game.Position, names [2]string, err error) {
	switch {
	case (o.resume == "") != (len(args) == 1):
		return nil, names, misusef("for example krow play gomoku", "play needs either GAME or --resume")
	case o.resume == "":
		if _, p, err = o.at.load(args[0]); err == nil {
			names, err = o.players(cmd, p.Game())
		}
		return p, names, cmp.Or(err, o.out.checkFile())
	}
	kept, err := (&gamesFlags{}).readOne(cmd.Context(), o.resume)
	if err != nil {
		return nil, names, err
	}
	names, err = o.players(cmd, kept.Rules)
	if f := cmd.Flags(); !f.Changed("first") && !f.Changed("second") && !f.Changed("level") && kept.Names[0] != "" {
		names = kept.Names
	}
	o.out.name = o.resume
	return kept.Position, names, err
}

func (o *playCommand) playGame(cmd *cobra.Command, args []string) error {
	p, names, err := o.begin(cmd, args)
	if err != nil {
		return err
	}
	g, lim := p.Game(), o.limit.Limits
	tty := terminalWidth(os.Stdin) > 0 && terminalWidth(os.Stdout) > 0
	board := tty && !o.plain && os.Getenv("TERM") != "dumb" && !asJSON(cmd)
	if f := cmd.Flags(); board && o.resume == "" && !f.Changed("first") && !f.Changed("second") && !f.Changed("level") {
		menu, at := krow.Menu(g)
		i, err := tui.Choose(cmd.Context(), g.String()+": who is your opponent?", menu, at)
		if err != nil || i < 0 {
			return err
		}
		names[1] = menu[i].Player
	}
	var players [2]player.Player
	for s, name := range names {
		if players[s], err = o.db.player(cmd, g, name, o.seed+uint64(s)); err != nil {
			return err
		}
		defer player.Close(players[s]) // ends the process of a player, if it has one
	}
	hinter, err := krow.Player(g, "best", o.seed)
	if err != nil {
		return err
	}
	t := &typedGame{
		p: p, names: names, seed: o.seed, keep: gamefile.Keeper{File: o.out.name}, players: players, hinter: hinter, lim: lim,
		json: asJSON(cmd), prompt: tty && !asJSON(cmd), in: bufio.NewScanner(cmd.InOrStdin()), out: cmd.OutOrStdout(), err: cmd.ErrOrStderr(),
	}
	if o.opening != "" {
		if err := t.playOpening(cmd.Context(), o.opening, o.seed); err != nil {
			return unlessQuit(err)
		}
	}
	t.keep.Names = t.names
	if board {
		save := func() (string, error) { return t.keep.Save(p) }
		if o.out.name != "" {
			save = nil // --out writes the game at its end anyway
		}
		err = tui.Run(cmd.Context(), tui.Options{
			Position: p, Opening: t.opening, Players: t.players, Names: [2]string{krow.ShownName(g, t.names[0]), krow.ShownName(g, t.names[1])},
			Hinter: hinter, Limits: lim, Save: save, Status: t.said,
		})
	} else {
		err = t.playToEnd(cmd.Context())
	}
	if o.out.name != "" {
		_, failed := t.keep.Save(p)
		err = together(err, failed)
	}
	if t.keep.File != "" && !asJSON(cmd) {
		fmt.Fprintf(cmd.ErrOrStderr(), "the game is in %s: krow play --resume %[1]s, krow review %[1]s\n", t.keep.File)
	}
	return err
}

// players returns the specs of the players. --level selects the opponent, who is the second player, or the first player with
// --second human.
func (o *playCommand) players(cmd *cobra.Command, g game.Game) (names [2]string, err error) {
	names = [2]string{krow.OpponentNamed(g, o.first), krow.OpponentNamed(g, o.second)}
	flags := cmd.Flags()
	if !flags.Changed("level") {
		return names, nil
	}
	if all := len(krow.Levels(g)); all > 0 && (o.level < 1 || o.level > all) {
		return names, misusef("", "--level: %s has levels from 1 to %d, not %d", g, all, o.level)
	}
	level := fmt.Sprintf("level:%d", o.level)
	switch {
	case flags.Changed("second") && o.second != "human", flags.Changed("first") && o.first != "human":
		return names, misusef("--first level:3, for example", "--level is the strength of your opponent, and you do not play")
	case flags.Changed("second"):
		names[0] = level
	default:
		names[1] = level
	}
	return names, nil
}
