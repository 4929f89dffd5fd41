// SPDX-License-Identifier: Apache-2.0

package sandbox

import (
	"errors"
	"fmt"
	"math/bits"

	"go.starlark.net/starlark"

	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/boarddiff"
	"github.com/krow-lab/krow/game/ultimate"
)

// windows contains all rows of k cells of a board, one after the other:
//
//	cells    0 1 2 3 4 │ 1 2 3 4 5 │ ...      k = 5
//	through  of each cell: the windows that it lies in
type windows struct {
	k       int
	cells   []int32
	through [][]int32
	tuples  []starlark.Value // the Starlark value of each window, made when it is first needed
}

func newWindows(b game.Lined) *windows {
	columns, rows := b.Size()
	w := &windows{k: b.K(), through: make([][]int32, columns*rows)}
	for cell := range columns * rows {
		x, y := cell%columns, cell/columns
		for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			ex, ey := x+d[0]*(w.k-1), y+d[1]*(w.k-1)
			if ex < 0 || ex >= columns || ey >= rows || w.k == 1 && d != [2]int{1, 0} {
				continue
			}
			n := int32(len(w.cells) / w.k)
			for i := range w.k {
				c := x + d[0]*i + (y+d[1]*i)*columns
				w.cells = append(w.cells, int32(c))
				w.through[c] = append(w.through[c], n)
			}
		}
	}
	return w
}

func (w *windows) at(n int32) []int32 { return w.cells[int(n)*w.k:][:w.k] }

// standing counts the stones in the windows of a board. It is updated from one position to the next.
type standing struct {
	*windows
	mirror boarddiff.Mirror
	stones [][2]uint8 // number of stones in each window, by side
	// counts[side][n] is the number of windows that contain n stones of the side and no stone of the other side.
	counts [2][]int
}

func newStanding(w *windows, b game.Board) *standing {
	n := len(w.cells) / w.k
	s := &standing{windows: w, stones: make([][2]uint8, n), counts: [2][]int{make([]int, w.k+1), make([]int, w.k+1)}}
	s.counts[0][0], s.counts[1][0] = n, n
	s.mirror.Reset(b)
	for cell, stone := range b.Cells() {
		s.change(int32(cell), game.Empty, stone)
	}
	return s
}

// follow updates the counts so that they describe the position b.
func (s *standing) follow(b game.Board) {
	s.mirror.Follow(b)
	for _, c := range s.mirror.Sync() {
		s.change(c.Cell, c.Old, c.New)
	}
}

func (s *standing) change(cell int32, old, now game.Stone) {
	for _, n := range s.through[cell] {
		stones := &s.stones[n]
		s.tally(*stones, -1)
		if old == game.FirstStone || old == game.SecondStone {
			stones[old-1]--
		}
		if now == game.FirstStone || now == game.SecondStone {
			stones[now-1]++
		}
		s.tally(*stones, +1)
	}
}

func (s *standing) tally(stones [2]uint8, by int) {
	if stones[1] == 0 {
		s.counts[0][stones[0]] += by
	}
	if stones[0] == 0 {
		s.counts[1][stones[1]] += by
	}
}

// lacking marks each empty cell that completes a window: the side has a stone on every other cell of the window.
func (s *standing) lacking(side game.Side, marked []bool) {
	for n, stones := range s.stones {
		if int(stones[side]) != s.k-1 || stones[side.Other()] != 0 {
			continue
		}
		for _, c := range s.at(int32(n)) {
			marked[c] = marked[c] || s.mirror.Cells()[c] == game.Empty
		}
	}
}

// promise returns a measure of the progress that a stone on a cell would make in the rows of either side. It is used for move
// ordering.
func (w *windows) promise(cells []game.Stone, cell int) (n int) {
	for _, i := range w.through[cell] {
		var stones [3]int
		for _, c := range w.at(i) {
			stones[cells[c]&3%3]++
		}
		if stones[1] == 0 || stones[2] == 0 {
			n += 1 << (3 * min(stones[1]+stones[2], 10))
		}
	}
	return n
}

// errLines is the error for a game that is not won by rows.
var errLines = errors.New("this game has no rows")

// rows returns the windows of the board, or nil if the game has no rows.
func (p *position) rows() *windows {
	if p.windows == nil && p.lined != nil {
		p.windows = newWindows(p.lined)
	}
	return p.windows
}

