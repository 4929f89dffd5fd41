// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"math/bits"

	"github.com/krow-lab/krow/search/dfpn"
	"github.com/krow-lab/krow/search/tt"
)

// child is a move in the proof-number search. If several threads search, it contains the key of the position after the move.
type child = dfpn.Child[uint64]

// prover is the search that answers one question. Only one goroutine may use it.
type prover struct {
	dfpn.Core[uint64]
	board
	turn     side
	table    *tt.Table
	moves    []uint8     // buffer for moves
	worths   []uint32    // by index in moves: the worth of the move
	proof    dfpn.Number // the proof number of the question's position after the last search
	disproof dfpn.Number // the disproof number of the same position
	claims   *tt.Claims  // the claims that all threads share, or nil
	zones    *zones      // set in the weak game if k is greater than 4, otherwise nil
}

func newProver(g *geometry, weak bool, table *tt.Table) *prover {
	p := &prover{board: *newBoard(g, weak), table: table}
	p.Children = make([][]child, 1) // the root needs a list of children even before the first search
	if weak && g.k > 4 {
		p.withZones()
	}
	return p
}

// alike is the value of dfpn.Core.Overlap for the weak game, in which most moves of the attacker fail for the same reason.
const alike = 57

func (p *prover) withZones() {
	p.zones, p.Overlap, p.plan = newZones(p.geometry), alike, newPlan(p.geometry)
}

// key returns the least of the position's keys under all symmetries, which is the same for all mirror images.
func (p *prover) key() uint64 {
	k, _ := p.image()
	return k
}

// image returns the least key and the symmetry that gives it.
func (p *prover) image() (least uint64, symmetry int) {
	least = p.now.keys[0]
	for s, k := range p.now.keys[1:] {
		if k < least {
			least, symmetry = k, s+1
		}
	}
	if p.turn == defender {
		least ^= 0x9e3779b97f4a7c15
	}
	if p.weak {
		least ^= 0xbf58476d1ce4e5b9
	}
	return least, symmetry
}

// Play, Undo, Store and Expand implement dfpn.Position.
func (p *prover) Play(child *child) {
	p.playMove(child.Move)
	if p.claims != nil {
		p.claims.Add(child.Key)
	}
}

func (p *prover) playMove(m uint8) {
	p.place(int(m), p.turn)
	p.turn ^= 1
}

// Undo takes the last move back.
func (p *prover) Undo() {
	if p.claims != nil {
		p.claims.Drop(p.key())
	}
	p.back()
	if p.zones != nil && p.zones.refuted {
		p.fails(p.Children[p.ply])
	}
}

func (p *prover) back() {
	p.undo()
	p.turn ^= 1
}

// Store stores the numbers of the position in the transposition table.
func (p *prover) Store(g dfpn.Numbers, nodes uint64) {
	p.table.Store(p.key(), g.Pack(nodes))
	if p.zones != nil {
		p.keep(g, nodes)
	}
}

// mostFours is the maximum number of positions in a search for fours.
const mostFours = 40

// quiet is the initial number of a position after a move that makes no threat, if the move was on the most valuable cell: the
// proof number if the attacker has moved, and the disproof number if the defender has moved. After a move on a less valuable
// cell the initial number is greater, at most twice as great. If the field Deep is set, so that the search stays longer below
// a move, quietDeep is used instead.
const quiet, quietDeep dfpn.Number = 32, 512

// Expand lists the moves of the position. Except at the root, it settles the position in two cases: the side to move wins by
// fours, or one of the moves is known to reach the goal of this side.
func (p *prover) Expand(children []child) []child {
	if v := (vcf{prover: p, by: p.turn, left: mostFours}); p.ply > 0 && v.wins() {
		return append(children, child{Numbers: dfpn.Missed})
	}
	p.moves = p.board.moves(p.turn, p.moves[:0])
	zone := p.all
	if len(p.moves) > 1 {
		zone = p.zone(p.turn)
	}
	top, first := p.weigh(), quiet
	if p.Deep {
		first = quietDeep
	}
	span := first
	if p.zones != nil {
		p.zones.cells[p.ply] = p.better
		p.sort()
		span /= 2
	}
	for i, m := range p.moves {
		if !zone.has(int(m)) {
			continue
		}
		p.Step()
		fresh := first
		if top > 0 {
			fresh += dfpn.Number(uint64(span) * uint64(top-p.worths[i]) / uint64(top))
		}
		p.playMove(m)
		c := child{Move: m}
		if p.claims != nil {
			c.Key = p.key()
		}
		c.Numbers, c.Work = p.look(fresh)
		p.back()
		children = append(children, c)
		if p.zones != nil && p.zones.refuted {
			zone = zone.and(p.fails(children))
		}
		if c.Delta == 0 && p.ply > 0 {
			break
		}
	}
	return children
}

