// SPDX-License-Identifier: Apache-2.0

package notation_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/notation"
)

func TestParseMoves(t *testing.T) {
	gomoku, connect4, wide := must(mnk.Gomoku(15)), must(mnk.Connect4(7, 6, 4)), must(mnk.Connect4(12, 3, 5))
	tests := []struct {
		name, text string
		g          game.Game
		want       string // as FormatMoves writes it
	}{
		{"empty", "", gomoku, ""},
		{"white space", " h8\th9 \n i9 ", gomoku, "h8 h9 i9"},
		{"upper case", "H8 A15", gomoku, "h8 a15"},
		{"twice the same", "h8 h8", gomoku, "h8 h8"},
		{"digit string", "4455", connect4, "4 4 5 5"},
		{"digits apart", "4 455", connect4, "4 4 5 5"},
		{"two-digit columns stay whole", "4 12", wide, "4 12"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			moves, err := notation.ParseMoves(tc.g, tc.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := notation.FormatMoves(tc.g, moves); got != tc.want {
				t.Errorf("ParseMoves(%q) = %q, want %q", tc.text, got, tc.want)
			}
		})
	}
}

func TestPlayErrors(t *testing.T) {
	ttt, connect4 := must(mnk.TicTacToe(3, 3)), must(mnk.Connect4(7, 6, 4))
	tests := []struct {
		name, text string
		g          game.Game
		want       string
	}{
		{"no cell", "a1 b2 h9", ttt, `move 3: "h9" is not a cell of this board`},
		{"comma", "a1,b2", ttt, `move 1: "a1,b2" is not a cell of this board`},
		{"taken", "a1 b2 A1", ttt, `move 3: "A1" is illegal: the cell is taken`},
		{"after the end", "a1 b1 a2 b2 a3 b3", ttt, `move 6: "b3" comes after the end of the game`},
		{"no column", "44 458", connect4, `move 5: "8" is not a column from 1 to 7`},
		{"a full column", "4444444", connect4, `move 7: "4" is illegal: the column is full`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p := tc.g.Start()
			err := notation.Play(p, tc.text)
			checkError(t, err, tc.want)
			if got := p.AppendHistory(nil); len(got) != 0 || p.Key() != tc.g.Start().Key() {
				t.Errorf("a refused list left the moves %v", got)
			}
		})
	}
}

// TestPlayErrorTypes expects callers to find what game.Play said.
func TestPlayErrorTypes(t *testing.T) {
	p := mustPlay(t, must(mnk.TicTacToe(3, 3)), "a1")
	err := notation.Play(p, "b2 a1")
	want := &notation.MoveError{Number: 2, Word: "a1", Err: &game.IllegalMoveError{Move: "a1", Ply: 2, Reason: "the cell is taken"}}
	if diff := cmp.Diff(error(want), err); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := notation.FormatMoves(p.Game(), p.AppendHistory(nil)); got != "a1" {
		t.Errorf("a refused list left %q, want the move before it", got)
	}
	if err := notation.Play(p, "b1 a2 b2 a3 c3"); !errors.Is(err, game.ErrOver) {
		t.Errorf("%v, want ErrOver", err)
	}
}

func TestPlayRoundTrip(t *testing.T) {
	eachPosition(t, func(t *testing.T, p game.Position) {
		list := notation.FormatMoves(p.Game(), p.AppendHistory(nil))
		got := p.Game().Start()
		if err := notation.Play(got, list); err != nil {
			t.Fatal(err)
		}
		checkSame(t, got, p)
	})
}
