// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krow-lab/krow/eval"
	filed "github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
)

func evaluator(t testing.TB, g game.Game) *Evaluator {
	t.Helper()
	e, err := New(g, Default())
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

// TestIncrementalEqualsDefinition plays random games forth and back. At each step the incremental evaluator must equal a fresh
// one, and both the definition, cell by cell.
func TestIncrementalEqualsDefinition(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for _, g := range []*mnk.Game{
		m(mnk.MNK(3, 3, 3)), m(mnk.MNK(7, 5, 4)), m(mnk.MNK(1, 9, 3)), m(mnk.MNK(9, 1, 4)), m(mnk.MNK(5, 4, 1)),
		m(mnk.MNK(5, 4, 2)), m(mnk.MNK(3, 3, 7)), m(mnk.MNK(3, 9, 6)), m(mnk.MNK(1, 1, 1)), m(mnk.MNK(13, 11, 10)),
		m(mnk.Connect4(7, 6, 4)), m(mnk.Connect4(2, 9, 3)), m(mnk.Connect6(9)), m(mnk.Pente(7)), m(mnk.Caro(7)),
		m(mnk.Standard(8)), m(mnk.MNK(24, 2, 20)),
	} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s/seed=%d", g, seed), func(t *testing.T) {
				agrees(t, g, Default(), rand.New(rand.NewPCG(seed, 7)))
				agrees(t, g, Authors(), rand.New(rand.NewPCG(seed, 7)))
			})
		}
	}
}

// TestStoneInPlaceOfCapturedOne plays X on b1, where a stone of O was captured, before anybody asks about the board.
func TestStoneInPlaceOfCapturedOne(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.Pente(7))
	e, fresh := evaluator(t, g), evaluator(t, g)
	p := g.Start().(game.Lined)
	e.Reset(p)
	for i, name := range []string{"a1", "b1", "g7", "c1", "d1", "g1", "b1"} {
		m, err := g.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		e.Play(m)
		p.Play(m)
		if i == 3 { // b1 and c1 stand
			e.Evaluate(p, game.First)
		}
	}
	fresh.Reset(p)
	checkEqual(t, e, fresh, p)
}

func agrees(t *testing.T, g game.Game, m Multipliers, rng *rand.Rand) {
	var all [3]*Evaluator
	for i := range all {
		var err error
		if all[i], err = New(g, m); err != nil {
			t.Fatal(err)
		}
	}
	e, fresh, untied := all[0], all[1], all[2]
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
	e.sync()
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
				if got := e.dirs[c][d][s]; got != want {
					t.Fatalf("cell %d, direction %d, %v: %+v, want %+v\n%v", c, d, s, got, want, p.Cells())
				}
				if want.live == 0 {
					continue
				}
				switch e.k - int(want.best) {
				case 1:
					ones[s] += int(want.many)
				case 2:
					twos[s] += int(want.many)
				}
				worth[s] += price(e, want)
			}
			if got := e.cells[c].worth[s]; got != worth[s] {
				t.Fatalf("Worth(%d, %v) = %d, want %d", c, s, got, worth[s])
			}
		}
		var twice [2]eval.Score // what the authors count once more for the mover
		for s := range worth {
			if e.mult.authors && ones[s]+twos[s]/2 > 0 {
				worth[s] = 10_000 * eval.Unit
				if ones[s] > 0 {
					worth[s] = 1_000_000 * eval.Unit
				}
				twice[s] = worth[s]
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
			want := quiet
			switch o := s.Other(); {
			case ones[s] > 0:
				want = ownWin
			case ones[o] > 0:
				want = enemyWin
			case twos[s] > 1:
				want = ownFork
			case twos[o] > 1:
				want = enemyFork
			}
			if got := classOf(e.cells[c].bits, s); got != want {
				t.Fatalf("Class(%d, %v) = %v, want %v", c, s, got, want)
			}
			wanted := step*eval.Score(want) + worth[0] + worth[1]
			if e.mult.authors {
				wanted = twice[s] + worth[0] + worth[1] + 5*eval.Unit*eval.Score(around(p, c))
			}
			if got, want := e.Rank(c, s), wanted; got != want {
				t.Fatalf("Rank(%d, %v) = %d, want %d", c, s, got, want)
			}
		}
	}
	if e.total != total || e.wins != wins || e.forks != forks {
		t.Fatalf("totals %v %v %v, want %v %v %v", e.total, e.wins, e.forks, total, wins, forks)
	}
}

