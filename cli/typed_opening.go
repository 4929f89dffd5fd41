// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player/opening"
)

// addOpening adds the flag that names the rule of the opening. who is the end of the help text; it says which player begins.
func addOpening(cmd *cobra.Command, rule *string, who string) {
	addChoice(cmd, rule, "opening", "opening `RULE`: swap, swap2, taraguchi10 or soosyrv8; "+who, opening.Rules...)
}

type answeredJSON struct {
	Opening string `json:"opening"` // name of the opening rule
	Stones  int    `json:"stones"`  // number of stones on the board before the answer
	Player  string `json:"player"`  // the player who answers
	Answer  string `json:"answer"`  // swap, moves, or a move and a number of fifth stones
}

// playOpening lets the players make the opening moves that the rule, such as swap2, demands. Then it gives each player the
// side that the opening has decided. The first player begins the opening.
func (t *typedGame) playOpening(ctx context.Context, rule string, seed uint64) error {
	b, ok := t.p.(game.Board)
	if !ok {
		return misusef("", "%s has no board of stones", t.p.Game())
	}
	s, err := opening.NewSession(rule, b)
	if err != nil {
		return misusef("", "--opening: %w", err)
	}
	openers, err := opening.Openers(t.players, rule, seed)
	if err != nil {
		return misusef("players that search do, such as best", "%w", err)
	}
	for q, ok := s.Question(); ok; q, ok = s.Question() {
		var a opening.Answer
		if o := openers[q.Who]; o != nil {
			a, err = s.Ask(ctx, o, t.lim)
		} else {
			a, err = t.askAnswer(ctx, s, q)
		}
		name := t.names[q.Who]
		switch {
		case err != nil:
			return err
		case t.json:
			printJSON(t.out, answeredJSON{rule, q.Stones, name, a.Format(b.Game())})
			continue
		}
		fmt.Fprintln(t.out, s.Describe(q, a, name))
		t.said = ""
		if openers[q.Who] != nil {
			t.said = s.Describe(q, a, krow.ShownName(b.Game(), name))
		}
	}
	t.opening = s.Stones()
	if s.Black() == 1 {
		t.players[0], t.players[1] = t.players[1], t.players[0]
		t.names[0], t.names[1] = t.names[1], t.names[0]
	}
	if !t.json {
		fmt.Fprintf(t.out, "first is %s, second %s\n", t.names[0], t.names[1])
	}
	return nil
}

// askAnswer asks a person until the answer is valid.
func (t *typedGame) askAnswer(ctx context.Context, s *opening.Session, q opening.Question) (opening.Answer, error) {
	g := s.Board().Game()
	if !t.json {
		fmt.Fprint(t.out, notation.FormatPosition(s.Board()))
		if q.Choose != nil {
			fmt.Fprintf(t.out, "offered: %s\n", notation.FormatMoves(g, q.Choose))
		}
	}
	for {
		if t.prompt {
			fmt.Fprintf(t.out, "%s: ", q)
		}
		text, err := t.readLine(ctx)
		switch {
		case err != nil:
			return opening.Answer{}, err
		case text == "quit":
			return opening.Answer{}, errQuit
		}
		a, err := opening.ParseAnswer(g, text)
		if err == nil {
			err = s.Answer(a)
		}
		if err == nil {
			return a, nil
		}
		report(t.err, misusef(q.String(), "%w", err))
	}
}
