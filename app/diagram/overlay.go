// SPDX-License-Identifier: Apache-2.0

package diagram

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/proof"
)

// Overlay contains the features of a position that can be computed without a search, to be drawn over the board.
type Overlay struct {
	K       int      `json:"k,omitempty" doc:"number of stones in a row that win, in games won by rows"`
	Threats []Threat `json:"threats" nullable:"false" doc:"unfinished rows of both sides with two stones or more"`
	Wins    []Point  `json:"wins" nullable:"false" doc:"cells on which a stone of a side wins at once, or together with the other stone of the same turn"`
	Forks   []Point  `json:"forks" nullable:"false" doc:"for a side that cannot win at once: cells on which a stone would create two or more winning cells; empty in games with two stones a turn"`
	Values  []Value  `json:"values" nullable:"false" doc:"value of each legal move by the heuristic"`
	// Planned is not found by NewOverlay, because the certificates are known to package krow.
	Planned *proof.PlannedMove `json:"planned,omitempty" doc:"the last move with the reason for it, if it is the move of a certificate with plans"`
}

// Threat is a row of stones of one side.
type Threat struct {
	Side  string `json:"side" enum:"first,second"`
	Size  int    `json:"size" doc:"number of stones"`
	Class string `json:"class" enum:"closed,half-open,open,complete"`
	Cells []int  `json:"cells" nullable:"false"`
	Gap   int    `json:"gap" doc:"the empty cell inside the row, or -1"`
}

// Point is a cell to mark for a side, for example because a stone there wins.
type Point struct {
	Side string `json:"side" enum:"first,second"`
	Cell int    `json:"cell"`
	Move string `json:"move"`
}

// Value is the value that a heuristic gives to a move of the side to move.
type Value struct {
	Cell  int     `json:"cell"`
	Move  string  `json:"move"`
	Score float64 `json:"score" doc:"score in the unit of the heuristic"`
}

// forkCells is the maximum number of cells of a board on which forks are searched for, because the work grows with the
// square of the number of cells.
const forkCells = 400

// NewOverlay returns the overlay of b. If scorer is not nil, the overlay contains the value that scorer gives to each move.
func NewOverlay(b game.Board, scorer eval.MoveScorer) Overlay {
	o := Overlay{Threats: []Threat{}, Wins: []Point{}, Forks: []Point{}, Values: []Value{}}
	if lined, ok := b.(game.Lined); ok {
		o.K = lined.K()
		for _, t := range threat.Find(lined) {
			if t.Size >= 2 && t.Class != threat.Closed {
				o.Threats = append(o.Threats, Threat{t.Side.String(), t.Size, t.Class.String(), t.Cells, t.Gap})
			}
		}
	}
	if b.Outcome() != game.Ongoing {
		return o
	}
	for _, side := range []game.Side{b.Turn(), b.Turn().Other()} {
		p, ok := withTurn(b, side)
		if !ok {
			continue
		}
		now := wins(p, side)
		o.Wins = append(o.Wins, now...)
		if len(now) == 0 && len(b.Cells()) <= forkCells && !inPairs(b.Game()) {
			o.Forks = slices.AppendSeq(o.Forks, forks(p, side))
		}
	}
	if scorer != nil {
		p := b.Clone().(game.Board)
		for _, m := range b.AppendMoves(nil) {
			o.Values = append(o.Values, Value{b.Cell(m), b.Game().Format(m), scorer.ScoreMove(p, m).Units()})
		}
	}
	return o
}

// withTurn returns the position with the stones of b and the given side to move. It returns false if this position cannot be
// set up.
func withTurn(b game.Board, side game.Side) (game.Board, bool) {
	if side == b.Turn() {
		return b.Clone().(game.Board), true
	}
	return setUp(b.Game(), b, side)
}

// setUp returns the position of game g with the stones of b and the given side to move. It returns false if the stones and the
// side to move do not determine a position of g, or if the position is not possible.
func setUp(g game.Game, b game.Board, side game.Side) (game.Board, bool) {
	now, canTell := b.(game.Settable)
	if !canTell || !notation.StonesSuffice(g) {
		return nil, false
	}
	state := now.Setup()
	if state.Turn != side && inPairs(g) {
		state.Memory = []uint8{2}
	}
	state.Turn = side
	p, err := game.SetUp(g, state)
	if err != nil {
		return nil, false
	}
	return p.(game.Board), true
}

// inPairs reports whether a side places two stones in a turn of g.
func inPairs(g game.Game) bool {
	m, ok := g.(*mnk.Game)
	return ok && m.Rules().Turn == 2
}

// wins returns the moves of p that win at once for side, which must be to move. If there are none and a turn has two stones,
// it returns the moves that win together with a second stone.
func wins(p game.Board, side game.Side) []Point {
	var all, pairs []Point
	for _, m := range p.AppendMoves(nil) {
		p.Play(m)
		if p.Outcome() == game.WinFor(side) {
			all = append(all, point(p, side, m))
		} else if len(all) == 0 && p.Outcome() == game.Ongoing && p.Turn() == side && winsNear(p, side, p.Cell(m)) {
			pairs = append(pairs, point(p, side, m))
		}
		p.Undo()
	}
	if len(all) == 0 {
		return pairs
	}
	return all
}