// weigh computes the worth of each move, and returns the greatest worth. For the defender, lines of the attacker count twice.
func (p *prover) weigh() uint32 {
	p.worths = p.worths[:0]
	top := uint32(0)
	for _, m := range p.moves {
		w := p.worth(int(m), attacker)<<p.turn + p.worth(int(m), defender)
		p.worths = append(p.worths, w)
		top = max(top, w)
	}
	return top
}

// sort moves the most valuable moves to the front.
func (p *prover) sort() {
	for i, m := range p.moves {
		w := p.worths[i]
		for ; i > 0 && p.worths[i-1] < w; i-- {
			p.moves[i], p.worths[i] = p.moves[i-1], p.worths[i-1]
		}
		p.moves[i], p.worths[i] = m, w
	}
}

// look returns the proof and disproof numbers of the position without a search: from the method judge, from the table or, if
// both do not know the position, as an estimate. It also returns the amount of work that the table has stored with the numbers.
func (p *prover) look(fresh dfpn.Number) (g dfpn.Numbers, work uint8) {
	if p.zones != nil {
		p.zones.refuted = false
	}
	if v := p.judge(p.turn); v != dfpn.Unknown {
		if p.zones != nil && v == dfpn.Refuted {
			p.zones.settle(p.judged())
		}
		return v.Numbers(p.turn == attacker), 0
	}
	if e, ok := p.table.Probe(p.key()); ok {
		g, work = dfpn.Unpack(e)
		if p.zones != nil && g.Verdict(p.turn == attacker) == dfpn.Refuted {
			p.zones.settle(p.kept())
		}
		return g, work
	}
	if p.zones != nil && p.turn == attacker {
		fresh += fresh * dfpn.Number(p.plan.lost) / 4
	}
	if !p.now.win[p.turn^1].empty() {
		fresh = 1
	}
	return dfpn.Numbers{Phi: 1, Delta: fresh}, 0
}

// vcf searches for wins of a side by fours only: each stone of such a win leaves the other side only one answer. A four is k-1
// stones in a line, for any k.
//
// CITE: Allis, van den Herik and Huntjens, Go-Moku and Threat-Space Search, 1996.
type vcf struct {
	*prover
	by    side
	left  int // number of positions that the search may still visit
	used  set // cells on which either side plays during the win
	given set // cells on which the other side plays during the win
}

// wins reports whether the side in the field by, which is to move, wins by fours, and adds the cells of the win to used.
func (v *vcf) wins() bool {
	n := v.now
	if !n.win[v.by].empty() {
		v.used.add(n.win[v.by].first())
		return true
	}
	forced := n.win[v.by^1]
	if forced.count() > 1 {
		return false
	}
	tried := set{}
	if !forced.empty() {
		tried = v.all.minus(forced)
	}
	for i := range n.blocks {
		for m := n.blocks[i].lacking(v.by, 2); m != 0; m &= m - 1 {
			for cells := v.lines[i<<6+bits.TrailingZeros64(m)].minus(n.stones[v.by]); !cells.empty(); {
				c := cells.pop()
				if tried.has(c) {
					continue
				}
				tried.add(c)
				if v.left <= 0 {
					return false
				}
				if v.four(c) {
					return true
				}
			}
		}
	}
	return false
}

func (v *vcf) four(c int) bool {
	v.left--
	v.Step()
	v.threaten(c, v.by)
	won := v.follow()
	v.undo()
	if won {
		v.used.add(c)
	}
	return won
}

func (v *vcf) follow() bool {
	mine := v.now.win[v.by]
	if !v.now.win[v.by^1].empty() || mine.empty() {
		return false
	}
	if mine.count() > 1 {
		v.used = v.used.or(mine)
		return true
	}
	d := mine.first()
	v.threaten(d, v.by^1)
	won := v.wins()
	v.undo()
	if won {
		v.used.add(d)
		v.given.add(d)
	}
	return won
}

// zone returns the cells on which s can stop the other side from winning by fours; s is to move and has no forced move. These
// are the cells that the other side would use for its win if s passed, and the cells on lines in which s itself would get a
// four before that win. If the other side has no such win, zone returns all cells.
// CITE: Wu and Lin, Relevance-Zone-Oriented Proof Search for Connect6, 2010.
func (p *prover) zone(s side) set {
	v := vcf{prover: p, by: s ^ 1, left: mostFours}
	if !v.wins() {
		return p.all
	}
	zone := v.used
	for i := range p.now.blocks {
		for m := p.now.blocks[i].live[s]; m != 0; m &= m - 1 {
			l := p.lines[i<<6+bits.TrailingZeros64(m)]
			if l.and(p.now.stones[s].or(v.given)).count()+1 >= p.k-1 {
				zone = zone.or(l)
			}
		}
	}
	return zone
}
