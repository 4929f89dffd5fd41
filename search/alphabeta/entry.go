// SPDX-License-Identifier: Apache-2.0

package alphabeta

import (
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// entry is the data about a node in the table. It is packed into a word:
//
//	63                      26 25            11     10     9     8 7       0
//	|        score           |    move + 1    | proved |  value  |  depth  |
//
// value is 0 if the entry has a move but no score; otherwise it is 1 plus the [search.Bound] of the score. A score outside the
// range of packed scores is not stored. The two ends of this range contain wins and losses. The distance of a win or loss in
// plies is counted from the node, not from the root, because the next search may have another root.
type entry struct {
	// score is for the side to move. Here the distance of a win or loss is counted from the root; pack and unpack convert it.
	score  eval.Score
	bound  search.Bound
	depth  int
	move   game.Move
	proved bool // whether every leaf below is a finished game, or the score is a win or loss
	valued bool // whether score, bound and proved are set
}

const (
	maxMoves  = 1<<15 - 2
	maxKept   = 1<<8 - 1     // maximum depth that an entry can store
	scoreEnd  = 1<<37 - 1    // end of the range of packed scores
	maxPlies  = 1 << 20      // maximum distance of a win or loss in an entry
	scoreMost = scoreEnd / 2 // maximum score that does not contain a distance
)

// boundOf returns the kind of bound of best, the result of a search with the window from low to high.
func boundOf(best, low, high eval.Score) search.Bound {
	switch {
	case best >= high:
		return search.Lower
	case best <= low:
		return search.Upper
	}
	return search.Exact
}

// pack returns the word for e, an entry of a node at ply. If exact is false, no score contains a distance from the root.
func (e entry) pack(ply int, exact bool) uint64 {
	word := uint64(e.move+1)<<11 | uint64(min(e.depth, maxKept))
	plies, sign := e.score.Distance()
	if exact {
		plies -= ply
	}
	packed := int64(e.score)
	if sign != 0 {
		packed = int64(sign) * int64(scoreEnd-plies)
	}
	if e.depth > maxKept || sign == 0 && (packed > scoreMost || packed < -scoreMost) || sign != 0 && (plies < 0 || plies > maxPlies) {
		return word
	}
	if e.proved {
		word |= 1 << 10
	}
	return word | uint64(packed)<<26 | uint64(e.bound+1)<<8
}

func unpack(word uint64, ply int, exact bool) entry {
	e := entry{depth: int(word & maxKept), move: game.Move(word>>11&(1<<15-1)) - 1}
	value := word >> 8 & 3
	if value == 0 {
		return e
	}
	e.valued, e.bound, e.proved = true, search.Bound(value-1), word>>10&1 != 0
	packed := int64(word) >> 26
	plies := 0
	if exact {
		plies = ply
	}
	switch {
	case packed > scoreMost:
		e.score = eval.Win(scoreEnd - int(packed) + plies)
	case packed < -scoreMost:
		e.score = eval.Loss(scoreEnd + int(packed) + plies)
	default:
		e.score = eval.Score(packed)
	}
	return e
}

// rootKeys gives each position a different key for each side to move at the root, because the heuristic evaluates for that side.
var rootKeys = [2]uint64{0, 0xd1b54a32d192ed03}

func (t *tree) probe() entry {
	if t.table != nil {
		if word, ok := t.table.Probe(t.p.Key() ^ rootKeys[t.root]); ok {
			return unpack(word, t.ply, t.Terminal == Exact)
		}
	}
	return entry{move: game.NoMove}
}

// store stores e in the table as the entry of the current position. A score that is a forced win or loss is proved: a deeper
// search finds the same win or loss at the same distance.
func (t *tree) store(e entry) {
	if t.table == nil {
		return
	}
	if t.Terminal == Exact {
		won := e.score > eval.WinBound && e.bound != search.Upper
		lost := e.score < -eval.WinBound && e.bound != search.Lower
		e.proved = e.proved || won || lost
	}
	t.table.Store(t.p.Key()^rootKeys[t.root], e.pack(t.ply, t.Terminal == Exact))
}

func (e entry) fits(depth int) bool {
	return e.valued && (e.depth == depth || e.proved && e.depth <= depth)
}

// cut returns true if the entry e is valid for a search to this depth and makes the search unnecessary. The returned score is
// then the value of the position, or a bound outside the window from alpha to beta.
func (t *tree) cut(e entry, depth int, alpha, beta eval.Score) (eval.Score, bool) {
	if !e.fits(depth) {
		return 0, false
	}
	if e.bound == search.Lower && e.score < beta || e.bound == search.Upper && e.score > alpha {
		return 0, false
	}
	if !e.proved {
		t.horizon++
	}
	return e.score, true
}
