// SPDX-License-Identifier: Apache-2.0

package renju_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/renju"
)

// TestKnownPoints asks about every empty cell of the positions in testdata.
func TestKnownPoints(t *testing.T) {
	f, err := os.Open("testdata/forbidden.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	positions := 0
	for n := 1; lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		positions++
		r, want := known(t, lines.Text())
		for _, cell := range r.empty() {
			if got := renju.Forbidden(r.cells, 15, 15, cell); got != want[cell] {
				t.Errorf("line %d: Forbidden(%s) = %q, want %q", n, game.FormatCell(cell, 15), got, want[cell])
			}
		}
	}
	if err := lines.Err(); err != nil || positions < 40 {
		t.Fatalf("%d positions, want 40 at least: %v", positions, err)
	}
}

// known reads one line of the file.
func known(t *testing.T, line string) (reference, map[int]renju.Shape) {
	t.Helper()
	r := reference{make([]game.Stone, 225), 15, 15}
	want := map[int]renju.Shape{}
	fields := strings.Split(strings.ReplaceAll(line, "-", ""), "/")
	if len(fields) != 5 {
		t.Fatalf("%d fields, want 5: %s", len(fields), line)
	}
	for i, field := range fields {
		for _, name := range strings.Fields(field) {
			cell, err := game.ParseCell(name, 15, 15)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if i < 2 {
				r.cells[cell] = game.FirstStone + game.Stone(i)
			} else {
				want[cell] = renju.Overline + renju.Shape(i-2)
			}
		}
	}
	return r, want
}
