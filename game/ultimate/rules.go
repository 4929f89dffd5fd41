// SPDX-License-Identifier: Apache-2.0

// Package ultimate implements ultimate tic-tac-toe, which is played on nine small boards of nine cells. The cell of a move
// within its small board determines the small board of the next move.
//
// Three cells in a row win a small board, three small boards in a row win the game. A small board that is won or full is
// closed; a side that would have to play in a closed board may play in any open board. A full small board without three in a
// row belongs to nobody. If no legal move is left and nobody has three small boards in a row, the game is a draw. [Rules]
// selects variants of these rules.
//
// # Basics
//
//	p := ultimate.New(ultimate.Rules{}).Start()
//	p.Play(game.Move(4*9 + 4)) // "55", the centre of the centre; the opponent stays in the centre board
//
// Small boards and their cells are counted row by row from the top left: 0 to 8 in the program, 1 to 9 in notation.
// The move in board b and cell c is 9*b + c:
//
//	 0  1  2 |  9 10 11 | 18 19 20
//	 3  4  5 | 12 13 14 | 21 22 23
//	 6  7  8 | 15 16 17 | 24 25 26
//	---------+----------+---------
//	27 28 29 | 36 37 38 | 45 46 47
//	 ...
//
// # Caveats
//
// Position.Cells has 9 columns and 9 rows, row 0 at the bottom, so its indices are not moves: [Position.Cell] converts a move.
// A game continues even if no side can win any more.
//
// # Speed
//
// CITE: Bertholon, Géraud-Stewart, Kugelmann, Lenoir and Naccache, At Most 43 Moves, At Least 29: Optimal
// Strategies and Bounds for Ultimate Tic-Tac-Toe, 2020 (the variant with open boards).
package ultimate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/krow-lab/krow/game"
)

// DrawRule determines the result if no move is left and nobody has three small boards in a row.
type DrawRule uint8

// The draw rules.
const (
	Plain  DrawRule = iota // the game is a draw
	Boards                 // the side with more small boards wins; equal numbers are a draw
)

// Rules selects a variant of the game; the zero value is the usual game.
type Rules struct {
	Draw DrawRule
	// Open means that a won small board stays open until it is full. The first side with three in a row in a small board has won
	// this board. A side may choose the small board freely only if it would have to play in a full one.
	Open bool
}

// Game is ultimate tic-tac-toe with given Rules.
type Game struct {
	r    Rules
	name string
}

// New returns the game with the rules r.
func New(r Rules) *Game {
	var args []string
	if r.Draw == Boards {
		args = append(args, "draw=boards")
	}
	if r.Open {
		args = append(args, "won=open")
	}
	name := "ultimate"
	if len(args) > 0 {
		name += ":" + strings.Join(args, ",")
	}
	return &Game{r, name}
}

// Rules returns the rules of the game.
func (g *Game) Rules() Rules { return g.r }

// String returns the game's spec.
func (g *Game) String() string { return g.name }

// Moves returns 81.
func (g *Game) Moves() int { return Moves }

// Blocks returns the numbers of columns and rows of a small board: see game.Blocked.
func (g *Game) Blocks() (columns, rows int) { return 3, 3 }

// StonesSuffice returns false, because the state also includes the winner of each small board and the small board of the next
// move.
func (g *Game) StonesSuffice() bool { return false }

// Format returns two digits: small board and cell, each from 1 to 9.
func (g *Game) Format(m game.Move) string {
	return string([]byte{'1' + byte(m/9), '1' + byte(m%9)})
}

// Parse reads a move in the form that Format writes.
func (g *Game) Parse(s string) (game.Move, error) {
	if len(s) != 2 || s[0] < '1' || s[0] > '9' || s[1] < '1' || s[1] > '9' {
		return game.NoMove, fmt.Errorf("%q is not a small board and a cell, each from 1 to 9", s)
	}
	return game.Move(s[0]-'1')*9 + game.Move(s[1]-'1'), nil
}

// Start returns the empty board.
func (g *Game) Start() game.Position { return &Position{g: g, b: NewBoard(g.r)} }

// Lines are the eight rows of three, as sets of cells or of small boards.
var Lines = [8]uint16{
	0b000000111, 0b000111000, 0b111000000,
	0b001001001, 0b010010010, 0b100100100,
	0b100010001, 0b001010100,
}

// hasLine and completing contain the results of HasLine and Completing for every set of nine cells.
var hasLine, completing = tables()

func tables() (has [512]bool, completing [512]uint16) {
	for set := range uint16(512) {
		for _, l := range Lines {
			switch rest := l &^ set; {
			case rest == 0:
				has[set] = true
			case rest&(rest-1) == 0:
				completing[set] |= rest
			}
		}
	}
	return has, completing
}

