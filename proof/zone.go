// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
)

// ZoneVersion is the version of certificates with zones. They prove wins on boards of up to 512 cells where stones do not fall.
const ZoneVersion = 3

// The maximum number of cells and the maximum row length of a certificate with zones.
const zoneCells, zoneK = 512, 64

// cells is a set of cells of a large board; a cell's bit has the number column + row*columns.
type cells [zoneCells / 64]uint64

func (s *cells) add(c int)      { s[c/64] |= 1 << (c % 64) }
func (s *cells) remove(c int)   { s[c/64] &^= 1 << (c % 64) }
func (s *cells) has(c int) bool { return s[c/64]>>(c%64)&1 != 0 }

func (s *cells) join(t cells) {
	for i := range s {
		s[i] |= t[i]
	}
}

func (s cells) minus(t cells) cells {
	for i := range s {
		s[i] &^= t[i]
	}
	return s
}

func (s cells) count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// each calls f for each cell of s, the lowest first, until f returns an error.
func (s cells) each(f func(c int) error) error {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if err := f(i*64 + bits.TrailingZeros64(w)); err != nil {
				return err
			}
		}
	}
	return nil
}

// The values of Claim.Rule under which zones are possible.
const (
	Free  = "free"  // k or more stones in a row win
	Exact = "exact" // exactly k stones in a row win
	Caro  = "caro"  // k or more stones in a row win, unless both ends have a stone of the other side
	// Renju is for wins of the first side: exactly five win for this side, five or more for the other side, and the first side
	// plays only moves that no stone of the other side can make forbidden.
	Renju = "renju"
)

// directions are the steps along rows, columns and both kinds of diagonals.
var directions = [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}

// zoneLine is a line of k cells.
type zoneLine struct {
	cells  cells
	ends   [2]int // the cells before and after the line, or -1 if there is none
	stones [2]int // the number of stones of the attacker and of the defender on the line
}

// proved is a checked tree to which shared trees may refer.
type proved struct {
	stones [2]cells
	zone   cells
	unseen int
	plies  int
}

// zones checks that a strategy wins for the attacker, side 0, against the defender, side 1. On the way down the tree it counts
// the unseen stones of the defender, which are stones whose cells are not known. On the way up it collects zones.
type zones struct {
	columns, rows, k int
	rule             string
	stones           [2]cells
	empty            cells
	lines            []zoneLine
	through          [][]int // by cell: the lines through it
	images           [][]int // by symmetry of the board and by cell: the cell to which the symmetry maps it
	kept             []proved
	trees            uint64
	// plies is the greatest number of plies that a game can last by the tree that was checked last.
	plies int
	next  func() (uint64, error) // returns the next number of the file
	enter func() error           // called for each tree, and for each reference to one
	// attackerMoves checks the next tree. It is zones.tree, or trail.attackerMoves, which skips large trees.
	attackerMoves func(unseen int, mayAll bool) (zone cells, all bool, err error)
}

var (
	errTurn  = errors.New("the move begins a row that the other side may complete")
	errShare = errors.New("the reference is to a tree that does not fit")
	errFoul  = errors.New("the move makes an overline, two fours or two threes")
	errNone  = errors.New("every answer must be proved, but there is no answer")
	errJoin  = errors.New("a cell that joins the zone is not empty, or is already in the zone")
)

// newZones returns a checker at the position of a claim. The attacker is the winning side.
func newZones(c *Claim) (*zones, error) {
	turn, known := map[string]byte{"first": 'X', "second": 'O'}[c.Turn]
	switch {
	case min(c.Columns, c.Rows, c.K) < 1 || c.K > zoneK || max(c.Columns, c.Rows) > zoneCells || c.Columns*c.Rows > zoneCells || c.Columns*c.Rows != len(c.Cells):
		return nil, fmt.Errorf("invalid board: %d,%d,%d with %d cells", c.Columns, c.Rows, c.K, len(c.Cells))
	case c.Gravity || c.Search != 0 || !slices.Contains([]string{Free, Exact, Caro, Renju}, c.Rule):
		return nil, fmt.Errorf("zones do not support the rule %q", c.Rule)
	case !known || c.Value != "win" && c.Value != "loss":
		return nil, fmt.Errorf("with zones the value must be win or loss for first or second, not %q for %q", c.Value, c.Turn)
	case c.Rule == Renju && (c.K != 5 || (c.Turn == "first") != (c.Value == "win")):
		return nil, errors.New("in renju, certificates prove only wins of the first side, by five in a row")
	}
	z := &zones{columns: c.Columns, rows: c.Rows, k: c.K, rule: c.Rule, through: make([][]int, len(c.Cells))}
	z.attackerMoves, z.enter = z.tree, func() error { return nil }
	for at := range c.Cells {
		z.empty.add(at)
		for i, d := range directions {
			if i == 0 || c.K > 1 {
				z.addLine(at, d[0], d[1])
			}
		}
	}
	for s := 0; s < 4 || s < 8 && c.Columns == c.Rows; s++ {
		z.images = append(z.images, (&board{columns: c.Columns, rows: c.Rows}).image(s))
	}
	for at, stone := range []byte(c.Cells) {
		switch {
		case stone == '.':
		case stone != 'X' && stone != 'O':
			return nil, fmt.Errorf("cell %d has the invalid value %q", at, stone)
		case (stone == turn) == (c.Value == "win"):
			z.put(0, at)
		default:
			z.put(1, at)
		}
	}
	over := func(l zoneLine) bool { return max(l.stones[0], l.stones[1]) == c.K }
	if z.empty == (cells{}) || slices.ContainsFunc(z.lines, over) {
		return nil, fmt.Errorf("certificates do not support a position with a line of %d or without an empty cell", c.K)
	}
	return z, nil
}

