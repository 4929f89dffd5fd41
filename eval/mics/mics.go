// SPDX-License-Identifier: Apache-2.0

// Package mics implements MICS, the minimum incomplete cell set. It is the heuristic of a published player of m,n,k games,
// which krow calls system D.
//
// A window is k cells in a row. It is live for a side if the enemy has no stone in it. For each free cell, direction and side, the
// heuristic stores four numbers about the live windows through the cell:
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
//	e, err := mics.New(g, mics.Default())
//	e.Reset(p)
//	e.Play(m) // before p.Play(m), O(k)
//	e.Evaluate(p, p.Turn())
//
// # From numbers to scores
//
// The authors' report defines the four numbers and the steps (explained below). It also names two of the three multipliers:
// myCell and adjacent. The formulas and the default multipliers are our own. If a direction has a live window, its worth to
// a side is
//
//	(myCell·reach + live + many·growth^best) · adjacent, the last factor only next to an own stone,
//
// and a cell is worth the sum of its directions. The MICS value of a cell is the sum of its worths to both sides. Some cells
// rank above all values, because they belong to one of four classes. The class adds one to four steps to the value of the cell,
// and a step is greater than any value. From the highest class to the lowest, such a cell wins at once (a window lacks only
// this stone), prevents a win of the enemy, makes a trivial fork (at least two windows through it lack two stones), or prevents
// a fork of the enemy. See [Evaluator.Rank].
//
// The value of a position is the sum of the worths of its free cells to one side, minus the sum of their worths to the other
// side. In addition, winning cells and forks can change the value for the side to move by several steps. See
// [Evaluator.Evaluate].
//
// # Caveats
//
// The heuristic assumes plain k in a row, where every full window wins. So a "winning" cell may not win in games where a
// longer or a blocked row does not win, where a turn has two stones, or where stones are captured. A search must therefore
// check wins with the rules. A trivial fork may not be a real fork. For example, if k = 5 and the row is X X * . X X, a
// stone on the cell * makes two windows that both lack the same cell. If stones fall, only cells that can be played now
// count for the steps.
//
// # Speed
//
// Play and Undo cost O(k) in each of the four directions; the method of the report costs O(k²).
//
// CITE: Xuanqiang Huang and Giovanni Spadaccini, Progetto Algoritmi 2021/2022 (m,n,k player), sections on
// MICS, on sliding windows and on the scores of forks; the idea of MICS is Hayes and Loge, Developing a
// Memory Efficient Algorithm for Playing m, n, k Games, 2016.
package mics

import (
	"fmt"
	"math"

	"github.com/krow-lab/krow/eval"
	filed "github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/boarddiff"
)

// step is the difference between two neighbouring classes of cells. It is greater than the sum of all values on the largest board,
// because a window is never worth more than maxWeight.
const (
	step      = eval.Score(1) << 49
	maxWeight = 4096
)

// Evaluator is the heuristic for one game; it implements eval.Incremental and eval.MoveScorer. If it does not follow a
// position, it scans the whole board, unless the last board that it scanned is the same.
type Evaluator struct {
	k, columns int
	gravity    bool
	lines      [4][]place
	steps      [4]int
	mult       Multipliers
	weights    [2]weights // weights[1] is for a cell next to an own stone, weights[0] for any other cell

	stones []game.Stone
	dirs   [][4][2]summary
	cells  []cell
	total  [2]eval.Score // by side: sum of the worths of the free cells
	wins   [2]int        // by side: number of free cells that win at once
	forks  [2]int        // by side: number of free cells that make a fork
	rank   [2][16]eval.Score

	p       game.Lined
	tied    bool   // whether Reset was called, so that Play and Undo follow p
	key     uint64 // key of the position that was scanned last, if not tied
	mirror  boarddiff.Mirror
	scratch scratch
	moves   []game.Move
}

// weights are the factors by which the four numbers of a direction are multiplied.
type weights struct {
	myCell, live eval.Score
	best         [game.MaxSide + 1]eval.Score
}

// New returns the heuristic for g, whose positions must be k-in-a-row boards.
func New(g game.Game, m Multipliers) (*Evaluator, error) {
	if err := m.checkMultipliers(); err != nil {
		return nil, err
	}
	p, ok := g.Start().(game.Lined)
	if !ok {
		return nil, fmt.Errorf("mics needs a game of k in a row, not %s", g)
	}
	columns, rows := p.Size()
	n := columns * rows
	e := &Evaluator{
		k: p.K(), columns: columns, gravity: g.Moves() != n, mult: m,
		steps:  [4]int{1, columns, columns + 1, columns - 1},
		stones: make([]game.Stone, n), dirs: make([][4][2]summary, n), cells: make([]cell, n),
	}
	for d := range e.lines {
		e.lines[d] = places(d, columns, rows)
	}
	e.weigh()
	e.scan(p)
	return e, nil
}

