// SPDX-License-Identifier: Apache-2.0

package bot_test

import (
	"context"
	"strings"
	"testing"

	"github.com/krow-lab/krow/bot"
	"github.com/krow-lab/krow/catalog" // makes the test's binary a cage
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/cage"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

func TestMain(m *testing.M) {
	defer cage.CloseIdle()
	m.Run()
}

// open returns a game and a bot of this source.
func open(t *testing.T, spec, source string, o bot.Options) (game.Game, player.Player, error) {
	t.Helper()
	g, err := catalog.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	pl, err := bot.Open(g, bot.Program{Name: "test", Text: []byte(source)}, o)
	if err == nil {
		t.Cleanup(func() { player.Close(pl) })
	}
	return g, pl, err
}

// TestFaults: what is wrong with a program is told with its line, when it is read or when it runs.
func TestFaults(t *testing.T) {
	few := bot.Limits{Steps: 100_000}
	tests := []struct {
		name, source string
		line         int
		want         string
	}{
		{"grammar", "def choose(position, clock)\n  return 1", 2, "got newline"},
		{"unknown name", "def choose(position, clock):\n    return foo", 2, "undefined: foo"},
		{"no function", "x = 1", 1, "no function"},
		{"load", "load('a', 'b')", 1, "load"},
		{"deep", "x = " + strings.Repeat("(", 100_000), 1, "nesting"},
		{"fails at once", "x = 1 // 0\ndef choose(position, clock): pass", 1, "division by zero"},
		{"loops at once", "while True: pass\ndef choose(position, clock): pass", 1, "steps"},
		{"no move", "def choose(position, clock):\n    pass", 0, "a move is a number or a name"},
		{"illegal move", "def choose(position, clock):\n    return 9", 0, "moves are numbers from 0 to 8"},
		{"fails", "def choose(position, clock):\n    return [][0]", 2, "out of range"},
		{"loops", "def choose(position, clock):\n    while True:\n        pass", 0, "more than 100000 steps"},
		{"evaluates for ever", "def evaluate(position):\n    while True:\n        pass", 0, "steps"},
		{"recursion", "def choose(position, clock):\n    return choose(position, clock)", 2, "200 deep"},
		{"prints", "def choose(position, clock):\n    while True:\n        print('x' * 1000)", 3, "64 kB"},
		{"no number", "def evaluate(position):\n    return 'x'", 0, "a number is wanted"},
		{"param twice", "param('a', 0, 0, 1)\nparam('a', 0, 0, 1)\ndef choose(position, clock): pass", 2, "declared twice"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, pl, err := open(t, "tictactoe", tc.source, bot.Options{Limits: few})
			if err == nil {
				g, _ := catalog.Game("tictactoe")
				_, err = pl.Move(context.Background(), g.Start(), search.Limits{})
			}
			f, ok := err.(*bot.Failure)
			if !ok {
				t.Fatalf("got %v, want a failure", err)
			}
			if !strings.Contains(f.Text, tc.want) || tc.line > 0 && f.Line != tc.line {
				t.Errorf("got line %d: %s, want line %d: %s", f.Line, f.Text, tc.line, tc.want)
			}
		})
	}
}
