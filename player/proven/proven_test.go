// SPDX-License-Identifier: Apache-2.0

package proven_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/proven"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
)

// proofs are positions whose certificates are made in less than a second.
var proofs = []struct {
	name   string
	rules  mnk.Rules
	moves  string
	winner game.Side
}{
	{"four in a row", mnk.Rules{Columns: 15, Rows: 15, K: 4}, "", game.First},
	{"free", mnk.Rules{Columns: 15, Rows: 15, K: 5}, "h8 a1 h9 o15 h10 a15", game.First},
	{"on a rectangle", mnk.Rules{Columns: 14, Rows: 9, K: 4}, "a1", game.Second},
	{"a loss in caro", mnk.Rules{Columns: 15, Rows: 15, K: 5, Blocked: true}, "h8 a1 h9 o15 i8 a15 i9", game.First},
	{"a loss with exactly five", mnk.Rules{Columns: 15, Rows: 15, K: 5, Exact: [2]bool{true, true}}, "h8 a1 h9 o15 i8 a15 i9", game.First},
}

func rulesGame(t testing.TB, name string, r mnk.Rules) *mnk.Game {
	t.Helper()
	r.Name = name
	g, err := mnk.New(r)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func after(t testing.TB, g game.Game, moves string) game.Position {
	t.Helper()
	p := g.Start()
	if err := notation.Play(p, moves); err != nil {
		t.Fatal(err)
	}
	return p
}

// strategy proves what a position is worth, and reads the certificate.
func strategy(t testing.TB, p game.Position) *proof.Strategy {
	t.Helper()
	z, err := gomoku.NewSolver(p.Game(), 1<<26, 1)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if a := z.Solve(t.Context(), p, search.Limits{Nodes: 1_000_000}); a.Value == 0 {
		t.Fatalf("nothing is proved: %+v", a)
	}
	if err := z.Certify(t.Context(), p, &file); err != nil {
		t.Fatal(err)
	}
	s, err := proof.ReadStrategy(t.Context(), bytes.NewReader(file.Bytes()), proof.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var errAsked = errors.New("the other player was asked")

// other is a player that only says that it was asked.
type other struct{ closed *bool }

func (other) Name() string { return "other" }
func (other) Move(context.Context, game.Position, search.Limits) (game.Move, error) {
	return game.NoMove, errAsked
}

func (other) Analyze(context.Context, game.Position, search.Limits, func(search.Info)) (search.Info, error) {
	return search.Info{}, errAsked
}

func (o other) Close() error {
	*o.closed = true
	return nil
}

// near draws a move near another stone, or any.
func near(rng *rand.Rand, p game.Board) game.Move {
	moves := p.AppendMoves(nil)
	columns, _ := p.Size()
	for range 20 {
		m := moves[rng.IntN(len(moves))]
		c := p.Cell(m)
		for at, stone := range p.Cells() {
			dx, dy := at%columns-c%columns, at/columns-c/columns
			if stone != game.Empty && max(dx, -dx, dy, -dy) <= 2 && rng.IntN(3) > 0 {
				return m
			}
		}
	}
	return moves[rng.IntN(len(moves))]
}

// TestWinnerFollowsCertificate: the winner wins every game by moves of the certificate, against moves near the stones and against an engine.
func TestWinnerFollowsCertificate(t *testing.T) {
	games := 150
	if testing.Short() {
		games = 20
	}
	for _, tc := range proofs {
		t.Run(tc.name, func(t *testing.T) {
			g := rulesGame(t, tc.name, tc.rules)
			start := after(t, g, tc.moves)
			f, err := proven.New(g, other{}, strategy(t, start))
			if err != nil {
				t.Fatal(err)
			}
			engine, err := gomoku.New(g, gomoku.Options{Hash: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			for i := range games {
				rng := rand.New(rand.NewPCG(uint64(i), 1))
				p := start.Clone()
				for p.Outcome() == game.Ongoing {
					var m game.Move
					var err error
					switch {
					case p.Turn() == tc.winner:
						m, err = f.Move(t.Context(), p, search.Limits{})
					case i%10 == 0 && rng.IntN(4) > 0:
						var info search.Info
						info, err = engine.Search(t.Context(), p, search.Limits{Nodes: 300}, nil)
						m = info.PV[0]
					default:
						m = near(rng, p.(game.Board))
					}
					if err == nil {
						err = game.Play(p, m)
					}
					if err != nil {
						t.Fatalf("game %d after %s: %v", i, notation.FormatMoves(g, p.AppendHistory(nil)), err)
					}
				}
				if p.Outcome() != game.WinFor(tc.winner) {
					t.Fatalf("game %d: %s: %s", i, p.Outcome(), notation.FormatMoves(g, p.AppendHistory(nil)))
				}
			}
		})
	}
}

// TestOtherPlayerWithoutMove: where the certificate has no move the other player is asked.
func TestOtherPlayerWithoutMove(t *testing.T) {
	g := rulesGame(t, "gomoku", mnk.Rules{Columns: 15, Rows: 15, K: 5})
	const begin = "h8 a1 h9 o15 h10 a15"
	s := strategy(t, after(t, g, begin))
	closed := false
	f, err := proven.New(g, other{&closed}, s)
	if err != nil {
		t.Fatal(err)
	}
	first, err := f.Move(t.Context(), after(t, g, begin), search.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	move := g.Format(first)
	tests := []struct {
		moves string
		has   bool
	}{
		{"", false},
		{"h8 a1 h9 o15", false},
		{begin, true},
		{"h10 a15 h9 a1 h8 o15", true}, // the same position
		{"h8 a1 h9 o15 h11 a15", false},
		{begin + " " + move, false}, // the other side is to move
		{begin + " " + move + " a8", true},
		{begin + " n2 a8", false},
		{begin + " a8 " + move, false},
	}
	for _, tc := range tests {
		t.Run(tc.moves, func(t *testing.T) {
			p := after(t, g, tc.moves)
			m, err := f.Move(t.Context(), p, search.Limits{})
			if has := err == nil; has != tc.has || err != nil && !errors.Is(err, errAsked) {
				t.Fatalf("it has a move: %t, want %t (%v)", has, tc.has, err)
			}
			var told []search.Info
			info, err := f.Analyze(t.Context(), p, search.Limits{}, func(i search.Info) { told = append(told, i) })
			switch {
			case !tc.has && !errors.Is(err, errAsked):
				t.Errorf("Analyze: error %v", err)
			case tc.has && (err != nil || info.PV[0] != m || !info.Solved || info.Score != eval.Won || len(told) != 1):
				t.Errorf("Analyze says %+v, %v, and Move %s", info, err, g.Format(m))
			}
			if got := notation.FormatMoves(g, p.AppendHistory(nil)); got != tc.moves {
				t.Errorf("the position was left as %s", got)
			}
		})
	}
	if player.Close(f); !closed {
		t.Error("the other player is not closed")
	}
}

// TestFitsRenju: a certificate of renju is followed in renju alone.
func TestFitsRenju(t *testing.T) {
	c := proof.Claim{Columns: 15, Rows: 15, K: 5, Rule: proof.Renju}
	rect, err := renju.NewRect(15, 15)
	if err != nil {
		t.Fatal(err)
	}
	one := rulesGame(t, "other", mnk.Rules{Columns: 15, Rows: 15, K: 5, Exact: [2]bool{true, false}})
	if proven.Fits(rect, c) != nil || proven.Fits(one, c) == nil {
		t.Errorf("renju: %v; without forbidden points: %v", proven.Fits(rect, c), proven.Fits(one, c))
	}
}

// TestFits: a certificate is followed in its own game alone.
func TestFits(t *testing.T) {
	free := mnk.Rules{Columns: 15, Rows: 15, K: 5}
	s := strategy(t, after(t, rulesGame(t, "gomoku", free), "h8 a1 h9 o15 h10 a15"))
	rect, err := renju.NewRect(15, 15)
	if err != nil {
		t.Fatal(err)
	}
	change := func(f func(*mnk.Rules)) game.Game {
		r := free
		f(&r)
		return rulesGame(t, "other", r)
	}
	tests := []struct {
		name string
		g    game.Game
		fits bool
	}{
		{"the same", change(func(*mnk.Rules) {}), true},
		{"columns", change(func(r *mnk.Rules) { r.Columns = 16 }), false},
		{"rows", change(func(r *mnk.Rules) { r.Rows = 16 }), false},
		{"k", change(func(r *mnk.Rules) { r.K = 4 }), false},
		{"exactly five", change(func(r *mnk.Rules) { r.Exact = [2]bool{true, true} }), false},
		{"exactly five for one side", change(func(r *mnk.Rules) { r.Exact[1] = true }), false},
		{"caro", change(func(r *mnk.Rules) { r.Blocked = true }), false},
		{"falling stones", change(func(r *mnk.Rules) { r.Gravity = true }), false},
		{"two stones a turn", change(func(r *mnk.Rules) { r.Turn = 2 }), false},
		{"captures", change(func(r *mnk.Rules) { r.Captures = 5 }), false},
		{"renju", rect, false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			closed := false
			_, err := proven.New(tc.g, other{&closed}, s)
			if (err == nil) != tc.fits {
				t.Fatalf("error %v", err)
			}
			if want := fmt.Sprintf("the certificate is for 15 x 15 cells, 5 in a row and the rule free, not for %s", tc.g); err != nil && !strings.HasSuffix(err.Error(), want) {
				t.Errorf("error %q, want %q", err, want)
			}
		})
	}
}

// TestMovesByPlansAreExplained plays the certificate of Connect Four against random moves: each kind of sentence occurs and fits in a
// line of a terminal, and after a move of the opponent there is no sentence.
func TestMovesByPlansAreExplained(t *testing.T) {
	file, err := os.ReadFile("../../docs/measurements/certificates/connect4-7x6.proof")
	if err != nil {
		t.Fatal(err)
	}
	s, err := proof.ReadVerified(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	g, err := mnk.Connect4(7, 6, 4)
	if err != nil {
		t.Fatal(err)
	}
	p, err := proven.New(g, nil, s)
	if err != nil {
		t.Fatal(err)
	}
	kinds := []string{
		"I stop", "This move is in the certificate", "Here I begin a plan of", "in the rightmost free", "in the leftmost free",
		"as soon as possible.", "play above your stone.", "if you have", "on an even row.",
	}
	said := map[string]bool{}
	rng := rand.New(rand.NewPCG(9, 9))
	for range 1000 {
		b := g.Start()
		for b.Outcome() == game.Ongoing {
			legal := b.AppendMoves(nil)
			m := legal[rng.IntN(len(legal))]
			own := b.Turn() == game.First
			if own {
				if m, err = p.Move(t.Context(), b, search.Limits{}); err != nil {
					t.Fatal(err)
				}
			}
			b.Play(m)
			text := p.Explain(b)
			if len(text) > 79 || !own && text != "" || own && b.Outcome() == game.Ongoing && text == "" {
				t.Fatalf("%s: %q", notation.FormatMoves(g, b.AppendHistory(nil)), text)
			}
			for _, k := range kinds {
				said[k] = said[k] || strings.Contains(text, k)
			}
		}
	}
	for _, k := range kinds {
		if !said[k] {
			t.Errorf("no sentence contains %q", k)
		}
	}
}
