// SPDX-License-Identifier: Apache-2.0

package atarigo

import (
	"fmt"

	"github.com/krow-lab/krow/game"
)

// SetUp returns the position of these stones; every group must have a liberty. Memory is nil, or who has captured:
// 0 nobody, 1 First, 2 Second.
func (g *Game) SetUp(s game.Setup) (game.Position, error) {
	p := g.empty()
	if len(s.Cells) != len(p.cells) {
		return nil, fmt.Errorf("%d points for a board of %d", len(s.Cells), len(p.cells))
	}
	p.turn, p.before = s.Turn&1, s.Ply
	for c, stone := range s.Cells {
		if stone > game.SecondStone {
			return nil, fmt.Errorf("%s holds %d, which is no stone", g.Format(game.Move(c)), stone)
		}
		if stone != game.Empty {
			p.put(c, stone)
		}
	}
	for c, stone := range p.cells {
		if stone != game.Empty && p.groups.liberties[p.groups.find(int16(c))] == 0 {
			return nil, fmt.Errorf("the stone on %s has no liberty", g.Format(game.Move(c)))
		}
	}
	if p.turn == game.Second {
		p.key ^= keySecond
	}
	if err := p.remember(s.Memory); err != nil {
		return nil, err
	}
	return p, nil
}

// remember ends the game if memory says so, or if there is no move.
func (p *Position) remember(memory []uint8) error {
	switch {
	case memory != nil && len(memory) != 1:
		return fmt.Errorf("%s remembers one number, not %d", p.g, len(memory))
	case memory == nil || memory[0] == 0:
		p.settle()
	case memory[0] > 2:
		return fmt.Errorf("%d is no side that has captured", memory[0])
	default:
		p.captured(game.Side(memory[0] - 1))
	}
	return nil
}

// Setup returns the position without its past.
func (p *Position) Setup() game.Setup {
	s := game.Setup{Cells: append([]game.Stone(nil), p.cells...), Turn: p.turn, Ply: p.Ply()}
	if p.captor != game.Empty {
		s.Memory = []uint8{uint8(p.captor)}
	}
	return s
}
