// SPDX-License-Identifier: Apache-2.0

package analysis_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// TestLevelsPlayedAreNamed lets levels of the ladder play each other and compares the estimate with the truth.
func TestLevelsPlayedAreNamed(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	openings, games := map[string]int{"gomoku": 4}, 3 // by game: number of random stones at the start
	if os.Getenv("KROW_LONG") != "" {
		openings = map[string]int{
			"gomoku": 4, "renju": 4, "connect4": 0, "ultimate": 0, "pente": 4, "pente:rule=keryo": 4, "connect6": 3, "atarigo": 4,
		}
		games = 50
	}
	for name, opening := range openings {
		t.Run(name, func(t *testing.T) {
			g, err := krow.Game(name)
			if err != nil {
				t.Fatal(err)
			}
			levels := len(krow.Levels(g))
			near, all := 0, 0
			for n := range games {
				level := [2]int{1 + n*5%levels, 1 + n*3%levels}
				p := g.Start().(game.Board)
				game.PlayRandom(p, opening, func(k int) int { return (n*7 + 31) % k })
				play(t, p, level, uint64(n))
				got, err := analysis.LevelsPlayed(t.Context(), p, opening, time.Hour)
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range got {
					side := 0
					if l.Side == "second" {
						side = 1
					}
					t.Logf("%s: level %d, estimated %d with %.2f", l.Side, level[side], l.Level, l.Share)
					if all++; max(l.Level-level[side], level[side]-l.Level) <= 1 {
						near++
					}
				}
			}
			t.Logf("%d of %d sides within one level", near, all)
			if near*10 < all*7 {
				t.Errorf("only %d of %d sides within one level", near, all)
			}
		})
	}
}

// TestOrderOfStones exchanges the stones of each turn of Connect6, which does not change the estimate.
func TestOrderOfStones(t *testing.T) {
	g, err := krow.Game("connect6")
	if err != nil {
		t.Fatal(err)
	}
	p, q := g.Start().(game.Board), g.Start().(game.Board)
	play(t, p, [2]int{6, 5}, 1)
	moves := p.AppendHistory(nil)
	for i := 1; i+2 < len(moves); i += 2 { // not the last turn, whose first stone may win
		moves[i], moves[i+1] = moves[i+1], moves[i]
	}
	for _, m := range moves {
		if err := game.Play(q, m); err != nil {
			t.Fatal(err)
		}
	}
	want, err := analysis.LevelsPlayed(t.Context(), p, 0, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	got, err := analysis.LevelsPlayed(t.Context(), q, 0, time.Hour)
	if err != nil || len(got) != len(want) || len(want) == 0 {
		t.Fatalf("levels %v, %v, want %v", got, err, want)
	}
	for i, w := range want {
		if got[i] != w {
			t.Errorf("the order of the stones changes the estimate %+v to %+v", w, got[i])
		}
	}
}

// TestNoLevelForRandomMoves: stones in the corners of an empty board are like no level. The answers in the middle are like one.
func TestNoLevelForRandomMoves(t *testing.T) {
	g, err := krow.Game("gomoku")
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start().(game.Board)
	for _, text := range strings.Fields("a1 h8 o1 i9 a15 g7 o15 j10 a8 f6") {
		m, err := g.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
	}
	got, err := analysis.LevelsPlayed(t.Context(), p, 0, time.Hour)
	if err != nil || len(got) != 1 || got[0].Side != "second" {
		t.Errorf("the sides played at %v, %v, want a level of the second side alone", got, err)
	}
}

// play plays the game to its end between two levels.
func play(t *testing.T, p game.Board, level [2]int, seed uint64) {
	t.Helper()
	var spec [2]string
	for _, s := range krow.Ladders() {
		for side := range spec {
			if s.Game == krow.LadderOf(p.Game()) && s.Level == level[side] {
				spec[side] = s.Measured()
			}
		}
	}
	for p.Outcome() == game.Ongoing {
		pl, err := krow.Player(p.Game(), spec[p.Turn()], seed)
		if err != nil {
			t.Fatal(err)
		}
		m, err := pl.Move(t.Context(), p, search.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
	}
}
