// SPDX-License-Identifier: Apache-2.0

// Package limited makes a strong player weaker in a human way. The limited player searches fewer nodes, and sometimes moves
// without a search, by "the eye": a rough count of stones in rows, with a random error.
//
//	overlooks? ─ no ──> the strong player, with a limited number of nodes
//	     │ yes
//	a move that wins at once? ─ yes ──> play it
//	     │ no
//	     └────────────> the eye: stones in the rows through each cell, times chance
//
// # Basics
//
//	p := limited.New(strong, limited.Options{Nodes: 200, Overlook: 0.3, Noise: 1, Seed: 1})
//	m, err := p.Move(ctx, position, search.Limits{})
//
// The eye completes a row that needs only one more stone to win. Most of the time it stops an enemy row that needs one more
// stone, and it often misses a row that needs two. It plays near the existing stones.
//
// # Caveats
//
// Whether the player moves by the eye depends only on the seed and the position, so with the same seed the player moves by
// the eye in the same positions. If a move is taken back and the same position is reached again, the player overlooks the
// same moves again.
//
// Analyze returns the analysis of the strong player, which searches at most Options.Nodes nodes. It never uses the eye.
package limited

import (
	"context"
	"math"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Options are the limits of a Player.
type Options struct {
	Nodes    uint64  // maximum nodes for a move of the strong player; 0: its own limit
	Overlook float64 // probability, from 0 to 1, of a move without a search
	Noise    float64 // standard deviation of the random error in the logarithm of a move's value, for moves without a search
	Seed     uint64
}

// Player is a player with limits.
type Player struct {
	of      player.Analyst
	o       Options
	moves   []game.Move
	weights []float64
}

// New returns a Player that limits the strong player, which is the parameter of, by the options o.
func New(of player.Analyst, o Options) *Player { return &Player{of: of, o: o} }

// Name returns "limited".
func (*Player) Name() string { return "limited" }

// Scale returns the scale of the scores of Analyze: see player.UsualScale.
func (l *Player) Scale() float64 { return player.Scale(l.of) }

// Close closes the strong player.
func (l *Player) Close() error {
	player.Close(l.of)
	return nil
}

// Timed reports whether time, and not a number of nodes or a depth, limits the strong player within lim and the options.
func (l *Player) Timed(lim search.Limits) bool { return player.Timed(l.of, l.limits(lim)) }

// Analyze returns the analysis of the strong player within lim and the options.
func (l *Player) Analyze(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	return l.of.Analyze(ctx, p, l.limits(lim), report)
}

// limits returns lim with at most Options.Nodes nodes.
func (l *Player) limits(lim search.Limits) search.Limits {
	if lim.Nodes == 0 || l.o.Nodes > 0 && l.o.Nodes < lim.Nodes {
		lim.Nodes = l.o.Nodes
	}
	return lim
}

// Move moves as the strong player does. With the probability Overlook it moves without a search instead: it plays a move that
// wins at once, if there is one, and otherwise the move of the eye.
func (l *Player) Move(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
	dice := rng.Rand(rng.Mix(l.o.Seed, p.Key(), uint64(p.Ply())))
	if chance(&dice) >= l.o.Overlook {
		return l.of.Move(ctx, p, l.limits(lim))
	}
	l.moves = game.AppendSound(l.moves[:0], p)
	if m := winning(p, l.moves); m != game.NoMove {
		return m, nil
	}
	l.weights = weights(l.weights[:0], p, l.moves)
	for i := range l.weights {
		l.weights[i] *= math.Exp(l.o.Noise * normal(&dice))
	}
	return l.moves[slices.Index(l.weights, slices.Max(l.weights))], nil
}

// winning returns the first of the moves that wins at once, or game.NoMove.
func winning(p game.Position, moves []game.Move) game.Move {
	side := p.Turn()
	for _, m := range moves {
		if game.After(p, m) == game.WinFor(side) {
			return m
		}
	}
	return game.NoMove
}

// chance returns a random number from 0 up to, but not including, 1.
func chance(dice *rng.Rand) float64 { return float64(dice.Next()>>11) / (1 << 53) }

// normal returns a random number that is approximately normally distributed with mean 0 and variance 1: the sum of twelve results
// of chance, minus 6.
func normal(dice *rng.Rand) float64 {
	sum := -6.0
	for range 12 {
		sum += chance(dice)
	}
	return sum
}

// The values that the eye gives to a row of k cells in which only one side has stones, by the number of these stones before the
// move:
//
//	stones        1    2    3     4
//	own           6   36  216  1296
//	the enemy's   5   31  186  1115
//
// A row that needs one more stone has six times the value of a row that needs two. Each cell also gets a small value (hope),
// which is greater near the centre, so that cells in none of these rows also have a value.
const (
	attraction = 6.0
	defence    = 0.86 // value of an enemy row, divided by the value of an equal own row
	hope       = 0.05
	danger     = 0.04 // factor for the value of a move after which the enemy wins at once
)

// weights appends the eye's value of each move. Values are above 0, and greater for better moves. They count the stones in the
// rows through the move's cell; in ultimate tic-tac-toe these are the rows of the small board. In games without winning rows
// they count the neighbouring stones. In ultimate tic-tac-toe and in games without winning rows, most moves after which the
// enemy wins at once get low values.
func weights(dst []float64, p game.Position, moves []game.Move) []float64 {
	e := newEye(p)
	own := p.Turn().Stone()
	for _, m := range moves {
		c := e.b.Cell(m)
		w := float64(hope * e.center(c)) // the conversion prevents the compiler from fusing the product with a sum
		switch {
		case e.k > 0:
			w += e.rows(c, own)
		case !e.empty:
			w += e.neighbours(c)
		}
		if e.careful && givesAway(p, m) {
			w *= danger
		}
		dst = append(dst, w)
	}
	return dst
}

// eye contains a board and the data that is needed to evaluate its cells.
type eye struct {
	b             game.Board
	cells         []game.Stone
	columns, high int
	k             int // number of stones in a row that win, or 0
	square        int // if above 0, a row must lie in one square of this side length
	empty         bool
	careful       bool
}

func newEye(p game.Position) *eye {
	b := p.(game.Board)
	e := &eye{b: b, cells: b.Cells(), empty: p.Ply() == 0}
	e.columns, e.high = b.Size()
	switch p := p.(type) {
	case game.Lined:
		e.k = p.K()
	case *ultimate.Position:
		e.k, e.square, e.careful = 3, 3, true
	default:
		e.careful = true
	}
	return e
}

// center returns a number that is near 0 for a cell at the edge of the board, and 1 for a cell in the middle. In ultimate
// tic-tac-toe it uses the small board of the cell.
func (e *eye) center(c int) float64 {
	x, y, columns, high := c%e.columns, c/e.columns, e.columns, e.high
	if e.square > 0 {
		x, y, columns, high = x%e.square, y%e.square, e.square, e.square
	}
	dx, dy := float64(2*x-columns+1)/float64(columns), float64(2*y-high+1)/float64(high)
	d := max(math.Abs(dx), math.Abs(dy))
	return math.Exp(-3 * d * d)
}

// rows returns the total value of the rows of k cells through c in which only one side has stones.
func (e *eye) rows(c int, own game.Stone) (sum float64) {
	x, y := c%e.columns, c/e.columns
	for _, d := range [...][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		for back := range e.k {
			sum += e.row(x-back*d[0], y-back*d[1], d, own)
		}
	}
	return sum
}

// row returns the value of the row of k cells from x, y in direction d.
func (e *eye) row(x, y int, d [2]int, own game.Stone) float64 {
	toX, toY := x+(e.k-1)*d[0], y+(e.k-1)*d[1]
	if min(x, y, toX, toY) < 0 || max(x, toX) >= e.columns || max(y, toY) >= e.high {
		return 0
	}
	if s := e.square; s > 0 && (x/s != toX/s || y/s != toY/s) {
		return 0
	}
	var held [3]int // number of stones in the row, by side
	for range e.k {
		held[e.cells[x+y*e.columns]]++
		x, y = x+d[0], y+d[1]
	}
	switch mine, enemy := held[own], held[3-own]; {
	case mine > 0 && enemy == 0:
		return math.Pow(attraction, float64(mine))
	case enemy > 0 && mine == 0:
		return defence * math.Pow(attraction, float64(enemy))
	}
	return 0
}

// neighbours returns the number of stones on the cells around c.
func (e *eye) neighbours(c int) (n float64) {
	for x := max(c%e.columns-1, 0); x <= min(c%e.columns+1, e.columns-1); x++ {
		for y := max(c/e.columns-1, 0); y <= min(c/e.columns+1, e.high-1); y++ {
			if e.cells[x+y*e.columns] != game.Empty {
				n++
			}
		}
	}
	return n
}

// givesAway reports whether the enemy can win at once after m.
func givesAway(p game.Position, m game.Move) bool {
	p.Play(m)
	defer p.Undo()
	return p.Outcome() == game.Ongoing && winning(p, p.AppendMoves(nil)) != game.NoMove
}
