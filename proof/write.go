// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"bufio"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/krow-lab/krow/game"
)

// Position is a position for which a Chooser chooses a move.
type Position struct {
	Cells  []game.Stone // the stone on each cell; the Chooser may keep the slice
	Turn   game.Side
	Prover game.Side
	Wins   bool // the prover's goal is to win; false means not to lose
	Weak   bool // the prover's own lines do not count, and he only breaks lines of the other side
}

// Chooser is a solver that can find moves with which the prover reaches his goal.
type Chooser interface {
	// Root reports whether the prover can avoid a loss in p even if his own lines do not count. A draw is proved in two parts,
	// one with each side as the prover; Root is called at most once for each part.
	Root(p Position) (weak bool, err error)
	// Move returns the cell of a move with which the prover, who is to move, reaches his goal.
	Move(p Position) (cell int, err error)
}

// Planner is a Chooser that can also find plans for games with falling stones.
type Planner interface {
	Chooser
	// Plan returns a move and a plan with which the prover, who is to move, reaches his goal after this move. ok is false if it
	// has no plan.
	Plan(p Position) (cell int, plan Plan, ok bool)
}

// NewClaim returns the claim that p has this value for the side to move: 1 is a win, 0 a draw and -1 a loss.
func NewClaim(p game.Lined, value int) Claim {
	c := Claim{K: p.K(), Turn: p.Turn().String(), Value: [...]string{"loss", "draw", "win"}[value+1]}
	c.Columns, c.Rows = p.Size()
	for _, st := range p.Cells() {
		c.Cells += string(".XO"[st])
	}
	return c
}

// Writable returns an error if no certificate can be written for the position, because it contains a line of k stones that does
// not end the game.
func Writable(p game.Lined) error {
	c := NewClaim(p, 1)
	c.Rule = Free
	_, err := newZones(&c)
	return err
}

// Write writes the certificate of claim c, and sets its fields Krow and Version. With the rule Exact or Caro, c must claim a
// draw in which each side can break all lines of the other side. If stones fall and the Chooser is a Planner, the certificate is of
// FallVersion.
func Write(out io.Writer, c Claim, choose Chooser) error {
	c.Krow, c.Version = "certificate", Version
	if c.Rule != "" {
		c.Version = RuleVersion
	}
	planner, plans := choose.(Planner)
	if plans {
		c.Version = FallVersion
	}
	b, err := c.board()
	if err != nil {
		return err
	}
	w := &writer{choose: choose, planner: planner, sides: [2]game.Side{game.First, game.Second}}
	if c.Turn == game.Second.String() {
		w.sides = [2]game.Side{game.Second, game.First}
	}
	var ways []How
	for _, p := range parts[c.Value] {
		how, err := w.way(b, p, c.Rule != "")
		if err != nil {
			return err
		}
		if ways = append(ways, how); how == Holds {
			c.Version = max(c.Version, PlanVersion)
		}
	}
	return write(out, c, func(packed *bufio.Writer) error {
		w.Writer = packed
		for i, p := range parts[c.Value] {
			if err := w.part(b, p, ways[i], c.Search); err != nil {
				return err
			}
		}
		return nil
	})
}

// choose returns the prover's move after path. If wins is true, the prover must still win after this move; otherwise he must
// not lose.
func WriteUltimate(out io.Writer, c Claim, choose func(path []uint8, prover game.Side, wins bool) (move uint8, err error)) error {
	c.Krow, c.Version, c.Columns, c.Rows, c.K = "certificate", UltimateVersion, 9, 9, 3
	n, err := c.nested()
	if err != nil {
		return err
	}
	return write(out, c, func(packed *bufio.Writer) error {
		for _, p := range parts[c.Value] {
			w := &nestedWalk{part: p, enter: func() error { return nil }, seen: map[[3]uint64]bool{}}
			prover := game.Side(p.prover)
			if c.Turn == game.Second.String() {
				prover = prover.Other()
			}
			w.next = func(path []uint8) (int, error) {
				m, err := choose(path, prover, p.wins)
				if err != nil {
					return 0, err
				}
				return int(m), packed.WriteByte(m)
			}
			if err := w.walk(n); err != nil {
				return err
			}
		}
		return nil
	})
}

// WriteTree writes the certificate of a win or loss in a game with captures or with turns of several stones, and sets the claim's
// fields Krow and Version. The function choose returns the cell of the winner's next stone after path, the cells that were played
// since the position of the claim.
func WriteTree(out io.Writer, c Claim, choose func(path []int) (cell int, err error)) error {
	c.Krow, c.Version = "certificate", TreeVersion
	t, err := newTree(&c)
	if err != nil {
		return err
	}
	return write(out, c, func(packed *bufio.Writer) error {
		t.enter = func() error { return nil }
		t.next = func(path []int) (int, error) {
			cell, err := choose(path)
			if err != nil {
				return 0, err
			}
			_, err = packed.Write(binary.AppendUvarint(nil, uint64(cell)))
			return cell, err
		}
		return t.walk()
	})
}

