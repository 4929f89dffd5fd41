// SPDX-License-Identifier: Apache-2.0

// Package mics is the m,n,k player of Huang and Spadaccini (system D in docs/systems.md): an alpha-beta search that tries only
// the few cells that the MICS heuristic ranks highest.
//
//	start      a timing run counts the nodes that this machine visits in the time limit
//	root       the 3q best cells share those nodes, the best cell gets most; unused nodes go to the next cell
//	node       the q best cells, found by a bounded heap, to a fixed depth
//	leaf       the same heuristic: package eval/mics
//	again      deeper and wider passes while there is time, with the best cells first
//
// # Basics
//
//	s, err := mics.New(g, mics.Options{})
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, nil)
//
// # What comes from the authors, and what is our own
//
// The authors' text describes all parts in this list except the last one, the repeated passes. It also describes the array
// of cells, the range of q (7 on small boards, 3 on large boards) and minimax with alpha-beta. Our own additions are the
// depths, the shares of the root moves, the rule that a node beyond its share is valued as a leaf, threads, and games other
// than m,n,k (with falling stones, two moves a turn, or captures). The text also gives the best root moves the most nodes, but in
// other shares.
//
// # Caveats
//
// The player in the text searches once and leaves the remaining time unused, often most of the time of the move. With
// Options.Once this player does the same. With Options.Authors the player also takes from the authors' program the numbers that
// the text does not name: the multipliers of the heuristic, the branching, the depth, and the shares of the root moves. In
// that program, the first root move gets a quarter of the nodes, and each other root move gets an equal part of the
// remaining nodes. The authors' timing run is made before the game and takes 85 % of the time of a move; our timing run is a
// part of the first search.
//
// Only the q best cells are searched, so a win or loss that the search finds is not proved: only an answer that wins at once is
// Solved. With a limit of nodes, the answer depends only on the arguments and on Threads; with a time limit it also depends on the
// machine.
//
// # Speed
//
// A node costs O(cells · log q) for the ordering and O(k) for the heuristic. The clock is read every 32 nodes, since a node of a 70
// x 70 board takes tens of microseconds.
//
// CITE: Xuanqiang Huang and Giovanni Spadaccini, Progetto Algoritmi 2021/2022 (m,n,k player): algorithms 1
// to 4 and the sections on the timing run, on sharing the nodes among the moves, and on cost.
package mics

import (
	"fmt"
	"slices"
	"time"

	heuristic "github.com/krow-lab/krow/eval/mics"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
)

// Options are the settings of the search. The zero value is krow's version of the authors' player.
type Options struct {
	// Branching is q, the number of cells tried in a node. If it is 0, q depends on the size of the board.
	Branching int
	// Depth is the depth in plies. If it is 0, the depth depends on the size of the board and the number of nodes.
	Depth int
	Time  time.Duration // time of a search without limits; 0 means a second
	// Nodes limits a search without limits, in place of Time. The search then makes no timing run, which measures the speed of
	// the machine.
	Nodes   uint64
	Threads int // number of threads, to which the root moves are distributed; 0 means 1
	// Eval contains factors of the heuristic, such as the value of an own stone. The zero value means the result of the function
	// Multipliers.
	Eval heuristic.Multipliers
	// If Once is true, the player searches once, as the authors' player does, and leaves the remaining time unused.
	Once bool
	// If Authors is true, the player takes from the authors' program the numbers that their report does not give, such as the
	// factors of the heuristic and the depth. It searches once, as with Once.
	Authors bool
}

// The maximum values of options.
const (
	maxBranching = game.MaxSide * game.MaxSide
	maxDepth     = 128
	maxThreads   = 256
)

// usual returns the branching and the depth for a board of the given number of cells. The text mentions a table of these two
// numbers but does not print it. Here the branching decreases from 7 to 3, the numbers in the text. The depths are our own, for
// the text's ten seconds a move. With a smaller number of nodes, the search is less deep: see affordable.
func usual(cells int) (branching, depth int) {
	i := slices.IndexFunc(table, func(row size) bool { return cells <= row.cells })
	return table[i].branching, table[i].depth
}

// size contains a number of cells, and the usual branching and depth for boards of this size.
type size struct{ cells, branching, depth int }

var table = []size{
	{16, 7, 16},
	{25, 7, 14},
	{36, 7, 12},
	{49, 6, 12},
	{100, 5, 12},
	{400, 4, 10},
	{game.MaxSide * game.MaxSide, 3, 10},
}