// around counts the stones next to a cell.
func around(p game.Lined, cell int) (n int) {
	columns, _ := p.Size()
	for c, s := range p.Cells() {
		dx, dy := c%columns-cell%columns, c/columns-cell/columns
		if s != game.Empty && dx*dx <= 1 && dy*dy <= 1 {
			n++
		}
	}
	return n
}

// price is the worth of a direction, window weights taken from the evaluator's table.
func price(e *Evaluator, s summary) eval.Score {
	w := e.weights[0]
	if s.adjacent {
		w = e.weights[1]
	}
	return w.myCell*eval.Score(s.reach) + w.live*eval.Score(s.live) + w.best[s.best]*eval.Score(s.many)
}

// define is summary by its definition: all windows through the cell, all their cells.
func define(p game.Lined, cell, d int, s game.Side) summary {
	columns, rows := p.Size()
	dx, dy := [4]int{1, 0, 1, -1}[d], [4]int{0, 1, 1, 1}[d]
	at := func(i int) (game.Stone, int, bool) {
		x, y := cell%columns+i*dx, cell/columns+i*dy
		if x < 0 || y < 0 || x >= columns || y >= rows {
			return 0, 0, false
		}
		return p.Cells()[x+y*columns], x + y*columns, true
	}
	var v summary
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
		v.live++
		for _, c := range own {
			reach[c] = true
		}
		switch {
		case len(own) > int(v.best) || v.many == 0:
			v.best, v.many = uint8(len(own)), 1
		case len(own) == int(v.best):
			v.many++
		}
	}
	v.reach = uint8(len(reach))
	if v.live > 0 && p.K() > 1 {
		left, _, _ := at(-1)
		right, _, _ := at(1)
		v.adjacent = left == s.Stone() || right == s.Stone()
	}
	return v
}

func TestSummary(t *testing.T) {
	tests := []struct {
		name, board string
		k           int
		want        summary // of X along the row
	}{
		{"the package's example", ". X * X . . O", 4, summary{reach: 2, live: 3, best: 2, many: 2, adjacent: true}},
		{"alone", ". . * . .", 3, summary{live: 3, best: 0, many: 3}},
		{"walled in", "O . * . O", 4, summary{}},
		{"no room", "X * X", 4, summary{}},
		{"one window", "* X . X", 4, summary{reach: 2, live: 1, best: 2, many: 1, adjacent: true}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p, mark := position(t, tc.k, tc.board)
			if got := evaluator(t, p.Game()); got.Evaluate(p, game.First) != -got.Evaluate(p, game.Second) || got.dirs[mark][0][game.First] != tc.want {
				t.Errorf("Summary = %+v, want %+v on %s", got.dirs[mark][0][game.First], tc.want, tc.board)
			}
		})
	}
}

