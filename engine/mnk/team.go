// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/dfpn"
	"github.com/krow-lab/krow/search/tt"
)

// team contains the provers of several threads, which answer one question together: they share the table, and each prefers moves
// below which no other prover is searching. CITE: Kaneko, Parallel Depth First Proof Number Search, 2010 (the idea).
type team []*prover

func newTeam(g *geometry, weak bool, table *tt.Table, threads int) team {
	all := team{newProver(g, weak, table)}
	if threads > 1 {
		claims, stop := new(tt.Claims), new(atomic.Bool)
		for len(all) < threads {
			all = append(all, newProver(g, weak, table))
		}
		for _, p := range all {
			p.claims, p.Stop = claims, stop
			p.Busy = func(kid *child) bool { return claims.Has(kid.Key) }
		}
	}
	return all
}

func (t team) deep(deep bool) {
	for _, p := range t {
		p.Deep = deep
	}
}

// askAll searches for the answer like prover.searchQuestion, but with all threads, each for the given number of nodes. When one
// thread stops, all stop.
func (t team) askAll(q question, nodes uint64) (dfpn.Verdict, game.Move) {
	if len(t) == 1 {
		return t[0].searchQuestion(q, nodes)
	}
	type told struct {
		v dfpn.Verdict
		m game.Move
	}
	all, budgets := make([]told, len(t)), make([]*search.Budget, len(t))
	t[0].Stop.Store(false)
	var threads sync.WaitGroup
	for i, p := range t {
		mine := q
		if i > 0 {
			mine.budget = search.NewBudget(context.Background(), search.Limits{})
		}
		budgets[i] = mine.budget
		threads.Go(func() {
			all[i].v, all[i].m = p.searchQuestion(mine, nodes)
			p.Stop.Store(true)
		})
	}
	threads.Wait()
	best := all[0]
	for i, a := range all {
		if i > 0 {
			q.budget.Nodes += budgets[i].Nodes
		}
		if best.v == dfpn.Unknown && a.v != dfpn.Unknown {
			best = a
		}
	}
	return best.v, best.m
}
