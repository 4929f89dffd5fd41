// SPDX-License-Identifier: Apache-2.0

package binpack_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krow-lab/krow/notation/binpack"
)

// A game of renju on 15 x 15, put together by hand from the description of the format: h8, then a pass that was
// weighed against a15, without a score.
//
//	15 | 4<<5 | 2<<8 | 2<<12 | 1<<22 = 0x0040228f;  5 | 3<<14 = 0x0000c005
//	a1 is 0*32 + 14 = 14;  h8 is 7*32 + 7 = 231, and 231<<6 | 3 = 0x39c3, with -2;  pass 9, with 0;  a15 0<<6 | 6
const hand = "8f224000" + "05c00000" + "0e00" + "c339feff" + "09000000" + "06000000"

var handGame = binpack.Game{
	Side: 15, Rule: binpack.Renju, Result: binpack.Won, Tag: 5, Opening: []int{0},
	Plies: [][]binpack.Move{
		{{Cell: 112, Score: -2, Scored: true}},
		{{Cell: binpack.Pass, Scored: true}, {Cell: 210}},
	},
}

func TestByHand(t *testing.T) {
	data, err := hex.DecodeString(hand)
	if err != nil {
		t.Fatal(err)
	}
	games, err := binpack.Parse(append(data, data...))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]binpack.Game{handGame, handGame}, games); d != "" {
		t.Errorf("Parse (-want +got):\n%s", d)
	}
	if got, err := binpack.Append(nil, handGame); err != nil || hex.EncodeToString(got) != hand {
		t.Errorf("Append = %x, %v, want %s", got, err, hand)
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(binpack.MinSide, binpack.MaxSide).Draw(t, "side")
		cell := rapid.IntRange(0, side*side-1)
		move := rapid.Custom(func(t *rapid.T) binpack.Move {
			m := binpack.Move{Cell: cell.Draw(t, "cell"), Scored: rapid.Bool().Draw(t, "scored")}
			if m.Scored {
				m.Score = rapid.Int16().Draw(t, "score")
			}
			if rapid.IntRange(0, 9).Draw(t, "pass") == 0 {
				m.Cell = binpack.Pass
			}
			return m
		})
		want := binpack.Game{
			Side: side, Rule: rapid.SampledFrom([]binpack.Rule{0, 1, 3, 4}).Draw(t, "rule"),
			Result: binpack.Result(rapid.IntRange(0, 2).Draw(t, "result")), Tag: rapid.Uint16Range(0, 1<<14-1).Draw(t, "tag"),
			Opening: rapid.SliceOfN(cell, 1, 8).Draw(t, "opening"),
			Plies:   rapid.SliceOfN(rapid.SliceOfN(move, 1, 3), 1, 16).Draw(t, "plies"),
		}
		data, err := binpack.Append(nil, want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := binpack.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]binpack.Game{want}, got); d != "" {
			t.Errorf("Parse(Append) (-want +got):\n%s", d)
		}
	})
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"half a head", hand[:10], "game 1: the file ends in the middle of a game"},
		{"a lost move", hand[:len(hand)-2], "game 1: the file ends in the middle of a game"},
		{"a second game", hand + "00", "game 2: the file ends in the middle of a game"},
		{"LZ4", "04224d18" + hand, "the file is compressed with LZ4: decompress it first"},
		{"a small board", "84" + hand[2:], "game 1: a board must have 5 to 22 columns, not 4"},
		{"a rule", "4f" + hand[2:], "game 1: rule 2 is none of 0, 1, 3 and 4"},
		{"a result", "8f2f" + hand[4:], "game 1: result 15 is none of 0, 1 and 2"},
		{"a great opening", "8f2240ff" + hand[8:], "game 1: an opening cannot have 1021 stones on 225 cells"},
		{"an opening off the board", strings.Replace(hand, "0e00", "0f00", 1), "game 1: place 0,15 is not on a board of 15 x 15"},
		{"a move off the board", strings.Replace(hand, "c339", "c3f9", 1), "game 1: move 1: place 31,7 is not on a board of 15 x 15"},
		{"no first move", strings.Replace(hand, "c339", "c239", 1), "game 1: move 1: the offset of the ply is invalid"},
		{"a ply in a ply", strings.Replace(hand, "c339", "c139", 1), "game 1: move 2: the offset of the ply is invalid"},
		{"no last move", strings.Replace(hand, "06000000", "04000000", 1), "game 1: the file ends in the middle of a game"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			data, err := hex.DecodeString(tc.data)
			if err != nil {
				t.Fatal(err)
			}
			if games, err := binpack.Parse(data); err == nil || err.Error() != tc.want {
				t.Errorf("Parse = %v, %v, want the error %q", games, err, tc.want)
			}
		})
	}
}

func TestAppendRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(g *binpack.Game)
		want   string
	}{
		{"a side", func(g *binpack.Game) { g.Side = 23 }, "a board must have 5 to 22 columns, not 23"},
		{"a rule", func(g *binpack.Game) { g.Rule = 5 }, "rule 5 is none of 0, 1, 3 and 4"},
		{"a tag", func(g *binpack.Game) { g.Tag = 1 << 14 }, "2 stones, 3 moves and the tag 16384 do not fit into the format"},
		{"an empty ply", func(g *binpack.Game) { g.Plies = [][]binpack.Move{{}} }, "a ply without a move"},
		{"a stone off the board", func(g *binpack.Game) { g.Opening = []int{225} }, "cell 225 is not on a board of 15 x 15"},
		{"a move off the board", func(g *binpack.Game) { g.Plies = [][]binpack.Move{{{Cell: -2}}} }, "cell -2 is not on a board of 15 x 15"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			g := handGame
			tc.change(&g)
			if data, err := binpack.Append(nil, g); err == nil || err.Error() != tc.want {
				t.Errorf("Append = %x, %v, want the error %q", data, err, tc.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	data, err := hex.DecodeString(hand)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(append(data, data...))
	f.Add(data[:13])
	f.Fuzz(func(t *testing.T, data []byte) {
		games, err := binpack.Parse(data)
		if err != nil {
			return
		}
		var again []byte
		for _, g := range games {
			// More stones than cells are read, so that others' files are, but not written.
			if again, err = binpack.Append(again, g); err != nil {
				return
			}
		}
		if got, err := binpack.Parse(again); err != nil || !cmp.Equal(games, got) {
			t.Errorf("written and read again: %v\n%s", err, cmp.Diff(games, got))
		}
	})
}
