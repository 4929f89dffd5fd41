// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/searchtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func searcher(t testing.TB, g game.Game, o Options) *Searcher {
	t.Helper()
	s, err := New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func find(t testing.TB, s *Searcher, p game.Position, lim search.Limits) search.Info {
	t.Helper()
	before := fmt.Sprint(p.Key(), p.AppendHistory(nil))
	info, err := s.Search(t.Context(), p, lim, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(info.PV) == 0 || !game.Legal(p, info.PV[0]) {
		t.Fatalf("%s: no legal move in %+v", p.Game(), info)
	}
	if after := fmt.Sprint(p.Key(), p.AppendHistory(nil)); after != before {
		t.Fatalf("%s: Search changed the position", p.Game())
	}
	q := p.Clone()
	for _, m := range info.PV {
		if err := game.Play(q, m); err != nil {
			t.Fatalf("%s: pv %v: %v", p.Game(), info.PV, err)
		}
	}
	return info
}

func TestConformance(t *testing.T) {
	searchtest.Run(t, func(g game.Game) search.Searcher {
		s, err := New(g, Options{})
		if err != nil {
			return nil
		}
		return s
	})
}

func TestConformanceOfThreads(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	searchtest.RunOn(t, func(g game.Game) search.Searcher {
		return searcher(t, g, Options{Threads: 3})
	}, m(mnk.MNK(1, 1, 1)), m(mnk.MNK(9, 1, 3)), m(mnk.Connect4(7, 6, 4)), m(mnk.Connect6(7)), m(mnk.Pente(7)))
}

// boards are the 25 of the competition that system D was written for.
var boards = [][3]int{
	{3, 3, 3},
	{4, 3, 3},
	{4, 4, 3},
	{4, 4, 4},
	{5, 4, 4},
	{5, 5, 4},
	{5, 5, 5},
	{6, 4, 4},
	{6, 5, 4},
	{6, 6, 4},
	{6, 6, 5},
	{6, 6, 6},
	{7, 4, 4},
	{7, 5, 4},
	{7, 6, 4},
	{7, 7, 4},
	{7, 5, 5},
	{7, 6, 5},
	{7, 7, 5},
	{7, 7, 6},
	{7, 7, 7},
	{8, 8, 4},
	{10, 10, 5},
	{50, 50, 10},
	{70, 70, 10},
}

func TestBoardsOfTheText(t *testing.T) {
	for _, b := range boards {
		t.Run(fmt.Sprintf("mnk:%d,%d,%d", b[0], b[1], b[2]), func(t *testing.T) {
			g := gametest.Must[*mnk.Game](t)(mnk.MNK(b[0], b[1], b[2]))
			s := searcher(t, g, Options{Nodes: 300})
			p := g.Start()
			for range 12 {
				if p.Outcome() != game.Ongoing {
					break
				}
				p.Play(find(t, s, p, search.Limits{}).PV[0])
			}
		})
	}
}

// odd are boards and rules off the beaten track.
func odd(t testing.TB) []*mnk.Game {
	m := gametest.Must[*mnk.Game](t)
	return []*mnk.Game{
		m(mnk.MNK(1, 9, 3)), m(mnk.MNK(9, 1, 2)), m(mnk.MNK(2, 3, 7)), m(mnk.MNK(1, 1, 1)), m(mnk.MNK(5, 5, 1)),
		m(mnk.Connect4(7, 6, 4)), m(mnk.Connect4(12, 3, 5)), m(mnk.Connect6(9)), m(mnk.Pente(9)), m(mnk.Caro(9)),
		m(mnk.Standard(9)),
	}
}

// TestNodeLimitIsDeterministic holds that a node budget makes the answer depend on the number of threads alone.
func TestNodeLimitIsDeterministic(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.MNK(7, 7, 5))
	plies := 6
	if testing.Short() {
		plies = 2
	}
	for _, threads := range []int{1, 2, 3, 40} {
		t.Run(fmt.Sprintf("threads=%d", threads), func(t *testing.T) {
			p := g.Start()
			used, fresh := searcher(t, g, Options{Threads: threads}), (*Searcher)(nil)
			for range plies {
				fresh = searcher(t, g, Options{Threads: threads})
				a, b := find(t, used, p, search.Limits{Nodes: 2000}), find(t, fresh, p, search.Limits{Nodes: 2000})
				if a.Score != b.Score || !slices.Equal(a.PV, b.PV) || a.Nodes != b.Nodes {
					t.Fatalf("%+v and %+v", a, b)
				}
				if a.Nodes > 2000 {
					t.Fatalf("%d nodes, want 2000 at most", a.Nodes)
				}
				p.Play(a.PV[0])
			}
		})
	}
}

