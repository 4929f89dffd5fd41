// SPDX-License-Identifier: Apache-2.0

package opening

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Open implements Opener. If the other player may swap afterwards, it places stones such that the position is as even as possible.
// It offers ten fifth stones only if all ten are good for Black. It declares the number of fifth stones that are good for Black. If
// it must choose a colour, it takes the colour that its search prefers.
func (s Swapper) Open(ctx context.Context, o *Session, lim search.Limits) (Answer, error) {
	q, ok := o.Question()
	if !ok {
		return Answer{}, errors.New("the opening is over")
	}
	b := o.b
	half := share(lim, 2)
	switch {
	case o.rule == Swap && q.Swap:
		return s.choose(ctx, b, false, lim)
	case isSwap(o.rule):
		return s.Swap2(ctx, clone(b), lim)
	case q.Choose != nil: // White is to move after the fifth stone, so choose the stone with the best score for White
		c := Contest{Analyze: s.Analyze, Limits: lim, Cost: func(v eval.Score) eval.Score { return -v }}
		return Answer{Moves: c.Best(ctx, b, single(q.Choose))}, nil
	case q.Place == 3:
		return Answer{Moves: s.pattern(b)}, nil
	case q.Declare > 0:
		way, err := s.even(ctx, b, q.Within, half)
		if err != nil {
			return Answer{}, err
		}
		c := clone(b)
		c.Play(way[0])
		fives := 1
		for i, r := range s.fifths(ctx, c, q.Declare, half) {
			if r.cost <= 0 { // after this fifth stone White, who is to move, is not better than Black
				fives = i + 1
			}
		}
		return Answer{Moves: way, Fives: fives}, nil
	case q.Offers > 0:
		best := s.fifths(ctx, b, q.Offers, half)
		if len(best) < q.Offers {
			return Answer{}, errNoWay
		}
		good := best[len(best)-1].cost <= 0
		switch {
		case !good && q.Swap && q.Place == 0:
			return Answer{Swap: true}, nil
		case good || q.Place == 0:
			var a Answer
			for _, r := range best {
				a.Moves = append(a.Moves, r.moves[0])
			}
			return a, nil
		}
	case q.Stones == 5 && q.Swap:
		return s.choose(ctx, b, false, lim)
	}
	way, err := s.even(ctx, b, q.Within, half)
	return Answer{Moves: way}, err
}

// pattern returns a random one of the 26 openings of renju (see Patterns), with its first stone on the middle cell of the
// board.
func (s Swapper) pattern(b game.Board) []game.Move {
	side, _ := b.Size()
	_, all := Patterns()
	moves := make([]game.Move, 0, 3)
	rng := rand.New(rand.NewPCG(s.Seed, b.Key()))
	for word := range strings.FieldsSeq(all[rng.IntN(len(all))]) {
		cell, err := game.ParseCell(word, 15, 15)
		if err != nil {
			panic(err) // cannot happen, because the moves are constants of this package
		}
		x, y := cell%15-7+side/2, cell/15-7+side/2
		moves = append(moves, game.Move(x+y*side))
	}
	return moves
}

// even returns the move that makes the position most even. If the parameter within is above 0, it compares the cells of the
// central square with this side length. If it is 0, it compares the cells near other stones.
func (s Swapper) even(ctx context.Context, b game.Board, within int, lim search.Limits) ([]game.Move, error) {
	side, _ := b.Size()
	ways := slices.DeleteFunc(single(different(b, game.AppendSound(nil, b))), func(w []game.Move) bool {
		return within > 0 && !inMiddle(int(w[0]), side, within) || within == 0 && !isNear(b, int(w[0]), near)
	})
	if len(ways) == 0 {
		return nil, errNoWay
	}
	rng := rand.New(rand.NewPCG(s.Seed, b.Key()))
	rng.Shuffle(len(ways), func(i, j int) { ways[i], ways[j] = ways[j], ways[i] })
	c := Contest{Analyze: s.Analyze, Limits: lim, Cost: Off(0)}
	return c.Best(ctx, b, ways[:min(len(ways), maxWays)]), nil
}

