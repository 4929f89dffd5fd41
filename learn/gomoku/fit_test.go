// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn/selfplay"
)

// TestSamples: the terms of a sample come to the evaluation of its position, as a search to no depth sees it.
func TestSamples(t *testing.T) {
	for _, g := range kinds(t) {
		t.Run(g.String(), func(t *testing.T) {
			f, err := gomoku.NewFeatures(g)
			if err != nil {
				t.Fatal(err)
			}
			s := newSampler(g, f)
			w, err := gomoku.DefaultWeights(g)
			if err != nil {
				t.Fatal(err)
			}
			_, games := playFile(t, g, selfplay.Options{Seed: 3, Games: 4, Nodes: 40, Jobs: 2})
			var samples []sample
			for i := range games {
				if samples, err = s.add(samples, &games[i]); err != nil {
					t.Fatal(err)
				}
			}
			x, n := values(w), 0
			for i := range games {
				if err := Each(g, &games[i], 0, func(p game.Position, _ Label) {
					if s.f.Load(p); s.f.Evaluated() {
						if got, want := samples[n].sum(x), float64(s.f.Value()); got != want && math.Abs(want) < maxScore {
							t.Fatalf("sample %d: the terms say %v, the evaluation %v", n, got, want)
						}
						n++
					}
				}); err != nil {
					t.Fatal(err)
				}
			}
			if n != len(samples) {
				t.Errorf("%d samples of %d positions", len(samples), n)
			}
		})
	}
}

// plain are the features of gomoku, whose parameters 20 and 700 the tests give samples to.
func plain(t *testing.T) *gomoku.Features {
	f, err := gomoku.NewFeatures(kinds(t)[0])
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// twoTerms returns samples in which two parameters and nothing else counts, with results drawn by truth.
func twoTerms(n int, rng *rand.Rand, truth [2]float64) (samples []sample) {
	for range n {
		s, score := sample{Label: Label{Final: true}}, 0.0
		for i, param := range [2]uint16{20, 700} {
			k := int16(rng.IntN(7) - 3)
			s.terms = append(s.terms, term{param, k})
			score += truth[i] * float64(k)
		}
		s.Score = int(score)
		if rng.Float64() < chance(score) {
			s.Result = 1
		}
		samples = append(samples, s)
	}
	return samples
}

// TestFit recovers weights from results and scores that were drawn by them. What no sample speaks for is near what
// its traits say.
func TestFit(t *testing.T) {
	truth := [2]float64{90, -40}
	samples := twoTerms(20_000, rand.New(rand.NewPCG(6, 6)), truth)
	w := fit(samples, plain(t), new(gomoku.Weights), 150, 30)
	for i, want := range truth {
		if got := w[0][samples[0].terms[i].param]; math.Abs(float64(got)-want) > 8 {
			t.Errorf("weight %d is %d, want about %v", i, got, want)
		}
	}
	before, after := measure(samples, new(gomoku.Weights)), measure(samples, w)
	if after.result >= before.result || after.score >= before.score || after.score > 0.01 {
		t.Errorf("losses %+v, and %+v before", after, before)
	}
	if w[0] != w[1] {
		t.Error("the sides differ")
	}
	tight := fit(samples, plain(t), new(gomoku.Weights), 150, 3)
	f, seen := plain(t).Traits(), samples[0].terms[0].param
	for param := range f[:100] {
		if reflect.DeepEqual(f[param], f[seen]) && math.Abs(float64(tight[0][param]-tight[0][seen])) > 20 {
			t.Errorf("parameters %d and %d have the same traits, and are %d and %d", param, seen, tight[0][param], tight[0][seen])
		}
	}
}

// TestFitOrder recovers which of two kinds of move is chosen, and how much more often.
func TestFitOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	good, bad := looks{2380 + 700, 4760}, looks{2380 + 20, 4760}
	samples := make([]sample, 3000)
	for i := range samples {
		samples[i].moves = []looks{good, bad}
		if rng.IntN(5) == 0 {
			samples[i].moves = []looks{bad, good}
		}
	}
	w := fit(samples, plain(t), new(gomoku.Weights), 200, 20)
	gap := float64(w[0][good[0]]-w[0][bad[0]]) / orderUnit
	before, after := measure(samples, new(gomoku.Weights)).surprise, measure(samples, w).surprise
	if math.Abs(gap-math.Log(4)) > 0.15 || after >= before {
		t.Errorf("e to the %.2f, want 4 times as likely; %.3f -> %.3f bits", gap, before, after)
	}
}

// TestPatterns: a run that is cut and restored comes to the same weights, with games from files or not.
func TestPatterns(t *testing.T) {
	g := kinds(t)[1]
	o := PatternOptions{
		Options:     selfplay.Options{Nodes: 50, Games: 20, Chunk: 15, Seed: 5, Jobs: 2},
		Generations: 2, Rounds: 3, Spread: 30, Match: 4,
	}
	whole, err := NewPatterns(g, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Dir, o.Jobs = t.TempDir(), 1
	cut, err := NewPatterns(g, o)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		want, err := whole.Step(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := cut.Step(t.Context())
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("point %+v, want %+v, %v", got, want, err)
		}
		state, err := cut.State()
		if err != nil {
			t.Fatal(err)
		}
		if cut, err = NewPatterns(g, o); err != nil {
			t.Fatal(err)
		}
		if err := cut.Restore(state); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(cut.best, whole.best) {
			t.Fatal("other weights")
		}
		// As if the new weights had won.
		w := *new(gomoku.Weights)
		w[0][20], w[1][20] = 7, 7
		whole.best, cut.best = &w, &w
	}
	file := t.TempDir() + "/w.bin"
	if err := cut.Save(file); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if w, err := gomoku.ParseWeights(data); err != nil || *w != *cut.best {
		t.Errorf("other weights in the file, %v", err)
	}
}
