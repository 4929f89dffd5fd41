// SPDX-License-Identifier: Apache-2.0

// Package prover proves what late positions of ultimate tic-tac-toe are worth, under all its rules.
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
// A question is "does this side, the attacker, win?". Two of them, one for each side, make a value, and they take
// turns, each as long again as the one before: the first win that is found answers both. Proof-number search answers
// a question, on positions that are all the same where they do not differ in what can still happen:
//
//	play a move -> who can still win which small boards, and which rows of these -> the key of what is left
//
// # Caveats
//
// Values are proved; distances are not looked for. Until about 30 stones are on the board, a proof takes too long to
// wait for.
package prover

import (
	"context"
	"time"

	"github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/dfpn"
)

// Options say what a Prover has to work with.
type Options struct {
	Hash int // bytes of the table; 0 means 64 MiB
}

const (
	defaultHash = 64 << 20
	leastSlice  = 1 << 12 // nodes that each question may take at first
)

// Prover proves values. It belongs to one goroutine at a time and keeps its table from one position to the next, of
// games of the same rules.
type Prover struct {
	// Report, where it is set, is called every now and then with what Solve knows so far.
	Report func(Answer)

	table *table
	asked [2]*question // by attacker
}

// New returns a prover.
func New(o Options) *Prover {
	if o.Hash <= 0 {
		o.Hash = defaultHash
	}
	t := newTable(o.Hash)
	return &Prover{table: t, asked: [2]*question{newQuestion(0, t), newQuestion(1, t)}}
}

// Clear empties the table, as if the prover were new.
func (p *Prover) Clear() { p.table.clear() }

// Answer is what is known of a position for the side to move: 1 is a win, 0 a draw, -1 a loss.
type Answer struct {
	Low, High int // what it is worth, at least and at most
	// Best is a move that reaches Low. Where that is -1, it is one that was hard to find an answer to, or -1.
	Best  int
	Nodes uint64 // positions looked at
	Time  time.Duration
}

// Solved says whether the value is known.
func (a Answer) Solved() bool { return a.Low == a.High }

// Solve returns what b, which must be ongoing, is worth, as far as it finds out within the limits. Depth and Lines
// limit nothing here. Running into a limit is not an error.
func (p *Prover) Solve(ctx context.Context, b board.Board, lim search.Limits) Answer {
	if b.Result != game.Ongoing {
		panic("prover: the game is over")
	}
	s := newState(b)
	p.table.rules(b.Rules)
	budget := search.NewBudget(ctx, lim)
	a := Answer{Low: -1, High: 1, Best: -1}
	for nodes := uint64(leastSlice); !a.Solved() && !budget.Stopped(); nodes *= 2 {
		for _, attacker := range [2]uint8{b.Turn, b.Turn ^ 1} {
			if q := p.asked[attacker]; a.open(attacker == b.Turn) {
				a.learn(attacker == b.Turn, q, q.ask(&s, budget, nodes))
			}
		}
		if a.Nodes, a.Time = budget.Nodes, budget.Elapsed(); p.Report != nil {
			p.Report(a)
		}
	}
	return a
}

// open says whether the question is worth asking: whether the side to move wins, or the other does.
func (a *Answer) open(mine bool) bool {
	return !a.Solved() && (mine && a.High == 1 || !mine && a.Low == -1)
}

// learn takes note of the answer to a question: whether the side to move wins, or the other does.
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

// Line returns moves to the end of the game that keep what b is worth, or those of them that were proved until ctx was
// done. Whoever loses plays what was hard to find an answer to.
func (p *Prover) Line(ctx context.Context, b board.Board) (line []uint8) {
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
