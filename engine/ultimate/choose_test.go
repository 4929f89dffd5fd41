// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/engine/ultimate/network"
	rules "github.com/krow-lab/krow/game/ultimate"
)

// kin returns the given number of random children, such as a tree might hold.
func kin(seed uint64, n int) []node {
	rng := rand.New(rand.NewPCG(seed, 3))
	children := make([]node, n)
	for i := range children {
		low := rng.IntN(3) * rng.IntN(2)
		high := low + rng.IntN(3-low)
		if rng.IntN(2) == 0 {
			low, high = lost, won
		}
		value, visits := rng.Float32(), 1+rng.Uint32N(1<<rng.IntN(32))
		switch rng.IntN(10) {
		case 0:
			value, visits = 0.5, 3 // for ties
		case 1:
			value = float32(rng.IntN(2))
		}
		l := newLink(uint8(rng.IntN(rules.Moves)), low, high, rng.IntN(200))
		children[i].store(newStats(value, visits), l.with(rng.Uint32(), uint32(rng.IntN(82)))|shade(rng.Float32()/8))
	}
	return children
}

// FuzzFamily compares the loops over children with their versions in Go, bit for bit.
func FuzzFamily(f *testing.F) {
	for n := range rules.Moves + 1 {
		f.Add(uint64(n), uint8(n), float32(0.1))
	}
	f.Add(uint64(1), uint8(40), float32(0))
	f.Fuzz(func(t *testing.T, seed uint64, count uint8, explore float32) {
		if !(explore >= 0 && explore <= math.MaxFloat32) {
			return // no exploration that a search can have
		}
		children := kin(seed, int(count)%(rules.Moves+1))
		for need := range link(3) {
			if got, want := pick(children, explore, need<<50), pickGo(children, explore, need<<50); got != want {
				t.Errorf("pick: %x, want %x", got, want)
			}
		}
		if got, want := gather(children), gatherGo(children); got != want {
			t.Errorf("gather: %+v, want %+v", got, want)
		}
	})
}

// TestGather compares gather with sums of higher precision.
func TestGather(t *testing.T) {
	for seed := range uint64(300) {
		children := kin(seed, 1+int(seed)%rules.Moves)
		want, sum, visits := family{}, 0.0, uint32(0)
		for i := range children {
			s, k := children[i].load()
			sum += float64(s.value()) * float64(s.visits())
			visits += s.visits()
			want.best, want.links = max(want.best, s.value()), want.links|k
		}
		got := gather(children)
		if got.best != want.best || got.visits != visits || got.links != want.links || math.Abs(float64(got.sum)-sum) > 1e-5*sum {
			t.Errorf("%+v, want %+v, %d visits and the sum %f", got, want, visits, sum)
		}
	}
}

// TestNewChildrenFollowNetwork: when a position is expanded, children to which the network gives lower values have deeper shades.
func TestNewChildrenFollowNetwork(t *testing.T) {
	g := rules.New(rules.Rules{})
	s, err := New(g, Options{Hash: 1 << 20, NoProof: true, Net: network.Default()})
	if err != nil {
		t.Fatal(err)
	}
	b := rules.NewBoard(g.Rules())
	s.tree.reset(&b)
	w := s.workers[0]
	w.depth = 1
	w.simulate(1)
	children := s.tree.children(s.tree.nodes[0].loadLink())
	seen := map[int]bool{}
	for i := range children {
		a, la := children[i].load()
		seen[la.shade()] = true
		for j := range children {
			if b, lb := children[j].load(); a.value() > b.value() && la.shade() > lb.shade() {
				t.Errorf("moves %d and %d: values %f and %f, shades %d and %d", la.move(), lb.move(), a.value(), b.value(), la.shade(), lb.shade())
			}
		}
	}
	if len(children) != rules.Moves || !seen[0] || len(seen) < 3 {
		t.Errorf("%d children with the shades %v", len(children), seen)
	}
}
