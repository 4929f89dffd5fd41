// SPDX-License-Identifier: Apache-2.0

package plans

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/mnk"
)

var (
	_ eval.Incremental = (*Evaluator)(nil)
	_ eval.MoveScorer  = (*Evaluator)(nil)
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// random adds games of random moves to a new table.
func random(g game.Game, games int) *Table {
	t := NewTable(must(generic.K(g)))
	a := NewAdder(g, t)
	for i := range games {
		p := g.Start()
		game.PlayRandom(p, 1000, rand.New(rand.NewPCG(1, uint64(i))).IntN)
		a.Add(g.Start(), p.AppendHistory(nil), i%3, p.Outcome())
	}
	return t
}

// TestIncrementalEqualsScan walks to and fro. The evaluator that follows must say what one says that scans, for both sides.
func TestIncrementalEqualsScan(t *testing.T) {
	for _, g := range []*mnk.Game{
		must(mnk.TicTacToe(3, 3)), must(mnk.MNK(7, 6, 4)), must(mnk.Gomoku(9)), must(mnk.Connect4(7, 6, 4)), must(mnk.Pente(7)),
		must(mnk.Connect6(8)), must(mnk.MNK(5, 5, 2)), must(mnk.MNK(3, 3, 1)), must(mnk.MNK(1, 4, 3)), must(mnk.MNK(3, 2, 6)),
	} {
		t.Run(g.String(), func(t *testing.T) {
			table := random(g, 30)
			follows, scans := must(New(g, table)), must(New(g, table))
			dice := rand.New(rand.NewPCG(2, 2))
			p := g.Start()
			follows.Reset(p)
			for range 300 {
				if p.Outcome() != game.Ongoing || p.Ply() > 0 && dice.IntN(3) == 0 {
					p.Undo()
					follows.Undo()
				} else {
					m := game.Random(p, dice.IntN)
					if a, b := follows.ScoreMove(p, m), scans.ScoreMove(p, m); a != b {
						t.Fatalf("ply %d: move %s is worth %d, want %d", p.Ply(), g.Format(m), a, b)
					}
					follows.Play(m)
					p.Play(m)
				}
				key := p.Key()
				for s := range game.Side(2) {
					if got, want := follows.Evaluate(p, s), scans.Evaluate(p.Clone(), s); got != want || p.Key() != key {
						t.Fatalf("ply %d: worth for %s is %d, want %d", p.Ply(), s, got, want)
					}
				}
				if a, b := follows.Evaluate(p, game.First), follows.Evaluate(p, game.Second); len(table.Openings) == 0 && a+b != 0 {
					t.Fatalf("worth %d and %d", a, b)
				}
			}
		})
	}
}

// TestState reads states of drawn positions. X is First and moves.
func TestState(t *testing.T) {
	tests := []struct {
		name, board, want string
	}{
		{"empty", `
			. . . . . . .
			. . . . . . .`, "0 00 00 +0"},
		{"four against two threes", `
			. . . . . . .
			. X X X X O .
			. . . . . . .
			. . O O O . .
			. . . . . . O
			. O . . . . O
			. X . . . . O`, "1 10 01 -2"},
		{"open four", `
			. . . . . . . . .
			. X X X X . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . O . O . . O O
			. . . . . . . . .`, "0 20 00 +0"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p := draw(tc.board)
			var c threat.Counter
			c.Reset(p)
			s := stateOf(p, c.Counts(), small(5))
			if s.String() != tc.want {
				t.Errorf("state %s, want %s", s, tc.want)
			}
			if back, ok := parseState(tc.want); back != s || !ok {
				t.Errorf("%q reads as %v, %t", tc.want, back, ok)
			}
		})
	}
	for s := range State(states) {
		if back, ok := parseState(s.String()); back != s || !ok {
			t.Fatalf("%q reads as %v, %t", s, back, ok)
		}
	}
}

// board is stones and a turn, and no game.
type board struct {
	game.Position
	columns, rows int
	cells         []game.Stone
	ply           int
}

func (b *board) Size() (int, int)     { return b.columns, b.rows }
func (b *board) Cells() []game.Stone  { return b.cells }
func (b *board) Cell(m game.Move) int { return int(m) }
func (b *board) K() int               { return 5 }
func (b *board) Exact(game.Side) bool { return false }
func (b *board) Ply() int             { return b.ply }
func (b *board) Turn() game.Side      { return game.First }

func draw(picture string) *board {
	lines := strings.Split(strings.TrimSpace(picture), "\n")
	b := &board{rows: len(lines)}
	for _, line := range slices.Backward(lines) {
		b.columns = len(strings.Fields(line))
		for _, word := range strings.Fields(line) {
			stone := game.Stone(strings.Index(".XO", word))
			b.cells = append(b.cells, stone)
			b.ply += min(1, int(stone))
		}
	}
	return b
}

