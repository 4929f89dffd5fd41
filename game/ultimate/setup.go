// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"errors"
	"fmt"

	"github.com/krow-lab/krow/game"
)

// SetUp returns the position of these stones. Memory is the forced board, 0 to 8, or 9 for a free choice, and then the
// owner of each small board: 0 nobody, 1 First, 2 Second. A nil Memory is a free choice, and
// the owner of a small board is the side with a line in it; an open board with lines of both sides is an error then.
func (g *Game) SetUp(s game.Setup) (game.Position, error) {
	if len(s.Cells) != Moves {
		return nil, fmt.Errorf("%d cells for a board of %d", len(s.Cells), Moves)
	}
	p := &Position{g: g, b: NewBoard(g.r), before: s.Ply}
	if p.b.Turn = uint8(s.Turn & 1); p.b.Turn == 1 {
		p.key = keySecond
	}
	for m := range game.Move(Moves) {
		switch stone := s.Cells[place[m]]; {
		case stone > game.SecondStone:
			return nil, fmt.Errorf("cell %s holds %d, which is no stone", g.Format(m), stone)
		case stone != game.Empty:
			p.b.Stones[stone-1][m/9] |= 1 << (m % 9)
			p.b.Ply++
			p.cells[place[m]] = stone
			p.key ^= stoneKeys[stone-1][m]
		}
	}
	owners, err := p.owners(s.Memory)
	if err != nil {
		return nil, err
	}
	for b, o := range owners {
		p.own(b, o)
	}
	if s.Memory != nil {
		if err := p.force(s.Memory[0]); err != nil {
			return nil, err
		}
	}
	if err := p.settle(); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Position) owners(memory []uint8) (owners [9]game.Stone, err error) {
	if memory != nil && len(memory) != 10 {
		return owners, fmt.Errorf("%s remembers %d numbers, not %d", p.g, 10, len(memory))
	}
	for b := range owners {
		first, second := HasLine(p.b.Stones[0][b]), HasLine(p.b.Stones[1][b])
		switch {
		case first && second && (memory == nil || !p.g.r.Open):
			return owners, fmt.Errorf("both sides have a line in small board %d", b+1)
		case first:
			owners[b] = game.FirstStone
		case second:
			owners[b] = game.SecondStone
		}
		if memory == nil {
			continue
		}
		o := game.Stone(memory[1+b])
		if o != owners[b] && !(first && second && o == game.SecondStone) {
			return owners, fmt.Errorf("small board %d is not what its lines make it", b+1)
		}
		owners[b] = o
	}
	return owners, nil
}

func (p *Position) own(b int, o game.Stone) {
	bit := uint16(1) << b
	if o != game.Empty {
		p.b.Won[o-1] |= bit
		p.key ^= wonKeys[o-1][b]
	}
	if o != game.Empty && !p.g.r.Open || p.b.Free(b) == 0 {
		p.b.Closed |= bit
	}
}

func (p *Position) force(b uint8) error {
	switch {
	case b > Any:
		return fmt.Errorf("the forced board is 0 to %d, not %d", Any, b)
	case b != Any && p.Closed(int(b)):
		return fmt.Errorf("small board %d takes no more stones", b+1)
	}
	p.b.Forced = b
	p.key ^= forcedKeys[b]
	return nil
}

func (p *Position) settle() error {
	first, second := HasLine(p.b.Won[0]), HasLine(p.b.Won[1])
	switch {
	case first && second:
		return errors.New("both sides have three small boards in a row")
	case first:
		p.b.Result = game.FirstWins
	case second:
		p.b.Result = game.SecondWins
	case p.b.Closed == Full:
		p.b.Result = p.b.full()
	}
	return nil
}

// Setup returns the position without its past.
func (p *Position) Setup() game.Setup {
	memory := make([]uint8, 10)
	memory[0] = p.b.Forced
	for b := range 9 {
		memory[1+b] = uint8(p.Owner(b))
	}
	return game.Setup{Cells: append([]game.Stone(nil), p.cells[:]...), Turn: p.Turn(), Ply: p.Ply(), Memory: memory}
}