// HasLine reports whether a set contains three in a row. The set consists of cells of one small board, or of small boards. Bit
// c stands for cell c or small board c.
func HasLine(set uint16) bool { return hasLine[set&Full] }

// Completing returns the cells outside the set that complete three in a row with two cells of the set.
func Completing(set uint16) uint16 { return completing[set&Full] }

var place = func() (t [Moves]uint8) {
	for m := range t {
		board, cell := m/9, m%9
		column, fromTop := board%3*3+cell%3, board/3*3+cell/3
		t[m] = uint8(column + 9*(8-fromTop))
	}
	return t
}()

// SetUp returns the position described by s. Memory contains the forced board, 0 to 8, or 9 for a free choice, and then the
// owner of each small board: 0 for nobody, 1 for First, 2 for Second. If Memory is nil, the choice is free, and a small board
// belongs to the side with three in a row in it. SetUp returns an error if both sides have three in a row in the same small
// board, unless Rules.Open is set and Memory contains the owner of the board.
func (g *Game) SetUp(s game.Setup) (game.Position, error) {
	if len(s.Cells) != Moves {
		return nil, fmt.Errorf("the position has %d cells, but the board has %d", len(s.Cells), Moves)
	}
	p := &Position{g: g, b: NewBoard(g.r), before: s.Ply}
	if p.b.Turn = uint8(s.Turn & 1); p.b.Turn == 1 {
		p.key = keySecond
	}
	for m := range game.Move(Moves) {
		switch stone := s.Cells[place[m]]; {
		case stone > game.SecondStone:
			return nil, fmt.Errorf("cell %s has the invalid value %d", g.Format(m), stone)
		case stone != game.Empty:
			p.b.Stones[stone-1][m/9] |= 1 << (m % 9)
			p.b.Ply++
			p.cells[place[m]] = stone
			p.key ^= stoneKeys[stone-1][m]
		}
	}
	owners, err := p.owners(s.Memory)
	if err != nil {
		return nil, err
	}
	for b, o := range owners {
		p.own(b, o)
	}
	if s.Memory != nil {
		if err := p.force(s.Memory[0]); err != nil {
			return nil, err
		}
	}
	if err := p.settle(); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Position) owners(memory []uint8) (owners [9]game.Stone, err error) {
	if memory != nil && len(memory) != 10 {
		return owners, fmt.Errorf("the memory of %s has %d numbers, not %d", p.g, 10, len(memory))
	}
	for b := range owners {
		first, second := HasLine(p.b.Stones[0][b]), HasLine(p.b.Stones[1][b])
		switch {
		case first && second && (memory == nil || !p.g.r.Open):
			return owners, fmt.Errorf("both sides have a line in small board %d", b+1)
		case first:
			owners[b] = game.FirstStone
		case second:
			owners[b] = game.SecondStone
		}
		if memory == nil {
			continue
		}
		o := game.Stone(memory[1+b])
		if o != owners[b] && !(first && second && o == game.SecondStone) {
			return owners, fmt.Errorf("the result of small board %d does not follow from its cells", b+1)
		}
		owners[b] = o
	}
	return owners, nil
}

func (p *Position) own(b int, o game.Stone) {
	bit := uint16(1) << b
	if o != game.Empty {
		p.b.Won[o-1] |= bit
		p.key ^= wonKeys[o-1][b]
	}
	if o != game.Empty && !p.g.r.Open || p.b.Free(b) == 0 {
		p.b.Closed |= bit
	}
}

func (p *Position) force(b uint8) error {
	switch {
	case b > Any:
		return fmt.Errorf("the forced board must be from 0 to %d, not %d", Any, b)
	case b != Any && p.Closed(int(b)):
		return fmt.Errorf("small board %d takes no more stones", b+1)
	}
	p.b.Forced = b
	p.key ^= forcedKeys[b]
	return nil
}

func (p *Position) settle() error {
	first, second := HasLine(p.b.Won[0]), HasLine(p.b.Won[1])
	switch {
	case first && second:
		return errors.New("both sides have three small boards in a row")
	case first:
		p.b.Result = game.FirstWins
	case second:
		p.b.Result = game.SecondWins
	case p.b.Closed == Full:
		p.b.Result = p.b.full()
	}
	return nil
}

// Setup returns the position without the moves that led to it.
func (p *Position) Setup() game.Setup {
	memory := make([]uint8, 10)
	memory[0] = p.b.Forced
	for b := range 9 {
		memory[1+b] = uint8(p.Owner(b))
	}
	return game.Setup{Cells: append([]game.Stone(nil), p.cells[:]...), Turn: p.Turn(), Ply: p.Ply(), Memory: memory}
}
