// SPDX-License-Identifier: Apache-2.0

package opening_test

import (
	"fmt"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player/opening"
)

// The 26 openings are all there are: every second stone around the middle and every third one in the square of 5 x 5
// has exactly one name, and each name occurs.
func TestNamed(t *testing.T) {
	seen := map[string]int{}
	for _, spec := range []string{"renju", "gomoku"} {
		for second := range 225 {
			for third := range 225 {
				x, y := second%15-7, second/15-7
				u, v := third%15-7, third/15-7
				if max(x, -x, y, -y) != 1 || max(u, -u, v, -v) > 2 || third == 112 || third == second {
					continue
				}
				b := start(t, spec, fmt.Sprintf("h8 %s %s", game.FormatCell(second, 15), game.FormatCell(third, 15)))
				p, ok := opening.Named(b)
				if !ok {
					t.Errorf("h8 %s %s has no name", game.FormatCell(second, 15), game.FormatCell(third, 15))
				}
				seen[p.String()]++
			}
		}
	}
	if len(seen) != 26 {
		t.Errorf("%d names: %v", len(seen), seen)
	}
	for _, tc := range [][3]string{
		{"renju", "h8 h9 i9", "Kagetsu (4D)"},
		{"renju", "h8 g8 g7 a1", "Kagetsu (4D)"},
		{"renju", "h8 g7 g9", "Hogetsu (7I)"},
		{"gomoku", "h8 h9 h7", "Shogetsu (8D)"},
		{"gomoku", "h8 i9 f6", "Suisei (13I)"},
	} {
		if p, _ := opening.Named(start(t, tc[0], tc[1])); p.String() != tc[2] {
			t.Errorf("%s is %s, want %s", tc[1], p, tc[2])
		}
	}
	for _, tc := range [][2]string{{"renju", "h8 h9"}, {"renju", "h8 h9 k9"}, {"renju", "i8 i9 i10"}, {"gomoku:19", "h8 h9 i9"}, {"pente", "j10 j11 k11"}} {
		if p, ok := opening.Named(start(t, tc[0], tc[1])); ok {
			t.Errorf("%s of %s is %s", tc[1], tc[0], p)
		}
	}
}