// fifths returns the n best fifth stones that the search finds, the best first. No two of them are equal up to symmetry. The
// cost of a fifth stone is White's score after it, so a low cost is good for Black.
func (s Swapper) fifths(ctx context.Context, b game.Board, n int, lim search.Limits) []rated {
	all := different(b, game.AppendSound(nil, b))
	close := slices.DeleteFunc(slices.Clone(all), func(m game.Move) bool { return !isNear(b, int(m), near) })
	if len(close) < n {
		close = all
	}
	c := Contest{Analyze: s.Analyze, Limits: lim, Cost: func(v eval.Score) eval.Score { return v }}
	return c.top(ctx, b, single(close), n)
}

// different removes each move that leads, up to symmetry, to the same position as an earlier move.
func different(b game.Board, moves []game.Move) []game.Move {
	l := symmetry.NewLine(b.Game())
	for _, m := range b.AppendHistory(nil) {
		if l.Play(m) != nil {
			return moves
		}
	}
	seen := map[uint64]bool{}
	return slices.DeleteFunc(moves, func(m game.Move) bool {
		if l.Play(m) != nil {
			return true
		}
		key := l.Key()
		l.Undo()
		twice := seen[key]
		seen[key] = true
		return twice
	})
}

func single(moves []game.Move) [][]game.Move {
	ways := make([][]game.Move, len(moves))
	for i, m := range moves {
		ways[i] = []game.Move{m}
	}
	return ways
}

// top rates ways, each a list of moves for the next stones, and returns the n ways with the lowest costs, the lowest first.
// It repeatedly drops the worse half of the ways until at most n are left.
func (c Contest) top(ctx context.Context, b game.Board, ways [][]game.Move, n int) []rated {
	left := make([]rated, len(ways))
	for i, w := range ways {
		left[i] = rated{moves: w}
	}
	rounds := 1
	for m := len(left); m > n; m = max((m+1)/2, n) {
		rounds++
	}
	for {
		each := share(c.Limits, rounds*len(left))
		for i := range left {
			if ctx.Err() == nil {
				left[i].cost = c.rate(ctx, b, left[i].moves, each)
			}
		}
		slices.SortStableFunc(left, func(a, b rated) int { return cmp.Compare(a.cost, b.cost) })
		if len(left) <= n {
			return left
		}
		left = left[:max((len(left)+1)/2, n)]
	}
}

// Answer is the decision of a player in an opening. The Question lists the possible answers. Under swap2 the possible answers
// depend on the stones on the board, which are Black's and White's in turn:
//
//	0 stones   three moves
//	3 stones   Swap to play Black, a move to play White, or two moves, after which the other player chooses
//	5 stones   Swap to play Black, or a move to play White
type Answer struct {
	Swap  bool
	Moves []game.Move
	// Fives is the number of fifth stones that Black must offer, of which White takes one. It is declared together with the
	// fourth stone under soosyrv8, and is 0 in all other answers.
	Fives int
}

// Opener answers the questions of a Session.
type Opener interface {
	// Open answers the current question of s, and leaves s unchanged. lim limits the search for this answer.
	Open(ctx context.Context, s *Session, lim search.Limits) (Answer, error)
}

// Player is a player that can answer the questions of swap2 itself.
type Player interface {
	// Swap2 answers the question of swap2 in the position b, which has 0, 3 or 5 stones, and leaves b unchanged. lim limits the
	// search for this answer.
	Swap2(ctx context.Context, b game.Board, lim search.Limits) (Answer, error)
}

// Openers returns the functions that answer the questions of an opening for two players, with nil for a person.
func Openers(players [2]player.Player, rule string, seed uint64) (all [2]Opener, err error) {
	for who, p := range players {
		if player.IsHuman(p) {
			continue
		}
		if all[who], err = For(p, rule, seed); err != nil {
			return all, err
		}
	}
	return all, nil
}

