// SPDX-License-Identifier: Apache-2.0

package plans

import (
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/internal/rng"
)

// State is a summary of a position from the view of the side to move:
//
//	((phase · sides + own threats) · sides + threats of the enemy) · balances + balance
//
// The phase is 0 while less than a sixth of the board is full, 1 while less than half of it is full, and 2 afterwards. The
// threats of a side are coded as two digits. The first digit is for size k-1: 0 means no threat, 1 one half-open threat, 2 an
// open threat or several threats. The second digit is the number of open threats of size k-2 (at most 3). The balance is a
// class: it describes how much the smaller threats of one side outweigh the smaller threats of the other side, by the fixed
// weights of the generic heuristic.
type State int

const (
	sides    = 3 * 4
	balances = 2*4 + 1
	phases   = 3
	states   = phases * sides * sides * balances
)

// steps contains the bounds between neighbouring classes of balance. The middle class contains the differences from -5 to 5.
var steps = [balances / 2]float64{5, 15, 30, 60}

// few returns a state that stands for all states with the same threats as s, whatever their phase and balance. It has phase 0
// and the lowest balance.
func (s State) few() State { return s%State(sides*sides*balances) - s%State(balances) }

// Plan is the kind of threat that a move makes. If it makes several threats, it is the kind of the greatest threat.
type Plan int

// The plans.
const (
	Row          Plan = iota // k in a row
	OpenFour                 // an open threat of k-1 stones
	HalfOpenFour             // a half-open threat of k-1 stones
	OpenThree                // an open threat of k-2 stones
	HalfOpenThree
	Quiet // a move that makes none of the above
	planCount
)

// Count is a number of games, with the number of half points that a side won in these games.
type Count struct{ Games, Halves uint64 }

func (c *Count) add(d Count) {
	c.Games += d.Games
	c.Halves += d.Halves
}

// Counts contains the count of each plan in a state. The half points are the points of the side to move.
type Counts [planCount]Count

func (c *Counts) sum() (all Count) {
	for _, d := range c {
		all.add(d)
	}
	return all
}

// openingPlies is the number of opening moves of a game. The table counts the position after each of these moves.
const openingPlies = 10

// Table contains the results of games by state.
type Table struct {
	K        int
	States   map[State]*Counts
	Openings map[uint64]Count // by the key of the position (see turned); the half points are the points of First
}

// NewTable returns a table without games, for k in a row.
func NewTable(k int) *Table {
	return &Table{K: k, States: map[State]*Counts{}, Openings: map[uint64]Count{}}
}

// Adder adds played games, all by the same rules, to a table.
type Adder struct {
	table   *Table
	small   generic.Vector
	turned  *turned
	counter threat.Counter
}

// NewAdder returns an Adder for games by the rules g.
func NewAdder(g game.Game, t *Table) *Adder {
	return &Adder{table: t, small: small(t.K), turned: newTurned(g)}
}

// Add adds a game that was played from start and ended with the outcome o. The moves before moves[from] were random, and are
// not counted.
func (a *Adder) Add(start game.Position, moves []game.Move, from int, o game.Outcome) {
	p := start.(game.Lined)
	a.counter.Reset(p)
	for i, m := range moves {
		side, counts := p.Turn(), a.counter.Counts()
		at, before := stateOf(p, counts, a.small), near(counts[side], a.table.K)
		a.counter.Play(m)
		p.Play(m)
		if i < from {
			continue
		}
		if a.table.States[at] == nil {
			a.table.States[at] = new(Counts)
		}
		plan := planOf(before, near(a.counter.Counts()[side], a.table.K))
		a.table.States[at][plan].add(Count{1, uint64(points(o, side))})
		if p.Ply() <= openingPlies && a.table.Openings != nil {
			key := a.turned.key(p.Cells())
			c := a.table.Openings[key]
			c.add(Count{1, uint64(points(o, game.First))})
			a.table.Openings[key] = c
		}
	}
}

// nearest contains numbers of threats of a side: for each plan except Quiet, in the order of the plans, the number of
// threats of the kind that the plan names.
type nearest [planCount - 1]int32

func near(counts []int32, k int) (n nearest) {
	n[Row] = counts[threat.KindOf(k, threat.Complete)]
	if k > 1 {
		n[OpenFour], n[HalfOpenFour] = counts[threat.KindOf(k-1, threat.Open)], counts[threat.KindOf(k-1, threat.HalfOpen)]
	}
	if k > 2 {
		n[OpenThree], n[HalfOpenThree] = counts[threat.KindOf(k-2, threat.Open)], counts[threat.KindOf(k-2, threat.HalfOpen)]
	}
	return n
}

// planOf returns the plan of a move from the threats of its side before and after the move.
func planOf(before, after nearest) Plan {
	for plan := range after {
		if after[plan] > before[plan] {
			return Plan(plan)
		}
	}
	return Quiet
}

// small returns the generic heuristic's fixed weights of the small threats: all threats that the digits of a State do not
// count. All other weights are 0.
func small(k int) generic.Vector {
	w := generic.Fixed(k).Own
	w.Set(0, k, threat.Complete)
	w.Set(0, k-1, threat.HalfOpen, threat.Open)
	w.Set(0, k-2, threat.Open)
	return w
}

func stateOf(p game.Lined, counts *threat.Counts, small generic.Vector) State {
	phase := 0
	switch cells := len(p.Cells()); {
	case 2*p.Ply() >= cells:
		phase = 2
	case 6*p.Ply() >= cells:
		phase = 1
	}
	own, enemy := counts[p.Turn()], counts[p.Turn().Other()]
	balance, ahead := len(steps), sum(small, own)-sum(small, enemy)
	for _, step := range steps {
		if ahead > step {
			balance++
		}
		if ahead < -step {
			balance--
		}
	}
	return State(((phase*sides+digits(own, p.K()))*sides+digits(enemy, p.K()))*balances + balance)
}

// digits returns the two digits of a side's threats: see State.
func digits(counts []int32, k int) int {
	n := near(counts, k)
	return int(min(2, n[HalfOpenFour]+2*n[OpenFour])*4 + min(3, n[OpenThree]))
}

// turned computes a key that is the same for all rotations and mirror images of a board.
type turned struct {
	// By rotation or mirror image: the keys of the stones. The key of a stone of a side on a cell has the index cell*2 + side.
	ways [][]uint64
}

func newTurned(g game.Game) *turned {
	t := &turned{}
	for _, v := range symmetry.Of(g) {
		var keys []uint64
		for cell := range g.Start().(game.Board).Cells() {
			place := uint64(v.Cell(cell))
			keys = append(keys, rng.Nth(2*place), rng.Nth(2*place+1))
		}
		t.ways = append(t.ways, keys)
	}
	return t
}

// key returns a number that is the same for all rotations and mirror images of a board.
func (t *turned) key(cells []game.Stone) uint64 {
	var sums [8]uint64
	for cell, stone := range cells {
		if stone == game.Empty {
			continue
		}
		for way, keys := range t.ways {
			sums[way] += keys[2*cell+int(stone-game.FirstStone)]
		}
	}
	least := sums[0]
	for _, s := range sums[1:len(t.ways)] {
		least = min(least, s)
	}
	return least
}
