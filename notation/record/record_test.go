// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/notation"
)

func open(spec string) (game.Game, error) {
	switch spec {
	case "tictactoe":
		return mnk.TicTacToe(3, 3)
	case "connect4":
		return mnk.Connect4(7, 6, 4)
	case "renju:9":
		return renju.New(9)
	}
	return nil, fmt.Errorf("unknown game %q", spec)
}

const header = `{"krow":"games","version":1,"match":"some match"}` + "\n"

// played returns game number index, in which strong is a.
func played(index int, spec, moves string, a game.Side, o game.Outcome, reason string) Game {
	rules, err := open(spec)
	if err != nil {
		panic(err)
	}
	g := Game{Rules: rules, Names: [2]string{"strong", "weak"}, A: a, Index: index, Outcome: o, Reason: reason}
	if a == game.Second {
		g.Names = [2]string{"weak", "strong"}
	}
	if g.Moves, err = notation.ParseMoves(rules, moves); err != nil {
		panic(err)
	}
	return g
}

var (
	won       = timed(played(0, "tictactoe", "b2 a1 b1 c3 b3", game.First, game.FirstWins, "win"), 1, 20, 3, 4)
	drawn     = played(1, "tictactoe", "a1 b2 c3 b1 b3 a3 c1 c2 a2", game.Second, game.Draw, "draw")
	forfeited = played(2, "connect4", "4 4", game.First, game.SecondWins, "illegal move 9 at ply 3: no such move")
	failed    = played(3, "connect4", "", game.Second, game.SecondWins, `error: "no" <idea> & more`)
	all       = []Game{won, drawn, forfeited, failed}
)

// timed gives a game an opening of one move, a seed and times in microseconds.
func timed(g Game, micros ...time.Duration) Game {
	g.Opening, g.Seed = 1, 1<<64-1
	for _, t := range micros {
		g.Times = append(g.Times, t*time.Microsecond)
	}
	return g
}

var sameRules = cmp.Options{cmp.Comparer(func(a, b game.Game) bool { return a.String() == b.String() }), cmpopts.EquateEmpty()}

// The format, byte for byte.
const golden = header +
	`{"index":0,"game":"tictactoe","a":"strong","b":"weak","seed":18446744073709551615,"first":"a","opening":1,"moves":"b2 a1 b1 c3 b3","outcome":"first wins","result":"win","reason":"win","plies":5,"times_us":[1,20,3,4]}
{"index":1,"game":"tictactoe","a":"strong","b":"weak","seed":0,"first":"b","opening":0,"moves":"a1 b2 c3 b1 b3 a3 c1 c2 a2","outcome":"draw","result":"draw","reason":"draw","plies":9}
{"index":2,"game":"connect4","a":"strong","b":"weak","seed":0,"first":"a","opening":0,"moves":"4 4","outcome":"second wins","result":"loss","reason":"illegal move 9 at ply 3: no such move","plies":2}
{"index":3,"game":"connect4","a":"strong","b":"weak","seed":0,"first":"b","opening":0,"moves":"","outcome":"second wins","result":"win","reason":"error: \"no\" <idea> & more","plies":0}
`

