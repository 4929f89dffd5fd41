// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
)

// Position is a state of a Game. Its only pointer is to the Game, so a copy of the struct is a clone.
type Position struct {
	g       *Game
	b       Board
	key     uint64
	before  int   // number of plies before the first move in history
	played  uint8 // number of moves in history
	cells   [Moves]game.Stone
	history [Moves]undo
}

type undo struct {
	move   uint8
	forced uint8
	won    bool // whether the move won its small board
}

// The following methods are described at game.Board and game.Position. After the end of the game, Turn returns the side that
// did not make the last move.

func (p *Position) Game() game.Game           { return p.g }
func (p *Position) Turn() game.Side           { return game.Side(p.b.Turn) }
func (p *Position) Ply() int                  { return p.before + int(p.played) }
func (p *Position) Outcome() game.Outcome     { return p.b.Result }
func (p *Position) Key() uint64               { return p.key }
func (p *Position) Size() (columns, rows int) { return 9, 9 }
func (p *Position) Cells() []game.Stone       { return p.cells[:] }
func (p *Position) Cell(m game.Move) int      { return int(place[m]) }

// Board returns a copy of the position as a Board.
func (p *Position) Board() Board { return p.b }

// AppendMoves appends the free cells of the forced board, or of all open boards.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	for open := p.b.Open(); open != 0; open &= open - 1 {
		i := bits.TrailingZeros16(open)
		for free := p.b.Free(i % 9); free != 0; free &= free - 1 {
			dst = append(dst, game.Move(9*i+bits.TrailingZeros16(free)))
		}
	}
	return dst
}

// AppendHistory appends the moves played.
func (p *Position) AppendHistory(dst []game.Move) []game.Move {
	for _, u := range p.history[:p.played] {
		dst = append(dst, game.Move(u.move))
	}
	return dst
}

// Play places a stone.
func (p *Position) Play(m game.Move) {
	side := p.b.Turn & 1
	u, won := undo{move: uint8(m), forced: p.b.Forced}, p.b.Won[side]
	p.b.Play(u.move)
	p.cells[place[m]] = game.Side(side).Stone()
	p.key ^= stoneKeys[side][m] ^ keySecond ^ forcedKeys[u.forced] ^ forcedKeys[p.b.Forced]
	if u.won = p.b.Won[side] != won; u.won {
		p.key ^= wonKeys[side][m/9]
	}
	p.history[p.played] = u
	p.played++
}

// Undo takes back the last move. It marks the small board of the move as open: the move was legal, so this board was open
// before the move.
func (p *Position) Undo() {
	p.played--
	u := p.history[p.played]
	i, cell := u.move/9, u.move%9
	side := p.b.Turn&1 ^ 1
	p.b.Stones[side][i] &^= 1 << cell
	p.cells[place[u.move]] = game.Empty
	p.b.Closed &^= 1 << i
	p.key ^= stoneKeys[side][u.move] ^ keySecond ^ forcedKeys[p.b.Forced] ^ forcedKeys[u.forced]
	if u.won {
		p.b.Won[side] &^= 1 << i
		p.key ^= wonKeys[side][i]
	}
	p.b.Ply--
	p.b.Forced, p.b.Turn, p.b.Result = u.forced, side, game.Ongoing
}

// Clone returns an independent copy.
func (p *Position) Clone() game.Position {
	q := *p
	return &q
}

// Owner returns the stone of the side that has won small board b, or Empty.
func (p *Position) Owner(b int) game.Stone {
	return game.Stone(p.b.Won[0]>>b&1 | p.b.Won[1]>>b&1<<1)
}

// Forced returns the small board in which the side to move must play; ok is false if this side may choose among the open
// boards. The result is meaningless after the end of the game.
func (p *Position) Forced() (board int, ok bool) { return int(p.b.Forced), p.b.Forced != Any }

// Closed reports whether small board b takes no more stones.
func (p *Position) Closed(b int) bool { return p.b.Closed>>b&1 != 0 }

// Stones returns the cells of small board b on which s has a stone: bit c for cell c.
func (p *Position) Stones(b int, s game.Side) uint16 { return p.b.Stones[s&1][b] }

// Won returns the small boards that s has won: bit b for board b.
func (p *Position) Won(s game.Side) uint16 { return p.b.Won[s&1] }

// Last returns the last move of the history, or NoMove.
func (p *Position) Last() game.Move {
	if p.played == 0 {
		return game.NoMove
	}
	return game.Move(p.history[p.played-1].move)
}

// The key of a position is the exclusive or of random numbers: one for each stone, one for each won small board, one for the
// forced board, and keySecond if Second is to move. CITE: Zobrist, A New Hashing Method with Application for Game Playing,
// 1970.
var (
	stoneKeys  [2][Moves]uint64
	wonKeys    [2][9]uint64
	forcedKeys [Any + 1]uint64 // the key of Any is 0, because the start has the key 0
)

const keySecond = rng.Golden

func init() {
	n := uint64(0)
	next := func() uint64 {
		n++
		return rng.Nth(n)
	}
	for s := range stoneKeys {
		for m := range stoneKeys[s] {
			stoneKeys[s][m] = next()
		}
		for b := range wonKeys[s] {
			wonKeys[s][b] = next()
		}
	}
	for b := range Any {
		forcedKeys[b] = next()
	}
}
