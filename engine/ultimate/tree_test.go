// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"testing"

	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
)

// TestManyVisits continues with a tree whose root has mostVisits visits: the search halves all visits, and the values stay.
func TestManyVisits(t *testing.T) {
	g := ultimate.New(ultimate.Rules{})
	s, err := New(g, Options{Hash: 1 << 20, NoProof: true})
	if err != nil {
		t.Fatal(err)
	}
	r := &run{Searcher: s, budget: search.NewBudget(t.Context(), search.Limits{}), most: 3000, lines: 1}
	for _, w := range s.workers {
		w.depth = 81
	}
	r.search()
	root := &s.tree.nodes[0]
	root.stats = uint64(newStats(root.loadStats().value(), mostVisits-1))
	before := gather(s.tree.children(root.loadLink()))
	r.stop.Store(false)
	r.most = 6000
	r.search()
	after := gather(s.tree.children(root.loadLink()))
	root = &s.tree.nodes[0]
	if n := root.loadStats().visits(); n < mostVisits/2 || n > mostVisits/2+6000 {
		t.Errorf("%d visits of the root", n)
	}
	if after.visits > before.visits/2+6100 || after.visits < before.visits/2 {
		t.Errorf("%d visits of the children, were %d", after.visits, before.visits)
	}
}
