// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"bufio"
	"compress/flate"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"

	"github.com/krow-lab/krow/game"
)

// Position is what a Chooser is asked about.
type Position struct {
	Cells []game.Stone // the chooser's to keep
	Turn  game.Side
	Hero  game.Side
	Wins  bool // hero has to win; otherwise not to lose
	Weak  bool // his own lines do not count
}

// Chooser is whoever knows how hero reaches his goal: a solver.
type Chooser interface {
	// Root is asked once for each half of a draw: does hero hold p even in the weak game, where only the other
	// side can win?
	Root(p Position) (weak bool, err error)
	// Move returns the cell of a move with which hero, who is to move, reaches his goal.
	Move(p Position) (cell int, err error)
}

// Write writes the certificate of a claim. Its Krow and Version are filled in.
func Write(out io.Writer, c Claim, choose Chooser) error {
	c.Krow, c.Version = "certificate", Version
	b, turn, err := c.board()
	if err != nil {
		return err
	}
	head, err := json.Marshal(c)
	if err != nil {
		return err
	}
	sum := sha256.New()
	file := io.MultiWriter(out, sum)
	if _, err := file.Write(append(head, '\n')); err != nil {
		return err
	}
	packed, err := flate.NewWriter(file, flate.BestCompression)
	if err != nil {
		return err
	}
	w := &writer{Writer: bufio.NewWriter(packed), choose: choose}
	for _, p := range c.parts(turn) {
		if err := w.part(b, p, turn, &c); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	_, err = out.Write(sum.Sum(nil))
	return err
}

// writer writes the steps that it asks for.
type writer struct {
	*bufio.Writer
	choose Chooser
	tries  [maxCells + 1]trial // by stones on the board
}

func (w *writer) part(b *board, p part, turn game.Side, c *Claim) error {
	if !p.wins && p.hero == turn && b.stones == [2]set{} && !b.falls {
		return w.WriteByte(stolen)
	}
	kind := strong
	if !p.wins && !b.falls {
		var err error
		if p.weak, err = w.choose.Root(position(b, p, turn)); err != nil {
			return err
		}
		if p.weak {
			kind = weak
		}
	}
	if err := w.WriteByte(kind); err != nil {
		return err
	}
	return (&walker{board: b, part: p, bound: c.Search, next: w.step, seen: map[[6]uint64]struct{}{}}).run(turn)
}

func position(b *board, p part, turn game.Side) Position {
	cells := make([]game.Stone, b.columns*b.rows)
	for c := range cells {
		for s := range b.stones {
			if b.stones[s].has(c) {
				cells[c] = game.Side(s).Stone()
			}
		}
	}
	return Position{Cells: cells, Turn: turn, Hero: p.hero, Wins: p.wins, Weak: p.weak}
}

// step asks for the move at the walker's position, or leaves it to the checker to find it, where it can.
func (w *writer) step(at *walker) (int, error) {
	if t := &w.tries[at.stones[0].count()+at.stones[1].count()]; at.falls && t.promises() {
		found := at.find(at.look()) == nil
		if t.count(found); found {
			return search, w.WriteByte(search)
		}
	}
	c, err := w.choose.Move(position(at.board, at.part, at.hero))
	if err != nil {
		return 0, err
	}
	if c < 0 || c >= at.columns*at.rows {
		return 0, fmt.Errorf("there is no cell %d", c)
	}
	return c, w.WriteByte(byte(c))
}

// trial counts how often a search on a board with so many stones was enough, and how often in vain.
type trial struct{ found, failed int }

// promises says whether it is worth another try: a search in vain is most of the work of writing.
func (t *trial) promises() bool {
	return t.failed < 16 || t.found*8 >= t.failed || (t.found+t.failed)%64 == 0
}

func (t *trial) count(found bool) {
	if found {
		t.found++
		return
	}
	t.failed++
}
