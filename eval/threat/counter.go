// SPDX-License-Identifier: Apache-2.0

package threat

import (
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/boarddiff"
)

// Counter counts the threats on a board, and updates the counts as moves are played and taken back. Reset must be called before
// any other method. Only one goroutine may use a Counter.
//
// A change of a cell affects four lines. In each line only the threats in a part around the cell can change. In both directions
// this part ends at the edge of the board or after k-1 consecutive free cells (k with [Reading].Uncapped), because no threat
// depends on cells beyond these free cells:
//
//	# O X . X X . . . . O X . X . . . . X      k = 5
//	  [             ^               ]          the part around ^: outside it no threat changes
//
// The threats of this part are subtracted from the counts, the cell is changed, and the new threats of the part are added. A
// log of these steps lets Undo restore the counts without a scan.
type Counter struct {
	Reading Reading // how threats are counted; a change takes effect at the next Reset

	grid   grid
	counts Counts
	mirror boarddiff.Mirror
	log    []entry
	marks  []int // for each Play that was not undone: the length of the log before it
	pieces []piece
}

// entry is a threat that was added to the counts (+1) or subtracted (-1).
type entry struct {
	kind int16
	side game.Side
	sign int8
}

// Reset makes the counter follow b, and counts all threats. It allocates memory only if the size of the board or k changes.
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

// Undo must be called just after the board has taken its last move back.
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

// Counts returns the counts of the current board. They belong to the counter and change with it.
func (c *Counter) Counts() *Counts {
	c.apply(c.mirror.Sync())
	return &c.counts
}

func (c *Counter) apply(changes []boarddiff.Change) {
	for _, ch := range changes {
		c.change(c.grid.place(int(ch.Cell)), ch.New)
	}
}

// change sets the content of a place of the grid to s, a stone or Empty.
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

// part follows a line from a place, at, in the direction of step. It returns the first place after the part of the line in
// which threats depend on the content of at.
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

// Follower counts the threats of any position. One of its counters follows the position given to Reset, and the other one scans
// any other position.
type Follower struct {
	tied game.Position
	live Counter // counter of the position that Play and Undo follow
	scan Counter // counter of any other position
}

// Read sets how threats are counted. It takes effect at the next Reset.
func (f *Follower) Read(r Reading) { f.live.Reading, f.scan.Reading = r, r }

// Reset makes the follower follow p.
func (f *Follower) Reset(p game.Position) {
	f.tied = p
	f.live.Reset(p.(game.Lined))
}

// Play must be called just before the followed position plays m.
func (f *Follower) Play(m game.Move) { f.live.Play(m) }

// Undo must be called just after the followed position has taken a move back.
func (f *Follower) Undo() { f.live.Undo() }

// Counter returns a counter with the threats of p. It scans p, unless p is the followed position.
func (f *Follower) Counter(p game.Position) *Counter {
	if p == f.tied {
		return &f.live
	}
	f.scan.Reset(p.(game.Lined))
	return &f.scan
}

// Counts contains the number of threats of each side and kind.
type Counts [2][]int32 // by side, then by Kind

// Of returns the number of threats of side s that have this size and class.
func (c *Counts) Of(s game.Side, size int, class Class) int { return int(c[s][KindOf(size, class)]) }

// zero sets all counts for k in a row to 0.
func (c *Counts) zero(k int) {
	for s := range c {
		if len(c[s]) != Kinds(k) {
			c[s] = make([]int32, Kinds(k))
		}
		clear(c[s])
	}
}
