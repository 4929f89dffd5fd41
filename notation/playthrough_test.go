// SPDX-License-Identifier: Apache-2.0

package notation_test

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
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
)

var update = flag.Bool("update", false, "rewrite the goldens")

// TestPlaythroughs compares a game of each kind with its playthrough: a game written down as its rules show it, ply by ply. The test
// detects any change of the rules. docs/reference/formats/playthrough.md describes the lines.
//
// CITE: Lanctot et al., OpenSpiel: A Framework for Reinforcement Learning in Games, 2019, whose playthroughs gave the idea.
func TestPlaythroughs(t *testing.T) {
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
			moves := randomGame(tc.g, 1)
			if tc.moves != "" {
				moves = must(notation.ParseMoves(tc.g, tc.moves))
			}
			var b bytes.Buffer
			if err := writePlaythrough(&b, tc.g, moves, tc.every); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", "playthroughs", tc.file+".txt"), b.String())
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

func TestPlaythroughErrors(t *testing.T) {
	g := must(mnk.TicTacToe(3, 3))
	var illegal *game.IllegalMoveError
	if err := writePlaythrough(&bytes.Buffer{}, g, []game.Move{4, 4}, 1); !errors.As(err, &illegal) {
		t.Errorf("Write of an illegal move: %v, want an IllegalMoveError", err)
	}
	if err := writePlaythrough(failing{}, g, []game.Move{4}, 1); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Write to a closed file: %v, want ErrClosed", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }

// playthroughVersion is the format's; the first line of a playthrough has it.
const playthroughVersion = 1

// randomGame returns a game of g played to its end, each move drawn evenly from the legal ones.
func randomGame(g game.Game, seed uint64) []game.Move {
	// Spelled out, so that another Go release plays the same game.
	rng := rand.NewPCG(seed, 0)
	p := g.Start()
	var moves []game.Move
	for p.Outcome() == game.Ongoing {
		moves = p.AppendMoves(moves[:0])
		p.Play(moves[rng.Uint64()%uint64(len(moves))])
	}
	return p.AppendHistory(nil)
}

// writePlaythrough plays the moves and writes a line for each position. It draws the first board, the last, and some between.
func writePlaythrough(w io.Writer, g game.Game, moves []game.Move, every int) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "krow playthrough %d\ngame %s\n", playthroughVersion, g)
	p := g.Start()
	for i, m := range moves {
		if i%max(every, 1) == 0 {
			fmt.Fprintf(b, "\n%s\n", notation.FormatPosition(p))
		}
		writePly(b, p)
		if err := game.Play(p, m); err != nil {
			return fmt.Errorf("playthrough of %s: %w", g, err)
		}
		fmt.Fprintf(b, "  plays %s\n", g.Format(m))
	}
	fmt.Fprintf(b, "\n%s\n", notation.FormatPosition(p))
	writePly(b, p)
	fmt.Fprintf(b, "  %s\n", p.Outcome())
	return b.Flush()
}

// writePly writes what can be seen of p, on one line that is not ended yet.
func writePly(w io.Writer, p game.Position) {
	moves := p.AppendMoves(nil)
	fmt.Fprintf(w, "ply %3d  %-6s  key %016x  legal %3d", p.Ply(), p.Turn(), p.Key(), len(moves))
	if s, ok := p.(game.Settable); ok {
		for i, n := range s.Setup().Memory {
			if i == 0 {
				fmt.Fprint(w, "  memory")
			}
			fmt.Fprintf(w, " %d", n)
		}
	}
	word := "  forbidden"
	for m, why := range game.Forbidden(p, moves) {
		fmt.Fprintf(w, "%s %s (%s)", word, p.Game().Format(m), why)
		word = ""
	}
}
