// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/search"
)

// The functions of this file say by trying everything out what the worker finds by counting lines.

// after runs f in the position after m.
func after[T any](p game.Position, m game.Move, f func() T) T {
	p.Play(m)
	defer p.Undo()
	return f()
}

// slowWins returns the moves that win at once.
func slowWins(p game.Position) []game.Move {
	s := p.Turn()
	return slices.DeleteFunc(p.AppendMoves(nil), func(m game.Move) bool {
		return after(p, m, p.Outcome) != game.WinFor(s)
	})
}

// slowForked says whether the opponent of the side to move has two moves of which either wins after the other
// is taken from him.
func slowForked(p game.Position) bool {
	s := p.Turn().Other()
	wins := func(block, win game.Move) bool {
		return after(p, block, func() bool {
			if p.Outcome() != game.Ongoing {
				return p.Outcome() == game.WinFor(s)
			}
			return game.Legal(p, win) && after(p, win, p.Outcome) == game.WinFor(s)
		})
	}
	moves := p.AppendMoves(nil)
	for i, a := range moves {
		for _, b := range moves[:i] {
			if wins(a, b) && wins(b, a) {
				return true
			}
		}
	}
	return false
}

// slowForks returns the moves that make a fork.
func slowForks(p game.Position) []game.Move {
	return slices.DeleteFunc(p.AppendMoves(nil), func(m game.Move) bool {
		return !after(p, m, func() bool { return p.Outcome() == game.Ongoing && slowForked(p) })
	})
}

// slowDanger counts the opponent's forks, now that he is to move, or judges the answer that is forced.
func slowDanger(p game.Position) int {
	if p.Outcome() != game.Ongoing {
		return 0
	}
	them := p.Turn()
	var replies []game.Move
	moves := p.AppendMoves(nil)
	for _, m := range moves {
		// m is forced if we win with it after any other move.
		other := slices.IndexFunc(moves, func(o game.Move) bool { return o != m })
		if other >= 0 && after(p, moves[other], func() bool {
			return p.Outcome() == game.Ongoing && game.Legal(p, m) && slices.Contains(slowWins(p), m)
		}) {
			replies = append(replies, m)
		}
	}
	if len(replies) != 1 {
		return len(slowForks(p))
	}
	return after(p, replies[0], func() int {
		if p.Outcome() == game.WinFor(them) || p.Outcome() == game.Ongoing && slowForked(p) {
			return 1
		}
		return 0
	})
}

// least returns the moves of the least cost.
func least(moves []game.Move, cost func(game.Move) int) []game.Move {
	costs := map[game.Move]int{}
	low := cost(moves[0])
	for _, m := range moves {
		costs[m] = cost(m)
		low = min(low, costs[m])
	}
	return slices.DeleteFunc(slices.Clone(moves), func(m game.Move) bool { return costs[m] != low })
}

// slowWays counts the lines through a cell that hold no stone of the enemy, and the own stones in them.
func slowWays(p game.Lined, cell int, s game.Side) (ways, own int) {
	columns, rows := p.Size()
	for _, d := range directions {
		for back := range p.K() {
			x, y := cell%columns-back*d[0], cell/columns-back*d[1]
			free, mine := true, 0
			for i := range p.K() {
				cx, cy := x+i*d[0], y+i*d[1]
				if cx < 0 || cy < 0 || cx >= columns || cy >= rows || p.Cells()[cx+cy*columns] == s.Other().Stone() {
					free = false
					break
				}
				if p.Cells()[cx+cy*columns] == s.Stone() {
					mine++
				}
			}
			if free {
				ways, own = ways+1, own+mine
			}
		}
	}
	return ways, own
}

func TestEqualsReference(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	must := func(g *mnk.Game, err error) *mnk.Game {
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, g := range []*mnk.Game{
		must(mnk.TicTacToe(3, 3)), must(mnk.MNK(5, 4, 3)), must(mnk.MNK(5, 5, 4)), must(mnk.MNK(4, 4, 2)), must(mnk.MNK(2, 7, 5)),
		must(mnk.Connect4(7, 6, 4)), must(mnk.Connect4(5, 5, 3)),
		must(mnk.New(mnk.Rules{Name: "caro", Columns: 6, Rows: 4, K: 4, Blocked: true})),
		must(mnk.New(mnk.Rules{Name: "standard", Columns: 6, Rows: 4, K: 4, Exact: [2]bool{true, true}})),
		must(renju.New(5)),
	} {
		t.Run(g.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 5))
			w := &worker{}
			applied := map[int]int{}
			for range max(1, 1200/g.Moves()/g.Moves()) {
				p := g.Start()
				for p.Outcome() == game.Ongoing {
					applied[checkRules(t, w, p)]++
					moves := p.AppendMoves(nil)
					p.Play(moves[rng.IntN(len(moves))])
				}
				if t.Failed() {
					return
				}
			}
			t.Logf("positions by rule: %v", applied)
		})
	}
}

// checkRules expects the move that the rules choose to be the one that trying everything out gives, and
// returns the rule that decided.
func checkRules(t *testing.T, w *worker, p game.Position) int {
	t.Helper()
	w.reset(p, search.NewBudget(context.Background(), search.Limits{}))
	for _, m := range w.moves {
		cell := w.board.Cell(m)
		ways, own := slowWays(p.(game.Lined), cell, p.Turn())
		if int(w.chart.ways[cell]) != ways || int(w.chart.own[cell]) != own {
			t.Errorf("%d ways with %d stones through %s, want %d with %d on %v", w.chart.ways[cell], w.chart.own[cell],
				p.Game().Format(m), ways, own, w.board.Cells())
		}
	}
	got, before := w.decide(), p.Key()
	rule, want := slowRules(w, p)
	if w.p.Key() != before || !slices.Contains(want, got.PV[0]) {
		t.Errorf("%s, want %v by rule %d, to move %v, on %v", fmt.Sprint(got.PV), want, rule, p.Turn(), w.board.Cells())
	}
	return rule
}

// slowRules applies the rules and returns the one that decided and the moves it allows. It has the order of
// rule 5 from w.
func slowRules(w *worker, p game.Position) (rule int, moves []game.Move) {
	forbidden := func(m game.Move) int {
		if p.(game.Forbidder).Forbidden(m) != "" {
			return 1
		}
		return 0
	}
	if wins := slowWins(p); len(wins) > 0 {
		return 1, wins
	}
	first := func(moves []game.Move) []game.Move { return []game.Move{slices.MinFunc(moves, w.compare)} }
	moves = least(p.AppendMoves(nil), forbidden)
	all := len(moves)
	exposed := func(m game.Move) int {
		return after(p, m, func() int {
			if p.Outcome() != game.Ongoing {
				return 0
			}
			return len(slowWins(p))
		})
	}
	moves = least(moves, exposed)
	if exposed(moves[0]) > 0 {
		return 2, first(moves)
	}
	rule = 5
	if len(moves) < all {
		rule = 2
	}
	forks := slices.DeleteFunc(slowForks(p), func(m game.Move) bool { return !slices.Contains(moves, m) })
	if len(forks) > 0 {
		return 3, first(forks)
	}
	safe := least(moves, func(m game.Move) int { return after(p, m, func() int { return slowDanger(p) }) })
	if len(safe) < len(moves) {
		rule = 4
	}
	return rule, first(safe)
}
