// SPDX-License-Identifier: Apache-2.0

// Package atarigo plays Atari-Go: the first side to capture a stone, as in Go, wins.
//
// Stones are placed on the intersections and do not move. A group consists of stones of one side that are connected along the
// lines. Its liberties are the empty points next to it. A group without liberties is captured.
//
// # Basics
//
//	g, err := atarigo.New(9)
//	p := g.Start()
//	p.Play(p.AppendMoves(nil)[0])
//
// # Caveats
//
// Nobody may pass. A move that leaves its own group without liberties is illegal unless it captures. A side to move that has no
// legal move loses, so there are no draws. Captured stones are removed, although their capture ends the game. Therefore the
// stones on the board do not show who has won; Setup.Memory contains the winner. The smallest board is 2 x 2.
//
// # Speed
//
// Until the game ends, groups only grow, so they are stored as a union-find forest; Undo cuts the links that the undone move
// made. Play and Undo cost O(log stones), AppendMoves O(legal moves + eyes). None of them allocates.
//
// CITE: Yasuda Yasutoshi introduced the game to teach Go; Cazenave, Abstract Proof Search, 2000, studies it
// as a search problem.
package atarigo

import (
	"fmt"
	"math/bits"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
)

// usual is the default size of the board.
const usual = 9

// Game is Atari-Go on a square board.
type Game struct {
	size int
	near [][]int16 // by point: the two to four points next to it
}

// New returns the game on size x size points, or an error.
func New(size int) (*Game, error) {
	if size < 2 || size > game.MaxSide {
		return nil, fmt.Errorf("a board of atari-go must have 2 to %d columns and rows, not %d", game.MaxSide, size)
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

// Format returns the point's name, such as e5. The column letters include i, unlike the usual names in Go.
func (g *Game) Format(m game.Move) string { return game.FormatCell(int(m), g.size) }

// Parse reads a move in the form that Format writes.
func (g *Game) Parse(s string) (game.Move, error) {
	c, err := game.ParseCell(s, g.size, g.size)
	if err != nil {
		return game.NoMove, fmt.Errorf("%q is %w", s, err)
	}
	return game.Move(c), nil
}

// Start returns the empty board.
func (g *Game) Start() game.Position { return g.empty() }

// SetUp returns the position with these stones; every group must have a liberty. Memory is nil, or one number for the side that
// has captured: 0 for nobody, 1 for First, 2 for Second.
func (g *Game) SetUp(s game.Setup) (game.Position, error) {
	p := g.empty()
	if len(s.Cells) != len(p.cells) {
		return nil, fmt.Errorf("the position has %d points, but the board has %d", len(s.Cells), len(p.cells))
	}
	p.turn, p.before = s.Turn&1, s.Ply
	for c, stone := range s.Cells {
		if stone > game.SecondStone {
			return nil, fmt.Errorf("point %s has the invalid value %d", g.Format(game.Move(c)), stone)
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

// remember ends the game if memory names a side that has captured, or if the side to move has no legal move.
func (p *Position) remember(memory []uint8) error {
	switch {
	case memory != nil && len(memory) != 1:
		return fmt.Errorf("the memory of %s is one number, not %d", p.g, len(memory))
	case memory == nil || memory[0] == 0:
		p.settle()
	case memory[0] > 2:
		return fmt.Errorf("the memory %d does not name a side that has captured", memory[0])
	default:
		p.captured(game.Side(memory[0] - 1))
	}
	return nil
}

// Setup returns the position without the moves that led to it.
func (p *Position) Setup() game.Setup {
	s := game.Setup{Cells: append([]game.Stone(nil), p.cells...), Turn: p.turn, Ply: p.Ply()}
	if p.captor != game.Empty {
		s.Memory = []uint8{uint8(p.captor)}
	}
	return s
}

// Position is a state of a Game.
//
// One bit set contains the free points. Another bit set contains the eyes: the free points that have no free point next to
// them. A stone on a free point that is no eye has a liberty, so the move is legal; only moves on eyes need a test.
//
//	. X .     free: a1 c1 b2 a3 c3
//	X . X     eyes: a1 c1 b2 a3 c3, here all of them; b2 is suicide for O
//	. X .
type Position struct {
	g       *Game
	cells   []game.Stone
	room    []uint8 // by point: the number of free points next to it
	free    []uint64
	eyes    []uint64
	wide    int // number of free points that are not eyes
	groups  forest
	history []undo
	taken   []int16    // the stones that the last move captured
	captor  game.Stone // the stone of the side that has captured and therefore won, or Empty
	key     uint64
	before  int // number of plies before the first move in history
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

// The following methods are described at game.Board and game.Position.

func (p *Position) Game() game.Game           { return p.g }
func (p *Position) Turn() game.Side           { return p.turn }
func (p *Position) Ply() int                  { return p.before + len(p.history) }
func (p *Position) Outcome() game.Outcome     { return p.outcome }
func (p *Position) Key() uint64               { return p.key }
func (p *Position) Size() (columns, rows int) { return p.g.size, p.g.size }
func (p *Position) Cells() []game.Stone       { return p.cells }
func (p *Position) Cell(m game.Move) int      { return int(m) }

// AppendMoves appends the free points except suicides.
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

// Refusal returns the reason why a move on a free point is not legal.
func (p *Position) Refusal(game.Move) string { return "the stone would have no liberty" }

// AppendHistory appends the moves played to dst.
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

// captured ends the game with a win for the side by.
func (p *Position) captured(by game.Side) {
	p.captor, p.outcome = by.Stone(), game.WinFor(by)
	p.key ^= rng.Nth(keyCaptured + uint64(by))
}

func (p *Position) settle() {
	if p.wide == 0 && !p.anyEye() {
		p.outcome = game.WinFor(p.turn.Other())
	}
}

// Undo takes back the last move.
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

// The key of a position also depends on the side to move and on the side that has captured. keySecond is part of the key if
// Second is to move. If a side has captured, rng.Nth(keyCaptured + side) is part of the key.
const (
	keySecond   = rng.Golden
	keyCaptured = 1 << 20
)

func stoneKey(c int, s game.Stone) uint64 { return rng.Nth(uint64(c)<<2 | uint64(s)) }
