// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

// In an opening by a rule such as Taraguchi-10 the players answer questions before the game. The page stores their answers,
// and sends all answers so far to get the next question.

// OpeningSoFar describes an opening in a request: the opening rule, and the answers that the players have given to its
// questions.
type OpeningSoFar struct {
	Game    string `query:"game" required:"true" maxLength:"100" doc:"spec of the game"`
	Rule    string `query:"rule" required:"true" enum:"swap,swap2,taraguchi10,soosyrv8"`
	Answers string `query:"answers" maxLength:"400" example:"h8 h9 i9,j9 3,swap" doc:"the answers so far, separated by commas; an answer is swap, moves, or a move and a number of fifth stones"`
}

// Session returns the opening after the answers of the request.
func (in *OpeningSoFar) Session() (*opening.Session, error) {
	b, err := PositionOf(in.Game, "", "")
	if err != nil {
		return nil, err
	}
	s, err := opening.NewSession(in.Rule, b)
	if err != nil {
		return nil, wrong("bad-opening", "", err)
	}
	for text := range strings.SplitSeq(in.Answers, ",") {
		if strings.TrimSpace(text) == "" {
			continue
		}
		a, err := opening.ParseAnswer(b.Game(), text)
		if err == nil {
			err = s.Answer(a)
		}
		if err != nil {
			return nil, wrong("bad-opening", text, err)
		}
	}
	return s, nil
}

// OpeningView is the current state of an opening.
type OpeningView struct {
	Board diagram.Board `json:"board"`
	Moves []string      `json:"moves" nullable:"false"`
	Black int           `json:"black" doc:"player who currently has Black: 0 for the player who began the opening, 1 for the other"`
	Done  bool          `json:"done" doc:"whether the opening is over, and the game continues normally"`
	// The following fields describe the question that the rule asks next. After the end of the opening they are empty. The field
	// Who is the number of the player who must answer: 0 or 1, as in the field Black.
	Who     int      `json:"who"`
	Swap    bool     `json:"swap" doc:"whether the player may exchange colours"`
	Place   int      `json:"place" doc:"number of stones to place"`
	Two     bool     `json:"two" doc:"whether the player may instead place two stones, after which the opponent chooses the colour"`
	Within  int      `json:"within" doc:"side length of the central square in which the last of these stones must be; 0: anywhere"`
	Declare int      `json:"declare" doc:"greatest number of fifth stones that may be announced together with the stone"`
	Offers  int      `json:"offers" doc:"number of fifth stones to offer"`
	Choose  []string `json:"choose" nullable:"false" doc:"fifth stones of which one must be chosen"`
}

// Opening returns the current state of an opening.
func Opening(_ context.Context, in *OpeningSoFar) (out OpeningView, err error) {
	o, err := in.Session()
	if err != nil {
		return out, err
	}
	b := o.Board()
	q, asked := o.Question()
	return OpeningView{
		Board: diagram.New(b), Moves: notation.MoveNames(b.Game(), b.AppendHistory(nil)), Black: o.Black(), Done: !asked,
		Who: q.Who, Swap: q.Swap, Place: q.Place, Two: q.Two, Within: q.Within, Declare: q.Declare, Offers: q.Offers,
		Choose: notation.MoveNames(b.Game(), q.Choose),
	}, nil
}

// OpeningAnswerInput requests a player's answer to the question that the opening rule asks next.
type OpeningAnswerInput struct {
	OpeningSoFar
	Player string `query:"player" default:"best" maxLength:"200" doc:"spec of the player who answers; if that player cannot, such as random, the strongest player answers"`
	Seed   uint64 `query:"seed"`
}

// OpeningAnswerOutput is the answer of a player.
type OpeningAnswerOutput struct {
	Answer string `json:"answer" doc:"the answer, in the form of an element of answers"`
}

// openingTime is the time limit for one answer. It is long enough to choose the strongest of the ten fifth moves that some
// opening rules let the opponent offer.
const openingTime = 3 * time.Second

// OpeningAnswer returns a player's answer to the question of an opening.
func OpeningAnswer(ctx context.Context, in *OpeningAnswerInput) (out OpeningAnswerOutput, err error) {
	o, err := in.Session()
	if err != nil {
		return out, err
	}
	p, err := PlayerOf(o.Board().Game(), in.Player, in.Seed)
	if err != nil {
		return out, err
	}
	defer player.Close(p)
	return in.Answer(ctx, o, p)
}

// Answer returns the answer of p to the question of the opening o.
func (in *OpeningAnswerInput) Answer(ctx context.Context, o *opening.Session, p player.Player) (out OpeningAnswerOutput, err error) {
	g := o.Board().Game()
	who, err := opening.For(p, in.Rule, in.Seed)
	if errors.Is(err, opening.ErrUnable) { // p cannot answer, so the strongest player answers
		best, fail := PlayerOf(g, "best", in.Seed)
		if fail != nil {
			return out, fail
		}
		defer player.Close(best)
		who, err = opening.For(best, in.Rule, in.Seed)
	}
	if err != nil {
		return out, wrong("bad-opening", in.Player, err)
	}
	a, err := who.Open(ctx, o, search.Limits{Time: openingTime})
	if err != nil {
		return out, wrong("bad-opening", in.Player, err)
	}
	out.Answer = a.Format(g)
	return out, nil
}