// TestPlans plays moves of First on an empty row of nine cells, with moves of Second far away.
func TestPlans(t *testing.T) {
	g := must(mnk.MNK(9, 9, 5))
	tests := []struct {
		moves string
		want  Plan
	}{
		{"c5", Quiet},
		{"c5 a1 d5", Quiet},
		{"c5 a1 d5 a3 e5", OpenThree},
		{"c5 b5 d5 a1 e5", HalfOpenThree},
		{"c5 a1 d5 a3 e5 i9 f5", OpenFour},
		{"c5 b5 d5 a1 e5 i9 f5", HalfOpenFour},
		{"c5 b5 d5 a1 e5 i9 f5 h1 g5", Row},
	}
	for _, tc := range tests {
		p, table := g.Start(), NewTable(5)
		for _, word := range strings.Fields(tc.moves) {
			p.Play(must(g.Parse(word)))
		}
		moves := p.AppendHistory(nil)
		NewAdder(g, table).Add(g.Start(), moves, len(moves)-1, game.FirstWins)
		var want Counts
		want[tc.want] = Count{1, 2}
		for s, got := range table.States {
			if *got != want {
				t.Errorf("%s: state %s has %v, want %v", tc.moves, s, *got, want)
			}
		}
		if len(table.States) != 1 || len(table.Openings) != 1 {
			t.Errorf("%s: %d states and %d openings, want one of each", tc.moves, len(table.States), len(table.Openings))
		}
	}
}

// TestTurned: a board has the key of itself turned in any way that the game allows, and no other.
func TestTurned(t *testing.T) {
	tests := []struct {
		game *mnk.Game
		ways int
	}{{must(mnk.Gomoku(9)), 8}, {must(mnk.MNK(7, 6, 4)), 4}, {must(mnk.Connect4(7, 7, 4)), 2}, {must(mnk.Connect4(7, 6, 4)), 2}}
	for _, tc := range tests {
		turned := newTurned(tc.game)
		if len(turned.ways) != tc.ways {
			t.Fatalf("%s is turned in %d ways, want %d", tc.game, len(turned.ways), tc.ways)
		}
		p := tc.game.Start().(game.Board)
		game.PlayRandom(p, 8, rand.New(rand.NewPCG(3, 3)).IntN)
		columns, rows := p.Size()
		mirrored, upside := make([]game.Stone, columns*rows), make([]game.Stone, columns*rows)
		for cell, s := range p.Cells() {
			mirrored[cell/columns*columns+columns-1-cell%columns] = s
			upside[(rows-1-cell/columns)*columns+cell%columns] = s
		}
		key := turned.key(p.Cells())
		if turned.key(mirrored) != key {
			t.Errorf("%s: mirrored it is another position", tc.game)
		}
		if falls := tc.ways == 2; (turned.key(upside) == key) == falls {
			t.Errorf("%s: upside down it is the same position: %t", tc.game, !falls)
		}
		p.Undo()
		if turned.key(p.Cells()) == key {
			t.Errorf("%s: one stone less is the same position", tc.game)
		}
	}
}

// TestEmptyTableKeepsPublishedOrder: without games the order of positions is that of the published heuristic.
func TestEmptyTableKeepsPublishedOrder(t *testing.T) {
	g := must(mnk.Gomoku(9))
	e, fixed := must(New(g, nil)), must(generic.New(g, generic.Fixed(5)))
	type value struct{ plans, fixed eval.Score }
	var all []value
	dice := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		p := g.Start()
		if game.PlayRandom(p, 12, dice.IntN); p.Outcome() == game.Ongoing {
			all = append(all, value{e.Evaluate(p, game.First), fixed.Evaluate(p, game.First)})
		}
	}
	slices.SortFunc(all, func(a, b value) int { return cmp.Compare(a.fixed, b.fixed) })
	if !slices.IsSortedFunc(all, func(a, b value) int { return cmp.Compare(a.plans, b.plans) }) {
		t.Errorf("in another order: %v", all)
	}
}

// TestWinsRaiseTheirPositions: after games that First won from a position, First likes it better and Second less.
func TestWinsRaiseTheirPositions(t *testing.T) {
	g := must(mnk.Gomoku(9))
	p := g.Start()
	game.PlayRandom(p, 9, rand.New(rand.NewPCG(5, 5)).IntN)
	table := NewTable(5)
	before := must(New(g, table)).Evaluate(p, game.First)
	a := NewAdder(g, table)
	moves := append(p.AppendHistory(nil), p.AppendMoves(nil)[0])
	last := before
	for range 5 {
		a.Add(g.Start(), moves, len(moves)-2, game.FirstWins)
		e := must(New(g, table))
		for s, sign := range []eval.Score{1, -1} {
			if now := sign * e.Evaluate(p, game.Side(s)); s == 0 && now <= last || now > 300*eval.Unit {
				t.Errorf("after %d games: worth %d for %s, before %d", table.Openings[a.turned.key(p.(game.Board).Cells())].Games, now, game.Side(s), last)
			}
		}
		last = e.Evaluate(p, game.First)
	}
	n, off := must(New(g, table)).Error(g.Start(), moves, len(moves)-2, game.FirstWins)
	if _, worse := must(New(g, nil)).Error(g.Start(), moves, len(moves)-2, game.FirstWins); n != 2 || off >= worse {
		t.Errorf("error of %d positions is %g, before %g", n, off, worse)
	}
}

