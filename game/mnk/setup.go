// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"errors"
	"fmt"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
)

// SetUp returns the position described by s. The contents of Memory depend on the game. In a game with captures, Memory
// contains the number of pairs (or stones) that each side has captured. In a game with turns of several stones, it contains the
// number of stones still to be placed in the turn. In a game with fouls, it contains 1 if the last stone was a foul.
func (g *Game) SetUp(s game.Setup) (game.Position, error) {
	p := g.empty()
	if len(s.Cells) != len(p.cells) {
		return nil, fmt.Errorf("the position has %d cells, but the board has %d", len(s.Cells), len(p.cells))
	}
	p.turn, p.ply = s.Turn&1, s.Ply
	p.left = uint8(g.r.Turn)
	for cell, stone := range s.Cells {
		if stone > game.SecondStone {
			return nil, fmt.Errorf("cell %d has the invalid value %d", cell, stone)
		}
		if stone == game.Empty {
			continue
		}
		if below := cell - g.r.Columns; g.r.Gravity && below >= 0 && s.Cells[below] == game.Empty {
			return nil, fmt.Errorf("the stone in column %d, row %d has nothing under it", cell%g.r.Columns+1, cell/g.r.Columns+1)
		}
		p.put(cell, g.padded(cell), stone)
	}
	if p.empties == len(p.cells) && p.ply == 0 {
		p.left = uint8(g.r.Opening)
	}
	if p.turn == game.Second {
		p.key ^= keySecond
	}
	if err := p.remember(s.Memory); err != nil {
		return nil, err
	}
	// The key also depends on the number of stones left in the turn. The key of the start of the game must be 0. So the key is
	// combined with two numbers, for Opening and for left. At the start left equals Opening, and the two numbers cancel each
	// other.
	if g.r.Turn > 1 {
		p.key ^= rng.Nth(keyLeft+uint64(g.r.Opening)) ^ rng.Nth(keyLeft+uint64(p.left))
	}
	if err := p.settle(); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Position) remember(memory []uint8) error {
	switch r := &p.g.r; {
	case memory == nil:
	case r.Captures > 0 && len(memory) == 2:
		for s, n := range memory {
			// The last stone may capture in up to eight directions at once.
			if int(n) >= r.Captures+8 && (!r.Threes || int(n) >= r.Captures+24) {
				return fmt.Errorf("a game cannot have %d captured stones", n)
			}
			p.setTaken(game.Side(s), n)
		}
		if int(memory[0]) >= r.Captures && int(memory[1]) >= r.Captures {
			return errors.New("both sides have captured enough to win")
		}
	case r.Turn > 1 && len(memory) == 1:
		if n := int(memory[0]); n < 1 || n > max(r.Turn, r.Opening) {
			return fmt.Errorf("a turn of %[2]d stones cannot have %[1]d stones left", n, r.Turn)
		}
		p.left = memory[0]
	case r.Foul != nil && len(memory) == 1 && memory[0] <= 1:
		if memory[0] == 1 {
			p.lose()
		}
	default:
		return fmt.Errorf("the memory of %s cannot have %d numbers", r.Name, len(memory))
	}
	return nil
}

func (p *Position) settle() error {
	var won [2]bool
	for cell, stone := range p.cells {
		if stone != game.Empty {
			s := game.Side(stone - 1)
			won[s] = won[s] || p.wins(p.g.padded(cell), s)
		}
	}
	for s := range won {
		won[s] = won[s] || p.g.r.Captures > 0 && int(p.taken[s]) >= p.g.r.Captures
	}
	switch {
	case won[0] && won[1]:
		return errors.New("both sides have won on this board")
	case p.fouled && (won[0] || won[1]):
		return errors.New("a side has won on this board, so no foul can have ended the game")
	case p.fouled:
	case won[0] || won[1]:
		p.outcome = game.FirstWins
		if won[1] {
			p.outcome = game.SecondWins
		}
	case p.empties == 0:
		p.outcome = game.Draw
	}
	return nil
}

// Setup returns the position without the moves that led to it.
func (p *Position) Setup() game.Setup {
	s := game.Setup{Cells: append([]game.Stone(nil), p.cells...), Turn: p.turn, Ply: p.ply}
	switch {
	case p.g.r.Captures > 0:
		s.Memory = append(s.Memory, p.taken[:]...)
	case p.g.r.Turn > 1:
		s.Memory = []uint8{p.left}
	case p.fouled:
		s.Memory = []uint8{1}
	}
	return s
}

// capture removes the enemy stones that are captured by the stone just placed on cell. It returns the directions in which a
// pair was captured: bit i for +steps[i], bit i+4 for -steps[i]. Bits 8 to 15 stand for the same eight directions if three
// stones were captured.
func (p *Position) capture(cell, at int, s game.Side) (pairs uint16) {
	own, enemy := s.Stone(), s.Other().Stone()
	for i := range 8 {
		d, c := p.direction(i)
		// The order of the tests matters: if at+d is border, at+2*d may be outside the grid.
		if p.grid[at+d] != enemy || p.grid[at+2*d] != enemy {
			continue
		}
		long, worth := 2, uint8(1)
		if p.g.r.Threes {
			if p.grid[at+3*d] == enemy {
				long = 3
			}
			worth = uint8(long)
		}
		if p.grid[at+(long+1)*d] != own {
			continue
		}
		pairs |= 1 << (i + 8*(long-2))
		for n := 1; n <= long; n++ {
			p.lift(cell+n*c, at+n*d)
			p.key ^= stoneKey(cell+n*c, enemy)
		}
		p.setTaken(s, p.taken[s]+worth)
	}
	return pairs
}

// restore puts back the stones that the undone move u captured. It does not change the key, which Undo restores.
func (p *Position) restore(cell, at int, u undo) {
	for i := range 16 {
		if u.pairs>>i&1 == 0 {
			continue
		}
		d, c := p.direction(i & 7)
		long, worth := 2+i/8, uint8(1)
		for n := 1; n <= long; n++ {
			p.put(cell+n*c, at+n*d, u.turn.Other().Stone())
		}
		if p.g.r.Threes {
			worth = uint8(long)
		}
		p.taken[u.turn] -= worth
	}
}

func (p *Position) direction(i int) (d, c int) {
	columns := p.g.r.Columns
	c = [4]int{1, columns, columns + 1, columns - 1}[i&3]
	d = p.g.steps[i&3]
	if i >= 4 {
		return -d, -c
	}
	return d, c
}

func (p *Position) setTaken(s game.Side, n uint8) {
	p.key ^= takenKey(s, p.taken[s]) ^ takenKey(s, n)
	p.taken[s] = n
}

func takenKey(s game.Side, n uint8) uint64 { return rng.Nth(keyTaken + uint64(s)<<8 + uint64(n)) }
