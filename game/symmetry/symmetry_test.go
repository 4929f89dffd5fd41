// SPDX-License-Identifier: Apache-2.0

package symmetry_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/notation"
)

func lineOf(t *testing.T, spec, moves string) *symmetry.Line {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	all, err := notation.ParseMoves(g, moves)
	if err != nil {
		t.Fatal(err)
	}
	l := symmetry.NewLine(g)
	for _, m := range all {
		if err := l.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// A random game means the same in every view: the same moves are legal or forbidden, it ends at the same ply in the same
// way, and the key is the same whichever view is played.
func TestViews(t *testing.T) {
	tests := []struct {
		spec  string
		views int
	}{
		{"tictactoe", 8},
		{"gomoku", 8},
		{"gomoku:20x15", 4},
		{"renju", 8},
		{"caro:9", 8},
		{"standard:9x7", 4},
		{"connect4", 2},
		{"connect6:9", 8},
		{"pente:9", 8},
		{"ultimate", 8},
		{"atarigo:7", 8},
		{"mnk:7,6,4", 4},
	}
	for _, tc := range tests {
		g, err := krow.Game(tc.spec)
		if err != nil {
			t.Fatal(err)
		}
		views := symmetry.Of(g)
		if len(views) != tc.views {
			t.Errorf("%s has %d views, want %d", tc.spec, len(views), tc.views)
		}
		for seed := range uint64(6) {
			t.Run(fmt.Sprintf("%s/seed=%d", tc.spec, seed), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 1))
				v := views[rng.IntN(len(views))]
				l, seen := symmetry.NewLine(g), symmetry.NewLine(g)
				for l.Position().Outcome() == game.Ongoing {
					legal := l.Position().AppendMoves(nil)
					m := legal[rng.IntN(len(legal))]
					if err := l.Play(m); err != nil {
						t.Fatal(err)
					}
					if err := seen.Play(v.Moves[m]); err != nil {
						t.Fatalf("%s after %s: %v", g.Format(v.Moves[m]), notation.FormatMoves(g, seen.Position().AppendHistory(nil)), err)
					}
					if l.Key() != seen.Key() || l.Position().Outcome() != seen.Position().Outcome() {
						t.Fatalf("ply %d: keys %x and %x, %s and %s", l.Position().Ply(), l.Key(), seen.Key(), l.Position().Outcome(), seen.Position().Outcome())
					}
				}
				for range l.Position().AppendHistory(nil) {
					l.Undo()
				}
				if l.Key() != symmetry.NewLine(g).Key() {
					t.Error("taking all moves back does not lead to the start")
				}
			})
		}
		for i, v := range views {
			w := v.Inverse()
			for m := range v.Moves {
				if int(w.Moves[v.Moves[m]]) != m {
					t.Errorf("%s: view %d and back takes %s elsewhere", tc.spec, i, g.Format(game.Move(m)))
				}
			}
		}
	}
}

// Positions that differ have different keys, and so have the same stones under other rules.
func TestDifferentPositionsDifferInKey(t *testing.T) {
	same := [][2]string{{"h8 h9 i9", "h8 g8 g9"}, {"h8 i9 g7 a1", "g7 i9 h8 a1"}, {"h8 g7", "h8 i9"}}
	for _, tc := range same {
		if a, b := lineOf(t, "gomoku", tc[0]), lineOf(t, "gomoku", tc[1]); a.Key() != b.Key() {
			t.Errorf("%s and %s have different keys", tc[0], tc[1])
		}
	}
	seen := map[uint64]string{}
	for _, spec := range []string{"gomoku", "renju", "gomoku:13"} {
		for _, moves := range []string{"", "h8", "h8 h9", "h8 i9", "h8 i9 h9", "h8 h9 i9", "h9"} {
			key := lineOf(t, spec, moves).Key()
			if other, ok := seen[key]; ok {
				t.Errorf("%s %s has the key of %s", spec, moves, other)
			}
			seen[key] = spec + " " + moves
		}
	}
	// A database keeps keys: another way to compute them needs a migration that drops its places.
	if got := lineOf(t, "gomoku", "h8 i9 g7").Key(); got != 0x98d0f9bbaf37585f {
		t.Errorf("the key has become %#x", got)
	}
}
