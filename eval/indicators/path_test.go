// SPDX-License-Identifier: Apache-2.0

package indicators_test

import (
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/ultimate"
)

var (
	_ eval.Incremental = (*indicators.Path)(nil)
	_ eval.MoveScorer  = (*indicators.Path)(nil)
)

// TestPath goes forth and back along random games, from a root in their midst, and adds the scores up anew at
// every step.
func TestPath(t *testing.T) {
	g := ultimate.New(ultimate.Rules{})
	o := indicators.Options{Block: true}
	ended, undone := 0, 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 7))
		s, err := indicators.NewPath(g, o)
		if err != nil {
			t.Fatal(err)
		}
		p := g.Start()
		for range rng.IntN(20) {
			p.Play(pick(p, rng))
		}
		root := p.Ply()
		s.Reset(p)
		for p.Outcome() == game.Ongoing {
			if p.Ply() > root && rng.IntN(3) == 0 {
				p.Undo()
				s.Undo()
				undone++
			} else {
				m := pick(p, rng)
				s.Play(m)
				p.Play(m)
			}
			want := slowPath(t, g, o, p, root)
			if got, other := s.Evaluate(p, game.Second), s.Evaluate(p, game.First); got != want || other != -want {
				t.Fatalf("seed %d, plies %d to %d: %d for second and %d for first, want %d", seed, root, p.Ply(), got, other, want)
			}
		}
		if _, won := p.Outcome().Winner(); won {
			ended++
		}
	}
	if ended == 0 || undone == 0 {
		t.Errorf("%d games were won, %d moves undone", ended, undone)
	}
}

func pick(p game.Position, rng *rand.Rand) game.Move {
	moves := p.AppendMoves(nil)
	return moves[rng.IntN(len(moves))]
}

// slowPath returns the worth of p to Second: the moves after ply root, scored one by one on a board of their own.
func slowPath(t *testing.T, g game.Game, o indicators.Options, p game.Position, root int) (sum eval.Score) {
	t.Helper()
	switch p.Outcome() {
	case game.FirstWins:
		return eval.Loss(0)
	case game.SecondWins:
		return eval.Win(0)
	}
	s, err := indicators.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	q := g.Start()
	for i, m := range p.AppendHistory(nil) {
		if v := s.ScoreMove(q, m); i >= root && q.Turn() == game.Second {
			sum += v
		} else if i >= root {
			sum -= v
		}
		q.Play(m)
	}
	return sum
}

// TestPathElsewhere asks about positions that are not followed: only their last move counts.
func TestPathElsewhere(t *testing.T) {
	g := ultimate.New(ultimate.Rules{})
	path, err := indicators.NewPath(g, indicators.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := indicators.New(g, indicators.Options{})
	p := g.Start()
	rng := rand.New(rand.NewPCG(1, 7))
	for range 9 {
		p.Play(pick(p, rng))
	}
	check := func() {
		t.Helper()
		if got, want := path.Evaluate(p, game.First), s.Evaluate(p, game.First); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
	check()
	path.Reset(p.Clone())
	check()
	other, err := mnk.TicTacToe(3, 3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := indicators.NewPath(other, indicators.Options{}); err == nil {
		t.Error("NewPath(tictactoe) gave no error")
	}
}
