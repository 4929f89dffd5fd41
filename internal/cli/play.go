// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/tui"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/opening"
	"github.com/krow-lab/krow/player"
)

type playCommand struct {
	at            positionFlags
	limit         limitFlags
	first, second string
	level         int
	seed          uint64
	plain, swap2  bool
	opening       string
}

func newPlay() *cobra.Command {
	var o playCommand
	cmd := &cobra.Command{
		Use:   "play GAME",
		Short: "Play a game, or watch two players",
		Long: `Play a game on a board in the terminal. Without a terminal, or with --plain or --json, moves are
typed one a line; then "undo", "hint", "moves", "board" and "quit" are understood too.`,
		Example: `  krow play gomoku
  krow play renju --level 2 --swap2
  krow play renju --opening taraguchi10
  krow play connect4 --first best --second human
  krow play mnk:7,7,4 --second system:A
  krow play ultimate --first greedy:eval=indicators --second mcts --plain`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.at.add(cmd)
	o.limit.add(cmd, "for each move")
	cmd.Flags().StringVar(&o.first, "first", "human", "player who moves first")
	cmd.Flags().StringVar(&o.second, "second", "level", "player who moves second")
	cmd.Flags().IntVar(&o.level, "level", 0, "how strong the player is whom you meet, from 1; the middle level if it is not set")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "seed of players that draw lots")
	cmd.Flags().BoolVar(&o.plain, "plain", false, "no board to move on: type moves, read lines")
	cmd.Flags().BoolVar(&o.swap2, "swap2", false, "open by the rule of swap2; --first places the first stones")
	cmd.Flags().StringVar(&o.opening, "opening", "", "open by a rule: swap2, taraguchi10 or soosyrv8; --first begins")
	completeFlag(cmd, "opening", fixed("swap2", opening.Taraguchi10, opening.Soosyrv8))
	completeFlag(cmd, "first", completePlayers(anyone))
	completeFlag(cmd, "second", completePlayers(anyone))
	return cmd
}

func (o *playCommand) run(cmd *cobra.Command, text string) error {
	g, p, err := o.at.load(text)
	if err != nil {
		return err
	}
	switch {
	case o.opening == "swap2":
		o.swap2 = true
	case o.opening != "" && o.swap2:
		return misusef("", "either --swap2 or --opening, not both")
	}
	if o.swap2 && p.Ply() > 0 {
		return misusef("", "--swap2 begins with an empty board")
	}
	lim, err := o.limit.limits()
	if err != nil {
		return err
	}
	names, err := o.players(cmd, g)
	if err != nil {
		return err
	}
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
	switch {
	case o.swap2:
		err = t.open(cmd.Context(), o.seed)
	case o.opening != "":
		err = t.openBy(cmd.Context(), o.opening, o.seed)
	}
	if err != nil {
		return unlessQuit(err)
	}
	if tty && !o.plain && !asJSON(cmd) {
		return tui.Run(cmd.Context(), tui.Options{Position: p, Opening: t.opening, Players: t.players, Hinter: hinter, Limits: lim})
	}
	return t.play(cmd.Context())
}

// players returns the specs of the players: a level in place of what is not named, on the side that is not human.
func (o *playCommand) players(cmd *cobra.Command, g game.Game) (names [2]string, err error) {
	names = [2]string{o.first, o.second}
	flags := cmd.Flags()
	if !flags.Changed("level") {
		return names, nil
	}
	if all := len(catalog.Levels(g)); o.level < 1 || o.level > all {
		return names, misusef("", "--level: %s has levels from 1 to %d, not %d", g, all, o.level)
	}
	level := fmt.Sprintf("level:%d", o.level)
	switch {
	case flags.Changed("first") && flags.Changed("second"):
		return names, misusef("--first level:3, for example", "--level is for the player whom neither --first nor --second names")
	case flags.Changed("second"):
		names[0] = level
	default:
		names[1] = level
	}
	return names, nil
}

type swap2JSON struct {
	Swap2  string `json:"swap2"`           // who answers
	Stones int    `json:"stones"`          // on the board before
	Swap   bool   `json:"swap"`            // to play the first side
	Moves  string `json:"moves,omitempty"` // otherwise
}

// open lets the players open the game by swap2 and gives them their seats. The first player proposes.
func (t *typedGame) open(ctx context.Context, seed uint64) error {
	b, ok := t.p.(game.Board)
	if !ok {
		return misusef("", "%s has no board of stones", t.p.Game())
	}
	players, err := t.openers(seed)
	if err != nil {
		return err
	}
	if !t.json {
		t.show()
	}
	first, placed, err := opening.Swap2(b, func(who int) (a opening.Answer, err error) {
		stones := b.Ply()
		if players[who] == nil {
			a, err = t.askSwap2(ctx, b)
		} else {
			a, err = players[who].Swap2(ctx, b, t.lim)
		}
		if err == nil {
			t.tellSwap2(who, stones, a)
		}
		return a, err
	})
	if err != nil {
		return err
	}
	t.opening = placed
	if first == 1 {
		t.players[0], t.players[1] = t.players[1], t.players[0]
		t.names[0], t.names[1] = t.names[1], t.names[0]
	}
	if !t.json {
		fmt.Fprintf(t.out, "first is %s, second %s\n", t.names[0], t.names[1])
	}
	return nil
}

