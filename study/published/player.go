// SPDX-License-Identifier: Apache-2.0

package published

import (
	"context"
	"fmt"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/chua"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/shevchenko"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
)

// depth is the published depth of all searches, in plies.
const depth = 4

// tableSize is that of a search's transposition table, in bytes: a search to depth 4 on 11 x 11 cells visits
// some 33,000 nodes. Four times the size saves 183 nodes of 4,027,880 in a game on 11 x 11, and takes longer to clear.
const tableSize = 1 << 20

// options returns the published search. What is switched on changes neither value nor move, only the time.
// Measured on the positions before plies 4, 8, ..., 32 of a game between fixed parameters, k = 5, nodes and time:
//
//	switched on                          9 x 9              11 x 11
//	killer, refutation, history     341,724  211 ms     800,084    557 ms
//	... and table                   327,057  233 ms     765,261    525 ms
//	... and table, PVS, deepening   173,879  124 ms     632,600    474 ms   taken
//	... and aspiration              208,870  135 ms     792,256    580 ms
//	first line, order=lines         156,675  353 ms     520,244  1,522 ms
func options(e eval.Evaluator, t Terminal) alphabeta.Options {
	return alphabeta.Options{
		Depth: depth, Eval: e, Terminal: t.search(),
		Deepening: true, TT: tableSize, Killer: true, Refutation: true, History: true, PVS: true,
	}
}

// side is one of the two who play: a search, and what it took.
type side struct {
	g        game.Game
	search   *alphabeta.Searcher
	terminal Terminal
	weights  generic.Weights
	update   Update // nil where parameters stay as they are
	Effort
}

// newSide returns the side that plays with weights.
func newSide(g game.Game, w generic.Weights, v Variant) (*side, error) {
	s := &side{g: g, terminal: v.Terminal}
	return s, s.learn(w)
}

// learn makes w the weights of the moves to come.
func (s *side) learn(w generic.Weights) error {
	e, err := generic.New(s.g, w)
	if err != nil {
		return err
	}
	s.weights = w
	s.search, err = alphabeta.New(s.g, options(e, s.terminal))
	return err
}

// move returns the move that s makes in p.
func (s *side) move(ctx context.Context, p game.Position) (game.Move, error) {
	info, err := s.search.Search(ctx, p, search.Limits{}, nil)
	if err == nil {
		err = ctx.Err() // a search that is cut short answers too
	}
	if err != nil {
		return game.NoMove, err
	}
	s.Moves++
	s.Nodes += info.Nodes
	return info.PV[0], nil
}

// play makes s's move in p, and learns from it where s does.
func (s *side) play(ctx context.Context, p game.Position) (game.Move, error) {
	m, err := s.move(ctx, p)
	if err != nil {
		return m, err
	}
	return m, s.advance(p, m)
}

// advance plays the move m of s, and learns from it where s does.
func (s *side) advance(p game.Position, m game.Move) error {
	p.Play(m)
	if s.update == nil {
		return nil
	}
	w, err := s.update(s.weights, p)
	if err != nil {
		return err
	}
	return s.learn(w)
}

// weightsOf returns the weights of the heuristic of that name; learned are those of Improved.
func weightsOf(name string, k int, learned generic.Weights) (generic.Weights, error) {
	switch name {
	case Improved:
		return learned, nil
	case Brute:
		return generic.Fixed(k), nil
	case Shevchenko:
		return shevchenko.Weights(k, shevchenko.Default), nil
	case Chua:
		return chua.Weights(k), nil
	}
	return generic.Weights{}, fmt.Errorf("no heuristic of the tables is called %q", name)
}
