// SPDX-License-Identifier: Apache-2.0

// Package mics is the sliding-window heuristic MICS, the minimum incomplete cell set, of system D.
//
// A window is k cells in a row. For each cell, direction and side the heuristic keeps four numbers, looking
// only at the windows through the cell in which the enemy has no stone:
//
//	k = 4, X's numbers for the free cell '*' in this row      . X * X . . O
//
//	  windows through '*'     . X * X    X * X .    * X . .   X . . O
//	  X's stones in them         2          2          1      (an enemy stone: dead)
//
//	  reach  2   own stones in all the live windows together
//	  live   3   live windows
//	  best   2   stones in the fullest one, so 4 - 2 = 2 are missing, the fewest
//	  many   2   windows with that fewest missing
//
// # Basics
//
//	e, err := mics.New(g, mics.Options{})
//	e.Reset(p)
//	e.Play(m) // before p.Play(m), O(k)
//	e.Evaluate(p, p.Turn())
//
// # From numbers to scores
//
// The text gives the four numbers, the steps and the names of the multipliers; the rest is ours. One
// direction is worth, to a side that has a live window there,
//
//	(MyCell·reach + live + many·Growth^best) · Adjacent, the last only next to an own stone,
//
// and a cell the sum of its directions. The MICS value of a cell is its own worth plus its worth to the
// enemy. Above all such values stand four steps, highest first: a cell that wins at once (a window misses
// only it), one that stops such a win, a trivial fork (two or more windows through it, in any directions,
// miss two), one that stops a fork. See [Evaluator.Rank].
//
// A board is worth the sum of its free cells' worths to the one side less that to the other, under steps
// of the same height, read for the side to move. See [Evaluator.Evaluate].
//
// # Caveats
//
// Windows know plain k in a row only. Where a longer row does not win, or a blocked one does not, where
// two stones are placed in a turn or stones are captured, a "win" cell may be none; searches ask the
// rules. A trivial fork may be none either: in X X * . X X with k = 5 both windows miss the same cell.
// Where stones fall, the steps count only for cells that can be played now.
//
// # Speed
//
// Play and Undo cost O(k) in each of the four directions; the text's own method costs O(k²).
//
// CITE: Xuanqiang Huang and Giovanni Spadaccini, Progetto Algoritmi 2021/2022 (m,n,k player), sections on
// MICS, on sliding windows and on the scores of forks; the idea of MICS is Hayes and Loge, Developing a
// Memory Efficient Algorithm for Playing m, n, k Games, 2016.
package mics

import (
	"fmt"
	"math"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
)

// Options are the multipliers, which the text names without values. Zero stands for the default.
type Options struct {
	MyCell   float64 // MY_CELL_MULT: for each own stone in reach
	Adjacent float64 // ADJACENT_MULT: the direction counts so many times next to an own stone
	Growth   float64 // a window is worth so many times more with each stone in it
}

// The defaults. In small matches on one board, 11 x 11 with k = 5, a Growth of 2 and a MyCell of 15 lost clearly;
// an Adjacent of 1 to 3 and a MyCell of 0.1 to 4 made no difference that could be told from chance.
const (
	MyCell   = 1.0
	Adjacent = 1.5
	Growth   = 4.0
)

// Step lies between the kinds of cell. No sum of MICS values over the largest board reaches it, since
// options beyond these bounds are refused and a window is never worth more than maxWeight.
const (
	Step = eval.Score(1) << 49

	maxMyCell   = 500
	maxAdjacent = 8
	maxGrowth   = 100
	maxWeight   = 4096
)

// Evaluator is the heuristic for one game. It is an eval.Evaluator, an eval.Incremental and an
// eval.MoveScorer. An Evaluator that was never Reset, or is asked about another position, scans the board
// again whenever the position has changed.
type Evaluator struct {
	k, columns int
	gravity    bool
	lines      [4][]place
	steps      [4]int
	weights    [2]weights // without and with an own stone next to the cell

	stones []game.Stone
	dirs   [][4][2]summary
	cells  []cell
	total  [2]eval.Score // over the free cells
	wins   [2]int        // free cells that win at once
	forks  [2]int        // free cells that fork
	rank   [2][16]eval.Score

	p       game.Lined
	tied    bool   // Reset was called: p's moves come through Play and Undo
	key     uint64 // of the position that was scanned, when not tied
	journal []played
	capture capturer
	taken   [2]int
	pending bool // the last move's captures have not been looked for
	freed   []int32
	scratch scratch
	moves   []game.Move
}

