// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// While the solver works, another search (task.unsure) is called from time to time, and its answers are reported. The first call
// comes after the time firstWord, and a further call each time that the time since the start has doubled. A call may take
// 1/wordShare of the time since the start, but at most longWord.
const (
	firstWord = 20 * time.Millisecond
	wordShare = 8
	longWord  = time.Second
)

func (t *task) listen(ctx context.Context, r Result) {
	done, lower, upper := t.nodes, t.bounds.Lower, t.bounds.Upper
	if t.lines == 1 {
		t.bounds = r
	}
	changed := t.bounds.Lower != lower || t.bounds.Upper != upper
	if took := time.Since(t.start); took >= max(t.next, firstWord) {
		_ = t.ask(ctx, search.Limits{Depth: t.depth, Time: min(took/wordShare, longWord), Lines: t.lines}, nil) // after an error, a later call of listen asks again
		t.next, changed = 2*took, true
	}
	if changed && len(t.words) > 0 {
		t.nodes += r.Nodes
		t.reportAnswers(t.answers())
		t.nodes = done
	}
}

// ask calls the other search, task.unsure, for the root position. If there is no other search, the answer is the legal move
// nearest to the center. An answer replaces the answer of the previous call of ask if the other search has visited at least
// as many nodes for it. After each replacement ask calls better, unless better is nil.
func (t *task) ask(ctx context.Context, lim search.Limits, better func()) error {
	if t.unsure == nil {
		t.words = []search.Info{{Depth: 1, PV: []game.Move{game.Move(t.p.first())}}}
		return nil
	}
	least, lines := uint64(0), 1
	if len(t.words) > 0 {
		least = t.words[0].Nodes
	}
	// The method answers removes the moves that are already proved, so request a line for every move.
	if t.lines > 1 {
		lines = len(t.root.AppendMoves(nil))
		lim.Lines = lines
	}
	var words []search.Info
	_, err := t.unsure.Search(ctx, t.root, lim, func(i search.Info) {
		i.PV, i.Root = slices.Clone(i.PV), slices.Clone(i.Root)
		words = append(words[:min(max(i.Line-1, 0), len(words))], i)
		if len(words) == lines && words[0].Nodes >= least {
			if t.words = slices.Clone(words); better != nil {
				better()
			}
		}
	})
	if len(t.words) == 0 {
		t.words = words
	}
	return err
}

// answers returns the best moves, the best first. They are ordered by score. A move without a proved score has the score of
// the other search.
func (t *task) answers() []search.Info {
	all := slices.Clone(t.proved)
	for _, w := range t.words {
		if !slices.ContainsFunc(t.proved, func(i search.Info) bool { return i.PV[0] == w.PV[0] }) {
			w.Nodes += t.nodes
			all = append(all, t.within(w))
		}
	}
	slices.SortStableFunc(all, func(a, b search.Info) int { return cmp.Compare(b.Score, a.Score) })
	if first := &all[0]; len(t.best) == 0 && first.Solved && len(all) > len(t.proved) && len(t.proved) > 0 { // first is the best proved move, but an unproved move may be better
		_, sign := first.Score.Distance()
		first.Bound, first.Solved = search.Lower, sign > 0
	}
	all = all[:min(t.lines, len(all))]
	for i := range all {
		all[i].Line = i + 1
		all[i].Nodes = max(all[i].Nodes, t.nodes)
		all[i].Time = time.Since(t.start)
	}
	all[0].Root = t.candidates(all)
	return all
}

// candidates returns a candidate for each answer in known. It contains the first move of the answer, its score, and the part of
// the solver's nodes that were needed to solve this move. For a move that is not solved this part is 0.
func (t *task) candidates(known []search.Info) (all []search.Candidate) {
	for _, i := range known {
		c := search.Candidate{Move: i.PV[0], Score: i.Score, Scored: true}
		if t.nodes > 0 {
			c.Effort = float64(t.spent[i.PV[0]]) / float64(t.nodes)
		}
		all = append(all, c)
	}
	return all
}

// within limits the score of an answer of the other search to the range that the solver has proved.
func (t *task) within(i search.Info) search.Info {
	lower, upper := t.bounds.Lower, t.bounds.Upper
	switch {
	case i.Solved:
	case len(t.best) > 0: // the best move is solved, and i begins with another move
		if i.Score > t.best[0].Score {
			i.Score, i.Bound = t.best[0].Score, search.Upper
		}
	case lower > 0:
		i.Score, i.Bound = eval.Win(t.p.Plies(lower)), search.Lower
	case upper < 0:
		i.Score, i.Bound = eval.Loss(t.p.Plies(upper)), search.Upper
	case lower == 0 && upper == 0:
		i.Score = 0
	case lower == 0 && i.Score < 0:
		i.Score, i.Bound = 0, search.Lower
	case upper == 0 && i.Score > 0:
		i.Score, i.Bound = 0, search.Upper
	}
	return i
}
