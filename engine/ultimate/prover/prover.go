// SPDX-License-Identifier: Apache-2.0

// Package prover proves what late positions of ultimate tic-tac-toe are worth.
package prover

import (
	"context"
	"time"

	"github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Options are the size of the table and the switches of the techniques. The zero value is the usual prover.
type Options struct {
	Hash    int  // bytes of the table; 0 means DefaultHash
	NoGuess bool // all new positions look alike
	NoSlack bool // switch to another move as soon as it looks better
}

// DefaultHash is the size of the table.
const DefaultHash = 64 << 20

// Prover proves values. It belongs to one goroutine at a time and keeps its table from one position to the next, of
// games of the same rules.
type Prover struct {
	o     Options
	table *table
	asked [2]question // by attacker
}

// New returns a prover.
func New(o Options) *Prover {
	if o.Hash <= 0 {
		o.Hash = DefaultHash
	}
	p := &Prover{o: o, table: newTable(o.Hash)}
	for a := range p.asked {
		p.asked[a] = question{attacker: uint8(a), o: &p.o, table: p.table}
	}
	return p
}

// Answer is what is known of a position for the side to move: 1 is a win, 0 a draw, -1 a loss.
type Answer struct {
	Low, High int // what it is worth, at least and at most
	Best      int // a move that reaches Low, or -1
	Nodes     uint64
	Time      time.Duration
}

// Solved says whether the value is known.
func (a Answer) Solved() bool { return a.Low == a.High }

const leastSlice = 1 << 12

// Solve returns what b, which must be ongoing, is worth, as far as it finds out within the limits.
func (p *Prover) Solve(ctx context.Context, b board.Board, lim search.Limits) Answer {
	budget := search.NewBudget(ctx, lim)
	a := Answer{Low: -1, High: 1, Best: -1}
	if b.Result != game.Ongoing {
		panic("prover: the game is over")
	}
	s := newState(b)
	open := [2]bool{true, true}
	for nodes := uint64(leastSlice); !a.Solved() && !budget.Stopped(); nodes *= 2 {
		for side := range uint8(2) {
			if !open[side] || a.Solved() {
				continue
			}
			q := &p.asked[side^s.Turn]
			q.budget, q.until, q.halted = budget, budget.Nodes+nodes, false
			k := s.key(q.attacker)
			g := q.search(&s, &k, goal{infinite, infinite})
			v := unknown
			switch {
			case g.least == 0:
				v = verdictFor(s.Turn, q.attacker)
			case g.most == 0:
				v = verdictFor(s.Turn^1, q.attacker)
			}
			open[side] = v == unknown
			switch {
			case side == 0 && v == proven:
				a.Low = 1
				a.Best = best(q.children[s.Ply])
			case side == 0 && v == refuted:
				a.High = 0
			case side == 1 && v == proven:
				a.High = -1
			case side == 1 && v == refuted:
				a.Low = 0
				a.Best = best(q.children[s.Ply])
			}
		}
	}
	a.Nodes, a.Time = budget.Nodes, budget.Elapsed()
	return a
}

func best(kids []child) int {
	for _, c := range kids {
		if c.most == 0 {
			return int(c.move)
		}
	}
	return -1
}

// Clear empties the table, as if the prover were new.
func (p *Prover) Clear() { p.table.clear() }

func Switch(o *Options, w string) {
	switch w {
	case "noguess":
		o.NoGuess = true
	case "noslack":
		o.NoSlack = true
	}
}
