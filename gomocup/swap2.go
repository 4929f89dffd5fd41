// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// swap2Board reads the stones of the opening, Black's and White's in turn, and answers
//
//	none    three stones that are as even as can be found: x,y x,y x,y
//	three   SWAP to play Black, a move to stay with White, or two stones, after which the other side chooses
//	five    SWAP to play Black, or a move to stay with White
//
// To choose a side is worth what the position is worth to the better side, never less than nothing; two more
// stones leave the choice to the other side, and are worth no more than nothing. So the brain chooses, and places
// two more only when its player sees no difference at all.
func (s *session) swap2Board(string, time.Time) error {
	if s.b == nil {
		return errNoGame
	}
	s.collect = &block{bare: true, limit: len(s.b.Cells()), then: s.swap2}
	return nil
}

func (s *session) swap2(l *block, at time.Time) error {
	if n := len(l.stone); n != 0 && n != 3 && n != 5 {
		return fmt.Errorf("swap2 has 0, 3 or 5 stones, not %d", n)
	}
	b, ok := s.b.Game().Start().(game.Board)
	if !ok {
		return errNoGame
	}
	for _, st := range l.stone {
		if err := playPoint(b, st.point); err != nil {
			return err
		}
	}
	s.b = b
	if len(l.stone) == 0 {
		return s.even(at, 3, 0)
	}
	return s.choose(at, len(l.stone) == 3)
}

// choose takes the better side of the position, in which White is to move.
func (s *session) choose(at time.Time, mayPlace bool) error {
	if err := s.able(); err != nil {
		return err
	}
	lim, latest := s.limits(at, 1)
	if mayPlace && lim.Time > 0 {
		lim.Time = max(lim.Time/2, 1) // the other half is for two more stones
	}
	t := thinker{player: s.player, board: clone(s.b), limits: lim, latest: latest, report: s.reporter(1)}
	s.begins(lim, func(ctx context.Context) func() {
		info, abandoned, err := t.think(ctx)
		mayPlace = mayPlace && err == nil && ctx.Err() == nil
		return func() {
			if abandoned {
				s.player = nil
			}
			s.tell(info, err)
			switch {
			case info.Score < 0:
				s.spend(at)
				s.out.say("SWAP")
			case info.Score == 0 && mayPlace:
				s.check(s.even(at, 2, 0))
			default:
				s.spend(at)
				s.answer(info.PV[:1])
			}
		}
	})
	return nil
}

// balanceOne looks for the move after which the game is even, but for the bias.
func (s *session) balanceOne(rest string, at time.Time) error { return s.balance(rest, at, 1) }

// balanceTwo looks for two moves, one of either side.
func (s *session) balanceTwo(rest string, at time.Time) error { return s.balance(rest, at, 2) }

func (s *session) balance(rest string, at time.Time, n int) error {
	bias := 0
	if rest != "" {
		var err error
		if bias, err = strconv.Atoi(rest); err != nil || bias < -maxBias || bias > maxBias {
			return fmt.Errorf("%q is not a bias", shown(rest))
		}
	}
	if s.b == nil {
		return errNoGame
	}
	return s.even(at, n, eval.Score(bias)*eval.Unit)
}

// maxBias is beyond what any heuristic says of an open game.
const maxBias = 1 << 30

// even looks for n moves that leave the side to move then with the value bias, or next to it, and plays them.
func (s *session) even(at time.Time, n int, bias eval.Score) error {
	if err := s.able(); err != nil {
		return err
	}
	lim, latest := s.limits(at, 1)
	e := evener{player: s.player, board: clone(s.b), bias: bias, limits: lim, latest: latest}
	rng := rand.New(rand.NewPCG(s.Seed, s.b.Key()))
	candidates := candidates(s.b, rng, n)
	if len(candidates) == 0 {
		return errors.New("no moves after which the game goes on")
	}
	s.begins(lim, func(ctx context.Context) func() {
		moves, abandoned := e.choose(ctx, candidates)
		return func() {
			s.spend(at)
			if abandoned {
				s.player = nil
			}
			s.answer(moves)
		}
	})
	return nil
}

// maxCandidates is how many ways to place the stones are compared: each must get a search of some depth.
const maxCandidates = 32

