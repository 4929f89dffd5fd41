// SPDX-License-Identifier: Apache-2.0

package mnk_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
)

// drawn reads a board: rows from the top, X for the first side, O for the second.
func drawn(t *testing.T, g *mnk.Game, turn game.Side, board string) *mnk.Position {
	t.Helper()
	rows := strings.Fields(strings.ReplaceAll(strings.TrimSpace(board), " ", ""))
	var cells []game.Stone
	for i := range rows {
		for _, c := range rows[len(rows)-1-i] {
			cells = append(cells, game.Stone(strings.IndexRune(".XO", c)))
		}
	}
	p, err := g.SetUp(game.Setup{Cells: cells, Turn: turn})
	if err != nil {
		t.Fatal(err)
	}
	return p.(*mnk.Position)
}

func TestOutcome(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	free, exact, caro := m(mnk.MNK(7, 3, 5)), m(mnk.Standard(7)), m(mnk.Caro(7))
	tictactoe, falling := m(m(mnk.TicTacToe(5, 3)).Exactly()), m(m(mnk.Connect4(5, 4, 3)).Exactly())
	pad := strings.Repeat("\n.......", 4)
	tests := []struct {
		name  string
		g     *mnk.Game
		board string
		move  string
		want  game.Outcome
	}{
		{"five", free, "X.XXX.. \n.......\n.......", "b3", game.FirstWins},
		{"overline wins", free, "X.XXXX. \n.......\n.......", "b3", game.FirstWins},
		{"four", free, ".XXX... \n.......\n.......", "e3", game.Ongoing},
		{"no wrap over the edge", free, ".......\nXX.....\n....X.X", "f1", game.Ongoing},
		{"exactly five", exact, "X.XXX..\n.......\n......." + pad, "b7", game.FirstWins},
		{"overline does not win", exact, "X.XXXX.\n.......\n......." + pad, "b7", game.Ongoing},
		{"overline beside a five", exact, "X.XXXX.\n.X.....\n.X.....\n.X.....\n.X.....\n.......\n.......", "b7", game.FirstWins},
		{"tictactoe: exactly three", tictactoe, "X.X..\n.....\n.....\n.....\n.....", "b5", game.FirstWins},
		{"tictactoe: four do not win", tictactoe, "X.XX.\n.....\n.....\n.....\n.....", "b5", game.Ongoing},
		{"tictactoe: four beside a three", tictactoe, "X.XX.\n.X...\n.X...\n.....\n.....", "b5", game.FirstWins},
		{"connect4: exactly three", falling, ".....\n.....\n.....\nX.X..", "2", game.FirstWins},
		{"connect4: four do not win", falling, ".....\n.....\n.....\nX.XX.", "2", game.Ongoing},
		{"caro: open five", caro, ".X.XXX.\n.......\n......." + pad, "c7", game.FirstWins},
		{"caro: one end", caro, "OX.XXX.\n.......\n......." + pad, "c7", game.FirstWins},
		{"caro: both ends", caro, "OX.XXXO\n.......\n......." + pad, "c7", game.Ongoing},
		{"caro: the edge is no enemy", caro, "X.XXXO.\n.......\n......." + pad, "b7", game.FirstWins},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p := drawn(t, tc.g, game.First, tc.board)
			mv, err := tc.g.Parse(tc.move)
			if err != nil {
				t.Fatal(err)
			}
			if err := game.Play(p, mv); err != nil {
				t.Fatal(err)
			}
			if p.Outcome() != tc.want {
				t.Errorf("after %s: %v, want %v", tc.move, p.Outcome(), tc.want)
			}
		})
	}
}

func TestPente(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.Pente(7))
	p := drawn(t, g, game.First, `
		X . . X . . .
		. O . O . . .
		. . O O . . .
		X O O . O O X
		. . . O O . .
		. . . O . O .
		. . . X . . X`)
	mv, _ := g.Parse("d4")
	before := fmt.Sprint(p.Cells())
	p.Play(mv)
	// All eight directions but d7-d6-d5 upwards hold a pair; d1 and d7 are own too.
	if got := p.Captured(game.First); got != 6 {
		t.Errorf("captured %d pairs, want 6", got)
	}
	if p.Outcome() != game.FirstWins {
		t.Errorf("outcome %v with six pairs, want first wins", p.Outcome())
	}
	p.Undo()
	if after := fmt.Sprint(p.Cells()); after != before || p.Captured(game.First) != 0 {
		t.Errorf("undo left %s", after)
	}
	// A stone placed between two enemies stays.
	q := drawn(t, g, game.First, ". . . . . . .\n. . . . . . .\n. . . . . . .\n. O X . O . .\n. . . . . . .\n. . . . . . .\n. . . . . . .")
	mv, _ = g.Parse("d4")
	q.Play(mv)
	if q.Cells()[3+3*7] != game.FirstStone || q.Captured(game.Second) != 0 {
		t.Errorf("a stone played into a flank was taken")
	}
}

// TestKeryo: three stones are taken, fifteen win, and two count two.
func TestKeryo(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.PenteBy(9, true, 0))
	p := drawn(t, g, game.First, `
		. . . . . . . . .
		X . . . X . . . .
		. O . . O . . . .
		. . O . O . . . .
		. . . O O . . . .
		X O O . . O O O X
		. . . O O O . . .
		. . O . O . O . .
		. O . . X . . X .`)
	before := fmt.Sprint(p.Cells())
	mv, _ := g.Parse("e4")
	p.Play(mv)
	// Three to the left above, above, and to the right; two below and to the right below. Three to the left below end at
	// the edge, and the two to the left are not next to the stone.
	if got := p.Captured(game.First); got != 13 || p.Outcome() != game.Ongoing {
		t.Errorf("captured %d stones, %v; want 13", got, p.Outcome())
	}
	if p.Undo(); fmt.Sprint(p.Cells()) != before || p.Captured(game.First) != 0 {
		t.Errorf("undo left %v", p.Cells())
	}
}

// TestPro: the first stone is in the middle, and the third keeps its distance.
func TestPro(t *testing.T) {
	for distance, want := range map[int]int{3: 81 - 25, 4: 81 - 49} {
		g := gametest.Must[*mnk.Game](t)(mnk.PenteBy(9, false, distance))
		p := g.Start()
		if moves := p.AppendMoves(nil); len(moves) != 1 || g.Format(moves[0]) != "e5" {
			t.Fatalf("the first moves are %v", moves)
		}
		p.Play(40)
		p.Play(41)
		if got := len(p.AppendMoves(nil)); got != want || game.Legal(p, 39) {
			t.Errorf("distance %d: %d moves, want %d", distance, got, want)
		}
		p.Play(0)
		if got := len(p.AppendMoves(nil)); got != 81-3 {
			t.Errorf("%d moves after the opening", got)
		}
	}
	if _, err := mnk.PenteBy(8, false, 3); err == nil {
		t.Error("a board without a middle has an opening rule")
	}
}

func TestConnect6Turns(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for _, tc := range []struct {
		g    *mnk.Game
		spec string
		want []game.Side
	}{
		{m(mnk.Connect6(9)), "connect6:9", []game.Side{0, 1, 1, 0, 0, 1, 1, 0}},
		{m(mnk.Connect(9, 8, 5, 3, 2)), "connect6:9x8,k=5,turn=3,first=2", []game.Side{0, 0, 1, 1, 1, 0, 0, 0}},
		{m(mnk.Connect(19, 19, 6, 1, 1)), "connect6:turn=1", []game.Side{0, 1, 0, 1, 0, 1, 0, 1}},
	} {
		if tc.g.String() != tc.spec {
			t.Errorf("the spec is %s, want %s", tc.g, tc.spec)
		}
		p := tc.g.Start()
		for ply, side := range tc.want {
			if p.Turn() != side {
				t.Errorf("%s, ply %d: %v to move, want %v", tc.g, ply, p.Turn(), side)
			}
			if s, _ := tc.g.StonesLeft(ply); s != side {
				t.Errorf("%s: StonesLeft(%d) says %v, want %v", tc.g, ply, s, side)
			}
			p.Play(game.Move(ply * 8))
		}
	}
}

