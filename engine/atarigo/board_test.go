// SPDX-License-Identifier: Apache-2.0

package atarigo

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/gametest"
)

// TestBoardEqualsRules plays random games, which often take moves back. At many positions the board must equal a new board of the
// position, and its legal moves, captures and moves that lose at once must equal the moves that the rules find.
func TestBoardEqualsRules(t *testing.T) {
	games := 2
	if os.Getenv("KROW_LONG") != "" {
		games = 40
	}
	for size := 2; size <= maxSide; size++ {
		t.Run(fmt.Sprintf("size=%d", size), func(t *testing.T) {
			g := gametest.Must[*atarigo.Game](t)(atarigo.New(size))
			b, fresh, random := newBoard(size), newBoard(size), rand.New(rand.NewPCG(1, uint64(size)))
			captures := 0
			for range games {
				p := g.Start().(*atarigo.Position)
				b.load(p)
				for range 3 * size * size {
					moves := p.AppendMoves(nil)
					m := moves[random.IntN(len(moves))]
					switch {
					case p.Ply() > 0 && random.IntN(4) == 0:
						p.Undo()
						b.undo()
					case b.captures(b.cell(m)):
						captures++
						continue
					default:
						if p.Play(m); p.Outcome() != game.Ongoing {
							p.Undo()
							continue
						}
						b.play(b.cell(m))
					}
					if random.IntN(size*size) < 40 { // all positions of small boards
						fresh.load(p)
						compare(t, b, fresh, p)
					}
				}
			}
			if size > 2 && captures == 0 {
				t.Error("no captures")
			}
		})
	}
}

func compare(t *testing.T, b, fresh *board, p *atarigo.Position) {
	t.Helper()
	if b.stone != fresh.stone || b.stones != fresh.stones || b.empty != fresh.empty || b.key != fresh.key || b.turn != fresh.turn {
		t.Fatalf("the board differs from a new one of\n%s", gametest.Picture(p))
	}
	heads := set{}
	for c, stone := range b.stone {
		if stone != game.FirstStone && stone != game.SecondStone {
			continue
		}
		got, want := b.groups[b.head[c]], fresh.groups[fresh.head[c]]
		class := b.heads[stone-1][min(got.n, classes)-1]
		if got != want || !class.has(int(b.head[c])) || b.head[b.next[c]] != b.head[c] {
			t.Fatalf("the group of %s is %+v, not %+v, in\n%s", p.Game().Format(b.move(c)), got, want, gametest.Picture(p))
		}
		heads.add(int(b.head[c]))
	}
	total := 0
	for _, side := range b.heads {
		for _, class := range side {
			for _, w := range class {
				total += bits.OnesCount64(w)
			}
		}
	}
	for _, w := range heads {
		total -= bits.OnesCount64(w)
	}
	if total != 0 {
		t.Fatalf("%d heads too many in\n%s", total, gametest.Picture(p))
	}
	legal := p.AppendMoves(nil)
	for m := range p.Cells() {
		m := game.Move(m)
		c := b.cell(m)
		if b.stone[c] != game.Empty {
			continue
		}
		if got, want := b.captures(c) || b.room(c, 1) > 0, slices.Contains(legal, m); got != want {
			t.Fatalf("%s is legal: %v, not %v, in\n%s", p.Game().Format(m), got, want, gametest.Picture(p))
		}
		if !slices.Contains(legal, m) {
			continue
		}
		p.Play(m)
		captured := p.Outcome() == game.WinFor(b.turn) && len(p.Setup().Memory) > 0
		lost := p.Outcome() == game.WinFor(b.turn.Other())
		if p.Outcome() == game.Ongoing {
			for _, answer := range p.AppendMoves(nil) {
				p.Play(answer)
				lost = lost || p.Outcome() == game.WinFor(b.turn.Other()) && len(p.Setup().Memory) > 0
				p.Undo()
			}
		}
		p.Undo()
		if captured != b.captures(c) {
			t.Fatalf("%s captures: %v, in\n%s", p.Game().Format(m), captured, gametest.Picture(p))
		}
		if !captured && b.heads[b.turn&1][0] == (set{}) && lost != (b.room(c, 2) < 2) {
			t.Fatalf("%s loses at once: %v, in\n%s", p.Game().Format(m), lost, gametest.Picture(p))
		}
	}
	want := slices.ContainsFunc(legal, func(m game.Move) bool { return b.captures(b.cell(m)) })
	if want != (b.capture(b.turn) != 0) {
		t.Fatalf("a capture is possible: %v, in\n%s", want, gametest.Picture(p))
	}
}

// TestPerft counts the positions of the first plies by the board, and compares the numbers with those of the rules.
func TestPerft(t *testing.T) {
	for size, depth := range map[int]int{3: 6, 4: 4, 5: 4, 9: 2, 19: 2} {
		g := gametest.Must[*atarigo.Game](t)(atarigo.New(size))
		if got, want := newBoard(size).perft(depth), game.Perft(g.Start(), depth); got != want {
			t.Errorf("size %d: perft(%d) is %d, not %d", size, depth, got, want)
		}
	}
}

func (b *board) perft(depth int) uint64 {
	if depth == 0 {
		return 1
	}
	n := uint64(0)
	for i, w := range b.empty {
		for ; w != 0; w &= w - 1 {
			switch c := i<<6 | bits.TrailingZeros64(w); {
			case b.captures(c):
				if depth == 1 {
					n++
				}
			case b.room(c, 1) > 0:
				b.play(c)
				n += b.perft(depth - 1)
				b.undo()
			}
		}
	}
	return n
}
