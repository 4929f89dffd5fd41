// SPDX-License-Identifier: Apache-2.0

package tactics

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// Puzzle is a position in which the side to move wins by threats.
type Puzzle struct {
	Game  string `json:"game"`
	Moves string `json:"moves"` // that led to the position
	// Mode is VCF where the win is by fours alone, and VCT where it takes other threats too.
	Mode  string `json:"mode"`
	Plies int    `json:"plies"` // of the win, by the proof
	Line  string `json:"line"`  // that it may take
	From  string `json:"from"`  // the game that it comes from
}

//go:embed puzzles.jsonl
var collection []byte

// Puzzles returns the collection that comes with the program.
func Puzzles() []Puzzle {
	all, err := Read(bytes.NewReader(collection))
	if err != nil {
		panic(err) // the file is part of the program
	}
	return all
}

// Read reads puzzles, an object a line; empty lines are passed over. What is damaged is an error that tells the line.
func Read(r io.Reader) (all []Puzzle, err error) {
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
		all = append(all, p)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("puzzles: %w", err)
	}
	return all, nil
}

// Append appends a puzzle as Read reads it.
func (p *Puzzle) Append(dst []byte) ([]byte, error) {
	text, err := json.Marshal(p)
	return append(append(dst, text...), '\n'), err
}

// Position sets the puzzle up in its game, which must be g. A game that ends before is an error.
func (p *Puzzle) Position(g game.Game) (game.Position, error) {
	pos := g.Start()
	if err := notation.Play(pos, p.Moves); err != nil {
		return nil, fmt.Errorf("puzzle: %w", err)
	}
	if pos.Outcome() != game.Ongoing {
		return nil, fmt.Errorf("puzzle: the game is over: %s", pos.Outcome())
	}
	return pos, nil
}

// Solution returns the first move of the line, which must be legal in pos.
func (p *Puzzle) Solution(pos game.Position) (game.Move, error) {
	moves, err := notation.ParseMoves(pos.Game(), p.Line)
	switch {
	case err == nil && len(moves) == 0:
		err = errors.New("no move in its line")
	case err == nil && !game.Legal(pos, moves[0]):
		err = fmt.Errorf("its line begins with %s, which is illegal", pos.Game().Format(moves[0]))
	}
	if err != nil {
		return game.NoMove, fmt.Errorf("puzzle: %w", err)
	}
	return moves[0], nil
}
