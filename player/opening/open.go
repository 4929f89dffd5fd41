// SPDX-License-Identifier: Apache-2.0

package opening

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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
	if !isSwap(o.rule) && q.Stones == 3 {
		switch a, off := s.fourth(b, q.Declare, q.Within); {
		case off == eval.Infinity: // the game has no book of fifth stones
		case q.Swap && off > nearlyEven:
			return Answer{Swap: true}, nil // then the other player must place a stone, after which this player may choose again
		default:
			return a, nil
		}
	}
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
		way, _, err := s.even(ctx, b, q.Within, half)
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
	way, off, err := s.even(ctx, b, q.Within, half)
	if q.Swap && off > nearlyEven {
		return Answer{Swap: true}, nil
	}
	return Answer{Moves: way}, err
}

// pattern returns a random one of the 26 openings of renju (see Patterns), with its first stone on the middle cell of the
// board. If the game has a book of fifth stones, there is a nearly even fourth stone after it.
func (s Swapper) pattern(b game.Board) (moves []game.Move) {
	side, _ := b.Size()
	all := patternMoves()
	rng := rand.New(rand.NewPCG(s.Seed, b.Key()))
	for _, i := range rng.Perm(len(all)) {
		moves = nil
		c := clone(b)
		for _, m := range all[i] {
			x, y := int(m)%BookSide-BookSide/2+side/2, int(m)/BookSide-BookSide/2+side/2
			moves = append(moves, game.Move(x+y*side))
			c.Play(game.Move(x + y*side))
		}
		if _, off := s.fourth(c, mostOffers, 0); off <= nearlyEven || off == eval.Infinity {
			break
		}
	}
	return moves
}

// even returns the move that makes the position most even. If the parameter within is above 0, it compares the cells of the
// central square with this side length. If it is 0, it compares the cells near other stones. If the move is taken from a book, off
// is its unevenness; otherwise off is 0.
func (s Swapper) even(ctx context.Context, b game.Board, within int, lim search.Limits) (way []game.Move, off eval.Score, err error) {
	side, _ := b.Size()
	ways := slices.DeleteFunc(single(s.shuffled(b, different(b, game.AppendSound(nil, b)))), func(w []game.Move) bool {
		return within > 0 && !inMiddle(int(w[0]), side, within) || within == 0 && !isNear(b, int(w[0]), near)
	})
	if len(ways) == 0 {
		return nil, 0, errNoWay
	}
	rate := fifthsOf(b)
	switch book := BookOf(b.Game()); {
	case book != nil && book.Stones() == 5 && b.Ply() < 3:
		for _, way = range ways {
			c := clone(b)
			c.Play(way[0])
			if _, off := s.fourth(c, 0, fourthTaraguchi); b.Ply() == 1 || off <= nearlyEven {
				break
			}
		}
		return way, 0, nil
	case rate != nil:
		way = slices.MinFunc(ways, func(v, w []game.Move) int { return cmp.Compare(unevenness(rate(v[0])), unevenness(rate(w[0]))) })
		return way, unevenness(rate(way[0])), nil
	}
	c := Contest{Analyze: s.Analyze, Limits: lim, Cost: Off(0)}
	return c.Best(ctx, b, ways[:min(len(ways), maxWays)]), 0, nil
}

// shuffled returns the moves in a random order that depends on the seed and on b.
func (s Swapper) shuffled(b game.Board, moves []game.Move) []game.Move {
	rng := rand.New(rand.NewPCG(s.Seed, b.Key()))
	rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	return moves
}

// fifthsOf returns a function that looks up White's score after a fifth stone in the book of the game. It returns nil if the book
// lacks the four stones of b.
func fifthsOf(b game.Board) func(game.Move) eval.Score {
	book := BookOf(b.Game())
	if book == nil || book.Stones() != 5 {
		return nil
	}
	look := book.After(b)
	if look == nil {
		return nil
	}
	return func(m game.Move) eval.Score {
		score, _ := look(m)
		return score
	}
}

// fourth takes the fourth stone in the central square of a side length (0: anywhere) from the book of the game: the stone after which
// the other player, who may swap and then choose, gains the least. This gain is off; it is eval.Infinity if the book has no such stone.
//
// If declare is above 0, the answer declares how many fifth stones Black must offer, up to this number. White takes the last of Black's
// best ones, so off is the unevenness of this stone. Otherwise the rule is taraguchi10: Black offers tenOffers fifth stones if the last
// of them is good for Black, or one of the players must place a fifth stone near the middle.
func (s Swapper) fourth(b game.Board, declare, within int) (best Answer, off eval.Score) {
	off = eval.Infinity
	book := BookOf(b.Game())
	if book == nil || book.Stones() != 5 || b.Ply() != 3 {
		return best, off
	}
	side, _ := b.Size()
	for _, m := range s.shuffled(b, different(b, game.AppendSound(nil, b))) {
		if within > 0 && !inMiddle(int(m), side, within) {
			continue
		}
		all, inner := book.fifths(fifthBase(append(b.AppendHistory(nil), m)))
		if len(all) < tenOffers {
			continue
		}
		for n := 1; n <= declare; n++ {
			if o := unevenness(all[n-1]); o < off {
				off, best = o, Answer{Moves: []game.Move{m}, Fives: n}
			}
		}
		if o := max(inner, -all[tenOffers-1]); declare == 0 && o < off {
			off, best = o, Answer{Moves: []game.Move{m}}
		}
	}
	return best, off
}

// nearlyEven is the greatest score, for either side, of an opening that counts as even as any other. Most scores near 0 in a book err
// by more. So a player has a choice of openings, and does not always place the same stones.
const nearlyEven = eval.Unit / 5

// unevenness is the distance of a score of a book from 0, or nearlyEven if that is greater.
func unevenness(s eval.Score) eval.Score { return max(s, -s, nearlyEven) }

// fifths returns the n best fifth stones that the search finds, the best first. No two of them are equal up to symmetry. The
// cost of a fifth stone is White's score after it, so a low cost is good for Black.
func (s Swapper) fifths(ctx context.Context, b game.Board, n int, lim search.Limits) []rated {
	all := different(b, game.AppendSound(nil, b))
	if rate := fifthsOf(b); rate != nil {
		var ways []rated
		for _, m := range all {
			ways = append(ways, rated{[]game.Move{m}, rate(m)})
		}
		slices.SortStableFunc(ways, func(a, b rated) int { return cmp.Compare(a.cost, b.cost) })
		return ways[:min(n, len(ways))]
	}
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
	if book := BookOf(b.Game()); book != nil && b.Ply() == 0 && n == book.Stones() {
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
