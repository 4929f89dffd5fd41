// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"fmt"
	"os"
	"testing"
)

// literal is a line around the cell in question, which holds an own stone: cells as the codes of a key. It computes shapes
// directly from their definitions, by trying stones, and caches nothing.
type literal struct {
	sideRule
	cells []uint8
}

func newLiteral(r sideRule, key uint32, reach int) literal {
	l := literal{r, make([]uint8, 2*reach+1)}
	l.cells[reach] = codeOwn
	for i := range 2 * reach {
		at := i
		if i >= reach {
			at++
		}
		l.cells[at] = uint8(key >> (2 * i) & 3)
	}
	return l
}

// row returns the ends of the row through the middle: the first cells beyond it.
func (l literal) row() (from, to int) {
	from, to = len(l.cells)/2, len(l.cells)/2
	for from >= 0 && l.cells[from] == codeOwn {
		from--
	}
	for to < len(l.cells) && l.cells[to] == codeOwn {
		to++
	}
	return from, to
}

func (l literal) length() int {
	from, to := l.row()
	return to - from - 1
}

func (l literal) wins() bool {
	from, to := l.row()
	n := to - from - 1
	between := from >= 0 && to < len(l.cells) && l.cells[from] == codeEnemy && l.cells[to] == codeEnemy
	return n >= l.k && (n == l.k || !l.exact) && (!l.blocked || !between)
}

// count returns the number of empty cells on which a stone of the given code makes holds true.
func (l literal) count(code uint8, holds func() bool) (n int) {
	for i, c := range l.cells {
		if c == codeEmpty {
			l.cells[i] = code
			if holds() {
				n++
			}
			l.cells[i] = codeEmpty
		}
	}
	return n
}

func (l literal) fives() int { return l.count(codeOwn, l.wins) }

func (l literal) openFour() bool {
	empty := l.count(codeEnemy, func() bool { return true })
	return !l.wins() && l.length() < l.k && l.fives() >= 2 && l.count(codeEnemy, func() bool { return l.fives() > 0 }) == empty &&
		(!l.renju || l.length() == l.k-1)
}

// openThrees returns the number of cells that make an open four of a line that is not a four.
func (l literal) openThrees() int {
	if l.length() >= l.k || l.fives() > 0 {
		return 0
	}
	return l.count(codeOwn, l.openFour)
}

func (l literal) openTwos() int {
	if l.length() >= l.k || l.within(2, 0) || l.openThrees() > 0 {
		return 0
	}
	return l.count(codeOwn, func() bool { return l.openThrees() > 0 })
}

// within reports whether n more stones, on cells from the given first one on, can make the row win.
func (l literal) within(n, first int) bool {
	if n == 0 || l.wins() {
		return l.wins()
	}
	for i := first; i < len(l.cells); i++ {
		if l.cells[i] != codeEmpty {
			continue
		}
		l.cells[i] = codeOwn
		ok := l.within(n-1, i+1)
		l.cells[i] = codeEmpty
		if ok {
			return true
		}
	}
	return false
}

func (l literal) shape() shape {
	switch n := l.length(); {
	case l.wins():
		return five
	case n > l.k && l.exact:
		return overline
	case n >= l.k:
		return dead
	case l.openFour():
		return openFour
	case l.renju && l.fives() >= 2:
		return twinFour
	case l.fives() > 0:
		return four
	}
	if n := l.openThrees(); n > 0 {
		return min(openThree+shape(n-1), openThree2)
	}
	if l.within(2, 0) {
		return three
	}
	if n := l.openTwos(); n > 0 {
		return min(openTwo+shape(n-1), openTwo3)
	}
	if l.within(3, 0) {
		return two
	}
	if l.count(codeOwn, func() bool { return l.openTwos() > 0 }) > 0 {
		return openOne
	}
	if l.within(l.k-1, 0) {
		return one
	}
	return dead
}

// TestShapesMatchDefinitions compares the tables with the definitions, on every line or, if lines are long, on a sample of them.
func TestShapesMatchDefinitions(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	for _, r := range []sideRule{
		{k: 4}, {k: 5}, {k: 6}, {k: 5, exact: true}, {k: 5, exact: true, renju: true}, {k: 5, blocked: true}, {k: 4, exact: true},
	} {
		t.Run(fmt.Sprintf("%+v", r), func(t *testing.T) {
			both := &rule{side: [2]sideRule{r, {k: r.k}}}
			table, reach := newShapes(both), both.reach()
			every, seen := 1, map[shape]int{}
			if reach == maxReach && os.Getenv("KROW_LONG") == "" {
				every = 97
			}
			n, half := 0, 0 // keys, and what the cells on one side may hold: so many stones or gaps, then walls
			for i, cells := 0, 1; i <= reach; i, cells = i+1, cells*3 {
				half += cells
			}
			for key := range uint32(1) << (4 * reach) {
				if !proper(key, reach) {
					continue
				}
				if n++; n%every != 0 {
					continue
				}
				got, want := shape(table[key]&15), newLiteral(r, key, reach).shape()
				if seen[want]++; got != want {
					t.Fatalf("%v is %d, want %d", newLiteral(r, key, reach).cells, got, want)
				}
				enemy := newLiteral(both.side[1], swap(key), reach)
				if got, want := shape(table[key]>>4), enemy.shape(); n%11 == 0 && got != want {
					t.Fatalf("%v of the second side is %d, want %d", enemy.cells, got, want)
				}
			}
			if n != half*half {
				t.Errorf("%d keys, want %d", n, half*half)
			}
			t.Log(seen)
		})
	}
}
