// SPDX-License-Identifier: Apache-2.0

package gamefile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/record"
)

// played returns a game after these moves.
func played(t *testing.T, spec, moves string) gamefile.Game {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start()
	if err := notation.Play(p, moves); err != nil {
		t.Fatal(err)
	}
	return gamefile.New(p.(game.Board), [2]string{"anna", "bert"})
}

// told is what can be said of a game, by which two are compared.
type told struct {
	Game, Moves, Stones string
	Names               [2]string
	Outcome             game.Outcome
	Reason              string
	Opening             int
	Times               []time.Duration
}

func tell(g gamefile.Game) told {
	rules := g.Position.Game()
	return told{
		rules.String(), notation.FormatMoves(rules, g.Position.AppendHistory(nil)), notation.FormatBoard(gamefile.Start(g.Position)),
		g.Names, g.Outcome, g.Reason, g.Opening, g.Times,
	}
}

// TestRoundTrip writes games in each format that holds them, and reads them again by their look.
func TestRoundTrip(t *testing.T) {
	const row, draw = "a1 a2 b1 b2 c1 c2 d1 d2 e1", "a1 b1 c1 b2 a2 c2 b3 a3 c3"
	late := played(t, "standard:9x7", "a1 b2")
	late.Outcome, late.Reason = game.SecondWins, record.ReasonTime
	given := played(t, "caro:9", "a1 b2")
	given.Outcome, given.Reason = game.FirstWins, record.ReasonForfeit
	timed := played(t, "gomoku:20x15", row)
	timed.Times = []time.Duration{time.Millisecond, 2 * time.Millisecond}
	opened := played(t, "renju:9", row)
	opened.Opening, opened.Names = 3, [2]string{}
	tests := []struct {
		name    string
		game    gamefile.Game
		formats string                       // that hold it
		loses   func(format string, g *told) // what a format does not hold
	}{
		{"a row", played(t, "gomoku", row), "sgf psq games", nil},
		{"a board that is no square", timed, "psq games", func(format string, g *told) {
			if format == "psq" {
				g.Times = []time.Duration{time.Millisecond, 2 * time.Millisecond, 0, 0, 0, 0, 0, 0, 0}
			}
		}},
		{"a draw", played(t, "tictactoe", draw), "sgf games", nil},
		{"out of time", late, "sgf psq games", nil},
		{"given up", given, "sgf games", func(format string, g *told) {
			if format == "sgf" {
				g.Reason = record.ReasonForfeit
			}
		}},
		{"a foul", played(t, "renju:9", "d5 a1 f5 a3 e4 a5 e6 a7 e5"), "sgf games", nil},
		{"falling stones", played(t, "connect4", "4 4 5"), "sgf", nil},
		{"two stones a turn", played(t, "connect6", "j10 a1 b1 c1"), "sgf", nil},
		{"an opening", opened, "binpack", nil},
	}
	for _, tc := range tests {
		for format := range strings.FieldsSeq(tc.formats) {
			t.Run(tc.name+"/"+format, func(t *testing.T) {
				data, err := gamefile.Write(format, []gamefile.Game{tc.game})
				if err != nil {
					t.Fatal(err)
				}
				if look := gamefile.Look(data); look != format {
					t.Fatalf("it looks like %s", look)
				}
				all, err := gamefile.Read(data, format, gamefile.Options{})
				if err != nil || len(all) != 1 {
					t.Fatalf("%d games, %v", len(all), err)
				}
				want, got := tell(tc.game), tell(all[0])
				if tc.loses != nil {
					tc.loses(format, &want)
				}
				if len(want.Times) == 0 {
					got.Times = nil
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-want +got)\n%s\nof %s", diff, data)
				}
			})
		}
	}
}

// TestPositionsAreReadBack writes the last position of games, and their moves, and reads them again.
func TestPositionsAreReadBack(t *testing.T) {
	for _, tc := range [][2]string{{"tictactoe", "b2 a1"}, {"ultimate", "55 51 15"}, {"pente", "a1 b1 d1 c1"}, {"mnk:5,1,3", "c1"}, {"connect4", "44"}} {
		for _, format := range []string{"position", "moves"} {
			t.Run(tc[0]+"/"+format, func(t *testing.T) {
				want := played(t, tc[0], tc[1])
				data, err := gamefile.Write(format, []gamefile.Game{want})
				if err != nil {
					t.Fatal(err)
				}
				if look := gamefile.Look(data); look != format {
					t.Fatalf("it looks like %s", look)
				}
				all, err := gamefile.Read(data, format, gamefile.Options{Game: tc[0]})
				if err != nil {
					t.Fatal(err)
				}
				if all[0].Position.Key() != want.Position.Key() {
					t.Errorf("read\n%sof\n%s", notation.FormatBoard(all[0].Position), data)
				}
			})
		}
	}
}