// write opens path, checks that it holds the first games, and writes the others up to end.
func write(t *testing.T, path string, held, end int) *Writer {
	t.Helper()
	w, got, err := Open(path, "some match", open)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(all[:held:held], append([]Game{}, got...), sameRules); d != "" {
		t.Fatalf("games there already (-want +got)\n%s", d)
	}
	for _, g := range all[held:end] {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func TestFileAppearsWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.jsonl")
	w := write(t, path, 0, 2)
	if exists(path) {
		t.Error("the file has its name before it is finished")
	}
	if err := w.Close(); err != nil || !exists(path+".part") {
		t.Fatalf("after Close: %v, part there: %v", err, exists(path+".part"))
	}
	w = write(t, path, 2, 4)
	if err := errors.Join(w.Commit(), w.Close()); err != nil || exists(path+".part") {
		t.Fatalf("after Commit: %v, part there: %v", err, exists(path+".part"))
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != golden {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, golden)
	}
	h, games, err := Read([]byte(golden), path, open)
	if d := cmp.Diff(all, games, sameRules); d != "" || err != nil || h.Match != "some match" {
		t.Errorf("%+v, %v (-want +got)\n%s", h, err, d)
	}
	if err := w.Write(won); !errors.Is(err, os.ErrClosed) {
		t.Errorf("writing after the end: %v", err)
	}
	if err := w.Commit(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("committing twice: %v", err)
	}
}

// Wherever a killed writer left off, byte by byte, the next one comes to the same file.
func TestContinueAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	path := filepath.Join(t.TempDir(), "games.jsonl")
	for n := range len(golden) + 1 {
		if err := os.WriteFile(path+".part", []byte(golden[:n]), 0o666); err != nil {
			t.Fatal(err)
		}
		held := max(strings.Count(golden[:n], "\n")-1, 0)
		if err := write(t, path, held, 4).Commit(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != golden {
			t.Fatalf("truncated after %d bytes: %v\n%s", n, err, got)
		}
	}
}

// Reading a file that was cut off gives the games that are whole, and says so unless a line or only its
// newline is missing.
func TestReadTruncated(t *testing.T) {
	for n := range len(golden) + 1 {
		text := golden[:n]
		_, games, err := Read([]byte(text), "f", open)
		whole := strings.HasSuffix(text, "\n") || strings.HasPrefix(golden[n:], "\n")
		if n > 0 && whole == errors.Is(err, ErrTruncated) {
			t.Fatalf("%q: %v", text, err)
		}
		if want := strings.Count(golden[:n], "\n") - 1; len(games) < want || len(games) > want+1 {
			t.Fatalf("%q: %d games", text, len(games))
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	tests := []struct{ name, part, want string }{
		{"another match", `{"krow":"games","version":1,"match":"that"}` + "\n", "PART belongs to another match (that): finish that match, or remove the file"},
		{"newer", `{"krow":"games","version":2}` + "\n", "PART: line 1: the file has version 2 of the format; this krow reads version 1"},
		{"something else", "Dear diary,\n", "PART: line 1: not the header of krow's games"},
		{"broken", header + "{}\n" + golden[len(header):], `PART: line 2: unknown game ""`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "games.jsonl")
			part := path + ".part"
			if err := os.WriteFile(part, []byte(tc.part), 0o666); err != nil {
				t.Fatal(err)
			}
			_, _, err := Open(path, "some match", open)
			if want := strings.ReplaceAll(tc.want, "PART", part); err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
			if left, _ := os.ReadFile(part); string(left) != tc.part {
				t.Errorf("the part was changed to\n%s", left)
			}
		})
	}
	if _, _, err := Open(filepath.Join(t.TempDir(), "no", "such"), "", open); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such directory: %v", err)
	}
}

func TestOneWriter(t *testing.T) {
	switch runtime.GOOS {
	case "linux", "darwin", "freebsd", "netbsd", "openbsd", "dragonfly":
	default:
		t.Skip("no locks here")
	}
	path := filepath.Join(t.TempDir(), "games.jsonl")
	w := write(t, path, 0, 1)
	if _, _, err := Open(path, "some match", open); err == nil || !strings.Contains(err.Error(), "another process is writing the file") {
		t.Errorf("the second writer: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := write(t, path, 1, 4).Commit(); err != nil {
		t.Error(err)
	}
}

// A writer that failed does not give the file its name, and one that wrote nothing leaves nothing.
func TestNothingHalfWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.jsonl")
	if err := write(t, path, 0, 0).Close(); err != nil || exists(path+".part") {
		t.Errorf("without games: %v, part there: %v", err, exists(path+".part"))
	}
	w := write(t, path, 0, 1)
	w.f.Close()
	if err := w.Write(drawn); err == nil {
		t.Fatal("written to a closed file")
	}
	if err := w.Commit(); err == nil || exists(path) {
		t.Errorf("committed after an error: %v, file there: %v", err, exists(path))
	}
}

