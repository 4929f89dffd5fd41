// SPDX-License-Identifier: Apache-2.0

package atarigo

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
)

// Position is a state of a Game.
//
// The free points are a bit set. Eyes, those without a free point next to them, are another: a stone on any other free
// point has a liberty and is legal.
//
//	. X .     free: a1 c1 b2 a3 c3
//	X . X     eyes: a1 c1 b2 a3 c3, here all of them; b2 is suicide for O
//	. X .
type Position struct {
	g       *Game
	cells   []game.Stone
	room    []uint8 // of each point: the number of free points next to it
	free    []uint64
	eyes    []uint64
	wide    int // free points that are no eyes
	groups  forest
	history []undo
	taken   []int16    // the stones that the last move captured
	captor  game.Stone // who has captured and won, or Empty
	key     uint64
	before  int // the ply of the first move of history
	turn    game.Side
	outcome game.Outcome
}

type undo struct {
	key   uint64
	links int32 // length of groups.links before the move
	cell  int16
}

func (g *Game) empty() *Position {
	n := len(g.near)
	words := (n + 63) / 64
	sets := make([]uint64, 2*words)
	p := &Position{
		g: g, cells: make([]game.Stone, n), room: make([]uint8, n),
		free: sets[:words:words], eyes: sets[words:], wide: n,
		groups: newForest(n), history: make([]undo, 0, n),
	}
	for c, near := range g.near {
		p.room[c] = uint8(len(near))
		p.free[c>>6] |= 1 << (c & 63)
	}
	return p
}

// The views of a position: see game.Board.

func (p *Position) Game() game.Game           { return p.g }
func (p *Position) Turn() game.Side           { return p.turn }
func (p *Position) Ply() int                  { return p.before + len(p.history) }
func (p *Position) Outcome() game.Outcome     { return p.outcome }
func (p *Position) Key() uint64               { return p.key }
func (p *Position) Size() (columns, rows int) { return p.g.size, p.g.size }
func (p *Position) Cells() []game.Stone       { return p.cells }
func (p *Position) Cell(m game.Move) int      { return int(m) }

// AppendMoves appends the free points but for suicides.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	if p.outcome != game.Ongoing {
		return dst
	}
	for i, w := range p.free {
		eyes := p.eyes[i]
		for ; w != 0; w &= w - 1 {
			c := i<<6 | bits.TrailingZeros64(w)
			if w&-w&eyes == 0 || p.lives(c) {
				dst = append(dst, game.Move(c))
			}
		}
	}
	return dst
}

// AppendHistory appends the moves played.
func (p *Position) AppendHistory(dst []game.Move) []game.Move {
	for _, u := range p.history {
		dst = append(dst, game.Move(u.cell))
	}
	return dst
}

// Play places a stone.
func (p *Position) Play(m game.Move) {
	c, side := int(m), p.turn
	p.history = append(p.history, undo{key: p.key, links: int32(len(p.groups.links)), cell: int16(c)})
	p.put(c, side.Stone())
	p.turn = side.Other()
	p.key ^= keySecond
	p.capture(c, side)
	if len(p.taken) > 0 {
		p.captured(side)
		return
	}
	p.settle()
}

// captured ends the game: by has won.
func (p *Position) captured(by game.Side) {
	p.captor, p.outcome = by.Stone(), game.WinFor(by)
	p.key ^= rng.Nth(keyCaptured + uint64(by))
}

func (p *Position) settle() {
	if p.wide == 0 && !p.anyEye() {
		p.outcome = game.WinFor(p.turn.Other())
	}
}

// Undo takes the last stone back.
func (p *Position) Undo() {
	u := p.history[len(p.history)-1]
	p.history = p.history[:len(p.history)-1]
	p.turn = p.turn.Other()
	for _, c := range p.taken {
		p.cells[c] = p.turn.Other().Stone()
	}
	p.taken, p.captor = p.taken[:0], game.Empty
	p.lift(int(u.cell), int(u.links))
	p.key, p.outcome = u.key, game.Ongoing
}

// Clone returns an independent copy.
func (p *Position) Clone() game.Position {
	q := *p
	q.cells = append([]game.Stone(nil), p.cells...)
	q.room = append([]uint8(nil), p.room...)
	q.free = append([]uint64(nil), p.free...)
	q.eyes = append([]uint64(nil), p.eyes...)
	q.groups = p.groups.clone()
	q.history = append(make([]undo, 0, cap(p.history)), p.history...)
	q.taken = append([]int16(nil), p.taken...)
	return &q
}

// The parts of the key that are not stones.
const (
	keySecond   = rng.Golden
	keyCaptured = 1 << 20
)

func stoneKey(c int, s game.Stone) uint64 { return rng.Nth(uint64(c)<<2 | uint64(s)) }