// position sets up the stones of a drawing, the top row first: X moves first, and moves now unless it has more
// stones.
func position(t testing.TB, k int, board string) game.Position {
	t.Helper()
	var rows []string
	for _, line := range strings.Split(board, "\n") {
		if line = strings.ReplaceAll(strings.TrimSpace(line), " ", ""); line != "" {
			rows = append([]string{line}, rows...)
		}
	}
	g := gametest.Must[*mnk.Game](t)(mnk.MNK(len(rows[0]), len(rows), k))
	s := game.Setup{Cells: make([]game.Stone, g.Moves())}
	for c, r := range strings.Join(rows, "") {
		switch r {
		case 'X':
			s.Cells[c], s.Ply = game.FirstStone, s.Ply+1
		case 'O':
			s.Cells[c], s.Ply = game.SecondStone, s.Ply+1
		}
	}
	s.Turn = game.Side(s.Ply % 2)
	p, err := g.SetUp(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTacticsAreFound(t *testing.T) {
	tests := []struct {
		name, board string
		k           int
		want        string // the moves that will do
		solved      bool
	}{
		{"win at once, though the enemy would too", `
			. . . . . . .
			. O O O . . .
			. . . . . . .
			. X X X . . .
			. . . . . . .`, 4, "a2 e2", true},
		{"stop a win", `
			. . . . . . .
			X O O O . . .
			. . . . . . .
			. . . . X . .
			. . X . . . .`, 4, "e4", false},
		{"fork", `
			. . . . . .
			. X . X . .
			. . . . . .
			O . . . . O`, 4, "c3", false},
		{"stop a fork", `
			. . . . . . .
			. . O . O . .
			. . . . . . .
			X . . . . . X`, 4, "d3 b3 f3", false},
		{"k = 1", `. . .`, 1, "a1 b1 c1", true},
	}
	limits := []search.Limits{{Nodes: 1}, {Nodes: 50}, {Nodes: 5000}, {Depth: 1}, {Depth: 3}, {Time: time.Nanosecond}, {Time: 20 * time.Millisecond}}
	for _, tc := range tests {
		for _, lim := range limits {
			t.Run(fmt.Sprintf("%s/%+v", tc.name, lim), func(t *testing.T) {
				p := position(t, tc.k, tc.board)
				info := find(t, searcher(t, p.Game(), Options{}), p, lim)
				if got := p.Game().Format(info.PV[0]); !slices.Contains(strings.Fields(tc.want), got) || info.Solved != tc.solved {
					t.Errorf("%s (score %d, solved %v), want one of %s on %s", got, info.Score, info.Solved, tc.want, tc.board)
				}
			})
		}
	}
}

// TestFullWidthFindsValue holds that a full width search to the end finds the value of tic-tac-toe, and a lost game's length.
func TestFullWidthFindsValue(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.TicTacToe(3, 3))
	s := searcher(t, g, Options{Branching: 9})
	if got := find(t, s, g.Start(), search.Limits{Depth: 9}); got.Score != 0 || got.Solved {
		t.Errorf("tic-tac-toe: %+v, want 0, not solved", got)
	}
	p := g.Start()
	for _, m := range []game.Move{0, 1} {
		p.Play(m)
	}
	if plies, sign := find(t, s, p, search.Limits{Depth: 9}).Score.Distance(); plies != 5 || sign != 1 {
		t.Errorf("after a1 b1: win in %d, sign %d, want a win in 5", plies, sign)
	}
}

func TestLinesInOrder(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.MNK(7, 6, 4))
	for _, threads := range []int{1, 3} {
		s := searcher(t, g, Options{Threads: threads})
		var lines []search.Info
		best, err := s.Search(t.Context(), g.Start(), search.Limits{Nodes: 3000, Lines: 4}, func(i search.Info) {
			i.PV = slices.Clone(i.PV)
			lines = append(lines, i)
		})
		if err != nil || len(lines) != 4 {
			t.Fatalf("%d lines, %v, want 4", len(lines), err)
		}
		seen := map[game.Move]bool{}
		for n, i := range lines {
			if i.Line != n+1 || n > 0 && i.Score > lines[n-1].Score || seen[i.PV[0]] {
				t.Errorf("line %d is %+v", n+1, i)
			}
			seen[i.PV[0]] = true
		}
		if best.PV[0] != lines[0].PV[0] {
			t.Errorf("best %v, first line %v", best.PV, lines[0].PV)
		}
	}
}

