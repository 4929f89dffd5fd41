// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"bufio"
	"errors"
	"fmt"
	"math/bits"
	"strings"
)

// UltimateVersion is the version of certificates of ultimate tic-tac-toe.
const UltimateVersion = 4

// nine is a subset of the nine cells of a small board, or of the nine small boards. Bit i is the cell or small board number i,
// counted row by row from the top left.
type nine uint16

const (
	every nine = 1<<9 - 1
	// anywhere is used in place of the number of a small board if the move may be in any open small board.
	anywhere = 9
)

// aligned contains, for each set, the elements that are on a row of three within the set.
var aligned = func() (t [every + 1]nine) {
	for set := range t {
		for _, l := range [8]nine{0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124} {
			if l&^nine(set) == 0 {
				t[set] |= l
			}
		}
	}
	return t
}()

func (s nine) has(i int) bool { return s>>i&1 != 0 }
func (s nine) count() int     { return bits.OnesCount16(uint16(s)) }

// nested is a position of ultimate tic-tac-toe. Side 0 is the side to move in the position of the certificate.
type nested struct {
	stones [2][9]nine // by side and small board: the cells with stones of the side
	won    [2]nine    // by side: the small boards that it has won
	shut   nine       // the small boards that take no more stones
	place  int        // the small board in which the next move must be, or anywhere
	turn   int
	open   bool // a small board that is won takes stones until it is full
	counts bool // if nobody has three in a row, the side with more small boards wins
}

// ultimateRules contains for each value of Claim.Rule two settings: whether the number of small boards decides a game without three
// in a row, and whether won small boards stay open.
var ultimateRules = map[string][2]bool{"plain": {}, "boards": {true, false}, "plain,open": {false, true}, "boards,open": {true, true}}

// nested returns the position of the claim, or an error if the claim is invalid.
func (c *Claim) nested() (*nested, error) {
	turn, known := map[string]int{"first": 0, "second": 1}[c.Turn]
	rule, ruled := ultimateRules[c.Rule]
	switch {
	case c.Columns != 9 || c.Rows != 9 || c.K != 3 || c.Gravity || c.Search != 0 || len(c.Cells) != 81 || len(c.Owners) != 9:
		return nil, errors.New("not a board of ultimate tic-tac-toe")
	case !ruled:
		return nil, fmt.Errorf("unknown rules %q of ultimate tic-tac-toe", c.Rule)
	case !known || parts[c.Value] == nil:
		return nil, fmt.Errorf("the value must be win, draw or loss for first or second, not %q for %q", c.Value, c.Turn)
	}
	n := &nested{counts: rule[0], open: rule[1], place: strings.Index("123456789", c.Forced)}
	if c.Forced == "any" {
		n.place = anywhere
	}
	for m, stone := range []byte(c.Cells) {
		if s := strings.IndexByte("XO", stone); s >= 0 {
			n.stones[s^turn][m/9] |= 1 << (m % 9)
		} else if stone != '.' {
			return nil, fmt.Errorf("cell %d has the invalid value %q", m, stone)
		}
	}
	for b, owner := range []byte(c.Owners) {
		rows := [2]bool{aligned[n.stones[0][b]] != 0, aligned[n.stones[1][b]] != 0}
		s := strings.IndexByte("XO", owner)
		if rows[0] && rows[1] && !n.open || s < 0 && (owner != '.' || rows != [2]bool{}) || s >= 0 && !rows[s^turn] {
			return nil, fmt.Errorf("the owner of small board %d is not %q", b, owner)
		}
		if s >= 0 {
			n.won[s^turn] |= 1 << b
		}
		if s >= 0 && !n.open || n.stones[0][b]|n.stones[1][b] == every {
			n.shut |= 1 << b
		}
	}
	if over, _ := n.result(); over {
		return nil, errors.New("the game of the certificate is over")
	}
	if len(c.Forced) != 1 && n.place != anywhere || n.place < 0 || n.shut.has(n.place) {
		return nil, fmt.Errorf("nobody can play in the small board %q", c.Forced)
	}
	return n, nil
}

// takes reports whether m, which encodes a small board and a cell, is a legal move.
func (n *nested) takes(m int) bool {
	b, c := m/9, m%9
	return m >= 0 && m < 81 && !n.shut.has(b) && (n.place == b || n.place == anywhere) && !(n.stones[0][b] | n.stones[1][b]).has(c)
}

// after returns the position after the legal move m.
func (n nested) after(m int) nested {
	b, c, s := m/9, m%9, n.turn
	n.stones[s][b] |= 1 << c
	wins := !(n.won[0] | n.won[1]).has(b) && aligned[n.stones[s][b]] != 0
	if wins {
		n.won[s] |= 1 << b
	}
	if wins && !n.open || n.stones[0][b]|n.stones[1][b] == every {
		n.shut |= 1 << b
	}
	n.turn, n.place = 1-s, c
	if n.shut.has(c) {
		n.place = anywhere
	}
	return n
}

// result reports whether the game is over, and returns the winner, or -1 if there is none.
func (n *nested) result() (over bool, winner int) {
	for s, won := range n.won {
		if aligned[won] != 0 {
			return true, s
		}
	}
	more := n.won[0].count() - n.won[1].count()
	switch {
	case !n.counts || more == 0:
		return n.shut == every, -1
	case more > 0:
		return n.shut == every, 0
	}
	return n.shut == every, 1
}

