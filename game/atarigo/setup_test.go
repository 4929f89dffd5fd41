// SPDX-License-Identifier: Apache-2.0

package atarigo_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
)

// draw reads a board of three rows, the top one first; spaces and line ends are decoration.
func draw(drawing string) []game.Stone {
	cells := make([]game.Stone, 9)
	n := 0
	for _, r := range drawing {
		if i := strings.IndexRune(".XO", r); i >= 0 {
			cells[n%3+3*(2-n/3)] = game.Stone(i)
			n++
		}
	}
	return cells
}

const (
	// Every point is an eye of X.
	eyes = `
	. X .
	X . X
	. X .`
	// All of X has one liberty, c1; so has each stone of O, a3.
	race = `
	. O X
	O X X
	X X .`
)

func TestMoves(t *testing.T) {
	tests := []struct {
		name, board, moves string
		turn               game.Side
		outcome            game.Outcome
	}{
		{"only suicides: no move, and lost", eyes, "", game.Second, game.FirstWins},
		{"eyes of one's own may be filled", eyes, "a1 c1 b2 a3 c3", game.First, game.Ongoing},
		{"a capture is no suicide; the last own liberty is one", race, "a3", game.First, game.Ongoing},
		{"nor here, where a3 would kill three", race, "c1", game.Second, game.Ongoing},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			g := newGame(t, 3)
			p, err := g.SetUp(game.Setup{Cells: draw(tc.board), Turn: tc.turn})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, m := range p.AppendMoves(nil) {
				names = append(names, g.Format(m))
			}
			if got := strings.Join(names, " "); got != tc.moves || p.Outcome() != tc.outcome {
				t.Errorf("moves %q, %v, want %q, %v on%s", got, p.Outcome(), tc.moves, tc.outcome, tc.board)
			}
		})
	}
}

// TestCapture looks at the board after a capture, sets it up again, and takes the capture back.
func TestCapture(t *testing.T) {
	g := newGame(t, 3)
	p, err := g.SetUp(game.Setup{Cells: draw(race), Turn: game.First})
	if err != nil {
		t.Fatal(err)
	}
	before := p.Key()
	m, _ := g.Parse("a3")
	p.Play(m)
	want := draw(`
	X . X
	. X X
	X X .`)
	s := p.(game.Settable).Setup()
	if !slices.Equal(s.Cells, want) || p.Outcome() != game.FirstWins || !slices.Equal(s.Memory, []uint8{1}) {
		t.Errorf("after a3: %v, memory %v, cells %v, want %v", p.Outcome(), s.Memory, s.Cells, want)
	}
	s.Memory = nil
	if q, err := g.SetUp(s); err != nil || q.Key() == p.Key() {
		t.Errorf("the same stones without a capture: %v, key %x as with one", err, p.Key())
	}
	p.Undo()
	if p.Key() != before || !slices.Equal(p.(game.Board).Cells(), draw(race)) {
		t.Errorf("undone: %v", p.(game.Board).Cells())
	}
}

func TestSetUpRefuses(t *testing.T) {
	tests := []struct {
		name, want string
		cells      []game.Stone
		memory     []uint8
	}{
		{"too few", "8 points", make([]game.Stone, 8), nil},
		{"no stone", "b3 has the invalid value 3", []game.Stone{7: 3, 8: 0}, nil},
		{"a group without liberties", "a1 has no liberty", draw("XXX XXX XXX"), nil},
		{"a stone without liberties", "b2 has no liberty", draw(".X. XOX .X."), nil},
		{"much memory", "is one number, not 2", draw(eyes), []uint8{0, 0}},
		{"nobody", "does not name a side", draw(eyes), []uint8{3}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p, err := newGame(t, 3).SetUp(game.Setup{Cells: tc.cells, Memory: tc.memory})
			if err == nil || !strings.Contains(err.Error(), tc.want) || p != nil {
				t.Errorf("SetUp: %v, %v, want an error with %q and no position", p, err, tc.want)
			}
		})
	}
}
