// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// falling is the walk on boards whose stones fall and which fit into a word, column by column with a bit to
// spare on top, so that lines do not run over:
//
//	3   7  11    spare        free cells: stones + the bottom row, since a carry runs up to the first 0
//	2   6  10                 a key: one side's stones + all stones
//	1   5   9
//	0   4   8    3 columns, 3 rows
type falling struct {
	columns, rows, k int
	stride           uint
	bottom, cells    uint64
	wins             bool                                    // hero has to win; otherwise not to lose
	next             func(hero, villain uint64) (int, error) // a column, or search, for hero, who is to move
	seen             map[uint64]struct{}                     // positions with hero to move that are or will be proved
	positions        uint64                                  // how many needed a step
	bound, left      int                                     // of positions that a search may enter
	facts            []fact
	searches         uint32
}

// fact is what a search has found out about a position: whether hero reaches his goal.
type fact struct {
	key    uint64
	search uint32
	holds  bool
}

const factBits = 15

// falls says whether the claim is one for falling.
func (c *Claim) falls() bool { return c.Gravity && c.Columns*(c.Rows+1) <= 64 }

func newFalling(c *Claim, wins bool) *falling {
	f := &falling{columns: c.Columns, rows: c.Rows, k: c.K, stride: uint(c.Rows + 1), wins: wins, bound: c.Search}
	f.seen, f.facts = map[uint64]struct{}{}, make([]fact, 1<<factBits)
	for c := range f.columns {
		f.bottom |= 1 << (uint(c) * f.stride)
		f.cells |= (1<<f.rows - 1) << (uint(c) * f.stride)
	}
	return f
}

// at returns the bit of a cell as a claim counts them.
func (f *falling) at(cell int) uint64 {
	return 1 << (uint(cell%f.columns)*f.stride + uint(cell/f.columns))
}

// run walks the whole tree below the position of the claim.
func (f *falling) run(c *Claim, hero game.Side) error {
	var stones [2]uint64
	for cell := range c.Cells {
		switch c.Cells[cell] {
		case 'X':
			stones[game.First] |= f.at(cell)
		case 'O':
			stones[game.Second] |= f.at(cell)
		}
	}
	if c.Turn == hero.String() {
		return f.heroMoves(stones[hero], stones[hero.Other()])
	}
	return f.villainMoves(stones[hero], stones[hero.Other()])
}

// free returns the cells on which the next stone may come to rest.
func (f *falling) free(stones uint64) uint64 { return (stones + f.bottom) & f.cells }

// completes returns the cells, some of them perhaps taken, that complete a line of s.
func (f *falling) completes(s uint64) (gaps uint64) {
	for _, shift := range [4]uint{1, f.stride - 1, f.stride, f.stride + 1} {
		if f.k == 4 {
			gaps |= aroundGap(s, shift)
			continue
		}
		below := f.cells // so many cells of s are below the gap, all in a line
		for n := 0; n < f.k && below != 0; n++ {
			gap := below
			for i := 1; i < f.k-n && gap != 0; i++ {
				gap &= s >> (uint(i) * shift)
			}
			gaps |= gap
			below &= s << (uint(n+1) * shift)
		}
	}
	return gaps
}

// aroundGap is completes for four in a row in one direction: with two cells of s on one side of the gap, another one
// before or behind them.
func aroundGap(s uint64, shift uint) uint64 {
	up, down := s<<shift, s>>shift
	return up&(up<<shift)&(up<<shift<<shift|down) | down&(down>>shift)&(down>>shift>>shift|up)
}

// errorf says where in the walk something is wrong.
func (f *falling) errorf(format string, args ...any) error {
	return fmt.Errorf("position %d: %s", f.positions, fmt.Sprintf(format, args...))
}

// full says what a full board means.
func (f *falling) full() error {
	if f.wins {
		return f.errorf("the board is full and nobody has won")
	}
	return nil
}