// zones checks a certificate with zones. Unless follow is nil, it also stores the certificate in follow.
func (r *Result) zones(body *bufio.Reader, enter func(kept int) error, follow *Strategy) error {
	z, err := newZones(&r.Claim)
	if err != nil {
		return err
	}
	z.next = func() (uint64, error) { return varint(body) }
	follow.attach(z, body)
	z.enter = func() error { return enter(len(z.kept) * provedBytes) }
	if r.Claim.Value == "win" {
		_, _, err = z.attackerMoves(0, false)
	} else {
		_, err = z.defenderMoves(0)
	}
	if err != nil {
		return fmt.Errorf("position %d: %w", z.trees, err)
	}
	r.Parts, r.Positions = []Part{{r.Claim.sides()[parts[r.Claim.Value][0].prover], true, Zones, z.trees}}, z.trees
	r.Plies = z.plies
	return nil
}

// varint reads a number of up to five bytes with seven bits each; the lowest bits come first. Only the shortest form of a number is
// accepted.
func varint(r io.ByteReader) (n uint64, err error) {
	for shift := 0; shift < 35; shift += 7 {
		b, err := r.ReadByte()
		n |= uint64(b&127) << shift
		if err == nil && b == 0 && shift > 0 {
			break
		}
		if err != nil || b < 128 {
			return n, short(err)
		}
	}
	return n, errors.New("a number has more than five bytes, or more than it needs")
}

// cell returns the cell that is n steps of dx, dy away from the cell from, or -1 if that is outside the board.
func (z *zones) cell(from, dx, dy, n int) int {
	x, y := from%z.columns+n*dx, from/z.columns+n*dy
	if x < 0 || x >= z.columns || y < 0 || y >= z.rows {
		return -1
	}
	return x + y*z.columns
}

func (z *zones) addLine(from, dx, dy int) {
	if z.cell(from, dx, dy, z.k-1) < 0 {
		return
	}
	l := zoneLine{ends: [2]int{z.cell(from, dx, dy, -1), z.cell(from, dx, dy, z.k)}}
	for i := range z.k {
		c := z.cell(from, dx, dy, i)
		l.cells.add(c)
		z.through[c] = append(z.through[c], len(z.lines))
	}
	z.lines = append(z.lines, l)
}

func (z *zones) put(side, c int) {
	z.stones[side].add(c)
	z.empty.remove(c)
	for _, l := range z.through[c] {
		z.lines[l].stones[side]++
	}
}

func (z *zones) takeCell(side, c int) {
	z.stones[side].remove(c)
	z.empty.add(c)
	for _, l := range z.through[c] {
		z.lines[l].stones[side]--
	}
}

// tree checks a tree with the attacker to move and at most the given number of unseen stones of the defender, and returns its
// zone. If mayAll is true, the file may contain the number that ZoneWriter.All writes instead of a tree. If it does, tree
// returns true as the result all, and a tree for every answer follows.
func (z *zones) tree(unseen int, mayAll bool) (zone cells, all bool, err error) {
	t, err := z.next()
	n := uint64(z.columns * z.rows)
	switch {
	case err != nil:
		return zone, false, err
	case t == 2*n && mayAll:
		z.plies = 0
		return zone, true, nil
	case t > 2*n && t <= 2*n+uint64(len(z.images)):
		zone, err = z.share(z.images[t-2*n-1], unseen)
		return zone, false, err
	case t >= 2*n || !z.empty.has(int(t%n)):
		return zone, false, errTaken
	}
	z.trees++
	if err := z.enter(); err != nil {
		return zone, false, err
	}
	c := int(t % n)
	z.put(0, c)
	won := false
	if zone, won = z.won(c); won {
		z.plies = 0
	} else if z.rule == Renju && z.foul(c) {
		err = errFoul
	} else {
		zone, err = z.defenderMoves(unseen)
	}
	z.plies++
	z.takeCell(0, c)
	zone.add(c)
	if t >= n && err == nil {
		z.kept = append(z.kept, proved{z.stones, zone, unseen, z.plies})
	}
	return zone, false, err
}

