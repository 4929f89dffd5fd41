// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"net/url"
	"slices"
	"testing"

	"github.com/krow-lab/krow/app/diagram"
)

type lines struct{ Steps []diagram.Step }

func TestLine(t *testing.T) {
	s := newSite(t)
	tests := []struct {
		name, game, moves, line string
		makes                   []string
		cells                   []int
	}{
		// A three, its defence, a four at the other end and the five.
		{"gomoku", "gomoku", "e8 a1 f8 c1", "g8 d8 h8 i8", []string{"three", "", "four", ""}, []int{111, 108, 112, 113}},
		{"open four", "gomoku", "e8 a1 f8 c1 g8 e1", "h8 d8 i8", []string{"double", "", "win"}, []int{112, 108, 113}},
		{"columns", "connect4", "4 4 5 5", "3 2 6", []string{"double", "", "win"}, []int{2, 1, 5}},
		{"nothing can be passed", "ultimate", "", "55 51", []string{"", ""}, nil},
		{"two stones a turn", "connect6", "", "j10 k10 k11", []string{"", "", ""}, nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			q := url.Values{"game": {tc.game}, "moves": {tc.moves}, "line": {tc.line}, "makes": {"true"}}
			got := get[lines](s, 200, "GET", "/api/line?"+q.Encode(), nil)
			var makes []string
			var cells []int
			for _, st := range got.Steps {
				makes, cells = append(makes, st.Makes), append(cells, st.Cell)
			}
			if !slices.Equal(makes, tc.makes) {
				t.Errorf("%s after %q makes %q, want %q", tc.line, tc.moves, makes, tc.makes)
			}
			if tc.cells != nil && !slices.Equal(cells, tc.cells) {
				t.Errorf("%s: cells %v, want %v", tc.line, cells, tc.cells)
			}
		})
	}
}

func TestLineSides(t *testing.T) {
	s := newSite(t)
	got := get[lines](s, 200, "GET", "/api/line?game=connect6&line=j10+k10+k11+j11+j12", nil)
	var sides []string
	for _, st := range got.Steps {
		sides = append(sides, st.Side)
	}
	if want := []string{"first", "second", "second", "first", "first"}; !slices.Equal(sides, want) {
		t.Errorf("sides of connect6: %v, want %v", sides, want)
	}
}
