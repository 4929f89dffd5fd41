// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"strings"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// judging plays the first move and gives it the next of its scores; the last score stays.
type judging struct {
	script
	units *[]float64
}

func (j judging) Last() (search.Info, bool) {
	s := (*j.units)[0]
	if len(*j.units) > 1 {
		*j.units = (*j.units)[1:]
	}
	return search.Info{Score: eval.Score(s * float64(eval.Unit))}, true
}

func TestAdjudication(t *testing.T) {
	resign := Adjudication{Resign: Agreement{2, 5}}
	draw := Adjudication{Draw: Agreement{3, 2}}
	for _, tc := range []struct {
		name          string
		a             Adjudication
		first, second []float64 // scores in units; UsualScale makes 1000 more than 99 %
		outcome       game.Outcome
		plies         int
		reason        string
	}{
		{"none", Adjudication{}, []float64{1000}, []float64{-1000}, game.Draw, 25, record.ReasonDraw},
		{"resign", resign, []float64{0, 1000}, []float64{-1000}, game.FirstWins, 5, "adjudication: both players agree"},
		{"resign as first", resign, []float64{-1000}, []float64{1000}, game.SecondWins, 4, "adjudication: both players agree"},
		{"no agreement", resign, []float64{1000}, []float64{0}, game.Draw, 25, record.ReasonDraw},
		{"not in a row", resign, []float64{1000, 0, 1000}, []float64{-1000}, game.FirstWins, 7, "adjudication: both players agree"},
		{"draw", draw, []float64{1}, []float64{-1}, game.Draw, 6, "adjudication: both players agree"},
		{"maximum plies", Adjudication{MaxPlies: 7, Resign: Agreement{4, 5}}, []float64{1000}, []float64{-1000}, game.Draw, 7, "adjudication: maximum plies"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := must(mnk.MNK(5, 5, 9)).Start()
			g := play(t.Context(), p, [2]player.Player{judging{first, &tc.first}, judging{first, &tc.second}}, Match{Adjudication: tc.a})
			if g.Outcome != tc.outcome || len(g.Moves) != tc.plies || g.Reason != tc.reason || g.Forfeited() {
				t.Errorf("got %v after %d plies, %q, forfeit %v", g.Outcome, len(g.Moves), g.Reason, g.Forfeited())
			}
			g.Rules = p.Game()
			if _, err := g.Replay(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestParseAgreement(t *testing.T) {
	if a, err := ParseAgreement("4,2.5"); err != nil || a != (Agreement{4, 2.5}) || a.String() != "4,2.5" {
		t.Errorf("got %v, %v", a, err)
	}
	for _, text := range []string{"", "4", "0,2", "4,50", "4,-1", "4,NaN", "x,2"} {
		if a, err := ParseAgreement(text); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: got %v, %v", text, a, err)
		}
	}
}
