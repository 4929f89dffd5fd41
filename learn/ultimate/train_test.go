// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn/nnue"
)

// walk returns n positions of random games.
func walk(seed uint64, n int) (all []ultimate.Board) {
	r := rng.Rand(seed)
	var moves [ultimate.Moves]uint8
	for len(all) < n {
		for b := ultimate.NewBoard(ultimate.Rules{}); b.Result == game.Ongoing; b.Play(moves[r.Below(b.List(&moves))]) {
			all = append(all, b)
		}
	}
	return all[:n]
}

// The gradient is what differences of the loss say.
func TestGradient(t *testing.T) {
	p := initial(1)
	rng := rand.New(rand.NewPCG(2, 2))
	for _, b := range walk(1, 200)[100:130] {
		view, label, turn := network.See(&b), float32(0.8), uint8(rng.IntN(8))
		var g gradient
		g.add(p, &view, label, turn)
		at := func(x *float32, step float32) float64 {
			was := *x
			defer func() { *x = was }()
			*x += step
			return new(gradient).add(p, &view, label, turn)
		}
		i, j, k := g.index[rng.IntN(len(g.index))], rng.IntN(network.Hidden), rng.IntN(network.Second)
		for _, tc := range []struct {
			name string
			x    *float32
			got  float32
		}{
			{"in", &p.In[i][j], g.In[i][j]},
			{"weights", &p.Weights[k][j], g.Weights[k][j]},
			{"bias", &p.Bias[k], g.Bias[k]},
			{"out", &p.Out[k], g.Out[k]},
			{"offset", &p.Offset, g.Offset},
		} {
			const step = 0.01
			want := (at(tc.x, step) - at(tc.x, -step)) / (2 * step)
			if math.Abs(float64(tc.got)-want) > 1e-3+0.05*math.Abs(want) {
				t.Errorf("%s: gradient %g, differences say %g", tc.name, tc.got, want)
			}
		}
	}
}

// turnedBoard plays the moves of a random game turned in the way s.
func turnedBoard(seed uint64, plies, s int) ultimate.Board {
	r := rng.Rand(seed)
	var moves [ultimate.Moves]uint8
	b, other := ultimate.NewBoard(ultimate.Rules{}), ultimate.NewBoard(ultimate.Rules{})
	for range plies {
		if b.Result != game.Ongoing {
			break
		}
		m := moves[r.Below(b.List(&moves))]
		b.Play(m)
		other.Play(uint8(9*turn(s, int(m/9)) + turn(s, int(m%9))))
	}
	return other
}

// A turned view is that of the turned position.
func TestTurnedViewEqualsTurnedPosition(t *testing.T) {
	for seed := range uint64(20) {
		b := turnedBoard(seed, 40, 0)
		plain := network.See(&b)
		for s := range 8 {
			b := turnedBoard(seed, 40, s)
			if got, want := turnedView(&plain, uint8(s)), network.See(&b); got != want {
				t.Errorf("seed %d, way %d: got %v, want %v", seed, s, got, want)
			}
		}
	}
}

// Training finds what can be seen: who has won more small boards. What it finds does not depend on jobs.
func TestTrainingLowersLoss(t *testing.T) {
	var s samples
	for _, b := range walk(5, 6000) {
		label := float32(0.5)
		if more, fewer := b.Won[b.Turn&1], b.Won[b.Turn&1^1]; more != fewer {
			label = 0.2
			if countBits(more) > countBits(fewer) {
				label = 0.8
			}
		}
		s.add(&b, label)
	}
	var first *network.Parameters
	for _, jobs := range []int{1, 3} {
		o := Options{Options: nnue.Options{Passes: 6, Rate: 0.004, Seed: 3, Jobs: jobs}}
		l := newLearner(&trained{net{batch: 256, learned: s}}, o, 256, initial(3))
		before, mean := loss(l.Parameters(), &s), 0.0
		for range 6 {
			p, err := l.Step(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			mean = p.Values["loss"]
		}
		after := loss(l.Parameters(), &s)
		if !(after < before-0.03) || math.Abs(after-mean) > 0.02 {
			t.Fatalf("the loss was %.4f and is %.4f, in the last pass %.4f", before, after, mean)
		}
		if first == nil {
			first = l.Parameters()
		}
		if *first != *l.Parameters() {
			t.Errorf("%d jobs learn something else than 1", jobs)
		}
	}
}

// trained is a net that reads no files.
type trained struct{ net }

func (n *trained) Read(context.Context) (int, error) { return n.learned.len(), nil }

func countBits(x uint16) (n int) {
	for ; x != 0; x &= x - 1 {
		n++
	}
	return n
}

// BenchmarkTrain measures the training on positions of random games.
func BenchmarkTrain(b *testing.B) {
	var s samples
	for _, x := range walk(5, batch) {
		s.add(&x, 0.6)
	}
	o := Options{Options: nnue.Options{Passes: 1 << 30, Rate: 1e-4, Jobs: 1}}
	l := newLearner(&trained{net{batch: batch, learned: s}}, o, batch, initial(3))
	for b.Loop() {
		if _, err := l.Step(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*batch/b.Elapsed().Seconds(), "samples/s")
}
