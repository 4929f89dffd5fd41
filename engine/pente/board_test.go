// SPDX-License-Identifier: Apache-2.0

package pente

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
)

// TestBoardEqualsRules plays random games, which often take moves back. After each move the board must equal a new board of the
// position, and must find the moves that win. With KROW_LONG it compares 110,000 positions.
func TestBoardEqualsRules(t *testing.T) {
	positions := 700
	if os.Getenv("KROW_LONG") != "" {
		positions = 10_000
	}
	for _, size := range []int{3, 5, 6, 7, 9, 13, 19, 28, -5, -7, -19} { // keryo below 0
		t.Run(fmt.Sprintf("size=%d", size), func(t *testing.T) {
			g := gametest.Must[*mnk.Game](t)(mnk.PenteBy(max(size, -size), size < 0, 0))
			b, fresh, random := newBoard(g), newBoard(g), rand.New(rand.NewPCG(1, uint64(size)))
			captured, won := 0, 0
			for compared := 0; compared < positions; {
				p := g.Start().(*mnk.Position)
				b.load(p)
				for range 120 {
					if p.Outcome() != game.Ongoing || b.ply == maxPly || b.ply > 0 && random.IntN(4) == 0 {
						if b.ply == 0 {
							break
						}
						p.Undo()
						b.undo()
					} else {
						m := choose(p, random)
						before := p.Captured(p.Turn())
						side := p.Turn()
						p.Play(m)
						captured += p.Captured(side) - before
						if p.Outcome() != game.Ongoing {
							won++
							p.Undo()
							continue
						}
						b.play(b.cell(m))
					}
					fresh.load(p)
					compare(t, b, fresh, p)
					compared++
				}
			}
			if size >= 5 && (captured == 0 || won == 0) {
				t.Errorf("%d captures and %d wins: too few to test them", captured, won)
			}
		})
	}
}

// choose returns a random move, mostly next to a stone.
func choose(p *mnk.Position, random *rand.Rand) game.Move {
	moves := p.AppendMoves(nil)
	columns, _ := p.Size()
	for range 20 {
		m := moves[random.IntN(len(moves))]
		for _, d := range []int{-columns, -1, 1, columns} {
			if n := int(m) + d; n >= 0 && n < len(p.Cells()) && p.Cells()[n] != game.Empty {
				return m
			}
		}
	}
	return moves[random.IntN(len(moves))]
}

func compare(t *testing.T, b, fresh *board, p *mnk.Position) {
	t.Helper()
	if b.cells != fresh.cells || b.sets != fresh.sets || b.worth != fresh.worth || b.key != fresh.key || b.taken != fresh.taken ||
		b.turn != fresh.turn || b.empties != fresh.empties {
		t.Fatalf("the board differs from a new one of\n%s", gametest.Picture(p))
	}
	var want []game.Move
	for _, m := range p.AppendMoves(nil) {
		side := p.Turn()
		p.Play(m)
		if p.Outcome() == game.WinFor(side) {
			want = append(want, m)
		}
		p.Undo()
	}
	var got []game.Move
	for _, c := range b.appendWinning(nil, b.turn) {
		got = append(got, b.move(int(c)))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Fatalf("%d win, not %d, in\n%s", got, want, gametest.Picture(p))
	}
	if (b.winning(b.turn) != 0) != (len(want) > 0) {
		t.Fatalf("winning is %d where %d win", b.winning(b.turn), want)
	}
}

// TestForcedMovesAreAllThatStopWins: after any other move the enemy wins at once.
func TestForcedMovesAreAllThatStopWins(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.Pente(7))
	b, random, threats := newBoard(g), rand.New(rand.NewPCG(2, 7)), 0
	for range 300 {
		p := g.Start().(*mnk.Position)
		for range 40 {
			p.Play(choose(p, random))
			if p.Outcome() != game.Ongoing {
				break
			}
			b.load(p)
			if b.winning(b.turn) != 0 || b.winning(b.turn.Other()) == 0 {
				continue
			}
			threats++
			forced := b.appendForced(nil)
			for _, m := range p.AppendMoves(nil) {
				c := b.cell(m)
				if slices.Contains(forced, uint16(c)) {
					continue
				}
				if b.play(c); b.winning(b.turn) == 0 {
					t.Fatalf("%s stops the win, and is not among the forced moves, in\n%s", g.Format(m), gametest.Picture(p))
				}
				b.undo()
			}
		}
	}
	if threats < 100 {
		t.Errorf("%d threats are too few", threats)
	}
}

// TestPerft counts the positions after random games by the board, and compares the numbers with those of the rules.
func TestPerft(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 7))
	for _, g := range []*mnk.Game{newGame(t, 5), newGame(t, 7), newGame(t, 13), newGame(t, 19)} {
		b := newBoard(g)
		for range 3 {
			p := g.Start().(*mnk.Position)
			for range 14 {
				if p.Play(choose(p, random)); p.Outcome() != game.Ongoing {
					p.Undo()
				}
			}
			depth := 2
			if b.columns <= 7 {
				depth = 3
			}
			b.load(p)
			if got, want := b.perft(depth), game.Perft(p, depth); got != want {
				t.Errorf("perft(%d) is %d, not %d, in\n%s", depth, got, want, gametest.Picture(p))
			}
		}
	}
}

func (b *board) perft(depth int) (n uint64) {
	if depth == 1 {
		return uint64(b.empties)
	}
	wins := b.appendWinning(nil, b.turn)
	for m := range b.columns * b.rows {
		if c := b.cell(game.Move(m)); b.at(c) == game.Empty && !slices.Contains(wins, uint16(c)) {
			b.play(c)
			n += b.perft(depth - 1)
			b.undo()
		}
	}
	return n
}

func TestNothingIsAllocatedAtAMove(t *testing.T) {
	b := newBoard(gametest.Must[*mnk.Game](t)(mnk.Pente(19)))
	c := b.cell(180)
	if n := testing.AllocsPerRun(100, func() { b.play(c); b.undo() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkPlayAndUndo(b *testing.B) {
	g, err := mnk.Pente(19)
	if err != nil {
		b.Fatal(err)
	}
	e := newBoard(g)
	for b.Loop() {
		e.play(e.cell(180))
		e.undo()
	}
}
