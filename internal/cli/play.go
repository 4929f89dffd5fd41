// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/tui"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

type playing struct {
	at            positionFlags
	limit         limitFlags
	first, second string
	seed          uint64
	plain         bool
}

func newPlay() *cobra.Command {
	var o playing
	cmd := &cobra.Command{
		Use:   "play GAME",
		Short: "Play a game, or watch two players",
		Long: `Play a game on a board in the terminal. Without a terminal, or with --plain, moves are typed one a
line; then "undo", "hint", "moves", "board" and "quit" are understood too.`,
		Example: `  krow play gomoku
  krow play connect4 --first best --second human
  krow play ultimate --first greedy:eval=indicators --second mcts --plain`,
		Args: exactly("GAME"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.at.add(cmd)
	o.limit.add(cmd, "for each move")
	cmd.Flags().StringVar(&o.first, "first", "human", "player who moves first")
	cmd.Flags().StringVar(&o.second, "second", "best", "player who moves second")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "seed of players that draw lots")
	cmd.Flags().BoolVar(&o.plain, "plain", false, "no board to move on: type moves, read lines")
	return cmd
}

func (o *playing) run(cmd *cobra.Command, text string) error {
	g, p, err := o.at.load(text)
	if err != nil {
		return err
	}
	lim, err := o.limit.limits()
	if err != nil {
		return err
	}
	var players [2]player.Player
	for s, spec := range []string{o.first, o.second} {
		if players[s], err = catalog.Player(g, spec, o.seed+uint64(s)); err != nil {
			return err
		}
	}
	hinter, err := catalog.Player(g, "best", o.seed)
	if err != nil {
		return err
	}
	if !o.plain && !asJSON(cmd) && isTerminal(os.Stdin) && isTerminal(os.Stdout) {
		return tui.Run(cmd.Context(), tui.Options{Position: p, Players: players, Hinter: hinter, Limits: lim})
	}
	t := &table{
		p: p, players: players, hinter: hinter, lim: lim, json: asJSON(cmd),
		in: bufio.NewScanner(cmd.InOrStdin()), out: cmd.OutOrStdout(), err: cmd.ErrOrStderr(),
	}
	return t.play(cmd.Context())
}

func isTerminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) }

// errLeft is told when the moves of a person end before the game does.
var errLeft = errors.New("the game was left unfinished")

// table is a game typed line by line.
type table struct {
	p        game.Position
	players  [2]player.Player
	hinter   player.Player
	lim      search.Limits
	json     bool
	in       *bufio.Scanner
	out, err io.Writer
}

type plyJSON struct {
	Ply     int    `json:"ply"`
	Side    string `json:"side"`
	Player  string `json:"player"`
	Move    string `json:"move"`
	Outcome string `json:"outcome"`
}

func (t *table) play(ctx context.Context) error {
	t.show()
	for t.p.Outcome() == game.Ongoing {
		side := t.p.Turn()
		pl := t.players[side]
		m, err := t.move(ctx, pl)
		if err != nil {
			return fmt.Errorf("%s (%s): %w", side, pl.Name(), err)
		}
		if m == game.NoMove {
			continue // a person asked for something other than a move
		}
		name := t.p.Game().Format(m)
		if err := game.Play(t.p, m); err != nil {
			if !isHuman(pl) {
				return fmt.Errorf("%s (%s): %w", side, pl.Name(), err)
			}
			fmt.Fprintf(t.err, "%v\n", err)
			continue
		}
		if t.json {
			if err := printJSON(t.out, plyJSON{t.p.Ply(), side.String(), pl.Name(), name, t.p.Outcome().String()}); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(t.out, "%d. %s (%s) plays %s\n", t.p.Ply(), side, pl.Name(), name)
		t.show()
	}
	if !t.json {
		fmt.Fprintln(t.out, t.p.Outcome())
	}
	return nil
}

// show draws the board where a person can see it.
func (t *table) show() {
	if !t.json {
		fmt.Fprint(t.out, notation.FormatPosition(t.p))
	}
}

func isHuman(p player.Player) bool { _, ok := p.(player.Human); return ok }

// move asks whoever is to move; NoMove means that no move was made.
func (t *table) move(ctx context.Context, pl player.Player) (game.Move, error) {
	if err := ctx.Err(); err != nil {
		return game.NoMove, errLeft
	}
	if !isHuman(pl) {
		return pl.Move(ctx, t.p, t.lim)
	}
	if !t.json {
		fmt.Fprintf(t.out, "%s to move: ", t.p.Turn())
	}
	if !t.in.Scan() {
		return game.NoMove, errLeft
	}
	switch word := strings.TrimSpace(t.in.Text()); word {
	case "":
	case "quit":
		return game.NoMove, errLeft
	case "board":
		t.show()
	case "undo":
		t.undo()
	case "moves":
		fmt.Fprintln(t.out, strings.Join(formatMoves(t.p.Game(), t.p.AppendMoves(nil)), " "))
	case "hint":
		m, err := t.hinter.Move(ctx, t.p, t.lim)
		if err != nil {
			return game.NoMove, err
		}
		fmt.Fprintf(t.out, "hint: %s\n", t.p.Game().Format(m))
	default:
		m, err := t.p.Game().Parse(word)
		if err != nil {
			fmt.Fprintf(t.err, "%v; also understood: undo, hint, moves, board, quit\n", err)
			return game.NoMove, nil
		}
		return m, nil
	}
	return game.NoMove, nil
}

// undo takes moves back until a person is to move again.
func (t *table) undo() {
	for n := len(t.p.AppendHistory(nil)); n > 0; n-- {
		t.p.Undo()
		if isHuman(t.players[t.p.Turn()]) {
			break
		}
	}
	t.show()
}
