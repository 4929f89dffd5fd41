// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

const fullStrength = 100

// nodes is the limit of a search: INFO max_node or 2^(10 + strength/10), whichever is less. Strength 0 has a thousand
// nodes, enough to value the moves, and 99 a million.
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
	slip    float64    // the chance that a move is skipped for the next best one
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

// allows reports whether m, legal in b, is not blocked.
func (c choice) allows(b game.Board, m game.Move) bool { return !slices.Contains(c.blocked, b.Cell(m)) }

// maxSlip is the slip at strength 0, and slipLines how many moves there are to choose from below full strength.
const (
	maxSlip   = 0.9
	slipLines = 10
)

// lines returns how many lines a player must be asked for, so that as many as wanted are not blocked.
func (c choice) lines(wanted int) int {
	if c.slip > 0 {
		wanted = max(wanted, slipLines)
	}
	return wanted + len(c.blocked)
}

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

// choose returns the answer to play: the best open one, or by a slip a worse one. It is false if all are blocked.
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

// harmless reports whether a slip from one move to a worse one keeps a sure win and does not lose for sure.
func harmless(better, worse eval.Score) bool {
	_, win := better.Distance()
	_, loss := worse.Distance()
	return win <= 0 && loss >= 0
}

// chooseOther lets the player compare the moves that are not blocked, when it has told blocked ones only.
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

// swap2 reads the stones of the opening, Black's and White's in turn, and answers as opening.Answer says it:
//
//	none    three stones: x,y x,y x,y
//	three   SWAP to play Black, a move to stay with White, or two stones, after which the other side chooses
//	five    SWAP to play Black, or a move to stay with White
func (s *session) swap2(c call) error {
	stones, err := parseStones(c.lines, len(s.b.Cells()), true)
	if err != nil {
		return err
	}
	if n := len(stones); n != 0 && n != 3 && n != 5 {
		return fmt.Errorf("swap2 has 0, 3 or 5 stones, not %d", n)
	}
	b, err := start(s.b.Game())
	if err != nil {
		return err
	}
	for _, st := range stones {
		if err := playPoint(b, st.point); err != nil {
			return err
		}
	}
	s.b = b
	return s.askSwap2(c.at, func(a opening.Answer) {
		if a.Swap {
			s.out.say("SWAP")
			return
		}
		s.playAnswer(a.Moves)
	})
}

// askSwap2 has the player answer the board by the rule of swap2, and returns the answer.
func (s *session) askSwap2(at time.Time, say func(opening.Answer)) error {
	if err := s.able(); err != nil {
		return err
	}
	s.work(at, 1, s.reporter(1), func(ctx context.Context, a *asker, b game.Board, lim search.Limits) func() {
		answer, err := opening.Swapper{Analyze: a.analyze, Seed: s.Seed}.Swap2(ctx, b, lim)
		return func() {
			s.spend(at)
			if b.Ply() > 0 && a.first != nil {
				s.reportInfo(a.first.info, a.first.err)
			}
			if s.reportError(err); err == nil {
				say(answer)
			}
		}
	})
	return nil
}

func (s *session) rng() *rand.Rand { return rand.New(rand.NewPCG(s.Seed, s.b.Key())) }