// heroMoves checks that hero, to move, reaches his goal.
func (f *falling) heroMoves(hero, villain uint64) error {
	free := f.free(hero | villain)
	forced := f.completes(villain) & free
	switch {
	case f.completes(hero)&free != 0:
		return nil
	case free == 0:
		return f.full()
	case many(forced):
		return f.errorf("there are two ways to win against")
	case forced != 0:
		return f.villainMoves(hero|forced, villain)
	}
	key := f.key(hero, villain)
	if _, ok := f.seen[key]; ok {
		return nil
	}
	f.seen[key] = struct{}{}
	f.positions++
	step, err := f.next(hero, villain)
	if err != nil {
		return err
	}
	if step == search {
		return f.find(hero, villain)
	}
	if step >= f.columns || free>>(uint(step)*f.stride)&(1<<f.rows-1) == 0 {
		return f.errorf("there is no place in column %d", step+1)
	}
	return f.villainMoves(hero|free&((1<<f.rows-1)<<(uint(step)*f.stride)), villain)
}

// villainMoves checks that hero reaches his goal whatever the villain plays.
func (f *falling) villainMoves(hero, villain uint64) error {
	free := f.free(hero | villain)
	forced := f.completes(hero) & free
	switch {
	case f.completes(villain)&free != 0:
		return f.errorf("there is a way to win against it at once")
	case free == 0:
		return f.full()
	case many(forced):
		return nil
	case forced != 0:
		free = forced
	}
	for ; free != 0; free &= free - 1 {
		if err := f.heroMoves(hero, villain|free&-free); err != nil {
			return err
		}
	}
	return nil
}

// many says whether there is more than one cell in s.
func many(s uint64) bool { return s&(s-1) != 0 }

// key is the same for a position and its mirror image.
func (f *falling) key(hero, villain uint64) uint64 {
	k, mirrored := hero+(hero|villain), uint64(0)
	for c := range f.columns {
		column := k >> (uint(c) * f.stride) & (1<<f.stride - 1)
		mirrored |= column << (uint(f.columns-1-c) * f.stride)
	}
	return min(k, mirrored)
}

var errNotFound = errors.New("a search did not find the moves")

// find searches hero's moves.
func (f *falling) find(hero, villain uint64) error {
	f.left = f.bound
	f.searches++
	if !f.search(hero, villain, true) || f.left < 0 {
		return f.errorf("%v within %d positions", errNotFound, f.bound)
	}
	return nil
}

// search says whether hero reaches his goal. What it says means nothing once left is negative.
func (f *falling) search(turn, other uint64, hero bool) bool {
	if f.left--; f.left < 0 {
		return false
	}
	free := f.free(turn | other)
	fears := f.completes(other)
	moves := free &^ (fears >> 1) // not below a cell that wins for the other side
	forced := fears & free
	switch {
	case f.completes(turn)&free != 0:
		return hero
	case free == 0:
		return !f.wins
	case many(forced):
		return !hero
	case forced != 0:
		moves &= forced
	}
	k := turn + (turn | other)
	known := &f.facts[k*0x9e3779b97f4a7c15>>(64-factBits)]
	if known.key == k && known.search == f.searches {
		return known.holds
	}
	var order [maxColumns]choice
	n := f.order(&order, turn, moves)
	holds := !hero
	for i := 0; i < n && holds != hero; i++ {
		if holds = f.search(other, turn|order[i].cell, !hero); f.left < 0 {
			return false
		}
	}
	*known = fact{k, f.searches, holds}
	return holds
}

// choice is a move, and how likely it is to be the right one.
type choice struct {
	cell  uint64
	worth int
}

const maxColumns = 32 // of boards that fit into a word

// order puts the moves after which a side has most cells that win first, then those near the center.
func (f *falling) order(order *[maxColumns]choice, turn, moves uint64) (n int) {
	for ; moves != 0; moves &= moves - 1 {
		m := moves & -moves
		side := 2*(bits.TrailingZeros64(m)/int(f.stride)) + 1 - f.columns
		c := choice{m, 2*maxColumns*bits.OnesCount64(f.completes(turn|m)) - max(side, -side)}
		i := n
		for ; i > 0 && order[i-1].worth < c.worth; i-- {
			order[i] = order[i-1]
		}
		order[i] = c
		n++
	}
	return n
}
