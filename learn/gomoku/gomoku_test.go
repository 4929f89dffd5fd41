// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"bytes"
	"compress/gzip"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/selfplay"
	"github.com/krow-lab/krow/notation/binpack"
)

// kinds returns the four games on two boards.
func kinds(t testing.TB) (all []game.Game) {
	t.Helper()
	for _, make := range []func(int) (*mnk.Game, error){mnk.Gomoku, mnk.Standard, mnk.Caro, renju.New} {
		for _, side := range []int{15, 9} {
			g, err := make(side)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, g)
		}
	}
	return all
}

// playFile plays some games and returns them, and the file that they would be in.
func playFile(t testing.TB, g game.Game, o selfplay.Options) (f *selfplay.File, games []binpack.Game) {
	t.Helper()
	err := selfplay.Generate(t.Context(), Engine{}, []game.Game{g}, o, func(made *selfplay.File) (err error) {
		f = made
		games, err = Games(f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return f, games
}

// TestGamesFollowFromTheirHeader: games follow from their header, whatever the jobs. What is read of them is legal.
func TestGamesFollowFromTheirHeader(t *testing.T) {
	for _, g := range kinds(t) {
		t.Run(g.String(), func(t *testing.T) {
			o := selfplay.Options{Seed: 4, First: 2, Games: 6, Nodes: 60, Jobs: 1}
			one, games := playFile(t, g, o)
			o.Jobs = 3
			if two, _ := playFile(t, g, o); !reflect.DeepEqual(one, two) {
				t.Fatal("games of one job and of three differ")
			}
			n := 0
			for i := range games {
				if err := Each(g, &games[i], 0, func(p game.Position, l Label) {
					if n++; l.Best != game.NoMove && !game.Legal(p, l.Best) {
						t.Fatalf("game %d, ply %d: the choice %s is not legal", i, p.Ply(), g.Format(l.Best))
					}
				}); err != nil {
					t.Fatal(err)
				}
			}
			if n != one.Positions || n == 0 {
				t.Errorf("%d positions, and the header says %d", n, one.Positions)
			}
		})
	}
}

// TestEach reads a game with a stray move, a move beside it, and a win.
//
//	opening a1, then b1 +10, stray c1 for d1 -20, e1 +30 with f1 +7 beside it; the first side to play won
func TestEach(t *testing.T) {
	g := kinds(t)[0]
	scored := func(cell int, score int16) binpack.Move { return binpack.Move{Cell: cell, Score: score, Scored: true} }
	b := binpack.Game{Side: 15, Result: binpack.Won, Opening: []int{0}, Plies: [][]binpack.Move{
		{scored(1, 10)}, {{Cell: 2}, scored(3, -20)}, {scored(4, 30), scored(5, 7)},
	}}
	type seen struct {
		stones int
		Label
	}
	// With lambda 0.5 the first position is shown by the second, which a stray move cuts off from the rest.
	const lambda = 0.5
	last := (Chance(30) + 1) / 2
	want := []seen{
		{1, Label{10, 1, false, 1, (Chance(10) + 1 - Chance(-20)) / 2}},
		{2, Label{-20, 3, false, 0, Chance(-20)}},
		{3, Label{30, 4, true, 1, last}},
		{4, Label{-7, game.NoMove, false, 0, Chance(-7) - besideShare*(last-Chance(30))}},
	}
	var got []seen
	err := Each(g, &b, lambda, func(p game.Position, l Label) { got = append(got, seen{p.Ply(), l}) })
	if err != nil || len(got) != len(want) {
		t.Fatalf("got %+v, %v", got, err)
	}
	for i := range got {
		if math.Abs(got[i].Shown-want[i].Shown) > 1e-12 {
			t.Errorf("position %d: shown %v, want %v", i, got[i].Shown, want[i].Shown)
		}
		got[i].Shown, want[i].Shown = 0, 0
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, bad := range []binpack.Game{{Side: 14}, {Side: 15, Rule: binpack.Renju}, {Side: 15, Opening: []int{7, 7}}} {
		if err := Each(g, &bad, 0, func(game.Position, Label) {}); err == nil {
			t.Errorf("%+v is taken for a game of %s", bad, g)
		}
	}
}

// TestShown: a proof needs no game to show it, and a game that was called a draw shows a draw.
func TestShown(t *testing.T) {
	scored := func(score int16) []binpack.Move { return []binpack.Move{{Score: score, Scored: true}} }
	for _, tc := range []struct {
		name   string
		result binpack.Result
		plies  [][]binpack.Move
		lambda float64
		want   []float64
	}{
		{"nothing", binpack.Won, nil, 1, []float64{}},
		{"a proof against the result", binpack.Lost, [][]binpack.Move{scored(Win - 9)}, 1, []float64{1}},
		{"a win proved in the end", binpack.Won, [][]binpack.Move{scored(0), scored(0), scored(Win - 5)}, 1, []float64{1, 0, 1}},
		{"half of it", binpack.Won, [][]binpack.Move{scored(0), scored(Win - 5)}, 0.5, []float64{0.25, 1}},
		{"a draw", binpack.Drawn, [][]binpack.Move{scored(70), scored(-70)}, 1, []float64{0.5, 0.5}},
		{"the search alone", binpack.Won, [][]binpack.Move{scored(0), scored(0)}, 0, []float64{0.5, 0.5}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := shown(&binpack.Game{Result: tc.result, Plies: tc.plies}, tc.lambda); !reflect.DeepEqual(got, tc.want) {
				t.Errorf("shown %v, want %v", got, tc.want)
			}
		})
	}
	for _, tc := range []struct {
		score            int
		correction, want float64
	}{{Win - 4, 0.3, 1}, {4 - Win, -0.3, 0}, {0, 0.5, 0.5 - 0.5*besideShare}, {-400, 1, 0}} {
		if got := beside(tc.score, tc.correction); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("beside(%d, %v) = %v, want %v", tc.score, tc.correction, got, tc.want)
		}
	}
}

func TestFileRefusesDamage(t *testing.T) {
	head := `{"game":"gomoku","seed":1,"number":0,"games":0,"nodes":7}` + "\n"
	const magic, damaged = "krow games of five in a row ", "not a file of games of five in a row, or a damaged one"
	for _, tc := range []struct{ name, text, want string }{
		{"another file", "krow weights", damaged},
		{"no header", magic + "1\n", damaged},
		{"a newer version", magic + "2\n" + head, `the games of five in a row have version "2"; this krow reads version 1`},
		{"a game too few", magic + "1\n" + strings.Replace(head, `"games":0`, `"games":1`, 1), "the file has 0 games instead of 1"},
		{"half a game", magic + "1\n" + head + "abc", "game 1: the file ends in the middle of a game"},
		{"", magic + "1\n" + head, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out bytes.Buffer
			z := gzip.NewWriter(&out)
			_, _ = z.Write([]byte(tc.text))
			_ = z.Close()
			open := func(data []byte) error {
				f, err := selfplay.Unpack(data, Format)
				if err == nil {
					_, err = Games(f)
				}
				return err
			}
			err := open(out.Bytes())
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || err.Error() != tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
			if open(out.Bytes()[:out.Len()-9]) == nil {
				t.Error("a file that was cut is read")
			}
		})
	}
}

// TestGeneratePlaysLostFileAgain: a file that is not there is played again, byte for byte; others are not touched.
func TestGeneratePlaysLostFileAgain(t *testing.T) {
	dir, two := t.TempDir(), kinds(t)[:2]
	o := selfplay.Options{Nodes: 30, Dir: dir, Games: 5, Chunk: 2, Seed: 9, Jobs: 1}
	var told []selfplay.Header
	if err := selfplay.Generate(t.Context(), Engine{}, two, o, func(f *selfplay.File) error {
		h := f.Header
		h.Positions = 0
		told = append(told, h)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want := []selfplay.Header{
		{Game: "gomoku", Seed: 9, Games: 2, Nodes: 30},
		{Game: "gomoku:9", Seed: 9, Games: 2, Nodes: 30},
		{Game: "gomoku", Seed: 9, Number: 1, Games: 1, Nodes: 30},
	}
	if !reflect.DeepEqual(told, want) {
		t.Fatalf("headers %+v, want %+v", told, want)
	}
	lost := filepath.Join(dir, "gomoku-seed-9-00001.games.gz")
	before, err := os.ReadFile(lost)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.Stat(filepath.Join(dir, "gomoku-9-seed-9-00000.games.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(lost); err != nil {
		t.Fatal(err)
	}
	if err := selfplay.Generate(t.Context(), Engine{}, two, o, nil); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(lost)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file that was lost is another now, %v", err)
	}
	if again, err := os.Stat(filepath.Join(dir, kept.Name())); err != nil || !os.SameFile(kept, again) {
		t.Errorf("a file that was there is written again, %v", err)
	}
	o.Nodes++
	if err := selfplay.Generate(t.Context(), Engine{}, two, o, nil); err == nil || !strings.Contains(err.Error(), "choose another folder or seed") {
		t.Errorf("games of other settings: %v", err)
	}
}

func BenchmarkGame(b *testing.B) {
	for _, g := range kinds(b) {
		b.Run("game="+g.String(), func(b *testing.B) {
			n, games := 0, 0
			for b.Loop() {
				f, _ := playFile(b, g, selfplay.Options{Seed: 1, First: games, Games: 1, Nodes: 700, Jobs: 1})
				games, n = games+1, n+f.Positions
			}
			b.ReportMetric(float64(n)/float64(games), "positions/game")
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}

// TestOpeningWon: random stones of this seed make five in a row, and other stones are drawn.
func TestOpeningWon(t *testing.T) {
	g, err := mnk.Gomoku(6)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Engine{}.newGame(g)
	if err != nil {
		t.Fatal(err)
	}
	p.rng = rand.New(learn.NewSource(747))
	if p.playOpening(t.Context()); p.p.Outcome() != game.Ongoing {
		t.Errorf("the opening ends in %v", p.p.Outcome())
	}
}

// TestOpeningsAreLegal: openings are legal, of many lengths, and the game goes on after them.
func TestOpeningsAreLegal(t *testing.T) {
	g := kinds(t)[0]
	lengths := map[int]bool{}
	for i := range 200 {
		of, err := Engine{}.newGame(g)
		if err != nil {
			t.Fatal(err)
		}
		of.rng = rand.New(learn.NewSource(uint64(i)))
		of.playOpening(t.Context())
		moves, p := of.p.AppendHistory(nil), g.Start()
		for _, m := range moves {
			if err := game.Play(p, m); err != nil {
				t.Fatalf("opening %d: %v", i, err)
			}
		}
		if lengths[len(moves)] = true; p.Outcome() != game.Ongoing {
			t.Errorf("opening %d: %v", i, p.Outcome())
		}
	}
	if len(lengths) < longestOpening-2 || !lengths[longestOpening] {
		t.Errorf("openings of the lengths %v", lengths)
	}
}
