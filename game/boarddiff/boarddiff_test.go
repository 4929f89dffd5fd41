// SPDX-License-Identifier: Apache-2.0

package boarddiff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/boarddiff"
	"github.com/krow-lab/krow/game/mnk"
)

// TestMirror applies the changes to a copy of the test's own, which must be the board after each Sync.
func TestMirror(t *testing.T) {
	for _, name := range []string{"pente", "connect4", "connect6", "gomoku", "one cell"} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s/seed=%d", name, seed), func(t *testing.T) {
				follow(t, start(t, name), rand.New(rand.NewPCG(seed, 9)))
			})
		}
	}
}

func start(t *testing.T, name string) game.Board {
	var g *mnk.Game
	var err error
	switch name {
	case "pente":
		g, err = mnk.Pente(9)
	case "connect4":
		g, err = mnk.Connect4(7, 6, 4)
	case "connect6":
		g, err = mnk.Connect6(13)
	case "gomoku":
		g, err = mnk.Gomoku(15)
	default:
		g, err = mnk.MNK(1, 1, 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g.Start().(game.Board)
}

func follow(t *testing.T, p game.Board, rng *rand.Rand) {
	var m boarddiff.Mirror
	m.Reset(p)
	mine := slices.Clone(p.Cells())
	apply := func(changes []boarddiff.Change) {
		for _, c := range changes {
			if mine[c.Cell] != c.Old {
				t.Fatalf("%+v where %d stands", c, mine[c.Cell])
			}
			mine[c.Cell] = c.New
		}
	}
	for range 400 {
		moves := p.AppendMoves(nil)
		switch told := rng.IntN(40) > 0; {
		case len(moves) == 0 || p.Ply() > 0 && rng.IntN(4) == 0:
			if p.Undo(); told {
				undone := m.Undo()
				for _, c := range slices.Backward(undone) {
					mine[c.Cell] = c.Old
				}
			}
		default:
			mv := moves[rng.IntN(len(moves))]
			if told {
				apply(m.Play(mv))
			}
			p.Play(mv)
		}
		if rng.IntN(2) == 0 {
			continue
		}
		if apply(m.Sync()); !slices.Equal(mine, p.Cells()) || !slices.Equal(m.Cells(), mine) {
			t.Fatalf("ply %d: %v, want %v", p.Ply(), mine, p.Cells())
		}
	}
}
