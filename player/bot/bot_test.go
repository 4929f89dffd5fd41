// SPDX-License-Identifier: Apache-2.0

package bot_test

import (
	"context"
	"flag"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/player/sandbox"
	"github.com/krow-lab/krow/search"
)

func TestMain(m *testing.M) {
	bot.Serve(krow.Game)
	defer sandbox.CloseIdle()
	m.Run()
}

// open returns a game and a bot of this source.
func open(t *testing.T, spec, source string, o bot.Options) (game.Game, player.Player, error) {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	o.Limits.CPU = time.Minute // steps are what ends them, however slow the machine is
	pl, err := bot.Open(g, bot.Program{Name: "test", Text: []byte(source)}, o)
	if err == nil {
		t.Cleanup(func() { player.Close(pl) })
	}
	return g, pl, err
}

// TestFaultsNameTheirLine: what is wrong with a program is told with its line, when it is read or when it runs.
func TestFaultsNameTheirLine(t *testing.T) {
	few := bot.Limits{Steps: 100_000}
	tests := []struct {
		name, source string
		line         int
		want         string
	}{
		{"grammar", "def choose(position, clock)\n  return 1", 2, "got newline"},
		{"unknown name", "def choose(position, clock):\n    return foo", 2, "undefined: foo"},
		{"no function", "x = 1", 1, "no function"},
		{"load", "load('a', 'b')", 1, "load"},
		{"deep", "x = " + strings.Repeat("(", 100_000), 1, "nesting"},
		{"fails at once", "x = 1 // 0\ndef choose(position, clock): pass", 1, "division by zero"},
		{"loops at once", "while True: pass\ndef choose(position, clock): pass", 1, "steps"},
		{"no move", "def choose(position, clock):\n    pass", 0, "a move must be a number or a name"},
		{"illegal move", "def choose(position, clock):\n    return 9", 0, "moves must be numbers from 0 to 8"},
		{"fails", "def choose(position, clock):\n    return [][0]", 2, "out of range"},
		{"loops", "def choose(position, clock):\n    while True:\n        pass", 0, "more than 100000 steps"},
		{"evaluates for ever", "def evaluate(position):\n    while True:\n        pass", 0, "steps"},
		{"recursion", "def choose(position, clock):\n    return choose(position, clock)", 2, "200 deep"},
		{"prints", "def choose(position, clock):\n    while True:\n        print('x' * 1000)", 3, "64 kB"},
		{"no number", "def evaluate(position):\n    return 'x'", 0, "expected a number"},
		{"another search", "search(by = 'luck')\ndef evaluate(position): return 0", 1, "alphabeta"},
		{"tree search without end", "search(by = 'mcts')\ndef evaluate(position):\n    while True:\n        pass", 0, "steps"},
		{"param twice", "param('a', 0, 0, 1)\nparam('a', 0, 0, 1)\ndef choose(position, clock): pass", 2, "declared twice"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, pl, err := open(t, "tictactoe", tc.source, bot.Options{Limits: few})
			if err == nil {
				g, _ := krow.Game("tictactoe")
				_, err = pl.Move(context.Background(), g.Start(), search.Limits{})
			}
			f, ok := err.(*bot.Failure)
			if !ok {
				t.Fatalf("got %v, want a failure", err)
			}
			if !strings.Contains(f.Text, tc.want) || tc.line > 0 && f.Line != tc.line {
				t.Errorf("got line %d: %s, want line %d: %s", f.Line, f.Text, tc.line, tc.want)
			}
		})
	}
}

// play plays a game and returns its moves and its outcome.
func play(t *testing.T, g game.Game, first, second player.Player) (string, game.Outcome) {
	t.Helper()
	p := g.Start()
	for p.Outcome() == game.Ongoing {
		mover := first
		if p.Turn() == game.Second {
			mover = second
		}
		m, err := mover.Move(context.Background(), p, search.Limits{})
		if err == nil {
			err = game.Play(p, m)
		}
		if err != nil {
			t.Fatalf("%s at ply %d: %v", mover.Name(), p.Ply(), err)
		}
	}
	return notation.FormatMoves(g, p.AppendHistory(nil)), p.Outcome()
}