// write writes the first line of a certificate, its body and the checksum.
func write(out io.Writer, c Claim, body func(*bufio.Writer) error) error {
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
	w := bufio.NewWriter(packed)
	if err := body(w); err != nil {
		return err
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

type writer struct {
	*bufio.Writer
	choose  Chooser
	planner Planner             // or nil
	sides   [2]game.Side        // the side to move in the claim, then the other side
	tries   [maxCells + 1]trial // by the number of stones on the board: how often the checker's search found the move itself
}

// errWeak is the error for a claim that cannot have a certificate under its rule.
var errWeak = errors.New("a draw has a certificate only if both sides can break every line")

// way returns the way in which part p is proved.
func (w *writer) way(b *board, p part, ruled bool) (How, error) {
	switch {
	case p.wins || b.falls:
		return Moves, nil
	case p.prover == 0 && b.stones == [2]set{} && !ruled:
		return Stolen, nil
	}
	at := &walker{board: *b}
	at.part = p
	weak, err := w.choose.Root(w.position(at, 0))
	switch {
	case err != nil || weak:
		return Holds, err
	case ruled:
		return Moves, errWeak
	}
	return Moves, nil
}

func (w *writer) part(b *board, p part, how How, bound int) error {
	if err := w.WriteByte(byte(how)); err != nil {
		return err
	}
	switch how {
	case Stolen:
		return nil
	case Holds:
		return w.hold(b, p)
	}
	at := &walker{board: *b, next: w.step, seen: map[[4]uint64]bool{}, bound: bound, left: -1}
	at.part = p
	return at.walk(0)
}

// position returns the walker's current position for the Chooser. side is to move.
func (w *writer) position(at *walker, side int) Position {
	cells := make([]game.Stone, at.columns*at.rows)
	for c := range cells {
		for s := range at.stones {
			if at.stones[s].has(c) {
				cells[c] = w.sides[s].Stone()
			}
		}
	}
	return Position{Cells: cells, Turn: w.sides[side], Prover: w.sides[at.prover], Wins: at.wins, Weak: at.weak}
}

// step returns the move that the Chooser chooses at the walker's position, or the constant search if the checker can find the
// move itself.
func (w *writer) step(at *walker) (int, error) {
	if t := &w.tries[at.stones[0].count()+at.stones[1].count()]; at.falls && t.promises() {
		at.left = at.bound
		found := at.try() == nil
		at.left = -1
		if t.count(found); found {
			return search, w.WriteByte(search)
		}
	}
	p := w.position(at, at.prover)
	if w.planner != nil {
		if c, plan, ok := w.planner.Plan(p); ok {
			at.follow(&plan)
			bytes := []byte{planned, byte(c)}
			for _, n := range plan.numbers(len(p.Cells)) {
				bytes = binary.AppendUvarint(bytes, uint64(n))
			}
			_, err := w.Write(bytes)
			return c, err
		}
	}
	c, err := w.choose.Move(p)
	if err != nil {
		return 0, err
	}
	if c < 0 || c >= at.columns*at.rows {
		return 0, fmt.Errorf("cell %d does not exist", c)
	}
	return c, w.WriteByte(byte(c))
}

// numbers returns the numbers that stand for the plan in a file about a board with this number of cells.
func (p *Plan) numbers(cells int) []int {
	all := []int{2 * len(p.Rules)}
	if p.Rightmost {
		all[0]++
	}
	for _, r := range p.Rules {
		switch {
		case r.After != Always:
			all = append(all, cells+1+r.After, r.Cell)
		case r.Cell == Even:
			all = append(all, cells)
		default:
			all = append(all, r.Cell)
		}
	}
	return all
}

// trial counts the successful and the failed searches of the checker in positions with the same number of stones.
type trial struct{ found, failed int }

// promises reports whether another search is worth its time, judged by the results of the earlier searches. Failed searches are
// most of the work of writing.
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

// ZoneWriter writes the trees of a certificate with zones. A tree with the winner to move is written from its root, by these
// calls in this order:
//
//	Move(c)                the winner's move. If it wins at once, that is the whole tree
//	a tree, or All         for a pass of the other side. All means: there is none, and every empty cell is answered
//	a tree for each answer on a cell in the zone of that tree, the lowest first; each may be a Share
//	Join(cells)            cells that belong to the zone in addition to the cells of the trees
//
// A tree that begins with Keep can be shared after its end. The methods return no errors; WriteZones returns the first error.
type ZoneWriter struct {
	w     *bufio.Writer
	cells int
	err   error
}

// WriteZones writes the certificate of a win or loss in a game without falling stones, under a rule: Free, Exact or Caro. For a
// win the function trees writes the winner's tree. For a loss the other side moves first, and the function trees makes only the
// calls that follow the call of Move in a tree.
func WriteZones(out io.Writer, c Claim, rule string, trees func(*ZoneWriter) error) error {
	c.Krow, c.Version, c.Rule = "certificate", ZoneVersion, rule
	if _, err := newZones(&c); err != nil {
		return err
	}
	return write(out, c, func(b *bufio.Writer) error {
		z := &ZoneWriter{w: b, cells: c.Columns * c.Rows}
		if err := trees(z); err != nil {
			return err
		}
		return z.err
	})
}

func (z *ZoneWriter) put(n int) {
	if _, err := z.w.Write(binary.AppendUvarint(nil, uint64(n))); err != nil && z.err == nil {
		z.err = err
	}
}

// Move begins a tree; the winner's first move is c.
func (z *ZoneWriter) Move(c int) { z.put(c) }

// Keep begins a tree that can be shared later; the winner's first move is c.
func (z *ZoneWriter) Keep(c int) { z.put(z.cells + c) }

// All is written instead of the tree for a pass of the other side. A tree for every empty cell must follow.
func (z *ZoneWriter) All() { z.put(2 * z.cells) }

// Share writes a reference to the image of a kept tree under a symmetry. back is the number of trees that were kept after that
// tree.
func (z *ZoneWriter) Share(symmetry, back int) {
	z.put(2*z.cells + 1 + symmetry)
	z.put(back)
}

// Join is called after the last answer of a tree, even if cells is empty. It adds cells to the zone of this tree.
func (z *ZoneWriter) Join(cells []int) {
	z.put(len(cells))
	for _, c := range cells {
		z.put(c)
	}
}
