// SPDX-License-Identifier: Apache-2.0

package notation_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/notation"
)

// formatStones writes the stones of b as notation.ParseStones reads them, without what is not on the board, such as a foul.
func formatStones(b game.Board) string {
	columns, _ := b.Size()
	var lists [2][]string
	for c, stone := range b.Cells() {
		if stone != game.Empty {
			side := stone - game.FirstStone
			lists[side] = append(lists[side], game.FormatCell(c, columns))
		}
	}
	return strings.Join(lists[0], " ") + "/" + strings.Join(lists[1], " ")
}

func TestParseStones(t *testing.T) {
	gomoku, connect4 := must(mnk.Gomoku(15)), must(mnk.Connect4(7, 6, 4))
	connect6, pente := must(mnk.Connect6(9)), must(mnk.Pente(9))
	tests := []struct {
		name, stones string
		g            game.Game
		o            notation.StonesOptions
		turn         game.Side
		ply          int
		memory       []uint8
		canonical    string // as formatStones writes it, if not as stones
	}{
		{name: "empty board", stones: "/", g: gomoku},
		{name: "one stone", stones: "h8/", g: gomoku, turn: game.Second, ply: 1},
		{name: "as many", stones: " H8 i9 /h9\tj10 ", g: gomoku, ply: 4, canonical: "h8 i9/h9 j10"},
		{name: "as many, turn given", stones: "h8/h9", g: gomoku, o: notation.StonesOptions{Turn: "second"}, turn: game.Second, ply: 2},
		{name: "too many, turn given", stones: "a1 b1 c1/", g: gomoku, o: notation.StonesOptions{Turn: "first"}, ply: 3},
		{name: "stones that rest on others", stones: "d1 d3/d2", g: connect4, turn: game.Second, ply: 3},

		{name: "connect6 start", stones: "/", g: connect6, memory: []uint8{1}},
		{name: "connect6 first turn over", stones: "e5/", g: connect6, turn: game.Second, ply: 1, memory: []uint8{2}},
		{name: "connect6 one stone left", stones: "e5/a1", g: connect6, turn: game.Second, ply: 2, memory: []uint8{1}},
		{name: "connect6 second turn over", stones: "e5/a1 a2", g: connect6, ply: 3, memory: []uint8{2}},
		{name: "connect6 turn given", stones: "e5/a1", g: connect6, o: notation.StonesOptions{Turn: "second"}, turn: game.Second, ply: 2, memory: []uint8{2}},

		{name: "pente", stones: "e5/e6", g: pente, ply: 2, memory: []uint8{0, 0}},
		// The first side took two stones, so the second has placed three.
		{name: "pente pairs of the first", stones: "a1 e5 b7/e6", g: pente, o: notation.StonesOptions{Captures: "1,0"}, ply: 6, memory: []uint8{1, 0}},
		{name: "pente pairs of both", stones: "e5/", g: pente, o: notation.StonesOptions{Captures: " 2, 2 "}, turn: game.Second, ply: 9, memory: []uint8{2, 2}},
		{name: "pente turn given", stones: "e5/", g: pente, o: notation.StonesOptions{Captures: "3,0", Turn: "first"}, ply: 7, memory: []uint8{3, 0}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p, err := notation.ParseStones(tc.g, tc.stones, tc.o)
			if err != nil {
				t.Fatal(err)
			}
			if p.Turn() != tc.turn || p.Ply() != tc.ply {
				t.Errorf("%v to move at ply %d, want %v at %d", p.Turn(), p.Ply(), tc.turn, tc.ply)
			}
			if got := p.(game.Settable).Setup().Memory; !slices.Equal(got, tc.memory) {
				t.Errorf("memory %v, want %v", got, tc.memory)
			}
			if got, want := formatStones(p.(game.Board)), cmp.Or(tc.canonical, tc.stones); got != want {
				t.Errorf("stones %q, want %q", got, want)
			}
		})
	}
}