// TestTableIsReadBack writes a table, compares every byte, and reads it back. Another game gets no openings.
func TestTableIsReadBack(t *testing.T) {
	g := must(mnk.MNK(9, 9, 5))
	table := NewTable(5)
	table.States[must2(parseState("1 01 10 +2"))] = &Counts{OpenFour: {12, 24}, Quiet: {40, 31}}
	table.Openings[0x123456789abcdef] = Count{7, 9}
	const want = `{"krow":"weights","version":1,"heuristic":"plans","game":"mnk:9,9,5","seed":7,"weights":{"k":5,` +
		`"states":{"1 01 10 +2":[[0,0],[12,24],[0,0],[0,0],[0,0],[40,31]]},"openings":{"0123456789abcdef":[7,9]}}}` + "\n"
	name := filepath.Join(t.TempDir(), "plans.json")
	if err := table.Save(name, weights.Origin{Game: g.String(), Seed: 7}); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(name); err != nil || string(data) != want {
		t.Errorf("%v, file is\n%s\nwant\n%s", err, data, want)
	}
	got, o, err := Load(name, g)
	if d := diff.Diff(table, got); err != nil || d != "" || o.Seed != 7 {
		t.Errorf("%v, %+v (-saved +loaded):\n%s", err, o, d)
	}
	if got, _, err = Load(name, must(mnk.Gomoku(9))); err != nil || len(got.States) != 1 || len(got.Openings) != 0 {
		t.Errorf("another game: %v, %+v", err, got)
	}
	for _, tc := range []struct{ name, old, new, want string }{
		{"k", `"k":5`, `"k":4`, "plans for 4 in a row, not 5"},
		{"no k", `"k":5`, `"k":0`, "weights file: weights: the file has plans for 0 in a row"},
		{"state", "1 01 10 +2", "1 01 40 +2", `weights file: weights: no state "1 01 40 +2"`},
		{"points", "[12,24]", "[12,25]", `weights file: weights: state "1 01 10 +2": 25 half points in 12 games`},
		{"too many", "[7,9]", "[2000000000,9]", `weights file: weights: opening "0123456789abcdef": 9 half points in 2000000000 games`},
		{"key", "0123456789abcdef", "123456789abcdef", `weights file: weights: opening "123456789abcdef": 9 half points in 7 games`},
		{"other field", `"openings"`, `"opening"`, `weights file: weights: json: unknown field "opening"`},
		{"heuristic", `"plans"`, `"generic"`, `the weights are for the heuristic "generic", not plans`},
		{"cut off", `"openings":{"0123456789abcdef":[7,9]}}}` + "\n", "", "not a krow weights file"},
	} {
		bad := filepath.Join(t.TempDir(), "bad.json")
		if err := os.WriteFile(bad, []byte(strings.Replace(want, tc.old, tc.new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Load(bad, g); err == nil || err.Error() != bad+": "+tc.want {
			t.Errorf("%s: error %v, want %q", tc.name, err, tc.want)
		}
	}
}

func must2[T any](v T, ok bool) T {
	if !ok {
		panic("not ok")
	}
	return v
}

// TestSaveMost: the largest table there can be fits in a file, by its states and openings of most games.
func TestSaveMost(t *testing.T) {
	table := NewTable(5)
	for s := range State(states) {
		c := new(Counts)
		for i := range c {
			c[i] = Count{maxGames, 2 * maxGames}
		}
		table.States[s] = c
	}
	for i := range uint64(2 * kept) {
		table.Openings[i] = Count{1 + i, i}
	}
	g, name := must(mnk.Gomoku(15)), filepath.Join(t.TempDir(), "plans.json")
	if err := table.Save(name, weights.Origin{Game: g.String()}); err != nil {
		t.Fatal(err)
	}
	got, _, err := Load(name, g)
	if err != nil || len(got.Openings) != kept || got.Openings[2*kept-1].Games == 0 || got.Openings[0].Games != 0 {
		t.Errorf("%v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	if _, err := New(must(atarigo.New(5)), nil); err == nil || !strings.Contains(err.Error(), "is not a k-in-a-row game") {
		t.Errorf("atari-go: %v", err)
	}
	if _, err := New(must(mnk.Gomoku(9)), NewTable(4)); fmt.Sprint(err) != "plans for 4 in a row, not 5" {
		t.Errorf("another k: %v", err)
	}
}

func BenchmarkEvaluate(b *testing.B) {
	g := must(mnk.Gomoku(15))
	e := must(New(g, random(g, 10)))
	p := g.Start()
	game.PlayRandom(p, 20, rand.New(rand.NewPCG(6, 6)).IntN)
	e.Reset(p)
	m := p.AppendMoves(nil)[50]
	for b.Loop() {
		e.Play(m)
		p.Play(m)
		e.Evaluate(p, game.First)
		p.Undo()
		e.Undo()
	}
}
