// SPDX-License-Identifier: Apache-2.0

package published

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/research"
)

func TestLatticePoints(t *testing.T) {
	points := Lattice()
	if len(points) != 3*3*64 || points[0] != (Point{}) {
		t.Fatalf("%d points, the first %+v", len(points), points[0])
	}
	seen := map[Point]bool{}
	for _, p := range points {
		if seen[p] || PointOf(p.Values()) != p {
			t.Errorf("%+v is there twice, or becomes %+v", p, PointOf(p.Values()))
		}
		seen[p] = true
	}
}

// TestLattice holds the verdicts of the lattice against those of Run, and two runs of it on the smallest boards against
// each other.
func TestLattice(t *testing.T) {
	var small, smallest []Cell
	for _, c := range Cells() {
		if c.Size == 3 {
			smallest = append(smallest, c)
		}
		if c.Size == 3 || !testing.Short() && (c.Game == "mnk:4,4,3" || c.Game == "connect4:4x4") {
			small = append(small, c)
		}
	}
	play := func(jobs int, cells []Cell) *Games {
		games, err := PlayLattice(t.Context(), sessionOf(jobs), cells, 1)
		if err != nil {
			t.Fatal(err)
		}
		return games
	}
	games, again := play(2, small), play(1, smallest)
	both := maps.Clone(games.boards)
	maps.DeleteFunc(both, func(b board, _ verdicts) bool { return again.boards[b] == nil })
	if d := cmp.Diff(again.boards, both, cmp.AllowUnexported(board{})); d != "" {
		t.Fatalf("two runs differ:\n%s", d)
	}
	points := Lattice()
	rng := rand.New(rand.NewPCG(1, 1))
	tries := 3
	if testing.Short() {
		tries = 2
	}
	for n := range tries {
		p := points[rng.IntN(len(points))]
		if n == 0 {
			p = points[0]
		}
		for _, learned := range []bool{true, false} {
			o := p.Study(small, 1)
			if !learned {
				o = Control(o)
			}
			rows, err := Run(t.Context(), sessionOf(1), o)
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range rows {
				if got := games.Verdict(i, p, learned); got != r.Result.Verdict {
					t.Errorf("%+v, learned %t, table %s, %s: %s, want %s", p, learned, r.Cell.Table, r.Cell.Game, got, r.Result.Verdict)
				}
			}
		}
	}
}

func sessionOf(jobs int) *research.Session {
	s, _ := session(jobs)
	return s
}