// rowsNow returns the counts of stones in the windows of the current position, or nil if the game has no rows.
func (p *position) rowsNow() *standing {
	w := p.rows()
	if w == nil {
		return nil
	}
	if p.standing == nil {
		p.standing = newStanding(w, p.board)
	}
	p.standing.follow(p.board)
	return p.standing
}

// marks returns a mark for each cell, all false.
func (p *position) marks() []bool {
	if len(p.marked) != p.size() {
		p.marked = make([]bool, p.size())
	}
	clear(p.marked)
	return p.marked
}

// nine returns the board of ultimate tic-tac-toe, and false in other games.
func (p *position) nine() (ultimate.Board, bool) {
	if u, ok := p.p.(*ultimate.Position); ok {
		return u.Board(), true
	}
	return ultimate.Board{}, false
}

// sideOf reads the number of a side.
func sideOf(v starlark.Value) (game.Side, error) {
	n, err := starlark.AsInt32(v)
	if err != nil || n != 1 && n != 2 {
		return 0, fmt.Errorf("a side must be 1 or 2, such as position.me, not %s", oneLine(v.String()))
	}
	return game.Side(n - 1), nil
}

func ints(list []int) *starlark.List {
	all := make([]starlark.Value, len(list))
	for i, n := range list {
		all[i] = whole(n)
	}
	return starlark.NewList(all)
}

// countWindows implements position.windows of the bots' interface. In ultimate tic-tac-toe a window is a row of three small
// boards, and a won small board counts as a stone of its winner.
func (p *position) countWindows(args starlark.Tuple) (starlark.Value, error) {
	if err := takes(args, 1); err != nil {
		return nil, err
	}
	side, err := sideOf(args[0])
	if err != nil {
		return nil, err
	}
	if b, ok := p.nine(); ok {
		return ints(countNine(b.Won[side], b.Won[side.Other()]|b.Closed&^b.Won[side])), nil
	}
	s := p.rowsNow()
	if s == nil {
		return nil, errLines
	}
	p.charge(len(s.counts[side]))
	return ints(s.counts[side]), nil
}

// countNested implements position.nested. It adds the window counts of all open small boards of ultimate tic-tac-toe. In other
// games the list is empty.
func (p *position) countNested(args starlark.Tuple) (starlark.Value, error) {
	if err := takes(args, 1); err != nil {
		return nil, err
	}
	side, err := sideOf(args[0])
	b, ok := p.nine()
	if err != nil || !ok {
		return starlark.NewList(nil), err
	}
	p.charge(20)
	total := make([]int, 4)
	for i := range 9 {
		if b.Closed>>i&1 == 0 {
			for n, count := range countNine(b.Stones[side][i], b.Stones[side.Other()][i]) {
				total[n] += count
			}
		}
	}
	return ints(total), nil
}

// countNine returns, for each n, the number of rows of three among nine cells that contain n stones of own and none of foe.
func countNine(own, foe uint16) []int {
	counts := make([]int, 4)
	for _, line := range ultimate.Lines {
		if line&foe == 0 {
			counts[bits.OnesCount16(line&own)]++
		}
	}
	return counts
}

// listLines implements position.lines.
func (p *position) listLines(args starlark.Tuple) (starlark.Value, error) {
	w := p.rows()
	if w == nil {
		return nil, errLines
	}
	if w.tuples == nil {
		p.charge(len(w.cells))
		for i := 0; i < len(w.cells); i += w.k {
			row := make(starlark.Tuple, w.k)
			for j, c := range w.cells[i:][:w.k] {
				row[j] = whole(int(c))
			}
			w.tuples = append(w.tuples, row)
		}
	}
	switch len(args) {
	case 0:
		p.charge(len(w.tuples) / 4)
		return starlark.NewList(append([]starlark.Value{}, w.tuples...)), nil
	case 1:
		cell, err := starlark.AsInt32(args[0])
		if err != nil || cell < 0 || cell >= len(w.through) {
			return nil, fmt.Errorf("cells must be numbers from 0 to %d", len(w.through)-1)
		}
		var list []starlark.Value
		for _, n := range w.through[cell] {
			list = append(list, w.tuples[n])
		}
		return starlark.NewList(list), nil
	}
	return nil, takes(args, 1)
}

