// SPDX-License-Identifier: Apache-2.0

// Package atarigo plays Atari-Go: the first side to capture a stone, as in Go, wins.
//
// Stones are placed on the intersections and do not move. A group is stones of one side joined along the lines. Its
// liberties are the empty points next to it. A group without liberties is captured.
//
// # Basics
//
//	g, err := atarigo.New(9)
//	p := g.Start()
//	p.Play(p.AppendMoves(nil)[0])
//
// # Caveats
//
// Nobody may pass. A move that leaves its own group without liberties is illegal unless it captures. A side to move
// without a legal move loses: there are no draws. Captured stones leave the board when the game ends; Setup then has a
// Memory. The smallest board is 2 x 2.
//
// # Speed
//
// Before the end groups only grow. They are a union-find forest; Undo cuts the links that the move made. Play and Undo
// cost O(log stones), AppendMoves O(legal moves + eyes). None of them allocates.
//
// CITE: Yasuda Yasutoshi introduced the game to teach Go; Cazenave, Abstract Proof Search, 2000, studies it
// as a search problem.
package atarigo

import (
	"fmt"

	"github.com/krow-lab/krow/game"
)

// usual is the size that the spec leaves out.
const usual = 9

// Game is Atari-Go on a square board.
type Game struct {
	size int
	near [][]int16 // of each point, the two to four points next to it
}

// New returns the game on size x size points, or an error in one line.
func New(size int) (*Game, error) {
	if size < 2 || size > game.MaxSide {
		return nil, fmt.Errorf("a board of atari-go has 2 to %d columns and rows, not %d", game.MaxSide, size)
	}
	g := &Game{size: size, near: make([][]int16, size*size)}
	all := make([]int16, 0, 4*size*size)
	for c := range g.near {
		start := len(all)
		column, row := c%size, c/size
		for _, n := range []struct {
			on   bool
			step int
		}{{row > 0, -size}, {column > 0, -1}, {column < size-1, 1}, {row < size-1, size}} {
			if n.on {
				all = append(all, int16(c+n.step))
			}
		}
		g.near[c] = all[start:len(all):len(all)]
	}
	return g, nil
}

// String returns the game's spec.
func (g *Game) String() string {
	if g.size == usual {
		return "atarigo"
	}
	return fmt.Sprintf("atarigo:%d", g.size)
}

// Moves returns the number of points.
func (g *Game) Moves() int { return len(g.near) }

// Format returns the point's name, such as e5. No column letter is left out.
func (g *Game) Format(m game.Move) string { return game.FormatCell(int(m), g.size) }

// Parse reads a move as Format writes it.
func (g *Game) Parse(s string) (game.Move, error) {
	c, err := game.ParseCell(s, g.size, g.size)
	if err != nil {
		return game.NoMove, fmt.Errorf("%q is %w", s, err)
	}
	return game.Move(c), nil
}

// Start returns the empty board.
func (g *Game) Start() game.Position { return g.empty() }

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
