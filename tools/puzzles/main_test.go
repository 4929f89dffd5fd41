// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
)

// TestMeasure: the engine solves what is a puzzle, and announces nothing where there is no win; what is damaged is an error.
func TestMeasure(t *testing.T) {
	all := []puzzles.Puzzle{
		{Game: "renju", Moves: "", Line: "a1", Plies: 7, Theme: puzzles.VCT},
		{Game: "gomoku", Moves: "h8 a1 i8 a3 j8 a5 k8 a7", Line: "g8", Plies: 6, Theme: puzzles.VCF},
		{Game: "gomoku", Moves: "h8 a1 i8 a3 j8 a5 k8 a7 o1 a9", Line: "l8", Plies: 5, Theme: puzzles.VCF},
	}
	rows, err := solveAll(t.Context(), all, search.Limits{Nodes: 1000})
	right := rows[0].right // either end of the four wins
	want := []row{{"gomoku", puzzles.VCF, 0, 2, 2, right, 2}, {"renju", puzzles.VCT, 0, 1, 0, 0, 0}, {"all", "", 0, 3, 2, right, 2}}
	if err != nil || !slices.Equal(rows, want) {
		t.Errorf("%+v, %v, want %+v", rows, err, want)
	}
	if others, err := puzzles.Load("../../app/puzzles/testdata/rapfi.jsonl"); err != nil || len(others) != 450 {
		t.Errorf("%d wins of Rapfi's, %v", len(others), err)
	} else if rows, err := solveAll(t.Context(), others[:1], search.Limits{Nodes: 10}); err != nil || rows[0].puzzles != 1 || rows[0].plies != 21 {
		t.Errorf("a win without a theme: %+v, %v", rows, err)
	}
	for _, bad := range []puzzles.Puzzle{
		{Game: "gomoku", Moves: "h8 h8", Line: "k8"},
		{Game: "gomoku", Moves: "h8", Line: ""},
		{Game: "gomoku", Moves: "h8", Line: "z99"},
		{Game: "gomoku", Moves: "h8", Line: "h8"},
		{Game: "gomoku", Moves: "a1 b1 a2 b2 a3 b3 a4 b4 a5", Line: "h8"},
		{Game: "gomokku", Line: "a1"},
	} {
		bad.Theme = puzzles.VCT
		if _, err := solveAll(t.Context(), []puzzles.Puzzle{bad}, search.Limits{Nodes: 10}); err == nil {
			t.Errorf("%+v was solved", bad)
		}
	}
}

// TestMineContinues: as many puzzles are found as are wanted, and an interrupted search finds the same ones.
func TestMineContinues(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	q, o := quota{"gomoku", 2}, options{seed: 1, jobs: 1}
	find := func(have ...puzzles.Puzzle) []puzzles.Puzzle {
		all := have
		if err := q.find(t.Context(), o, have, func(p puzzles.Puzzle) error { all = append(all, p); return nil }); err != nil {
			t.Fatal(err)
		}
		return all
	}
	all := find()
	if len(all) != 2 {
		t.Fatalf("%d puzzles, want 2", len(all))
	}
	if again := find(all[:1]...); !slices.Equal(again, all) {
		t.Errorf("a search that continues finds %+v, want %+v", again, all)
	}
}