// against returns a player of the catalog.
func against(t *testing.T, g game.Game, spec string) player.Player {
	t.Helper()
	p, err := krow.Player(g, spec, 7)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func programOf(e bot.Example) bot.Program {
	return bot.Program{Kind: bot.Starlark, Name: e.Name, Text: []byte(e.Text)}
}

// TestExamples: each plays a game of its own and passes its tests.
func TestExamples(t *testing.T) {
	for _, e := range bot.Examples() {
		t.Run(e.Name, func(t *testing.T) {
			check(t, programOf(e))
			g, pl, err := open(t, e.Game, e.Text, bot.Options{Seed: 1, Limits: bot.Limits{Steps: 500_000}})
			if err != nil {
				t.Fatal(err)
			}
			_, o := play(t, g, pl, against(t, g, "random"))
			if o != game.FirstWins && e.Name != "random" {
				t.Errorf("%v against random", o)
			}
		})
	}
}

// check runs a program's tests.
func check(t *testing.T, p bot.Program) {
	t.Helper()
	if faults := bot.Check(p); len(faults) > 0 {
		t.Fatal(faults)
	}
	all, err := request.RunTests(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if !r.Passed {
			t.Errorf("%s %s: plays %s%s, want %s", r.Game, r.Moves, r.Played, r.Error, r.Want)
		}
	}
}

// passes reports whether a source passes all its tests.
func passes(source string) bool {
	all, err := request.RunTests(context.Background(), bot.Program{Name: "lesson", Text: []byte(source)})
	return err == nil && !slices.ContainsFunc(all, func(r request.Tested) bool { return !r.Passed })
}

// TestLessons: each has a text, its finished bot plays and passes the check, and the source with which it begins does not. The last one
// beats the rule book.
func TestLessons(t *testing.T) {
	lessons := bot.Lessons()
	for i, l := range lessons {
		t.Run(l.Title, func(t *testing.T) {
			if l.Title == "" || len(l.Text) < 100 || l.Start == "" || l.Start == l.Finished {
				t.Fatalf("an empty lesson: %+v", l)
			}
			check(t, bot.Program{Name: "lesson", Text: []byte(l.Finished + "\n" + l.Check)})
			used := regexp.MustCompile(`\b` + l.Uses + `\b`).MatchString
			if !used(l.Finished) || l.Check == "" && i < len(lessons)-1 {
				t.Errorf("the finished source lacks %s, or the lesson a check", l.Uses)
			}
			if used(l.Start) && passes(l.Start+"\n"+l.Check) {
				t.Error("the lesson is done before it begins")
			}
			g, pl, err := open(t, l.Game, l.Finished, bot.Options{Seed: 1, Limits: bot.Limits{Steps: 300_000}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := krow.Player(g, l.Against, 1); err != nil {
				t.Fatal(err)
			}
			if i < len(lessons)-1 {
				m, err := pl.Move(context.Background(), g.Start(), search.Limits{})
				if err != nil {
					t.Errorf("%v %v", m, err)
				}
				return
			}
			if _, o := play(t, g, against(t, g, "rules"), pl); o != game.SecondWins {
				t.Errorf("%v against rules", o)
			}
		})
	}
}

// TestInterface: the table lists what programs see, and nothing else.
func TestInterface(t *testing.T) {
	const source = `
def choose(position, clock):
    for name in dir(position):
        print("position." + name)
    for name in dir(clock):
        print("clock." + name)
    for name in dir(position.boards[0]):
        print("board." + name)
    return position.moves()[0]
`
	seen := map[string]bool{}
	g, pl, err := open(t, "ultimate", source, bot.Options{Log: func(l bot.Line) { seen[l.Text] = true }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pl.Move(context.Background(), g.Start(), search.Limits{}); err != nil {
		t.Fatal(err)
	}
	delete(seen, "")
	listed := map[string]bool{}
	for _, i := range bot.Interface() {
		if i.Signature == "" || i.Doc == "" || listed[i.Name] {
			t.Errorf("%s: signature %q, sentence %q", i.Name, i.Signature, i.Doc)
		}
		listed[i.Name] = true
		if strings.Contains(i.Name, ".") && !seen[i.Name] {
			t.Errorf("the table lists %s, which does not exist", i.Name)
		}
	}
	for name := range seen {
		if !listed[name] {
			t.Errorf("the table lacks %s", name)
		}
	}
}

// TestPositionAsProgramSees: a program asks, and fails where it does not get what is drawn here.
func TestPositionAsProgramSees(t *testing.T) {
	tests := []struct{ name, game, moves, wants string }{
		{"sides", "gomoku", "h8 h9 i9", "position.me == 2; position.opponent == 1; position.turn == 2; position.ply == 3; position.last == position.move('i9')"},
		{"cells", "gomoku", "h8 h9", "position.width == 15; position.height == 15; position.k == 5; len(position.cells) == 225; position.cells[position.move('h8')] == 1; position.at(7, 8) == 2; position.at(15, 0) == None; sum(position.cells) == 3"},
		{"names", "connect4", "4 4", "position.game == 'connect4'; position.name(3) == '4'; position.cell(3) == 17; position.moves() == [0, 1, 2, 3, 4, 5, 6]; position.history == [3, 3]"},
		{"full column", "connect4", "4 4 4 4 4 4", "3 not in position.moves()"},
		{"near", "gomoku", "h8", "len(position.near()) == 8; len(position.near(2)) == 24"},
		{"centre", "gomoku", "", "position.near() == [position.move('h8')]; position.last == None"},
		{"wins", "gomoku", "h8 a1 i8 b1 j8 c1 k8 d1", "[position.name(m) for m in position.wins(1)] == ['g8', 'l8']; [position.name(m) for m in position.wins(2)] == ['e1']"},
		{"overline", "standard", "h8 a1 i8 b1 j8 c1 k8 d1 m8 o15", "[position.name(m) for m in position.wins(1)] == ['g8']"},
		{"falling", "connect4", "1 7 1 7 1", "position.wins(1) == [0]; position.wins(2) == []"},
		{"windows", "tictactoe", "a1 b2", "position.windows(1) == [2, 2, 0, 0]; position.windows(2) == [2, 3, 0, 0]"},
		{"lines", "tictactoe", "", "len(position.lines()) == 8; len(position.lines(4)) == 4; position.lines()[0] == (0, 1, 2)"},
		{"threats", "gomoku", "h8 a1 i8 a15 j8 o1", "[(t.size, t.kind, t.gap) for t in position.threats(1)][0] == (3, 'open', None)"},
		{"forbidden", "renju", "g8 a1 i8 a15 h7 o1 h9 o15", "position.forbidden() == [position.move('h8')]; position.forbidden()[0] not in position.moves()"},
		{"play", "tictactoe", "", "position.play('b2') == None; position.ply == 1; position.me == 1; position.turn == 2; position.undo() == None; position.ply == 0"},
		{"result", "tictactoe", "a1 a2 b1 b2", "position.result == None; position.play('c1') == None; position.result == 1; position.moves() == []; position.wins(1) == []; position.undo() == None"},
		{"draw", "mnk:1,1,3", "", "position.play(0) == None; position.result == 0; position.undo() == None"},
		{"key", "tictactoe", "a1 b2 c3", "[position.key, position.play('a2')][0] != position.key"},
		{"boards", "ultimate", "55 51 15", "len(position.boards) == 9; position.forced == 4; position.boards[4].cells == [2, 0, 0, 0, 1, 0, 0, 0, 0]; position.boards[0].owner == 0; position.boards[4].windows(1)[1] == 3; position.k == 0"},
		{"captures", "pente", "h8 i8 a1 j8 k8", "sum(position.state) > 0; position.cells[position.move('i8')] == 0"},
		{"clock", "tictactoe", "", "clock.steps > 0; clock.time == None"},
		{"random", "tictactoe", "", "0 <= random() and random() < 1; random(1) == 0; sum([1, 2.5]) == 3.5; math.sqrt(9) == 3"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			source := "def choose(position, clock):\n    move = position.moves()[0]\n"
			for want := range strings.SplitSeq(tc.wants, "; ") {
				source += "    if not (" + want + "):\n        fail(" + strconv.Quote(want) + ")\n"
			}
			source += "    return move\n"
			g, pl, err := open(t, tc.game, source, bot.Options{})
			if err != nil {
				t.Fatal(err)
			}
			p := g.Start()
			if err := notation.Play(p, tc.moves); err != nil {
				t.Fatal(err)
			}
			if _, err := pl.Move(context.Background(), p, search.Limits{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSameSeed: the same seed plays the same game, also in a child that has played others; another seed plays another.
func TestSameSeed(t *testing.T) {
	source := bot.Examples()[0].Text
	games := map[string]bool{}
	for _, seed := range []uint64{1, 2, 1, 2} {
		g, pl, err := open(t, "gomoku", source, bot.Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		moves, _ := play(t, g, pl, against(t, g, "random"))
		games[moves] = true
		player.Close(pl)
	}
	if len(games) != 2 {
		t.Errorf("%d games of two seeds", len(games))
	}
}

// TestTreeSearch: krow's tree search with the values of a program sees wins, and the same program plays the same.
func TestTreeSearch(t *testing.T) {
	const tree = "search(by = 'mcts')\n"
	moves := map[string]bool{}
	for range 2 {
		g, pl, err := open(t, "tictactoe", tree+bot.Examples()[3].Text, bot.Options{Seed: 1, Limits: bot.Limits{Steps: 20_000}})
		if err != nil {
			t.Fatal(err)
		}
		all, o := play(t, g, pl, against(t, g, "random"))
		moves[all] = true
		if o != game.FirstWins {
			t.Errorf("%s: %v against random", all, o)
		}
		player.Close(pl)
	}
	if len(moves) != 1 {
		t.Errorf("the same seed plays %v", moves)
	}
	// The program alone says which move is good, and the search believes it.
	g, pl, err := open(t, "gomoku", tree+"def evaluate(position): return 1000 if position.at(3, 4) == position.me else -1",
		bot.Options{Limits: bot.Limits{Steps: 300_000}})
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start()
	if err := notation.Play(p, "e6 f6"); err != nil {
		t.Fatal(err)
	}
	if m, err := pl.Move(t.Context(), p, search.Limits{}); err != nil || g.Format(m) != "d5" {
		t.Errorf("plays %s, %v, want d5", g.Format(m), err)
	}
}

// TestMemoryLastsOneGame: a scratch memory lives for a game and no longer.
func TestMemoryLastsOneGame(t *testing.T) {
	const source = `
def choose(position, clock):
    memory["moves"] = memory.get("moves", 0) + 1
    if memory["moves"] != position.ply // 2 + 1:
        fail("memory of another game")
    return position.moves()[0]
`
	for range 2 {
		g, pl, err := open(t, "tictactoe", source, bot.Options{})
		if err != nil {
			t.Fatal(err)
		}
		play(t, g, pl, against(t, g, "random"))
		player.Close(pl)
	}
}

// TestSetUp: a position without its past is asked about, too.
func TestSetUp(t *testing.T) {
	g, pl, err := open(t, "tictactoe", "def choose(position, clock):\n    return position.wins(position.me)[0]", bot.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := notation.ParseFEN(g, "3/oo1/xx1 x 4")
	if err != nil {
		t.Fatal(err)
	}
	if m, err := pl.Move(context.Background(), p, search.Limits{}); err != nil || g.Format(m) != "c1" {
		t.Errorf("got %v, %v, want c1", m, err)
	}
}

// TestParametersAreSet: declared parameters are told and set.
func TestParametersAreSet(t *testing.T) {
	const source = "W = param('w', 1, 0, 10)\ndef choose(position, clock):\n    return int(W)"
	g, _, err := open(t, "tictactoe", source, bot.Options{})
	if err != nil {
		t.Fatal(err)
	}
	program := bot.Program{Name: "test", Text: []byte(source)}
	d, err := bot.Declare(g, program)
	if err != nil || d.Way != "choose" || len(d.Params) != 1 || d.Params[0] != (bot.Param{Name: "w", Default: 1, High: 10}) {
		t.Errorf("declared %+v, %v", d, err)
	}
	for x, want := range map[float64]string{5: "c2", 11: "is not between", -1: "is not between"} {
		got := ""
		pl, err := bot.Open(g, program, bot.Options{Params: map[string]float64{"w": x}})
		if err != nil {
			got = err.Error()
		} else if m, err := pl.Move(context.Background(), g.Start(), search.Limits{}); err == nil {
			got = g.Format(m)
			player.Close(pl)
		}
		if !strings.Contains(got, want) {
			t.Errorf("w = %v: got %s, want %s", x, got, want)
		}
	}
	if _, err := bot.Open(g, program, bot.Options{Params: map[string]float64{"v": 1}}); err == nil {
		t.Error("a parameter that is not declared is accepted")
	}
}

var update = flag.Bool("update", false, "write the table of the interface into its page")

// TestReferenceHoldsTable: the page of the interface holds its table.
func TestReferenceHoldsTable(t *testing.T) {
	const page, begin, end = "../../docs/reference/bots.md", "<!-- interface -->\n", "<!-- end -->"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	table := ""
	for _, i := range bot.Interface() {
		table += "| `" + i.Signature + "` | " + i.Doc + " |\n"
	}
	head, rest, ok := strings.Cut(string(data), begin)
	got, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("the page has no marks of the table")
	}
	if *update {
		if err := os.WriteFile(page, []byte(head+begin+table+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if got != table {
		t.Error("the page lacks this table: go test ./player/bot -update writes it\n" + table)
	}
}