func TestReadErrors(t *testing.T) {
	with := func(change func(g *line)) string {
		text, err := json.Marshal(won)
		var g line
		if err = errors.Join(err, json.Unmarshal(text, &g)); err != nil {
			t.Fatal(err)
		}
		change(&g)
		if text, err = json.Marshal(g); err != nil {
			t.Fatal(err)
		}
		return header + golden[len(header):strings.Index(golden, `{"index":1`)] + "\n" + string(text) + "\n"
	}
	tests := []struct{ name, text, want string }{
		{"empty", "", "f: line 1: the file is empty, without even a header"},
		{"no header", golden[len(header):], "f: line 1: not the header of krow's games"},
		{"another file", `{"krow":"book","version":1}` + "\n", "f: line 1: not the header of krow's games"},
		{"no version", `{"krow":"games"}` + "\n", "f: line 1: not the header of krow's games"},
		{"newer", `{"krow":"games","version":7}` + "\n", "f: line 1: the file has version 7 of the format; this krow reads version 1"},
		{"no json", header + "x\n", "f: line 2: invalid character 'x' looking for beginning of value"},
		{"game", with(func(g *line) { g.Game = "go" }), `f: line 4: unknown game "go"`},
		{"word", with(func(g *line) { g.Moves = "b2 z9" }), `f: line 4: move 2: "z9" is not a cell of this board`},
		{"illegal", with(func(g *line) { g.Moves = "b2 b2" }), `f: line 4: move 2: "b2" is illegal: the cell is taken`},
		{"over", with(func(g *line) { g.Moves += " c1" }), `f: line 4: move 6: "c1" comes after the end of the game`},
		{"plies", with(func(g *line) { g.Plies = 4 }), "f: line 4: plies is 4, but there are 5 moves"},
		{"opening", with(func(g *line) { g.Opening = 6 }), "f: line 4: the opening has 6 plies, but the game has only 5"},
		{"times", with(func(g *line) { g.Opening = 3 }), "f: line 4: the game has 4 times, but 2 moves"},
		{"first", with(func(g *line) { g.First = "c" }), `f: line 4: first must be a or b, not "c"`},
		{"result", with(func(g *line) { g.First = "b" }), `f: line 4: result is "win", but for a first wins it is "loss"`},
		{"outcome", with(func(g *line) { g.Outcome, g.Result = "draw", "draw" }), `f: line 4: outcome is "draw", but by the moves it is "first wins"`},
		{"ongoing", with(func(g *line) { g.Outcome = "ongoing" }), `f: line 4: outcome must be first wins, second wins or draw, not "ongoing"`},
		{"reason", with(func(g *line) { g.Reason = "" }), "f: line 4: the reason is missing"},
		{"forfeit", with(func(g *line) { g.Reason = "time" }), `f: line 4: reason is "time", but the moves end the game: first wins`},
		{"unfinished", with(func(g *line) { g.Moves, g.Plies, g.TimesUS = "b2", 1, nil }), `f: line 4: outcome is "first wins", but by the moves it is "ongoing"`},
		{"time's draw", with(func(g *line) {
			g.Moves, g.Plies, g.TimesUS, g.Reason, g.Outcome, g.Result = "b2", 1, nil, "time", "draw", "draw"
		}), `f: line 4: reason is "time", which does not make a draw`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, _, err := Read([]byte(tc.text), "f", open)
			if err == nil || err.Error() != tc.want {
				t.Errorf("got  %v\nwant %s", err, tc.want)
			}
		})
	}
}

// Blank lines, other line ends and fields from elsewhere do no harm.
func TestReadLeniently(t *testing.T) {
	text := strings.ReplaceAll(golden, "\n", "\r\n\r\n")
	text = strings.ReplaceAll(text, `{"index"`, `{"note":[1,{"x":2}],"index"`)
	_, games, err := Read([]byte(text), "f", open)
	if d := cmp.Diff(all, games, sameRules); d != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, d)
	}
}

// Whatever the file says, reading it ends, without a panic.
func FuzzRead(f *testing.F) {
	f.Add(golden)
	f.Add(header + `{"game":"connect4","moves":"1 1 1 1 1 1 1"}`)
	f.Fuzz(func(t *testing.T, text string) {
		if _, _, err := Read([]byte(text), "f", open); err != nil && !strings.HasPrefix(err.Error(), "f: line ") {
			t.Errorf("error without a place: %v", err)
		}
	})
}

// TestOpenForeign expects a part that is not ours to be refused and left as it is.
func TestOpenForeign(t *testing.T) {
	for _, text := range []string{"notes", `{"krow":"weights"`, "{"} {
		path := filepath.Join(t.TempDir(), "games.jsonl")
		if err := os.WriteFile(path+".part", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		w, _, err := Open(path, "a match", open)
		if ours := text == "{"; ours != (err == nil) {
			t.Errorf("%q: Open gave error %v", text, err)
		}
		if err == nil {
			w.Close()
			continue
		}
		if got, err := os.ReadFile(path + ".part"); err != nil || string(got) != text {
			t.Errorf("%q became %q, %v", text, got, err)
		}
	}
}

func TestEnding(t *testing.T) {
	tests := []struct{ name, spec, moves, want string }{
		{"going on", "tictactoe", "b2 a1", ""},
		{"a row", "tictactoe", "a1 a2 b1 b2 c1", ReasonWin},
		{"a full board", "tictactoe", "a1 b1 c1 b2 a2 c2 b3 a3 c3", ReasonDraw},
		{"a foul", "renju:9", "d5 a1 f5 a3 e4 a5 e6 a7 e5", ReasonForbidden + "double three"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p := gametest.Must[game.Game](t)(open(tc.spec)).Start()
			if err := notation.Play(p, tc.moves); err != nil {
				t.Fatal(err)
			}
			before := gametest.Picture(p)
			if got := Ending(p); got != tc.want {
				t.Errorf("Ending after %s is %q, want %q", tc.moves, got, tc.want)
			}
			if after := gametest.Picture(p); after != before {
				t.Errorf("Ending changed\n%s\nto\n%s", before, after)
			}
		})
	}
}
