// SPDX-License-Identifier: Apache-2.0

package threat

import (
	"cmp"
	"iter"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/boarddiff"
)

// A Lister lists the threats on a sequence of boards, as Find does for one board. It scans only the lines that have
// changed since the previous board, so it is fast if the boards differ by a few moves. The zero value is ready to use.
type Lister struct {
	reading Reading
	grid    grid
	mirror  boarddiff.Mirror
	through [][4]int16 // for each cell, the numbers of the lines through it, by Dir
	lists   [2][]listed
	changed []int16 // numbers of the lines to scan again
	dirty   []bool  // by line: whether changed contains the line
	pieces  []piece
}

// listed is a threat with the number of its line. The lists of a Lister are sorted by the field key.
type listed struct {
	key    uint64
	line   int16
	threat *Threat
}

// Of returns the threats of a side on b, in the order of Find. The caller must not change the threats; they remain valid
// after the next call.
func (l *Lister) Of(b game.Lined, side game.Side) iter.Seq[*Threat] {
	l.follow(b)
	return func(yield func(*Threat) bool) {
		for _, x := range l.lists[side] {
			if !yield(x.threat) {
				return
			}
		}
	}
}

// follow updates the lists for the board b.
func (l *Lister) follow(b game.Lined) {
	g := &l.grid
	columns, rows := b.Size()
	if columns != g.columns || rows != g.rows || b.K() != g.k || g.exact != [2]bool{b.Exact(game.First), b.Exact(game.Second)} {
		l.reset(b)
	} else {
		l.mirror.Follow(b)
		for _, c := range l.mirror.Sync() {
			g.cells[g.place(int(c.Cell))] = c.New
			for _, n := range l.through[c.Cell] {
				l.touch(n)
			}
		}
	}
	l.list()
}

func (l *Lister) reset(b game.Lined) {
	g := &l.grid
	g.load(b, l.reading)
	l.mirror.Reset(b)
	l.lists = [2][]listed{}
	l.changed, l.dirty = nil, make([]bool, len(g.lines))
	l.through = make([][4]int16, g.columns*g.rows)
	for n, line := range g.lines {
		for at := line.from; at != line.end; at += line.step {
			l.through[g.cell(at)][line.dir] = int16(n)
		}
		l.touch(int16(n))
	}
}

// touch marks a line as changed.
func (l *Lister) touch(n int16) {
	if !l.dirty[n] {
		l.dirty[n] = true
		l.changed = append(l.changed, n)
	}
}

// list scans the changed lines, and replaces their threats in the lists.
func (l *Lister) list() {
	if len(l.changed) == 0 {
		return
	}
	for side := range l.lists {
		l.lists[side] = slices.DeleteFunc(l.lists[side], func(x listed) bool { return l.dirty[x.line] })
	}
	for _, n := range l.changed {
		line := l.grid.lines[n]
		l.pieces = l.grid.scan(l.pieces[:0], line.from, line.end, line.step)
		for _, f := range l.pieces {
			t := l.grid.threat(f, line)
			x := listed{t.order(l.grid.k), n, &t}
			list := &l.lists[t.Side]
			at, _ := slices.BinarySearchFunc(*list, x, func(a, b listed) int { return cmp.Compare(a.key, b.key) })
			*list = slices.Insert(*list, at, x)
		}
		l.dirty[n] = false
	}
	l.changed = l.changed[:0]
}

// order returns the sort key of the threat. Find lists the threats of one side by increasing key:
//
//	k - size   3 - class   first cell   direction   gap + 1
//	 8 bits      2 bits      16 bits      2 bits    16 bits
func (t *Threat) order(k int) uint64 {
	n := uint64(k-t.Size)<<2 | uint64(Complete-t.Class)
	return (n<<16|uint64(t.Cells[0]))<<18 | uint64(t.Dir)<<16 | uint64(t.Gap+1)
}
