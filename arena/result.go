// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/record"
)

// Summary is the results of a match, from A's view where a view matters.
type Summary struct {
	Games       int               `json:"games"`
	AWins       int               `json:"a_wins"`
	Draws       int               `json:"draws"`
	BWins       int               `json:"b_wins"`
	FirstWins   int               `json:"first_wins"` // by the side that moved first
	SecondWins  int               `json:"second_wins"`
	Forfeits    int               `json:"forfeits"` // A's and B's
	AForfeits   int               `json:"a_forfeits"`
	BForfeits   int               `json:"b_forfeits"`
	Elo         float64           `json:"elo"`
	EloError    float64           `json:"elo_error"` // half-width of the 95 % interval
	LOS         float64           `json:"los"`
	Pentanomial stats.Pentanomial `json:"pentanomial"` // pairs by A's points, 0 to 2 in halves
	// LLR and SPRT are of the sequential test. LLR is nil where there is none. SPRT is empty until it has decided, then
	// "accepted H0" or "accepted H1".
	LLR  *float64 `json:"llr,omitempty"`
	SPRT string   `json:"sprt,omitempty"`
}

// Tally counts the results of a match as they come, in the order of games.
type Tally struct {
	SPRT *stats.SPRT // nil for no test

	sum  Summary
	half int // A's half points in the first game of a pair, before the second is over
}

// Add counts the next game.
func (t *Tally) Add(g record.Game) {
	half := 1
	if w, won := g.Outcome.Winner(); won {
		half = t.win(w, g)
	} else {
		t.sum.Draws++
	}
	t.sum.Games++
	if t.sum.Games%2 == 1 {
		t.half = half
		return
	}
	t.sum.Pentanomial[t.half+half]++
}

// win counts a win of w and returns A's half points.
func (t *Tally) win(w game.Side, g record.Game) int {
	wins, forfeits, half := &t.sum.AWins, &t.sum.BForfeits, 2
	if w != g.A {
		wins, forfeits, half = &t.sum.BWins, &t.sum.AForfeits, 0
	}
	*wins++
	if g.Forfeited() {
		*forfeits++
		t.sum.Forfeits++
	}
	if w == game.First {
		t.sum.FirstWins++
	} else {
		t.sum.SecondWins++
	}
	return half
}

// counts returns the pairs, and the last game if it is the first of a pair.
func (t *Tally) counts() stats.Counts {
	c := stats.Counts{Pairs: t.sum.Pentanomial}
	if t.sum.Games%2 == 1 {
		c.Singles[t.half] = 1
	}
	return c
}

// decided reports whether the sequential test has ended. It looks between pairs only.
func (t *Tally) decided() bool {
	return t.SPRT != nil && t.sum.Games%2 == 0 && t.SPRT.Decide(t.counts().LLR(*t.SPRT)) != ""
}

// Summary returns how the match stands.
func (t *Tally) Summary() Summary {
	s, c := t.sum, t.counts()
	e := c.Estimate()
	s.Elo, s.EloError, s.LOS = e.Elo, e.Error, e.LOS
	if t.SPRT == nil {
		return s
	}
	llr := c.LLR(*t.SPRT)
	s.LLR, s.SPRT = &llr, t.SPRT.Decide(llr)
	return s
}
