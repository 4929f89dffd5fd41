// SPDX-License-Identifier: Apache-2.0

package lobby

import "testing"

// TestNear: a position is near that of a game in every view, on every board, with a few stones more or fewer.
func TestNear(t *testing.T) {
	const game = "h8 i9 h10 h9 g9 i11" // at gomoku
	for _, tc := range []struct {
		name, played, board, asked string
		want                       bool
	}{
		{"the same", game, "gomoku", game, true},
		{"another order of moves", game, "gomoku", "g9 i11 h10 h9 h8 i9", true},
		{"a larger board", game, "gomoku:19", game, true},
		{"another place", game, "gomoku", "d4 e5 d6 d5 c5 e7", true},
		{"mirrored", game, "gomoku", "h8 g9 h10 h9 i9 g11", true},
		{"turned", game, "gomoku", "h8 g9 f8 g8 g7 e9", true},
		{"colours exchanged", game, "gomoku", "i9 h8 h9 h10 i11 g9", true},
		{"a few moves ahead", game, "gomoku", game + " a1 b1 a3 b3 a5 b5", true},
		{"many moves ahead", game, "gomoku", game + " a1 b1 a3 b3 a5 b5 a7", false},
		{"a move back", game, "gomoku", "h8 i9 h10 h9 g9", true},
		{"two moves back", game, "gomoku", "h8 i9 h10 h9", false},
		{"two moves back later in the game", game + " i7 i10", "gomoku", game, true},
		{"another last move", game, "gomoku", "h8 i9 h10 h9 g9 a1", true},
		{"another game", game, "gomoku", "h8 h9 i9 g9 i10 i8", false},
		{"an empty board", game, "gomoku", "", false},
		{"an opening", "h8 i9 h10", "gomoku", "h8 i9 h10", false},
	} {
		played, err := position("gomoku", "", tc.played)
		if err != nil {
			t.Fatal(err)
		}
		asked, err := position(tc.board, "", tc.asked)
		if err != nil {
			t.Fatal(err)
		}
		if got := near(played, asked); got != tc.want {
			t.Errorf("%s: near %v, want %v", tc.name, got, tc.want)
		}
	}
}