// candidates returns ways to place n stones from b on: next to those that stand there, or next to a cell drawn
// anywhere on an empty board, since an even opening may lie at the edge. None ends the game.
func candidates(b game.Board, rng *rand.Rand, n int) [][]game.Move {
	var all [][]game.Move
	for range 8 * maxCandidates {
		c := clone(b)
		moves := draw(c, rng, n)
		if c.Outcome() == game.Ongoing && len(moves) == n && !slices.ContainsFunc(all, func(o []game.Move) bool { return slices.Equal(o, moves) }) {
			all = append(all, moves)
		}
		if len(all) == maxCandidates {
			break
		}
	}
	return all
}

// near is how far from a stone the next one is placed.
const near = 2

// draw plays n moves in b, each within near of a stone, and returns them.
func draw(b game.Board, rng *rand.Rand, n int) []game.Move {
	var moves []game.Move
	for range n {
		if b.Outcome() != game.Ongoing {
			break
		}
		sound := game.AppendSound(nil, b)
		close := slices.DeleteFunc(slices.Clone(sound), func(m game.Move) bool { return b.Ply() > 0 && !isNear(b, b.Cell(m)) })
		if len(close) > 0 {
			sound = close
		}
		m := sound[rng.IntN(len(sound))]
		b.Play(m)
		moves = append(moves, m)
	}
	return moves
}

// isNear says whether a stone stands within near of the cell.
func isNear(b game.Board, cell int) bool {
	columns, rows := b.Size()
	x, y := cell%columns, cell/columns
	for r := max(y-near, 0); r <= min(y+near, rows-1); r++ {
		for c := max(x-near, 0); c <= min(x+near, columns-1); c++ {
			if b.Cells()[r*columns+c] != game.Empty {
				return true
			}
		}
	}
	return false
}

// evener compares ways to place stones by successive halving: all get a short search, the half that is nearer to
// even one twice as long, and so on until one is left.
//
// CITE: Karnin, Koren and Somekh, Almost Optimal Exploration in Multi-Armed Bandits, 2013.
type evener struct {
	player player.Player
	board  game.Board
	bias   eval.Score
	limits search.Limits // of all searches together
	latest time.Time
}

// usualTime is for all searches where the manager sets no limit.
const usualTime = 2 * time.Second

// rated is a candidate and how far from even it is.
type rated struct {
	moves []game.Move
	off   eval.Score
}

func (e *evener) choose(ctx context.Context, candidates [][]game.Move) (moves []game.Move, abandoned bool) {
	left := make([]rated, len(candidates))
	rounds := 0
	for i, c := range candidates {
		left[i].moves = c
	}
	for n := len(left); n > 1; n = (n + 1) / 2 {
		rounds++
	}
	for len(left) > 1 && ctx.Err() == nil {
		each := e.share(rounds * len(left))
		for i := range left {
			if left[i].off, abandoned = e.rate(ctx, left[i].moves, each); abandoned {
				return left[0].moves, true
			}
		}
		slices.SortStableFunc(left, func(a, b rated) int { return compare(a.off, b.off) })
		left = left[:(len(left)+1)/2]
	}
	return left[0].moves, false
}

func compare(a, b eval.Score) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// share returns the limits of one search of n.
func (e *evener) share(n int) search.Limits {
	lim := e.limits
	if lim.Time == 0 && lim.Nodes == 0 && lim.Depth == 0 {
		lim.Time = usualTime
	}
	if lim.Time > 0 {
		lim.Time = max(lim.Time/time.Duration(n), time.Microsecond)
	}
	if lim.Nodes > 0 {
		lim.Nodes = max(lim.Nodes/uint64(n), 1)
	}
	return lim
}

// rate returns how far from the bias the position after the moves is.
func (e *evener) rate(ctx context.Context, moves []game.Move, lim search.Limits) (off eval.Score, abandoned bool) {
	b := clone(e.board)
	for _, m := range moves {
		b.Play(m)
	}
	t := thinker{player: e.player, board: b, limits: lim, latest: e.latest, report: func(game.Board, search.Info) {}}
	info, abandoned, err := t.think(ctx)
	if err != nil {
		return eval.Infinity, abandoned
	}
	return max(info.Score-e.bias, e.bias-info.Score), abandoned
}
