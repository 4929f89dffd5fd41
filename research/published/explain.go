// SPDX-License-Identifier: Apache-2.0

package published

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
)

// Explanation describes the first move of the player that the fixed parameters would not choose, and the reason for the
// difference.
type Explanation struct {
	// Ply is the number of the ply, from 1, at which the player made this move. It is 0 if there is no such move; the other
	// fields are then empty.
	Ply     int    `json:"ply"`
	Learned string `json:"learned,omitempty"` // the move that was played
	Fixed   string `json:"fixed,omitempty"`   // the move that the fixed parameters choose
	// Changed contains the names of the parameters that differ from their fixed values, such as "enemy open 3". The parameters
	// of the player's own threats come first.
	Changed []string `json:"changed,omitempty"`
	// Deciders contains each parameter of Changed that restores the fixed move when it alone is reset to its fixed value. If
	// there is one decider, it alone caused the move. If there are several, they caused it together. If there are none,
	// resetting a single parameter does not restore the fixed move.
	Deciders []string `json:"deciders,omitempty"`
	// Makers contains each parameter of Changed that produces the learned move when it alone has its learned value and all
	// other parameters have their fixed values.
	Makers []string `json:"makers,omitempty"`
}

// String returns the explanation as a sentence without a full stop.
func (e Explanation) String() string {
	if e.Ply == 0 {
		return "fixed parameters play the same game"
	}
	s := fmt.Sprintf("ply %d: %s, not %s; ", e.Ply, e.Learned, e.Fixed)
	switch len(e.Deciders) {
	case 0:
		s += "no parameter alone decided"
	case 1:
		s += "decided by " + e.Deciders[0]
	default:
		s += fmt.Sprintf("each of %d would restore it: %s", len(e.Deciders), strings.Join(e.Deciders, ", "))
	}
	if len(e.Makers) > 0 && !slices.Equal(e.Makers, e.Deciders) {
		s += "; enough alone: " + strings.Join(e.Makers, ", ")
	}
	return s
}

// explain explains the game that playCell played with the same arguments. It returns an error if the player now chooses another
// move than the move in r.
func explain(ctx context.Context, c Cell, r Result, learned generic.Weights, v Variant) (none Explanation, err error) {
	g, err := c.game()
	if err != nil {
		return none, err
	}
	player, _, err := seats(g, c, learned, v)
	if err != nil {
		return none, err
	}
	fixed, err := newSide(g, v.fixed(c.K), v)
	if err != nil {
		return none, err
	}
	var e Explanation
	err = follow(c, g, r, func(p game.Position, m game.Move) (bool, error) {
		got, err := player.move(ctx, p)
		if err != nil {
			return false, err
		}
		other, err := fixed.move(ctx, p)
		switch {
		case err != nil:
			return false, err
		case got != m:
			return false, fmt.Errorf("ply %d: the player plays %s, but the game has %s", p.Ply()+1, g.Format(got), g.Format(m))
		case other != m:
			e, err = part(ctx, p, m, other, player.weights, v)
			return false, err
		}
		return true, player.advance(p, m)
	})
	return e, err
}

// part explains position p, in which the weights w choose move m and the fixed parameters choose move fixed.
func part(ctx context.Context, p game.Position, m, fixed game.Move, w generic.Weights, v Variant) (Explanation, error) {
	g := p.Game()
	e := Explanation{Ply: p.Ply() + 1, Learned: g.Format(m), Fixed: g.Format(fixed)}
	brute := v.fixed(w.K)
	for _, one := range changed(w) {
		e.Changed = append(e.Changed, one.String())
		without, err := choose(ctx, p, one.copied(w, brute), v)
		if err != nil {
			return e, err
		}
		if without == fixed {
			e.Deciders = append(e.Deciders, one.String())
		}
		only, err := choose(ctx, p, one.copied(brute, w), v)
		if err != nil {
			return e, err
		}
		if only == m {
			e.Makers = append(e.Makers, one.String())
		}
	}
	return e, nil
}

func choose(ctx context.Context, p game.Position, w generic.Weights, v Variant) (game.Move, error) {
	s, err := newSide(p.Game(), w, v)
	if err != nil {
		return game.NoMove, err
	}
	return s.move(ctx, p)
}

// parameter identifies one number in the weights for games of k in a row.
type parameter struct {
	k     int
	enemy bool
	kind  threat.Kind
}

// String returns the parameter's name, such as "own half-open 2".
func (p parameter) String() string {
	whose := "own"
	if p.enemy {
		whose = "enemy"
	}
	return fmt.Sprintf("%s %s %d", whose, p.kind.Class(p.k), p.kind.Size())
}

// of returns the vector of the weights w that contains the parameter p.
func (p parameter) of(w generic.Weights) generic.Vector {
	if p.enemy {
		return w.Enemy
	}
	return w.Own
}

// copied returns a copy of w in which p has the value that it has in from.
func (p parameter) copied(w, from generic.Weights) generic.Weights {
	w.Own, w.Enemy = slices.Clone(w.Own), slices.Clone(w.Enemy)
	p.of(w)[p.kind] = p.of(from)[p.kind]
	return w
}

// changed returns the parameters of w that differ from their fixed values. The parameters of the player's own threats come
// first. Within each group, the parameters are sorted by the size of the threat.
func changed(w generic.Weights) (out []parameter) {
	fixed := generic.Fixed(w.K)
	for _, enemy := range []bool{false, true} {
		for kind := range threat.Kinds(w.K) {
			p := parameter{k: w.K, enemy: enemy, kind: threat.Kind(kind)}
			if p.of(w)[kind] != p.of(fixed)[kind] {
				out = append(out, p)
			}
		}
	}
	return out
}