// weigh computes the tables of weights. Each stone in a window multiplies the weight of the window by Growth. If k is large, a
// smaller factor is used, so that the weight of a window that lacks two stones is at most maxWeight.
func (e *Evaluator) weigh() {
	grow := math.Log(e.mult.Growth)
	if e.k > 2 {
		grow = min(grow, math.Log(maxWeight)/float64(e.k-2))
	}
	for i, mult := range []float64{1, e.mult.Adjacent} {
		unit := mult * float64(eval.Unit)
		w := &e.weights[i]
		w.myCell, w.live = eval.Score(math.Round(unit*e.mult.MyCell)), eval.Score(math.Round(unit))
		for b := range w.best {
			if !e.mult.authors {
				w.best[b] = eval.Score(math.Round(unit * min(math.Exp(grow*float64(b)), maxWeight)))
			}
		}
	}
	for s := range e.rank {
		for bits := range e.rank[s] {
			e.rank[s][bits] = step * eval.Score(classOf(uint8(bits), game.Side(s)))
			// The worth of a cell already contains the score of a win or a fork. In their program, the authors of the published
			// heuristic add this score a second time if it is the mover's.
			if e.mult.authors {
				e.rank[s][bits] = fixedWorth(uint8(bits), game.Side(s))
			}
		}
	}
}

// Evaluate returns the value of the position for s; the value for the other side is its negative.
//
// A finished game is won, lost or drawn. Otherwise the first of three conditions that holds changes the value for the side to
// move. The change is counted in steps; a step is greater than the sum of all values on a board. If the side to move has a winning
// cell, its value rises by 4 steps. If the enemy has two winning cells, the value falls by 3 steps, because the side to move can
// stop only one of them. If the enemy has no winning cell and the side to move has a fork, the value rises by 2 steps. The enemy's
// fork changes nothing, because it is not the enemy's turn. With the multipliers of [Authors], no condition changes the value.
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
	case e.mult.authors:
	case wins[t] > 0:
		v += 4 * step
	case wins[o] > 1:
		v -= 3 * step
	case wins[o] == 0 && forks[t] > 0:
		v += 2 * step
	}
	if s != t {
		return -v
	}
	return v
}

// playable returns the numbers of winning and of forking cells on which a stone can be placed now.
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

// ScoreMove returns the Rank of m's cell for the side to move.
func (e *Evaluator) ScoreMove(p game.Position, m game.Move) eval.Score {
	e.follow(p)
	return e.Rank(e.p.Cell(m), p.Turn())
}

// Multipliers are the factors for the numbers of a direction. The authors' report names the first two and gives no values for
// them.
type Multipliers struct {
	MyCell   float64 `json:"my_cell"`  // MY_CELL_MULT: the worth of each own stone in the live windows
	Adjacent float64 `json:"adjacent"` // ADJACENT_MULT: the factor of a direction with an own stone next to the cell
	Growth   float64 `json:"growth"`   // each stone multiplies the worth of a window by this factor

	authors bool // whether the function Authors made the multipliers
}

// The maximum multipliers. If no multiplier is greater than its maximum, the sum of all values on a board is less than a
// step.
const (
	MaxMyCell   = 100
	MaxAdjacent = 8
	MaxGrowth   = 64
)

// Default returns multipliers that were chosen by small matches. If four in a row win, tuned multipliers are better, and the
// player mics uses them: see docs/studies/mics.md.
func Default() Multipliers { return Multipliers{MyCell: 1, Adjacent: 1.5, Growth: 4} }

// Authors returns the values in the authors' public program, to which their report refers. With these multipliers, a
// direction is worth 1 for each live window and 10 for each own stone in each live window. A cell that makes a fork is worth
// 10,000, and a cell that wins at once is worth 1,000,000. No steps are added to the value of a position. In move ordering,
// a win or a fork of the mover counts twice, and each stone next to a cell adds 5 to the value of the cell.
//
// CITE: github.com/giospada/algoritmi-nmk-game, DirectionValue (MY_CELL_MULT) and HeuristicCell (ADIACENT_MULT).
func Authors() Multipliers { return Multipliers{MyCell: 10, Adjacent: 1, Growth: 1, authors: true} }

func (m Multipliers) checkMultipliers() error {
	// The condition is negated so that NaN is also refused.
	if !(m.MyCell >= 0 && m.MyCell <= MaxMyCell && m.Adjacent >= 0 && m.Adjacent <= MaxAdjacent && m.Growth >= 1 && m.Growth <= MaxGrowth) {
		return fmt.Errorf("mics: my_cell must be from 0 to %d, adjacent from 0 to %d and growth from 1 to %d, not %g, %g and %g",
			MaxMyCell, MaxAdjacent, MaxGrowth, m.MyCell, m.Adjacent, m.Growth)
	}
	return nil
}

// kind is the name of the heuristic in files of multipliers. (The name "mics" is used in another kind of file, which contains
// the branching factor and the search depth of the player mics.)
const kind = "mics-multipliers"

// Save writes the multipliers to a file of weights: {"my_cell":1,"adjacent":1.5,"growth":4}.
func (m Multipliers) Save(name string, o filed.Origin) error {
	if err := m.checkMultipliers(); err != nil {
		return err
	}
	return filed.Save(name, kind, o, m)
}

// Load reads multipliers from the file with this name.
func Load(name string) (Multipliers, filed.Origin, error) {
	var m Multipliers
	o, err := filed.Load(name, kind, &m, func(filed.Origin) error { return m.checkMultipliers() })
	return m, o, err
}