// listWins implements position.wins: the moves with which a side would complete a winning row if it were to move.
func (p *position) listWins(args starlark.Tuple) (starlark.Value, error) {
	if err := takes(args, 1); err != nil {
		return nil, err
	}
	side, err := sideOf(args[0])
	if err != nil {
		return nil, err
	}
	b, nine := p.nine()
	s := p.rowsNow()
	if !nine && s == nil {
		return nil, errLines
	}
	p.charge(p.size() / 20)
	p.moves = p.moves[:0]
	if p.p.Outcome() != game.Ongoing || s != nil && s.counts[side][s.k-1] == 0 {
		return p.list(p.moves), nil
	}
	sound, lacking := p.sound(), p.marks()
	if s != nil {
		p.charge(len(sound) / 2)
		s.lacking(side, lacking)
	}
	for _, m := range sound {
		switch {
		case nine && ultimate.Completing(b.Won[side])&(1<<(m/9)) != 0 && ultimate.Completing(b.Stones[side][m/9])&(1<<(m%9)) != 0 && (b.Won[0]|b.Won[1])&(1<<(m/9)) == 0,
			s != nil && lacking[p.lined.Cell(m)] && completes(p.lined, side, p.lined.Cell(m)):
			p.moves = append(p.moves, m)
		}
	}
	return p.list(p.moves), nil
}

// completes reports whether a stone of a side on a cell makes a row whose length wins. It ignores all other rules.
func completes(b game.Lined, side game.Side, cell int) bool {
	columns, rows := b.Size()
	cells, stone := b.Cells(), side.Stone()
	for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
		n := 1
		for _, sign := range []int{1, -1} {
			x, y := cell%columns, cell/columns
			for {
				x, y = x+sign*d[0], y+sign*d[1]
				if x < 0 || x >= columns || y < 0 || y >= rows || cells[x+y*columns] != stone {
					break
				}
				n++
			}
		}
		if n == b.K() || n > b.K() && !b.Exact(side) {
			return true
		}
	}
	return false
}

// listNear implements position.near: the moves that are at most a given distance from a stone.
func (p *position) listNear(args starlark.Tuple) (starlark.Value, error) {
	distance := 1
	if len(args) == 1 {
		var err error
		if distance, err = starlark.AsInt32(args[0]); err != nil || distance < 1 {
			return nil, errors.New("near: the distance must be at least 1")
		}
	} else if err := takes(args, 0); err != nil {
		return nil, err
	}
	p.moves = append(p.moves[:0], p.sound()...)
	if p.board != nil && len(p.moves) > 0 {
		p.charge(p.size() / 10)
		p.moves = near(p.moves, p.board, min(distance, game.MaxSide), p.marks())
	}
	return p.list(p.moves), nil
}

// near removes, in place, the moves whose cells are more than the given distance from a stone. On an empty board it keeps the move
// nearest to the centre. If no move is near enough, it keeps all. marked has an element for each cell, all false.
func near(moves []game.Move, b game.Board, distance int, marked []bool) []game.Move {
	columns, rows := b.Size()
	stones := 0
	for cell, s := range b.Cells() {
		if s == game.Empty {
			continue
		}
		stones++
		x, y := cell%columns, cell/columns
		from, to := max(x-distance, 0), min(x+distance, columns-1)
		for ny := max(y-distance, 0); ny <= min(y+distance, rows-1); ny++ {
			row := marked[ny*columns+from : ny*columns+to+1]
			for i := range row {
				row[i] = true
			}
		}
	}
	if stones == 0 && len(moves) > 0 {
		at := central(moves, b)
		return moves[at : at+1]
	}
	kept := 0
	for i, m := range moves {
		if cell := b.Cell(m); cell < len(marked) && marked[cell] {
			moves[kept], moves[i] = m, moves[kept]
			kept++
		}
	}
	if kept == 0 {
		return moves
	}
	return moves[:kept]
}

// central returns the index of the move nearest to the centre.
func central(moves []game.Move, b game.Board) (at int) {
	columns, rows := b.Size()
	least := 1 << 30
	for i, m := range moves {
		cell := b.Cell(m)
		x, y := 2*(cell%columns)-columns+1, 2*(cell/columns)-rows+1
		if d := x*x + y*y; d < least {
			at, least = i, d
		}
	}
	return at
}