// TestGame finds the game that a file means.
func TestGame(t *testing.T) {
	const head = "(;GM[4]SZ[%s]%s;B[aa])"
	tests := []struct{ data, asked, want string }{
		{fmt.Sprintf(head, "20:15", ""), "", "gomoku:20x15"},
		{fmt.Sprintf(head, "15", "RU[Freestyle]"), "", "gomoku"},
		{fmt.Sprintf(head, "15", "RU[Renju with Soosorv-8]"), "", "renju"},
		{fmt.Sprintf(head, "9:7", "RU[standard]"), "", "standard:9x7"},
		{fmt.Sprintf(head, "7:6", "RU[mnk:7,6,4]"), "", "mnk:7,6,4"},
		{fmt.Sprintf(head, "3", "RU[tictactoe]"), "", "tictactoe"},
		{fmt.Sprintf(head, "9", "RU[house rules: none]"), "", "gomoku:9"},
		{fmt.Sprintf(head, "9", "RU[renju]"), "caro:9", "caro:9"},
		{"Piskvorky 20x15, 0:0, 0\n1,1,0\n", "", "gomoku:20x15"},
		{"Piskvorky 15x15, 0:0, 0\n1,1,0\na\nb\n-1\n0,Caro\n", "", "caro"},
	}
	for _, tc := range tests {
		all, err := gamefile.Read([]byte(tc.data), gamefile.Look([]byte(tc.data)), gamefile.Options{Game: tc.asked})
		if err != nil {
			t.Errorf("%s: %v", tc.data, err)
		} else if got := all[0].Position.Game().String(); got != tc.want {
			t.Errorf("%s is of %s, want %s", tc.data, got, tc.want)
		}
	}
}

func TestLook(t *testing.T) {
	tests := []struct{ data, want string }{
		{" \n(;GM[4])", "sgf"},
		{"\ufeffPiskvorky 15x15", "psq"},
		{`{"krow":"games"}`, "games"},
		{"\x0f\x00\x00\x00", "binpack"},
		{"(;\xff", "binpack"},
		{"3 . X .\n2 . . O\n1 . . .\n  a b c\n", "position"},
		{"\n. x o\n", "position"},
		{"1. h8 h9\n2. i9 g7\n", "moves"},
		{"4455", "moves"},
		{"55 51", "moves"},
		{"0,0, 1,-1", "moves"},
		{"", "moves"},
	}
	for _, tc := range tests {
		if got := gamefile.Look([]byte(tc.data)); got != tc.want {
			t.Errorf("%q looks like %s, want %s", tc.data, got, tc.want)
		}
	}
}

// TestBadFileKeepsGamesBefore reads and writes what cannot be: an error of one line, and the games before it.
func TestBadFileKeepsGamesBefore(t *testing.T) {
	const good = "(;GM[4]SZ[3]RU[tictactoe];B[aa])"
	tests := []struct {
		name, data, game string
		want             string
		games            int
	}{
		{"nothing", "", "tictactoe", "", 1},
		{"no game", "a1 b2", "", "a list of moves or a drawing does not name its game", 0},
		{"an unknown game", "a1 b2", "chess", `unknown game "chess"`, 0},
		{"a size", good, "renju", "game 1: the board of renju has 15 x 15 cells, but the board of the game has 3 x 3", 0},
		{"a taken cell", good + "(;GM[4]SZ[3]RU[tictactoe];B[aa];W[aa])", "", "game 2: move 2: no stone can be placed on a3", 1},
		{"a turn", "(;GM[4]SZ[3]RU[tictactoe];B[aa];B[bb])", "", "game 1: move 2 is by the first side, but it is the other side's turn", 0},
		{"a lie", "(;GM[4]SZ[3]RU[tictactoe]RE[W+];B[aa];W[bb];B[ab];W[cc];B[ac])", "", "game 1: the result in the file is second wins, but by the moves it is first wins", 0},
		{"a line", `{"krow":"games","version":1}` + "\n{", "", "line 2: the last line is cut off", 0},
		{"no line", `{"krow":"games","version":1}` + "\n", "", "no game in it", 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			data := []byte(tc.data)
			games, err := gamefile.Read(data, gamefile.Look(data), gamefile.Options{Game: tc.game})
			if got := fmt.Sprint(err); tc.want != "" && got != tc.want || tc.want == "" && err != nil {
				t.Errorf("%v, want %q", err, tc.want)
			}
			if len(games) != tc.games {
				t.Errorf("%d games, want %d", len(games), tc.games)
			}
		})
	}
	over, ongoing, falling := played(t, "tictactoe", "a1 a2 b1 b2 c1"), played(t, "tictactoe", "a1"), played(t, "connect6", "a1 b1 c1")
	p, err := notation.ParseStones(over.Position.Game(), "a1 b1 c1/a2 b2", notation.StonesOptions{})
	if err != nil {
		t.Fatal(err)
	}
	set := gamefile.New(p.(game.Board), [2]string{})
	for _, tc := range []struct {
		format string
		games  []gamefile.Game
		want   string
	}{
		{"psq", []gamefile.Game{over, over}, "psq can contain one game, not 2"},
		{"games", []gamefile.Game{over, ongoing}, "game 2 is not finished, and files of games contain only finished games"},
		{"games", []gamefile.Game{set}, "game 1: files of games contain only games that begin with an empty board"},
		{"psq", []gamefile.Game{set}, "files of psq contain only games that begin with an empty board"},
		{"psq", []gamefile.Game{falling}, "psq supports only games in which the sides place single stones in turn, not connect6"},
		{"binpack", []gamefile.Game{over}, "game 1: binpack supports gomoku, standard, renju and caro on square boards, not tictactoe"},
	} {
		if data, err := gamefile.Write(tc.format, tc.games); fmt.Sprint(err) != tc.want || data != nil {
			t.Errorf("%s: %q, %v, want %s", tc.format, data, err, tc.want)
		}
	}
}

