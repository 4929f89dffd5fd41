// SPDX-License-Identifier: Apache-2.0

package puzzles

import (
	"math"
	"slices"

	"github.com/krow-lab/krow/game"
)

// Theme is the subject of a puzzle.
type Theme string

// The themes.
const (
	FourThree   Theme = "four-three"   // the move makes a four and an open three
	DoubleThree Theme = "double-three" // the move makes two open threes
	VCF         Theme = "vcf"          // a win by fours only (victory by continuous fours)
	VCT         Theme = "vct"          // a win by threats that are not all fours
	Defence     Theme = "defence"      // only one move saves the game
	Column      Theme = "column"       // the win of a game of Connect Four
	Endgame     Theme = "endgame"      // a win late in ultimate tic-tac-toe
	Ladder      Theme = "ladder"       // a win in Atari-Go by moves that each threaten a capture
	Best        Theme = "best"         // a move that is better than the move played in the game; nothing is proved
)

// Rows reports whether t is a theme of wins by threats in five in a row.
func (t Theme) Rows() bool { return t == FourThree || t == DoubleThree || t == VCF || t == VCT }

// theme returns the theme of the win v in p.
func theme(p game.Position, o Oracle, v Verdict) Theme {
	switch o.(type) {
	case *columnOracle:
		return Column
	case *ultimateOracle:
		return Endgame
	}
	if inPairs(o) {
		return VCF
	}
	if _, ok := p.(game.Lined); !ok {
		return Ladder
	}
	switch fours, threes := shapes(p, v.Line[0]); {
	case fours > 0 && threes > 0:
		return FourThree
	case threes > 1:
		return DoubleThree
	case v.Fours:
		return VCF
	}
	return VCT
}

// shapes returns two numbers: in how many directions m makes a four, and in how many directions m makes an open three but no
// four.
func shapes(p game.Position, m game.Move) (fours, threes int) {
	b := p.(game.Lined)
	columns, rows := b.Size()
	at, me, wall := b.Cell(m), p.Turn().Stone(), p.Turn().Other().Stone()
	for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
		// line contains the cells in this direction, with the cell of m in the middle. Each cell is empty, or me for a stone of
		// the mover, or wall for an enemy stone or a cell outside the board.
		k := b.K()
		line := make([]game.Stone, 2*k+1)
		for i := range line {
			x, y := at%columns+d[0]*(i-k), at/columns+d[1]*(i-k)
			line[i] = wall
			if x >= 0 && x < columns && y >= 0 && y < rows {
				line[i] = b.Cells()[x+y*columns]
			}
		}
		line[k] = me
		switch {
		case lineMakes(line, k, me, 1):
			fours++
		case lineMakes(line, k, me, 2):
			threes++
		}
	}
	return fours, threes
}

// lineMakes reports whether one more stone of me completes a row through the centre of line. If ends is 1, the row is k
// stones; if ends is 2, it is k-1 stones with an empty cell at both ends.
func lineMakes(line []game.Stone, k int, me game.Stone, ends int) bool {
	row := k - ends + 1 // for k = 5: 5 cells of a winning row, or 4 cells of a straight four
	for from := range len(line) - row + 1 {
		if from > k || from+row <= k {
			continue
		}
		own, empty := 0, 0
		for _, s := range line[from : from+row] {
			own, empty = own+b2i(s == me), empty+b2i(s == game.Empty)
		}
		free := ends == 1 || from > 0 && from+row < len(line) && line[from-1] == game.Empty && line[from+row] == game.Empty
		if own == row-1 && empty == 1 && free {
			return true
		}
	}
	return false
}

// Sixes returns the ways in which a side completes a row with one or two stones.
func Sixes(p game.Position, side game.Side) (all [][]game.Move) {
	b := p.(game.Lined)
	columns, rows := b.Size()
	for at := range columns * rows {
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			var free []game.Move
			own := 0
			for i := range b.K() {
				x, y := at%columns+i*d[0], at/columns+i*d[1]
				if x < 0 || x >= columns || y >= rows {
					break
				}
				switch b.Cells()[x+y*columns] {
				case side.Stone():
					own++
				case game.Empty:
					free = append(free, game.Move(x+y*columns))
				}
			}
			if own+len(free) == b.K() && len(free) <= 2 {
				all = append(all, free)
			}
		}
	}
	return all
}

// Tempting returns the number of wrong moves that look good. In five in a row a wrong move looks good if it makes a four or an
// open three, or if it belongs to onLine, the moves of a win that the opponent threatens. In Atari-Go it looks good if it
// threatens a capture or belongs to onLine, and in games with an exact solver if it does not lose at once. moves[0] is the right
// move.
func Tempting(p game.Position, o Oracle, moves []game.Move, onLine map[game.Move]bool) (n int) {
	_, rows := p.(game.Lined)
	for _, m := range moves[1:] {
		switch {
		case o.Exact():
			n += b2i(!LosesAtOnce(p, m))
		case onLine[m]:
			n++
		case !rows:
			p.Play(m)
			q, ok := Passed(p)
			p.Undo()
			n += b2i(ok && slices.ContainsFunc(q.AppendMoves(nil), func(a game.Move) bool { return game.After(q, a) == game.WinFor(q.Turn()) }))
		default:
			fours, threes := shapes(p, m)
			n += b2i(fours+threes > 0)
		}
	}
	return n
}

// Passed returns the position p with the other side to move, as if the side to move could pass. It returns false if there is no
// such position or if it is decided.
func Passed(p game.Position) (game.Position, bool) {
	if p.Outcome() != game.Ongoing {
		return nil, false
	}
	s := p.(game.Settable).Setup()
	s.Turn = s.Turn.Other()
	q, err := game.SetUp(p.Game(), s)
	return q, err == nil && q.Outcome() == game.Ongoing
}

// The lowest and the highest initial rating of a puzzle.
const lowestGrade, highestGrade = 600, 2600

// grade returns the initial rating of a puzzle on the same scale as people's ratings. The rating is computed from the length
// of the win, the nodes of its proof and the number of tempting moves. Later the results of people change the rating.
func (p *Puzzle) grade() int {
	g := 500 + 45*float64(p.Plies) + 130*math.Log10(float64(p.Nodes)+1) + 60*math.Log2(float64(p.Tempting)+1)
	return int(min(max(g, lowestGrade), highestGrade))
}
