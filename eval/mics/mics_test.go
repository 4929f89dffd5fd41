// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
)

func evaluator(t testing.TB, g game.Game, o Options) *Evaluator {
	t.Helper()
	e, err := New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// position sets up the stones of a drawing, the top row first: X moves first, and moves now unless it has
// more stones. A '*' is a free cell, whose index is returned.
func position(t testing.TB, k int, board string) (p game.Lined, mark int) {
	t.Helper()
	var rows []string
	for _, line := range strings.Split(board, "\n") {
		if line = strings.ReplaceAll(strings.TrimSpace(line), " ", ""); line != "" {
			rows = append([]string{line}, rows...)
		}
	}
	g := gametest.Must[*mnk.Game](t)(mnk.MNK(len(rows[0]), len(rows), k))
	s := game.Setup{Cells: make([]game.Stone, g.Moves())}
	mark = -1
	for c, r := range strings.Join(rows, "") {
		switch r {
		case 'X':
			s.Cells[c], s.Ply = game.FirstStone, s.Ply+1
		case 'O':
			s.Cells[c], s.Ply = game.SecondStone, s.Ply+1
		case '*':
			mark = c
		}
	}
	s.Turn = game.Side(s.Ply % 2)
	q, err := g.SetUp(s)
	if err != nil {
		t.Fatal(err)
	}
	return q.(game.Lined), mark
}

// TestAgrees plays random games forth and back. At each step the incremental evaluator must equal a fresh
// one, and both the definition, cell by cell.
func TestAgrees(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for _, g := range []*mnk.Game{
		m(mnk.MNK(3, 3, 3)), m(mnk.MNK(7, 5, 4)), m(mnk.MNK(1, 9, 3)), m(mnk.MNK(9, 1, 4)), m(mnk.MNK(5, 4, 1)),
		m(mnk.MNK(5, 4, 2)), m(mnk.MNK(3, 3, 7)), m(mnk.MNK(3, 9, 6)), m(mnk.MNK(1, 1, 1)), m(mnk.MNK(13, 11, 10)),
		m(mnk.Connect4(7, 6, 4)), m(mnk.Connect4(2, 9, 3)), m(mnk.Connect6(9)), m(mnk.Pente(7)), m(mnk.Caro(7)),
		m(mnk.Standard(8)), m(mnk.MNK(24, 2, 20)),
	} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s/seed=%d", g, seed), func(t *testing.T) {
				agrees(t, g, rand.New(rand.NewPCG(seed, 7)))
			})
		}
	}
}

func agrees(t *testing.T, g game.Game, rng *rand.Rand) {
	o := Options{MyCell: 1 + rng.Float64(), Adjacent: 1 + rng.Float64(), Growth: 2 + 3*rng.Float64()}
	e, fresh, untied := evaluator(t, g, o), evaluator(t, g, o), evaluator(t, g, o)
	p := g.Start().(game.Lined)
	e.Reset(p)
	for step := 0; step < 60; step++ {
		fresh.Reset(p)
		checkDefinition(t, fresh, p)
		checkEqual(t, e, fresh, p)
		for s := game.First; s <= game.Second; s++ {
			if got, want := untied.Evaluate(p, s), e.Evaluate(p, s); got != want {
				t.Fatalf("step %d: an untied Evaluate = %d, want %d", step, got, want)
			}
		}
		undos := 0
		if moves := p.AppendMoves(nil); len(moves) > 0 && rng.IntN(4) > 0 {
			m := moves[rng.IntN(len(moves))]
			if got, want := untied.ScoreMove(p, m), e.ScoreMove(p, m); got != want {
				t.Fatalf("step %d: an untied ScoreMove = %d, want %d", step, got, want)
			}
			e.Play(m)
			p.Play(m)
			// Sometimes nobody asks between a move and its undoing.
			undos = rng.IntN(5) / 4
		} else {
			undos = rng.IntN(4)
		}
		for range min(undos, len(p.AppendHistory(nil))) {
			p.Undo()
			e.Undo()
		}
	}
}

// checkEqual compares all that two evaluators know.
func checkEqual(t *testing.T, got, want *Evaluator, p game.Lined) {
	t.Helper()
	got.sync()
	for c := range got.cells {
		if got.stones[c] != want.stones[c] {
			t.Fatalf("cell %d holds %d, want %d", c, got.stones[c], want.stones[c])
		}
		if got.stones[c] != game.Empty {
			continue
		}
		if got.dirs[c] != want.dirs[c] || got.cells[c] != want.cells[c] {
			t.Fatalf("cell %d: incremental %v %+v, fresh %v %+v\n%v", c, got.dirs[c], got.cells[c], want.dirs[c], want.cells[c], p.Cells())
		}
	}
	if got.total != want.total || got.wins != want.wins || got.forks != want.forks {
		t.Fatalf("incremental totals %v %v %v, fresh %v %v %v", got.total, got.wins, got.forks, want.total, want.wins, want.forks)
	}
	for s := game.First; s <= game.Second; s++ {
		if a, b, c := got.Evaluate(p, s), want.Evaluate(p, s), -got.Evaluate(p, s.Other()); a != b || a != c {
			t.Fatalf("Evaluate: incremental %d, fresh %d, minus the other side's %d", a, b, c)
		}
	}
}