// If k is at least the constant large, the authors' program tries fewer cells in a node. If in addition the number of nodes is
// below the constant few, the program searches less deep.
const large, few = 10, 1_000_000

// Searcher is the player of this package. It measures the speed of the machine once, and uses this speed in later searches.
type Searcher struct {
	g       game.Game
	o       Options
	fixed   bool // whether the options set the depth
	workers []*worker
	rate    float64 // nodes per second, measured by the timing run of the first search; 0 before it
}

// New returns the player for g, which must be a game of k in a row.
func New(g game.Game, o Options) (*Searcher, error) {
	switch {
	case o.Branching < 0 || o.Branching > maxBranching:
		return nil, fmt.Errorf("mics: the branching must be from 1 to %d, not %d", maxBranching, o.Branching)
	case o.Depth < 0 || o.Depth > maxDepth:
		return nil, fmt.Errorf("mics: the depth must be from 1 to %d, not %d", maxDepth, o.Depth)
	case o.Threads < 0 || o.Threads > maxThreads:
		return nil, fmt.Errorf("mics: the number of threads must be from 1 to %d, not %d", maxThreads, o.Threads)
	case o.Time < 0:
		return nil, fmt.Errorf("mics: the time must be positive, not %v", o.Time)
	}
	o.Threads = max(o.Threads, 1)
	if o.Authors {
		o.Once, o.Eval = true, heuristic.Authors()
	}
	workers := make([]*worker, o.Threads)
	for i := range workers {
		var err error
		if workers[i], err = newWorker(g, &o); err != nil {
			return nil, err
		}
	}
	branching, depth := usual(len(workers[0].p.Cells()))
	if o.Authors {
		branching, depth = 7, 10
		if workers[0].p.K() >= large {
			branching = 3
		}
	}
	if o.Branching == 0 {
		o.Branching = branching
	}
	fixed := o.Depth > 0
	if !fixed {
		o.Depth = depth
	}
	if o.Time == 0 {
		o.Time = time.Second
	}
	return &Searcher{g: g, o: o, fixed: fixed, workers: workers}, nil
}

// Multipliers returns the player's multipliers for g: multipliers tuned by SPSA if four in a row win and stones do not fall, and
// otherwise the heuristic's default. The tuned multipliers gained nothing in Connect Four, nor in other players that use
// this heuristic: docs/studies/mics.md.
func Multipliers(g game.Game) heuristic.Multipliers {
	if p, ok := g.Start().(game.Lined); ok && p.K() == 4 && g.Moves() == len(p.Cells()) {
		return heuristic.Multipliers{MyCell: 0.9, Adjacent: 1.15, Growth: 10}
	}
	return heuristic.Default()
}

// Weights are the parameters that can be learned for a game.
type Weights struct {
	Branching int `json:"branching"`
	Depth     int `json:"depth"`
}

// name is the name of the heuristic in files of weights.
const name = "mics"

// Plan returns the branching and the depth with which a search of g with the given number of nodes begins, if Options does not set
// them.
func Plan(g game.Game, nodes uint64) (Weights, error) {
	s, err := New(g, Options{})
	if err != nil {
		return Weights{}, err
	}
	return Weights{s.o.Branching, affordable(nodes, s.o.Branching, s.o.Depth)}, nil
}

// Save writes a file of weights: {"branching":4,"depth":6}.
func (w Weights) Save(file string, o weights.Origin) error {
	if err := w.checkWeights(); err != nil {
		return err
	}
	return weights.Save(file, name, o, w)
}

// Load reads a file of weights for g. It returns an error for a file of another kind, and for weights for another game.
func Load(file string, g game.Game) (Weights, weights.Origin, error) {
	var w Weights
	o, err := weights.Load(file, name, &w, func(o weights.Origin) error {
		if o.Game != g.String() {
			return fmt.Errorf("the weights are for the game %q, not %s", o.Game, g)
		}
		return w.checkWeights()
	})
	return w, o, err
}

func (w Weights) checkWeights() error {
	if w.Branching < 1 || w.Branching > maxBranching || w.Depth < 1 || w.Depth > maxDepth {
		return fmt.Errorf("invalid branching %d or depth %d: they must be from 1 to %d and from 1 to %d", w.Branching, w.Depth, maxBranching, maxDepth)
	}
	return nil
}
