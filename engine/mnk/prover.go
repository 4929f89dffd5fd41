// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"github.com/krow-lab/krow/search/dfpn"
	"github.com/krow-lab/krow/tt"
)

type child = dfpn.Child[struct{}]

// prover is the search for one question. It belongs to one goroutine.
type prover struct {
	dfpn.Core[struct{}]
	board
	turn   side
	table  *tt.Table
	moves  []uint8     // scratch
	worths []uint32    // of the moves
	yes    dfpn.Number // the proof number of the last answer
	no     dfpn.Number
}

func newProver(g *geometry, weak bool, table *tt.Table) *prover {
	p := &prover{board: *newBoard(g, weak), table: table}
	p.Kids = make([][]child, 1) // of the root, before a search, too
	return p
}

// key returns the least of the keys of the position: one for all its mirror images.
func (p *prover) key() uint64 {
	least := p.now.keys[0]
	for _, k := range p.now.keys[1:] {
		least = min(least, k)
	}
	if p.turn == defender {
		least ^= 0x9e3779b97f4a7c15
	}
	if p.weak {
		least ^= 0xbf58476d1ce4e5b9
	}
	return least
}

// Play, Undo, Store and Expand implement dfpn.Position.
func (p *prover) Play(kid *child) { p.play(kid.Move) }

func (p *prover) play(m uint8) {
	p.place(int(m), p.turn)
	p.turn ^= 1
}

// Undo takes the last move back.
func (p *prover) Undo() {
	p.undo()
	p.turn ^= 1
}

// Store keeps the goal of the position in the table.
func (p *prover) Store(g dfpn.Goal, nodes uint64) { p.table.Store(p.key(), g.Pack(nodes)) }

// mostFours is how many positions a search for fours may look at.
const mostFours = 40

// quiet is the first number of the side that has just moved, in a position without a threat. The least valuable cell
// starts with twice as much.
const quiet, quietDeep dfpn.Number = 32, 512

// Expand lists the moves. Except for the root, it settles the position where the side to move wins by fours or one of
// the moves is good.
func (p *prover) Expand(kids []child) []child {
	if v := (vcf{prover: p, by: p.turn, left: mostFours}); p.ply > 0 && v.wins() {
		return append(kids, child{Goal: dfpn.Missed})
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
	for i, m := range p.moves {
		if !zone.has(int(m)) {
			continue
		}
		p.Step()
		fresh := first
		if top > 0 {
			fresh += dfpn.Number(uint64(first) * uint64(top-p.worths[i]) / uint64(top))
		}
		p.play(m)
		c := child{Move: m}
		c.Goal, c.Work = p.look(fresh)
		p.Undo()
		kids = append(kids, c)
		if c.Most == 0 && p.ply > 0 {
			break
		}
	}
	return kids
}

// weigh sets the worths of the moves and returns the greatest. The defender counts the attacker's lines twice.
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

// look returns what is known of the position without a search, or a guess, and the work behind it.
func (p *prover) look(fresh dfpn.Number) (g dfpn.Goal, work uint8) {
	if v := p.judge(p.turn); v != dfpn.Unknown {
		return v.Goal(p.turn == attacker), 0
	}
	if e, ok := p.table.Probe(p.key()); ok {
		return dfpn.Unpack(e)
	}
	if !p.now.win[p.turn^1].empty() {
		fresh = 1
	}
	return dfpn.Goal{Least: 1, Most: fresh}, 0
}