// checkDefinition compares an evaluator with the definition.
func checkDefinition(t *testing.T, e *Evaluator, p game.Lined) {
	t.Helper()
	var total [2]eval.Score
	var wins, forks [2]int
	for c, stone := range p.Cells() {
		if stone != game.Empty {
			continue
		}
		var ones, twos [2]int
		var worth [2]eval.Score
		for s := game.First; s <= game.Second; s++ {
			for d := range 4 {
				want := define(p, c, d, s)
				if got := e.Summary(c, d, s); got != want {
					t.Fatalf("cell %d, direction %d, %v: %+v, want %+v\n%v", c, d, s, got, want, p.Cells())
				}
				if want.Live == 0 {
					continue
				}
				switch e.k - want.Best {
				case 1:
					ones[s] += want.Many
				case 2:
					twos[s] += want.Many
				}
				worth[s] += price(e, want)
			}
			if got := e.Worth(c, s); got != worth[s] {
				t.Fatalf("Worth(%d, %v) = %d, want %d", c, s, got, worth[s])
			}
		}
		for s := game.First; s <= game.Second; s++ {
			total[s] += worth[s]
			if ones[s] > 0 {
				wins[s]++
			}
			if twos[s] > 1 {
				forks[s]++
			}
			want := Quiet
			switch o := s.Other(); {
			case ones[s] > 0:
				want = OwnWin
			case ones[o] > 0:
				want = EnemyWin
			case twos[s] > 1:
				want = OwnFork
			case twos[o] > 1:
				want = EnemyFork
			}
			if got := e.Class(c, s); got != want {
				t.Fatalf("Class(%d, %v) = %v, want %v", c, s, got, want)
			}
			if got, want := e.Rank(c, s), Step*eval.Score(want)+worth[0]+worth[1]; got != want {
				t.Fatalf("Rank(%d, %v) = %d, want %d", c, s, got, want)
			}
		}
	}
	if e.total != total || e.wins != wins || e.forks != forks {
		t.Fatalf("totals %v %v %v, want %v %v %v", e.total, e.wins, e.forks, total, wins, forks)
	}
}

// price is the worth of a direction, window weights taken from the evaluator's table.
func price(e *Evaluator, s Summary) eval.Score {
	w := e.weights[0]
	if s.Adjacent {
		w = e.weights[1]
	}
	return w.myCell*eval.Score(s.Reach) + w.live*eval.Score(s.Live) + w.best[s.Best]*eval.Score(s.Many)
}

// define is Summary by its definition: all windows through the cell, all their cells.
func define(p game.Lined, cell, d int, s game.Side) Summary {
	columns, rows := p.Size()
	dx, dy := [4]int{1, 0, 1, -1}[d], [4]int{0, 1, 1, 1}[d]
	at := func(i int) (game.Stone, int, bool) {
		x, y := cell%columns+i*dx, cell/columns+i*dy
		if x < 0 || y < 0 || x >= columns || y >= rows {
			return 0, 0, false
		}
		return p.Cells()[x+y*columns], x + y*columns, true
	}
	var v Summary
	reach := map[int]bool{}
	for start := -p.K() + 1; start <= 0; start++ {
		own, live := []int(nil), true
		for i := start; i < start+p.K(); i++ {
			stone, c, on := at(i)
			if !on || stone == s.Other().Stone() {
				live = false
			}
			if on && stone == s.Stone() {
				own = append(own, c)
			}
		}
		if !live {
			continue
		}
		v.Live++
		for _, c := range own {
			reach[c] = true
		}
		switch {
		case len(own) > v.Best || v.Many == 0:
			v.Best, v.Many = len(own), 1
		case len(own) == v.Best:
			v.Many++
		}
	}
	v.Reach = len(reach)
	if v.Live > 0 && p.K() > 1 {
		left, _, _ := at(-1)
		right, _, _ := at(1)
		v.Adjacent = left == s.Stone() || right == s.Stone()
	}
	return v
}

func TestSummary(t *testing.T) {
	tests := []struct {
		name, board string
		k           int
		want        Summary // of X along the row
	}{
		{"the package's example", ". X * X . . O", 4, Summary{Reach: 2, Live: 3, Best: 2, Many: 2, Adjacent: true}},
		{"alone", ". . * . .", 3, Summary{Live: 3, Best: 0, Many: 3}},
		{"walled in", "O . * . O", 4, Summary{}},
		{"no room", "X * X", 4, Summary{}},
		{"one window", "* X . X", 4, Summary{Reach: 2, Live: 1, Best: 2, Many: 1, Adjacent: true}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p, mark := position(t, tc.k, tc.board)
			if got := evaluator(t, p.Game(), Options{}); got.Evaluate(p, game.First) != -got.Evaluate(p, game.Second) || got.Summary(mark, 0, game.First) != tc.want {
				t.Errorf("Summary = %+v, want %+v on %s", got.Summary(mark, 0, game.First), tc.want, tc.board)
			}
		})
	}
}

