// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/dfpn"
	"github.com/krow-lab/krow/search/tt"
)

// tree answers one question on every position of a small board by a search of all continuations.
type tree struct {
	g     *geometry
	weak  bool
	known map[uint64]dfpn.Verdict
}

// line reports whether s has k in a row.
func (tr *tree) line(cells []game.Stone, s side) bool {
	for _, l := range tr.g.lines {
		full := true
		for rest := l; full && !rest.empty(); {
			full = cells[rest.pop()] == stoneOf(s)
		}
		if full {
			return true
		}
	}
	return false
}

func stoneOf(s side) game.Stone { return game.Side(s).Stone() }

// verdict returns the verdict on the position with s to move. Nobody may have k in a row that counts.
func (tr *tree) verdict(cells []game.Stone, s side) dfpn.Verdict {
	name := uint64(s)
	for _, st := range cells {
		name = 3*name + uint64(st)
	}
	if v, ok := tr.known[name]; ok {
		return v
	}
	v := dfpn.Refuted // a full board, unless there is a move
	for c := range cells {
		if cells[c] != game.Empty {
			continue
		}
		if v = tr.after(cells, c, s); v == dfpn.For(s == attacker) {
			break
		}
	}
	tr.known[name] = v
	return v
}

// after returns the verdict on the position after a move of s to c.
func (tr *tree) after(cells []game.Stone, c int, s side) dfpn.Verdict {
	cells[c] = stoneOf(s)
	defer func() { cells[c] = game.Empty }()
	if (s == attacker || !tr.weak) && tr.line(cells, s) {
		return dfpn.For(s == attacker)
	}
	return tr.verdict(cells, s^1)
}

// TestStaticJudgementsAreTrue compares the results that need no search with the truth, in both games and with both sides to move:
// judge and each of its bounds, wins by fours, moves and zones left out, and positions with one key. It tests positions of random
// games, each set up from its stones: a position that was reached move by move may lack lines that were closed because the side
// that defends against them would have answered, and then has another value.
func TestStaticJudgementsAreTrue(t *testing.T) {
	judged, open, keys := 0, 0, 0
	for _, size := range [][3]int{{4, 3, 3}, {6, 2, 3}, {11, 1, 3}, {5, 2, 4}, {3, 3, 2}, {3, 3, 3}, {5, 4, 4}, {6, 5, 5}} {
		for _, weak := range []bool{false, true} {
			g := newGeometry(size[0], size[1], size[2])
			t.Run(fmt.Sprintf("%v/weak=%t", size, weak), func(t *testing.T) {
				p := newProver(g, weak, tt.New(1))
				p.load(make([]game.Stone, g.cells), game.First)
				p.Ask(p, search.NewBudget(t.Context(), search.Limits{}), math.MaxUint64) // so that wins by fours can be counted
				c := &claims{t: t, prover: p, tree: tree{g, weak, map[uint64]dfpn.Verdict{}}, keys: map[uint64]dfpn.Verdict{}}
				for seed := range uint64(150) {
					c.game(rand.New(rand.NewPCG(seed, 4)))
				}
				judged, open, keys = judged+c.judged, open+c.open, keys+len(c.keys)
			})
		}
	}
	if judged < 1000 || keys < 500 || open < 2*keys {
		t.Errorf("%d positions judged, %d keys of %d others: this tests too little", judged, keys, open)
	}
}

// claims compares the results of the static techniques with the truth.
type claims struct {
	t *testing.T
	*prover
	tree
	keys         map[uint64]dfpn.Verdict
	judged, open int // positions
}

// game plays moves at random until somebody has k in a row, and checks each position.
func (c *claims) game(rng *rand.Rand) {
	cells, s := make([]game.Stone, c.g.cells), side(rng.IntN(2))
	for i, m := range rng.Perm(len(cells)) {
		if len(cells)-i <= 10 {
			c.load(cells, game.First)
			c.check(cells, s)
		}
		if cells[m] = stoneOf(s); c.line(cells, s) {
			return
		}
		s ^= 1
	}
}

func (c *claims) check(cells []game.Stone, s side) {
	c.t.Helper()
	p, want := c.prover, c.verdict(cells, s)
	p.turn = s
	fail := func(what string) {
		c.t.Helper()
		c.t.Fatalf("%v, side %d to move: %s, but the question is answered %d", cells, s, what, want)
	}
	if p.breaks(s) && want != dfpn.Refuted {
		fail("the defender is said to break every line")
	}
	if s == attacker && p.paired() && want != dfpn.Refuted {
		fail("the defender is said to have a pairing")
	}
	before := p.plan
	p.plan = newPlan(p.geometry)
	if s == attacker && p.planned(set{}) && want != dfpn.Refuted {
		fail("the defender is said to have a plan")
	}
	p.plan = before
	if v := (vcf{prover: p, by: s, left: mostFours}); v.wins() && want != dfpn.For(s == attacker) {
		fail("the side to move is said to win by fours")
	}
	if v := p.judge(s); v != dfpn.Unknown {
		c.judged++
		if v != want {
			fail(fmt.Sprintf("judged %d", v))
		}
		return
	}
	if old := c.keys[p.key()]; old != dfpn.Unknown && old != want {
		fail("another position has the same key")
	}
	c.keys[p.key()] = want
	c.open++
	zone, good := p.all, 0
	moves := p.board.moves(s, nil)
	if len(moves) > 1 {
		zone = p.zone(s)
	}
	for _, m := range moves {
		if zone.has(int(m)) && c.after(cells, int(m), s) == dfpn.For(s == attacker) {
			good++
		}
	}
	if (want == dfpn.For(s == attacker)) != (good > 0) {
		fail(fmt.Sprintf("%d of the moves listed get the side to move its way", good))
	}
}
