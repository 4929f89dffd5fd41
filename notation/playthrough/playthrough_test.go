// SPDX-License-Identifier: Apache-2.0

package playthrough_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/playthrough"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// must unwraps a constructor's result.
func must[G any](g G, err error) G {
	if err != nil {
		panic(err)
	}
	return g
}

func TestGoldens(t *testing.T) {
	tests := []struct {
		file  string
		g     game.Game
		moves string // empty: a random game of seed 1
		every int
	}{
		{"tictactoe", must(mnk.TicTacToe(3, 3)), "", 1},
		{"mnk_7,6,4", must(mnk.MNK(7, 6, 4)), "", 5},
		{"gomoku", must(mnk.Gomoku(15)), "", 25},
		// g8 makes six, which do not win; d12 makes five.
		{"standard", must(mnk.Standard(15)), "d8 a1 e8 c1 f8 e1 h8 g1 i8 i1 g8 k1 d9 a3 d10 c3 d11 e3 d12", 11},
		// i8 makes five between d8 and j8, which do not win; e12 makes five with one end free.
		{"caro", must(mnk.Caro(15)), "e8 d8 f8 a1 g8 c1 h8 j8 i8 e7 e9 c3 e10 a3 e11 e5 e12", 9},
		{"connect4", must(mnk.Connect4(7, 6, 4)), "", 5},
		{"connect6_9", must(mnk.Connect6(9)), "", 10},
		{"pente_9", must(mnk.Pente(9)), "", 10},
		// e5 is a double three: forbidden from ply 8 on, and played at ply 10.
		{"renju_9", must(renju.New(9)), "c5 a9 d5 i9 e6 a1 e7 i1 h2 i2 e5", 4},
		{"atarigo_5", must(atarigo.New(5)), "", 4},
		{"ultimate", ultimate.New(ultimate.Rules{}), "", 10},
	}
	for _, tc := range tests {
		t.Run(tc.file, func(t *testing.T) {
			moves := playthrough.Random(tc.g, 1)
			if tc.moves != "" {
				moves = must(notation.ParseMoves(tc.g, tc.moves))
			}
			var b bytes.Buffer
			if err := playthrough.Write(&b, tc.g, moves, tc.every); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("..", "testdata", "playthroughs", tc.file+".txt"), b.String())
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-golden +got), -update rewrites it:\n%s", name, diff)
	}
}

func TestWriteErrors(t *testing.T) {
	g := must(mnk.TicTacToe(3, 3))
	var illegal *game.IllegalMoveError
	if err := playthrough.Write(&bytes.Buffer{}, g, []game.Move{4, 4}, 1); !errors.As(err, &illegal) {
		t.Errorf("Write of an illegal move: %v, want an IllegalMoveError", err)
	}
	if err := playthrough.Write(failing{}, g, []game.Move{4}, 1); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Write to a closed file: %v, want ErrClosed", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }
