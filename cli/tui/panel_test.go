// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
)

// TestPanelNamesMarkedCells says which cells are marked, and for whom.
func TestPanelNamesMarkedCells(t *testing.T) {
	tests := []struct{ name, game, moves, want string }{
		{"both sides", "tictactoe", "a1 a3 b1 b3", "X* c1, O* c3"},
		{"the side to move first", "tictactoe", "a1 c1 b2 c2", "X* c3"},
		{"two ends and a gap", "gomoku", "c3 a15 d3 c15 e3 e15 f3 g15", "X* b3, X* g3"},
		{"no overline", "standard", "c3 a15 d3 c15 e3 e15 f3 g15 h3 i15", "X* b3"},
		{"caro: not between enemies", "caro", "c3 h3 d3 c15 e3 e15 f3 b3", ""},
		{"connect4: in the air", "connect4", "5 7 6 5 1 6 1 7", "O* 4,2"},
		{"connect6", "connect6", "a1 c9 d9 a2 a3 e9 f9 a4 a9 g9 r19 s1 s2", "X* a5, X* a6, O* b9, O* h9"},
		{"atarigo: captures of both", "atarigo", "a1 a2 b2 i9", "O* b1, X* a3"},
		{"renju: for black only", "renju", "h8 a1 h9 a3 f7 a5 g7", "X! h7"},
		{"renju: white sees it too", "renju", "h8 a1 h9 a3 f7 a5 g7 a7", "X! h7"},
		{"ultimate: of the side to move", "ultimate", "12 21 16 63 34 42 23 35 57 72 25 51 13 32 27 73 31 19 95 52 37 71", "X* 11"},
		{"over", "tictactoe", "a1 a3 b1 b3 c1", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			m := newTable(t, tc.game, tc.moves, player.Human{})
			var got []string
			for cell := range m.p.Cells() {
				if k, ok := m.marks[cell]; ok {
					got = append(got, letter(k.Side)+effect(k)+" "+m.v.CellName(cell))
				}
			}
			if text := strings.Join(got, ", "); text != tc.want {
				t.Errorf("marks %q, want %q on\n%s", text, tc.want, notation.FormatPosition(m.p))
			}
		})
	}
}

// TestPanelNamesWinnerAndReason says who won and how.
func TestPanelNamesWinnerAndReason(t *testing.T) {
	tests := []struct{ name, game, moves, stones, want, row string }{
		{"row", "tictactoe", "a1 a3 b1 b3 c1", "", "X (human) wins with a1-c1", "a1 b1 c1"},
		{"diagonal", "tictactoe", "b1 a1 a2 b2 c2 c3", "", "O (human) wins with a1-c3", "a1 b2 c3"},
		{"draw", "tictactoe", "a1 b2 c3 b1 b3 a3 c1 c2 a2", "", "draw", ""},
		{"set up", "tictactoe", "", "a1 b1 c1/a2 b2", "X (human) wins with a1-c1", "a1 b1 c1"},
		{
			"only the row of the last move", "caro", "b1 a1 c1 g1 d1 a3 e1 a5 f1 a7 b3 a9 c3 a11 d3 a13 e3 a15 f3", "",
			"X (human) wins with b3-f3", "b3 c3 d3 e3 f3",
		},
		{"foul", "renju", "h8 a1 h9 a3 f7 a5 g7 a7 h7", "", "O (human) wins: h7 is a double three", ""},
		{"connect4", "connect4", "1 7 2 7 3 7 4", "", "X (human) wins with 1,1-4,1", "1,1 2,1 3,1 4,1"},
		{"capture", "atarigo", "a1 a2 e9 b1", "", "O (human) wins", ""},
		{
			"small boards", "ultimate", "12 21 16 63 34 42 23 35 57 72 25 51 13 32 27 73 31 19 95 52 37 71 11", "",
			"X (human) wins with small boards 1 2 3", "27 cells",
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			g := newGame(t, tc.game)
			p := g.Start()
			if err := notation.Play(p, tc.moves); err != nil {
				t.Fatal(err)
			}
			if tc.stones != "" {
				var err error
				if p, err = notation.ParseStones(g, tc.stones, notation.StonesOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			m, err := newModel(t.Context(), Options{Position: p, Players: [2]player.Player{player.Human{}, player.Human{}}})
			if err != nil {
				t.Fatal(err)
			}
			var row []string
			for _, c := range slices.Sorted(slices.Values(m.row)) {
				row = append(row, m.v.CellName(c))
			}
			if len(row) > 9 {
				row = []string{fmt.Sprint(len(row), " cells")}
			}
			if m.ending() != tc.want || strings.Join(row, " ") != tc.row {
				t.Errorf("%q with %v; want %q with %s", m.ending(), row, tc.want, tc.row)
			}
		})
	}
}

// TestMarksCapture marks the fifth pair of one side, and not the fourth of the other.
func TestMarksCapture(t *testing.T) {
	o := notation.StonesOptions{Turn: "first", Captures: "4,3"}
	p, err := notation.ParseStones(newGame(t, "pente"), "a1 b9 c9 d8/b1 c1 a9", o)
	if err != nil {
		t.Fatal(err)
	}
	marks := diagram.Marks(p.(game.Board))
	if want := map[int]diagram.Mark{3: {Side: game.First}}; !maps.Equal(marks, want) {
		t.Errorf("marks %v, want %v", marks, want)
	}
}
