// SPDX-License-Identifier: Apache-2.0

package network_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
)

var variants = []ultimate.Rules{{}, {Draw: ultimate.Boards}, {Open: true}, {Draw: ultimate.Boards, Open: true}}

// random returns parameters that differ in every input.
func random(seed uint64) *network.Parameters {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := new(network.Parameters)
	for i := range p.In {
		for j := range p.In[i] {
			p.In[i][j] = float32(rng.NormFloat64() * 0.1)
		}
	}
	for k := range network.Second {
		for j := range p.Weights[k] {
			p.Weights[k][j] = float32(rng.NormFloat64() * 0.2)
		}
		p.Bias[k], p.Out[k] = float32(rng.NormFloat64()*0.3+0.3), float32(rng.NormFloat64()*0.3)
	}
	p.Offset = 0.1
	return p
}

// inputs finds the inputs of a position from its stones.
func inputs(b *ultimate.Board) (on []int) {
	me := b.Turn & 1
	result := func(i int) int { // 1 own, 2 of the enemy, 3 full, 0 open
		switch {
		case b.Won[me]>>i&1 != 0:
			return 1
		case b.Won[me^1]>>i&1 != 0:
			return 2
		case b.Closed>>i&1 != 0:
			return 3
		}
		return 0
	}
	stone := func(i, c int) int {
		return int(b.Stones[me][i]>>c&1) + 2*int(b.Stones[me^1][i]>>c&1)
	}
	cells := [8][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}
	add := func(base, size, state int) {
		if state > 0 {
			on = append(on, base+size+state)
		}
	}
	for l, c := range cells {
		for i := range 9 {
			if result(i) > 0 {
				continue
			}
			state := 9*stone(i, c[0]) + 3*stone(i, c[1]) + stone(i, c[2])
			add(0, 27*(8*i+l), state)
			if int(b.Forced) == i {
				add(1944, 27*(8*i+l), state)
			}
		}
		add(3888, 64*l, 16*result(c[0])+4*result(c[1])+result(c[2]))
	}
	for i := range 9 {
		add(4400-1, 3*i, result(i))
	}
	on = append(on, 4427+int(b.Forced))
	if b.Rules.Draw == ultimate.Boards {
		return append(on, 4438)
	}
	return append(on, 4437)
}

// value computes the network's value in the obvious way, from the parameters and the inputs.
func value(p *network.Parameters, on []int) float64 {
	z := float64(p.Offset)
	second := [network.Second]float64{}
	for j := range network.Hidden {
		x := 0.0
		for _, i := range on {
			x += float64(p.In[i][j])
		}
		x = min(max(x, 0), 1)
		for k := range second {
			second[k] += float64(p.Weights[k][j]) * x * x
		}
	}
	for k, h := range second {
		z += float64(p.Out[k]) * min(max(h+float64(p.Bias[k]), 0), 1)
	}
	return 1 / (1 + math.Exp(-z))
}

// TestValue plays random games and checks that the evaluator's values are near the parameters' values, and that Children returns
// the values of the positions after the moves.
func TestValue(t *testing.T) {
	for i, r := range variants {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%v/seed=%d", r, seed), func(t *testing.T) { compare(t, r, seed+10*uint64(i)) })
		}
	}
}

func compare(t *testing.T, r ultimate.Rules, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 2))
	p := random(seed)
	n, err := p.Network("")
	if err != nil {
		t.Fatal(err)
	}
	e, fresh := n.NewEvaluator(), n.NewEvaluator()
	for range 2 {
		b := ultimate.NewBoard(r)
		for b.Result == game.Ongoing {
			got, want := e.Value(&b), value(p, inputs(&b))
			if math.Abs(float64(got)-want) > 0.02 || got != fresh.Value(&b) {
				t.Fatalf("value %f, from the empty board %f, want %f: %+v", got, fresh.Value(&b), want, b)
			}
			b.Play(children(t, e, fresh, &b, rng))
		}
	}
}

// children compares the values of all children with the values of their positions, and returns one of the moves.
func children(t *testing.T, e, fresh *network.Evaluator, b *ultimate.Board, rng *rand.Rand) uint8 {
	t.Helper()
	var moves [ultimate.Moves]uint8
	var values [ultimate.Moves]float32
	count := b.List(&moves)
	if n := e.Children(b, &values); n != count {
		t.Fatalf("%d children, want %d: %+v", n, count, *b)
	}
	for i, m := range moves[:count] {
		next := *b
		next.Play(m)
		if want := 1 - fresh.Value(&next); next.Result == game.Ongoing && values[i] != want {
			t.Fatalf("move %d: value %f, want %f: %+v", m, values[i], want, *b)
		}
	}
	return moves[rng.IntN(count)]
}

// The inputs of a view are those of the reference.
func TestInputs(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for _, r := range variants {
		b := ultimate.NewBoard(r)
		for b.Result == game.Ongoing {
			v := network.See(&b)
			var got []int
			for _, i := range v.Inputs(nil) {
				got = append(got, int(i))
			}
			want := inputs(&b)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("inputs %v, want %v: %+v", got, want, b)
			}
			var moves [ultimate.Moves]uint8
			b.Play(moves[dice.IntN(b.List(&moves))])
		}
	}
}

// BenchmarkChildren measures the values of all children of positions 20 plies in, from the root 8 plies before.
func BenchmarkChildren(b *testing.B) {
	r := rng.Rand(3)
	var moves [ultimate.Moves]uint8
	e := network.Default().NewEvaluator()
	root := ultimate.NewBoard(ultimate.Rules{})
	for range 12 {
		root.Play(moves[r.Below(root.List(&moves))])
	}
	leaves := make([]ultimate.Board, 64)
	for i := range leaves {
		leaves[i] = root
		for k := 0; k < 8 && leaves[i].Result == game.Ongoing; k++ {
			leaves[i].Play(moves[r.Below(leaves[i].List(&moves))])
		}
	}
	var values [ultimate.Moves]float32
	total, k := 0, 0
	for b.Loop() {
		leaf := &leaves[k%len(leaves)]
		total += e.Children(leaf, &values)
		k++
	}
	b.ReportMetric(float64(total)/b.Elapsed().Seconds()/1e6, "Mevals/s")
}
