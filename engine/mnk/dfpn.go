// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"math/bits"

	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/tt"
)

// number is a proof or disproof number; infinite is that of what cannot be.
type number = uint32

const infinite number = 1<<28 - 1

// goal holds both numbers of a position, from the view of the side to move in it: least is how many more
// leaves must at least be settled for that side to get its way, most for the other.
//
//	attacker to move: least = proof number, most = disproof number
//	defender to move: the other way round
type goal struct{ least, most number }

var (
	achieved = goal{0, infinite}
	missed   = goal{infinite, 0}
)

// of returns the goal of s in a position that has been judged.
func (v verdict) of(s side) goal {
	if (v == proven) == (s == attacker) {
		return achieved
	}
	return missed
}

// child is a move from the position being searched.
type child struct {
	move uint8
	goal       // of the other side, after the move
	work uint8 // that went into the goal, 0 if it was seen at once, otherwise a power of two
}

// prover is the search for one question. It belongs to one goroutine.
//
// CITE: Nagai, Df-pn Algorithm for Searching AND/OR Trees and Its Applications, 2002.
type prover struct {
	board
	table    *tt.Table
	budget   *search.Budget
	children [][]child // by ply
	moves    []uint8   // scratch
	worths   []uint32  // of the moves
	until    uint64    // nodes at which to halt
	halted   bool
	deep     bool   // stay with a move rather than compare it with others
	yes, no  number // the proof numbers of the last answer
}

func newProver(g *geometry, weak bool, table *tt.Table) *prover {
	p := &prover{board: *newBoard(g, weak), table: table}
	p.children = make([][]child, g.cells+1)
	return p
}

// key returns the least of the keys of a position with s to move: one for all its mirror images.
func (p *prover) key(s side) uint64 {
	least := p.now.keys[0]
	for _, k := range p.now.keys[1:] {
		least = min(least, k)
	}
	if s == defender {
		least ^= 0x9e3779b97f4a7c15
	}
	if p.weak {
		least ^= 0xbf58476d1ce4e5b9
	}
	return least
}

// entry is what the table keeps: both numbers, and the work they took for its worth.
//
//	63        36 35         8 7     0
//	|   least   |    most    |  work |
func (g goal) entry(nodes uint64) uint64 {
	return uint64(g.least)<<36 | uint64(g.most)<<8 | uint64(bits.Len64(nodes))
}

func unpack(e uint64) goal { return goal{number(e >> 36), number(e>>8) & infinite} }

// search raises the numbers of the position, s to move, until one of them reaches its bound, and returns them.
func (p *prover) search(s side, bound goal) goal {
	before := p.budget.Nodes
	kids, g := p.expand(s)
	key := p.key(s)
	for g.least < bound.least && g.most < bound.most && !p.halted {
		i, second := nextBest(kids)
		c := &kids[i]
		next := goal{least: bound.most - (g.most - c.least), most: min(bound.least, p.slack(second))}
		p.place(int(c.move), s)
		c.goal = p.search(s^1, next)
		p.undo()
		g = combine(kids)
	}
	p.table.Store(key, g.entry(p.budget.Nodes-before))
	return g
}

// step counts a position entered.
func (p *prover) step() {
	if p.budget.Step() || p.budget.Nodes >= p.until {
		p.halted = true
	}
}

// slack lets a child work somewhat beyond the number of the next best one, so that the search does not switch
// between two all the time. CITE: Pawlewicz and Lew, Improving Depth-First PN-Search: 1+epsilon Trick, 2006.
func (p *prover) slack(n number) number {
	if n >= infinite {
		return infinite
	}
	if p.deep {
		return min(5*n+1, infinite)
	}
	return min(n+n/2+1, infinite)
}

// expand lists the moves with what is known of each, and the numbers that follow.
func (p *prover) expand(s side) ([]child, goal) {
	// The root is left alone, as its moves are asked for.
	if v := (vcf{prover: p, by: s, left: mostFours}); p.ply > 0 && v.wins() {
		return nil, achieved
	}
	p.moves = p.board.moves(s, p.moves[:0])
	zone := p.all
	if len(p.moves) > 1 {
		zone = p.zone(s)
	}
	top, first := p.weigh(s), quiet
	if p.deep {
		first = quietDeep
	}
	kids := p.children[p.ply][:0]
	for i, m := range p.moves {
		if !zone.has(int(m)) {
			continue
		}
		p.step()
		fresh := first
		if top > 0 {
			fresh += number(uint64(first) * uint64(top-p.worths[i]) / uint64(top))
		}
		p.place(int(m), s)
		c := child{move: m}
		c.goal, c.work = p.look(s^1, fresh)
		p.undo()
		kids = append(kids, c)
		if c.most == 0 && p.ply > 0 {
			break
		}
	}
	p.children[p.ply] = kids
	return kids, combine(kids)
}

// mostFours is how many positions a search for fours may look at.
const mostFours = 40

// quiet is the first guess at the number of the side that has just moved, in a position without a threat: the
// other has many answers. Threats are tried first, then the cells worth most: the least valuable cell starts with
// twice as much.
const quiet, quietDeep number = 32, 512

// weigh finds out what each move of s is worth to both sides, and returns the most. The defender minds the attacker's
// lines more than his own.
func (p *prover) weigh(s side) uint32 {
	p.worths = p.worths[:0]
	top := uint32(0)
	for _, m := range p.moves {
		w := p.worth(int(m), attacker)<<s + p.worth(int(m), defender)
		p.worths = append(p.worths, w)
		top = max(top, w)
	}
	return top
}

// look returns what is known of the position, s to move, without searching it, and the work that went into it;
// where nothing is known, a guess.
func (p *prover) look(s side, fresh number) (g goal, work uint8) {
	if v := p.judge(s); v != unknown {
		return v.of(s), 0
	}
	if e, ok := p.table.Probe(p.key(s)); ok {
		return unpack(e), uint8(e)
	}
	if !p.now.win[s^1].empty() {
		return goal{1, 1}, 0
	}
	return goal{1, fresh}, 0
}

// combine returns the numbers of a position whose moves these are: one of them must succeed, or all fail.
func combine(kids []child) goal {
	g := goal{infinite, 0}
	sum := uint64(0)
	for i := range kids {
		g.least = min(g.least, kids[i].most)
		sum += uint64(kids[i].least)
	}
	switch {
	case g.least == 0:
		return achieved
	case sum == 0:
		return missed
	}
	// A sum beyond all numbers proves nothing.
	g.least = min(g.least, infinite-1)
	g.most = number(min(sum, uint64(infinite-1)))
	return g
}

// nextBest returns the most promising move, and the number of the one after it.
func nextBest(kids []child) (best int, second number) {
	first := infinite + 1
	second = infinite
	for i := range kids {
		switch n := kids[i].most; {
		case n < first:
			second = min(first, infinite)
			best, first = i, n
		case n < second:
			second = n
		}
	}
	return best, second
}
