// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"fmt"
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// falling writes a part of a proof on a board where stones fall.
func (w *writer) falling(c *Claim, hero game.Side, wins bool) error {
	f := newFalling(c, wins)
	tries := make([]trial, len(c.Cells)+1)
	f.next = func(mine, other uint64) (int, error) {
		if t := &tries[bits.OnesCount64(mine|other)]; t.promises() {
			found := f.find(mine, other) == nil
			if t.count(found); found {
				return search, w.WriteByte(search)
			}
		}
		cell, err := w.choose.Move(f.position(hero, mine, other))
		if err != nil {
			return 0, err
		}
		if cell < 0 || cell >= len(c.Cells) {
			return 0, fmt.Errorf("there is no cell %d", cell)
		}
		column := cell % f.columns
		return column, w.WriteByte(byte(column))
	}
	return f.run(c, hero)
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

// position returns what a Chooser is asked about.
func (f *falling) position(hero game.Side, mine, other uint64) Position {
	cells := make([]game.Stone, f.columns*f.rows)
	for c := range cells {
		switch at := f.at(c); {
		case mine&at != 0:
			cells[c] = hero.Stone()
		case other&at != 0:
			cells[c] = hero.Other().Stone()
		}
	}
	return Position{Cells: cells, Turn: hero, Hero: hero, Wins: f.wins}
}
