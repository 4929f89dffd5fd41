// SPDX-License-Identifier: Apache-2.0

package threat_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
)

// table is how many threats there are, by size and class.
type table [7][4]int

// literal counts the threats of First on a line sentence by sentence as the definition reads, by trying all
// intervals of cells. It shares nothing with the package but the names of the classes.
func literal(line []game.Stone, k int, exact bool, r threat.Reading) (counts table) {
	const own = game.FirstStone
	is := func(i int, s game.Stone) bool { return 0 <= i && i < len(line) && line[i] == s }
	// A maximal run is [i, j) full of own stones with none before or behind.
	maximal := func(i, j int) bool {
		for n := i; n < j; n++ {
			if !is(n, own) {
				return false
			}
		}
		return i < j && !is(i-1, own) && !is(j, own)
	}
	// Two maximal runs [i, gap) and [gap+1, j) are a gapped threat.
	gapped := func(i, gap, j int) bool {
		a, b := gap-i, j-gap-1
		return is(gap, game.Empty) && maximal(i, gap) && maximal(gap+1, j) && a < k-1 && b < k-1 && (a+b == k-1 || r.Least && a+b >= k-1 || r.All && a+b < k-1)
	}
	for i := range len(line) {
		for j := i + 1; j <= len(line); j++ {
			part := false // of a gapped threat
			for x := range len(line) + 1 {
				part = part || gapped(i, j, x) || gapped(x, i-1, j)
			}
			switch {
			case !maximal(i, j) || part:
			case j-i < k:
				counts[j-i][classify(line, i, j, k, r.Uncapped)]++
			case j-i == k || !exact:
				counts[k][threat.Complete]++
			}
			for gap := i; gap < j; gap++ {
				switch n := j - i - 1; {
				case !gapped(i, gap, j):
				case n < k-1: // the gap filled, this is a run of one more stone that is blocked or free alike
					counts[n][classify(line, i, j, k, false)]++
				default:
					counts[k-1][threat.HalfOpen]++
				}
			}
		}
	}
	return counts
}

// classify returns the class of the run [i, j), which is shorter than k and no part of a gapped threat. A gap counts as a stone.
func classify(line []game.Stone, i, j, k int, uncapped bool) threat.Class {
	a := j - i
	l, r := 0, 0
	for i-l-1 >= 0 && line[i-l-1] == game.Empty {
		l++
	}
	for j+r < len(line) && line[j+r] == game.Empty {
		r++
	}
	if !uncapped {
		l, r = min(l, k-a), min(r, k-a)
	}
	switch L := a + l + r; {
	case L > k:
		return threat.Open
	case L == k:
		return threat.HalfOpen
	}
	return threat.Closed
}

// TestCountsEqualLiteralDefinition compares every line of up to 7 cells with the literal definition, for every k up to 6 and both
// rules, and every line of 8 cells for k = 5, where the rules take turns. With KROW_LONG it compares the lines of 8 cells for
// every k, and those of 9 cells for k = 5.
func TestCountsEqualLiteralDefinition(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	lines, longest := 1, 8
	long := os.Getenv("KROW_LONG") != ""
	if long {
		longest = 9
	}
	for n := 1; n <= longest; n++ {
		lines *= 3
		for k := 1; k <= min(n+1, 6); k++ {
			if k != 5 && (n == 9 || n == 8 && !long) {
				continue
			}
			b := &board{columns: n, rows: 1, k: k}
			for code := range lines {
				b.cells = decode(code, n)
				b.exact = code%2 == 0
				check(t, b)
				if n < 8 {
					b.exact = !b.exact
					check(t, b)
				}
				if t.Failed() {
					return
				}
			}
		}
	}
}

func decode(code, n int) []game.Stone {
	line := make([]game.Stone, n)
	for i := range line {
		line[i] = game.Stone(code % 3)
		code /= 3
	}
	return line
}

func check(t *testing.T, b *board) {
	t.Helper()
	for _, r := range readings {
		var got table
		for _, f := range r.Find(b) {
			if f.Side == game.First && f.Dir == threat.Row {
				got[f.Size][f.Class]++
			}
		}
		if want := literal(b.cells, b.k, b.exact, r); got != want {
			t.Errorf("k=%d exact=%v %+v line %v: found %v, want %v", b.k, b.exact, r, b.cells, got, want)
		}
	}
}

// readings are all readings of the definition, the default first.
var readings = []threat.Reading{{}, {Least: true}, {Uncapped: true}, {Least: true, Uncapped: true}, {All: true}, {All: true, Uncapped: true}}

// TestBoardCountsAddUpLines adds up the literal counts of all lines of random boards, walked by column and row.
func TestBoardCountsAddUpLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for range 300 {
		b := &board{columns: 1 + rng.IntN(8), rows: 1 + rng.IntN(8), k: 1 + rng.IntN(6), exact: rng.IntN(2) == 0}
		for range b.columns * b.rows {
			b.cells = append(b.cells, game.Stone(rng.IntN(3)))
		}
		n := threat.Counter{Reading: readings[rng.IntN(len(readings))]}
		n.Reset(b)
		got := n.Counts()
		for s := range game.Side(2) {
			want := literalBoard(b, s, n.Reading)
			for i, n := range got[s] {
				kind := threat.Kind(i)
				if w := want[kind.Size()][kind.Class(b.k)]; int(n) != w {
					t.Fatalf("%+v: %s has %d threats of size %d, %s, want %d", b, s, n, kind.Size(), kind.Class(b.k), w)
				}
			}
		}
	}
}

func literalBoard(b *board, s game.Side, r threat.Reading) (sum table) {
	for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
		for cell := range b.cells {
			x, y := cell%b.columns, cell/b.columns
			if b.inside(x-d[0], y-d[1]) {
				continue // not the line's first cell
			}
			var line []game.Stone
			for ; b.inside(x, y); x, y = x+d[0], y+d[1] {
				c := b.cells[x+y*b.columns]
				if s == game.Second && c != game.Empty {
					c = 3 - c
				}
				line = append(line, c)
			}
			for size, classes := range literal(line, b.k, b.exact, r) {
				for class, n := range classes {
					sum[size][class] += n
				}
			}
		}
	}
	return sum
}

func (b *board) inside(x, y int) bool { return 0 <= x && x < b.columns && 0 <= y && y < b.rows }
