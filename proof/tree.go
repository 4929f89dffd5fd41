// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"bufio"
	"bytes"
	"fmt"
)

// TreeVersion is the version of certificates of wins and losses in games with captures, or with turns of several stones.
const TreeVersion = 9

// The values of Claim.Rule in a certificate of TreeVersion.
const (
	Connect = "connect" // a turn has several stones, and k or more stones in a row win
	Pente   = "pente"   // k or more stones in a row win, and so does a number of captured pairs
	Keryo   = "keryo"   // as Pente, but three stones can also be captured, and the captured stones are counted
	AtariGo = "atarigo" // the first capture of a group wins, and a side without a legal move loses
)

// tree is a position of a game with captures or with turns of several stones. It checks that side 0, the winner, wins. It keeps
// the stones, and their number on each line of k cells, in zones, but it computes no zones: a capture removes stones, so a stone far
// away may matter.
type tree struct {
	*zones
	rule  string
	each  int // the number of stones of a turn
	goal  int // the number of captures that win
	turn  turnState
	seen  map[string]bool // the positions with the winner to move that are proved or whose proof is in progress
	path  []int           // the cells played since the position of the claim
	next  func(path []int) (cell int, err error)
	enter func() error // called at each position
}

// turnState is the part of a position that the stones do not show.
type turnState struct {
	side  int
	left  int    // the number of stones that the side to move still places in this turn
	taken [2]int // by side: the captures that it has made
}

// newTree returns the position of a claim.
func newTree(c *Claim) (*tree, error) {
	rows := *c
	if rows.Rule = Free; c.Rule == AtariGo {
		rows.K = zoneK // newZones needs a k, but rows do not count
	}
	z, err := newZones(&rows)
	if err != nil {
		return nil, err
	}
	t := &tree{zones: z, rule: c.Rule, each: 1, goal: c.Captures, seen: map[string]bool{}}
	t.turn.left = 1
	if c.Value == "loss" {
		t.turn.side = 1
	}
	valid := c.Each == 0 && c.Left == 0
	switch c.Rule {
	case Connect:
		t.each, t.turn.left = c.Each, c.Left
		valid = min(c.Each, c.Left) >= 1 && max(c.Each, c.Left) <= 99 && c.Captures == 0 && c.Taken == ""
	case Pente, Keryo:
		first := t.turn.side
		if c.Turn == "second" {
			first = 1 - first
		}
		n, _ := fmt.Sscanf(c.Taken, "%d,%d", &t.turn.taken[first], &t.turn.taken[1-first])
		again := fmt.Sprintf("%d,%d", t.turn.taken[first], t.turn.taken[1-first])
		valid = valid && n == 2 && again == c.Taken && c.Captures <= 99 &&
			min(t.turn.taken[0], t.turn.taken[1]) >= 0 && max(t.turn.taken[0], t.turn.taken[1]) < c.Captures
	case AtariGo:
		valid = valid && c.Captures == 0 && c.Taken == "" && c.K == 0 && c.Columns == c.Rows && !t.atari(0, 0) && !t.atari(1, 0)
	default:
		valid = false
	}
	if !valid || !t.wins() && t.moves() == (cells{}) {
		return nil, fmt.Errorf("invalid position, or invalid numbers, for the rule %q", c.Rule)
	}
	return t, nil
}

// atari reports whether a group of side s has exactly n liberties.
func (t *tree) atari(s, n int) bool {
	for stones := t.stones[s]; stones != (cells{}); {
		group, liberties := t.group(s, stones.first())
		if liberties.count() == n {
			return true
		}
		stones = stones.minus(group)
	}
	return false
}

// first returns the lowest cell of a set that is not empty.
func (s *cells) first() (first int) {
	_ = s.each(func(c int) error {
		first = c
		return errTaken
	})
	return first
}

// group returns the group of side s that contains the stone on c, and its liberties: the empty cells next to it.
func (t *tree) group(s, c int) (group, liberties cells) {
	group.add(c)
	for rest := []int{c}; len(rest) > 0; {
		c, rest = rest[len(rest)-1], rest[:len(rest)-1]
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
			switch n := t.cell(c, d[0], d[1], 1); {
			case n < 0:
			case t.empty.has(n):
				liberties.add(n)
			case t.stones[s].has(n) && !group.has(n):
				group.add(n)
				rest = append(rest, n)
			}
		}
	}
	return group, liberties
}

// captured returns the stones that a stone of side s on c captures by the rule Pente or Keryo.
func (t *tree) captured(s, c int) (taken []int) {
	if t.goal == 0 {
		return nil
	}
	for _, d := range [8][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {-1, 0}, {0, -1}, {-1, -1}, {1, -1}} {
		var row []int
		at := t.cell(c, d[0], d[1], 1)
		for at >= 0 && t.stones[1-s].has(at) && len(row) < 4 {
			row = append(row, at)
			at = t.cell(c, d[0], d[1], len(row)+1)
		}
		if at >= 0 && t.stones[s].has(at) && (len(row) == 2 || len(row) == 3 && t.rule == Keryo) {
			taken = append(taken, row...)
		}
	}
	return taken
}

