// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/binpack"
)

// TestSelfPlay: games follow from the seed, whatever the jobs; they are games of the rules, and samples of them are
// weighed as the evaluation does.
func TestSelfPlay(t *testing.T) {
	for _, g := range testGames(t)[:4] {
		t.Run(g.String(), func(t *testing.T) {
			one, err := SelfPlay(t.Context(), g, Options{Hash: 1 << 16}, 3, 1, 60, 4)
			if err != nil {
				t.Fatal(err)
			}
			two, err := SelfPlay(t.Context(), g, Options{Hash: 1 << 16}, 3, 2, 60, 4)
			if err != nil || !reflect.DeepEqual(one, two) {
				t.Fatalf("games from one job and from two differ, %v", err)
			}
			samples, err := Samples(g, one)
			if err != nil || len(samples) == 0 {
				t.Fatalf("%d samples, %v", len(samples), err)
			}
			checkSamples(t, g, one, samples)
		})
	}
}

// checkSamples replays games by the rules and compares the samples with the board.
func checkSamples(t *testing.T, g game.Game, games []binpack.Game, samples []Sample) {
	r, next := ruleOf(t, g), 0
	x := modelOf(r, nil).weights.evalRow()
	check := func(p game.Position) {
		b := newBoard(r, nil)
		b.load(p.(game.Board), p)
		if _, ok := b.settled(0); ok || b.counts[b.turn.Other()][makesFive] > 0 {
			return
		}
		if got, want := samples[next].sum(x), float64(b.evaluate()); got != want && math.Abs(want) < maxEval {
			t.Fatalf("sample %d: the terms say %v, the evaluation %v", next, got, want)
		}
		next++
	}
	for _, record := range games {
		p := g.Start()
		play := func(cell int) {
			if err := game.Play(p, game.Move(cell)); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range record.Opening {
			play(c)
		}
		for _, ply := range record.Plies {
			for _, m := range ply[1:] {
				play(m.Cell)
				check(p)
				p.Undo()
			}
			check(p)
			play(ply[0].Cell)
		}
	}
	if next != len(samples) {
		t.Errorf("%d samples of %d positions", len(samples), next)
	}
}

func TestSamplesRefuse(t *testing.T) {
	g := testGames(t)[0]
	stone := func(c int) []binpack.Move { return []binpack.Move{{Cell: c, Scored: true}} }
	tests := []struct {
		name string
		game binpack.Game
		want string
	}{
		{"other rules", binpack.Game{Side: 15, Rule: binpack.Renju}, "game 1 is not one of " + g.String()},
		{"a smaller board", binpack.Game{Side: 14}, "game 1 is not one of " + g.String()},
		{"a stone on a stone", binpack.Game{Side: 15, Plies: [][]binpack.Move{stone(7), stone(7)}}, "game 1: ply 2: a stone on a stone"},
		{"a pass", binpack.Game{Side: 15, Plies: [][]binpack.Move{stone(binpack.Pass)}}, "game 1: ply 1: a pass"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := Samples(g, []binpack.Game{tc.game}); err == nil || err.Error() != tc.want {
				t.Errorf("Samples: %v, want %q", err, tc.want)
			}
		})
	}
}

// twoTerms returns samples in which two patterns and nothing else counts, with results and scores by truth.
func twoTerms(n int, rng *rand.Rand, truth [2]float64) (samples []Sample) {
	patterns := [2]uint16{uint16(patternOf(uint32(four))), uint16(patternOf(uint32(openThree) | uint32(two)<<4))}
	for range n {
		s := Sample{Played: true}
		for i, p := range patterns {
			k := int16(rng.IntN(7) - 3)
			s.terms = append(s.terms, term{p, k})
			s.Score += truth[i] * float64(k)
		}
		if rng.Float64() < chance(s.Score) {
			s.Result = 1
		}
		samples = append(samples, s)
	}
	return samples
}

// TestFit recovers weights from results or scores that were drawn by them, and leaves the sides of other games alike.
func TestFit(t *testing.T) {
	truth := [2]float64{90, -40}
	samples := twoTerms(20_000, rand.New(rand.NewPCG(6, 6)), truth)
	for _, blend := range []float64{0, 1} {
		w := Fit(samples, new(Weights), false, Fitting{Rounds: 150, Spread: 30, Blend: blend, Share: 1})
		for i, want := range truth {
			if got := w.Side[0].Value[samples[0].terms[i].at]; math.Abs(float64(got)-want) > 8 {
				t.Errorf("blend %v: weight %d is %d, want about %v", blend, i, got, want)
			}
		}
		result, score := w.Loss(samples)
		before, far := new(Weights).Loss(samples)
		if result >= before || score >= far || score > 0.01 {
			t.Errorf("loss %.3f -> %.3f, %.3f -> %.3f", before, result, far, score)
		}
		if w.Side[0] != w.Side[1] {
			t.Error("the sides differ")
		}
	}
}

// TestFitHolds: a pattern that no sample speaks for is worth what its traits are, and one of few samples stays near.
func TestFitHolds(t *testing.T) {
	samples := twoTerms(2000, rand.New(rand.NewPCG(1, 2)), [2]float64{60, 60})
	w := Fit(samples, new(Weights), false, Fitting{Rounds: 150, Spread: 3, Blend: 1, Share: 1})
	seen, unseen := w.Side[0].Value[samples[0].terms[0].at], w.Side[0].Value[patternOf(uint32(four)|uint32(one)<<4)]
	if seen < 40 || unseen < seen/3 || unseen > seen {
		t.Errorf("a four %d, a four and a one, which was never seen, %d", seen, unseen)
	}
}

// TestFitOrder recovers which of two kinds of move is played, and how much more often.
func TestFitOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	good := option{uint16(patternOf(uint32(openThree))), numPatterns}
	bad := option{uint16(patternOf(uint32(one))), numPatterns}
	samples := make([]Sample, 3000)
	for i := range samples {
		samples[i].options = []option{good, bad}
		if rng.IntN(5) == 0 {
			samples[i].options = []option{bad, good}
		}
	}
	w := FitOrder(samples, new(Weights), false, Fitting{Rounds: 200, Spread: 20, Share: 1})
	gap := float64(w.Side[1].Attack[good[0]]-w.Side[1].Attack[bad[0]]) / orderUnit
	if before, after := new(Weights).Surprise(samples), w.Surprise(samples); math.Abs(gap-math.Log(4)) > 0.15 || after >= before {
		t.Errorf("e to the %.2f, want 4 times as likely; %.3f -> %.3f bits", gap, before, after)
	}
}
