// SPDX-License-Identifier: Apache-2.0

package notation

import (
	"errors"
	"fmt"
	"strings"

	"github.com/krow-lab/krow/game"
)

// MoveError is a word of a move list that is no move, or no legal one. Err is a *game.IllegalMoveError,
// game.ErrOver, or what the game's Parse returned.
type MoveError struct {
	Number int    // in the list, counted from 1
	Word   string // as it was written
	Err    error
}

// Error says which move it was and what is wrong with it.
func (e *MoveError) Error() string {
	illegal, isIllegal := errors.AsType[*game.IllegalMoveError](e.Err)
	switch {
	case isIllegal && illegal.Reason != "":
		return fmt.Sprintf("move %d: %q is illegal: %s", e.Number, e.Word, illegal.Reason)
	case isIllegal:
		return fmt.Sprintf("move %d: %q is illegal here", e.Number, e.Word)
	case errors.Is(e.Err, game.ErrOver):
		return fmt.Sprintf("move %d: %q comes after the end of the game", e.Number, e.Word)
	}
	return fmt.Sprintf("move %d: %v", e.Number, e.Err)
}

// Unwrap returns the cause.
func (e *MoveError) Unwrap() error { return e.Err }

type splitter interface{ Split(word string) []string }

// words cuts a move list at white space, and its words further where the game says so.
func words(g game.Game, text string) []string {
	fields := strings.Fields(text)
	s, ok := g.(splitter)
	if !ok {
		return fields
	}
	var moves []string
	for _, f := range fields {
		moves = append(moves, s.Split(f)...)
	}
	return moves
}

// ParseMoves reads moves in the game's own notation, separated by white space. It does not ask whether they
// are legal. The error is a *MoveError.
func ParseMoves(g game.Game, text string) ([]game.Move, error) {
	return parseWords(g, words(g, text))
}

func parseWords(g game.Game, list []string) ([]game.Move, error) {
	moves := make([]game.Move, len(list))
	for i, w := range list {
		m, err := g.Parse(w)
		if err != nil {
			return nil, &MoveError{Number: i + 1, Word: w, Err: err}
		}
		moves[i] = m
	}
	return moves, nil
}

// FormatMoves writes moves, each in range, as ParseMoves reads them, a space between two.
func FormatMoves(g game.Game, moves []game.Move) string {
	var b strings.Builder
	for i, m := range moves {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(g.Format(m))
	}
	return b.String()
}

// Play plays a move list in p. The error is a *MoveError, and then p is as it was.
func Play(p game.Position, text string) error {
	list := words(p.Game(), text)
	moves, err := parseWords(p.Game(), list)
	if err != nil {
		return err
	}
	for i, m := range moves {
		if err := game.Play(p, m); err != nil {
			for range i {
				p.Undo()
			}
			return &MoveError{Number: i + 1, Word: list[i], Err: err}
		}
	}
	return nil
}
