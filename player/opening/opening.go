// SPDX-License-Identifier: Apache-2.0

// Package opening finds openings in which both sides have the same chances, contains the names of the 26 openings of renju, and
// implements the opening rules swap, swap2, Taraguchi-10 and Soosyrv-8.
//
// # Basics
//
//	w := opening.Wanted{Count: 12, Plies: 5, Seed: 1, Limits: lim, Within: eval.Unit / 4}
//	err := opening.Find(ctx, g, opening.By(analyst), w, found)
//	answer, err := opening.Swapper{Analyze: analyze, Seed: 1}.Swap2(ctx, board, lim)
//	s, err := opening.NewSession(opening.Swap2, board) // question by question
//
// # Caveats
//
// An opening counts as even if the search finds it even. A stronger search may find a win.
package opening

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Analyze searches the position of the board b, whose game must not be over, and leaves b unchanged. Analyze may return an
// analysis together with an error.
type Analyze func(ctx context.Context, b game.Board, lim search.Limits) (search.Info, error)

// By returns an Analyze function that lets the analyst a search the position.
func By(a player.Analyst) Analyze {
	return func(ctx context.Context, b game.Board, lim search.Limits) (search.Info, error) {
		return a.Analyze(ctx, b, lim, nil)
	}
}

// maxWays is the maximum number of ways to place stones in one comparison. It is small because each way needs a search that is
// deep enough for the comparison.
const maxWays = 32

// Ways returns up to maxWays random ways to place n stones, each stone near another one, without ending the game. On an empty
// board the first stone may be on any cell, because openings at the edge can also be even.
func Ways(b game.Board, rng *rand.Rand, n int) [][]game.Move {
	var all [][]game.Move
	for range 8 * maxWays {
		c := clone(b)
		var way []game.Move
		for len(way) < n && c.Outcome() == game.Ongoing {
			m := pick(c, rng, func(cell int) bool { return c.Ply() == 0 || isNear(c, cell, near) })
			c.Play(m)
			way = append(way, m)
		}
		if c.Outcome() == game.Ongoing && !slices.ContainsFunc(all, func(o []game.Move) bool { return slices.Equal(o, way) }) {
			all = append(all, way)
		}
		if len(all) == maxWays {
			break
		}
	}
	return all
}

// near is the maximum distance between a stone and the next stone.
const near = 2

// pick returns a random sound move on a cell for which fits returns true. If there is none, it returns any random sound move.
func pick(b game.Board, rng *rand.Rand, fits func(cell int) bool) game.Move {
	sound := game.AppendSound(nil, b)
	if fit := slices.DeleteFunc(slices.Clone(sound), func(m game.Move) bool { return !fits(b.Cell(m)) }); len(fit) > 0 {
		sound = fit
	}
	return sound[rng.IntN(len(sound))]
}

// isNear reports whether a stone stands near the cell: at most the given number of columns and rows away.
func isNear(b game.Board, cell, within int) bool {
	columns, rows := b.Size()
	x, y := cell%columns, cell/columns
	for r := max(y-within, 0); r <= min(y+within, rows-1); r++ {
		for c := max(x-within, 0); c <= min(x+within, columns-1); c++ {
			if b.Cells()[r*columns+c] != game.Empty {
				return true
			}
		}
	}
	return false
}

// Contest compares ways to place stones by successive halving: all ways get a short search, the better half gets a search that is
// twice as long, and so on until one way is left.
//
// CITE: Karnin, Koren and Somekh, Almost Optimal Exploration in Multi-Armed Bandits, 2013.
type Contest struct {
	Analyze Analyze
	Limits  search.Limits // limits of all searches together
	// Cost returns the cost of a way, given the score s for the side to move after it. The way with the lowest cost wins.
	Cost func(s eval.Score) eval.Score
}

// Off returns a Cost function that returns the distance of a score from the score want.
func Off(want eval.Score) func(eval.Score) eval.Score {
	return func(s eval.Score) eval.Score { return max(s-want, want-s) }
}

type rated struct {
	moves []game.Move
	cost  eval.Score
}

// Best returns the best of the ways to continue b. ways must not be empty. If ctx is done, Best returns the best way found until
// then.
func (c Contest) Best(ctx context.Context, b game.Board, ways [][]game.Move) []game.Move {
	left := make([]rated, len(ways))
	for i, w := range ways {
		left[i] = rated{moves: w}
	}
	rounds := 0
	for n := len(left); n > 1; n = (n + 1) / 2 {
		rounds++
	}
	for len(left) > 1 {
		each := share(c.Limits, rounds*len(left))
		for i := range left {
			if left[i].cost = c.rate(ctx, b, left[i].moves, each); ctx.Err() != nil {
				return left[0].moves // the best way of the previous round
			}
		}
		slices.SortStableFunc(left, func(a, b rated) int { return cmp.Compare(a.cost, b.cost) })
		left = left[:(len(left)+1)/2]
	}
	return left[0].moves
}

