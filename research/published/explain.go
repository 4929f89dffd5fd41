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

// Explanation says where a game left the path of the fixed parameters, and why.
type Explanation struct {
	// Ply is the ply, from 1, of the player's first move that fixed parameters would not have made in the same
	// position. It is 0 if there is none, and then the rest is empty.
	Ply     int    `json:"ply"`
	Learned string `json:"learned,omitempty"` // the move made
	Fixed   string `json:"fixed,omitempty"`   // the move of the fixed parameters
	// Changed are the parameters that are not at their fixed values, such as "enemy open 3", own ones first.
	Changed []string `json:"changed,omitempty"`
	// Deciders are the members of Changed that alone, set back to their fixed value, restore the fixed move. If there
	// is one, it decided the move. If there are several, they did it together; if there are none, no parameter did it
	// alone.
	Deciders []string `json:"deciders,omitempty"`
	// Makers are the members of Changed that alone, put into fixed parameters, make them choose the learned move.
	Makers []string `json:"makers,omitempty"`
}

// String returns a sentence without a full stop.
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

// explain explains the game that play played with the same arguments. It is an error if a move of the player is not the
// one that it chooses.
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
			return false, fmt.Errorf("ply %d: the player moves %s, and the game has %s", p.Ply()+1, g.Format(got), g.Format(m))
		case other != m:
			e, err = part(ctx, p, m, other, player.weights, v)
			return false, err
		}
		return true, player.advance(p, m)
	})
	return e, err
}

// part explains the position p, in which the weights w choose another move than fixed ones.
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

// parameter is one number of the weights for k in a row.
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

// of returns the vector of w that holds p.
func (p parameter) of(w generic.Weights) generic.Vector {
	if p.enemy {
		return w.Enemy
	}
	return w.Own
}

// copied returns w with the value that p has in from.
func (p parameter) copied(w, from generic.Weights) generic.Weights {
	w.Own, w.Enemy = slices.Clone(w.Own), slices.Clone(w.Enemy)
	p.of(w)[p.kind] = p.of(from)[p.kind]
	return w
}

// changed returns the parameters of w that are not at their fixed values, own ones first, by size.
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