// winsNear reports whether side, which must be to move, has a winning move on a line through the given cell, less than K cells
// away from this cell.
func winsNear(p game.Board, side game.Side, cell int) bool {
	columns, rows := p.Size()
	far := p.(game.Lined).K() - 1
	for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
		for i := -far; i <= far; i++ {
			x, y := cell%columns+i*d[0], cell/columns+i*d[1]
			if x < 0 || y < 0 || x >= columns || y >= rows || p.Cells()[x+y*columns] != game.Empty {
				continue
			}
			if game.After(p, game.Move(x+y*columns)) == game.WinFor(side) {
				return true
			}
		}
	}
	return false
}

func point(p game.Board, side game.Side, m game.Move) Point {
	return Point{side.String(), p.Cell(m), p.Game().Format(m)}
}

// forks yields the moves of p after which side could win on at least two cells if the other side passed. It leaves out
// forbidden moves and moves that win at once.
func forks(p game.Board, side game.Side) iter.Seq[Point] {
	return func(yield func(Point) bool) {
		f, _ := p.(game.Forbidder)
		for _, m := range p.AppendMoves(nil) {
			if f != nil && f.Forbidden(m) != "" {
				continue
			}
			at, fork := point(p, side, m), false
			p.Play(m)
			if p.Outcome() == game.Ongoing {
				q, ok := withTurn(p, side)
				fork = ok && len(wins(q, side)) > 1
			}
			p.Undo()
			if fork && !yield(at) {
				return
			}
		}
	}
}

func anyFork(p game.Board, side game.Side) bool {
	for range forks(p, side) {
		return true
	}
	return false
}

// Mark describes the effect that a stone of a side would have on an empty cell.
type Mark struct {
	Side      game.Side
	Forbidden bool // whether the stone loses the game, because a rule forbids it; otherwise it wins
}

// Marks returns the cells on which a stone of either side would win at once, and the cells on which a rule forbids a stone. If a
// cell has marks for both sides, Marks returns the mark of the side to move. In games with falling stones it also marks cells
// that cannot be reached yet, because they often decide the game when the cells below them are filled.
func Marks(b game.Board) map[int]Mark {
	marks := map[int]Mark{}
	if b.Outcome() != game.Ongoing {
		return marks
	}
	for _, side := range []game.Side{b.Turn().Other(), b.Turn()} {
		p, ok := withTurn(b, side)
		if lined, isLined := b.(game.Lined); isLined && falls(b) {
			columns, rows := b.Size()
			if flying, err := mnk.MNK(columns, rows, lined.K()); err == nil {
				p, ok = setUp(flying, b, side)
			}
		}
		if !ok {
			continue
		}
		for _, w := range wins(p, side) {
			marks[w.Cell] = Mark{Side: side}
		}
		for m := range game.Forbidden(p, p.AppendMoves(nil)) {
			marks[p.Cell(m)] = Mark{Side: side, Forbidden: true}
		}
	}
	return marks
}

// MajorThreats returns the greatest threats of both sides, the greatest first: open or half-open threats with at least k-2
// stones, where k is the number of stones in a row that win.
func MajorThreats(b game.Lined) []threat.Threat {
	all := slices.DeleteFunc(threat.Find(b), func(t threat.Threat) bool {
		return t.Class == threat.Closed || t.Size < max(2, b.K()-2)
	})
	slices.SortStableFunc(all, func(a, b threat.Threat) int {
		return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(b.Class, a.Class))
	})
	return all
}

// Step is one move of a sequence of moves, with the data for drawing it.
type Step struct {
	Move  string `json:"move"`
	Cell  int    `json:"cell" doc:"cell on which the stone of the move lands"`
	Side  string `json:"side" enum:"first,second"`
	Makes string `json:"makes,omitempty" enum:"win,double,four,three" doc:"threat that the move makes; double: two or more cells that win next, four: one such cell, three: a fork next"`
}

// Line plays a sequence of moves from b and returns its steps: the cell and the side of each move. The parameter few is the
// number of moves at the beginning of the sequence whose steps also contain the threat of the move. The time for finding the
// threat of a move grows with the square of the number of cells; Line stops when ctx is done.
func Line(ctx context.Context, b game.Board, line string, few int) ([]Step, error) {
	moves, err := notation.ParseMoves(b.Game(), line)
	if err != nil {
		return nil, err
	}
	p := b.Clone().(game.Board)
	steps := []Step{}
	for i, m := range moves {
		name, side := p.Game().Format(m), p.Turn()
		if !game.Legal(p, m) {
			err := &game.IllegalMoveError{Move: name, Ply: p.Ply()}
			return nil, &notation.MoveError{Number: i + 1, Word: name, Err: err}
		}
		step := Step{Move: name, Cell: p.Cell(m), Side: side.String()}
		p.Play(m)
		if i < few {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			step.Makes = makes(p, side)
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// makes returns the name of the threat that side has made with the last move: the best result that side could reach if it
// moved again. The name is "" if there is no threat.
func makes(p game.Board, side game.Side) string {
	if p.Outcome() == game.WinFor(side) {
		return "win"
	}
	q, ok := withTurn(p, side)
	if !ok || p.Outcome() != game.Ongoing || p.Turn() == side {
		return ""
	}
	switch n := len(wins(q, side)); {
	case n > 1 && !inPairs(p.Game()):
		return "double"
	case n > 0:
		return "four"
	case len(p.Cells()) <= forkCells && !inPairs(p.Game()) && anyFork(q, side):
		return "three"
	}
	return ""
}
