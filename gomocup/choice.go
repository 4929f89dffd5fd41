// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/opening"
	"github.com/krow-lab/krow/search"
)

// fullStrength is INFO strength of a brain that plays as well as it can.
const fullStrength = 100

// nodes is the limit of nodes of a search: that of INFO max_node, and of less than full strength 2^(10 + strength/10), which
// is a thousand at none, enough to value the moves to choose from, 33 thousand at half, and a million at 99.
func (s *session) nodes() uint64 {
	n := s.options.nodes
	if s.options.strength < fullStrength {
		if weak := uint64(math.Exp2(10 + float64(s.options.strength)/10)); n == 0 || weak < n {
			n = weak
		}
	}
	return n
}

// choice says which of the player's best moves is played.
type choice struct {
	blocked []int      // cells
	slip    float64    // how likely the next best move is taken instead of one, again and again
	rng     *rand.Rand // draws that
}

// choice returns how to choose on the board, or an error when every move is blocked.
func (s *session) choice() (choice, error) {
	c := choice{slip: maxSlip * float64(fullStrength-s.options.strength) / fullStrength, rng: s.rng()}
	for _, pt := range s.blocked {
		if cell, err := cellAt(s.b, pt); err == nil {
			c.blocked = append(c.blocked, cell)
		}
	}
	if len(c.blocked) > 0 && !slices.ContainsFunc(s.b.AppendMoves(nil), func(m game.Move) bool { return c.allows(s.b, m) }) {
		return c, errors.New("every move is blocked")
	}
	return c, nil
}

// allows says whether m, legal in b, is not blocked.
func (c choice) allows(b game.Board, m game.Move) bool { return !slices.Contains(c.blocked, b.Cell(m)) }

// A brain without any strength slips so often, and one of less than the full strength has so many moves to choose from.
const (
	maxSlip   = 0.9
	slipLines = 10
)

// lines returns how many lines a player must be asked for, so that as many as wanted are left to choose from.
func (c choice) lines(wanted int) int {
	if c.slip > 0 {
		wanted = max(wanted, slipLines)
	}
	return wanted + len(c.blocked)
}

// unless returns a report that passes over blocked moves.
func (c choice) unless(report func(game.Board, search.Info)) func(game.Board, search.Info) {
	if len(c.blocked) == 0 {
		return report
	}
	return func(b game.Board, i search.Info) {
		if len(i.PV) > 0 && game.Legal(b, i.PV[0]) && c.allows(b, i.PV[0]) {
			report(b, i)
		}
	}
}

// choose returns the answer to play: the best one that is not blocked, or by a slip a worse one. There is none where the
// player has looked at blocked moves only.
func (c choice) choose(b game.Board, v verdict) (search.Info, bool) {
	var open []search.Info
	for _, i := range append([]search.Info{v.info}, v.lines...) {
		same := func(o search.Info) bool { return o.PV[0] == i.PV[0] }
		if len(i.PV) > 0 && game.Legal(b, i.PV[0]) && c.allows(b, i.PV[0]) && !slices.ContainsFunc(open, same) {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return search.Info{}, false
	}
	n := 0
	for n+1 < len(open) && c.rng.Float64() < c.slip && harmless(open[n].Score, open[n+1].Score) {
		n++
	}
	return open[n], true
}

// harmless says whether a slip from one move to a worse one neither gives a sure win away nor loses for sure.
func harmless(better, worse eval.Score) bool {
	_, win := better.Distance()
	_, loss := worse.Distance()
	return win <= 0 && loss >= 0
}

// chooseOther has the player compare what is left when it would only play what is blocked.
func (s *session) chooseOther(at time.Time, c choice) {
	var ways [][]game.Move
	for _, m := range opening.Around(s.b) {
		if c.allows(s.b, m) {
			ways = append(ways, []game.Move{m})
		}
	}
	if len(ways) == 0 {
		m := slices.IndexFunc(s.b.AppendMoves(nil), func(m game.Move) bool { return c.allows(s.b, m) })
		ways = [][]game.Move{{s.b.AppendMoves(nil)[m]}}
	}
	ways = ways[:min(len(ways), maxLines)]
	s.contest(at, ways, func(s eval.Score) eval.Score { return s })
}