// TestForbiddenOnlyAsLast holds that a move that the rules forbid is played only when no other is left.
func TestForbiddenOnlyAsLast(t *testing.T) {
	foul := func(cells []game.Stone, columns, rows, cell int) string {
		if cell%columns == columns/2 {
			return "the middle column"
		}
		return ""
	}
	g := gametest.Must[*mnk.Game](t)(mnk.New(mnk.Rules{Name: "no middle", Columns: 3, Rows: 3, K: 3, Foul: foul}))
	for _, nodes := range []uint64{1, 1000} {
		s := searcher(t, g, Options{Nodes: nodes})
		p := g.Start()
		if m := find(t, s, p, search.Limits{}).PV[0]; m%3 == 1 {
			t.Errorf("nodes=%d: %s is forbidden", nodes, g.Format(m))
		}
	}
	g = gametest.Must[*mnk.Game](t)(mnk.New(mnk.Rules{Name: "only middle", Columns: 1, Rows: 3, K: 3, Foul: foul}))
	if got := find(t, searcher(t, g, Options{Nodes: 100}), g.Start(), search.Limits{}); got.Score >= 0 {
		t.Errorf("nothing but forbidden moves: %+v, want a loss", got)
	}
}

// TestWinningLines holds that a win at once comes first among several lines, and that it alone is solved.
func TestWinningLines(t *testing.T) {
	p := position(t, 3, `
		X X . .
		O O . .
		. . . .`)
	var lines []search.Info
	_, err := searcher(t, p.Game(), Options{}).Search(t.Context(), p, search.Limits{Nodes: 3000, Lines: 3}, func(i search.Info) {
		i.PV = slices.Clone(i.PV)
		lines = append(lines, i)
	})
	if err != nil || len(lines) != 3 {
		t.Fatalf("%d lines, %v, want 3", len(lines), err)
	}
	for n, i := range lines {
		if i.Solved != (n == 0) {
			t.Errorf("line %d: %+v", n+1, i)
		}
	}
	if got := p.Game().Format(lines[0].PV[0]); got != "c3" {
		t.Errorf("%s, want c3", got)
	}
}

// looks counts how often a search asks whether it is still wanted, which it is not after a number of times. A search
// asks when it looks at the clock.
type looks struct {
	context.Context
	n    atomic.Int64
	most int64
}

func (l *looks) Err() error {
	if l.n.Add(1) > l.most {
		return context.Canceled
	}
	return nil
}

// TestSearchStopsInTime: a search looks at the clock often enough, and stops at the first look at a clock that has run out.
func TestSearchStopsInTime(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.MNK(70, 70, 10))
	counts := []int64{1, 10, 100}
	if testing.Short() {
		counts = counts[:2]
	}
	for _, threads := range []int{1, 2} {
		for _, most := range counts {
			l := &looks{Context: t.Context(), most: most}
			s := searcher(t, g, Options{Threads: threads})
			info, err := s.Search(l, g.Start(), search.Limits{Nodes: 1 << 24}, nil)
			if err != nil || len(info.PV) == 0 {
				t.Fatalf("%+v, %v, want a move", info, err)
			}
			// A search that stops values the moves that are left at each ply above.
			if between := float64(info.Nodes) / float64(l.n.Load()); between > clockInterval+float64(info.Depth*s.o.Branching) {
				t.Errorf("threads=%d, %d looks: %.0f nodes from one look at the clock to the next", threads, l.n.Load(), between)
			}
			if n := l.n.Load(); n > most+int64(threads*info.Depth) {
				t.Errorf("threads=%d: %d looks at a clock that ran out at the %dth", threads, n, most)
			}
		}
	}
}