// openers returns how the players answer swap2; nil stands for a person.
func (t *typedGame) openers(seed uint64) (all [2]opening.Player, err error) {
	for who, p := range t.players {
		if player.IsHuman(p) {
			continue
		}
		if all[who], err = opening.For(p, seed); err != nil {
			return all, misusef("players that search do, such as best", "%w", err)
		}
	}
	return all, nil
}

var questions = map[int]string{
	0: "place three stones, of the first side and the second in turn",
	3: "swap to play the first side, or a move to play the second, or two moves to leave the choice",
	5: "swap to play the first side, or a move to play the second",
}

func (t *typedGame) askSwap2(ctx context.Context, b game.Board) (opening.Answer, error) {
	if !t.json && b.Ply() > 0 { // the empty one was shown
		fmt.Fprint(t.out, notation.FormatPosition(b))
	}
	for {
		if t.prompt {
			fmt.Fprintf(t.out, "%s: ", questions[b.Ply()])
		}
		text, err := t.line(ctx)
		switch {
		case err != nil:
			return opening.Answer{}, err
		case text == "quit":
			return opening.Answer{}, errQuit
		}
		a, err := parseSwap2(b, text)
		if err == nil {
			return a, nil
		}
		report(t.err, misusef(questions[b.Ply()], "%w", err))
	}
}

// parseSwap2 reads an answer to b, which it leaves as it is.
func parseSwap2(b game.Board, text string) (opening.Answer, error) {
	if strings.EqualFold(text, "swap") {
		return opening.Answer{Swap: true}, opening.Answer{Swap: true}.Check(b)
	}
	moves, err := notation.ParseMoves(b.Game(), text)
	if err != nil {
		return opening.Answer{}, err
	}
	a := opening.Answer{Moves: moves}
	return a, a.Check(b)
}

func (t *typedGame) tellSwap2(who, stones int, a opening.Answer) {
	moves := notation.FormatMoves(t.p.Game(), a.Moves)
	switch {
	case t.json:
		printJSON(t.out, swap2JSON{t.names[who], stones, a.Swap, moves})
	case a.Swap:
		fmt.Fprintf(t.out, "%s swaps, to play the first side\n", t.names[who])
	case len(a.Moves) == 1:
		fmt.Fprintf(t.out, "%s plays the second side: %s\n", t.names[who], moves)
	default:
		fmt.Fprintf(t.out, "%s places %s\n", t.names[who], moves)
	}
}

type answeredJSON struct {
	Opening string `json:"opening"` // the rule
	Stones  int    `json:"stones"`  // on the board before
	Player  string `json:"player"`  // who answers
	Answer  string `json:"answer"`  // swap, moves, or a move and a number of fifth stones
}

// openBy lets the players open the game by a rule with choices and gives them their seats. The first player begins.
func (t *typedGame) openBy(ctx context.Context, rule string, seed uint64) error {
	b, ok := t.p.(game.Board)
	if !ok {
		return misusef("", "%s has no board of stones", t.p.Game())
	}
	s, err := opening.NewSession(rule, b)
	if err != nil {
		return misusef("for example krow play renju --opening soosyrv8", "--opening: %w", err)
	}
	searches := [2]opening.Swapper{}
	for who, p := range t.players {
		if player.IsHuman(p) {
			continue
		}
		a, ok := p.(player.Analyst)
		if !ok {
			return misusef("players that search do, such as best", "%s does not know %s", p.Name(), rule)
		}
		searches[who] = opening.Swapper{Analyze: opening.By(a), Seed: seed}
	}
	for q, ok := s.Question(); ok; q, ok = s.Question() {
		var a opening.Answer
		if searches[q.Who].Analyze != nil {
			if a, err = searches[q.Who].Open(ctx, s, t.lim); err == nil {
				err = s.Answer(a)
			}
		} else {
			a, err = t.askOpening(ctx, s, q)
		}
		if err != nil {
			return err
		}
		answer := answeredJSON{rule, q.Stones, t.names[q.Who], a.Format(b.Game())}
		if t.json {
			printJSON(t.out, answer)
		} else {
			fmt.Fprintf(t.out, "%s: %s\n", answer.Player, answer.Answer)
		}
	}
	t.opening = b.Ply()
	if s.Black() == 1 {
		t.players[0], t.players[1] = t.players[1], t.players[0]
		t.names[0], t.names[1] = t.names[1], t.names[0]
	}
	if !t.json {
		fmt.Fprintf(t.out, "first is %s, second %s\n", t.names[0], t.names[1])
	}
	return nil
}

// askOpening asks a person until the answer is one.
func (t *typedGame) askOpening(ctx context.Context, s *opening.Session, q opening.Question) (opening.Answer, error) {
	b := s.Board()
	if !t.json {
		fmt.Fprint(t.out, notation.FormatPosition(b))
		if q.Choose != nil {
			fmt.Fprintf(t.out, "offered: %s\n", notation.FormatMoves(b.Game(), q.Choose))
		}
	}
	for {
		if t.prompt {
			fmt.Fprintf(t.out, "%s: ", q)
		}
		text, err := t.line(ctx)
		switch {
		case err != nil:
			return opening.Answer{}, err
		case text == "quit":
			return opening.Answer{}, errQuit
		}
		a, err := opening.ParseAnswer(b.Game(), text)
		if err == nil {
			err = s.Answer(a)
		}
		if err == nil {
			return a, nil
		}
		report(t.err, misusef(q.String(), "%w", err))
	}
}
