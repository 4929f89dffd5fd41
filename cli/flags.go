// SPDX-License-Identifier: Apache-2.0

package cli

// The flags that several commands share: a position, limits of a search, choices, bounds and sizes.

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
)

type positionFlags struct{ moves, stones, turn, captures string }

func (f *positionFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.moves, "moves", "", "`MOVES` from the start of the game, such as \"h8 h9\" or 4455")
	flags.StringVar(&f.stones, "stones", "", "`STONES` of the first side, a slash, and the stones of the second side: \"h8 i9/h9\"")
	addChoice(cmd, &f.turn, "turn", "with --stones: `SIDE` to move, first or second (default: by the number of stones)", "first", "second")
	flags.StringVar(&f.captures, "captures", "", "with --stones: number of `PAIRS` that each side has captured, such as 1,0 (pente)")
}

// position returns the position that the flags describe: the stones, if any, then the moves.
func (f *positionFlags) position(g game.Game) (game.Position, error) {
	p := g.Start()
	switch {
	case f.stones != "":
		var err error
		p, err = notation.ParseStones(g, f.stones, notation.StonesOptions{Turn: f.turn, Captures: f.captures})
		if err != nil {
			return nil, misusef(stonesHint(err), "%w", err)
		}
	case f.turn != "" || f.captures != "":
		return nil, misusef("", "--turn and --captures need --stones")
	}
	if err := notation.Play(p, f.moves); err != nil {
		return nil, misusef("", "%w", err)
	}
	return p, nil
}

func stonesHint(err error) string {
	switch {
	case errors.Is(err, notation.ErrTurn):
		return "give --turn first or second"
	case errors.Is(err, notation.ErrStones):
		return "give its moves with --moves"
	}
	return ""
}

func (f *positionFlags) load(text string) (game.Game, game.Position, error) {
	g, err := krow.Game(text)
	if err != nil {
		return nil, nil, err
	}
	p, err := f.position(g)
	if err == nil {
		warnUnwinnable(g)
	}
	return g, p, err
}

// warnUnwinnable prints a line if the rows of g are longer than its board.
func warnUnwinnable(g game.Game) {
	if l, is := g.Start().(game.Lined); is {
		if columns, rows := l.Size(); l.K() > max(columns, rows) {
			fmt.Fprintf(os.Stderr, "nobody can win %s: no row of %d fits on the board\n", g, l.K())
		}
	}
}

// limitFlags are the limits of a search. A limit of 0, the default, means no limit.
type limitFlags struct{ search.Limits }

func (f *limitFlags) add(cmd *cobra.Command, what string) {
	addNumber(cmd, &f.Time, "time", 0, 0, 0, "time "+what+", such as 500ms or 2s; a number alone is seconds")
	cmd.Flags().Uint64Var(&f.Nodes, "nodes", 0, "nodes "+what)
	addNumber(cmd, &f.Depth, "depth", 0, 0, 0, "depth "+what+", in plies")
}

// choice is the value of a flag that accepts one of a few words.
type choice struct {
	word  *string
	words []string
}

// addChoice adds a flag that accepts one of words. Its default is "".
func addChoice(cmd *cobra.Command, word *string, name, usage string, words ...string) {
	cmd.Flags().Var(&choice{word, words}, name, usage)
	completeFlag(cmd, name, fixed(words...))
}

// Set sets the value to text if text is one of the words.
func (c *choice) Set(text string) error {
	if !slices.Contains(c.words, text) {
		return fmt.Errorf("valid values are %s", strings.Join(c.words, ", "))
	}
	*c.word = text
	return nil
}

// String returns the word.
func (c *choice) String() string { return *c.word }

// Type returns WORD, the placeholder that help shows for the value of the flag.
func (c *choice) Type() string { return "WORD" }

// bounded is the value of a flag that accepts numbers or times from lo to hi.
type bounded[T cmp.Ordered] struct {
	pflag.Value
	number *T
	lo, hi T
}

// addNumber adds a flag that refuses values below lo and, unless hi is 0, above hi. The default (standard) may be outside
// these bounds; a value equal to the default then means that the user gave none.
func addNumber[T int | uint64 | float64 | time.Duration](cmd *cobra.Command, number *T, name string, standard, lo, hi T, usage string) {
	flags := cmd.Flags()
	switch p := any(number).(type) {
	case *int:
		flags.IntVar(p, name, int(standard), usage)
	case *uint64:
		flags.Uint64Var(p, name, uint64(standard), usage)
	case *float64:
		flags.Float64Var(p, name, float64(standard), usage)
	case *time.Duration:
		flags.DurationVar(p, name, time.Duration(standard), usage)
	}
	f := flags.Lookup(name)
	f.Value = &bounded[T]{f.Value, number, lo, hi}
	if f.DefValue == "0s" {
		f.DefValue = "" // help must not show the default 0s; pflag hides a zero only in its own duration flags
	}
}

// Set sets the value to the number in text if it is within the bounds.
func (b *bounded[T]) Set(text string) error {
	previous := *b.number
	if _, is := any(previous).(time.Duration); is && strings.Trim(text, "0123456789.") == "" {
		text += "s"
	}
	err := b.Value.Set(text)
	n, limitless := *b.number, b.hi == *new(T)
	if err != nil || n >= b.lo && (limitless || n <= b.hi) {
		return err
	}
	*b.number = previous
	if limitless {
		return fmt.Errorf("the minimum is %v", b.lo)
	}
	return fmt.Errorf("it must be from %v to %v", b.lo, b.hi)
}

type size = spec.ByteCount
