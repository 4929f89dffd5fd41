// SPDX-License-Identifier: Apache-2.0

package published

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/minimax"
)

// choice returns the move of plain minimax with weights.
func choice(t *testing.T, p game.Position, w generic.Weights) string {
	t.Helper()
	e, err := generic.New(p.Game(), w)
	if err != nil {
		t.Fatal(err)
	}
	info, err := minimax.New(minimax.Options{Depth: 4, Eval: e, Terminal: minimax.Eval}).Search(t.Context(), p, search.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p.Game().Format(info.PV[0])
}

// TestExplain plays games with some parameters changed and looks for the place where they part, and for those
// that decided, the slow way.
func TestExplain(t *testing.T) {
	alone := generic.Fixed(3)
	alone.Enemy.Set(1, 2, threat.HalfOpen)
	tests := []struct {
		name  string
		table string
		size  int
		w     generic.Weights
	}{
		{"one", "4.1", 4, alone},
		{"one, second", "4.2", 4, alone},
		{"three", "4.1", 4, other(3)},
		{"three, connect four", "4.27", 5, other(4)},
		{"rival", "4.8", 4, other(3)},
		{"none", "4.1", 4, generic.Fixed(3)},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			c := find(t, tc.table, tc.size)
			r, err := playCell(t.Context(), c, tc.w, Variant{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := explain(t.Context(), c, r, tc.w, Variant{})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(slowExplain(t, c, r, tc.w), got); d != "" {
				t.Errorf("explanation (-slow +got):\n%s", d)
			}
		})
	}
}

func slowExplain(t *testing.T, c Cell, r Result, w generic.Weights) (e Explanation) {
	t.Helper()
	g, err := c.game()
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start()
	for i, word := range r.Moves {
		if p.Turn() == c.seat() {
			if fixed := choice(t, p, generic.Fixed(c.K)); fixed != word {
				e = Explanation{Ply: i + 1, Learned: word, Fixed: fixed}
				break
			}
		}
		m, err := g.Parse(word)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
	}
	if e.Ply == 0 {
		return e
	}
	for i, v := range []generic.Vector{w.Own, w.Enemy} {
		for kind, x := range v {
			fixed := generic.Fixed(c.K)
			old := []generic.Vector{fixed.Own, fixed.Enemy}[i][kind]
			if x == old {
				continue
			}
			name := fmt.Sprintf("%s %s %d", []string{"own", "enemy"}[i], threat.Kind(kind).Class(c.K), threat.Kind(kind).Size())
			e.Changed = append(e.Changed, name)
			v[kind] = old
			if choice(t, p, w) == e.Fixed {
				e.Deciders = append(e.Deciders, name)
			}
			v[kind] = x
			[]generic.Vector{fixed.Own, fixed.Enemy}[i][kind] = x
			if choice(t, p, fixed) == e.Learned {
				e.Makers = append(e.Makers, name)
			}
		}
	}
	return e
}

// TestExplainOnline checks that the parameters explained are those of the moment.
func TestExplainOnline(t *testing.T) {
	c := find(t, "4.4", 5)
	v := Variant{Update: func(generic.Weights, game.Position) (generic.Weights, error) { return other(4), nil }}
	r, err := playCell(t.Context(), c, generic.Fixed(4), v)
	if err != nil {
		t.Fatal(err)
	}
	e, err := explain(t.Context(), c, r, generic.Fixed(4), v)
	if err != nil {
		t.Fatal(err)
	}
	if e.Ply < 4 || len(e.Changed) != 3 {
		t.Errorf("%+v, want one of the player's later moves and three changed parameters", e)
	}
}

func TestExplainRefuses(t *testing.T) {
	c := find(t, "4.1", 4)
	r, err := playCell(t.Context(), c, generic.Fixed(3), Variant{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, move, want string
		ply              int
	}{
		{"no move", "z9", "\"z9\" is not a cell", 1},
		{"illegal", r.Moves[0], "ply 2: ", 2},
		{"another's", "d4", "ply 1: the player plays " + r.Moves[0] + ", but the game has d4", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bad := Result{Moves: slices.Clone(r.Moves)}
			bad.Moves[tc.ply-1] = tc.move
			if _, err := explain(t.Context(), c, bad, generic.Fixed(3), Variant{}); err == nil || !strings.HasPrefix(err.Error(), tc.want) {
				t.Errorf("error %v for %v, want it to begin with %q", err, bad.Moves, tc.want)
			}
		})
	}
}

func TestExplanationString(t *testing.T) {
	tests := []struct {
		e    Explanation
		want string
	}{
		{Explanation{}, "fixed parameters play the same game"},
		{Explanation{Ply: 3, Learned: "a1", Fixed: "b2"}, "ply 3: a1, not b2; no parameter alone decided"},
		{Explanation{Ply: 3, Learned: "a1", Fixed: "b2", Deciders: []string{"own open 2"}}, "ply 3: a1, not b2; decided by own open 2"},
		{Explanation{Ply: 3, Learned: "a1", Fixed: "b2", Makers: []string{"own open 2"}}, "ply 3: a1, not b2; no parameter alone decided; enough alone: own open 2"},
		{
			Explanation{Ply: 3, Learned: "a1", Fixed: "b2", Deciders: []string{"own open 2"}, Makers: []string{"own open 2"}},
			"ply 3: a1, not b2; decided by own open 2",
		},
		{
			Explanation{Ply: 3, Learned: "a1", Fixed: "b2", Deciders: []string{"own open 2", "enemy open 2"}},
			"ply 3: a1, not b2; each of 2 would restore it: own open 2, enemy open 2",
		},
	}
	for _, tc := range tests {
		if got := tc.e.String(); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
