// SPDX-License-Identifier: Apache-2.0

// Package prover proves the values of late positions of ultimate tic-tac-toe, under all its rules.
//
// # Basics
//
//	p := prover.New(prover.Options{})
//	a := p.Solve(ctx, b, search.Limits{Time: time.Second})
//	if a.Solved() {
//		fmt.Println(a.Low, a.Best) // 1 40: the side to move wins with the move 40
//	}
//
// # How it works
//
// The prover asks whether one side, the attacker, wins; package dfpn searches for the answer. The answers to two questions,
// one with each side as the attacker, give the value. The searches for the answers to the two questions take turns, and each
// turn has twice as many nodes as the previous one. If one side is proved to win, both questions are answered. Two positions
// count as the same if they agree in everything that can still affect the result (key.go). The engine's network estimates
// which moves are promising (question.go).
//
// # Caveats
//
// Values are proved. Solve does not compute distances; Distance does, for wins that are near. With fewer than about 30 stones
// on the board a proof takes too long. The only exception is the empty board if won boards stay open: there the first side wins
// by a plan (plan.go).
package prover

import (
	"context"

	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/dfpn"
)

// Options contains the limits of a Prover.
type Options struct {
	Hash int // size of the table in bytes; 0 means 64 MiB
}

const (
	defaultHash = 64 << 20
	leastSlice  = 1 << 12 // number of nodes of the first search for each question; each later search has twice as many
)

// Prover proves values. Only one goroutine may use it at a time. It keeps its table for the next position, if the rules of
// the game are the same there.
type Prover struct {
	// Report, unless nil, is called from time to time with the current result of Solve.
	Report func(Answer)

	table *table
	asked [2]*question // by attacker: the question whether this side wins
	plan  *question    // the question whether the first side wins by the plan
	mates *table       // the table that the method Distance uses
}

// New returns a prover.
func New(o Options) *Prover {
	if o.Hash <= 0 {
		o.Hash = defaultHash
	}
	t, e := newTable(o.Hash), network.Default().NewEvaluator()
	p := &Prover{table: t, mates: newTable(o.Hash / 4), asked: [2]*question{newQuestion(0, t, e), newQuestion(1, t, e)}, plan: newQuestion(0, t, nil)}
	p.plan.planned = true
	return p
}

// Clear empties the table.
func (p *Prover) Clear() {
	p.table.clear()
	p.mates.clear()
}

// Answer contains the known bounds of a position. Values are for the side to move: 1 is a win, 0 a draw, -1 a loss.
type Answer struct {
	Low, High int // the value is at least Low and at most High
	// Best is a move that reaches Low. If Low is -1, Best is a move whose refutation took much work, or -1 if no such move is
	// known.
	Best  int
	Nodes uint64 // number of positions visited
}

// Solved reports whether the value is known.
func (a Answer) Solved() bool { return a.Low == a.High }

// Solve returns the value of b, or bounds of it, as far as the limits of nodes and time allow. The game must not be over in b.
// Reaching a limit is not an error.
func (p *Prover) Solve(ctx context.Context, b ultimate.Board, lim search.Limits) Answer {
	if b.Result != game.Ongoing {
		panic("prover: the game is over")
	}
	a, _ := p.solve(b, search.NewBudget(ctx, lim))
	return a
}

// solve does the work of Solve, and also returns the question that was answered last, or nil.
func (p *Prover) solve(b ultimate.Board, budget *search.Budget) (a Answer, last *question) {
	s := newState(b)
	p.table.use(b.Rules)
	a = Answer{Low: -1, High: 1, Best: -1}
	plan := planned(&b)
	for nodes := uint64(leastSlice); !a.Solved() && !budget.Stopped(); nodes *= 2 {
		questions := []*question{p.asked[b.Turn], p.asked[b.Turn^1]}
		if plan {
			questions = []*question{p.plan}
		}
		for _, q := range questions {
			mine := q.attacker == b.Turn
			if !a.open(mine) {
				continue
			}
			switch v := q.ask(&s, budget, nodes); {
			case v == dfpn.Refuted && q.planned:
				plan = false
			case v != dfpn.Unknown:
				a.learn(mine, q, v)
				last = q
			}
		}
		if a.Nodes = budget.Nodes; p.Report != nil {
			p.Report(a)
		}
	}
	return a, last
}

func (a *Answer) open(mine bool) bool {
	return !a.Solved() && (mine && a.High == 1 || !mine && a.Low == -1)
}

func (a *Answer) learn(mine bool, q *question, v dfpn.Verdict) {
	switch {
	case mine && v == dfpn.Proven:
		a.Low, a.Best = 1, q.best()
	case mine && v == dfpn.Refuted:
		a.High = 0
	case v == dfpn.Proven:
		a.High, a.Best = -1, q.hardest()
	case v == dfpn.Refuted:
		a.Low, a.Best = 0, q.best()
	}
}

// Line returns moves that preserve the value of b, up to the end of the game. It ends early if ctx is done before the next value
// is proved.
func (p *Prover) Line(ctx context.Context, b ultimate.Board) (line []uint8) {
	for b.Result == game.Ongoing {
		a := p.Solve(ctx, b, search.Limits{})
		if !a.Solved() || a.Best < 0 {
			break
		}
		line = append(line, uint8(a.Best))
		b.Play(uint8(a.Best))
	}
	return line
}