// rate returns the cost of a way. A way that ends the game is rated by its outcome.
func (c Contest) rate(ctx context.Context, b game.Board, moves []game.Move, lim search.Limits) eval.Score {
	b = clone(b)
	for _, m := range moves {
		b.Play(m)
	}
	if o := b.Outcome(); o != game.Ongoing {
		return c.Cost(eval.Outcome(o, b.Turn(), 0))
	}
	info, err := c.Analyze(ctx, b, lim)
	if err != nil {
		return eval.Infinity
	}
	return c.Cost(info.Score)
}

// usualTime is the time that the function share divides among its n searches if the limits contain no time, nodes or depth.
const usualTime = 2 * time.Second

// share returns the limits of each of n searches that together have the limits lim. It clears Most, the maximum time of a
// search, so that no search takes time from the other searches.
func share(lim search.Limits, n int) search.Limits {
	lim.Most = 0
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

func clone(b game.Board) game.Board {
	c, ok := b.Clone().(game.Board)
	if !ok {
		panic("opening: the clone of a board is none")
	}
	return c
}

// Pattern is one of the 26 openings of renju, each of three stones. The first stone is in the centre, the second next to the
// first, and the third in the square of 5 x 5 cells around the first. In a direct opening the second stone is directly above
// the first. In an indirect opening it is diagonally next to the first.
type Pattern struct {
	Code string // 1D to 13D, 1I to 13I
	Name string
}

// String returns name and code, such as Kagetsu (4D).
func (p Pattern) String() string { return fmt.Sprintf("%s (%s)", p.Name, p.Code) }

// patterns are the third stones on 15 x 15, in the order of their codes.
//
// CITE: Renju International Federation, the 26 openings; Sakata and Ikawa, Five-in-a-Row, 1981, for the names.
var patterns = [2]struct {
	kind, start, third, names string
}{
	{
		"D", "h8 h9", "h10 i10 j10 i9 j9 i8 j8 h7 i7 j7 h6 i6 j6",
		"Kansei Keigetsu Sosei Kagetsu Zangetsu Ugetsu Kinsei Shogetsu Kyugetsu Shingetsu Zuisei Sangetsu Yusei",
	},
	{
		"I", "h8 i9", "j10 j9 j8 j7 j6 i8 i7 i6 h7 h6 g7 g6 f6",
		"Chosei Kyogetsu Kosei Suigetsu Ryusei Ungetsu Hogetsu Rangetsu Gingetsu Myojo Shagetsu Meigetsu Suisei",
	},
}

// Patterns returns the 26 openings with their three moves on 15 x 15, as text.
func Patterns() (all []Pattern, moves []string) {
	for _, k := range patterns {
		third := strings.Fields(k.third)
		for i, name := range strings.Fields(k.names) {
			all = append(all, Pattern{fmt.Sprintf("%d%s", i+1, k.kind), name})
			moves = append(moves, k.start+" "+third[i])
		}
	}
	return all, moves
}

// patternMoves returns the moves of the 26 openings on 15 x 15.
func patternMoves() (all [][]game.Move) {
	_, texts := Patterns()
	for _, text := range texts {
		var moves []game.Move
		for word := range strings.FieldsSeq(text) {
			cell, err := game.ParseCell(word, BookSide, BookSide)
			if err != nil {
				panic(err) // cannot happen, because the moves are constants of this package
			}
			moves = append(moves, game.Move(cell))
		}
		all = append(all, moves)
	}
	return all
}

var (
	known     = map[string]map[uint64]Pattern{} // the openings of each game, by the keys of their positions
	knownLock sync.Mutex
)

// HasNames reports whether the openings of a game have names. Openings have names in games of five in a row on 15 x 15 cells,
// without captures.
func HasNames(g game.Game) bool {
	switch g.String() {
	case "renju", "gomoku", "standard", "caro":
		return true
	}
	return false
}

// Named returns the named opening that the first three stones of b form. It returns false for a game without names (see
// HasNames). Openings that a symmetry of the board maps to each other have the same name.
func Named(b game.Board) (Pattern, bool) {
	g, history := b.Game(), b.AppendHistory(nil)
	if !HasNames(g) || len(history) < 3 || len(history) != b.Ply() {
		return Pattern{}, false
	}
	l := symmetry.NewLine(g)
	for _, m := range history[:3] {
		if l.Play(m) != nil {
			return Pattern{}, false
		}
	}
	p, ok := keys(g)[l.Key()]
	return p, ok
}

// keys returns the openings of a game by the keys of their positions.
func keys(g game.Game) map[uint64]Pattern {
	knownLock.Lock()
	defer knownLock.Unlock()
	if all := known[g.String()]; all != nil {
		return all
	}
	all := map[uint64]Pattern{}
	names, lines := Patterns()
	for i, line := range lines {
		moves, err := notation.ParseMoves(g, line)
		if err != nil {
			panic(err) // cannot happen, because the cells exist on every board of 15 x 15
		}
		l := symmetry.NewLine(g)
		for _, m := range moves {
			if err := l.Play(m); err != nil {
				panic(err)
			}
		}
		all[l.Key()] = names[i]
	}
	known[g.String()] = all
	return all
}