// listThreats implements position.threats.
func (p *position) listThreats(args starlark.Tuple) (starlark.Value, error) {
	if err := takes(args, 1); err != nil {
		return nil, err
	}
	side, err := sideOf(args[0])
	if err != nil {
		return nil, err
	}
	if p.lined == nil {
		return nil, errLines
	}
	list := make([]starlark.Value, 0, 64)
	for t := range p.threats.Of(p.lined, side) {
		if t.Class != threat.Closed {
			list = append(list, threatValue{t})
		}
	}
	p.charge(p.size()/20 + len(list))
	return starlark.NewList(list), nil
}

// threatValue is the Starlark value of a threat.
type threatValue struct{ t *threat.Threat }

func (v threatValue) String() string        { return "threat" }
func (v threatValue) Type() string          { return "threat" }
func (v threatValue) Freeze()               {}
func (v threatValue) Truth() starlark.Bool  { return true }
func (v threatValue) Hash() (uint32, error) { return 0, errors.New("a threat cannot be a key") }

// AttrNames returns the names of all attributes.
func (v threatValue) AttrNames() []string { return []string{"cells", "gap", "kind", "size"} }

// Attr returns an attribute.
func (v threatValue) Attr(name string) (starlark.Value, error) {
	switch name {
	case "cells":
		return ints(v.t.Cells), nil
	case "gap":
		if v.t.Gap >= 0 {
			return whole(v.t.Gap), nil
		}
		return starlark.None, nil
	case "kind":
		return starlark.String(v.t.Class.String()), nil
	case "size":
		return whole(v.t.Size), nil
	}
	return nil, nil
}

// listForbidden implements position.forbidden.
func (p *position) listForbidden(args starlark.Tuple) (starlark.Value, error) {
	if err := takes(args, 0); err != nil {
		return nil, err
	}
	var list []starlark.Value
	if p.p.Outcome() == game.Ongoing {
		for m := range game.Forbidden(p.p, p.p.AppendMoves(nil)) {
			list = append(list, whole(int(m)))
		}
	}
	p.charge(p.size())
	return starlark.NewList(list), nil
}

// boards returns the small boards of ultimate tic-tac-toe, or an empty list in other games.
func (p *position) boards() starlark.Value {
	b, ok := p.nine()
	if !ok {
		return starlark.NewList(nil)
	}
	p.charge(20)
	all := make([]starlark.Value, 9)
	for i := range all {
		all[i] = &smallBoard{b, i}
	}
	return starlark.NewList(all)
}

// smallBoard is a copy of a small board of ultimate tic-tac-toe.
type smallBoard struct {
	b ultimate.Board
	i int
}

func (s *smallBoard) String() string        { return fmt.Sprintf("board %d", s.i+1) }
func (s *smallBoard) Type() string          { return "board" }
func (s *smallBoard) Freeze()               {}
func (s *smallBoard) Truth() starlark.Bool  { return true }
func (s *smallBoard) Hash() (uint32, error) { return uint32(s.i), nil }

// boardNames are the attributes of a small board.
var boardNames = []string{"cells", "closed", "owner", "windows", "wins"}

// AttrNames returns boardNames.
func (s *smallBoard) AttrNames() []string { return boardNames }

// Attr returns an attribute.
func (s *smallBoard) Attr(name string) (starlark.Value, error) {
	bit := uint16(1) << s.i
	switch name {
	case "owner":
		switch {
		case s.b.Won[0]&bit != 0:
			return whole(1), nil
		case s.b.Won[1]&bit != 0:
			return whole(2), nil
		}
		return whole(0), nil
	case "closed":
		return starlark.Bool(s.b.Closed&bit != 0), nil
	case "cells":
		cells := make([]int, 9)
		for c := range cells {
			cells[c] = int(s.b.Stones[0][s.i]>>c&1 + s.b.Stones[1][s.i]>>c&1*2)
		}
		return ints(cells), nil
	case "windows", "wins":
		return starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			if err := takes(args, 1); err != nil {
				return nil, err
			}
			side, err := sideOf(args[0])
			if err != nil {
				return nil, err
			}
			if name == "windows" {
				return ints(countNine(s.b.Stones[side][s.i], s.b.Stones[side.Other()][s.i])), nil
			}
			var moves []int
			if s.b.Closed&bit == 0 && (s.b.Won[0]|s.b.Won[1])&bit == 0 {
				for set := ultimate.Completing(s.b.Stones[side][s.i]) & s.b.Free(s.i); set != 0; set &= set - 1 {
					moves = append(moves, 9*s.i+bits.TrailingZeros16(set))
				}
			}
			return ints(moves), nil
		}), nil
	}
	return nil, nil
}