func TestClass(t *testing.T) {
	tests := []struct {
		name, board string
		k           int
		want        Class // of the marked cell for X
	}{
		{"own win", `
			. . . . .
			X X * X .
			O O . O .`, 4, OwnWin},
		{"enemy win", `
			. . . . .
			O O * O .
			X X . . X`, 4, EnemyWin},
		{"own win before enemy win", `
			O O * O .
			. . X . .
			. . X . .
			. . X . .`, 4, OwnWin},
		{"own fork in one direction", `
			. . . . . .
			. X * X . .
			. . . . . .
			O . . . . O`, 4, OwnFork},
		{"own fork in two directions", `
			O X X * .
			. . . X .
			. . . X .
			. . . . .
			. O . O O`, 4, OwnFork},
		{"enemy fork", `
			. . . . . .
			. O * O . .
			. . . . . .
			X . . . . X`, 4, EnemyFork},
		{"one window of two is no fork", `
			. O . . . . . O
			. X * X . O . .
			. . . . . . . .`, 5, Quiet},
		{"two windows that miss the same cell count, as in the text", `
			. . O O . . O
			O X X * . X X
			. . . . . . .
			O . . . . . .`, 5, OwnFork},
		{"k = 1 wins anywhere", `. * .`, 1, OwnWin},
		{"k = 2 forks anywhere", `. * .`, 2, OwnFork},
		{"k beyond the board", `. * .`, 4, Quiet},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p, mark := position(t, tc.k, tc.board)
			e := evaluator(t, p.Game(), Options{})
			e.Reset(p)
			if got := e.Class(mark, game.First); got != tc.want {
				t.Errorf("Class = %v, want %v on%s", got, tc.want, tc.board)
			}
		})
	}
}

func TestEvaluate(t *testing.T) {
	tests := []struct {
		name, board string
		k           int
		low, high   eval.Score // for the side to move
	}{
		{"it wins at once", `
			X X . .
			O O . .
			. . . .`, 3, 3*Step + Step/2, 5 * Step},
		{"two cells cannot be stopped at once", `
			. . . . . .
			. O O O . .
			. . . . . .
			X . . . X .
			. . X . . .`, 4, -4 * Step, -2*Step - Step/2},
		{"one can", `
			. . . . . .
			X O O O . .
			. . . . . .
			. . . . X .
			. . X . . .`, 4, -Step / 2, Step / 2},
		{"its fork", `
			. . . . . .
			. X . X . .
			. . . . . .
			O . . . . O`, 4, Step + Step/2, 3 * Step},
		{"even", ". . . . .\n. . . . .", 4, 0, 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p, _ := position(t, tc.k, tc.board)
			e := evaluator(t, p.Game(), Options{})
			if got := e.Evaluate(p, p.Turn()); got < tc.low || got > tc.high {
				t.Errorf("Evaluate = %d, want %d to %d on %s", got, tc.low, tc.high, tc.board)
			}
		})
	}
}

// TestGravity holds that a winning cell counts only where a stone can fall.
func TestGravity(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.Connect4(7, 6, 4))
	p := g.Start()
	e := evaluator(t, g, Options{})
	// First has c2, d2 and e2; b2 and f2 hang in the air until Second plays b1.
	for _, m := range []game.Move{2, 3, 3, 4, 4, 0, 2} {
		p.Play(m)
	}
	if got := e.Evaluate(p, game.First); got > Step || got < -Step {
		t.Errorf("Evaluate = %d with no playable winning cell, want no step", got)
	}
	p.Play(1)
	if got := e.Evaluate(p, game.First); got < 3*Step {
		t.Errorf("Evaluate = %d with a playable winning cell, want over three steps", got)
	}
}

// TestBounds fills the largest board with the greatest options: no sum may reach a step.
func TestBounds(t *testing.T) {
	for _, k := range []int{3, 10, 64, 128} {
		g := gametest.Must[*mnk.Game](t)(mnk.MNK(128, 128, k))
		e := evaluator(t, g, Options{MyCell: maxMyCell, Adjacent: maxAdjacent, Growth: maxGrowth})
		cell := 4 * e.value(summary{reach: 127, live: uint8(k), best: uint8(k - 2), many: uint8(k), adjacent: true})
		if sum := 128 * 128 * cell; sum >= Step {
			t.Errorf("k=%d: a board may be worth %d, which reaches the step %d", k, sum, Step)
		}
	}
	if 4*Step+Step >= eval.WinBound {
		t.Errorf("the steps reach eval.WinBound")
	}
}

func TestOptions(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.MNK(3, 3, 3))
	for _, o := range []Options{{MyCell: -1}, {Adjacent: 9}, {Growth: 101}} {
		if _, err := New(g, o); err == nil {
			t.Errorf("New(%+v) gave no error", o)
		}
	}
}
