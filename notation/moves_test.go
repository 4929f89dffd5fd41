// SPDX-License-Identifier: Apache-2.0

package notation_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/notation"
)

func TestParseMoves(t *testing.T) {
	gomoku, connect4, wide := must(mnk.Gomoku(15)), must(mnk.Connect4(7, 6, 4)), must(mnk.Connect4(12, 3, 5))
	broad, ultimate := must(mnk.MNK(40, 12, 5)), ultimate.New(ultimate.Rules{})
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
		{"cells without spaces", "h8h10i9", gomoku, "h8 h10 i9"},
		{"columns of two letters", "aa1A1ab12", broad, "aa1 a1 ab12"},
		{"commas", "h8,h9 , i9", gomoku, "h8 h9 i9"},
		{"columns and commas", "4,4,5,5", connect4, "4 4 5 5"},
		{"columns apart and commas", "11, 1,12", wide, "11 1 12"},
		{"numbers", "1. h8 h9 2. i9", gomoku, "h8 h9 i9"},
		{"numbers without spaces", "1.h8 1...h9\n2.i9h10", gomoku, "h8 h9 i9 h10"},
		{"numbers of columns", "1. 4 4 2. 55", connect4, "4 4 5 5"},
		{"small boards", "5551 19", ultimate, "55 51 19"},
		{"small boards and commas", "55,51", ultimate, "55 51"},
		{"offsets", "0,0, 1,-1,\n-2,0", gomoku, "h8 i9 f8"},
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
	ttt, connect4, pro := must(mnk.TicTacToe(3, 3)), must(mnk.Connect4(7, 6, 4)), must(mnk.PenteBy(19, false, 3))
	tests := []struct {
		name, text string
		g          game.Game
		want       string
	}{
		{"no cell", "a1 b2 h9", ttt, `move 3: "h9" is not a cell of this board`},
		{"no cell among several", "a1b2h9", ttt, `move 3: "h9" is not a cell of this board`},
		{"letters alone", "a1b", ttt, `move 2: "b" is not a cell of this board`},
		{"digits alone", "3 4", ttt, `move 1: "3" is not a cell of this board`},
		{"two commas", "a1,,b2", ttt, `moves "a1,,b2": write a comma between two moves`},
		{"a comma before", ",a1", ttt, `moves ",a1": write a comma between two moves`},
		{"a comma behind", "a1,", ttt, `moves "a1,": write a comma between two moves`},
		{"a comma alone", " , ", ttt, `moves " , ": write a comma between two moves`},
		{"a point alone", "a1 . b2", ttt, `move 2: "." is not a cell of this board`},
		{"half a small board", "555", ultimate.New(ultimate.Rules{}), `move 2: "5" is not a small board and a cell, each from 1 to 9`},
		{"taken", "a1 b2 A1", ttt, `move 3: "A1" is illegal: the cell is taken`},
		{"after the end", "a1 b1 a2 b2 a3 b3", ttt, `move 6: "b3" comes after the end of the game`},
		{"no column", "44 458", connect4, `move 5: "8" is not a column from 1 to 7`},
		{"an opening rule", "j9", pro, `move 1: "j9" is illegal: the first stone must be in the centre`},
		{"an opening rule for the third stone", "j10 a1 k11", pro, `move 3: "k11" is illegal: this stone must be at least 3 columns or rows from the centre`},
		{"a suicide", "a2 i9 b1 a1", must(atarigo.New(9)), `move 4: "a1" is illegal: the stone would have no liberty`},
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

func TestOffsetsOfMoves(t *testing.T) {
	square, even, wide := must(mnk.Gomoku(15)), must(mnk.Gomoku(20)), must(mnk.MNK(9, 4, 3))
	tests := []struct {
		g             game.Game
		offsets, want string
		wrong         string
	}{
		{square, "0,0, 1,-1, -2,0", "h8 i9 f8", ""},
		{square, "-7,-7, 7,7", "a15 o1", ""},
		{square, "", "", ""},
		{even, "0,0, -10,-10, 9,9", "k10 a20 t1", ""},
		{wide, "0,0, -4,-2, 4,1", "e2 a4 i1", ""},
		{square, "8,0", "", `move 1: "8,0" is not an offset on this board`},
		{square, "0,0, 0,8", "", `move 2: "0,8" is not an offset on this board`},
		{square, "0,99999999999999999999", "", `move 1: "0,99999999999999999999" is not an offset on this board`},
		{square, "0,0, --1,1", "", `move 2: "--1,1" is not an offset on this board`},
		{square, "0,0, 1", "", "found 3 offsets, but each move needs two"},
		{square, "0,0,,1,1", "", `moves "0,0,,1,1": write a comma between two moves`},
	}
	for _, tc := range tests {
		t.Run(tc.g.String()+"/"+tc.offsets, func(t *testing.T) {
			moves, err := notation.ParseMoves(tc.g, tc.offsets)
			if tc.wrong != "" {
				if err == nil || err.Error() != tc.wrong {
					t.Errorf("%v, want %q", err, tc.wrong)
				}
				return
			}
			if got := notation.FormatMoves(tc.g, moves); err != nil || got != tc.want {
				t.Errorf("%q, %v, want %q", got, err, tc.want)
			}
			if text, err := notation.FormatOffsets(tc.g, moves); err != nil || text != tc.offsets {
				t.Errorf("written again: %q, %v", text, err)
			}
		})
	}
	for _, g := range []game.Game{must(mnk.Connect4(7, 6, 4)), ultimate.New(ultimate.Rules{})} {
		if _, err := notation.FormatOffsets(g, nil); err == nil || err.Error() != "moves of "+g.String()+" have no offsets" {
			t.Errorf("offsets of %s: %v", g, err)
		}
	}
}

func FuzzOffsets(f *testing.F) {
	f.Add("0,0, 1,-1")
	f.Add("-7,7,,1 1")
	g := must(mnk.MNK(9, 4, 3))
	f.Fuzz(func(t *testing.T, text string) {
		moves, err := notation.ParseMoves(g, text)
		if err != nil {
			checkLine(t, err)
			return
		}
		again, err := notation.FormatOffsets(g, moves)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := notation.ParseMoves(g, again); err != nil || !slices.Equal(same, moves) {
			t.Errorf("%q became %q: %v, %v", text, again, same, err)
		}
	})
}
