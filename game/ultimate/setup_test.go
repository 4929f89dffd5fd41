// SPDX-License-Identifier: Apache-2.0

package ultimate_test

import (
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
)

// cells reads nine small boards of nine cells, in the order of the moves.
func cells(small ...string) []game.Stone {
	cells := make([]game.Stone, 81)
	p := variants[0].Start().(game.Board)
	for b, board := range small {
		for c, r := range board {
			cells[p.Cell(game.Move(9*b+c))] = game.Stone(strings.IndexRune(".XO", r))
		}
	}
	return cells
}

func TestSetUp(t *testing.T) {
	full := "XOXOXOOXO"
	both := cells("XXX...OOO")
	tests := []struct {
		name    string
		rules   ultimate.Rules
		cells   []game.Stone
		memory  []uint8
		outcome game.Outcome
		moves   int
		err     string // a part of it
	}{
		{name: "empty", cells: cells(), moves: 81},
		{name: "a won board is closed", cells: cells("XXX.OO..."), moves: 72},
		{name: "or open", rules: ultimate.Rules{Open: true}, cells: cells("XXX.OO..."), moves: 76},
		{name: "sent to a board", cells: cells("X...O...."), memory: []uint8{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, moves: 7},
		{name: "free by choice", cells: cells("X...O...."), memory: []uint8{9, 0, 0, 0, 0, 0, 0, 0, 0, 0}, moves: 79},
		{name: "won", cells: cells("XXX......", "XXX......", "XXX......"), outcome: game.FirstWins},
		{name: "lost", cells: cells("OOO......", "", "", "O..O..O..", "", "", "..O.O.O.."), outcome: game.SecondWins},
		{name: "drawn", cells: cells(full, full, full, full, full, full, full, full, full), outcome: game.Draw},
		{
			name: "more boards", rules: ultimate.Rules{Draw: ultimate.Boards},
			cells: cells(full, full, full, full, "OOO......", full, full, full, full), outcome: game.SecondWins,
		},
		{
			name: "the second line of a board", rules: ultimate.Rules{Open: true}, cells: both,
			memory: []uint8{9, 2, 0, 0, 0, 0, 0, 0, 0, 0}, moves: 75,
		},

		{name: "too few cells", cells: make([]game.Stone, 80), err: "80 cells"},
		{name: "no stone", cells: append(make([]game.Stone, 80), 3), err: "cell 33 has the invalid value 3"},
		{name: "whose line was first", rules: ultimate.Rules{Open: true}, cells: both, err: "both sides have a line in small board 1"},
		{name: "two lines in a closed board", cells: both, memory: []uint8{9, 1, 0, 0, 0, 0, 0, 0, 0, 0}, err: "both sides have a line"},
		{name: "an owner without a line", cells: cells("X"), memory: []uint8{9, 1, 0, 0, 0, 0, 0, 0, 0, 0}, err: "small board 1"},
		{name: "a line without its owner", cells: cells("", "XXX"), memory: []uint8{9, 0, 0, 0, 0, 0, 0, 0, 0, 0}, err: "small board 2"},
		{name: "an owner that is none", rules: ultimate.Rules{Open: true}, cells: both, memory: []uint8{9, 3, 0, 0, 0, 0, 0, 0, 0, 0}, err: "small board 1"},
		{name: "sent to a closed board", cells: cells("XXX"), memory: []uint8{0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, err: "no more stones"},
		{name: "sent nowhere", cells: cells(), memory: []uint8{10, 0, 0, 0, 0, 0, 0, 0, 0, 0}, err: "forced board"},
		{name: "little memory", cells: cells(), memory: []uint8{9}, err: "has 10 numbers, not 1"},
		{name: "both won", cells: cells("XXX", "XXX", "XXX", "OOO", "OOO", "OOO"), err: "both sides"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p, err := ultimate.New(tc.rules).SetUp(game.Setup{Cells: tc.cells, Memory: tc.memory})
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) || p != nil {
					t.Fatalf("SetUp: %v, %v, want an error with %q and no position", p, err, tc.err)
				}
				return
			}
			if err != nil || p.Outcome() != tc.outcome || len(p.AppendMoves(nil)) != tc.moves {
				t.Fatalf("SetUp: %v; %v and moves %v, want %v and %d", err, p.Outcome(), p.AppendMoves(nil), tc.outcome, tc.moves)
			}
		})
	}
}

func TestParse(t *testing.T) {
	g := variants[0]
	for text, want := range map[string]game.Move{"11": 0, "19": 8, "55": 40, "91": 72, "99": 80} {
		if m, err := g.Parse(text); err != nil || m != want || g.Format(m) != text {
			t.Errorf("Parse(%q) = %d, %v, want %d", text, m, err, want)
		}
	}
	for _, text := range []string{"", "5", "05", "50", "555", "a1", "+5", "5 5", "５５"} {
		if m, err := g.Parse(text); err == nil {
			t.Errorf("Parse(%q) = %d, want an error", text, m)
		}
	}
}

func FuzzSetUp(f *testing.F) {
	f.Add([]byte("XXX......OO"), []byte{9, 1, 0, 0, 0, 0, 0, 0, 0, 0}, true)
	f.Add([]byte("XXXOOO"), []byte{9, 2, 0, 0, 0, 0, 0, 0, 0, 0}, true)
	f.Fuzz(func(t *testing.T, stones, memory []byte, open bool) {
		s := game.Setup{Cells: make([]game.Stone, 81), Memory: memory}
		for i, c := range stones {
			s.Cells[i%81] = game.Stone(strings.IndexByte(".XO", c) & 3)
		}
		p, err := ultimate.New(ultimate.Rules{Open: open}).SetUp(s)
		if err != nil {
			return
		}
		for _, m := range p.AppendMoves(nil) {
			key := p.Key()
			p.Play(m)
			p.Undo()
			if p.Key() != key {
				t.Fatalf("Play(%d) and Undo changed the key", m)
			}
		}
	})
}
