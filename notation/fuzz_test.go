// SPDX-License-Identifier: Apache-2.0

package notation_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// pick returns a game of the family for a fuzzed number.
func pick(n uint8) game.Game { return family[int(n)%len(family)] }

// FuzzParseMoves expects one line of error, or moves that are written and read back the same.
func FuzzParseMoves(f *testing.F) {
	for i := range family {
		for _, s := range []string{"", "h8 h9 i9", "4455", "a1\ta1\n", "A1", "aa128", "a0", "+1", "1,1", ",", "h8,,h9", "1. h8h9 2...i9", "0,0,1", "\xff", "é9", "10 11"} {
			f.Add(uint8(i), s)
		}
	}
	f.Fuzz(func(t *testing.T, n uint8, text string) {
		g := pick(n)
		moves, err := notation.ParseMoves(g, text)
		if err != nil {
			checkLine(t, err)
			if _, ok := errors.AsType[*notation.MoveError](err); !ok && !strings.Contains(text, ",") {
				t.Errorf("%v is not a MoveError", err)
			}
			return
		}
		again, err := notation.ParseMoves(g, notation.FormatMoves(g, moves))
		if err != nil || !slices.Equal(again, moves) {
			t.Errorf("%s: %q is read as %v, then as %v, %v", g, text, moves, again, err)
		}
		fuzzPlay(t, g, text, moves)
	})
}

// fuzzPlay expects Play to make all the moves or none.
func fuzzPlay(t *testing.T, g game.Game, text string, moves []game.Move) {
	p := g.Start()
	err := notation.Play(p, text)
	if err != nil {
		checkLine(t, err)
		moves = nil
	}
	if got := p.AppendHistory(nil); !slices.Equal(got, moves) {
		t.Errorf("%s: Play(%q) made %v, want %v", g, text, got, moves)
	}
}

// FuzzParseStones expects one line of error, or a position whose stones are read as the same position.
func FuzzParseStones(f *testing.F) {
	for i := range family {
		for _, s := range []string{"/", "a1/", "a1/a2", "/a1", "h8 i9/h9 j10", "a1 a1/", "a1/a1", "a1", "a1//", "b9/zz1"} {
			f.Add(uint8(i), s, "", "")
			f.Add(uint8(i), s, "second", "0,0")
		}
	}
	f.Add(uint8(7), "a1/", "first", "1,2")
	f.Add(uint8(7), "a1/", "x", "1,256")
	f.Fuzz(func(t *testing.T, n uint8, stones, turn, captures string) {
		g := pick(n)
		o := notation.StonesOptions{Turn: turn, Captures: captures}
		p, err := notation.ParseStones(g, stones, o)
		if err != nil {
			checkLine(t, err)
			return
		}
		again, err := notation.ParseStones(g, formatStones(p.(game.Board)), o)
		if err != nil {
			t.Fatalf("%s: %q read back: %v", g, stones, err)
		}
		checkSame(t, again, p)
	})
}

// FuzzParseBoard expects one line of error, or a position whose drawing is read as the same position.
func FuzzParseBoard(f *testing.F) {
	for i, g := range family {
		// The fuzzer would spend its time on making the drawing of a great board smaller.
		if g.Moves() < 400 {
			f.Add(uint8(i), notation.FormatBoard(g.Start()))
		}
	}
	f.Add(uint8(0), "X..\n.O.\n...")
	f.Add(uint8(0), "3 .(X).\n--+--\n2 . O|.\n\n1 ...\n  a b c\nfirst to move, memory 1")
	f.Add(uint8(0), "XXX\nOOO\n...")
	f.Add(uint8(11), "x")
	f.Add(uint8(11), "1 1 1")
	f.Fuzz(func(t *testing.T, n uint8, drawing string) {
		g := pick(n)
		p, err := notation.ParseBoard(g, drawing)
		if err != nil {
			checkLine(t, err)
			return
		}
		again, err := notation.ParseBoard(g, notation.FormatBoard(p))
		if err != nil {
			t.Fatalf("%s: %q read back: %v", g, drawing, err)
		}
		checkSame(t, again, p)
	})
}

// FuzzDecode expects one line of error, or a position whose bytes are read as the same position. The input is
// tried as it is, and as a body whose length and checksum are right.
func FuzzDecode(f *testing.F) {
	for _, g := range family {
		p := g.Start()
		for range 3 {
			data := must(notation.Append(nil, p))
			f.Add(data)
			f.Add(data[3 : len(data)-4])
			if moves := p.AppendMoves(nil); len(moves) > 0 {
				p.Play(moves[len(moves)/2])
			}
		}
	}
	f.Add([]byte("k\x02"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, data := range [][]byte{data, seal(data)} {
			p, err := notation.Decode(data, byName)
			if err != nil {
				checkLine(t, err)
				continue
			}
			again, err := notation.Decode(must(notation.Append(nil, p)), byName)
			if err != nil {
				t.Fatalf("%x read back: %v", data, err)
			}
			checkSame(t, again, p)
		}
	})
}
