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

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/search"
)

// without are the engine with one technique off each.
var without = map[string]Options{
	"table": {NoTable: true}, "aspiration": {NoAspiration: true}, "history": {NoHistory: true}, "counter": {NoCounter: true},
	"reduction": {NoReduction: true}, "count": {NoCount: true}, "futility": {NoFutility: true}, "razor": {NoRazor: true},
	"null": {NoNull: true}, "singular": {NoSingular: true}, "four": {NoFourExtension: true}, "iir": {NoIIR: true}, "proof": {NoProof: true},
}

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
		elo, err := duel(t, g, Options{}, without[name], pairs, nodes)
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
				p := g.Start()
				r, _ := newRule(g)
				for range 3 + opening.IntN(4) {
					p.Play(stray(opening, p, &r))
				}
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
