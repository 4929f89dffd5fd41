// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// beginner plays as a careful beginner does. The first that applies:
//
//  1. win at once;
//  2. in ultimate win a small board; stop a row that the enemy would complete in his turn, or a small board;
//     and do not send the enemy to one that he wins;
//  3. stop an open row that misses two, such as a three of gomoku with both ends free;
//  4. go on with the longest own row that can still win, where most such rows cross; in go play next to the enemy, without being captured at once.
//
// Equals are chosen by lot.
type beginner struct{ rng *rand.Rand }

func (beginner) Name() string { return "beginner" }

func (b beginner) Move(_ context.Context, p game.Position, _ search.Limits) (game.Move, error) {
	moves := game.AppendSound(nil, p)
	b.rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	worth := func(m game.Move) int {
		switch after, won := tried(p, m); {
		case won:
			return 100_000
		case after != nil && loses(after):
			return -100_000
		}
		return b.look(p.(game.Board), m) - b.sends(p, m)
	}
	best, most := game.NoMove, math.MinInt
	for _, m := range moves {
		if w := worth(m); w > most {
			best, most = m, w
		}
	}
	return best, nil
}

// sends returns how bad the small board is to which m sends the enemy: half of a small board, if he wins one there.
func (b beginner) sends(p game.Position, m game.Move) int {
	u, ok := p.(*ultimate.Position)
	if !ok {
		return 0
	}
	u.Play(m)
	defer u.Undo()
	for _, reply := range u.AppendMoves(nil) {
		if b.look(u, reply) >= 20*600 {
			return 20 * 300
		}
	}
	return 0
}

// tried returns whether m wins, and where no row wins the position after it.
func tried(p game.Position, m game.Move) (after game.Position, won bool) {
	side := p.Turn()
	p.Play(m)
	defer p.Undo()
	if _, lined := p.(game.Lined); !lined && p.Outcome() == game.Ongoing {
		after = p.Clone()
	}
	return after, p.Outcome() == game.WinFor(side)
}

// loses says whether the side to move wins at once.
func loses(p game.Position) bool {
	side := p.Turn()
	return slices.ContainsFunc(p.AppendMoves(nil), func(m game.Move) bool {
		p.Play(m)
		defer p.Undo()
		return p.Outcome() == game.WinFor(side)
	})
}

// look returns what a beginner sees in the rows through the cell of m.
func (beginner) look(p game.Board, m game.Move) int {
	columns, rows := p.Size()
	cells, own := p.Cells(), p.Turn().Stone()
	cell, k, square := p.Cell(m), 0, 0
	switch p := p.(type) {
	case game.Lined:
		k = p.K()
	case *ultimate.Position:
		k, square = 3, 3
	}
	x, y := cell%columns, cell/columns
	at := func(x, y int) game.Stone {
		if x < 0 || y < 0 || x >= columns || y >= rows || square > 0 && (x/square != cell%columns/square || y/square != cell/columns/square) {
			return 3
		}
		return cells[x+y*columns]
	}
	if k == 0 { // next to the enemy
		return min(1, len(slices.DeleteFunc([]game.Stone{at(x+1, y), at(x-1, y), at(x, y+1), at(x, y-1)}, func(s game.Stone) bool { return s != 3-own })))
	}
	worth, open, turn := 0, 0, 1 // rows that can still be won; stones of a turn
	if strings.HasPrefix(p.Game().String(), "connect6") {
		turn = 2
	}
	for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		for back := range k {
			var held [4]int
			for i := range k {
				held[at(x+(i-back)*d[0], y+(i-back)*d[1])]++
			}
			switch {
			case held[3] > 0:
			case held[own] >= k-turn && held[3-own] == 0:
				worth = max(worth, 600) // the first of two stones, or a small board
			case held[own] == 0 && held[3-own] >= k-turn:
				worth = max(worth, 500)
			case held[3-own] == 0:
				open++
				worth = max(worth, 10*held[own])
			case k > 4 && held[own] == 0 && held[3-own] == k-2 && back == 0 && at(x+(k-1)*d[0], y+(k-1)*d[1]) == game.Empty,
				k > 4 && held[own] == 0 && held[3-own] == k-2 && back == k-1 && at(x-(k-1)*d[0], y-(k-1)*d[1]) == game.Empty:
				worth = max(worth, 10*(k-2)+5) // before an own row that misses two
			}
		}
	}
	return 20*worth + min(open, 19)
}

