// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow"
	shared "github.com/krow-lab/krow/app/explorer"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/server/explorer"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

func open(t *testing.T) (*explorer.Explorer, *store.Store) {
	t.Helper()
	db := storetest.Open(t)
	return explorer.New(db), db
}

func file(name, text string) explorer.File {
	return explorer.File{Name: name, Read: func() ([]byte, error) { return []byte(text), nil }}
}

func board(t *testing.T, spec, moves string) game.Board {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start()
	if err := notation.Play(p, moves); err != nil {
		t.Fatal(err)
	}
	return p.(game.Board)
}

// table writes what was played from a position.
func table(t *testing.T, e *explorer.Explorer, b game.Board) string {
	t.Helper()
	v, err := e.Explore(b, explorer.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	s := fmt.Sprint(v.Results.All())
	for _, r := range v.Rows {
		s += fmt.Sprintf(" %s=%d/%d/%d/%d", b.Game().Format(r.Move), r.Results.First, r.Results.Drawn, r.Results.Second, r.Results.Unknown)
	}
	return s
}

// randomGames returns lists of moves, a game a line, and the games.
func randomGames(t *testing.T, spec string, n int, seed uint64) (text string, all [][]game.Move) {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	for range n {
		p := g.Start()
		game.PlayRandom(p, 1+rng.IntN(40), rng.IntN)
		moves := p.AppendHistory(nil)
		all = append(all, moves)
		text += notation.FormatMoves(g, moves) + "\n"
	}
	return text, all
}

// What the explorer says of a position is what counting the games one by one says.
func TestExploreCounts(t *testing.T) {
	for _, spec := range []string{"tictactoe", "connect4", "ultimate", "gomoku:7x5", "renju:9", "connect6:7", "pente:7"} {
		t.Run(spec, func(t *testing.T) {
			e, _ := open(t)
			text, games := randomGames(t, spec, 60, 3)
			r, err := e.Import(t.Context(), "random", []explorer.File{file("a.txt", text)}, explorer.Options{Game: spec})
			if err != nil || r.Read != 60 || r.Added+r.Duplicates != 60 || r.Bad != 0 {
				t.Fatalf("%+v, %v", r, err)
			}
			g := board(t, spec, "").Game()
			views := symmetry.Of(g)
			different := map[string]bool{}
			count := map[uint64]int{} // games by the keys of their positions
			for _, moves := range games {
				if normal := fmt.Sprint(symmetry.Normal(views, moves)); different[normal] {
					continue
				} else {
					different[normal] = true
				}
				l := symmetry.NewLine(g)
				seen := map[uint64]bool{l.Key(): true}
				for _, m := range moves {
					if err := l.Play(m); err != nil {
						t.Fatal(err)
					}
					seen[l.Key()] = true
				}
				for key := range seen {
					count[key]++
				}
			}
			rng := rand.New(rand.NewPCG(5, 5))
			for range 40 {
				moves := games[rng.IntN(len(games))]
				v := views[rng.IntN(len(views))]
				l := symmetry.NewLine(g)
				b := g.Start().(game.Board)
				for _, m := range moves[:rng.IntN(len(moves)+1)] {
					if err := l.Play(v.Moves[m]); err != nil {
						t.Fatal(err)
					}
					b.Play(v.Moves[m])
				}
				got, err := e.Explore(b, explorer.Filter{})
				if err != nil {
					t.Fatal(err)
				}
				if got.Results.All() != count[l.Key()] {
					t.Errorf("%s: %d games, want %d", notation.FormatMoves(g, b.AppendHistory(nil)), got.Results.All(), count[l.Key()])
				}
				rows := 0
				for _, row := range got.Rows {
					if err := l.Play(row.Move); err != nil {
						t.Fatal(err)
					}
					if row.Results.All() != count[l.Key()] {
						t.Errorf("%s: %d games, want %d", g.Format(row.Move), row.Results.All(), count[l.Key()])
					}
					l.Undo()
					rows++
				}
				if rows == 0 && b.Outcome() == game.Ongoing && got.Results.All() > 5 {
					t.Errorf("no row of %d games", got.Results.All())
				}
				for _, x := range got.Games {
					p := g.Start()
					for _, m := range x.Moves[:x.Ply] {
						if err := game.Play(p, m); err != nil {
							t.Fatalf("the game %s as seen from here: %v", notation.FormatMoves(g, x.Moves), err)
						}
					}
					if p.Key() != b.Key() {
						t.Errorf("the game %s does not come to the position", notation.FormatMoves(g, x.Moves))
					}
				}
			}
		})
	}
}

// TestFilter: what a filter lets through counts as if nothing else had been imported.
func TestFilter(t *testing.T) {
	for _, spec := range []string{"gomoku:7x5", "connect4", "pente:7"} {
		t.Run(spec, func(t *testing.T) {
			g := board(t, spec, "").Game()
			_, games := randomGames(t, spec, 80, 7)
			var memory shared.Memory
			keep := func(collection string, pass func(i int) bool) (*explorer.Explorer, int) {
				e, db := open(t)
				c, err := db.Collect(collection)
				if err != nil {
					t.Fatal(err)
				}
				var all []shared.Collected
				for i, moves := range games {
					second := "bert"
					if i%3 == 0 {
						second = "Lind, Anna"
					}
					if !pass(i) {
						continue
					}
					x := shared.Collected{Game: g.String(), First: fmt.Sprint("carl", i), Second: second, Year: 2000 + i%5, Moves: notation.FormatMoves(g, moves), Outcome: uint8(1 + i%2)}
					if err := shared.Index(&x); err != nil {
						t.Fatal(err)
					}
					all = append(all, x)
				}
				n, err := db.AddCollected(c.ID, all)
				if err != nil {
					t.Fatal(err)
				}
				if collection == "all" {
					id, _ := memory.Collect(collection)
					if m, err := memory.AddCollected(id, all); m != n || err != nil {
						t.Fatalf("%d games in memory, %v, want %d", m, err, n)
					}
				}
				return e, n
			}
			whole, added := keep("all", func(int) bool { return true })
			part, n := keep("part", func(i int) bool { return i%3 == 0 && i%2 == 0 && i%5 > 0 && i%5 < 4 })
			if n < 5 {
				t.Fatalf("%d games pass", n)
			}
			f := explorer.Filter{Player: "anna", Outcome: game.FirstWins, From: 2001, To: 2003}
			rng := rand.New(rand.NewPCG(5, 5))
			for range 30 {
				moves := games[rng.IntN(len(games))]
				b := g.Start().(game.Board)
				for _, m := range moves[:rng.IntN(min(len(moves), 6))] {
					b.Play(m)
				}
				got, err := whole.Explore(b, f)
				if err != nil {
					t.Fatal(err)
				}
				want, err := part.Explore(b, explorer.Filter{})
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(want.Rows, got.Rows); d != "" || got.Results != want.Results || len(got.Games) != len(want.Games) {
					t.Errorf("%s: %+v with %d games, want %+v with %d\n%s", notation.FormatMoves(g, b.AppendHistory(nil)), got.Results, len(got.Games), want.Results, len(want.Games), d)
				}
				for _, f := range []explorer.Filter{{}, f} {
					want, err := whole.Explore(b, f)
					if err != nil {
						t.Fatal(err)
					}
					got, err := shared.New(&memory).Explore(b, f)
					if d := cmp.Diff(want, got); d != "" || err != nil {
						t.Errorf("%s: in memory: %v\n%s", notation.FormatMoves(g, b.AppendHistory(nil)), err, d)
					}
				}
			}
			all := memory.Collections()
			if len(all) != 1 || all[0].Games != added {
				t.Fatalf("%+v in memory, want %d games", all, added)
			}
			memory.Empty(all[0].ID)
			if v, err := shared.New(&memory).Explore(board(t, spec, ""), explorer.Filter{}); v.Results.All() != 0 || err != nil {
				t.Errorf("emptied: %+v, %v", v.Results, err)
			}
		})
	}
}

// TestFilterAgain: the same filter counts what has come and gone since it was asked for, in this process or another.
func TestFilterAgain(t *testing.T) {
	name := storetest.File(t)
	var explorers [2]*explorer.Explorer
	var stores [2]*store.Store
	for i := range explorers {
		db, err := store.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		explorers[i], stores[i] = explorer.New(db), db
	}
	e, other := explorers[0], explorers[1]
	counts := func(e *explorer.Explorer, want int) {
		t.Helper()
		v, err := e.Explore(board(t, "gomoku", ""), explorer.Filter{Player: "anna"})
		if err != nil || v.Results.First != want {
			t.Errorf("%+v, %v, want %d games", v.Results, err, want)
		}
	}
	for i, by := range []*explorer.Explorer{e, other, e} {
		counts(e, i)
		game := fmt.Sprintf("(;GM[4]SZ[15]PB[anna]RE[B+];B[%ch])", 'a'+i)
		if _, err := by.Import(t.Context(), "club", []explorer.File{file("a.sgf", game)}, explorer.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	counts(other, 3)
	counts(e, 3)
	all, err := stores[0].Collections()
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	if err := stores[1].DeleteCollection(all[0].ID); err != nil {
		t.Fatal(err)
	}
	counts(e, 0)
}

func TestImport(t *testing.T) {
	e, _ := open(t)
	const sgf = "(;GM[4]SZ[15]PB[anna]PW[bert]RE[B+];B[hh];W[hg];B[ig])\n"
	files := []explorer.File{
		file("a.sgf", sgf+"(;GM[4]SZ[15];B[hh];W[zz])\n"+strings.Replace(sgf, "anna", "ANNA,", 1)),
		file("b.psq", "Piskvorky 15x15, 0:0, 0\n8,8,0\n8,7,0\n"),
		file("c.rif", `<database><games><game id="1" bresult="0"><move>h8 h9 i9</move></game><game id="2"><move>h8 h8</move></game>`),
		file("d.txt", "h8 h9 1/2-1/2\nh8 z9\n1. h8 i9\n2. i8 h9 0-1\n"),
		file("e.jsonl", `{"krow":"games","version":1}`+"\n{}\n"),
		file("f.sgf", "(;GM[4]SZ[15]AB[hh];W[ii])"),
	}
	var told []int
	r, err := e.Import(t.Context(), "mixed", files, explorer.Options{Game: "gomoku", Progress: func(r explorer.Report) { told = append(told, r.Read) }})
	if err != nil {
		t.Fatal(err)
	}
	if r.Added != 5 || r.Duplicates != 1 || r.Bad != 6 || r.Files != 6 || r.Read != 12 || r.Of != 12 {
		t.Errorf("%+v", r)
	}
	want := []string{`a.sgf: line 2: "zz"`, "c.rif: game 2: move 2", "c.rif: line 1:", "d.txt: line 2: move 2", "e.jsonl: line 2: ", "f.sgf: the game does not begin with an empty board"}
	for i, reason := range r.Reasons {
		if i >= len(want) || !strings.HasPrefix(reason.First, want[i]) || reason.Games != 1 {
			t.Errorf("reason %d: %+v", i, reason)
		}
	}
	if len(told) == 0 || told[len(told)-1] != r.Read {
		t.Errorf("told %v", told)
	}
	if got := table(t, e, board(t, "gomoku", "h8")); got != "4 h9=1/1/0/1 i9=0/0/1/0" {
		t.Errorf("after h8: %s", got)
	}
	if got := table(t, e, board(t, "renju", "h8 h9")); got != "1 i9=0/0/1/0" {
		t.Errorf("renju after h8 h9: %s", got)
	}
	again, err := e.Import(t.Context(), "again", files, explorer.Options{Game: "gomoku"})
	if err != nil || again.Added != 0 || again.Duplicates != 6 || again.Bad != 6 {
		t.Errorf("again: %+v, %v", again, err)
	}
}

// An import that is ended has kept what it said it had, and a second one adds the rest.
func TestImportEnded(t *testing.T) {
	e, s := open(t)
	const n = 12_000 // more than what is on its way at once
	var text strings.Builder
	for i := range n {
		fmt.Fprintln(&text, game.FormatCell(i%81, 9), game.FormatCell((i%81+1+i/81%80)%81, 9), game.FormatCell((i%81+1+(i/81+1)%80)%81, 9))
	}
	ctx, cancel := context.WithCancel(t.Context())
	files := []explorer.File{file("a.txt", text.String())}
	said := 0
	_, err := e.Import(ctx, "cut", files, explorer.Options{Game: "gomoku:9", Progress: func(r explorer.Report) {
		said = r.Added
		cancel()
	}})
	if said == 0 || err != nil && !errors.Is(err, context.Canceled) {
		t.Fatalf("%d games and %v", said, err)
	}
	all, err := s.Collections()
	if err != nil || all[0].Games < said {
		t.Fatalf("%+v, %v; want at least the %d games that were told", all, err, said)
	}
	before := all[0].Games
	r, err := e.Import(t.Context(), "cut", files, explorer.Options{Game: "gomoku:9"})
	if err != nil || r.Added == 0 || r.Added+r.Duplicates != r.Read || r.Read != n {
		t.Errorf("%+v, %v", r, err)
	}
	if all, err = s.Collections(); err != nil || all[0].Games != before+r.Added {
		t.Errorf("%+v, %v; want %d games", all, err, before+r.Added)
	}
}

// Games on the page are followed: what is finished comes in, what is deleted goes.
func TestSync(t *testing.T) {
	e, db := open(t)
	add := func(id, moves, outcome string) {
		t.Helper()
		g := store.Game{ID: id, Game: "tictactoe", First: "human", Second: "best", Moves: moves, Plies: len(strings.Fields(moves)), Outcome: outcome, Extra: []byte("{}")}
		if err := db.AddGame(g, ""); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Millisecond) // times are milliseconds
	}
	sync := func() {
		t.Helper()
		for more := true; more; {
			var err error
			if more, err = e.Sync(); err != nil {
				t.Fatal(err)
			}
		}
	}
	add("a", "b2 a1 c3 b1", "first wins")
	add("b", "b2 a1", "ongoing")
	run, err := db.Run("web match", "x", []byte("{}"), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.AddGame(store.Game{Run: run.ID, Game: "tictactoe", First: "x", Second: "y", Moves: "b2 a1 a3", Outcome: "draw"}, ""); err != nil {
		t.Fatal(err)
	}
	sync()
	start := board(t, "tictactoe", "")
	if got := table(t, e, start); got != "2 b2=1/1/0/0" {
		t.Errorf("%s", got)
	}
	sync()
	add("c", "a1 b2 c3", "second wins")
	if err := db.DeleteGame("a"); err != nil {
		t.Fatal(err)
	}
	sync()
	if got := table(t, e, start); got != "2 c3=0/0/1/0 b2=0/1/0/0" {
		t.Errorf("after a game was deleted: %s", got)
	}
}

func TestStartOfGames(t *testing.T) {
	e, _ := open(t)
	g := board(t, "gomoku", "").Game()
	p, err := notation.ParseStones(g, "a1/b2", notation.StonesOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Explore(p.(game.Board), explorer.Filter{}); !errors.Is(err, shared.ErrStart) {
		t.Errorf("a position that was set up: %v", err)
	}
}
