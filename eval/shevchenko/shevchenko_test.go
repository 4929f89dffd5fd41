// SPDX-License-Identifier: Apache-2.0

package shevchenko_test

import (
	"testing"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/shevchenko"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
)

var (
	closed = shevchenko.Options{Closed: true}
	open   = shevchenko.Options{}
	note   = shevchenko.Options{Note: true}
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func board(columns, rows, k int) *mnk.Game { return must(mnk.MNK(columns, rows, k)) }

// TestValuesOfOneRow plays on one row, so that nothing but the row counts; columns and diagonals hold single stones
// without room.
func TestValuesOfOneRow(t *testing.T) {
	tests := []struct {
		name    string
		k       int
		row     string
		options shevchenko.Options
		want    [2]float64
	}{
		{"five", 5, "XXXXX.OO.", closed, [2]float64{100, 0}},
		{"open four", 5, ".XXXX....", closed, [2]float64{10, 0}},
		{"half-open four", 5, "XXXX....O", closed, [2]float64{10, 0}},
		{"closed four", 5, "XXXXO....", closed, [2]float64{10, 0}},
		{"closed four, thesis", 5, "XXXXO....", open, [2]float64{0, 0}},
		{"gapped four", 5, "XX.XXOOO.", closed, [2]float64{10, 1}},
		{"closed three against nothing", 5, "OXXX.O...", open, [2]float64{0, 0}},
		{"three and two", 5, "XXX...OO.", open, [2]float64{1, 0}},
		{"note: five", 5, "XXXXX...O", note, [2]float64{1000, 0}},
		{"note: gapped four", 5, ".XXX.X.O.", note, [2]float64{100, 0}},
		{"note: three and two", 5, "XXX...OO.", note, [2]float64{10, 1}},
		{"k=3: two and one", 3, "OO.X....O", open, [2]float64{1, 11}},
		{"k=2: no size 0", 2, "X..O", shevchenko.Options{}, [2]float64{10, 10}},
		{"k=1", 1, "X", shevchenko.Options{}, [2]float64{400, 0}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			g := board(len(tc.row), 1, tc.k)
			cells := make([]game.Stone, len(tc.row))
			for i, c := range tc.row {
				cells[i] = map[rune]game.Stone{'X': game.FirstStone, 'O': game.SecondStone}[c]
			}
			p, err := g.SetUp(game.Setup{Cells: cells})
			if err != nil {
				t.Fatal(err)
			}
			e := must(generic.New(g, shevchenko.Weights(must(generic.K(g)), tc.options)))
			for s, want := range tc.want {
				if got := e.Evaluate(p, game.Side(s)).Units(); got != want {
					t.Errorf("%s is worth %v to %s, want %v", tc.row, got, game.Side(s), want)
				}
			}
		})
	}
}