// weights are what the numbers of a direction count.
type weights struct {
	myCell, live eval.Score
	best         [game.MaxSide + 1]eval.Score
}

// New returns the heuristic for g, whose positions must be k-in-a-row boards.
func New(g game.Game, o Options) (*Evaluator, error) {
	p, ok := g.Start().(game.Lined)
	if !ok {
		return nil, fmt.Errorf("mics needs a game of k in a row, not %s", g)
	}
	for _, f := range []struct {
		name     string
		value    *float64
		def, max float64
	}{{"mycell", &o.MyCell, MyCell, maxMyCell}, {"adjacent", &o.Adjacent, Adjacent, maxAdjacent}, {"growth", &o.Growth, Growth, maxGrowth}} {
		if *f.value == 0 {
			*f.value = f.def
		}
		if !(*f.value > 0 && *f.value <= f.max) {
			return nil, fmt.Errorf("mics: %s is a number above 0 and up to %g, not %g", f.name, f.max, *f.value)
		}
	}
	columns, rows := p.Size()
	n := columns * rows
	e := &Evaluator{
		k: p.K(), columns: columns, gravity: g.Moves() != n,
		steps:  [4]int{1, columns, columns + 1, columns - 1},
		stones: make([]game.Stone, n), dirs: make([][4][2]summary, n), cells: make([]cell, n),
	}
	for d := range e.lines {
		e.lines[d] = places(d, columns, rows)
	}
	e.weigh(o)
	e.scan(p)
	return e, nil
}

// weigh fills the tables. A window's weight grows by Growth with each stone, or, where k is large, by as much
// as takes it to maxWeight when two are missing.
func (e *Evaluator) weigh(o Options) {
	grow := math.Log(o.Growth)
	if e.k > 2 {
		grow = min(grow, math.Log(maxWeight)/float64(e.k-2))
	}
	for i, mult := range []float64{1, o.Adjacent} {
		unit := mult * float64(eval.Unit)
		w := &e.weights[i]
		w.myCell, w.live = eval.Score(math.Round(unit*o.MyCell)), eval.Score(math.Round(unit))
		for b := range w.best {
			w.best[b] = eval.Score(math.Round(unit * min(math.Exp(grow*float64(b)), maxWeight)))
		}
	}
	for s := range e.rank {
		for bits := range e.rank[s] {
			e.rank[s][bits] = Step * eval.Score(class(uint8(bits), game.Side(s)))
		}
	}
}

// Evaluate returns what the position is worth for s; what it is worth for the other side is its negative.
//
// A finished game is won, lost or drawn. Otherwise the first of these that holds for the side to move:
// it has a winning cell (+4 steps); the enemy has two (-3 steps: only one can be stopped); the enemy has
// none and it has a fork (+2 steps); the sums of the cells decide. The enemy's fork is no step here: it is
// not the enemy's move.
func (e *Evaluator) Evaluate(p game.Position, s game.Side) eval.Score {
	if o := p.Outcome(); o != game.Ongoing {
		return eval.Outcome(o, s, 0)
	}
	e.follow(p)
	t := p.Turn()
	o := t.Other()
	wins, forks := e.wins, e.forks
	if e.gravity {
		wins, forks = e.playable()
	}
	v := e.total[t] - e.total[o]
	switch {
	case wins[t] > 0:
		v += 4 * Step
	case wins[o] > 1:
		v -= 3 * Step
	case wins[o] == 0 && forks[t] > 0:
		v += 2 * Step
	}
	if s != t {
		return -v
	}
	return v
}

// playable counts the winning and the forking cells on which a stone can fall now.
func (e *Evaluator) playable() (wins, forks [2]int) {
	e.moves = e.p.AppendMoves(e.moves[:0])
	for _, m := range e.moves {
		bits := e.cells[e.p.Cell(m)].bits
		for s := range wins {
			wins[s] += int(bits >> s & 1)
			forks[s] += int(bits >> (2 + s) & 1)
		}
	}
	return wins, forks
}

// ScoreMove returns Rank of the cell on which m places its stone, for the side to move.
func (e *Evaluator) ScoreMove(p game.Position, m game.Move) eval.Score {
	e.follow(p)
	return e.Rank(e.p.Cell(m), p.Turn())
}
