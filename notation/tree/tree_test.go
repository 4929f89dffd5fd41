// SPDX-License-Identifier: Apache-2.0

package tree_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/tree"
)

// positions returns the keys of all positions of a tree, and fails where two children of a node have the same.
func positions(t *testing.T, g game.Game, root *tree.Node, merged bool) map[uint64]bool {
	t.Helper()
	l := symmetry.NewLine(g)
	all := map[uint64]bool{}
	var walk func(n *tree.Node)
	walk = func(n *tree.Node) {
		here := map[uint64]bool{}
		for _, c := range n.Next {
			if err := l.Play(c.Move); err != nil {
				t.Fatal(err)
			}
			if here[l.Key()] && merged {
				t.Errorf("%s is there twice", notation.FormatMoves(g, l.Position().AppendHistory(nil)))
			}
			here[l.Key()], all[l.Key()] = true, true
			walk(c)
			l.Undo()
		}
	}
	walk(root)
	return all
}

// A merged tree has the positions of the tree, and no two children that are the same.
func TestMerge(t *testing.T) {
	for _, spec := range []string{"tictactoe", "gomoku:5", "renju:7x5", "connect4"} {
		t.Run(spec, func(t *testing.T) {
			g, err := krow.Game(spec)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(2, 2))
			root := &tree.Node{}
			for range 80 {
				p := g.Start()
				game.PlayRandom(p, 6, rng.IntN)
				root.Line(p.AppendHistory(nil))
			}
			merged := tree.Merge(g, root)
			want, got := positions(t, g, root, false), positions(t, g, merged, true)
			if len(want) != len(got) || merged.Count() >= root.Count() {
				t.Errorf("%d positions of %d moves became %d of %d", len(want), root.Count(), len(got), merged.Count())
			}
			for key := range got {
				if !want[key] {
					t.Fatal("a position that was not there")
				}
			}
		})
	}
}

// Comments of what becomes one are joined, and what the rules refuse is cut off.
func TestMergeJoinsComments(t *testing.T) {
	g, err := krow.Game("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	root := &tree.Node{}
	for _, line := range []string{"b2 a1 a2", "b2 c3 b3", "b2 c1 c1 a1", "b2 a2"} {
		moves, err := notation.ParseMoves(g, line)
		if err != nil {
			t.Fatal(err)
		}
		root.Line(moves).Comment = line
	}
	if cut := tree.Legal(g.Start(), root); cut != 2 {
		t.Errorf("%d moves cut off, want 2", cut)
	}
	merged := tree.Merge(g, root)
	corner := merged.Next[0].Next[0]
	const want = "2 children, a1 and then a2: b2 a1 a2\nb2 c3 b3"
	got := fmt.Sprintf("%d children, %s and then %s: %s", len(merged.Next[0].Next), g.Format(corner.Move), g.Format(corner.Next[0].Move), corner.Next[0].Comment)
	if got != want || len(corner.Next) != 1 {
		t.Errorf("%s, want %s", got, want)
	}
}
