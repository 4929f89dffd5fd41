// SPDX-License-Identifier: Apache-2.0

package threat

import (
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/boarddiff"
)

// Counter counts the threats of a board, and updates the counts when moves are played and undone. The zero value must be Reset
// first. It belongs to one goroutine.
//
// A change of a cell changes four lines, and of each only the part around the cell that ends on both sides at the edge
// or with k-1 free cells in a row (k under [Reading].Uncapped), past which no threat sees:
//
//	# O X . X X . . . . O X . X . . . . X      k = 5
//	  [             ^               ]          the part around ^: before and behind it no threat changes
//
// The threats of that part are counted out, the cell is changed, and they are counted in again. A log lets Undo do
// without a scan.
type Counter struct {
	Reading Reading // how threats are counted, from the next Reset on

	grid   grid
	counts Counts
	mirror boarddiff.Mirror
	log    []entry
	marks  []int // the length of the log at each Play
	pieces []piece
}

// entry is a threat that came (+1) or went (-1).
type entry struct {
	kind int16
	side game.Side
	sign int8
}

// Reset ties the counter to b and counts from scratch. It allocates only if the board's size or k changes.
func (c *Counter) Reset(b game.Lined) {
	c.grid.load(b, c.Reading)
	c.mirror.Reset(b)
	c.log, c.marks = c.log[:0], c.marks[:0]
	c.counts.zero(c.grid.k)
	for _, l := range c.grid.lines {
		c.pieces = c.grid.scan(c.pieces[:0], l.from, l.end, l.step)
		for _, f := range c.pieces {
			c.counts[f.side][f.kind]++
		}
	}
}

// Play must be called just before the board plays m.
func (c *Counter) Play(m game.Move) {
	c.apply(c.mirror.Play(m))
	c.marks = append(c.marks, len(c.log))
}

// Undo must be called just after the board took its last move back.
func (c *Counter) Undo() {
	undone := c.mirror.Undo()
	for i := len(undone) - 1; i >= 0; i-- {
		c.grid.cells[c.grid.place(int(undone[i].Cell))] = undone[i].Old
	}
	if len(c.marks) == 0 {
		return
	}
	start := c.marks[len(c.marks)-1]
	c.marks = c.marks[:len(c.marks)-1]
	for _, e := range c.log[start:] {
		c.counts[e.side][e.kind] -= int32(e.sign)
	}
	c.log = c.log[:start]
}

// Counts returns the counts of the current board. They are the counter's own and change with it.
func (c *Counter) Counts() *Counts {
	c.apply(c.mirror.Sync())
	return &c.counts
}

func (c *Counter) apply(changes []boarddiff.Change) {
	for _, ch := range changes {
		c.change(c.grid.place(int(ch.Cell)), ch.New)
	}
}

// change puts a stone, or none, on a place of the grid.
func (c *Counter) change(at int, s game.Stone) {
	g := &c.grid
	old := g.cells[at]
	for _, step := range &g.steps {
		from, end := g.part(at, -step)+step, g.part(at, step)
		g.cells[at] = old
		c.tally(from, end, step, -1)
		g.cells[at] = s
		c.tally(from, end, step, +1)
	}
}

// part returns the first place, walking away from at, that does not influence any threat that the place at influences.
func (g *grid) part(at, step int) int {
	for free := 0; free < g.enough; {
		at += step
		switch g.cells[at] {
		case border:
			return at
		case game.Empty:
			free++
		default:
			free = 0
		}
	}
	return at + step
}

func (c *Counter) tally(from, end, step int, sign int8) {
	c.pieces = c.grid.scan(c.pieces[:0], from, end, step)
	for _, f := range c.pieces {
		c.counts[f.side][f.kind] += int32(sign)
		c.log = append(c.log, entry{f.kind, f.side, sign})
	}
}

// Follower has counters for a position that it is tied to, and for any other.
type Follower struct {
	tied game.Position
	live Counter // of tied
	scan Counter // of any other position
}

// Read is the reading by which threats are counted.
func (f *Follower) Read(r Reading) { f.live.Reading, f.scan.Reading = r, r }

// Reset ties the follower to p.
func (f *Follower) Reset(p game.Position) {
	f.tied = p
	f.live.Reset(p.(game.Lined))
}

// Play must be called just before the position tied to plays m.
func (f *Follower) Play(m game.Move) { f.live.Play(m) }

// Undo must be called just after the position tied to took a move back.
func (f *Follower) Undo() { f.live.Undo() }

// Counter returns the counter of p, which it scans unless it is tied to it.
func (f *Follower) Counter(p game.Position) *Counter {
	if p == f.tied {
		return &f.live
	}
	f.scan.Reset(p.(game.Lined))
	return &f.scan
}

// Counts is the number of threats of each side and kind.
type Counts [2][]int32 // by side, then by Kind

// Of returns the number of threats of a size and class of s.
func (c *Counts) Of(s game.Side, size int, class Class) int { return int(c[s][KindOf(size, class)]) }

// zero clears the counts, for k in a row.
func (c *Counts) zero(k int) {
	for s := range c {
		if len(c[s]) != Kinds(k) {
			c[s] = make([]int32, Kinds(k))
		}
		clear(c[s])
	}
}