// within returns the small boards that side s has won or can still win.
func (n *nested) within(s int) nine {
	reach := n.won[s]
	for b := range 9 {
		if !(n.won[0] | n.won[1] | n.shut).has(b) && aligned[every&^n.stones[1-s][b]] != 0 {
			reach |= 1 << b
		}
	}
	return reach
}

// key returns the relevant part of the position with the prover to move, twenty bits for each small board:
//
//	19 18 17 ... 0
//	owner | two for each cell: 0 free, 1 and 2 stones that matter, by side, 3 another stone, or a cell that cannot be played
//
// A stone matters if two conditions hold. First, its side can still complete a row through it in its small board. Second, a win
// of that small board still has an effect. This is so if the small board has no owner, and either won small boards close or the
// small board can count for a side. An owner matters if the small board is on a row of small boards that the owner can still
// complete, or if the number of small boards decides.
func (n *nested) key() (k [3]uint64) {
	use := [2]nine{every, every}
	if !n.counts {
		use = [2]nine{aligned[n.within(0)], aligned[n.within(1)]}
	}
	for b := range 9 {
		word := uint64(0)
		matters := !(n.won[0] | n.won[1]).has(b) && (!n.open || (use[0] | use[1]).has(b))
		for s := range 2 {
			if n.won[s].has(b) && use[s].has(b) {
				word |= uint64(s+1) << 18
			}
			alive := n.stones[s][b] & aligned[every&^n.stones[1-s][b]]
			for c := range 9 {
				switch {
				case n.shut.has(b), n.stones[s][b].has(c) && !(matters && alive.has(c)):
					word |= 3 << (2 * c)
				case n.stones[s][b].has(c):
					word |= uint64(s+1) << (2 * c)
				}
			}
		}
		k[b/3] |= word << (20 * (b % 3))
	}
	k[0] |= uint64(n.place) << 60
	return k
}

// nestedWalk plays the prover's moves against every answer of the opponent. It gets these moves from next, in the order in which it
// meets the positions.
type nestedWalk struct {
	part
	// next returns the prover's move. path contains the moves since the position of the certificate.
	next func(path []uint8) (move int, err error)
	// enter is called at each position in which the prover is to move, unless one move ends the game with the result that he
	// needs. An error ends the walk.
	enter func() error
	seen  map[[3]uint64]bool
	path  []uint8
}

// good reports whether the prover reaches his goal in a finished game. winner is the winner, or negative if nobody has won.
func (w *nestedWalk) good(winner int) bool { return winner == w.prover || winner < 0 && !w.wins }

// settled reports whether the prover reaches his goal however the game continues.
func (w *nestedWalk) settled(n *nested) bool {
	reach := n.within(1 - w.prover)
	if aligned[reach] != 0 || w.wins && !n.counts {
		return false
	}
	more := n.won[w.prover].count() - reach.count()
	return !n.counts || more > 0 || more == 0 && !w.wins
}

// walk checks that the prover reaches his goal from n, in which the game is not over.
func (w *nestedWalk) walk(n *nested) error {
	switch {
	case w.settled(n):
		return nil
	case n.turn == w.prover:
		return w.proverMoves(n)
	}
	for m := range 81 {
		if !n.takes(m) {
			continue
		}
		if err := w.playMove(n, m); err != nil {
			return err
		}
	}
	return nil
}

// playMove makes the legal move m, and checks that the prover reaches his goal after it.
func (w *nestedWalk) playMove(n *nested, m int) error {
	next := n.after(m)
	over, winner := next.result()
	switch {
	case !over:
		w.path = append(w.path, uint8(m))
		err := w.walk(&next)
		w.path = w.path[:len(w.path)-1]
		return err
	case w.good(winner):
		return nil
	}
	return errRefuted
}

func (w *nestedWalk) proverMoves(n *nested) error {
	for m := range 81 {
		if n.takes(m) {
			next := n.after(m)
			if over, winner := next.result(); over && w.good(winner) {
				return nil
			}
		}
	}
	if err := w.enter(); err != nil {
		return err
	}
	key := n.key()
	if w.seen[key] {
		return nil
	}
	w.seen[key] = true
	m, err := w.next(w.path)
	switch {
	case err != nil:
		return err
	case !n.takes(m):
		return errTaken
	}
	return w.playMove(n, m)
}

// nested checks a certificate of ultimate tic-tac-toe.
func (r *Result) nested(body *bufio.Reader, enter func(kept int) error) error {
	n, err := r.Claim.nested()
	if err != nil {
		return err
	}
	sides := r.Claim.sides()
	for _, p := range parts[r.Claim.Value] {
		w := &nestedWalk{part: p, seen: map[[3]uint64]bool{}}
		w.next = func([]uint8) (int, error) {
			m, err := body.ReadByte()
			return int(m), short(err)
		}
		w.enter = func() error { return enter(len(w.seen) * positionBytes) }
		if err := w.walk(n); err != nil {
			return fmt.Errorf("position %d: %w", len(w.seen), err)
		}
		r.Parts = append(r.Parts, Part{sides[p.prover], p.wins, Moves, uint64(len(w.seen))})
		r.Positions += uint64(len(w.seen))
	}
	return nil
}
