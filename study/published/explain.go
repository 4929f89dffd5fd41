// SPDX-License-Identifier: Apache-2.0

package published

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/threat"
)

// Explanation tells where a game left the path of the fixed parameters, and why.
type Explanation struct {
	// Ply is that of the player's first move that fixed parameters would not have made in the same
	// position, counted from 1; 0 where there is none, and then the rest is empty.
	Ply     int    `json:"ply"`
	Learned string `json:"learned,omitempty"` // the move made
	Fixed   string `json:"fixed,omitempty"`   // the move of the fixed parameters
	// Changed are the parameters that are not at their fixed values, such as "enemy open 3", own ones first.
	Changed []string `json:"changed,omitempty"`
	// Deciders are those of Changed that restore the fixed move when they alone are set to their fixed
	// value. One decided the move; several did it together, or none alone.
	Deciders []string `json:"deciders,omitempty"`
}

// String says it in a sentence without a full stop.
func (e Explanation) String() string {
	if e.Ply == 0 {
		return "fixed parameters play the same game"
	}
	at := fmt.Sprintf("ply %d: %s, not %s", e.Ply, e.Learned, e.Fixed)
	switch len(e.Deciders) {
	case 0:
		return fmt.Sprintf("%s; no parameter alone decided", at)
	case 1:
		return fmt.Sprintf("%s; decided by %s", at, e.Deciders[0])
	}
	return fmt.Sprintf("%s; each of %d would restore it: %s", at, len(e.Deciders), strings.Join(e.Deciders, ", "))
}

// Explain goes through the game that Play played with the same arguments. A game of other arguments is an
// error, in general: the player's own moves must come out again.
func Explain(ctx context.Context, c Cell, r Result, learned generic.Weights, v Variant) (Explanation, error) {
	e, err := explain(ctx, c, r, learned, v)
	if err != nil {
		return Explanation{}, fmt.Errorf("table %s, %s: %w", c.Table, c.Game, err)
	}
	return e, nil
}

func explain(ctx context.Context, c Cell, r Result, learned generic.Weights, v Variant) (none Explanation, err error) {
	g, err := c.game()
	if err != nil {
		return none, err
	}
	player, _, err := seats(g, c, learned, v)
	if err != nil {
		return none, err
	}
	fixed, err := newSide(g, generic.Fixed(c.K), v)
	if err != nil {
		return none, err
	}
	p := g.Start()
	for _, word := range r.Moves {
		m, err := g.Parse(word)
		if err != nil {
			return none, err
		}
		if p.Turn() != c.seat() {
			if err := game.Play(p, m); err != nil {
				return none, err
			}
			continue
		}
		other, err := fixed.move(ctx, p)
		if err != nil {
			return none, err
		}
		if other != m {
			return part(ctx, p, m, other, player.weights, v)
		}
		switch got, err := player.play(ctx, p); {
		case err != nil:
			return none, err
		case got != m:
			return none, fmt.Errorf("ply %d: the player moves %s, and the game has %s", p.Ply(), g.Format(got), word)
		}
	}
	return none, nil
}

// part explains the position p, in which the weights w choose another move than fixed ones.
func part(ctx context.Context, p game.Position, m, fixed game.Move, w generic.Weights, v Variant) (Explanation, error) {
	g := p.Game()
	e := Explanation{Ply: p.Ply() + 1, Learned: g.Format(m), Fixed: g.Format(fixed)}
	for _, one := range changed(w) {
		e.Changed = append(e.Changed, one.String())
		s, err := newSide(g, one.reset(w), v)
		if err != nil {
			return e, err
		}
		got, err := s.move(ctx, p)
		if err != nil {
			return e, err
		}
		if got == fixed {
			e.Deciders = append(e.Deciders, one.String())
		}
	}
	return e, nil
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

// reset returns w with p at its fixed value.
func (p parameter) reset(w generic.Weights) generic.Weights {
	w.Own, w.Enemy = slices.Clone(w.Own), slices.Clone(w.Enemy)
	p.of(w)[p.kind] = p.of(generic.Fixed(p.k))[p.kind]
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
