// SPDX-License-Identifier: Apache-2.0

// Package score contains code that the engines for Connect6, pente and Atari-Go share: scores, entries of the transposition
// table, reports of lines, the table's memory, and the loop of iterative deepening.
//
// # Caveats
//
// Scores are for the side to move. A proved win in n plies is Mate-n. A win in n plies that is not proved, because some answers
// were not examined, is Likely-n.
package score

import (
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/tt"
)

// The ranges of scores.
const (
	Infinity  = 32000
	Mate      = 31000
	MateBound = 30000 // scores greater than this are proved wins
	Likely    = 25000
	WinBound  = 24000 // scores greater than this are wins, proved or not
	Max       = 20000 // the maximum of a static value
)

// WinIn returns the score of a proved win at the given ply.
func WinIn(ply int) int32 { return Mate - int32(ply) }

// Opinion returns v, except for a loss that is not proved: if v is the loss in n plies, n-Mate, it returns n-Likely.
func Opinion(v int32, proved bool) int32 {
	if v < -MateBound && !proved {
		return v + Mate - Likely
	}
	return v
}

// fromRoot converts a score whose plies are counted from the node at ply to a score whose plies are counted from the root. With
// -ply it converts back.
func fromRoot(v int32, ply int) int32 {
	switch {
	case v > WinBound:
		return v - int32(ply)
	case v < -WinBound:
		return v + int32(ply)
	}
	return v
}

// The kinds of bound of an entry's score.
const (
	exact = iota + 1
	lower
	upper
)

// Entry is an entry of the transposition table, stored in a word of package tt. If Score is a win or a loss in n plies, the
// plies are counted from the root; in the stored word they are counted from the node of the entry.
//
//	bit  0         8            24      26
//	     | depth+1 | score+2^15 | bound | move
type Entry struct {
	Depth int
	Score int32
	Move  uint64 // at most 38 bits
	bound int
}

// Store stores the result of a search with the window (from, beta). The stored score is exact only if it is inside the window;
// otherwise it is a lower or an upper bound.
func Store(t *tt.Table, key uint64, ply int, e Entry, from, beta int32) {
	bound := exact
	switch {
	case e.Score >= beta:
		bound = lower
	case e.Score <= from:
		bound = upper
	}
	v := uint16(fromRoot(e.Score, -ply) + 1<<15)
	t.Store(key, uint64(max(e.Depth, 0)+1)|uint64(v)<<8|uint64(bound)<<24|e.Move<<26)
}

// Probe returns the entry of a node, if the table has one.
func Probe(t *tt.Table, key uint64, ply int) (Entry, bool) {
	d, ok := t.Probe(key)
	v := fromRoot(int32(d>>8&0xffff)-1<<15, ply)
	return Entry{int(d&255) - 1, v, d >> 26, int(d >> 24 & 3)}, ok
}

// Decides reports whether the entry makes a search with this window and depth unnecessary. A proved win or loss decides at any
// depth.
func (e Entry) Decides(alpha, beta int32, depth int) bool {
	settled := e.Score > MateBound && e.bound != upper || e.Score < -MateBound && e.bound != lower
	return settled || e.Depth >= depth && (e.bound == exact || e.bound == lower && e.Score >= beta || e.bound == upper && e.Score <= alpha)
}

// Reports reports the lines of a search to its caller.
type Reports struct {
	Budget *search.Budget
	Report func(search.Info) // may be nil
	Most   int               // the depth limit; reported depths are never greater
	Best   search.Info       // the last report of line 1
	last   eval.Score
}

// Answer reports a line. A line must not be better than the previous line, so if it has a better score, it is reported with the
// score of the previous line. Answer stores line 1 in Best.
func (r *Reports) Answer(line, depth int, v int32, pv []game.Move) {
	info := search.Info{
		Line: line, Depth: min(depth, r.Most), Nodes: max(r.Budget.Nodes, 1), Time: r.Budget.Elapsed(),
		Score: eval.Score(v) * eval.Unit / 100, PV: pv,
	}
	switch {
	case v > MateBound:
		info.Score, info.Solved = eval.Win(int(Mate-v)), true
	case v < -MateBound:
		info.Score, info.Solved = eval.Loss(int(Mate+v)), true
	}
	if Mate-max(v, -v) > 2 {
		info.Bound = search.Most(info.Score)
	}
	if line == 1 {
		r.Best = info
	} else if info.Score > r.last {
		info.Score, info.Bound, info.Solved = r.last, search.Exact, false
	}
	r.last = info.Score
	if r.Report != nil {
		r.Report(info)
	}
}
