// SPDX-License-Identifier: Apache-2.0

package qlearning

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
)

// TestUpdateEpisode lets players that learn while they play sit on both sides: from game to game they must come
// to the very parameters of the learner's episodes.
func TestUpdateEpisode(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for _, g := range []*mnk.Game{m(mnk.TicTacToe(3, 3)), m(mnk.MNK(4, 4, 3)), m(mnk.MNK(5, 5, 4)), m(mnk.Connect4(4, 4, 3)), m(mnk.Connect6(6))} {
		for _, o := range []Options{{}, {Exact: true, End: Keep, Importance: Text}, {Max: Prose, Gamma: 0.9, Alpha: 0.3}} {
			o.Depth = 2
			t.Run(fmt.Sprintf("%s/%v", g, o), func(t *testing.T) {
				l, err := New(g, o)
				if err != nil {
					t.Fatal(err)
				}
				w := generic.Fixed(l.w.K)
				for episode := range 3 {
					point, err := l.Step(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					plies := 0
					if w, plies = playOnline(t, l, o, w); float64(plies) != point.Values["plies"] {
						t.Errorf("episode %d: %d plies, want %g", episode+1, plies, point.Values["plies"])
					}
					if d := cmp.Diff(l.Weights(), w); d != "" {
						t.Fatalf("episode %d (-episode +online):\n%s", episode+1, d)
					}
				}
				if cmp.Equal(generic.Fixed(w.K), w) {
					t.Error("nothing was learned")
				}
			})
		}
	}
}

// playOnline plays a game in which each move is followed by its update, and returns the parameters and the plies.
func playOnline(t *testing.T, l *Learner, o Options, w generic.Weights) (generic.Weights, int) {
	t.Helper()
	p := l.g.Start()
	for p.Outcome() == game.Ongoing {
		m, err := l.choose(t.Context(), p, w)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
		if w, err = o.Update(w, p); err != nil {
			t.Fatal(err)
		}
	}
	return w, p.Ply()
}

// TestUpdateAlone feeds random games to one table that follows a whole game, and to Update move by move. What
// goes in must stay as it is.
func TestUpdateAlone(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.MNK(5, 5, 4))
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 3))
		o := Options{Alpha: 0.5, Max: Max(seed % 2), End: End(seed % 3), Importance: Importance(seed / 3 % 3)}
		l, err := New(g, o)
		if err != nil {
			t.Fatal(err)
		}
		w := generic.Fixed(4)
		whole := clone(w)
		table := l.newUpdates(whole)
		for p := g.Start(); p.Outcome() == game.Ongoing; {
			mover, moves := p.Turn(), p.AppendMoves(nil)
			p.Play(moves[rng.IntN(len(moves))])
			table.learn(p, mover)
			before, key := clone(w), p.Key()
			next, err := o.Update(w, p)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(whole, next) + cmp.Diff(before, w); d != "" || p.Key() != key {
				t.Fatalf("seed %d, ply %d (-table +update), or what went in has changed:\n%s", seed, p.Ply(), d)
			}
			w = next
		}
	}
}

func TestUpdateRefuses(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	g := m(mnk.TicTacToe(3, 3))
	start, moved := g.Start(), g.Start()
	moved.Play(4)
	disordered := generic.Fixed(3)
	disordered.Own.Set(5000, 1, ownHalf1.class)
	tests := []struct {
		name string
		o    Options
		w    generic.Weights
		p    game.Position
		want string
	}{
		{"sarsa", Options{Method: Sarsa}, generic.Fixed(3), moved, "sarsa learns from the next move, not from the last one"},
		{"td", Options{Method: TD}, generic.Fixed(3), moved, "td learns from the next move, not from the last one"},
		{"traces", Options{Lambda: 0.5}, generic.Fixed(3), moved, "traces need a whole game, but this update sees only one move"},
		{"options", Options{Gamma: 2}, generic.Fixed(3), moved, "gamma must be from 0 to 1, not 2"},
		{"no move", Options{}, generic.Fixed(3), start, "there is no move to learn from"},
		{"another k", Options{}, generic.Fixed(4), moved, "weights are for 4 in a row, not 3"},
		{"disordered", Options{}, disordered, moved, "the parameters are not in the order of the fixed ones"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := tc.o.Update(tc.w, tc.p); err == nil || err.Error() != tc.want {
				t.Errorf("error %v, want %s", err, tc.want)
			}
		})
	}
}
