// SPDX-License-Identifier: Apache-2.0

package target_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/learn/target"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// TestBotParametersAreLearned: what a bot declares is learned by games alone, and the file of the result plays as the bot at those coordinates.
func TestBotParametersAreLearned(t *testing.T) {
	const source = `
CELL = param("cell", 4, 0, 8)
LOTS = param("lots", 0.5, 0, 1)

def choose(position, clock):
    moves = position.moves()
    if random() < LOTS:
        return moves[random(len(moves))]
    return int(CELL) if int(CELL) in moves else moves[0]
`
	dir := t.TempDir()
	file, out := filepath.Join(dir, "mine.star"), filepath.Join(dir, "learned.json")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	tg := newTarget(t, "tictactoe", "bot:"+file)
	if got := tg.Names(); !slices.Equal(got, []string{"cell", "lots"}) {
		t.Fatalf("parameters %v", got)
	}
	x := []float64{2, -5} // 5.6 and 0
	if got := tg.Values([]float64{100, -100}); !slices.Equal(got, []float64{8, 0}) {
		t.Errorf("values beyond the bounds: %v", got)
	}
	pairs := []target.Pair{{A: x, B: []float64{0, 0}, Seed: 1}, {A: x, B: []float64{1, 5}, Seed: 2}}
	one, err := tg.Play(context.Background(), pairs, target.Playing{Plies: 1, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	two, err := tg.Play(context.Background(), pairs, target.Playing{Plies: 1, Jobs: 2})
	if err != nil || !slices.Equal(one, two) {
		t.Errorf("one at a time %v, two at a time %v, %v", one, two, err)
	}
	if err := tg.Save(out, x, weights.Origin{Game: "tictactoe"}); err != nil {
		t.Fatal(err)
	}
	g := newGame(t, "tictactoe")
	learned, err := krow.Player(g, "bot:"+file+",weights="+out, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close(learned)
	if m, err := learned.Move(context.Background(), g.Start(), search.Limits{}); err != nil || g.Format(m) != "c2" {
		t.Errorf("plays %v, %v, want c2", m, err)
	}
	if _, err := krow.Player(newGame(t, "gomoku"), "bot:"+file+",weights="+out, 1); err == nil || !strings.Contains(err.Error(), "learned for tictactoe") {
		t.Errorf("weights of another game: %v", err)
	}
}
