// SPDX-License-Identifier: Apache-2.0

package gomoku

import "github.com/krow-lab/krow/game"

// Features shows how the engine sees a position, to packages that play games for it or learn its [Weights].
// It belongs to one goroutine.
type Features struct {
	*board
	list moveList
}

// NewFeatures returns the features of g, or an error in one line that says why the engine does not play it.
func NewFeatures(g game.Game) (*Features, error) {
	r, err := newRule(g)
	if err != nil {
		return nil, err
	}
	return &Features{board: newBoard(&r, nil)}, nil
}

// Load sets the position up that the other methods speak of.
func (f *Features) Load(p game.Position) { f.load(p.(game.Board), p) }

// Moves appends the moves that the search would look at, the best looking first. Forbidden ones are not among them.
func (f *Features) Moves(dst []game.Move) []game.Move {
	n := f.generate(&f.list)
	for i := range n {
		if c := int(f.list.pick(i, n).cell); f.mayPlay(c) {
			dst = append(dst, f.move(c))
		}
	}
	return dst
}
