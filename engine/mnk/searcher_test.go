// SPDX-License-Identifier: Apache-2.0

package mnk_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/krow-lab/krow/engine/mnk"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	rules "github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/searchtest"
)

func TestConformance(t *testing.T) {
	searchtest.Run(t, func(g game.Game) search.Searcher {
		s, err := mnk.NewSearcher(g, mnk.Options{Hash: 1 << 20}, nil)
		if err != nil {
			return nil
		}
		return s
	})
}

// TestUnsolvedPositionsAreLeftToOtherSearch: the other search plays positions that are not solved or lost, but not those that are
// drawn or won.
func TestUnsolvedPositionsAreLeftToOtherSearch(t *testing.T) {
	tests := []struct {
		m, n, k int
		moves   string
		asked   bool
		solved  bool
	}{
		{3, 3, 3, "b2", false, true},          // a draw
		{3, 3, 3, "a1 a2 b2", true, true},     // a loss
		{3, 3, 3, "a1 a2 b2 c3", false, true}, // a win
		{9, 9, 5, "e5", true, false},
	}
	for _, tc := range tests {
		g := board(t, tc.m, tc.n, tc.k)
		p := g.Start()
		if err := notation.Play(p, tc.moves); err != nil {
			t.Fatal(err)
		}
		other := &asked{}
		s, err := mnk.NewSearcher(g, mnk.Options{Hash: 1 << 20}, other)
		if err != nil {
			t.Fatal(err)
		}
		info, err := s.Search(t.Context(), p, search.Limits{Nodes: 3000}, nil)
		if err != nil || info.Solved != tc.solved || len(info.PV) == 0 {
			t.Errorf("%s %s: %+v, %v", g, tc.moves, info, err)
		}
		if (other.nodes > 0) != tc.asked || other.nodes > 3000 {
			t.Errorf("%s %s: the other search was given %d nodes", g, tc.moves, other.nodes)
		}
	}
}

// asked is a search that plays the first move and notes the nodes it was given.
type asked struct{ nodes uint64 }

func (a *asked) Search(_ context.Context, p game.Position, lim search.Limits, _ func(search.Info)) (search.Info, error) {
	a.nodes = lim.Nodes
	return search.Info{Line: 1, Depth: 1, PV: p.AppendMoves(nil)[:1]}, nil
}

// TestLoadedSolverResumes: a solver that has loaded another solver's work continues where that one stopped.
func TestLoadedSolverResumes(t *testing.T) {
	g := board(t, 5, 5, 4)
	first := solver(t, g, mnk.Options{})
	a, err := first.Solve(t.Context(), g.Start(), search.Limits{Nodes: 4_000})
	if err != nil || a.Solved() {
		t.Fatalf("%+v, %v", a, err)
	}
	var file bytes.Buffer
	if err := first.Save(&file); err != nil {
		t.Fatal(err)
	}
	second := solver(t, g, mnk.Options{})
	if err := second.Load(&file, 1<<16); err != nil {
		t.Fatal(err)
	}
	b, err := second.Solve(t.Context(), g.Start(), search.Limits{})
	if err != nil || !b.Solved() || b.Low != 0 {
		t.Fatalf("%+v, %v", b, err)
	}
	reports, third := 0, solver(t, g, mnk.Options{})
	third.Report = func(a mnk.Answer) {
		reports++
		if a.Failed > a.Moves || a.Moves == 0 {
			t.Errorf("%d of %d moves fail", a.Failed, a.Moves)
		}
	}
	whole, _ := third.Solve(t.Context(), g.Start(), search.Limits{})
	if b.Nodes <= a.Nodes || b.Nodes-a.Nodes >= whole.Nodes || reports == 0 {
		t.Errorf("%d nodes with %d that were kept, %d in one go; %d reports", b.Nodes, a.Nodes, whole.Nodes, reports)
	}
}

func TestNew(t *testing.T) {
	m := gametest.Must[*rules.Game](t)
	tests := []struct {
		g    game.Game
		o    mnk.Options
		want string
	}{
		{m(rules.MNK(12, 11, 5)), mnk.Options{}, "the m,n,k solver supports boards of up to 128 cells, not 12 x 11"},
		{m(rules.Connect4(4, 4, 4)), mnk.Options{}, "the m,n,k solver does not support connect4:4x4"},
		{m(rules.MNK(3, 3, 3)), mnk.Options{Hash: -1}, "the m,n,k solver does not support a table of -1 bytes"},
	}
	for _, tc := range tests {
		if _, err := mnk.New(tc.g, tc.o); err == nil || err.Error() != tc.want {
			t.Errorf("New(%s) = %v, want %q", tc.g, err, tc.want)
		}
	}
}

func TestNewSearcher(t *testing.T) {
	g := gametest.Must[*rules.Game](t)(rules.Caro(9))
	if _, err := mnk.NewSearcher(g, mnk.Options{}, nil); err == nil || err.Error() != "the m,n,k solver does not support caro:9" {
		t.Errorf("NewSearcher(%s): %v", g, err)
	}
}

// TestSamePositionSameAnswer: the same position under the same limits gets the same answer, solved or not.
func TestSamePositionSameAnswer(t *testing.T) {
	g := board(t, 7, 7, 5)
	for _, nodes := range []uint64{1, 100, 30_000} {
		lim := search.Limits{Nodes: nodes}
		a, _ := solver(t, g, mnk.Options{}).Solve(t.Context(), g.Start(), lim)
		b, _ := solver(t, g, mnk.Options{}).Solve(t.Context(), g.Start(), lim)
		if a != b || a.Low != 0 {
			t.Errorf("%+v, then %+v", a, b)
		}
		if a.Nodes > nodes+200 {
			t.Errorf("%d nodes, limit %d", a.Nodes, nodes)
		}
	}
}
