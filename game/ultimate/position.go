// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
)

// Position is a state of a Game. It holds no pointer but the game's, so that a copy is a clone.
//
//	stones[side][b]   bit c: side has a stone in cell c of small board b
//	won[side]         bit b: small board b is side's
//	closed            bit b: small board b takes no more stones
type Position struct {
	g       *Game
	key     uint64
	stones  [2][boards]uint16
	won     [2]uint16
	closed  uint16
	forced  uint8 // the small board to play in, or free; never a closed one
	played  uint8 // length of history
	turn    game.Side
	outcome game.Outcome
	before  int // the ply of the first move of history
	cells   [cells]game.Stone
	history [cells]undo
}

type undo struct {
	move   uint8
	forced uint8
	won    bool // the move won its small board
}

// The views of a position: see game.Board. After the end, Turn is still the side that did not make the last move.

func (p *Position) Game() game.Game           { return p.g }
func (p *Position) Turn() game.Side           { return p.turn }
func (p *Position) Ply() int                  { return p.before + int(p.played) }
func (p *Position) Outcome() game.Outcome     { return p.outcome }
func (p *Position) Key() uint64               { return p.key }
func (p *Position) Size() (columns, rows int) { return 9, 9 }
func (p *Position) Cells() []game.Stone       { return p.cells[:] }
func (p *Position) Cell(m game.Move) int      { return int(place[m]) }

// AppendMoves appends the free cells of the forced board, or of all open boards.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	if p.outcome != game.Ongoing {
		return dst
	}
	if p.forced != free {
		return p.appendBoard(dst, int(p.forced))
	}
	for open := allCells &^ p.closed; open != 0; open &= open - 1 {
		dst = p.appendBoard(dst, bits.TrailingZeros16(open))
	}
	return dst
}

func (p *Position) appendBoard(dst []game.Move, b int) []game.Move {
	for set := allCells &^ (p.stones[0][b] | p.stones[1][b]); set != 0; set &= set - 1 {
		dst = append(dst, game.Move(9*b+bits.TrailingZeros16(set)))
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
	b, c := uint8(m)/9, uint8(m)%9
	side := p.turn & 1
	u := undo{move: uint8(m), forced: p.forced}
	p.stones[side][b] |= 1 << c
	p.cells[place[m]] = side.Stone()
	p.key ^= stoneKeys[side][m] ^ keySecond
	p.turn = side.Other()
	own, bit := p.stones[side][b], uint16(1)<<b
	if hasLine[own&allCells] && (p.won[0]|p.won[1])&bit == 0 {
		u.won = true
		p.won[side] |= bit
		p.key ^= wonKeys[side][b]
	}
	if u.won && !p.g.r.Open || own|p.stones[side^1][b] == allCells {
		p.closed |= bit
	}
	p.history[p.played] = u
	p.played++
	to := c
	if p.closed>>c&1 != 0 {
		to = free
	}
	p.key ^= forcedKeys[p.forced] ^ forcedKeys[to]
	p.forced = to
	if u.won && hasLine[p.won[side]&allCells] {
		p.outcome = game.WinFor(side)
	} else if p.closed == allCells {
		p.outcome = p.full()
	}
}

// full returns the outcome of a game without a line in which no move is left.
func (p *Position) full() game.Outcome {
	first, second := bits.OnesCount16(p.won[game.First]), bits.OnesCount16(p.won[game.Second])
	switch {
	case p.g.r.Draw == Plain || first == second:
		return game.Draw
	case first > second:
		return game.FirstWins
	}
	return game.SecondWins
}

// Undo takes the last stone back. Its small board was open before it.
func (p *Position) Undo() {
	p.played--
	u := p.history[p.played]
	b, c := u.move/9, u.move%9
	side := p.turn.Other() & 1
	p.stones[side][b] &^= 1 << c
	p.cells[place[u.move]] = game.Empty
	p.closed &^= 1 << b
	p.key ^= stoneKeys[side][u.move] ^ keySecond ^ forcedKeys[p.forced] ^ forcedKeys[u.forced]
	if u.won {
		p.won[side] &^= 1 << b
		p.key ^= wonKeys[side][b]
	}
	p.forced, p.turn, p.outcome = u.forced, side, game.Ongoing
}

// Clone returns an independent copy.
func (p *Position) Clone() game.Position {
	q := *p
	return &q
}

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

// Forced returns the small board in which the side to move must play; ok is false where it may choose. It means
// nothing once the game is over.
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

// The key of a position is the exclusive or of a random number for each stone, each won small board and the forced
// board, and of keySecond when Second is to move. CITE: Zobrist, A New Hashing Method with Application for Game
// Playing, 1970.
var (
	stoneKeys  [2][cells]uint64
	wonKeys    [2][boards]uint64
	forcedKeys [free + 1]uint64 // 0 for free, as at the start
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
	for b := range free {
		forcedKeys[b] = next()
	}
}
