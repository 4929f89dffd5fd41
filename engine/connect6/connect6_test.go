// SPDX-License-Identifier: Apache-2.0

package connect6

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/krow-lab/krow/engine/score"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/searchtest"
)

func newGame(t testing.TB, size int) *mnk.Game {
	t.Helper()
	g, err := mnk.Connect6(size)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newSearcher(t testing.TB, g game.Game) *Searcher {
	t.Helper()
	s, err := New(g, Options{Hash: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConformance(t *testing.T) {
	of := func(g game.Game) search.Searcher {
		if !Plays(g) {
			return nil
		}
		return newSearcher(t, g)
	}
	searchtest.Run(t, of)
	searchtest.RunOn(t, of, newGame(t, 2), newGame(t, 19))
}

func TestPlays(t *testing.T) {
	for size, want := range map[int]bool{1: true, 19: true, 22: true, 23: false} {
		if _, err := New(newGame(t, size), Options{}); (err == nil) != want {
			t.Errorf("size %d: %v", size, err)
		}
	}
	g, err := mnk.Gomoku(15)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(g, Options{}); err == nil {
		t.Error("the engine plays gomoku")
	}
}

// TestBoard compares the board with the rules and with a new board of the same position, in random games in which moves are taken
// back.
func TestBoard(t *testing.T) {
	for _, size := range []int{6, 9, 13, 19, 22} {
		dice := rand.New(rand.NewPCG(uint64(size), 1))
		b := &board{geometry: newGeometry(size, size)}
		for range 4 {
			p := newGame(t, size).Start()
			b.load(p)
			for p.Outcome() == game.Ongoing {
				m := p.AppendMoves(nil)
				c := m[dice.IntN(len(m))]
				if dice.IntN(4) > 0 { // near the others, so that threats come up
					h := p.AppendHistory(nil)
					for _, n := range m {
						if len(h) > 0 && dice.IntN(8) == 0 && near(n, h[dice.IntN(len(h))], size) {
							c = n
							break
						}
					}
				}
				at := uint16(int(c)/size*stride + int(c)%size)
				b.set(at, p.Turn())
				b.lift(at, p.Turn())
				b.set(at, p.Turn())
				p.Play(c)
				compare(t, b, p)
			}
		}
	}
}

func near(a, b game.Move, size int) bool {
	x, y := int(a)%size-int(b)%size, int(a)/size-int(b)/size
	return x*x <= 4 && y*y <= 4
}

// compare checks b against p, each number by its definition.
func compare(t *testing.T, b *board, p game.Position) {
	t.Helper()
	lined := p.(game.Lined)
	columns, rows := lined.Size()
	var value2 [2]int32
	var gains [2][cellMask + 1]int32
	var hotWindows, built [2][]uint16
	six := false
	for y := range rows {
		for x := range columns {
			for d, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
				var n [3]int
				inside := true
				for i := range length {
					cx, cy := x+i*step[0], y+i*step[1]
					if cx < 0 || cx >= columns || cy >= rows {
						inside = false
						break
					}
					n[lined.Cells()[cx+cy*columns]]++
				}
				if !inside {
					continue
				}
				w := starting[y*stride+x][d]
				for s := range 2 {
					if n[2-s] > 0 {
						continue
					}
					k := n[1+s]
					six = six || k == length
					value2[s] += value[k]
					for i := range length {
						gains[s][(y+i*step[1])*stride+x+i*step[0]] += gain[k]
					}
					switch {
					case k >= hot:
						hotWindows[s] = append(hotWindows[s], w)
					case k >= 2:
						built[s] = append(built[s], w)
					}
				}
			}
		}
	}
	if _, won := p.Outcome().Winner(); won != six {
		t.Fatalf("%s\nsix: %v", gametest.Picture(p), six)
	}
	for s := range 2 {
		if b.value != value2[0]-value2[1] || !slices.EqualFunc(b.gains[:], gains[s][:], func(w uint64, n int32) bool {
			return uint32(w>>(32*s)) == uint32(n)
		}) {
			t.Fatalf("%s\nside %d: value %d, want %d; gains %v", gametest.Picture(p), s, b.value, value2[0]-value2[1], b.gains)
		}
		for _, l := range []struct {
			got  *list
			want []uint16
		}{{&b.threats[s], hotWindows[s]}, {&b.built[s], built[s]}} {
			got := slices.Sorted(slices.Values(l.got.all[:l.got.n]))
			slices.Sort(l.want)
			if !slices.Equal(got, l.want) {
				t.Fatalf("%s\nside %d: windows %v, want %v", gametest.Picture(p), s, got, l.want)
			}
		}
	}
}

// TestCover compares cover with a trial of all stones.
func TestCover(t *testing.T) {
	const size = 7
	seen := map[int]int{}
	for seed := range uint64(300) {
		dice := rand.New(rand.NewPCG(seed, 2))
		b := &board{geometry: newGeometry(size, size)}
		b.clear()
		for _, c := range b.order {
			if n := dice.IntN(9); n < 4 {
				b.set(c, game.First)
			} else if n == 4 {
				b.set(c, game.Second)
			}
		}
		won := false
		for _, w := range b.threats[0].all[:b.threats[0].n] {
			won = won || b.counts[w]&15 == length
		}
		if won {
			continue
		}
		want := 3
		var free []uint16
		for _, c := range b.order {
			if b.stones[c] == game.Empty {
				free = append(free, c)
			}
		}
		if b.threats[0].n == 0 {
			want = 0
		}
		for _, a := range free {
			b.set(a, game.Second)
			if b.threats[0].n == 0 {
				want = min(want, 1)
			}
			for _, c := range free {
				if c == a || want < 2 {
					continue
				}
				b.set(c, game.Second)
				if b.threats[0].n == 0 {
					want = min(want, 2)
				}
				b.lift(c, game.Second)
			}
			b.lift(a, game.Second)
		}
		if seen[want]++; b.cover(game.First) != want {
			t.Fatalf("seed %d: cover %d, want %d", seed, b.cover(game.First), want)
		}
	}
	if len(seen) < 4 {
		t.Errorf("covers %v: some are missing", seen)
	}
}

// plain replays a claimed win of side over the rules.
type plain struct {
	side game.Side
	seen map[uint64]bool
}

// holds reports whether side wins within the given number of plies: side plays the engine's moves, and the enemy each move that
// does not lose at once.
func (c *plain) holds(t *testing.T, p game.Position, depth int) bool {
	if _, won := p.Outcome().Winner(); won {
		return p.Outcome() == game.WinFor(c.side)
	}
	if p.Outcome() == game.Draw || depth == 0 {
		return false
	}
	key := p.Key()
	if v, ok := c.seen[key]; ok {
		return v
	}
	v := false
	if p.Turn() == c.side {
		info, err := newSearcher(t, p.Game()).Search(context.Background(), p, search.Limits{Nodes: 20_000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(info.PV[0])
		v = c.holds(t, p, depth-1)
		p.Undo()
	} else {
		v = true
		for _, m := range p.AppendMoves(nil) {
			if !v {
				break
			}
			p.Play(m)
			v = c.winsNow(p) || c.holds(t, p, depth-1)
			p.Undo()
		}
	}
	c.seen[key] = v
	return v
}

// winsNow reports whether side can complete six in its next turn, whichever stones the enemy places in the rest of his turn.
func (c *plain) winsNow(p game.Position) bool {
	if p.Outcome() != game.Ongoing {
		return p.Outcome() == game.WinFor(c.side)
	}
	if p.Turn() == c.side {
		return completes(p, c.side)
	}
	// The enemy has a stone left: it must stand in every line that side can complete.
	for _, m := range p.AppendMoves(nil) {
		p.Play(m)
		w := p.Outcome() == game.Ongoing && completes(p, c.side)
		p.Undo()
		if !w {
			return false
		}
	}
	return true
}

// completes reports whether some six cells in line hold four stones of side or more, and none of the other.
func completes(p game.Position, side game.Side) bool {
	b := p.(game.Board)
	columns, rows := b.Size()
	for c := range b.Cells() {
		for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			if x := c%columns + 5*d[0]; x < 0 || x >= columns || c/columns+5*d[1] >= rows {
				continue
			}
			own, other := 0, 0
			for i := range 6 {
				switch b.Cells()[c+i*(d[0]+d[1]*columns)] {
				case side.Stone():
					own++
				case side.Other().Stone():
					other++
				}
			}
			if other == 0 && own >= 4 {
				return true
			}
		}
	}
	return false
}

// TestProvedWins replays claimed wins against every answer.
func TestProvedWins(t *testing.T) {
	long, all, wanted := 0, 0, 8
	if os.Getenv("KROW_LONG") != "" {
		wanted = 500
	}
	for seed := uint64(0); all < wanted; seed++ {
		p := scattered(t, 9, seed)
		if p == nil {
			continue
		}
		info, err := newSearcher(t, p.Game()).Search(t.Context(), p, search.Limits{Nodes: 3000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		plies, sign := info.Score.Distance()
		if !info.Solved || sign <= 0 || plies > 10 || plies <= 2 {
			continue
		}
		if all++; plies > 6 {
			long++
		}
		c := &plain{side: p.Turn(), seen: map[uint64]bool{}}
		if !c.holds(t, p, plies+6) {
			t.Errorf("seed %d: %s\n%v %v does not win in %d", seed, gametest.Picture(p), p.Game().Format(info.PV[0]), info.Score, plies)
		}
	}
	if long == 0 {
		t.Error("no win of more than one double threat")
	}
}

// scattered returns a position after some random moves, at the beginning or in the middle of a turn, or nil if the game is over.
func scattered(t *testing.T, size int, seed uint64) game.Position {
	p := newGame(t, size).Start()
	dice := rand.New(rand.NewPCG(seed, 3))
	if game.PlayRandom(p, 8+dice.IntN(20), dice.IntN); p.Outcome() != game.Ongoing {
		return nil
	}
	return p
}

func TestNoAllocation(t *testing.T) {
	p := scattered(t, 19, 1)
	s := newSearcher(t, p.Game())
	s.w.load(p)
	count := func(nodes uint64) float64 {
		return testing.AllocsPerRun(2, func() {
			s.w.budget, s.w.stopped = search.NewBudget(t.Context(), search.Limits{Nodes: nodes}), false
			s.w.table.Clear()
			s.w.search(-score.Infinity, score.Infinity, 6, 0, 0)
		})
	}
	if few, many := count(10), count(5000); many > few {
		t.Errorf("%v allocations in 10 nodes, %v in 5000", few, many)
	}
}

// played returns the position after moves from the start of a board of 9 x 9.
func played(t *testing.T, moves string) game.Position {
	t.Helper()
	p := newGame(t, 9).Start()
	for _, text := range strings.Fields(moves) {
		m, err := p.Game().Parse(text)
		if err == nil {
			err = game.Play(p, m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func TestWinsAtOnce(t *testing.T) {
	tests := []struct {
		name, moves string
		plies       int
	}{
		{"two stones, and the enemy threatens", "e3 a1 b1 e4 e5 c1 i9 e6 a9 d1 i1", 2},
		{"two stones", "e3 a1 a9 e4 e5 i1 i9 e6 h8 g1 g9", 2},
		{"one stone", "e3 a1 a9 e4 e5 i1 i9 e6 h8 g1 g9 e7", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, lines := range []int{1, 3} {
				p := played(t, test.moves)
				info, err := newSearcher(t, p.Game()).Search(t.Context(), p, search.Limits{Nodes: 1000, Lines: lines}, nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range info.PV {
					p.Play(m)
				}
				if info.Score != eval.Win(test.plies) || p.Outcome() != game.FirstWins {
					t.Errorf("%s\n%d lines: score %v, want a win in %d", gametest.Picture(p), lines, info.Score, test.plies)
				}
			}
		})
	}
}

// TestLines plays the reported lines: a line of a proved win or loss ends the game, and another line has several turns.
func TestLines(t *testing.T) {
	decided, others := 0, 0
	for seed := uint64(0); min(decided, others) < 8; seed++ {
		p := scattered(t, 9, seed)
		if p == nil {
			continue
		}
		side := p.Turn()
		info, err := newSearcher(t, p.Game()).Search(t.Context(), p, search.Limits{Nodes: 3000}, func(search.Info) {})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range info.PV {
			if err := game.Play(p, m); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		plies, sign := info.Score.Distance()
		want := game.WinFor(side)
		if sign < 0 {
			want = game.WinFor(side.Other())
		}
		switch {
		case sign == 0 && info.Depth < 4 && p.Outcome() == game.Ongoing:
		case sign == 0:
			if others++; len(info.PV) < 3 && p.Outcome() == game.Ongoing {
				t.Errorf("seed %d: only %d stones at depth %d", seed, len(info.PV), info.Depth)
			}
		case plies > 6:
			if decided++; p.Outcome() != want {
				t.Errorf("seed %d: %v, but after its line %s\n%s", seed, info.Score, p.Outcome(), gametest.Picture(p))
			}
		}
	}
}

func TestStopsFour(t *testing.T) {
	p := played(t, "e5 a1 a9 e6 e7 i1 i9 e8 a5")
	for range 2 {
		info, err := newSearcher(t, p.Game()).Search(t.Context(), p, search.Limits{Nodes: 1000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(info.PV[0])
	}
	if completes(p, game.First) {
		t.Errorf("the four is open:\n%s", gametest.Picture(p))
	}
}

func BenchmarkSearch(b *testing.B) {
	g := newGame(b, 19)
	p := g.Start()
	dice := rand.New(rand.NewPCG(1, 1))
	game.PlayRandom(p, 30, dice.IntN)
	s := newSearcher(b, g)
	for b.Loop() {
		_ = s.Close() // each search begins with an empty table
		if _, err := s.Search(b.Context(), p, search.Limits{Nodes: 20_000}, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(20_000*b.N)/b.Elapsed().Seconds(), "nodes/s")
}

// TestClock: with a clock the engine plays the second stone that it chose together with the first one.
func TestClock(t *testing.T) {
	s := newSearcher(t, newGame(t, 9))
	p := newGame(t, 9).Start()
	p.Play(40)
	lim := search.Limits{Time: time.Millisecond, Most: 4 * time.Millisecond}
	first, err := s.Search(context.Background(), p, lim, nil)
	if err != nil || len(first.PV) < 2 {
		t.Fatalf("%+v, %v", first, err)
	}
	p.Play(first.PV[0])
	second, err := s.Search(context.Background(), p, lim, nil)
	if err != nil || second.Nodes != 1 || !slices.Equal(second.PV, first.PV[1:]) {
		t.Errorf("%+v, %v after %+v", second, err, first)
	}
	p.Undo()
	for _, m := range p.AppendMoves(nil) {
		if m != first.PV[0] {
			p.Play(m)
			if other, err := s.Search(context.Background(), p, lim, nil); err != nil || other.PV[0] == m {
				t.Errorf("%+v, %v after another stone", other, err)
			}
			break
		}
	}
}
