// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"cmp"
	"fmt"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/record"
)

// Summary contains the results of a match. Scores and Elo are A's.
type Summary struct {
	Games       int               `json:"games"`
	AWins       int               `json:"a_wins"`
	Draws       int               `json:"draws"`
	BWins       int               `json:"b_wins"`
	FirstWins   int               `json:"first_wins"` // number of games that the side that moved first has won
	SecondWins  int               `json:"second_wins"`
	Forfeits    int               `json:"forfeits"` // number of forfeits by A and B together
	AForfeits   int               `json:"a_forfeits"`
	BForfeits   int               `json:"b_forfeits"`
	Elo         float64           `json:"elo"`
	EloError    float64           `json:"elo_error"` // half-width of the 95 % interval
	LOS         float64           `json:"los"`
	Pentanomial stats.Pentanomial `json:"pentanomial"` // numbers of pairs in which A made 0, 1/2, 1, 3/2 and 2 points
	// LLR is the log-likelihood ratio of the sequential test; nil means that there is no test. SPRT is the decision of the
	// test: empty until it has ended, then "accepted H0" or "accepted H1".
	LLR  *float64 `json:"llr,omitempty"`
	SPRT string   `json:"sprt,omitempty"`
}

// Report returns the results of a match between a and b as text of several lines. test is the sequential test of the match, or nil.
func (s Summary) Report(a, b string, test *stats.SPRT) string {
	text := fmt.Sprintf("A %s\nB %s\n", a, b) +
		fmt.Sprintf("games %d   +%d =%d -%d   first wins %d, second %d\n", s.Games, s.AWins, s.Draws, s.BWins, s.FirstWins, s.SecondWins) +
		fmt.Sprintf("Elo %+.1f ± %.1f (95 %%)   LOS %.1f %%   pairs %v\n", s.Elo, s.EloError, 100*s.LOS, s.Pentanomial)
	if s.LLR != nil {
		bound := stats.SPRTBound
		text += fmt.Sprintf("SPRT [%g, %g]   LLR %.2f (%.2f, %.2f)   %s\n", test.Elo0, test.Elo1, *s.LLR, -bound, bound, cmp.Or(s.SPRT, "undecided"))
	}
	if s.Forfeits > 0 {
		text += fmt.Sprintf("forfeits: A %d, B %d\n", s.AForfeits, s.BForfeits)
	}
	return text
}

// Tally counts the results of a match, one game after another.
type Tally struct {
	SPRT *stats.SPRT // nil means that there is no test

	sum  Summary
	half int // twice A's points in the first game of the pair whose second game is not yet finished
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

// win counts the game g, which side w has won, and returns the half points that A gets for it: 2 or 0.
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

// counts returns how many pairs ended with each number of points. If only one game of the last pair has been played, counts
// returns it as a single game.
func (t *Tally) counts() stats.Counts {
	c := stats.Counts{Pairs: t.sum.Pentanomial}
	if t.sum.Games%2 == 1 {
		c.Singles[t.half] = 1
	}
	return c
}

// decided reports whether the sequential test has ended. The test ends only after a complete pair.
func (t *Tally) decided() bool {
	return t.SPRT != nil && t.sum.Games%2 == 0 && t.SPRT.Decide(t.counts().LLR(*t.SPRT)) != ""
}

// Summary returns the results of all games that were added.
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
