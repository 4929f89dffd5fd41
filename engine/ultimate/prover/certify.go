// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/dfpn"
)

// Certify proves the value of b, in which the game must not be over, and writes its certificate. The error is an error
// of w, or says that ctx is done.
func (p *Prover) Certify(ctx context.Context, b ultimate.Board, w io.Writer) error {
	budget := search.NewBudget(ctx, search.Limits{})
	a, q := p.solve(b, budget)
	if !a.Solved() {
		return errEnded
	}
	return proof.WriteUltimate(w, claim(&b, a.Low), func(path []uint8, side game.Side, wins bool) (uint8, error) {
		at := b
		for _, m := range path {
			at.Play(m)
		}
		s := newState(at)
		if !wins { // the value is a draw: the move must only prevent a win of the other side
			q = p.asked[side.Other()]
		}
		if q.ask(&s, budget, math.MaxInt64) == dfpn.Unknown {
			return 0, errEnded
		}
		return q.easiest(), nil
	})
}

var errEnded = errors.New("the search was cancelled")

// easiest returns the move whose proof took the least work, among the moves that reach the goal of the side to move.
func (q *question) easiest() uint8 {
	best := -1
	for i, c := range q.Children[0] {
		if c.Delta == 0 && (best < 0 || c.Work < q.Children[0][best].Work) {
			best = i
		}
	}
	return q.Children[0][best].Move
}

// claim returns the claim that b has the given value for the side to move.
func claim(b *ultimate.Board, value int) proof.Claim {
	c := proof.Claim{
		Turn: game.Side(b.Turn).String(), Value: [...]string{"loss", "draw", "win"}[value+1],
		Rule: map[ultimate.DrawRule]string{ultimate.Plain: "plain", ultimate.Boards: "boards"}[b.Rules.Draw], Forced: "any",
	}
	if b.Rules.Open {
		c.Rule += ",open"
	}
	if b.Forced < ultimate.Any {
		c.Forced = "123456789"[b.Forced : b.Forced+1]
	}
	letters := func(sets [2]uint16) string {
		var text strings.Builder
		for i := range 9 {
			text.WriteByte(".XO"[sets[0]>>i&1+sets[1]>>i&1*2])
		}
		return text.String()
	}
	for i := range 9 {
		c.Cells += letters([2]uint16{b.Stones[0][i], b.Stones[1][i]})
	}
	c.Owners = letters(b.Won)
	return c
}
