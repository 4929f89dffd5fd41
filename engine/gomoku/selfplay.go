// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"context"
	"math/rand/v2"
	"sync"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/binpack"
	"github.com/krow-lab/krow/search"
)

// A game of self-play begins from an opening that a search of so many nodes takes for even, within so much, and is
// called a draw after so many stones.
const (
	evenNodes  = 600
	evenMargin = eval.Unit * 6 / 10
	mostStones = 120
)

// packedWin is what a move that wins at once is worth in a binpack; one in n plies is worth n-1 less.
const packedWin = 30000

// SelfPlay plays games of the engine against itself, nodes a move, from even openings of two to six stones at random
// close to each other. The same seed gives the same games, whatever jobs, the games played at once. Scores are in
// hundredths of a unit.
func SelfPlay(ctx context.Context, g game.Game, o Options, games, jobs int, nodes, seed uint64) ([]binpack.Game, error) {
	if _, err := New(g, o); err != nil {
		return nil, err
	}
	played := make([]binpack.Game, games)
	var wg sync.WaitGroup
	for job := range jobs {
		wg.Go(func() {
			for i := job; i < games && ctx.Err() == nil; i += jobs {
				played[i] = playOne(ctx, g, o, nodes, rand.New(rand.NewPCG(seed, uint64(i))))
			}
		})
	}
	wg.Wait()
	return played, ctx.Err()
}

// playOne plays one game.
func playOne(ctx context.Context, g game.Game, o Options, nodes uint64, rng *rand.Rand) binpack.Game {
	r, _ := newRule(g)
	s, _ := New(g, o)
	p := evenOpening(ctx, s, &r, rng)
	record := binpack.Game{Side: r.columns, Rule: r.packed(), Result: binpack.Drawn}
	for _, m := range p.AppendHistory(nil) {
		record.Opening = append(record.Opening, int(m))
	}
	me, outcome := p.Turn(), game.Ongoing
	for outcome == game.Ongoing && p.Ply() < mostStones && ctx.Err() == nil {
		info, err := s.Search(ctx, p, search.Limits{Nodes: nodes}, nil)
		if err != nil {
			break
		}
		record.Plies = append(record.Plies, []binpack.Move{{Cell: int(info.PV[0]), Score: packScore(info.Score), Scored: true}})
		if m, ok := aside(ctx, s, p, &r, info.PV[0], nodes, rng); ok {
			last := len(record.Plies) - 1
			record.Plies[last] = append(record.Plies[last], m)
		}
		switch _, sign := info.Score.Distance(); {
		case sign > 0:
			outcome = game.WinFor(p.Turn())
		case sign < 0:
			outcome = game.WinFor(p.Turn().Other())
		}
		if p.Play(info.PV[0]); outcome == game.Ongoing {
			outcome = p.Outcome()
		}
	}
	if w, won := outcome.Winner(); won {
		record.Result = binpack.Lost
		if w == me {
			record.Result = binpack.Won
		}
	}
	return record
}

// asideMoves is among how many of the moves that look best one is tried beside the one that is played.
const asideMoves = 12

// aside returns a move that looks good but was not played, and what the search takes it for: the evaluation is asked
// about such positions more often than about those of good play. It returns false where there is none.
func aside(ctx context.Context, s *Searcher, p game.Position, r *rule, played game.Move, nodes uint64, rng *rand.Rand) (binpack.Move, bool) {
	b, list := newBoard(r, nil), new(moveList)
	b.load(p.(game.Board), p)
	n := b.generate(list)
	i := rng.IntN(min(n, asideMoves))
	var c int
	for j := range i + 1 {
		c = int(list.pick(j, n).cell)
	}
	m := b.move(c)
	if m == played || !game.Legal(p, m) {
		return binpack.Move{}, false
	}
	if f, ok := p.(game.Forbidder); ok && f.Forbidden(m) != "" {
		return binpack.Move{}, false
	}
	p.Play(m)
	defer p.Undo()
	if p.Outcome() != game.Ongoing {
		return binpack.Move{}, false
	}
	info, err := s.Search(ctx, p, search.Limits{Nodes: nodes}, nil)
	return binpack.Move{Cell: int(m), Score: packScore(-info.Score), Scored: true}, err == nil
}

// packed returns the rule's code.
func (r *rule) packed() binpack.Rule {
	switch side := r.side[0]; {
	case side.renju:
		return binpack.Renju
	case side.blocked:
		return binpack.Caro
	case side.exact:
		return binpack.Standard
	}
	return binpack.Freestyle
}

// packScore returns a score in hundredths of a unit, no more than 20000, or how near a win is.
func packScore(s eval.Score) int16 {
	if plies, sign := s.Distance(); sign != 0 {
		return int16(sign * max(packedWin-plies, maxEval))
	}
	return int16(max(-maxEval, min(s*100/eval.Unit, maxEval)))
}

// EvenOpenings returns n openings of the kind that SelfPlay begins with.
func EvenOpenings(ctx context.Context, g game.Game, n int, seed uint64) ([][]game.Move, error) {
	s, err := New(g, Options{Hash: 1 << 20})
	if err != nil {
		return nil, err
	}
	r, _ := newRule(g)
	var all [][]game.Move
	for i := range n {
		all = append(all, evenOpening(ctx, s, &r, rand.New(rand.NewPCG(seed, uint64(i)))).AppendHistory(nil))
	}
	return all, ctx.Err()
}

// evenOpening returns a random opening that the engine takes for even. Its stones are of an even number, so that the
// side that plays the first ply is the first side.
func evenOpening(ctx context.Context, s *Searcher, r *rule, rng *rand.Rand) game.Position {
	for {
		p := s.g.Start()
		for range 2 + 2*rng.IntN(3) {
			p.Play(stray(rng, p, r))
		}
		info, err := s.Search(ctx, p, search.Limits{Nodes: evenNodes}, nil)
		if err != nil || ctx.Err() != nil || max(info.Score, -info.Score) < evenMargin {
			return p
		}
	}
}

// stray returns a move at random, no more than two cells from the middle or three from a stone.
func stray(rng *rand.Rand, p game.Position, r *rule) game.Move {
	cells := p.(game.Board).Cells()
	for {
		x, y := rng.IntN(r.columns), rng.IntN(r.rows)
		m := game.Move(x + y*r.columns)
		near := max(x-r.columns/2, r.columns/2-x, y-r.rows/2, r.rows/2-y) <= 2
		for c, stone := range cells {
			dx, dy := c%r.columns-x, c/r.columns-y
			near = near || stone != game.Empty && max(dx, -dx, dy, -dy) <= 3 && rng.IntN(4) == 0
		}
		if f, ok := p.(game.Forbidder); near && game.Legal(p, m) && (!ok || f.Forbidden(m) == "") {
			return m
		}
	}
}
