// SPDX-License-Identifier: Apache-2.0

package game

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
)

// ErrOver is returned by Play when the game has ended.
var ErrOver = errors.New("the game is over")

// IllegalMoveError reports a move that is not legal in a position.
type IllegalMoveError struct {
	Move   string // the move in the game's notation
	Ply    int    // ply of the position in which the move was tried
	Reason string // why the move is illegal; may be empty
}

func (e *IllegalMoveError) Error() string {
	s := fmt.Sprintf("illegal move %s at ply %d", e.Move, e.Ply+1)
	if e.Reason != "" {
		s += ": " + e.Reason
	}
	return s
}

// Play checks a move and plays it on p. If the move cannot be played, Play leaves p unchanged and returns ErrOver or an
// *IllegalMoveError.
func Play(p Position, m Move) error {
	if p.Outcome() != Ongoing {
		return ErrOver
	}
	if !Legal(p, m) {
		return illegal(p, m)
	}
	p.Play(m)
	return nil
}

// Legal reports whether m is legal in p. It takes time O(number of legal moves), or O(1) if p is a LegalTester.
func Legal(p Position, m Move) bool {
	if m < 0 || int(m) >= p.Game().Moves() {
		return false
	}
	if a, ok := p.(LegalTester); ok {
		return a.Allows(m)
	}
	_, ok := slices.BinarySearch(p.AppendMoves(nil), m)
	return ok
}

// After returns the outcome after m, which must be legal.
func After(p Position, m Move) Outcome {
	p.Play(m)
	defer p.Undo()
	return p.Outcome()
}

// SetUp returns the position of g that s describes, or an error if g cannot set up positions or there is no such position.
func SetUp(g Game, s Setup) (Position, error) {
	setter, ok := g.(Setter)
	if !ok {
		return nil, fmt.Errorf("positions of %s cannot be set up", g)
	}
	return setter.SetUp(s)
}

// FreeCells returns the number of empty cells, or the number of legal moves if p is no Board.
func FreeCells(p Position) (n int) {
	b, ok := p.(Board)
	if !ok {
		return len(p.AppendMoves(nil))
	}
	for _, stone := range b.Cells() {
		if stone == Empty {
			n++
		}
	}
	return n
}

// CellMoves reports whether p, which must be ongoing, is a Lined board whose legal moves are its empty cells. If so, every move
// of the game is equal to the index of its cell.
func CellMoves(p Position) bool {
	b, ok := p.(Lined)
	if !ok || p.Game().Moves() != len(b.Cells()) {
		return false
	}
	moves, cells := p.AppendMoves(nil), b.Cells()
	for _, m := range moves {
		if b.Cell(m) != int(m) || cells[m] != Empty {
			return false
		}
	}
	taken := 0
	for _, s := range cells {
		if s != Empty {
			taken++
		}
	}
	return len(moves)+taken == len(cells)
}

// AppendSound appends to dst the legal moves that are not forbidden, or all legal moves if all are forbidden. Players choose
// among these moves. AppendSound takes time O(number of legal moves).
func AppendSound(dst []Move, p Position) []Move {
	start := len(dst)
	dst = p.AppendMoves(dst)
	f, ok := p.(Forbidder)
	if !ok || !f.Forbids() {
		return dst
	}
	sound := start
	for i, m := range dst[start:] {
		if f.Forbidden(m) == "" {
			// Swap the move with a forbidden move. The forbidden move must stay in the list, because the whole list is needed if
			// every move is forbidden. The moves that are not forbidden keep their order.
			dst[sound], dst[start+i] = m, dst[sound]
			sound++
		}
	}
	if sound == start {
		return dst
	}
	return dst[:sound]
}

// Random returns one of the moves that AppendSound appends, all equally likely. intn(n) must return a random number from 0 to
// n-1.
func Random(p Position, intn func(n int) int) Move {
	moves := AppendSound(nil, p)
	return moves[intn(len(moves))]
}

// Forbidden yields the forbidden moves among legal, the legal moves of p, each with the reason why it is forbidden.
func Forbidden(p Position, legal []Move) iter.Seq2[Move, string] {
	return func(yield func(Move, string) bool) {
		f, ok := p.(Forbidder)
		if !ok {
			return
		}
		for _, m := range legal {
			if why := f.Forbidden(m); why != "" && !yield(m, why) {
				return
			}
		}
	}
}

// PlayRandom plays plies random moves, or fewer if the game ends earlier.
func PlayRandom(p Position, plies int, intn func(n int) int) {
	for i := 0; i < plies && p.Outcome() == Ongoing; i++ {
		p.Play(Random(p, intn))
	}
}

// Foul returns the reason why the last move was forbidden and lost the game, or "" if the game did not end with a forbidden
// move. It leaves p unchanged.
func Foul(p Position) string {
	f, ok := p.(Forbidder)
	moves := p.AppendHistory(nil)
	if !ok || len(moves) == 0 || p.Outcome() == Ongoing {
		return ""
	}
	last := moves[len(moves)-1]
	p.Undo()
	why := f.Forbidden(last)
	p.Play(last)
	return why
}

func illegal(p Position, m Move) error {
	if m < 0 || int(m) >= p.Game().Moves() {
		return &IllegalMoveError{Move: fmt.Sprint(int(m)), Ply: p.Ply(), Reason: "no such move"}
	}
	e := &IllegalMoveError{Move: p.Game().Format(m), Ply: p.Ply()}
	b, ok := p.(Board)
	if !ok {
		return e
	}
	switch c := b.Cell(m); {
	case c >= len(b.Cells()):
		e.Reason = "the column is full"
	case b.Cells()[c] != Empty:
		e.Reason = "the cell is taken"
	default:
		if r, ok := p.(Refuser); ok {
			e.Reason = r.Refusal(m)
		}
	}
	return e
}

// Perft returns the number of sequences of exactly depth legal moves that begin at p. Games that end earlier are not counted.
func Perft(p Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return perft(p, depth, nil)
}

func perft(p Position, depth int, buf []Move) uint64 {
	start := len(buf)
	buf = p.AppendMoves(buf)
	if depth == 1 {
		return uint64(len(buf) - start)
	}
	n := uint64(0)
	for _, m := range buf[start:] {
		p.Play(m)
		n += perft(p, depth-1, buf)
		p.Undo()
	}
	return n
}

// MaxSide is the greatest number of columns or rows of any board.
const MaxSide = 128

// FormatCell returns the cell's name: the letters of the column (a..z, then aa, ab, ...) and the number of the row, from 1 at
// the bottom.
func FormatCell(cell, columns int) string {
	return FormatColumn(cell%columns) + strconv.Itoa(cell/columns+1)
}

// FormatColumn returns the letters of column c, which counts from 0.
func FormatColumn(c int) string {
	if c < 26 {
		return string(rune('a' + c))
	}
	return string([]byte{byte('a' + c/26 - 1), byte('a' + c%26)})
}

var errCell = errors.New("not a cell of this board")

// ParseCell reads the name of a cell in the form of FormatCell; it also accepts upper case.
func ParseCell(s string, columns, rows int) (int, error) {
	i, c := 0, 0
	for i < len(s) && i < 3 && isLetter(s[i]) {
		c = c*26 + int(s[i]|0x20-'a') + 1
		i++
	}
	// Atoi would also accept "+5" and "05", which are no names of rows.
	if i == 0 || i == len(s) || s[i] < '1' || s[i] > '9' {
		return 0, errCell
	}
	r, err := strconv.Atoi(s[i:])
	if err != nil || c > columns || r > rows {
		return 0, errCell
	}
	return c - 1 + (r-1)*columns, nil
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
