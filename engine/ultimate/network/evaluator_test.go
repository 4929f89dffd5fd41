// SPDX-License-Identifier: Apache-2.0

package network_test

import (
	"fmt"
	"math"
	"math/rand/v2"
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
	for j := range network.Hidden {
		for i := range network.Inputs {
			p.In[i][j] = float32(rng.NormFloat64() * 0.2)
		}
		p.Bias[j], p.Out[j] = float32(rng.NormFloat64()*0.3+0.3), float32(rng.NormFloat64()*0.3)
	}
	p.Offset = 0.1
	return p
}

// value is the network computed the obvious way, from the parameters and the stones.
func value(p *network.Parameters, b *ultimate.Board) float64 {
	me := b.Turn
	var on []int
	for i := range 9 {
		for s, first := range []int{0, 81} {
			side := me ^ uint8(s)
			if b.Won[side]>>i&1 != 0 {
				on = append(on, 162+9*s+i)
			}
			for c := range 9 {
				if (b.Won[0]|b.Won[1])>>i&1 == 0 && b.Stones[side][i]>>c&1 != 0 {
					on = append(on, first+9*i+c)
				}
			}
		}
	}
	on = append(on, 180+int(b.Forced))
	z := float64(p.Offset)
	for j := range network.Hidden {
		x := float64(p.Bias[j])
		for _, i := range on {
			x += float64(p.In[i][j])
		}
		x = min(max(x, 0), 1)
		z += float64(p.Out[j]) * x * x
	}
	return 1 / (1 + math.Exp(-z))
}

// TestValue plays random games and holds what the evaluator says, with bases here and there, near what the
// parameters say; and the children equal to the positions that they are.
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
			if rng.IntN(4) == 0 {
				e.Base(&b)
			}
			got, want := e.Value(&b), value(p, &b)
			if math.Abs(float64(got)-want) > 0.02 || got != fresh.Value(&b) {
				t.Fatalf("value %f, from the empty board %f, want %f: %+v", got, fresh.Value(&b), want, b)
			}
			b.Play(children(t, e, fresh, &b, rng))
		}
	}
}

// children compares the values of all children with what they are as positions, and returns one of the moves.
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

// The inputs are those of the reference.
func TestAppend(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	p := random(3)
	n, err := p.Network("")
	if err != nil {
		t.Fatal(err)
	}
	b := ultimate.NewBoard(ultimate.Rules{})
	for b.Result == game.Ongoing {
		z := float64(p.Offset)
		inputs := network.Append(nil, &b)
		for j := range network.Hidden {
			x := float64(p.Bias[j])
			for _, i := range inputs {
				x += float64(p.In[i][j])
			}
			x = min(max(x, 0), 1)
			z += float64(p.Out[j]) * x * x
		}
		if got, want := 1/(1+math.Exp(-z)), float64(n.NewEvaluator().Value(&b)); math.Abs(got-want) > 0.02 {
			t.Fatalf("the inputs %v give %f, want %f", inputs, got, want)
		}
		var moves [ultimate.Moves]uint8
		b.Play(moves[dice.IntN(b.List(&moves))])
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
	e.Base(&root)
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
