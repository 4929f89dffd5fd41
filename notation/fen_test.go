// SPDX-License-Identifier: Apache-2.0

package notation_test

import (
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/notation"
)

func TestFEN(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.New(mnk.Rules{Name: "mnk", Columns: 12, Rows: 3, K: 3}))
	p := g.Start()
	if err := notation.Play(p, "a1 l3 b2"); err != nil {
		t.Fatal(err)
	}
	const want = "11o/1x10/x11 o 3"
	if got := notation.FormatFEN(p); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for text, wrong := range map[string]string{
		"":                        `a position must be the rows, x or o to move, and the number of plies, not ""`,
		"12/12 x 0":               "mnk has 3 rows, not 2",
		"12/12/11 x 0":            `row 1: "11" has 11 cells, not 12`,
		"12/12/13 x 0":            `row 1: "13" does not fit 12 cells`,
		"12/12/0x11 x 0":          `row 1: "0x11" does not fit 12 cells`,
		"12/xxxxxxxxxxxxx/12 x":   `a position must be the rows, x or o to move, and the number of plies, not "12/xxxxxxxxxxxxx/12 x"`,
		"12/xxxxxxxxxxxxx/12 x 1": `row 2: "xxxxxxxxxxxxx" does not fit 12 cells of x, o and numbers of empty cells`,
		"12/12/12 y 0":            `the side to move must be x or o, not "y"`,
		"12/12/12 x -1":           `"-1" is not a number of plies`,
		"12/12/12 x 0 300":        "the memory must be numbers from 0 to 255, not \"300\"",
	} {
		if _, err := notation.ParseFEN(g, text); err == nil || err.Error() != wrong {
			t.Errorf("%q: %v, want %s", text, err, wrong)
		}
	}
}

// TestFENRandom: random positions of all games are read as they were written.
func TestFENRandom(t *testing.T) {
	games := 20
	if testing.Short() {
		games = 5
	}
	for _, g := range family {
		rng := rand.New(rand.NewPCG(1, 7))
		for range games {
			p := g.Start()
			game.PlayRandom(p, rng.IntN(min(g.Moves(), 200)), rng.IntN)
			sameFEN(t, p)
		}
	}
}

func sameFEN(t *testing.T, p game.Position) {
	t.Helper()
	text := notation.FormatFEN(p)
	if text == "" {
		return // a game whose positions cannot be set up
	}
	q, err := notation.ParseFEN(p.Game(), text)
	if err != nil || q.Key() != p.Key() || q.Turn() != p.Turn() || q.Ply() != p.Ply() || notation.FormatFEN(q) != text {
		t.Fatalf("%s: %q is read as %v, %v", p.Game(), text, q, err)
	}
}

// FuzzFEN expects one line of error, or a position that is written and read back the same.
func FuzzFEN(f *testing.F) {
	for i, g := range family {
		f.Add(uint8(i), notation.FormatFEN(g.Start()))
	}
	f.Add(uint8(0), "3/1x1/3 o 1")
	f.Add(uint8(1), "99999999999999999999 x 1 2")
	f.Fuzz(func(t *testing.T, n uint8, text string) {
		p, err := notation.ParseFEN(pick(n), text)
		if err != nil {
			checkLine(t, err)
			return
		}
		sameFEN(t, p)
	})
}