// defenderMoves checks that each answer of the defender, who is to move, has a tree. Each answer in the zone of the tree for a pass
// has its own tree, and the tree for a pass covers all other answers.
func (z *zones) defenderMoves(unseen int) (cells, error) {
	zone, all, err := z.attackerMoves(unseen+1, true)
	if err != nil {
		return zone, err
	}
	answers, plies := zone, z.plies
	if all {
		answers = z.empty
	}
	if answers == (cells{}) {
		return zone, errNone
	}
	err = answers.each(func(c int) error {
		z.put(1, c)
		defer z.takeCell(1, c)
		more, _, err := z.attackerMoves(unseen, false)
		zone.join(more)
		plies = max(plies, z.plies)
		return err
	})
	z.plies = plies + 1
	if err != nil {
		return zone, err
	}
	more, err := z.next()
	for ; more > 0 && err == nil; more-- {
		var c uint64
		if c, err = z.next(); err == nil && (c >= zoneCells || zone.has(int(c)) || !z.empty.has(int(c))) {
			err = errJoin
		}
		zone.add(int(c % zoneCells))
	}
	if err == nil && !z.safe(&zone, unseen) {
		err = errTurn
	}
	return zone, err
}

// safe reports whether the defender, who is to move, cannot complete a row with one stone, no matter on which cells outside the
// zone his unseen stones are.
func (z *zones) safe(zone *cells, unseen int) bool {
	for i := range z.lines {
		l := &z.lines[i]
		lacks := z.k - l.stones[1]
		if l.stones[0] > 0 || lacks > unseen+1 || z.cannotHelp(l) {
			continue
		}
		outside := l.cells.minus(z.stones[1]).minus(*zone).count()
		if lacks-min(unseen, outside) < 2 {
			return false
		}
	}
	return true
}

// cannotHelp reports that line l is useless for the defender: he wins neither by a row on exactly this line nor by a longer row
// that contains it.
func (z *zones) cannotHelp(l *zoneLine) bool {
	is := func(end, side int) bool { return end >= 0 && z.stones[side].has(end) }
	switch z.rule {
	case Exact:
		return is(l.ends[0], 1) || is(l.ends[1], 1)
	case Caro:
		return is(l.ends[0], 0) && is(l.ends[1], 0)
	}
	return false
}

// run returns the number of the attacker's stones in the run through his stone on c, in a direction, and the cells before and
// after the run, or -1 beyond the edge.
func (z *zones) run(c int, d [2]int) (n int, ends [2]int) {
	n = 1
	for i, step := range [2]int{-1, 1} {
		at := z.cell(c, d[0], d[1], step)
		for ; at >= 0 && z.stones[0].has(at); at = z.cell(at, d[0], d[1], step) {
			n++
		}
		ends[i] = at
	}
	return n, ends
}

// won reports whether the attacker's stone on c wins, and returns the zone of that win: the cells on which a stone of the defender
// would prevent it.
func (z *zones) won(c int) (zone cells, won bool) {
	for _, d := range directions {
		n, ends := z.run(c, d)
		if n < z.k || n > z.k && (z.rule == Exact || z.rule == Renju) {
			continue
		}
		if z.rule != Caro || min(ends[0], ends[1]) < 0 {
			return cells{}, true
		}
		for _, end := range ends {
			if !won && z.empty.has(end) {
				zone.add(end)
				won = true
			}
		}
	}
	return zone, won
}

// share reads from the file which checked tree to use, and returns the zone of its image. The position may have more stones of
// the defender than the image, if these stones are outside the zone; they count as unseen stones.
func (z *zones) share(image []int, unseen int) (zone cells, err error) {
	back, err := z.next()
	if err = cmp.Or(err, z.enter()); err != nil || back >= uint64(len(z.kept)) {
		return zone, cmp.Or(err, errShare)
	}
	t := &z.kept[len(z.kept)-1-int(back)]
	var stones [2]cells
	for i, s := range []cells{t.stones[0], t.stones[1], t.zone} {
		to := [3]*cells{&stones[0], &stones[1], &zone}[i]
		_ = s.each(func(c int) error {
			to.add(image[c])
			return nil
		})
	}
	more := z.stones[1].minus(stones[1])
	z.plies = t.plies
	if stones[0] != z.stones[0] || stones[1].minus(z.stones[1]) != (cells{}) || more.minus(zone) != more || more.count()+unseen > t.unseen {
		return zone, errShare
	}
	return zone, nil
}
