// SPDX-License-Identifier: Apache-2.0

package ultimate_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
)

// grid is nine cells or nine small boards: 0, 1 and 2 are nobody's, First's and Second's.
type grid [9]int

// rows are the eight rows of three.
var rows = [8][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

// line says whether who has three in a row.
func (g grid) line(who int) bool {
	for _, r := range rows {
		if g[r[0]] == who && g[r[1]] == who && g[r[2]] == who {
			return true
		}
	}
	return false
}

func (g grid) count(who int) (n int) {
	for _, x := range g {
		if x == who {
			n++
		}
	}
	return n
}

// reference plays the same game the obvious way. It holds no pointer: a copy is a clone.
type reference struct {
	rules ultimate.Rules
	cells [9]grid
	owner grid
	last  int // the last move, or -1
	turn  int
}

func (r *reference) closed(b int) bool {
	return r.cells[b].count(0) == 0 || r.owner[b] != 0 && !r.rules.Open
}

func (r *reference) moves() (moves []game.Move) {
	if r.owner.line(1) || r.owner.line(2) {
		return nil
	}
	for m := range 81 {
		b, c := m/9, m%9
		sent := r.last >= 0 && !r.closed(r.last%9)
		if !r.closed(b) && r.cells[b][c] == 0 && (!sent || b == r.last%9) {
			moves = append(moves, game.Move(m))
		}
	}
	return moves
}

func (r *reference) play(m game.Move) {
	b, c := int(m)/9, int(m)%9
	r.cells[b][c] = r.turn
	if r.owner[b] == 0 && r.cells[b].line(r.turn) {
		r.owner[b] = r.turn
	}
	r.last, r.turn = int(m), 3-r.turn
}

func (r *reference) outcome() game.Outcome {
	first, second := r.owner.count(1), r.owner.count(2)
	switch {
	case r.owner.line(1):
		return game.FirstWins
	case r.owner.line(2):
		return game.SecondWins
	case len(r.moves()) > 0:
		return game.Ongoing
	case r.rules.Draw == ultimate.Boards && first > second:
		return game.FirstWins
	case r.rules.Draw == ultimate.Boards && first < second:
		return game.SecondWins
	}
	return game.Draw
}

// TestAgainstReference plays random games, with steps back, beside the reference.
func TestAgainstReference(t *testing.T) {
	for _, g := range variants {
		for seed := range uint64(60) {
			t.Run(fmt.Sprintf("%s/seed=%d", g, seed), func(t *testing.T) {
				compare(t, g, rand.New(rand.NewPCG(seed, 3)))
			})
		}
	}
}

func compare(t *testing.T, g *ultimate.Game, rng *rand.Rand) {
	p := g.Start().(*ultimate.Position)
	past := []reference{{rules: g.Rules(), last: -1, turn: 1}}
	for {
		r := past[len(past)-1]
		same(t, p, &r)
		over := r.outcome() != game.Ongoing
		if over && rng.IntN(3) == 0 {
			return
		}
		if len(past) > 1 && (over || rng.IntN(5) == 0) {
			p.Undo()
			past = past[:len(past)-1]
			continue
		}
		moves := r.moves()
		m := moves[rng.IntN(len(moves))]
		p.Play(m)
		r.play(m)
		past = append(past, r)
	}
}

// same holds everything that can be seen of p equal to r.
func same(t *testing.T, p *ultimate.Position, r *reference) {
	t.Helper()
	if moves, want := p.AppendMoves(nil), r.moves(); !slices.Equal(moves, want) || p.Outcome() != r.outcome() {
		t.Fatalf("moves %v, outcome %v, want %v, %v; after %v", moves, p.Outcome(), want, r.outcome(), p.AppendHistory(nil))
	}
	if int(p.Last()) != r.last || int(p.Turn()) != r.turn-1 {
		t.Fatalf("last move %d, %v to move, want %d, %d; after %v", p.Last(), p.Turn(), r.last, r.turn-1, p.AppendHistory(nil))
	}
	if b, ok := p.Forced(); ok != (r.last >= 0 && !r.closed(r.last%9)) || ok && b != r.last%9 {
		t.Fatalf("forced board %d, %v; after %v", b, ok, p.AppendHistory(nil))
	}
	for b := range 9 {
		if int(p.Owner(b)) != r.owner[b] || p.Closed(b) != r.closed(b) {
			t.Fatalf("board %d: owner %d, closed %v; after %v", b, p.Owner(b), p.Closed(b), p.AppendHistory(nil))
		}
		for c := range 9 {
			checkCell(t, p, r, b, c)
		}
	}
}

func checkCell(t *testing.T, p *ultimate.Position, r *reference, b, c int) {
	t.Helper()
	column, row := b%3*3+c%3, 8-(b/3*3+c/3)
	stone := p.Cells()[column+9*row]
	if int(stone) != r.cells[b][c] || p.Cell(game.Move(9*b+c)) != column+9*row {
		t.Fatalf("column %d, row %d holds %d; after %v", column, row, stone, p.AppendHistory(nil))
	}
	for s := game.First; s <= game.Second; s++ {
		if has := p.Stones(b, s)>>c&1 == 1; has != (stone == s.Stone()) {
			t.Fatalf("%v in board %d, cell %d: %v; after %v", s, b, c, has, p.AppendHistory(nil))
		}
	}
}

// TestSmallBoardTables compares the tables of a small board with their definition, for all 512 sets.
func TestSmallBoardTables(t *testing.T) {
	for set := range uint16(512) {
		has, completing := false, uint16(0)
		for _, r := range rows {
			switch rest := (1<<r[0] | 1<<r[1] | 1<<r[2]) &^ set; bits.OnesCount16(rest) {
			case 0:
				has = true
			case 1:
				completing |= rest
			}
		}
		if got := ultimate.HasLine(set); got != has {
			t.Errorf("HasLine(%09b) = %v, want %v", set, got, has)
		}
		if got := ultimate.Completing(set); got != completing {
			t.Errorf("Completing(%09b) = %09b, want %09b", set, got, completing)
		}
	}
}
