// SPDX-License-Identifier: Apache-2.0

package lines_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/lines"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/mnk"
)

var (
	_ eval.Incremental = (*lines.Evaluator)(nil)
	_ eval.MoveScorer  = (*lines.Evaluator)(nil)
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// perLine is the report's listing: 1 is a stone of the user, -1 one of the opponent, 0 a free cell.
func perLine(line []int) int {
	turn, stones, target := -1, 0, len(line)
	for _, c := range line {
		if c == 1 {
			turn = 1
		}
		if c != 0 {
			stones++
		}
	}
	switch {
	case stones == target:
		return 10000 * turn
	case stones == target-1:
		return 500 * turn
	case stones == target-2:
		return 200 * turn
	}
	return (stones*5 + target - stones) * turn
}

// slow sums perLine over the lines that begin at each cell.
func slow(b game.Lined, s game.Side, literal bool) eval.Score {
	columns, rows := b.Size()
	sum := 0
	for cell := range columns * rows {
		for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			var line []int
			seen := map[int]bool{}
			for i := range b.K() {
				x, y := cell%columns+i*d[0], cell/columns+i*d[1]
				if x < 0 || x >= columns || y >= rows {
					break
				}
				c := map[game.Stone]int{s.Stone(): 1, s.Other().Stone(): -1}[b.Cells()[x+y*columns]]
				line, seen[c] = append(line, c), true
			}
			whole := len(line) == b.K()
			mixed := seen[1] && seen[-1]
			empty := !seen[1] && !seen[-1]
			if whole && !mixed && (literal || !empty) {
				sum += perLine(line)
			}
		}
	}
	return eval.Score(sum) * eval.Unit
}

// TestExampleOfReport is the board drawn in the report.
func TestExampleOfReport(t *testing.T) {
	g := must(mnk.TicTacToe(3, 3))
	p := must(g.SetUp(game.Setup{Cells: []game.Stone{1, 0, 0, 0, 2, 0, 1, 2, 0}}))
	zero := must(lines.New(g, lines.Options{}))
	literal := must(lines.New(g, lines.Options{Literal: true}))
	for _, s := range []game.Side{game.First, game.Second} {
		// 500 + 200 on each side, and one empty line.
		if got := zero.Evaluate(p, s); got != 0 {
			t.Errorf("worth for %s = %d, want 0", s, got)
		}
		if got := literal.Evaluate(p, s); got != -3*eval.Unit {
			t.Errorf("literal worth for %s = %d, want %d", s, got, -3*eval.Unit)
		}
	}
}

// TestValuesOfOneLine puts stones on a board of one line.
func TestValuesOfOneLine(t *testing.T) {
	want := map[int][]float64{
		1: {-500, 40000}, // the one cell is a line in each direction
		2: {-200, 500, 10000},
		3: {-3, 200, 500, 10000},
		4: {-4, 8, 200, 500, 10000},
		5: {-5, 9, 13, 200, 500, 10000},
	}
	for k, values := range want {
		for stones, want := range values {
			g := must(mnk.MNK(k, 1, k))
			setup := game.Setup{Cells: make([]game.Stone, k)}
			for i := range stones {
				setup.Cells[i] = game.SecondStone
			}
			if k == 1 && stones == 0 {
				want *= 4
			}
			e := must(lines.New(g, lines.Options{Literal: true}))
			if got := e.Evaluate(must(g.SetUp(setup)), game.Second).Units(); got != want {
				t.Errorf("k=%d, %d stones: %v, want %v", k, stones, got, want)
			}
		}
	}
}

// TestIncrementalEqualsListing plays random games forth and back. The evaluators must agree with the listing, and the ordering
// heuristic must be what a move changes.
func TestIncrementalEqualsListing(t *testing.T) {
	for _, g := range []*mnk.Game{
		must(mnk.TicTacToe(3, 3)), must(mnk.Gomoku(10)), must(mnk.Standard(9)), must(mnk.Connect4(7, 6, 4)),
		must(mnk.Connect6(9)), must(mnk.Pente(9)), must(mnk.MNK(1, 9, 2)), must(mnk.MNK(9, 1, 3)),
		must(mnk.MNK(2, 3, 7)), must(mnk.MNK(4, 3, 1)), must(mnk.MNK(1, 1, 1)), must(mnk.MNK(12, 10, 9)),
	} {
		for _, literal := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/literal=%v", g, literal), func(t *testing.T) { follow(t, g, literal) })
		}
	}
}

func follow(t *testing.T, g *mnk.Game, literal bool) {
	e := must(lines.New(g, lines.Options{Literal: literal}))
	fresh := must(lines.New(g, lines.Options{Literal: literal}))
	rng := rand.New(rand.NewPCG(6, 6))
	p := g.Start().(game.Lined)
	e.Reset(p)
	for range 250 {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 || p.Ply() > 0 && rng.IntN(3) == 0 {
			p.Undo()
			e.Undo()
		} else {
			m := moves[rng.IntN(len(moves))]
			if !literal && !strings.HasPrefix(g.String(), "pente") {
				checkOrder(t, fresh, p, m)
			}
			e.Play(m)
			p.Play(m)
		}
		s := game.Side(rng.IntN(2))
		if rng.IntN(3) == 0 {
			continue
		}
		want := slow(p, s, literal)
		if got := fresh.Evaluate(p, s); got != want {
			t.Fatalf("ply %d: %d for %s, want %d", p.Ply(), got, s, want)
		}
		if got := e.Evaluate(p, s); got != want {
			t.Fatalf("ply %d: %d for %s when following, want %d", p.Ply(), got, s, want)
		}
	}
}

func checkOrder(t *testing.T, e *lines.Evaluator, p game.Lined, m game.Move) {
	t.Helper()
	s := p.Turn()
	got := e.ScoreMove(p, m)
	before := e.Evaluate(p, s)
	p.Play(m)
	after := e.Evaluate(p, s)
	p.Undo()
	if got != after-before {
		t.Fatalf("ply %d: move %d is worth %d, and changes the board by %d", p.Ply(), m, got, after-before)
	}
}

func TestNoLines(t *testing.T) {
	if _, err := lines.New(must(atarigo.New(5)), lines.Options{}); err == nil {
		t.Error("atari-go has lines")
	}
}
