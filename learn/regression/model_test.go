// SPDX-License-Identifier: Apache-2.0

package regression

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/ultimate"
)

// games are those on which the models are held to their heuristics.
func games(t *testing.T) []game.Game {
	m := gametest.Must[*mnk.Game](t)
	return []game.Game{
		m(mnk.TicTacToe(3, 3)), m(mnk.MNK(6, 6, 4)), m(mnk.MNK(9, 9, 5)), m(mnk.Connect4(7, 6, 4)),
		m(mnk.Connect6(8)), m(mnk.Pente(8)), ultimate.New(ultimate.Rules{}),
	}
}

// TestModelsEqualHeuristics plays random games: the weighted sum of the features must be what the heuristic says, for either
// side, and a position read must be left alone.
func TestModelsEqualHeuristics(t *testing.T) {
	for _, g := range games(t) {
		t.Run(g.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			m, err := newModel(g, 2, threat.Reading{})
			if err != nil {
				t.Fatal(err)
			}
			w := m.start()
			if len(m.Names()) != len(w) {
				t.Fatalf("%d names for %d weights", len(m.Names()), len(w))
			}
			for i := range w {
				w[i] = math.Round(1000*rng.Float64()) / 1000
			}
			ev, err := m.Evaluator(w)
			if err != nil {
				t.Fatal(err)
			}
			r, x, p := m.reader(), make([]float64, len(w)), g.Start()
			for {
				moves := p.AppendMoves(nil)
				p.Play(moves[rng.IntN(len(moves))])
				if p.Outcome() != game.Ongoing {
					return
				}
				key := p.Key()
				for s := range game.Side(2) {
					r.read(x, p, s)
					got, want := eval.Score(math.Round(dot(w, x)*float64(eval.Unit))), ev.Evaluate(p, s)
					if got != want || p.Key() != key {
						t.Fatalf("ply %d for %s: %d, want %d; position changed: %t", p.Ply(), s, got, want, p.Key() != key)
					}
				}
			}
		})
	}
}

// TestStart checks that a learner that has learned nothing saves the heuristic as it was.
func TestStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "start.json")
	k5, err := newModel(games(t)[2], 2, threat.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	if err := k5.SaveValues(file, k5.start(), weights.Origin{Game: "mnk:9,9,5"}); err != nil {
		t.Fatal(err)
	}
	w, _, err := generic.Load(file, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range generic.Fixed(5).Enemy {
		if w.Enemy[i] != x || w.Own[i] != generic.Fixed(5).Own[i] {
			t.Errorf("%s %d: %g and %g", threat.Kind(i).Class(5), threat.Kind(i).Size(), w.Own[i], w.Enemy[i])
		}
	}
	m, err := newModel(ultimate.New(ultimate.Rules{}), 2, threat.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SaveValues(file, m.start(), weights.Origin{Game: "ultimate"}); err != nil {
		t.Fatal(err)
	}
	v, _, err := indicators.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range indicators.Default() {
		if i := indicators.Indicator(i); v[i] != x && i != indicators.Block && i != indicators.Either {
			t.Errorf("%s weighs %g, want %g", i, v[i], x)
		}
	}
}
