// SPDX-License-Identifier: Apache-2.0

package threat_test

import (
	"fmt"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/threat"
)

// literal counts the threats of First on a line sentence by sentence as the definition reads, by trying all
// intervals of cells. It shares nothing with the package but the names of the classes.
func literal(line []game.Stone, k int, exact bool) map[string]int {
	const own = game.FirstStone
	counts := map[string]int{}
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
		return is(gap, game.Empty) && maximal(i, gap) && maximal(gap+1, j) && a < k-1 && b < k-1 && a+b >= k-1
	}
	for i := range len(line) {
		for j := i + 1; j <= len(line); j++ {
			part := false // of a gapped threat
			for x := range len(line) + 1 {
				part = part || gapped(i, j, x) || gapped(x, i-1, j)
			}
			if maximal(i, j) && !part {
				if name := classify(line, i, j, k, exact); name != "" {
					counts[name]++
				}
			}
			for gap := i; gap < j; gap++ {
				if gapped(i, gap, j) {
					counts[fmt.Sprintf("%d half-open", k-1)]++
				}
			}
		}
	}
	return counts
}

// classify names the run [i, j), which is no part of a gapped threat.
func classify(line []game.Stone, i, j, k int, exact bool) string {
	a := j - i
	if a >= k {
		if exact && a != k {
			return ""
		}
		return fmt.Sprintf("%d complete", k)
	}
	l, r := 0, 0
	for i-l-1 >= 0 && line[i-l-1] == game.Empty {
		l++
	}
	for j+r < len(line) && line[j+r] == game.Empty {
		r++
	}
	switch L := a + min(l, k-a) + min(r, k-a); {
	case L > k:
		return fmt.Sprintf("%d open", a)
	case L == k:
		return fmt.Sprintf("%d half-open", a)
	}
	return fmt.Sprintf("%d closed", a)
}

// TestLiteral compares every line of up to 9 cells with the literal definition, for every k that matters and
// both rules, in all four directions of a board that has no other stones, scanned and counted move by move.
func TestLiteral(t *testing.T) {
	for n := 1; n <= 9; n++ {
		lines := 1
		for range n {
			lines *= 3
		}
		for k := 1; k <= min(n+1, 6); k++ {
			for code := range lines {
				checkLine(t, decode(code, n), k, code%2 == 1)
				if n < 8 {
					checkLine(t, decode(code, n), k, code%2 == 0)
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

func checkLine(t *testing.T, line []game.Stone, k int, exact bool) {
	t.Helper()
	want := literal(line, k, exact)
	b := &board{columns: len(line), rows: 1, k: k, exact: exact, cells: line}
	got := map[string]int{}
	for _, f := range threat.Find(b) {
		if f.Side == game.First && f.Dir == threat.Row {
			got[fmt.Sprintf("%d %s", f.Size, f.Class)]++
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("k=%d exact=%v line %v: found %v, want %v", k, exact, line, got, want)
	}
}
