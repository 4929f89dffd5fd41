// SPDX-License-Identifier: Apache-2.0

package notation_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/game/ultimate"
)

// must unwraps a constructor's result.
func must[G any](g G, err error) G {
	if err != nil {
		panic(err)
	}
	return g
}

// family is one game of each kind, and boards of odd shapes.
var family = []game.Game{
	must(mnk.TicTacToe(3, 3)),
	must(mnk.MNK(7, 6, 4)),
	must(mnk.Gomoku(15)),
	must(mnk.Connect4(7, 6, 4)),
	must(mnk.Connect4(12, 3, 5)),
	must(mnk.Connect6(9)),
	must(mnk.New(mnk.Rules{Name: "connect:3,2", Columns: 6, Rows: 5, K: 9, Opening: 3, Turn: 2})),
	must(mnk.Pente(9)),
	must(mnk.MNK(1, 9, 2)),
	must(mnk.MNK(9, 1, 3)),
	must(mnk.MNK(2, 3, 7)),
	must(mnk.MNK(1, 1, 1)),
	must(mnk.MNK(30, 11, 5)),
	must(mnk.MNK(128, 128, 10)),
	must(renju.New(9)),
	must(atarigo.New(5)),
	ultimate.New(ultimate.Rules{}),
}

// byName returns the game of the family that has this spec.
func byName(spec string) (game.Game, error) {
	for _, g := range family {
		if g.String() == spec {
			return g, nil
		}
	}
	return nil, fmt.Errorf("unknown game %q", spec)
}

// mustPlay returns the position of a move list.
func mustPlay(t testing.TB, g game.Game, moves ...string) game.Position {
	t.Helper()
	p := g.Start()
	for _, s := range moves {
		m, err := g.Parse(s)
		if err == nil {
			err = game.Play(p, m)
		}
		if err != nil {
			t.Fatalf("%s: %v", g, err)
		}
	}
	return p
}

// eachPosition calls f for the positions of random games of the family, up to 100 plies each; of a board of
// thousands of cells it shows every 25th.
func eachPosition(t *testing.T, f func(t *testing.T, p game.Position)) {
	for _, g := range family {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s/seed=%d", g, seed), func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(seed, 3))
				p := g.Start()
				for p.Outcome() == game.Ongoing && p.Ply() < 100 {
					if g.Moves() < 1000 || p.Ply()%25 == 0 {
						f(t, p)
					}
					moves := p.AppendMoves(nil)
					p.Play(moves[rng.IntN(len(moves))])
				}
				f(t, p)
			})
		}
	}
}

// checkSame fails unless the rest of the game is the same from got as from want. Their pasts may differ; and once
// a game is over its ply, which where stones are captured is not on the board.
func checkSame(t *testing.T, got, want game.Position) {
	t.Helper()
	if got.Game().String() != want.Game().String() || got.Key() != want.Key() || got.Outcome() != want.Outcome() ||
		!slices.Equal(got.AppendMoves(nil), want.AppendMoves(nil)) {
		t.Fatalf("got %s, want %s", picture(got), picture(want))
	}
	if got.Outcome() == game.Ongoing && (got.Turn() != want.Turn() || got.Ply() != want.Ply()) {
		t.Fatalf("%v to move at ply %d, want %v at %d", got.Turn(), got.Ply(), want.Turn(), want.Ply())
	}
}

func picture(p game.Position) string {
	return fmt.Sprintf("%s ply %d, key %x, %v, %d moves, %+v", p.Game(), p.Ply(), p.Key(), p.Outcome(),
		len(p.AppendMoves(nil)), p.(game.Settable).Setup())
}

// checkLine fails unless err is told in one line of printable text.
func checkLine(t testing.TB, err error) {
	t.Helper()
	if s := err.Error(); s == "" || strings.ContainsAny(s, "\r\n\x00\x1b") {
		t.Errorf("error %q is not one line", s)
	}
}

// checkError fails unless err has these words.
func checkError(t *testing.T, err error, words string) {
	t.Helper()
	switch {
	case err == nil:
		t.Errorf("no error, want %q", words)
	case err.Error() != words:
		t.Errorf("error %q, want %q", err, words)
	}
}

// stripped hides every optional method of a game and of its positions but those of package game.
type stripped struct{ game.Game }

func (g stripped) Start() game.Position { return bare{g.Game.Start()} }

type bare struct{ game.Position }

// blocked is a game drawn in blocks, whose stones are not the whole state.
type blocked struct{ *mnk.Game }

func (g blocked) Start() game.Position      { return blockedPosition{g.Game.Start().(game.Lined), g} }
func (blocked) Blocks() (columns, rows int) { return 3, 2 }
func (blocked) StonesSuffice() bool         { return false }
func (g blocked) SetUp(s game.Setup) (game.Position, error) {
	p, err := g.Game.SetUp(game.Setup{Cells: s.Cells, Turn: s.Turn, Ply: s.Ply})
	if err != nil {
		return nil, err
	}
	return blockedPosition{p.(game.Lined), g}, nil
}

type blockedPosition struct {
	game.Lined
	g blocked
}

func (p blockedPosition) Game() game.Game { return p.g }