func TestByName(t *testing.T) {
	for name, want := range map[string]string{"a.SGF": "sgf", "a/b.psq": "psq", "x.json": "games", "x.txt": "", "sgf": ""} {
		if got := gamefile.ByName(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if names := gamefile.Names(); !slices.Contains(names, "moves") {
		t.Errorf("formats %v", names)
	}
}

func TestReadOpenings(t *testing.T) {
	g := played(t, "tictactoe", "").Position.Game()
	tests := []struct{ name, text, want, wrong string }{
		{"lines", "# three\n\na1 b2\r\n1. b2 c3\n0,0, 1,1\n", "a1 b2; b2 c3; b2 c1", ""},
		{"an illegal move", "a1\na1 a1\n", "", `line 2: move 2: "a1" is illegal: the cell is taken`},
		{"a game that is over", "#\na1 a2 b1 b2 c1", "", "line 2: the game is over: first wins"},
		{"none", "# none\n", "", "the file contains no opening"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "openings")
			if err := os.WriteFile(name, []byte(tc.text), 0o600); err != nil {
				t.Fatal(err)
			}
			all, err := gamefile.ReadOpenings(g, name)
			if tc.wrong != "" {
				if want := "openings " + name + ": " + tc.wrong; fmt.Sprint(err) != want {
					t.Errorf("%v, want %s", err, want)
				}
				return
			}
			var got []string
			for _, moves := range all {
				got = append(got, notation.FormatMoves(g, moves))
			}
			if err != nil || strings.Join(got, "; ") != tc.want {
				t.Errorf("%q, %v, want %s", got, err, tc.want)
			}
		})
	}
}

// FuzzRead: whatever the data, reading it ends in games that can be written, or in one line.
func FuzzRead(f *testing.F) {
	f.Add([]byte("(;GM[4]SZ[5]RU[gomoku:5]RE[B+R];B[aa];W[bb])"))
	f.Add([]byte("Piskvorky 6x5, 0:0, 0\n1,1,0\na\nb\n15\n2,Renju\n"))
	f.Add([]byte(`{"krow":"games","version":1}` + "\n" + `{"game":"tictactoe","first":"a","moves":"a1","plies":1,"outcome":"first wins","result":"win","reason":"time"}` + "\n"))
	f.Add([]byte(". . .\n. X .\n. . .\n"))
	f.Add([]byte("1. a1 b2 2. c3"))
	f.Add([]byte("\x05\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		games, err := gamefile.Read(data, gamefile.Look(data), gamefile.Options{Game: "tictactoe"})
		if err == nil && len(games) == 0 {
			t.Error("neither a game nor an error")
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("error %q", err)
		}
		for _, g := range games {
			for _, format := range gamefile.Names() {
				if _, err := gamefile.Write(format, []gamefile.Game{g}); err != nil && strings.Contains(err.Error(), "\n") {
					t.Errorf("error %q", err)
				}
			}
		}
	})
}