func TestClass(t *testing.T) {
	tests := []struct {
		name, board string
		k           int
		want        class // of the marked cell for X
	}{
		{"own win", `
			. . . . .
			X X * X .
			O O . O .`, 4, ownWin},
		{"enemy win", `
			. . . . .
			O O * O .
			X X . . X`, 4, enemyWin},
		{"own win before enemy win", `
			O O * O .
			. . X . .
			. . X . .
			. . X . .`, 4, ownWin},
		{"own fork in one direction", `
			. . . . . .
			. X * X . .
			. . . . . .
			O . . . . O`, 4, ownFork},
		{"own fork in two directions", `
			O X X * .
			. . . X .
			. . . X .
			. . . . .
			. O . O O`, 4, ownFork},
		{"enemy fork", `
			. . . . . .
			. O * O . .
			. . . . . .
			X . . . . X`, 4, enemyFork},
		{"one window of two is no fork", `
			. O . . . . . O
			. X * X . O . .
			. . . . . . . .`, 5, quiet},
		{"two windows that miss the same cell count, as in the text", `
			. . O O . . O
			O X X * . X X
			. . . . . . .
			O . . . . . .`, 5, ownFork},
		{"k = 1 wins anywhere", `. * .`, 1, ownWin},
		{"k = 2 forks anywhere", `. * .`, 2, ownFork},
		{"k beyond the board", `. * .`, 4, quiet},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p, mark := position(t, tc.k, tc.board)
			e := evaluator(t, p.Game())
			e.Reset(p)
			if got := classOf(e.cells[mark].bits, game.First); got != tc.want {
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
			. . . .`, 3, 3*step + step/2, 5 * step},
		{"two cells cannot be stopped at once", `
			. . . . . .
			. O O O . .
			. . . . . .
			X . . . X .
			. . X . . .`, 4, -4 * step, -2*step - step/2},
		{"one can", `
			. . . . . .
			X O O O . .
			. . . . . .
			. . . . X .
			. . X . . .`, 4, -step / 2, step / 2},
		{"its fork", `
			. . . . . .
			. X . X . .
			. . . . . .
			O . . . . O`, 4, step + step/2, 3 * step},
		{"even", ". . . . .\n. . . . .", 4, 0, 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p, _ := position(t, tc.k, tc.board)
			e := evaluator(t, p.Game())
			if got := e.Evaluate(p, p.Turn()); got < tc.low || got > tc.high {
				t.Errorf("Evaluate = %d, want %d to %d on %s", got, tc.low, tc.high, tc.board)
			}
		})
	}
}

// TestWinningCellMustBeReachable holds that a winning cell counts only where a stone can fall.
func TestWinningCellMustBeReachable(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.Connect4(7, 6, 4))
	p := g.Start()
	e := evaluator(t, g)
	// First has c2, d2 and e2; b2 and f2 hang in the air until Second plays b1.
	for _, m := range []game.Move{2, 3, 3, 4, 4, 0, 2} {
		p.Play(m)
	}
	if got := e.Evaluate(p, game.First); got > step || got < -step {
		t.Errorf("Evaluate = %d with no playable winning cell, want no step", got)
	}
	p.Play(1)
	if got := e.Evaluate(p, game.First); got < 3*step {
		t.Errorf("Evaluate = %d with a playable winning cell, want over three steps", got)
	}
}

// TestSumsStayBelowSteps fills the largest board, with the greatest multipliers: no sum may reach a step.
func TestSumsStayBelowSteps(t *testing.T) {
	for _, k := range []int{3, 10, 64, 128} {
		g := gametest.Must[*mnk.Game](t)(mnk.MNK(128, 128, k))
		e, err := New(g, Multipliers{MyCell: MaxMyCell, Adjacent: MaxAdjacent, Growth: MaxGrowth})
		if err != nil {
			t.Fatal(err)
		}
		cell := 4 * e.value(summary{reach: 254, live: uint8(k), best: uint8(k - 2), many: uint8(k), adjacent: true})
		if sum := 128 * 128 * cell; sum >= step {
			t.Errorf("k=%d: a board may be worth %d, which reaches the step %d", k, sum, step)
		}
	}
	if 4*step+step >= eval.WinBound {
		t.Errorf("the steps reach eval.WinBound")
	}
}

// TestMultipliers reads back what it wrote, and refuses what is beyond the bounds.
func TestMultipliers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.json")
	want, origin := Multipliers{MyCell: 0.5, Adjacent: 2, Growth: 3}, filed.Origin{Game: "gomoku", Learner: "spsa", Seed: 3}
	if err := want.Save(file, origin); err != nil {
		t.Fatal(err)
	}
	if got, o, err := Load(file); err != nil || got != want || o.Seed != 3 {
		t.Errorf("%v, %v, %v, want %v", got, o, err, want)
	}
	g := gametest.Must[*mnk.Game](t)(mnk.MNK(5, 5, 4))
	nan := math.NaN()
	for _, m := range [][3]float64{{-1, 1, 2}, {1, 9, 2}, {1, 1, 0.5}, {101, 1, 2}, {1, 1, 65}, {nan, 1, 2}, {1, nan, 2}, {1, 1, nan}, {}} {
		m := Multipliers{MyCell: m[0], Adjacent: m[1], Growth: m[2]}
		if _, err := New(g, m); err == nil {
			t.Errorf("%v is no error", m)
		}
		if m.Save(file, origin) == nil {
			t.Errorf("%v was saved", m)
		}
	}
}
