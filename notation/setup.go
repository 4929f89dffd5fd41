// SPDX-License-Identifier: Apache-2.0

package notation

import (
	"errors"
	"fmt"

	"github.com/krow-lab/krow/game"
)

// These errors can be returned, wrapped, by ParseStones and ParseBoard.
var (
	// ErrTurn is returned when no order of turns leads to as many stones: the side to move has to be given.
	ErrTurn = errors.New("do not say whose turn it is")
	// ErrStones is returned for a game in which stones and turn are not the whole state.
	ErrStones = errors.New("a position of it is more than its stones")
)

type turnTeller interface {
	StonesLeft(n int) (game.Side, int)
}

type stonesSufficer interface{ StonesSuffice() bool }

// alternate is the usual order of turns, one stone in each.
type alternate struct{}

func (alternate) StonesLeft(n int) (game.Side, int) { return game.Side(n % 2), 1 }

// board returns an empty board of g, or an error for a game without one.
func board(g game.Game) (game.Board, error) {
	b, ok := g.Start().(game.Board)
	if !ok {
		return nil, fmt.Errorf("%s has no board of stones", g)
	}
	return b, nil
}

func stonesSuffice(g game.Game) bool {
	s, ok := g.(stonesSufficer)
	return !ok || s.StonesSuffice()
}

// captures says whether the rules of a position remember pairs taken by each side.
func captures(p game.Position) bool {
	s, ok := p.(game.Settable)
	return ok && len(s.Setup().Memory) == 2
}

// setUp returns the position of these stones. A nil turn is derived from their number; memory is nil where
// nothing is said about it.
func setUp(b game.Board, cells []game.Stone, turn *game.Side, memory []uint8) (game.Position, error) {
	g := b.Game()
	setter, ok := g.(game.Setter)
	if !ok {
		return nil, fmt.Errorf("positions of %s cannot be set up", g)
	}
	placed := count(cells)
	if captures(b) && len(memory) == 2 {
		// The pairs a side took were stones of the other.
		placed[game.First] += 2 * int(memory[game.Second])
		placed[game.Second] += 2 * int(memory[game.First])
	}
	s := game.Setup{Cells: cells, Ply: placed[0] + placed[1], Memory: memory}
	if turn != nil {
		s.Turn = *turn
		return setter.SetUp(s)
	}
	var left int
	var err error
	if s.Turn, left, err = whoseTurn(g, placed); err != nil {
		return nil, err
	}
	if left > 0 && memory == nil {
		s.Memory = []uint8{uint8(left)}
	}
	return setter.SetUp(s)
}

// whoseTurn returns the side to move once each side has placed so many stones, and how many it has left in
// its turn, or 0 where no turn so far has had several.
func whoseTurn(g game.Game, placed [2]int) (turn game.Side, left int, err error) {
	turns, ok := g.(turnTeller)
	if !ok {
		turns = alternate{}
	}
	several := false
	var fits [2]int
	for n := range placed[0] + placed[1] + 1 {
		if n > 0 {
			fits[turn]++
		}
		turn, left = turns.StonesLeft(n)
		several = several || left > 1
	}
	if fits != placed {
		return 0, 0, fmt.Errorf("%d and %d stones %w", placed[0], placed[1], ErrTurn)
	}
	if !several {
		left = 0
	}
	return turn, left, nil
}

func count(cells []game.Stone) (n [2]int) {
	for _, stone := range cells {
		if stone != game.Empty {
			n[stone-game.FirstStone]++
		}
	}
	return n
}