// worth returns the number of captures for which the captured stones count.
func (t *tree) worth(taken []int) int {
	if t.rule == Pente {
		return len(taken) / 2
	}
	return len(taken)
}

// wins reports whether the side to move completes a line or a capture that wins in this turn. A win in Atari-Go that leaves the
// other side without a legal move does not count.
func (t *tree) wins() bool {
	s := t.turn.side
	if t.rule == AtariGo {
		return t.atari(1-s, 1)
	}
	won := t.open(s, t.turn.left) != (cells{})
	for c := 0; c < len(t.through) && t.goal > 0 && !won; c++ {
		won = t.empty.has(c) && t.turn.taken[s]+t.worth(t.captured(s, c)) >= t.goal
	}
	return won
}

// open returns the empty cells of the line that side s can complete with the fewest stones, if n stones are enough. If several
// lines need the fewest stones, the first of them counts.
func (t *tree) open(s, n int) (free cells) {
	var best *zoneLine
	for i := range t.lines {
		if l := &t.lines[i]; l.stones[1-s] == 0 && t.k-l.stones[s] <= n {
			best, n = l, t.k-l.stones[s]-1
		}
	}
	if best != nil {
		free = best.cells.minus(t.stones[s])
	}
	return free
}

// moves returns the legal moves of the side to move, who cannot capture a group.
func (t *tree) moves() cells {
	moves := t.empty
	if t.rule != AtariGo {
		return moves
	}
	_ = t.empty.each(func(c int) error {
		t.put(t.turn.side, c)
		if _, liberties := t.group(t.turn.side, c); liberties == (cells{}) {
			moves.remove(c)
		}
		t.takeCell(t.turn.side, c)
		return nil
	})
	return moves
}

// walk checks that the winner wins.
func (t *tree) walk() error {
	if err := t.enter(); err != nil {
		return err
	}
	winner, moves := t.turn.side == 0, cells{}
	switch won := t.wins(); {
	case won && winner:
		return nil
	case won:
		return errRefuted
	}
	switch moves = t.moves(); {
	case moves == (cells{}) && t.rule == AtariGo && !winner:
		return nil
	case moves == (cells{}):
		return errRefuted
	case winner:
		return t.winnerMoves(moves)
	}
	if t.rule == Connect {
		if threat := t.open(0, t.each); threat != (cells{}) {
			moves = threat
		}
	}
	return moves.each(t.playMove)
}

// winnerMoves does the work of walk if the winner is to move and does not win in this turn.
func (t *tree) winnerMoves(moves cells) error {
	key := t.key()
	if t.seen[key] {
		return nil
	}
	t.seen[key] = true
	c, err := t.next(t.path)
	if err == nil && (c < 0 || c >= len(t.through) || !moves.has(c)) {
		err = errTaken
	}
	if err != nil {
		return err
	}
	return t.playMove(c)
}

// playMove places a stone of the side to move on c, and checks the position after it.
func (t *tree) playMove(c int) error {
	before, s := t.turn, t.turn.side
	taken := t.captured(s, c)
	t.put(s, c)
	for _, d := range taken {
		t.takeCell(1-s, d)
	}
	t.turn.taken[s] += t.worth(taken)
	if t.turn.left--; t.turn.left == 0 {
		t.turn.side, t.turn.left = 1-s, t.each
	}
	t.path = append(t.path, c)
	err := t.walk()
	t.path = t.path[:len(t.path)-1]
	t.turn = before
	for _, d := range taken {
		t.put(1-s, d)
	}
	t.takeCell(s, c)
	return err
}

// key returns the position with the winner to move. Symmetric positions have the same key. The stones show how many stones the
// winner has left in his turn, because there are no captures in games with turns of several stones.
func (t *tree) key() string {
	var least []byte
	for _, image := range t.images {
		k := make([]byte, (len(image)+3)/4)
		for s := range t.stones {
			_ = t.stones[s].each(func(c int) error {
				k[image[c]/4] |= byte(s+1) << (image[c] % 4 * 2)
				return nil
			})
		}
		if least == nil || bytes.Compare(k, least) < 0 {
			least = k
		}
	}
	return string(append(least, byte(t.turn.taken[0]), byte(t.turn.taken[1])))
}

// trees checks a certificate of TreeVersion.
func (r *Result) trees(body *bufio.Reader, enter func(kept int) error) error {
	t, err := newTree(&r.Claim)
	if err != nil {
		return err
	}
	t.next = func([]int) (int, error) {
		c, err := varint(body)
		return int(c), err
	}
	t.enter = func() error { return enter(len(t.seen) * positionBytes * 2) }
	if err := t.walk(); err != nil {
		return fmt.Errorf("position %d: %w", len(t.seen), err)
	}
	r.Parts, r.Positions = []Part{{r.Claim.sides()[parts[r.Claim.Value][0].prover], true, Moves, uint64(len(t.seen))}}, uint64(len(t.seen))
	return nil
}
