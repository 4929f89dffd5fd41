// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestSelfPlay: samples follow from the seed, whatever the jobs, and their features times the weights are the
// evaluation.
func TestSelfPlay(t *testing.T) {
	g := testGames(t)[0]
	one, err := SelfPlay(t.Context(), g, Options{Hash: 1 << 16}, 3, 1, 60, 4)
	if err != nil {
		t.Fatal(err)
	}
	two, err := SelfPlay(t.Context(), g, Options{Hash: 1 << 16}, 3, 2, 60, 4)
	if err != nil || len(one) == 0 || !reflect.DeepEqual(one, two) {
		t.Errorf("%d samples from one job, %d from two, %v", len(one), len(two), err)
	}
}

func TestFeatures(t *testing.T) {
	for _, g := range testGames(t)[:4] {
		rng := rand.New(rand.NewPCG(8, 8))
		p, r := g.Start(), ruleOf(t, g)
		b := newBoard(r, nil)
		for range 20 {
			m := stray(rng, p, r)
			p.Play(m)
			b.play(b.cellAt(int(m)%r.columns, int(m)/r.columns))
			s, x := Sample{Features: b.features()}, r.weights(nil).flat()
			// What is worth nothing by definition is left out of the features.
			if got, want := dot(&s, &x), float64(b.evaluate()); got != want && math.Abs(want) < maxEval {
				t.Fatalf("%s: features say %v, the evaluation %v", g, got, want)
			}
		}
	}
}

// TestFit recovers weights from results that were drawn by them.
func TestFit(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	var truth [numWeights]float64
	truth[four], truth[int(numShapes)+int(makesThree)] = 90, -40
	samples := make([]Sample, 20_000)
	for i := range samples {
		s := &samples[i]
		s.Features[four], s.Features[int(numShapes)+int(makesThree)] = int16(rng.IntN(7)-3), int16(rng.IntN(7)-3)
		if rng.Float64() < chance(dot(s, &truth)) {
			s.Result = 1
		}
	}
	w, before, after := Fit(samples, &Weights{}, 1e-6)
	if math.Abs(float64(w.Line[four])-90) > 8 || math.Abs(float64(w.Class[makesThree])+40) > 8 || after >= before {
		t.Errorf("four %d, want about 90; three %d, want about -40; loss %.3f -> %.3f", w.Line[four], w.Class[makesThree], before, after)
	}
}

// TestFitOrder recovers which of two kinds of move is played, and how much more often.
func TestFitOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	good, bad := newOption(uint32(openThree), 0), newOption(uint32(one), 0)
	samples := make([]Sample, 3000)
	for i := range samples {
		samples[i].Choice = []Option{good, bad}
		if rng.IntN(5) == 0 {
			samples[i].Choice = []Option{bad, good}
		}
	}
	attack, _, before, after := FitOrder(samples, &Weights{}, 200)
	// The class differs as well as the line.
	gap := float64(attack.Line[openThree]+attack.Class[makesThree]-attack.Line[one]-attack.Class[quiet]) / orderUnit
	if math.Abs(gap-math.Log(4)) > 0.15 || after >= before {
		t.Errorf("e to the %.2f, want 4 times as likely; %.3f -> %.3f bits", gap, before, after)
	}
}
