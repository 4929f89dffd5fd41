// SPDX-License-Identifier: Apache-2.0

package opening

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/search"
)

// Wanted describes the openings that Find must find.
type Wanted struct {
	Count, Plies int
	Seed         uint64
	// Limits are the limits of the search that checks an opening. Before it, several searches choose the last move of the
	// opening; these searches share the same limits, so that together they take as long as the check.
	Limits search.Limits
	Within eval.Score // an opening with a greater absolute score is rejected
}

// Opening is an opening that was found.
type Opening struct {
	Moves []game.Move
	Score eval.Score // score of the position after the opening, for the side to move
	Drawn int        // number of the random draw that produced the opening, from 1
}

// triesEach is the maximum number of openings that are drawn for each wanted opening.
const triesEach = 200

// Find calls found for w.Count openings of g that are pairwise different up to symmetry. All stones except the last are placed
// at random, near each other and near the middle. For the last stone, searches compare up to maxWays cells and choose the cell
// with the most even score. One more search checks the opening. The same arguments give the same openings, if analyze gives the
// same answers. Find returns an error if it finds fewer than w.Count openings.
func Find(ctx context.Context, g game.Game, analyze Analyze, w Wanted, found func(Opening) error) error {
	b, ok := g.Start().(game.Board)
	if !ok {
		return fmt.Errorf("%s has no board to place stones on", g)
	}
	tried := map[string]bool{} // the openings that were tried; the key is the result of normalForm, equal for symmetric openings
	n := 0
	for i := 1; n < w.Count; i++ {
		if i > w.Count*triesEach {
			return fmt.Errorf("of %d random openings of %d plies, only %d are even", i-1, w.Plies, n)
		}
		o, ok := w.draw(ctx, clone(b), analyze, rand.New(rand.NewPCG(w.Seed, uint64(i))), tried)
		if err := ctx.Err(); err != nil {
			return err
		}
		if !ok {
			continue
		}
		n++
		o.Drawn = i
		if err := found(o); err != nil {
			return err
		}
	}
	return nil
}

// draw plays a random opening on b and returns it. It reports whether the opening is new and even.
func (w Wanted) draw(ctx context.Context, b game.Board, analyze Analyze, rng *rand.Rand, tried map[string]bool) (Opening, bool) {
	for b.Ply() < w.Plies-1 && b.Outcome() == game.Ongoing {
		b.Play(humanlike(b, rng))
	}
	if b.Outcome() != game.Ongoing {
		return Opening{}, false
	}
	c := Contest{Analyze: analyze, Limits: w.Limits, Cost: Off(0)}
	b.Play(c.Best(ctx, b, lastStones(b, rng))[0])
	key := normalForm(b)
	if b.Outcome() != game.Ongoing || tried[key] {
		return Opening{}, false
	}
	tried[key] = true
	info, err := analyze(ctx, b, w.Limits)
	if err != nil || Off(0)(info.Score) > w.Within {
		return Opening{}, false
	}
	return Opening{Moves: b.AppendHistory(nil), Score: info.Score}, true
}

// spread is the maximum distance of a stone of an opening from the nearest other stone.
const spread = 4

// humanlike returns a random move near the stones. Moves nearer to the stones are more probable. The first move is in the middle of
// the board.
func humanlike(b game.Board, rng *rand.Rand) game.Move {
	within := 1 + rng.IntN(spread)
	return pick(b, rng, func(cell int) bool {
		return b.Ply() == 0 && isCentral(b, cell) || b.Ply() > 0 && isNear(b, cell, within)
	})
}

// isCentral reports whether the cell is in the middle third of the columns and of the rows.
func isCentral(b game.Board, cell int) bool {
	columns, rows := b.Size()
	x, y := 2*(cell%columns)-columns+1, 2*(cell/columns)-rows+1
	return 3*max(x, -x) <= columns && 3*max(y, -y) <= rows
}

// lastStones returns up to maxWays random moves for the last stone, each in a separate list.
func lastStones(b game.Board, rng *rand.Rand) (ways [][]game.Move) {
	all := Around(b)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, m := range all[:min(len(all), maxWays)] {
		ways = append(ways, []game.Move{m})
	}
	return ways
}

// Around returns those moves that game.AppendSound finds and that are at most spread cells away from a stone. If there are
// none, it returns all moves that game.AppendSound finds.
func Around(b game.Board) []game.Move {
	sound := game.AppendSound(nil, b)
	around := slices.DeleteFunc(slices.Clone(sound), func(m game.Move) bool { return !isNear(b, b.Cell(m), spread) })
	if len(around) == 0 {
		return sound
	}
	return around
}

// normalForm returns a text for the stones of b, which is the same for all positions symmetric to b. A text lists the stones
// cell by cell; normalForm returns the smallest of the texts of b and of its rotations and reflections.
func normalForm(b game.Board) string {
	least := ""
	for _, v := range symmetry.Of(b.Game()) {
		text := make([]byte, len(b.Cells()))
		for cell, stone := range b.Cells() {
			text[v.Cell(cell)] = '0' + byte(stone)
		}
		if s := string(text); least == "" || s < least {
			least = s
		}
	}
	return least
}