// TestQuietContinues: an interrupted search finds the same positions, and none has a win.
func TestQuietContinues(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	o := options{file: filepath.Join(t.TempDir(), "quiet.jsonl"), game: "mnk:9,9,5", seed: 1}
	var first string
	for _, o.count = range []int{1, 2} {
		have, err := puzzles.Load(o.file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if err := quiet(t.Context(), o, have); err != nil {
			t.Fatal(err)
		}
		all, err := puzzles.Load(o.file)
		if err != nil || len(all) != o.count || first != "" && all[0].Moves != first {
			t.Fatalf("%d positions, %v, the first %+v, want %d", len(all), err, all, o.count)
		}
		first = all[0].Moves
	}
	again := filepath.Join(t.TempDir(), "again.jsonl")
	whole := o
	whole.file = again
	if err := quiet(t.Context(), whole, nil); err != nil {
		t.Fatal(err)
	}
	a, err := os.ReadFile(o.file)
	b, err2 := os.ReadFile(again)
	if err != nil || err2 != nil || !bytes.Equal(a, b) {
		t.Errorf("%v, %v: with an interruption\n%s\nwithout\n%s", err, err2, a, b)
	}
}

// TestVerify: wins of the collection stand, and a false one is refuted.
func TestVerify(t *testing.T) {
	all, err := puzzles.Load("")
	if err != nil {
		t.Fatal(err)
	}
	n := 20
	if testing.Short() {
		n = 8
	}
	o := options{every: len(all) / n}
	if err := verify(t.Context(), o, all); err != nil {
		t.Error(err)
	}
	wrong := puzzles.Puzzle{Game: "gomoku", Moves: "h8 a1 i8 a2", Line: "a15", Theme: puzzles.VCT, Plies: 5}
	if err := verify(t.Context(), o, []puzzles.Puzzle{wrong}); err == nil {
		t.Error("a win that is none stands")
	}
	i := slices.IndexFunc(all, func(p puzzles.Puzzle) bool { return p.Game == "connect6" && p.Theme == puzzles.Defence })
	wrong = all[i]
	wrong.Line = strings.Fields(wrong.Line)[0] + " a1"
	if err := verify(t.Context(), options{}, []puzzles.Puzzle{wrong}); err == nil {
		t.Error("another turn saves the game, and the wrong defence stands")
	}
}

func testGames(t testing.TB) []*mnk.Game {
	m := gametest.Must[*mnk.Game](t)
	return []*mnk.Game{m(mnk.Gomoku(15)), m(mnk.Standard(15)), m(renju.New(15)), m(mnk.Caro(15))}
}

// TestChecker: the checker finds false wins, and no fault in true ones.
func TestChecker(t *testing.T) {
	g := testGames(t)[0]
	for _, tc := range []struct {
		name, moves string
		attack      []string // the winner's moves, where they are free; the last for good
		true        bool
	}{
		{"five", "h8 a1 i8 a3 j8 a5 k8 a7", []string{"l8"}, true},
		{"open four", "h8 a1 i8 a3 j8 a5", []string{"k8", "g8", "l8"}, true},
		{"a four is not enough", "h8 g8 i8 a3 j8 a5", []string{"k8", "l8", "m8"}, false},
		{"no four left", "h8 a1 i8 a3 j8 a5 k8 l8", []string{"o15", "a15"}, false},
		{"the enemy is first", "h8 a1 i8 a2 j8 a3 n2 a4", []string{"k8", "l8", "g8"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := g.Start()
			if err := notation.Play(p, tc.moves); err != nil {
				t.Fatal(err)
			}
			before := p.Key()
			c := checker{full: true, attack: func(_ context.Context, p game.Position) (game.Move, bool) {
				for _, word := range tc.attack {
					if m, err := g.Parse(word); err == nil && game.Legal(p, m) {
						return m, true
					}
				}
				return game.NoMove, false
			}}
			err := c.wins(t.Context(), p)
			if (err == nil) != tc.true || err != nil && !errors.Is(err, errFalse) {
				t.Errorf("Wins = %v", err)
			}
			if p.Key() != before {
				t.Error("the position was changed")
			}
		})
	}
}

// TestAnnouncedWinsReplay replays wins that the engine announces in games of each rule: short wins against every answer, and
// longer wins against random answers. Each game has its first such win replayed: 3 for each rule, and 125 with KROW_LONG.
func TestAnnouncedWinsReplay(t *testing.T) {
	want, most, sample := 3, 9, 3
	if os.Getenv("KROW_LONG") == "1" {
		want, most, sample = 125, verifyPlies, verifySample
	}
	over := errors.New("the first win of the game has been replayed")
	for _, g := range testGames(t) {
		t.Run(g.String(), func(t *testing.T) {
			m, err := newMiner(g.String(), 1)
			if err != nil {
				t.Fatal(err)
			}
			attack, err := byEngine(g, 200_000)
			if err != nil {
				t.Fatal(err)
			}
			wins, full := 0, 0
			var answers uint64
			for n := 0; wins < want; n++ {
				if err := m.playGame(t.Context(), n, func(p game.Position, plies int) error {
					if plies == 0 {
						return nil
					}
					c := checker{attack: attack, full: plies <= most, sample: sample, rng: rand.New(rand.NewPCG(1, 2))}
					if err := c.wins(t.Context(), p); err != nil {
						return err
					}
					if answers += c.answers; c.full {
						full++
					}
					wins++
					return over
				}); err != nil && !errors.Is(err, over) {
					t.Fatal(err)
				}
			}
			t.Logf("%d wins, %d of them against every answer: %d answers", wins, full, answers)
		})
	}
}