func TestSetUpErrors(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	tests := []struct {
		name string
		g    *mnk.Game
		s    game.Setup
		want string
	}{
		{"short", m(mnk.TicTacToe(3, 3)), game.Setup{Cells: make([]game.Stone, 8)}, "the position has 8 cells, but the board has 9"},
		{"no stone", m(mnk.TicTacToe(3, 3)), game.Setup{Cells: []game.Stone{0, 0, 3, 0, 0, 0, 0, 0, 0}}, "cell 2 has the invalid value 3"},
		{"floating", m(mnk.Connect4(2, 2, 2)), game.Setup{Cells: []game.Stone{1, 0, 0, 2}}, "the stone in column 2, row 2 has nothing under it"},
		{"two winners", m(mnk.MNK(2, 2, 2)), game.Setup{Cells: []game.Stone{1, 1, 2, 2}}, "both sides have won on this board"},
		{"memory", m(mnk.TicTacToe(3, 3)), game.Setup{Cells: make([]game.Stone, 9), Memory: []uint8{1}}, "the memory of tictactoe cannot have 1 numbers"},
		{"left", m(mnk.Connect6(3)), game.Setup{Cells: make([]game.Stone, 9), Memory: []uint8{3}}, "a turn of 2 stones cannot have 3 stones left"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := tc.g.SetUp(tc.s)
			if err == nil || err.Error() != tc.want {
				t.Errorf("SetUp = %v, want %q", err, tc.want)
			}
		})
	}
}

// won is the slow truth: does any row of s on the whole board win?
func won(cells []game.Stone, columns, rows, k int, exact bool, s game.Side) bool {
	at := func(c, r int) bool {
		return c >= 0 && r >= 0 && c < columns && r < rows && cells[c+r*columns] == s.Stone()
	}
	for c := range columns {
		for r := range rows {
			for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
				if !at(c, r) || at(c-d[0], r-d[1]) {
					continue // count each row once, from its beginning
				}
				n := 0
				for at(c+n*d[0], r+n*d[1]) {
					n++
				}
				if n == k || n > k && !exact {
					return true
				}
			}
		}
	}
	return false
}

func TestOutcomeAgainstWholeBoardScan(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for _, g := range []*mnk.Game{m(mnk.MNK(5, 4, 3)), m(mnk.Connect4(6, 5, 4)), m(mnk.Standard(8)), m(mnk.Connect6(8)), m(mnk.MNK(1, 6, 2)), m(mnk.Pente(8))} {
		for seed := range uint64(100) {
			rng := rand.New(rand.NewPCG(seed, 3))
			p := g.Start().(*mnk.Position)
			for p.Outcome() == game.Ongoing {
				moves := p.AppendMoves(nil)
				p.Play(moves[rng.IntN(len(moves))])
				columns, rows := p.Size()
				for _, s := range []game.Side{game.First, game.Second} {
					want := won(p.Cells(), columns, rows, p.K(), p.Exact(s), s) || p.Captured(s) >= 5 && strings.HasPrefix(g.String(), "pente")
					if got := p.Outcome() == game.WinFor(s); got != want {
						t.Fatalf("%s seed %d ply %d: %v wins = %v, want %v", g, seed, p.Ply(), s, got, want)
					}
				}
			}
		}
	}
}

func TestParse(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	tests := []struct {
		g     *mnk.Game
		text  string
		want  game.Move
		wrong string
	}{
		{g: m(mnk.Gomoku(15)), text: "h8", want: 7 + 7*15},
		{g: m(mnk.Gomoku(15)), text: "H8", want: 7 + 7*15},
		{g: m(mnk.MNK(70, 70, 10)), text: "br70", want: 69 + 69*70},
		{g: m(mnk.Gomoku(15)), text: "p1", wrong: `"p1" is not a cell of this board`},
		{g: m(mnk.Gomoku(15)), text: "a0", wrong: `"a0" is not a cell of this board`},
		{g: m(mnk.Gomoku(15)), text: "a+1", wrong: `"a+1" is not a cell of this board`},
		{g: m(mnk.Gomoku(15)), text: "", wrong: `"" is not a cell of this board`},
		{g: m(mnk.Connect4(7, 6, 4)), text: "7", want: 6},
		{g: m(mnk.Connect4(7, 6, 4)), text: "8", wrong: `"8" is not a column from 1 to 7`},
		{g: m(mnk.Connect4(7, 6, 4)), text: "+1", wrong: `"+1" is not a column from 1 to 7`},
	}
	for _, tc := range tests {
		t.Run(tc.g.String()+"/"+tc.text, func(t *testing.T) {
			got, err := tc.g.Parse(tc.text)
			if tc.wrong != "" {
				if err == nil || err.Error() != tc.wrong {
					t.Errorf("Parse = %v, want error %q", err, tc.wrong)
				}
				return
			}
			if err != nil || got != tc.want {
				t.Errorf("Parse = %d, %v, want %d", got, err, tc.want)
			}
		})
	}
}
