// SPDX-License-Identifier: Apache-2.0

// Package puzzles contains the collection of puzzles that the program tools/puzzles has made, judges the moves that a person
// tries, gives hints, and makes puzzles from a person's own positions. A puzzle is a position with one right move.
//
// # Basics
//
//	all, err := puzzles.Load("")                      // the collection of the program
//	answer, err := all[0].Answer(ctx, "", "h8")       // a person tries h8
//	hint, err := all[0].Hint(ctx, "", 2)
//	p, err := puzzles.Of(ctx, "gomoku", moves, line)  // a puzzle of a person's own game
//
// # Caveats
//
// In games with an exact solver the right move is proved to be the only right move. In five in a row this is not proved: the
// prover, with the nodes that [Make] allows, finds no win by threats after any other move, but another move might still win
// slowly.
package puzzles

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// Puzzle is a position in which one move is right: it is the only move that wins, or the only move that does not lose.
type Puzzle struct {
	Game     string `json:"game"`
	Moves    string `json:"moves"` // the moves from the start of the game to the puzzle's position
	Theme    Theme  `json:"theme,omitempty"`
	Mode     string `json:"mode,omitempty"` // VCF or VCT: older files have a mode instead of a theme
	Plies    int    `json:"plies"`          // number of plies to the win, or to the opponent's win that must be stopped
	Line     string `json:"line"`           // the right move, followed by best play as far as it is proved
	Fours    bool   `json:"fours,omitempty"`
	Tempting int    `json:"tempting"` // number of wrong moves that look good
	Nodes    uint64 `json:"nodes"`    // number of nodes of the search that proved the solution
	Grade    int    `json:"grade"`    // initial rating of the puzzle
	From     string `json:"from"`     // name of the game from which the position is taken
}

//go:embed puzzles.jsonl.gz
var packed []byte

var collection = sync.OnceValues(func() ([]Puzzle, error) { return read(packed) })

// Load reads a file of puzzles, with or without gzip compression. If name is "", it returns the built-in collection.
func Load(name string) ([]Puzzle, error) {
	if name == "" {
		all, err := collection()
		return slices.Clone(all), err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("puzzles: %w", err)
	}
	all, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}

// Select returns the puzzles of the game with the given spec. It returns an error if there is none.
func Select(all []Puzzle, game string) ([]Puzzle, error) {
	g, err := krow.Game(game)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(slices.Clone(all), func(p Puzzle) bool { return p.Game != g.String() })
	if len(all) == 0 {
		return nil, fmt.Errorf("puzzles: none of %s", g)
	}
	return all, nil
}

func read(data []byte) ([]Puzzle, error) {
	if !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		return readLines(bytes.NewReader(data))
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("puzzles: %w", err)
	}
	return readLines(z)
}

// readLines reads puzzles, a JSON object on each line, and ignores empty lines. An error contains the number of its line.
func readLines(r io.Reader) (all []Puzzle, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<16)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var p Puzzle
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("puzzles: line %d: %w", n, err)
		}
		if p.Theme == "" {
			p.Theme = Theme(strings.ToLower(p.Mode))
		}
		all = append(all, p)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("puzzles: %w", err)
	}
	return all, nil
}

// Append appends the puzzle as a line of a file, in the form that Load reads.
func (p *Puzzle) Append(dst []byte) ([]byte, error) {
	text, err := json.Marshal(p)
	return append(append(dst, text...), '\n'), err
}

// Position returns the position of the puzzle, whose game must be g, and the right move. It returns an error if the puzzle has
// no right move.
func (p *Puzzle) Position(g game.Game) (pos game.Position, right game.Move, err error) {
	pos, right = g.Start(), game.NoMove
	if err = notation.Play(pos, p.Moves); err == nil && pos.Outcome() != game.Ongoing {
		err = fmt.Errorf("the game is over: %s", pos.Outcome())
	}
	if err == nil {
		var line []game.Move
		line, err = notation.ParseMoves(g, p.Line)
		switch {
		case err != nil:
		case len(line) == 0:
			err = errors.New("the puzzle has no moves")
		case !game.Legal(pos, line[0]):
			err = fmt.Errorf("the first move of the puzzle, %s, is illegal", g.Format(line[0]))
		default:
			return pos, line[0], nil
		}
	}
	return nil, game.NoMove, fmt.Errorf("puzzle: %w", err)
}