func TestParseStonesErrors(t *testing.T) {
	gomoku, connect4, pente := must(mnk.Gomoku(15)), must(mnk.Connect4(7, 6, 4)), must(mnk.Pente(9))
	tests := []struct {
		name, stones string
		g            game.Game
		o            notation.StonesOptions
		want         string
	}{
		{"no slash", "h8 h9", gomoku, notation.StonesOptions{}, `stones must be the stones of the first side, one slash, and the stones of the second side, not "h8 h9"`},
		{"two slashes", "h8/h9/", gomoku, notation.StonesOptions{}, `stones must be the stones of the first side, one slash, and the stones of the second side, not "h8/h9/"`},
		{"no cell", "h8/p9", gomoku, notation.StonesOptions{}, `stone "p9" is not a cell of this board`},
		{"a column is no cell", "4/", connect4, notation.StonesOptions{}, `stone "4" is not a cell of this board`},
		{"twice", "h8 H8/", gomoku, notation.StonesOptions{}, `stone "H8": the cell is already occupied`},
		{"on both sides", "h8/h8", gomoku, notation.StonesOptions{}, `stone "h8": the cell is already occupied`},
		{"too many of the first", "a1 c1/", gomoku, notation.StonesOptions{}, "2 and 0 stones do not determine whose turn it is"},
		{"too many of the second", "/a1", gomoku, notation.StonesOptions{}, "0 and 1 stones do not determine whose turn it is"},
		{"connect6", "a1 a2/", must(mnk.Connect6(9)), notation.StonesOptions{}, "2 and 0 stones do not determine whose turn it is"},
		// Two taken stones stand on no cell, but count.
		{"pente", "a1/a2", pente, notation.StonesOptions{Captures: "1,0"}, "1 and 3 stones do not determine whose turn it is"},
		{"turn", "/", gomoku, notation.StonesOptions{Turn: "black"}, `the turn must be first or second, not "black"`},
		{"no captures in this game", "/", gomoku, notation.StonesOptions{Captures: "0,0"}, "gomoku has no captures"},
		{"captures of one side", "/", pente, notation.StonesOptions{Captures: "1"}, `captures are pairs taken by the first side and the second, such as "2,1", not "1"`},
		{"captures of three", "/", pente, notation.StonesOptions{Captures: "1,2,3"}, `captures are pairs taken by the first side and the second, such as "2,1", not "1,2,3"`},
		{"negative captures", "/", pente, notation.StonesOptions{Captures: "-1,0"}, `captures are pairs taken by the first side and the second, such as "2,1", not "-1,0"`},
		{"a floating stone", "d2/", connect4, notation.StonesOptions{}, "the stone in column 4, row 2 has nothing under it"},
		{"two winners", "a1 b1 c1/a2 b2 c2", must(mnk.TicTacToe(3, 3)), notation.StonesOptions{}, "both sides have won on this board"},
		{"more than stones", "/", ultimate.New(ultimate.Rules{}), notation.StonesOptions{}, "ultimate: a position of this game needs more than its stones"},
		{"no board", "/", stripped{gomoku}, notation.StonesOptions{}, "gomoku has no board of stones"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := notation.ParseStones(tc.g, tc.stones, tc.o)
			checkError(t, err, tc.want)
		})
	}
}

// TestStonesSentinels expects a caller to be able to add its hint.
func TestStonesSentinels(t *testing.T) {
	if _, err := notation.ParseStones(family[0], "a1 b1/", notation.StonesOptions{}); !errors.Is(err, notation.ErrTurn) {
		t.Errorf("%v is not ErrTurn", err)
	}
	if _, err := notation.ParseStones(ultimate.New(ultimate.Rules{}), "/", notation.StonesOptions{}); !errors.Is(err, notation.ErrStones) {
		t.Errorf("%v is not ErrStones", err)
	}
}

func TestStonesRoundTrip(t *testing.T) {
	eachPosition(t, func(t *testing.T, p game.Position) {
		if !stonesTell(p) {
			return
		}
		var o notation.StonesOptions
		if m := p.(game.Settable).Setup().Memory; len(m) == 2 {
			o.Captures = fmt.Sprintf("%d,%d", m[0], m[1])
		}
		got, err := notation.ParseStones(p.Game(), formatStones(p.(game.Board)), o)
		if err != nil {
			t.Fatal(err)
		}
		checkSame(t, got, p)
	})
}

// stonesTell says whether stones and turn are the whole of p. They are not in ultimate, nor where a game ended by a
// foul or by a capture of anything but pairs.
func stonesTell(p game.Position) bool {
	switch p.Game().String() {
	case "ultimate":
		return false
	case "renju:9", "atarigo:5":
		return p.Outcome() == game.Ongoing
	}
	return true
}