func TestCancelledSearchAnswers(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, g := range odd(t) {
		for _, threads := range []int{1, 2} {
			info, err := searcher(t, g, Options{Threads: threads}).Search(ctx, g.Start(), search.Limits{}, nil)
			if err != nil || len(info.PV) == 0 {
				t.Errorf("%s: %+v, %v, want a move", g, info, err)
			}
		}
	}
}

func TestBadOptionsAreRefused(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.MNK(3, 3, 3))
	for _, o := range []Options{{Depth: -1}, {Depth: maxDepth + 1}, {Branching: -1}, {Branching: maxBranching + 1}, {Threads: -1}, {Time: -1}} {
		if _, err := New(g, o); err == nil {
			t.Errorf("New(%+v) gave no error", o)
		}
	}
	s := searcher(t, g, Options{})
	if _, err := s.Search(t.Context(), gametest.Must[*mnk.Game](t)(mnk.MNK(4, 3, 3)).Start(), search.Limits{}, nil); err == nil {
		t.Error("Search of another game gave no error")
	}
}

// TestSearchSpendsItsNodes: a search spends what it has, but where it has seen every line of the game. Once leaves what its pass leaves.
func TestSearchSpendsItsNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	const nodes = 20_000
	tests := []struct {
		size [3]int
		all  bool // the budget is spent
	}{{[3]int{3, 3, 3}, false}, {[3]int{4, 2, 4}, false}, {[3]int{5, 5, 4}, true}, {[3]int{7, 7, 5}, true}, {[3]int{10, 10, 5}, true}}
	for _, tc := range tests {
		g := gametest.Must[*mnk.Game](t)(mnk.MNK(tc.size[0], tc.size[1], tc.size[2]))
		for _, threads := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s/threads=%d", g, threads), func(t *testing.T) {
				used := find(t, searcher(t, g, Options{Threads: threads}), g.Start(), search.Limits{Nodes: nodes})
				if all := used.Nodes > nodes*9/10; all != tc.all || used.Nodes > nodes {
					t.Errorf("%d of %d nodes, want all of them: %v", used.Nodes, nodes, tc.all)
				}
				once := find(t, searcher(t, g, Options{Threads: threads, Once: true}), g.Start(), search.Limits{Nodes: nodes})
				if once.Nodes >= used.Nodes || once.Depth > used.Depth {
					t.Errorf("one pass: depth %d, %d nodes; more passes: depth %d, %d nodes", once.Depth, once.Nodes, used.Depth, used.Nodes)
				}
			})
		}
	}
}

// TestPassesWiden: one cell of a node is not all, and further passes find the defence that one cell hides.
func TestPassesWiden(t *testing.T) {
	p := position(t, 3, `
		. . .
		. X .
		O . .`)
	once := find(t, searcher(t, p.Game(), Options{Branching: 1, Once: true}), p, search.Limits{Nodes: 100_000})
	if got := find(t, searcher(t, p.Game(), Options{Branching: 1}), p, search.Limits{Nodes: 100_000}); got.Score != 0 || got.Nodes <= once.Nodes {
		t.Errorf("%+v, want a draw with more than %d nodes", got, once.Nodes)
	}
}

// TestWideBoardOpensInTheMiddle: on a board above 22x22 the first move is in the middle, and the second next to it.
func TestWideBoardOpensInTheMiddle(t *testing.T) {
	g, err := mnk.New(mnk.Rules{Columns: 25, Rows: 23, K: 5})
	if err != nil {
		t.Fatal(err)
	}
	s, p := searcher(t, g, Options{}), g.Start()
	for range 2 {
		m := find(t, s, p, search.Limits{Nodes: 500}).PV[0]
		if c := p.(game.Board).Cell(m); c%25 < 8 || c%25 > 16 || c/25 < 7 || c/25 > 15 {
			t.Errorf("a move to %s", g.Format(m))
		}
		p.Play(m)
	}
}
