// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/opening"
)

// addOpening adds the flag that names the rule of the opening. who is the end of the help text; it says which player begins.
func addOpening(cmd *cobra.Command, rule *string, who string) {
	addChoice(cmd, rule, "opening", "opening `RULE`: swap2, taraguchi10 or soosyrv8; "+who, opening.Rules...)
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
	openers, err := t.openers(rule, seed)
	if err != nil {
		return err
	}
	for q, ok := s.Question(); ok; q, ok = s.Question() {
		a, err := t.answerQuestion(ctx, s, q, openers[q.Who])
		if err != nil {
			return err
		}
		answered := answeredJSON{rule, q.Stones, t.names[q.Who], a.Format(b.Game())}
		if t.json {
			printJSON(t.out, answered)
			continue
		}
		fmt.Fprintln(t.out, answered.words(q, a, s.Black()))
		t.said = ""
		if openers[q.Who] != nil {
			answered.Player = called(b.Game(), answered.Player)
			t.said = answered.words(q, a, s.Black())
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

// openers returns the functions that answer the questions of the opening for the players, with nil for a person.
func (t *typedGame) openers(rule string, seed uint64) (all [2]opening.Opener, err error) {
	for who, p := range t.players {
		if player.IsHuman(p) {
			continue
		}
		if all[who], err = opening.For(p, rule, seed); err != nil {
			return all, misusef("players that search do, such as best", "%w", err)
		}
	}
	return all, nil
}

// answerQuestion asks a player, or a person if o is nil, and applies the answer to the board.
func (t *typedGame) answerQuestion(ctx context.Context, s *opening.Session, q opening.Question, o opening.Opener) (opening.Answer, error) {
	if o == nil {
		return t.askAnswer(ctx, s, q)
	}
	a, err := o.Open(ctx, s, t.lim)
	if err == nil {
		err = s.Answer(a)
	}
	return a, err
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

// words returns a sentence about the answer a to the question q. black is the player who has Black after the answer.
func (j answeredJSON) words(q opening.Question, a opening.Answer, black int) string {
	colour := "White (O)"
	if black == q.Who {
		colour = "Black (X)"
	}
	switch {
	case a.Swap:
		return fmt.Sprintf("%s takes %s", j.Player, colour)
	case j.Opening == opening.Swap2 && len(a.Moves) == 2:
		return fmt.Sprintf("%s places %s; the other player chooses a colour", j.Player, j.Answer)
	case j.Opening == opening.Swap2 && len(a.Moves) == 1:
		return fmt.Sprintf("%s takes White (O) and places %s", j.Player, j.Answer)
	case q.Choose != nil:
		return fmt.Sprintf("%s chooses %s", j.Player, j.Answer)
	case q.Offers > 0 && len(a.Moves) == q.Offers:
		return fmt.Sprintf("%s offers %s", j.Player, j.Answer)
	}
	return fmt.Sprintf("%s places %s", j.Player, j.Answer)
}
