// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// TestUltimateNet refuses what is no network in one line that offers the heuristic.
func TestUltimateNet(t *testing.T) {
	g, err := krow.Game("ultimate")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "net")
	if err := os.WriteFile(name, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = krow.Player(g, "ultimate:net="+name, 1)
	if err == nil || !strings.Contains(err.Error(), "net=none") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a foreign file: %v", err)
	}
	for _, spec := range []string{"ultimate:net=none", "ultimate:nodes=100,proof=off", "best"} {
		if _, err := krow.Player(g, spec, 1); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

// TestSystemB: the players of system B are its authors' without an argument, and other weights and leaves have names.
func TestSystemB(t *testing.T) {
	g, err := krow.Game("ultimate")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ short, full string }{
		{"greedy", "greedy:eval=indicators(weights=bred,path=off)"},
		{"greedy:eval=indicators(block=on)", "greedy:eval=indicators(weights=hand,block=on)"},
		{"greedy:eval=indicators(weights=hand,change=(enemy-stones=-1,enemy-can-win=-1,decided=-1))", "greedy:eval=indicators(weights=signed)"},
		{"minimax:depth=2", "minimax:depth=2,eval=indicators(weights=bred,path=on)"},
		{"minimax:depth=2,eval=indicators(weights=hand)", "minimax:depth=2,eval=indicators(weights=hand,path=on)"},
		{"alphabeta:depth=2,hash=0", "alphabeta:depth=2,hash=0,eval=indicators(weights=bred,path=off)"},
	}
	for _, tc := range tests {
		t.Run(tc.short, func(t *testing.T) {
			short, full := moves(t, g, tc.short, 20), moves(t, g, tc.full, 20)
			if short != full {
				t.Errorf("plays %s, but %s plays %s", short, tc.full, full)
			}
		})
	}
	for _, other := range []string{"minimax:depth=2,eval=indicators(path=off)", "minimax:depth=2,eval=indicators(weights=hand)", "minimax:depth=2,eval=indicators(change=(centre=9))"} {
		if moves(t, g, other, 20) == moves(t, g, "minimax:depth=2", 20) {
			t.Errorf("%s plays as minimax:depth=2 does", other)
		}
	}
}

// moves are the first moves of a player against itself.
func moves(t *testing.T, g game.Game, text string, n int) string {
	t.Helper()
	p, err := krow.Player(g, text, 1)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for at := g.Start(); len(all) < n; {
		m, err := p.Move(t.Context(), at, search.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g.Format(m))
		at.Play(m)
	}
	return strings.Join(all, " ")
}

// TestShares: against random the players of system B win at least the published shares. The games are the first of
// those in docs/systems.md.
func TestShares(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	g, err := krow.Game("ultimate")
	if err != nil {
		t.Fatal(err)
	}
	share := func(spec string, games int) float64 {
		factory := func(spec string) arena.Factory {
			return arena.Factory{Name: spec, New: func(seed uint64) (player.Player, error) { return krow.Player(g, spec, seed) }}
		}
		m := arena.Match{Game: g, A: factory(spec), B: factory("random"), Games: games, Seed: 1, Jobs: 1}
		s, err := m.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return float64(s.AWins) / float64(s.Games)
	}
	heuristic, minimax := share("greedy", 500), share("minimax", 30)
	if heuristic < 0.905 || minimax < 0.935 {
		t.Errorf("the heuristic wins %.3f and minimax %.3f, want 0.905 and 0.935 at least", heuristic, minimax)
	}
}
