// SPDX-License-Identifier: Apache-2.0

package notation_test

import (
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/notation"
)

func TestFormatPosition(t *testing.T) {
	tests := []struct {
		name, moves string
		g           game.Game
		want        string
	}{
		{"empty", "", must(mnk.TicTacToe(3, 3)), `
3  . . .
2  . . .
1  . . .
   a b c
`},
		{"last move in the corner", "b2 c3 a1", must(mnk.TicTacToe(3, 3)), `
3  . . O
2  . X .
1 (X). .
   a b c
`},
		{"stones fall", "4 4", must(mnk.Connect4(7, 2, 4)), `
2  . . .(O). . .
1  . . . X . . .
   1 2 3 4 5 6 7
`},
		{"one column, two-digit rows", "a10 a9", must(mnk.MNK(1, 10, 3)), `
10  X
 9 (O)
 8  .
 7  .
 6  .
 5  .
 4  .
 3  .
 2  .
 1  .
    a
`},
		{"one row, two-letter columns", "aa1 a1 ab1", must(mnk.MNK(28, 1, 3)), `
1  O  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  X (X)
   a  b  c  d  e  f  g  h  i  j  k  l  m  n  o  p  q  r  s  t  u  v  w  x  y  z  aa ab
`},
		{"a captured pair is gone", "b2 c2 a1 d2 e2", must(mnk.Pente(5)), `
5  . . . . .
4  . . . . .
3  . . . . .
2  . X . .(X)
1  X . . . .
   a b c d e
`},
		{"blocks", "c2 d3", blocked{must(mnk.MNK(7, 5, 4))}, `
5  . . . | . . . | .
  -------+-------+---
4  . . . | . . . | .
3  . . . |(O). . | .
  -------+-------+---
2  . . X | . . . | .
1  . . . | . . . | .
   a b c   d e f   g
`},
		{"no board", "a1 b2", stripped{must(mnk.TicTacToe(3, 3))}, `
a1 b2
`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p := tc.g.Start()
			if err := notation.Play(p, tc.moves); err != nil {
				t.Fatal(err)
			}
			if got := "\n" + notation.FormatPosition(p); got != tc.want {
				t.Errorf("FormatPosition(%s) =%s\nwant%s", tc.moves, got, tc.want)
			}
		})
	}
}

func TestParseBoard(t *testing.T) {
	ttt := must(mnk.TicTacToe(3, 3))
	tests := []struct {
		name, drawing string
		g             game.Game
		stones        string
		turn          game.Side
	}{
		{"spaced", `
			. . O
			. X .
			X . .`, ttt, "a1 b2/c3", game.Second},
		{"dense, lower case", "..o\n.x.\nx..", ttt, "a1 b2/c3", game.Second},
		{"coordinates on every side", `
			  a b c
			3 . . . 3
			2 .(X). 2
			1 . . . 1
			  A B C`, ttt, "b2/", game.Second},
		{"carriage returns", "...\r\n.X.\r\n...\r\n", ttt, "b2/", game.Second},
		{"turn given", "XX.\n...\n...\nsecond to move", ttt, "a3 b3/", game.Second},
		{"column names that look like stones", `
			1 . . . . . . . . . . . . . . . . . . . . . . . O X .
			  a b c d e f g h i j k l m n o p q r s t u v w x y z`, must(mnk.MNK(26, 1, 5)), "y1/x1", game.First},
		{"blocks", `
			. . | X
			----+--
			. O | .
			first to move, memory 1`, blocked{must(mnk.MNK(3, 2, 3))}, "c2/b1", game.First},
		{"several stones a turn", `
			. O .
			. X .
			. . .`, must(mnk.Connect6(3)), "b2/b3", game.Second},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p, err := notation.ParseBoard(tc.g, tc.drawing)
			if err != nil {
				t.Fatal(err)
			}
			if got := formatStones(p.(game.Board)); got != tc.stones || p.Turn() != tc.turn {
				t.Errorf("stones %s, %v to move, want %s, %v, on%s", got, p.Turn(), tc.stones, tc.turn, tc.drawing)
			}
		})
	}
}

func TestParseBoardErrors(t *testing.T) {
	ttt := must(mnk.TicTacToe(3, 3))
	tests := []struct {
		name, drawing string
		g             game.Game
		want          string
	}{
		{"empty", "", ttt, "the drawing has 0 rows instead of 3"},
		{"a row too many", "...\n...\n...\n...", ttt, "the drawing has 4 rows instead of 3"},
		{"a short row", "...\n..\n...", ttt, "row 2 has 2 cells, not 3"},
		{"only a row number", "...\n...\n1", ttt, "the drawing has 2 rows instead of 3"},
		{"another letter", "...\n.B.\n...", ttt, "'B' in a drawing is neither . nor X nor O"},
		{"uneven", "X.X\n...\n...", ttt, "2 and 0 stones do not determine whose turn it is"},
		{"who", "...\n...\n...\nBlack to move", ttt, `"Black to move" does not say whether first or second is to move`},
		{"what", "...\n...\n...\nfirst to move soon", ttt, `" soon" after the side to move is not a memory such as ", memory 2 0"`},
		{"a large number", "...\n...\n...\nfirst to move, memory 256", ttt, `memory "256" is not a number from 0 to 255`},
		{"memory of a game without", "...\n...\n...\nfirst to move, memory 1", ttt, "the memory of tictactoe cannot have 1 numbers"},
		{"turn not last", "...\nfirst to move\n...\n...", ttt, `"..." stands below the line that says whose turn it is`},
		{"more than stones", "...\n...\n...", blocked{ttt}, "tictactoe: a position of this game needs more than its stones"},
		{"no board", "...", stripped{ttt}, "tictactoe has no board of stones"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := notation.ParseBoard(tc.g, tc.drawing)
			checkError(t, err, tc.want)
		})
	}
}

func TestBoardRoundTrip(t *testing.T) {
	eachPosition(t, func(t *testing.T, p game.Position) {
		drawing := notation.FormatBoard(p)
		got, err := notation.ParseBoard(p.Game(), drawing)
		if err != nil {
			t.Fatalf("%v, in\n%s", err, drawing)
		}
		checkSame(t, got, p)
		checkMark(t, p, drawing)
	})
}

// checkMark expects one mark in a drawing, around a stone of the side that moved last, if any did.
func checkMark(t *testing.T, p game.Position, drawing string) {
	t.Helper()
	want := 0
	if p.Ply() > 0 {
		want = 1
	}
	if strings.Count(drawing, "(X)")+strings.Count(drawing, "(O)") != want || strings.Count(drawing, "(") != want {
		t.Fatalf("ply %d, drawn\n%s", p.Ply(), drawing)
	}
}
