// SPDX-License-Identifier: Apache-2.0

package notation_test

import (
	"slices"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/notation"
)

func TestOffsets(t *testing.T) {
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
		{square, "0,x", "", `move 1: "0,x" is not an offset on this board`},
		{square, "0,99999999999999999999", "", `move 1: "0,99999999999999999999" is not an offset on this board`},
		{square, "0,0, 1", "", "3 offsets, where there are two for each move"},
		{must(mnk.Connect4(7, 6, 4)), "0,0", "", "moves of connect4 have no offsets"},
	}
	for _, tc := range tests {
		t.Run(tc.g.String()+"/"+tc.offsets, func(t *testing.T) {
			moves, err := notation.ParseOffsets(tc.g, tc.offsets)
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
	for text, want := range map[string]bool{"0,0": true, " -1,2, 3,4": true, "h8 h9": false, "": false, "7": false, ",": false, "1,a": false} {
		if got := notation.IsOffsets(square, text); got != want {
			t.Errorf("IsOffsets(%q) = %v", text, got)
		}
	}
	if notation.IsOffsets(must(mnk.Connect4(7, 6, 4)), "4,4") {
		t.Error("columns are taken for offsets")
	}
}

func FuzzOffsets(f *testing.F) {
	f.Add("0,0, 1,-1")
	f.Add("-7,7,,1 1")
	g := must(mnk.MNK(9, 4, 3))
	f.Fuzz(func(t *testing.T, text string) {
		moves, err := notation.ParseOffsets(g, text)
		if err != nil {
			checkLine(t, err)
			return
		}
		again, err := notation.FormatOffsets(g, moves)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := notation.ParseOffsets(g, again); err != nil || !slices.Equal(same, moves) {
			t.Errorf("%q became %q: %v, %v", text, again, same, err)
		}
	})
}
