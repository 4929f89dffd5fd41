// SPDX-License-Identifier: Apache-2.0

package page

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// lesson is a lesson of src/lib/lessons.json.
type lesson struct {
	ID, Game, Title string
	Steps           []struct {
		Moves, Aim string
		Plies      int // of a win, with the aim "win"
		Answers    []string
		Task, Done string
	}
}

func lessons(t *testing.T) (all []lesson) {
	t.Helper()
	data, err := os.ReadFile("src/lib/lessons.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestLessonsAreTrue: the answers that a lesson accepts are all moves that do what its step asks for, and no others.
func TestLessonsAreTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	for _, l := range lessons(t) {
		t.Run(l.ID, func(t *testing.T) {
			g, err := krow.Game(l.Game)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range l.Steps {
				p := g.Start()
				moves, err := notation.ParseMoves(g, s.Moves)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range moves {
					p.Play(m)
				}
				if p.Outcome() != game.Ongoing {
					t.Fatalf("step %d: the game is over", i+1)
				}
				var want []string
				e, err := krow.Player(g, "best", 1)
				if err != nil {
					t.Fatal(err)
				}
				defer player.Close(e)
				for _, m := range p.AppendMoves(nil) {
					if reaches(t, e.(player.Analyst), p, m, s.Aim, s.Plies) {
						want = append(want, g.Format(m))
					}
				}
				slices.Sort(want)
				if got := slices.Sorted(slices.Values(s.Answers)); !slices.Equal(got, want) {
					t.Errorf("step %d, %s: the answers are %q, and %q reach it", i+1, s.Aim, got, want)
				}
			}
		})
	}
}

// reaches reports whether a move of p reaches the aim of a step.
func reaches(t *testing.T, engine player.Analyst, p game.Position, m game.Move, aim string, plies int) bool {
	side := p.Turn()
	for f := range game.Forbidden(p, []game.Move{m}) {
		return f == m && aim == "forbidden"
	}
	before, _ := p.(*ultimate.Position)
	won := uint16(0)
	if before != nil {
		won = before.Board().Won[side]
	}
	p.Play(m)
	defer p.Undo()
	switch aim {
	case "small": // it wins a small board
		return before.Board().Won[side] != won
	case "sends": // the opponent has to play in a small board, and cannot win it at once
		b := before.Board()
		return b.Forced != ultimate.Any && ultimate.Completing(b.Stones[side.Other()][b.Forced])&b.Free(int(b.Forced)) == 0
	}
	switch {
	case p.Outcome() != game.Ongoing:
		return aim == "win" && p.Outcome() == game.WinFor(side) || aim == "save"
	case aim == "win" && plies == 1:
		return false
	}
	nodes := uint64(5_000)
	if aim == "save" {
		nodes = 100_000 // what is not refuted by then counts as saved
	}
	info, err := engine.Analyze(t.Context(), p, search.Limits{Nodes: nodes}, func(search.Info) {})
	if err != nil {
		t.Fatal(err)
	}
	n, sign := info.Score.Distance()
	switch aim {
	case "win": // it wins in so many plies, whatever the opponent plays
		return info.Solved && sign < 0 && n < plies
	case "save": // the opponent does not win
		return !info.Solved || sign <= 0
	}
	return false
}
