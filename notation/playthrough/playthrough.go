// SPDX-License-Identifier: Apache-2.0

// Package playthrough writes down a game as its rules show it, ply by ply: the drawn board, turn, key, legal and
// forbidden moves, outcome. Kept next to the code, it lets a test detect any change of the rules.
// docs/reference/formats/playthrough.md describes the lines.
//
// # Basics
//
//	moves := playthrough.Random(g, seed)
//	err := playthrough.Write(os.Stdout, g, moves, 10)
//
// CITE: Lanctot et al., OpenSpiel: A Framework for Reinforcement Learning in Games, 2019, whose playthroughs gave the idea.
package playthrough

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// version is the format's; the first line of a playthrough has it.
const version = 1

// Random returns a game of g played to its end, each move drawn evenly from the legal ones.
func Random(g game.Game, seed uint64) []game.Move {
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

// Write plays the moves and writes a line for each position. It draws the first board, the last, and some between.
func Write(w io.Writer, g game.Game, moves []game.Move, every int) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "krow playthrough %d\ngame %s\n", version, g)
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