// Ask lets o answer the current question of s, and plays the answer.
func (s *Session) Ask(ctx context.Context, o Opener, lim search.Limits) (Answer, error) {
	a, err := o.Open(ctx, s, lim)
	if err == nil {
		err = s.Answer(a)
	}
	return a, err
}

// ErrUnable is wrapped by the error for a player that cannot answer the questions of an opening rule.
var ErrUnable = errors.New("does not know")

// For returns an Opener that answers the questions of an opening rule for p. If p is a Player, p itself answers the questions of
// swap2. Otherwise p must be a player.Analyst, whose searches determine the answers.
func For(p player.Player, rule string, seed uint64) (Opener, error) {
	if p, ok := p.(Player); ok && rule == Swap2 {
		return byItself{p}, nil
	}
	if p, ok := p.(player.Analyst); ok {
		return Swapper{Analyze: By(p), Seed: seed}, nil
	}
	return nil, fmt.Errorf("%s %w %s", p.Name(), ErrUnable, rule)
}

type byItself struct{ Player }

// Open implements Opener.
func (p byItself) Open(ctx context.Context, s *Session, lim search.Limits) (Answer, error) {
	return p.Swap2(ctx, clone(s.b), lim)
}

// Swapper is an Opener and a Player that decides by searches. A player who may choose a side takes the better side, so the
// right to choose is worth 0 or more. A player who places two more stones gives this right to the other player, so placing
// stones is never worth more than choosing. Therefore Swapper chooses the better side, and places two stones only if its search
// finds both sides equal.
type Swapper struct {
	Analyze Analyze
	Seed    uint64 // seed of the random stones among which a proposal is chosen
}

// errNoWay is the error for a board that is too small or too full for the stones of an opening.
var errNoWay = errors.New("found no stones after which the game continues")

// Swap2 implements Player.
func (s Swapper) Swap2(ctx context.Context, b game.Board, lim search.Limits) (Answer, error) {
	switch stones := b.Ply(); stones {
	case 0:
		return s.place(ctx, b, 3, lim)
	case 3, 5:
		return s.choose(ctx, b, stones == 3, lim)
	default:
		return Answer{}, fmt.Errorf("swap2 expects 0, 3 or 5 stones, not %d", stones)
	}
}

// place returns the way to place n stones that makes the position most even. It takes the first three stones from the book, without
// a search, if there is a book for the game.
func (s Swapper) place(ctx context.Context, b game.Board, n int, lim search.Limits) (Answer, error) {
	rng := rand.New(rand.NewPCG(s.Seed, b.Key()))
	if book := BookOf(b.Game()); book != nil && b.Ply() == 0 && n == 3 {
		if ways := book.Ways(rng, 1); len(ways) > 0 {
			return Answer{Moves: ways[0]}, nil
		}
	}
	ways := Ways(b, rng, n)
	if len(ways) == 0 {
		return Answer{}, errNoWay
	}
	c := Contest{Analyze: s.Analyze, Limits: lim, Cost: Off(0)}
	return Answer{Moves: c.Best(ctx, b, ways)}, nil
}

// choose takes the better side of the position, in which White is to move. If mayPlace is true, it may place two stones
// instead.
func (s Swapper) choose(ctx context.Context, b game.Board, mayPlace bool, lim search.Limits) (Answer, error) {
	half := lim
	if mayPlace && lim.Time > 0 {
		half.Time, half.Most = max(lim.Time/2, time.Microsecond), 0 // the other half of the time is for choosing two more stones
	}
	info, err := s.Analyze(ctx, b, half)
	switch {
	case len(info.PV) == 0 && err == nil:
		return Answer{}, errors.New("the search found no move")
	case len(info.PV) == 0:
		return Answer{}, err
	case info.Score < 0:
		return Answer{Swap: true}, nil
	case info.Score == 0 && mayPlace && err == nil && ctx.Err() == nil:
		if a, err := s.place(ctx, b, 2, half); err == nil {
			return a, nil
		}
	}
	return Answer{Moves: info.PV[:1]}, nil
}
