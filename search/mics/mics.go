// SPDX-License-Identifier: Apache-2.0

// Package mics is the m,n,k player of system D: alpha-beta over the few best cells of the MICS heuristic.
//
//	start      a timing run counts the nodes this machine visits in the time limit
//	root       the 3q best cells are dealt those nodes, the best cell most; what one leaves goes to the next
//	node       the q best cells, found by a bounded heap, to a fixed depth
//	leaf       the same heuristic: package eval/mics
//
// # Basics
//
//	s, err := mics.New(g, mics.Options{})
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, nil)
//
// # What is the text's and what is ours
//
// The text gives the parts above, the array of cells, the range of q (7 on small boards, 3 on big ones) and
// minimax with alpha-beta. Ours: the depths (see [Defaults]); the share of a root move, which falls
// evenly from the first to the last; a node beyond the share is valued as a leaf; threads, which the authors
// wished for; any game of k in a row, with gravity, two moves a turn and captures.
//
// # Caveats
//
// Only the q best cells are looked at, so a win or a loss beyond the next move is no proof: Solved is
// reported for a win at once and for nothing else. With a node budget the answer depends on the arguments
// and on Threads alone; a time limit makes it depend on the machine.
//
// # Speed
//
// A node costs O(cells · log q) for the ordering and O(k) for the heuristic. The clock is looked at every 32
// nodes, since a node of a 70 x 70 board costs tens of microseconds.
//
// CITE: Xuanqiang Huang and Giovanni Spadaccini, Progetto Algoritmi 2021/2022 (m,n,k player): algorithms 1
// to 4 and the sections on the timing run, on sharing out the moves and on cost.
package mics

import (
	"fmt"
	"time"

	heuristic "github.com/krow-lab/krow/eval/mics"
	"github.com/krow-lab/krow/game"
)

// Options say how the player searches. The zero value is the player of the text.
type Options struct {
	Branching int           // q, the cells looked at in a node; 0: by Defaults
	Depth     int           // plies; 0: by Defaults
	Time      time.Duration // for a search without limits; 0: DefaultTime
	Nodes     uint64        // for a search without limits, instead of Time, and with no timing run
	Threads   int           // root moves are shared among them; 0: 1
	Ordering  Ordering
	Cells     Cells
	Heuristic heuristic.Options
}

// DefaultTime is the time for a move of a search without any limit.
const DefaultTime = time.Second

// The greatest options.
const (
	MaxBranching = game.MaxSide * game.MaxSide
	MaxDepth     = 128
	MaxThreads   = 256
)

// Ordering says how the best cells are found.
type Ordering uint8

// Heap is the text's way, Sort what it replaced. Both give the same order.
const (
	Heap Ordering = iota
	Sort
)

// Cells says how the cells in play are kept.
type Cells uint8

// Array is the text's way, List what it replaced. Both lead to the same play.
const (
	Array Cells = iota
	List
)

// Defaults returns the branching and the depth for a board of so many cells. The text has such a table and does
// not print it: the branching falls from its 7 to its 3, and the depths are ours.
//
// These depths are for the text's ten seconds a move. Unless Options or Limits name a depth, a smaller budget
// makes it less deep, so that the first root moves' shares suffice: see affordable.
func Defaults(cells int) (branching, depth int) {
	for _, row := range table {
		if cells <= row.cells {
			return row.branching, row.depth
		}
	}
	last := table[len(table)-1]
	return last.branching, last.depth
}

var table = []struct{ cells, branching, depth int }{
	{16, 7, 16},
	{25, 7, 14},
	{36, 7, 12},
	{49, 6, 12},
	{100, 5, 12},
	{400, 4, 10},
	{game.MaxSide * game.MaxSide, 3, 10},
}

// Searcher is the player. It keeps the speed it measured for later searches.
type Searcher struct {
	g       game.Game
	o       Options
	fixed   bool // the depth was asked for
	workers []*worker
	rate    float64 // nodes a second, 0 before the timing run
}

// New returns the player for g, which must be a game of k in a row.
func New(g game.Game, o Options) (*Searcher, error) {
	switch {
	case o.Branching < 0 || o.Branching > MaxBranching:
		return nil, fmt.Errorf("mics: the branching is 1 to %d, not %d", MaxBranching, o.Branching)
	case o.Depth < 0 || o.Depth > MaxDepth:
		return nil, fmt.Errorf("mics: the depth is 1 to %d, not %d", MaxDepth, o.Depth)
	case o.Threads < 0 || o.Threads > MaxThreads:
		return nil, fmt.Errorf("mics: 1 to %d threads, not %d", MaxThreads, o.Threads)
	case o.Time < 0:
		return nil, fmt.Errorf("mics: the time is positive, not %v", o.Time)
	case o.Ordering > Sort || o.Cells > List:
		return nil, fmt.Errorf("mics: no such ordering or kind of cells")
	}
	o.Threads = max(o.Threads, 1)
	workers := make([]*worker, o.Threads)
	for i := range workers {
		var err error
		if workers[i], err = newWorker(g, &o); err != nil {
			return nil, err
		}
	}
	branching, depth := Defaults(len(workers[0].p.Cells()))
	if o.Branching == 0 {
		o.Branching = branching
	}
	fixed := o.Depth > 0
	if !fixed {
		o.Depth = depth
	}
	if o.Time == 0 {
		o.Time = DefaultTime
	}
	return &Searcher{g: g, o: o, fixed: fixed, workers: workers}, nil
}
