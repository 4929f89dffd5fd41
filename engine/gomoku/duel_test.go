// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/search"
)

// TestDuel measures what techniques are worth, when KROW_DUEL names some, such as "null singular". KROW_PAIRS and
// KROW_NODES say how many pairs of games it plays, and how many nodes a move has.
func TestDuel(t *testing.T) {
	names, pairs, nodes := os.Getenv("KROW_DUEL"), 100, uint64(10_000)
	if names == "" {
		t.Skip("KROW_DUEL names no technique")
	}
	if n, err := strconv.Atoi(os.Getenv("KROW_PAIRS")); err == nil {
		pairs = n
	}
	if n, err := strconv.ParseUint(os.Getenv("KROW_NODES"), 10, 64); err == nil {
		nodes = n
	}
	g := gametest.Must[*mnk.Game](t)(mnk.Gomoku(15))
	switch os.Getenv("KROW_GAME") {
	case "renju":
		g = gametest.Must[*mnk.Game](t)(renju.New(15))
	case "standard":
		g = gametest.Must[*mnk.Game](t)(mnk.Standard(15))
	case "caro":
		g = gametest.Must[*mnk.Game](t)(mnk.Caro(15))
	}
	for _, name := range strings.Fields(names) {
		var without Options
		if !without.Switch(name, false) {
			t.Fatalf("no technique %q", name)
		}
		elo, err := duel(t, g, Options{}, without, pairs, nodes)
		t.Logf("%-10s on against off: %+.0f ± %.0f Elo", name, elo, err)
	}
}

// duel returns how much stronger a is than b, and 1.96 standard errors.
func duel(t *testing.T, g game.Game, a, b Options, pairs int, nodes uint64) (elo, interval float64) {
	a.Hash, b.Hash = 4<<20, 4<<20
	points := make([]float64, pairs)
	var wg sync.WaitGroup
	for job := range 2 {
		wg.Go(func() {
			for i := job; i < pairs; i += 2 {
				opening := rand.New(rand.NewPCG(77, uint64(i)))
				p := balanced(t, g, opening)
				points[i] = (bout(t, p.Clone(), a, b, nodes) + 1 - bout(t, p.Clone(), b, a, nodes)) / 2
			}
		})
	}
	wg.Wait()
	mean, square := 0.0, 0.0
	for _, x := range points {
		mean += x / float64(pairs)
	}
	for _, x := range points {
		square += (x - mean) * (x - mean) / float64(pairs)
	}
	mean = max(0.001, min(mean, 0.999))
	slope := 400 / math.Ln10 / (mean * (1 - mean))
	return -400 * math.Log10(1/mean-1), 1.96 * math.Sqrt(square/float64(pairs)) * slope
}

// balanced returns a random opening that the engine takes for even.
func balanced(t *testing.T, g game.Game, rng *rand.Rand) game.Position {
	s, err := New(g, Options{Hash: 1 << 20})
	if err != nil {
		t.Error(err)
		return g.Start()
	}
	for {
		p, r := g.Start(), ruleOf(t, g)
		for range 3 + rng.IntN(4) {
			p.Play(stray(rng, p, r))
		}
		info, err := s.Search(t.Context(), p, search.Limits{Nodes: 2000}, nil)
		if err == nil && max(info.Score, -info.Score) < eval.Unit/2 {
			return p
		}
	}
}

// bout plays on from p, a to move first, and returns a's points.
func bout(t *testing.T, p game.Position, a, b Options, nodes uint64) float64 {
	var players [2]*Searcher
	for i, o := range [2]Options{a, b} {
		s, err := New(p.Game(), o)
		if err != nil {
			t.Error(err)
			return 0
		}
		players[i] = s
	}
	me := p.Turn()
	for i := 0; p.Outcome() == game.Ongoing; i++ {
		info, err := players[i%2].Search(t.Context(), p, search.Limits{Nodes: nodes}, nil)
		if err != nil {
			t.Error(err)
			return 0
		}
		p.Play(info.PV[0])
	}
	switch w, won := p.Outcome().Winner(); {
	case !won:
		return 0.5
	case w == me:
		return 1
	}
	return 0
}
