// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"context"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/search/tt"
)

// shortNodes is the node limit of each search for a shorter win by threats.
const shortNodes = 20_000

// shorten replaces the proof of p, whose value must be proved, by proofs in which the longest line has fewer and fewer plies, until it
// finds no such proof. The winner's moves stay the same until he can win by threats.
func (z *Solver) shorten(ctx context.Context, p game.Position, won *pnSearch) error {
	if !z.byAnswers() {
		z.w.beginSearch(&shared{table: tt.New(0), ctx: ctx}, p)
		won.root.tree = newShortener(won.treeBuilder, p).shorten(won.root.tree)
		return ctx.Err()
	}
	for i := range z.opening.answers {
		a := &z.opening.answers[i]
		if a.short {
			continue
		}
		t, err := unpackTree(a.tree, len(z.opening.class))
		if err != nil {
			return err
		}
		q := z.opening.p.Clone()
		q.Play(game.Move(a.cell))
		a.setTree(z.shortened(ctx, q, t))
	}
	return ctx.Err()
}

// shortened returns the shortest tree that it finds for p, in which the attacker is to move. The result depends only on p and t.
func (z *Solver) shortened(ctx context.Context, p game.Position, t *tree) *tree {
	one, err := NewSolver(z.g, 1<<20, 1)
	if err != nil {
		panic(err) // impossible, because z was made for the same game
	}
	one.w.beginSearch(&shared{table: tt.New(0), ctx: ctx}, p)
	return newShortener(newTreeBuilder(one.w, p.Turn()), p).shorten(t)
}

// shortener searches for shorter trees.
type shortener struct {
	*treeBuilder
	// By position: the greatest numbers of plies within which no win by threats was found, and no win by the moves of a tree.
	byThreats, byTree map[uint64]uint16
}

func newShortener(g *treeBuilder, p game.Position) *shortener {
	g.load(p)
	g.nodes = shortNodes
	return &shortener{treeBuilder: g, byThreats: map[uint64]uint16{}, byTree: map[uint64]uint16{}}
}

// shorten returns the shortest tree that it finds.
func (s *shortener) shorten(t *tree) *tree {
	for {
		u := s.within(t, int(t.plies)-2)
		if u == nil {
			return t
		}
		t = u
	}
}

// within returns a tree of at most the given number of plies that is valid in this position, or nil if it finds none. The tree t
// is valid too. The attacker is to move, unless t has no move.
func (s *shortener) within(t *tree, most int) *tree {
	key := s.hash() ^ uint64(s.unseen)*rng.Golden
	switch {
	case int(t.plies) <= most:
		return t
	case most < 1 || int(s.byTree[key]) >= most || s.stop.Load():
		return nil
	}
	if t.move != noCell {
		s.most = most
		u := s.lookup()
		if u == nil && int(s.byThreats[key]) < most {
			u = s.attack()
		}
		s.most = 0
		if u != nil && int(u.plies) <= most {
			return u
		}
		s.byThreats[key] = max(s.byThreats[key], uint16(most))
	}
	u := s.sameMove(t, most)
	switch {
	case s.stop.Load():
		return nil
	case u == nil:
		s.byTree[key] = uint16(most)
	case t.move != noCell:
		s.keep(u)
	}
	return u
}

// sameMove is within for trees that begin with the same move as t.
func (s *shortener) sameMove(t *tree, most int) *tree {
	move := -1
	if t.move != noCell {
		move = int(t.move)
		s.place(move)
		defer s.lift(move)
	}
	s.skip()
	pass := s.within(t.pass, most-2)
	s.back()
	if pass == nil {
		return nil
	}
	known := map[int]*tree{}
	for i, c := range t.pass.zone.cells() {
		known[c] = t.answers[i]
	}
	var answers []*tree
	for _, c := range pass.zone.cells() {
		old := known[c]
		if old == nil {
			old = t.pass // a stone outside the zone of this tree does not change it
		}
		s.place(c)
		u := s.within(old, most-2)
		s.lift(c)
		if u == nil {
			return nil
		}
		answers = append(answers, u)
	}
	return s.tree(move, pass, answers)
}
