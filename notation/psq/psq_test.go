// SPDX-License-Identifier: Apache-2.0

package psq_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krow-lab/krow/notation/psq"
)

func code(n int) *int { return &n }

func TestParse(t *testing.T) {
	const head = "Piskvorky 20x15, 11:11, 0\r\n1,1,0\r\n20,15,31\r\n"
	moves := []psq.Move{{Cell: 280}, {Cell: 19, Millis: 31}}
	names := [2]string{"a 1.zip", "b,c"}
	tests := []struct {
		name, text string
		want       psq.Game
	}{
		{"no moves", "Piskvorky 3x3, 0:0, 1", psq.Game{Columns: 3, Rows: 3}},
		{"moves alone", head, psq.Game{Columns: 20, Rows: 15, Moves: moves}},
		{"an ending", head + "-1\n", psq.Game{Columns: 20, Rows: 15, Moves: moves, Ending: code(-1)}},
		{"names", head + "a 1.zip\nb,c\n", psq.Game{Columns: 20, Rows: 15, Moves: moves, Names: names}},
		{"a tournament", head + "a 1.zip\nb,c\n15\n\n", psq.Game{Columns: 20, Rows: 15, Moves: moves, Names: names, Ending: code(15)}},
		{"a winner", head + "a 1.zip\nb,c\n-1\n2,Freestyle\n", psq.Game{Columns: 20, Rows: 15, Moves: moves, Names: names, Ending: code(-1), Winner: 2, Rule: "Freestyle"}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, err := psq.Parse([]byte(tc.text))
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
	{"nothing", "", `line 1: a game of Piskvork begins with a line such as "Piskvorky 20x20, 11:11, 0"`},
	{"another file", "(;FF[4])", `line 1: a game of Piskvork begins with a line such as "Piskvorky 20x20, 11:11, 0"`},
	{"a size", "Piskvorky 200x20, 11:11, 0", "line 1: a board must have 1 to 128 columns and rows, not 200 x 20"},
	{"off the board", "Piskvorky 3x3, 0:0, 0\n1,1,0\n0,1,0\n", "line 3: 0,1 is not on a board of 3 x 3"},
	{"time that runs back", "Piskvorky 3x3, 0:0, 0\n1,1,-5\n", "line 2: a move has the invalid time -5 milliseconds"},
	{"half a move", "Piskvorky 3x3, 0:0, 0\n1,1,0\n2,2", `line 3: "2,2" is neither a move nor the first of two players`},
	{"a damaged move", "Piskvorky 3x3, 0:0, 0\n1,x,0\n2,2,0\n3,3,0\n-1", `line 4: "3,3,0" is not the number of an ending`},
	{"something behind", "Piskvorky 3x3, 0:0, 0\n-1\n5", `line 3: unexpected text "5" after the end`},
	{"a third winner", "Piskvorky 3x3, 0:0, 0\na\nb\n-1\n3,Freestyle", `line 5: "3,Freestyle" is not the winner, 1 or 2, and the rule`},
	{"something behind the winner", "Piskvorky 3x3, 0:0, 0\na\nb\n-1\n1,Freestyle\nx", `line 6: unexpected text "x" after the end`},
	{"not text", "Piskvorky 3x3, 0:0, 0\n\xff", "line 1: the file is not UTF-8"},
}

func TestParseRefuses(t *testing.T) {
	for _, tc := range damaged {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := psq.Parse([]byte(tc.text)); err == nil || err.Error() != tc.want {
				t.Errorf("Parse: %v, want %s", err, tc.want)
			}
		})
	}
}

// What is written reads back as it was.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(1, psq.MaxSide)
		g := psq.Game{Columns: side.Draw(t, "columns"), Rows: side.Draw(t, "rows")}
		for range rapid.IntRange(0, 40).Draw(t, "moves") {
			g.Moves = append(g.Moves, psq.Move{Cell: rapid.IntRange(0, g.Columns*g.Rows-1).Draw(t, "cell"), Millis: rapid.Int64Range(0, 1e9).Draw(t, "ms")})
		}
		if rapid.Bool().Draw(t, "tournament") {
			name := rapid.StringMatching(`[a-z][a-z0-9. ]*z`)
			g.Names = [2]string{name.Draw(t, "a"), name.Draw(t, "b")}
			for i := range g.Names {
				g.Names[i] = strings.Join(strings.Fields(g.Names[i]), " ")
			}
		}
		if rapid.Bool().Draw(t, "ended") {
			g.Ending = code(rapid.IntRange(-1, 20).Draw(t, "ending"))
			if g.Names[0] != "" && rapid.Bool().Draw(t, "won") {
				g.Winner, g.Rule = rapid.IntRange(1, 2).Draw(t, "winner"), "Standard"
			}
		}
		got, err := psq.Parse(psq.Append(nil, g))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(g, got); d != "" {
			t.Fatalf("(-want +got):\n%s", d)
		}
	})
}

// FuzzParse: damage is an error of one line with a number, and what is read can be written and read again.
func FuzzParse(f *testing.F) {
	for _, tc := range damaged {
		f.Add([]byte(tc.text))
	}
	f.Add([]byte("Piskvorky 20x20, 11:11, 0\n10,10,0\n11,11,5\na\nb\n-1\n1,Renju\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := psq.Parse(data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "line ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		again, err := psq.Parse(psq.Append(nil, g))
		if err != nil {
			t.Fatalf("written and read: %v\n%s", err, psq.Append(nil, g))
		}
		if d := cmp.Diff(g.Moves, again.Moves); d != "" {
			t.Errorf("moves differ:\n%s", d)
		}
	})
}
