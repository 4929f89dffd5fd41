// SPDX-License-Identifier: Apache-2.0

package ultimate

import "github.com/krow-lab/krow/game"

// Owner returns whose small board b is, or Empty.
func (p *Position) Owner(b int) game.Stone {
	switch bit := uint16(1) << b; {
	case p.won[game.First]&bit != 0:
		return game.FirstStone
	case p.won[game.Second]&bit != 0:
		return game.SecondStone
	}
	return game.Empty
}

// Forced returns the small board in which the side to move must play; ok is false where it may choose among
// the open ones. It means nothing once the game is over.
func (p *Position) Forced() (board int, ok bool) { return int(p.forced), p.forced != free }

// Closed says whether small board b takes no more stones.
func (p *Position) Closed(b int) bool { return p.closed>>b&1 != 0 }

// Stones returns the cells of small board b on which s has a stone: bit c for cell c.
func (p *Position) Stones(b int, s game.Side) uint16 { return p.stones[s&1][b] }

// Won returns the small boards that are s's: bit b for board b.
func (p *Position) Won(s game.Side) uint16 { return p.won[s&1] }

// Last returns the last move of the history, or NoMove.
func (p *Position) Last() game.Move {
	if p.played == 0 {
		return game.NoMove
	}
	return game.Move(p.history[p.played-1].move)
}
