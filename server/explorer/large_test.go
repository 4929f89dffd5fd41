// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/server/explorer"
	"github.com/krow-lab/krow/server/store"
)

// TestLargeCollection is the measurement of docs/measurements/page.md: 100,000 games are imported, and positions of them asked for.
// It wants KROW_LONG, and tells rather than judges.
func TestLargeCollection(t *testing.T) {
	if os.Getenv("KROW_LONG") == "" {
		t.Skip("a measurement of some 40 s: KROW_LONG=1 runs it")
	}
	g := board(t, "gomoku", "").Game()
	rng := rand.New(rand.NewPCG(1, 1))
	var games [][]game.Move
	var sgf strings.Builder
	for range 100_000 {
		moves, outcome := near(g, 25+rng.IntN(40), rng)
		result := map[game.Outcome]string{game.FirstWins: "B+", game.SecondWins: "W+"}[outcome]
		if outcome == game.Ongoing {
			result = []string{"B+R", "W+R", "0"}[rng.IntN(3)]
		}
		games = append(games, moves)
		fmt.Fprintf(&sgf, "(;GM[4]SZ[15]PB[player %d]PW[player %d]DT[%d]RE[%s]", rng.IntN(5000), int(5000*rng.Float64()*rng.Float64()), 1990+rng.IntN(35), result)
		for i, m := range moves {
			cell := g.Start().(game.Board).Cell(m)
			fmt.Fprintf(&sgf, ";%c[%c%c]", "BW"[i%2], 'a'+cell%15, 'a'+14-cell/15)
		}
		sgf.WriteString(")\n")
	}
	name := filepath.Join(t.TempDir(), "krow.db")
	db, err := store.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	e, begun := explorer.New(db), time.Now()
	r, err := e.Import(t.Context(), "large", []explorer.File{file("large.sgf", sgf.String())}, explorer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("imported %d games in %.0f s, %d duplicates, %d bad", r.Added, time.Since(begun).Seconds(), r.Duplicates, r.Bad)
	for _, why := range r.Reasons {
		t.Errorf("%d games are bad: %s", why.Games, why.First)
	}
	for _, file := range []string{name, name + "-wal"} {
		if info, err := os.Stat(file); err == nil {
			t.Logf("%s: %.1f MB", filepath.Ext(file), float64(info.Size())/1e6)
		}
	}
	for _, tc := range []struct {
		name string
		f    explorer.Filter
	}{
		{"all games", explorer.Filter{}},
		{"of one player", explorer.Filter{Player: "player 77"}},
		{"won by the first", explorer.Filter{Outcome: game.FirstWins}},
		{"of ten years", explorer.Filter{From: 2000, To: 2009}},
		{"all three", explorer.Filter{Player: "player 1", Outcome: game.SecondWins, From: 2000}},
	} {
		var took []time.Duration
		found := 0
		for i := range 400 {
			b := g.Start().(game.Board)
			if i > 0 {
				moves := games[rng.IntN(len(games))]
				for _, m := range moves[:rng.IntN(min(13, len(moves)))] {
					b.Play(m)
				}
			}
			begun := time.Now()
			v, err := e.Explore(b, tc.f)
			if err != nil {
				t.Fatal(err)
			}
			took = append(took, time.Since(begun))
			found += len(v.Games)
			if i == 0 {
				t.Logf("%s: the empty board, %d games in %v", tc.name, v.Results.All(), took[0])
			}
		}
		slices.Sort(took)
		t.Logf("%s: of 400 positions the middle %v, 95 of 100 %v, 99 of 100 %v, the slowest %v; %d games shown", tc.name, took[200], took[380], took[396], took[399], found)
	}
}

// near plays random moves beside those before.
func near(g game.Game, n int, rng *rand.Rand) ([]game.Move, game.Outcome) {
	b := g.Start().(game.Board)
	columns, rows := b.Size()
	x, y := columns/2, rows/2
	for b.Ply() < n && b.Outcome() == game.Ongoing {
		m, err := g.Parse(game.FormatCell(x+y*columns, columns))
		if err == nil && game.Play(b, m) == nil && rng.IntN(3) > 0 {
			continue
		}
		at := b.Cell(b.AppendHistory(nil)[rng.IntN(b.Ply())])
		x, y = min(max(at%columns+rng.IntN(5)-2, 0), columns-1), min(max(at/columns+rng.IntN(5)-2, 0), rows-1)
	}
	return b.AppendHistory(nil), b.Outcome()
}
