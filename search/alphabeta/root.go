// SPDX-License-Identifier: Apache-2.0

package alphabeta

import (
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// searchRoot returns the first best move in move order that is not taken, and its score, if that is above
// low; otherwise NoMove. A score of high or more is a lower bound, and other moves may be better still.
func (s *Searcher) searchRoot(depth int, low, high eval.Score, first game.Move) (eval.Score, game.Move) {
	best, move := low, game.NoMove
	start := s.order(first, game.NoMove)
	end, later := len(s.moves), false
	for i := start; i < end && best < high; i++ {
		m := s.pick(i, end)
		if slices.Contains(s.taken, m) {
			continue
		}
		// A move that stands before the best one need only be as good.
		alpha := best
		if m < move {
			alpha--
		}
		v := s.after(m, depth, alpha, high, later)
		if s.stopped {
			break
		}
		later = true
		if v > alpha {
			best, move = v, m
			s.keep(m)
			s.improve(depth, v)
		}
	}
	s.moves = s.moves[:start]
	return best, move
}

// improve makes the best line of the first line's search the answer: the last depth's best move has been
// searched before it, so it is at least as well founded.
func (s *Searcher) improve(depth int, v eval.Score) {
	if len(s.taken) == 0 {
		s.answer = s.info(depth, v, search.Lower, v > eval.WinBound && s.Terminal == Exact)
		s.report(s.answer)
	}
}

// extend makes the best line longer where the table cut it short, by its moves at nodes that it knows
// exactly.
func (s *Searcher) extend(depth int) {
	line := s.pv[0]
	for _, m := range line {
		s.p.Play(m)
	}
	for s.ply = len(line); s.ply < depth && s.p.Outcome() == game.Ongoing; s.ply++ {
		e := s.probe()
		if !e.fits(depth-s.ply) || e.bound != search.Exact || !game.Legal(s.p, e.move) {
			break
		}
		line = append(line, e.move)
		s.p.Play(e.move)
	}
	for range line {
		s.p.Undo()
	}
	s.pv[0], s.ply = line, 0
}
