// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"bufio"
	"encoding/binary"
	"io"
)

// ZoneWriter writes the trees of a certificate with zones. A tree with the winner to move is written from its root on:
//
//	Move(c)                the winner's move. If it wins at once, that is the whole tree
//	a tree, or All         for a pass of the other side, or none: then every empty cell is answered
//	a tree for each answer the cells in the zone of that tree, the lowest first; each may be a Share
//	Join(cells)            cells that belong to the zone beside those of the trees
//
// A tree that was begun with Keep can be shared from its end on. An error of the file is that of WriteZones.
type ZoneWriter struct {
	w     *bufio.Writer
	cells int
	err   error
}

// WriteZones writes the certificate of a claim: the winner wins where stones do not fall, as rule says: Free, Exact or
// Caro. trees writes the tree of a win, or for a loss what stands after the winner's move.
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

// Move begins a tree.
func (z *ZoneWriter) Move(c int) { z.put(c) }

// Keep begins a tree that can be shared.
func (z *ZoneWriter) Keep(c int) { z.put(z.cells + c) }

// All stands for the tree after a pass, where every empty cell is answered.
func (z *ZoneWriter) All() { z.put(2 * z.cells) }

// Share writes the image of a tree that was kept, so many kept ones before the last.
func (z *ZoneWriter) Share(symmetry, back int) {
	z.put(2*z.cells + 1 + symmetry)
	z.put(back)
}

// Join ends what the answers began.
func (z *ZoneWriter) Join(cells []int) {
	z.put(len(cells))
	for _, c := range cells {
		z.put(c)
	}
}
