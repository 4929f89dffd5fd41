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
	Cells []game.Stone // its own to keep
	Hero  game.Side    // the side to move, but before the first move of a part: see Chooser.Root
	Wins  bool         // hero has to win; otherwise not to lose
	Weak  bool         // his own lines do not count
}

// Chooser is whoever knows how hero reaches his goal: a solver.
type Chooser interface {
	// Root says whether hero holds the position of a claim in the weak game, where only the other side can
	// win. It is asked about draws only.
	Root(p Position, turn game.Side) (weak bool, err error)
	// Pairs returns pairs of cells that hold p for hero, whoever is to move, or nil if it knows none.
	Pairs(p Position) [][2]int
	// Move returns the cell of a move with which hero reaches his goal.
	Move(p Position) (cell int, err error)
}

// Write writes the certificate of a claim. Its Krow and Version are filled in.
func Write(out io.Writer, c Claim, choose Chooser) error {
	c.Krow, c.Version = "certificate", Version
	b, turn, err := c.board()
	if err != nil {
		return err
	}
	sum := sha256.New()
	file := io.MultiWriter(out, sum)
	head, err := json.Marshal(c)
	if err != nil {
		return err
	}
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
}

func (w *writer) part(b *board, p part, turn game.Side, c *Claim) error {
	kind := byte(strong)
	if !p.wins && p.hero == turn && b.stones == [2]set{} && !c.Gravity {
		return w.WriteByte(stolen)
	}
	if !p.wins {
		var err error
		if p.weak, err = w.choose.Root(position(b, p), turn); err != nil {
			return err
		}
	}
	if p.weak {
		kind = weak
	}
	if err := w.WriteByte(kind); err != nil {
		return err
	}
	walk := &walker{board: b, part: p, next: w.step, seen: map[[6]uint64]struct{}{}, fours: c.Fours}
	return walk.run(turn)
}

func position(b *board, p part) Position {
	cells := make([]game.Stone, len(b.through))
	for c := range cells {
		for s := range b.stones {
			if b.stones[s].has(c) {
				cells[c] = game.Side(s).Stone()
			}
		}
	}
	return Position{Cells: cells, Hero: p.hero, Wins: p.wins, Weak: p.weak}
}

// step chooses the step at the walker's position: the one that leaves the most to the checker.
func (w *writer) step(at *walker) (step, error) {
	p := position(at.board, at.part)
	if !at.wins {
		if pairs := w.choose.Pairs(p); pairs != nil {
			return step{kind: codePairs, pairs: pairs}, w.pairs(pairs)
		}
	}
	if at.left = at.fours; at.wins && !at.atRoot && at.winsByFours() {
		return step{kind: codeFours}, w.WriteByte(codeFours)
	}
	if at.atRoot {
		return step{kind: codeWalk}, w.WriteByte(codeWalk)
	}
	c, err := w.choose.Move(p)
	if err != nil {
		return step{}, err
	}
	if c < 0 || c >= len(at.through) {
		return step{}, fmt.Errorf("there is no cell %d", c)
	}
	return step{kind: byte(c)}, w.WriteByte(byte(c))
}

func (w *writer) pairs(pairs [][2]int) error {
	all := []byte{codePairs, byte(len(pairs))}
	for _, p := range pairs {
		all = append(all, byte(p[0]), byte(p[1]))
	}
	_, err := w.Write(all)
	return err
}
