// SPDX-License-Identifier: Apache-2.0

package searchtest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/search"
)

// nodesSlack is the maximum number of nodes by which a search may exceed its limit: a few threads each check the limit every
// 1024 nodes.
const nodesSlack = 8 * 1024

// A limitsCase contains limits under which every search must meet the requirements.
type limitsCase struct {
	name string
	lim  search.Limits
	// alive is the time until the context is done. 0 means that the context has no time limit. With a negative value, the context
	// is already done when the search begins.
	alive time.Duration
	// thorough marks a case that visits many nodes.
	thorough bool
}

var cases = []limitsCase{
	{name: "nodes=1", lim: search.Limits{Nodes: 1}},
	{name: "nodes=300", lim: search.Limits{Nodes: 300}},
	{name: "depth=1", lim: search.Limits{Depth: 1, Nodes: 1500}, thorough: true},
	{name: "depth=2", lim: search.Limits{Depth: 2, Nodes: 1500}, thorough: true},
	{name: "depth=1000", lim: search.Limits{Depth: 1000, Nodes: 300}},
	{name: "lines=3", lim: search.Limits{Lines: 3, Nodes: 300}},
	{name: "lines=1000", lim: search.Limits{Lines: 1000, Depth: 1, Nodes: 1500}, thorough: true},
	{name: "time=1ms", lim: search.Limits{Time: time.Millisecond}},
	{name: "context=over", alive: -1},
	{name: "context=2ms", alive: 2 * time.Millisecond},
}

// checkTwice searches p twice with new Searchers, and compares the answers.
func (c limitsCase) checkTwice(t *testing.T, p game.Position, newSearcher func(game.Game) search.Searcher) {
	first, lines := c.search(t, newSearcher(p.Game()), p)
	checkLines(t, c, p, first, lines)
	if c.lim.Time != 0 || c.alive != 0 {
		return
	}
	second, _ := c.search(t, newSearcher(p.Game()), p)
	if got, want := answerText(second), answerText(first); got != want {
		t.Errorf("a second new Searcher answered\n%s\nand not\n%s", got, want)
	}
}

// search returns the final answer, and the last report for each line.
func (c limitsCase) search(t *testing.T, s search.Searcher, p game.Position) (search.Info, map[int]search.Info) {
	t.Helper()
	ctx := t.Context()
	if c.alive != 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.alive)
		defer cancel()
	}
	before := gametest.Picture(p)
	lines := map[int]search.Info{}
	info, err := s.Search(ctx, p, c.lim, func(i search.Info) {
		i.PV = slices.Clone(i.PV)
		lines[max(i.Line, 1)] = i
	})
	if err != nil {
		t.Fatalf("Search: %v", err)
	}
	if after := gametest.Picture(p); after != before {
		t.Fatalf("Search changed\n%s\nto\n%s", before, after)
	}
	checkInfo(t, p, c.lim, info)
	return info, lines
}

// checkInfo checks one answer of a search of p under lim.
func checkInfo(t *testing.T, p game.Position, lim search.Limits, info search.Info) {
	t.Helper()
	if len(info.PV) == 0 {
		t.Fatal("an answer without a move")
	}
	if info.Line <= 1 && !slices.Contains(game.AppendSound(nil, p), info.PV[0]) {
		t.Errorf("the line %v begins with a forbidden move", info.PV)
	}
	q := p.Clone()
	for i, m := range info.PV {
		if err := game.Play(q, m); err != nil {
			t.Fatalf("move %d of the line %v: %v", i+1, info.PV, err)
		}
	}
	if lim.Depth > 0 && info.Depth > lim.Depth || info.Depth < 0 {
		t.Errorf("depth %d, limit %d", info.Depth, lim.Depth)
	}
	if lim.Nodes > 0 && info.Nodes > lim.Nodes+nodesSlack {
		t.Errorf("%d nodes, limit %d", info.Nodes, lim.Nodes)
	}
}

func checkLines(t *testing.T, c limitsCase, p game.Position, final search.Info, lines map[int]search.Info) {
	t.Helper()
	last, ok := lines[1]
	if !ok {
		t.Fatal("nothing was reported")
	}
	if last.PV[0] != final.PV[0] || last.Score != final.Score || last.Solved != final.Solved {
		t.Errorf("last report %s, final answer %s", answerText(last), answerText(final))
	}
	if most := min(max(c.lim.Lines, 1), len(p.AppendMoves(nil))); len(lines) > most {
		t.Errorf("%d lines reported, at most %d expected", len(lines), most)
	}
	seen := map[game.Move]bool{}
	for i := 1; i <= len(lines); i++ {
		info, ok := lines[i]
		if !ok {
			t.Fatalf("%d lines, but none has the number %d", len(lines), i)
		}
		checkInfo(t, p, c.lim, info)
		if seen[info.PV[0]] {
			t.Errorf("line %d begins with the move of an earlier one", i)
		}
		seen[info.PV[0]] = true
		// Scores of lines with different depths or bounds cannot be compared.
		if prev, ok := lines[i-1]; ok && prev.Depth == info.Depth && prev.Bound == info.Bound && prev.Score < info.Score {
			t.Errorf("line %d scores %d, the line before it %d", i, info.Score, prev.Score)
		}
	}
}

// answerText returns an answer as text, without the parts that depend on time.
func answerText(i search.Info) string {
	return fmt.Sprintf("line=%d depth=%d score=%d bound=%d pv=%v nodes=%d solved=%v",
		max(i.Line, 1), i.Depth, i.Score, i.Bound, i.PV, i.Nodes, i.Solved)
}
