// SPDX-License-Identifier: Apache-2.0

package sgf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/sgf"
)

func TestParseCollections(t *testing.T) {
	const b, w = game.First, game.Second
	tests := []struct {
		name, text string
		want       []sgf.Game
	}{
		{
			"a game", "(;FF[4]GM[4]SZ[15]PB[alice]PW[bob \\] \\\\]RE[B+]RU[renju];B[hh];W[ia]C[no [comment\\]];B[ho])",
			[]sgf.Game{{Columns: 15, Rows: 15, Rules: "renju", Names: [2]string{"alice", `bob ] \`}, Result: "B+", Moves: []sgf.Move{{b, 112}, {w, 218}, {b, 7}}}},
		},
		{
			"variations", " \n(;GM[4]SZ[3](;B[aa](;W[bb];B[cc])(;W[cb];B[ab](;W[ca])))\n(;B[bb]))",
			[]sgf.Game{{Columns: 3, Rows: 3, Moves: []sgf.Move{{b, 6}, {w, 4}, {b, 2}}}},
		},
		{
			"a position", "(;SZ[5:4]AB[aa][ba]AW[ed]PL[W];W[ad])",
			[]sgf.Game{{Columns: 5, Rows: 4, Setup: [2][]int{{15, 16}, {4}}, Turn: "second", Moves: []sgf.Move{{w, 0}}}},
		},
		{"a collection", "(;SZ[1])\n(;SZ[2])", []sgf.Game{{Columns: 1, Rows: 1}, {Columns: 2, Rows: 2}}},
		{"capital letters", "(;SZ[52];B[ZZ])", []sgf.Game{{Columns: 52, Rows: 52, Moves: []sgf.Move{{b, 51}}}}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, err := parse([]byte(tc.text))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("Parse (-want +got):\n%s", d)
			}
		})
	}
}

var damaged = []struct{ name, text, want string }{
	{"a size of two lines", "(;SZ[\n])", "line 2: SZ[ ] is not a size from 1 to 52"},
	{"nothing", "", "line 1: there is no game"},
	{"no game", "hello", "line 1: a game must begin with (, not 'h'"},
	{"something behind", "(;SZ[3])\nx", "line 2: a game must begin with (, not 'x'"},
	{"cut off", "(;SZ[3]\n;B[aa]", "line 2: the game is truncated"},
	{"cut off in a value", "(;SZ[3]\n;B[a", "line 2: the game is truncated"},
	{"no node", "()", `line 1: ')' after '('`},
	{"a node behind a variation", "(;SZ[3](;B[aa]);W[bb])", `line 1: ';' after ')'`},
	{"no value", "(;SZ)", "line 1: SZ has no value"},
	{"no property", "(;[3])", "line 1: a value without a property"},
	{"another game", "(;GM[1])", "line 1: GM[1] is an unsupported game: gomoku and renju are GM[4]"},
	{"another version", "(;FF[5])", "line 1: FF[5] is not a version from 1 to 4"},
	{"a size", "(;SZ[99])", "line 1: SZ[99] is not a size from 1 to 52"},
	{"off the board", "(;SZ[3]\n;B[aa]\n;W[da])", `line 3: "da" is not a point of a board of 3 x 3`},
	{"a pass", "(;SZ[3];B[])", `line 1: "" is not a point`},
	{"two moves", "(;SZ[3];B[aa]W[bb])", "line 1: a node has several moves"},
	{"two points", "(;SZ[3];B[aa][bb])", "line 1: a node has several moves"},
	{"two stones", "(;SZ[3]AB[aa]AW[aa])", "line 1: aa has two stones"},
	{"stones later", "(;SZ[3];AB[aa])", "line 1: AB is allowed only in the first node"},
	{"stones taken", "(;SZ[3];AE[aa])", "line 1: AE, which removes stones, is not supported"},
	{"nobody's turn", "(;PL[X])", "line 1: PL[X] is neither B nor W"},
	{"not text", "(;C[\xff])", "line 1: the game is not UTF-8"},
}

func TestParseRefuses(t *testing.T) {
	for _, tc := range damaged {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := parse([]byte(tc.text)); err == nil || err.Error() != tc.want {
				t.Errorf("Parse: %v, want %s", err, tc.want)
			}
		})
	}
}

// What is written reads back as it was.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(1, sgf.MaxSide)
		g := sgf.Game{Columns: side.Draw(t, "columns"), Rows: side.Draw(t, "rows")}
		text := rapid.StringMatching(`[a-z0-9:=,+\\\]\[();é]*`)
		g.Rules, g.Names[0], g.Names[1], g.Result = text.Draw(t, "rules"), text.Draw(t, "black"), text.Draw(t, "white"), text.Draw(t, "result")
		g.Turn = rapid.SampledFrom([]string{"", "first", "second"}).Draw(t, "turn")
		cell := rapid.IntRange(0, g.Columns*g.Rows-1)
		stones := rapid.SliceOfNDistinct(cell, 0, 20, rapid.ID[int]).Draw(t, "stones")
		for i, c := range stones {
			g.Setup[i%2] = append(g.Setup[i%2], c)
		}
		for range rapid.IntRange(0, 40).Draw(t, "moves") {
			g.Moves = append(g.Moves, sgf.Move{Side: game.Side(rapid.IntRange(0, 1).Draw(t, "side")), Cell: cell.Draw(t, "cell")})
		}
		data, err := sgf.Append(nil, g)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parse(data)
		if err != nil || len(got) != 1 {
			t.Fatalf("Parse: %v of %s", err, data)
		}
		if d := cmp.Diff(g, got[0]); d != "" {
			t.Fatalf("(-want +got):\n%s\n%s", d, data)
		}
	})
}

func TestAppendRefuses(t *testing.T) {
	if _, err := sgf.Append(nil, sgf.Game{Columns: 53, Rows: 1}); err == nil {
		t.Error("a board of 53 columns was written")
	}
}

// FuzzParse: damage is an error of one line with a number, and what is read can be written and read again.
func FuzzParse(f *testing.F) {
	for _, tc := range damaged {
		f.Add([]byte(tc.text))
	}
	f.Add([]byte("(;FF[4]GM[4]SZ[15]PB[a]PW[b];B[hh];W[ih](;B[hg])(;B[gg]))"))
	f.Fuzz(func(t *testing.T, data []byte) {
		games, err := parse(data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "line ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		var again []byte
		for _, g := range games {
			if again, err = sgf.Append(again, g); err != nil {
				t.Fatal(err)
			}
		}
		once, err := parse(again)
		if err != nil || len(once) != len(games) {
			t.Fatalf("written and read: %v\n%s", err, again)
		}
		for i := range games {
			if d := cmp.Diff(games[i].Moves, once[i].Moves); d != "" {
				t.Errorf("moves of game %d differ:\n%s", i, d)
			}
		}
	})
}

// All goes on behind a damaged game, and says where each damage is.
func TestAll(t *testing.T) {
	const good = "(;GM[4]SZ[9];B[aa];W[bb])\n"
	tests := []struct{ name, text, want string }{
		{"two", good + good, "2 2"},
		{"a point", good + "(;GM[4]SZ[9];B[zz]\n(;W[aa])\n(;W[bb]))" + good, `2 line 3: "zz" is not a point of a board of 9 x 9 2`},
		{"cut off", "(;FF[4]GM[4]SZ[9];B[aa];W[b\n" + "(;FF[4]GM[4]SZ[9];B[aa])\n" + good, `line 2: "b\n(;FF[4" is not a point 1 2`},
		{"another game", "(;GM[1];B[aa])" + good, "line 1: GM[1] is an unsupported game: gomoku and renju are GM[4] 2"},
		{"words between", good + "and\n" + good, `2 line 2: a game must begin with (, not 'a' 2`},
		{"the end", good + "(;GM[4]SZ[9];B[aa]", "2 line 2: the game is truncated"},
		{"nothing", "\n", "line 2: there is no game"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for g, err := range sgf.All([]byte(tc.text)) {
				if err != nil {
					got = append(got, err.Error())
					continue
				}
				got = append(got, fmt.Sprint(len(g.Moves)))
			}
			if s := strings.Join(got, " "); s != tc.want {
				t.Errorf("%s, want %s", s, tc.want)
			}
		})
	}
}

// parse returns the games of a collection without damage.
func parse(data []byte) (games []sgf.Game, err error) {
	for g, err := range sgf.All(data) {
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	return games, nil
}