// The first level loses to a careful beginner.
func TestFirstLevel(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	const games = 100
	for _, text := range ladders(t) {
		t.Run(text, func(t *testing.T) {
			g, err := krow.Game(text)
			if err != nil {
				t.Fatal(err)
			}
			m := arena.Match{Game: g, Games: games, Seed: 1}
			m.A = arena.Factory{Name: "beginner", New: func(seed uint64) (player.Player, error) {
				return beginner{rand.New(rand.NewPCG(seed, 1))}, nil
			}}
			m.B = arena.Factory{Name: "level:1", New: func(seed uint64) (player.Player, error) { return krow.Player(g, "level:1", seed) }}
			sum, err := m.Run(t.Context())
			t.Logf("the beginner won %d, drew %d and lost %d, %d by forfeit", sum.AWins, sum.Draws, sum.BWins, sum.Forfeits)
			if err != nil || sum.Forfeits > 0 || sum.AWins*10 < games*8 {
				t.Errorf("the beginner won %d of %d games, %v", sum.AWins, games, err)
			}
		})
	}
}

// Each step was measured against the player below it, and is at least 100 Elo stronger. Level 1 is not measured.
func TestLaddersNamePlayers(t *testing.T) {
	last := krow.Step{}
	for _, s := range krow.Ladders() {
		if s.Game != last.Game {
			last = krow.Step{}
		}
		if s.Level != last.Level+1 {
			t.Errorf("%s: level %d after %d", s.Game, s.Level, last.Level)
		}
		if s.Level > 1 && (s.Against != last.Measured() || s.Games < 400 || s.Low <= 100) {
			t.Errorf("%s level %d: %d games against %s, %+d (%+d to %+d); want 400 against %s, from more than +100", s.Game, s.Level, s.Games, s.Against, s.Elo, s.Low, s.High, last.Measured())
		}
		g, err := krow.Game(s.Game)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{s.Player, s.Measured(), fmt.Sprintf("level:%d", s.Level)} {
			p, err := krow.PlayerBy(spec.Untrusted, g, text, 1)
			if err != nil {
				t.Errorf("%s level %d: %v", s.Game, s.Level, err)
				continue
			}
			if _, ok := p.(player.Analyst); !ok {
				t.Errorf("%s level %d does not tell what it thinks", s.Game, s.Level)
			}
			player.Close(p)
		}
		last = s
	}
}

// Every game has a ladder, and the same seed plays the same game.
func TestLevels(t *testing.T) {
	for text, want := range map[string]string{
		"mnk:3,3,3": "tictactoe", "mnk:4,4,4": "tictactoe", "tictactoe:5,k=4": "mnk:7,7,4", "mnk:8,8,5": "gomoku", "gomoku:9": "gomoku",
		"connect4:8x7": "connect4", "atarigo:7": "atarigo", "ultimate:won=open": "ultimate", "caro:exact=on": "caro",
	} {
		g, err := krow.Game(text)
		if err != nil {
			t.Fatal(err)
		}
		if of := krow.LadderOf(g); of != want || len(krow.Levels(g)) < 3 {
			t.Errorf("%s has the %d levels of %s, want those of %s", g, len(krow.Levels(g)), of, want)
		}
		moves := [2]string{}
		for i := range moves {
			p := g.Start()
			for p.Outcome() == game.Ongoing && p.Ply() < 12 {
				level, err := krow.Player(g, "level:2", 7)
				if err != nil {
					t.Fatal(err)
				}
				m, err := level.Move(t.Context(), p, search.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				moves[i] += " " + g.Format(m)
				p.Play(m)
				player.Close(level)
			}
		}
		if moves[0] != moves[1] {
			t.Errorf("%s: seed 7 plays%s, and then%s", g, moves[0], moves[1])
		}
	}
}

// ladders returns the games whose ladders were measured.
func ladders(t *testing.T) (all []string) {
	for _, s := range krow.Ladders() {
		if !slices.Contains(all, s.Game) {
			all = append(all, s.Game)
		}
	}
	if len(all) < 10 {
		t.Fatalf("ladders of %v", all)
	}
	return all
}
