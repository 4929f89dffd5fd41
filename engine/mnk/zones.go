// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"math/bits"

	"github.com/krow-lab/krow/search/dfpn"
)

// zones contains the zones of positions in the weak game. The zone of a refuted position is a set of free cells that the defender
// needs: he would prevent k in a row even if the attacker had a stone on every other free cell.
//
//	position refuted by             its zone
//	no open line                    the pairs that closed lines
//	a plan                          these pairs, the pairs of the plan, and the free cells of the lines that no pair breaks
//	a move of the defender          that cell, and the zone after it
//	no move of the attacker works   the zones after all of them, and the cells that dominate moves left out
//
// Suppose that a move of the attacker fails. The position after this move has a zone, and every move of the attacker outside
// this zone also fails, because the defender gives the same answers as after the first move. So most moves of the attacker
// need no search.
// CITE: Wu and Lin, Relevance-Zone-Oriented Proof Search for Connect6, 2010 (zones of wins); Hsu, Ko, Chen, Wei, Hsueh and Wu,
// On solving the 7,7,5-game and the 8,8,5-game, 2020 (for draws).
type zones struct {
	images  [][symmetries]uint8 // by cell and symmetry: the image of the cell under the symmetry
	cells   []set               // by ply: the cells of the zone that were found so far
	refuted bool                // whether the position that the search finished last is refuted
	last    set                 // the zone of this position, if refuted is true
}

// zoneKey is combined with the key of a position to get the key of its zone.
const zoneKey = 0x94d049bb133111eb

// keptCells is the number of cells for which an entry of the table stores whether they are in the zone. All cells with higher
// numbers are treated as part of the zone.
const keptCells = 56

func newZones(g *geometry) *zones {
	z := &zones{images: make([][symmetries]uint8, g.cells), cells: make([]set, g.cells+1)}
	for c := range z.images {
		for s := range symmetries {
			z.images[c][s] = uint8(g.image(c, s))
		}
	}
	return z
}

func (z *zones) settle(last set) { z.refuted, z.last = true, last }

// live returns the free cells on open lines.
func (b *board) live() set { return b.free().minus(b.now.dead) }

// keep stores the zone of the position in the table if the position is refuted; g contains its proof and disproof numbers.
func (p *prover) keep(g dfpn.Numbers, nodes uint64) {
	z := p.zones
	if z.refuted = g.Verdict(p.turn == attacker) == dfpn.Refuted; !z.refuted {
		return
	}
	z.last = z.cells[p.ply]
	key, symmetry := p.image()
	kept := uint64(0)
	for rest := z.last.and(p.live()); !rest.empty(); {
		kept |= 1 << z.images[rest.pop()][symmetry]
	}
	p.table.Store(key^zoneKey, kept<<8|uint64(bits.Len64(nodes)))
}

// kept returns the zone of the position from the table, in which the position must be stored as refuted.
func (p *prover) kept() set {
	live := p.live()
	key, symmetry := p.image()
	kept, ok := p.table.Probe(key ^ zoneKey)
	if !ok {
		return live.or(p.now.closing)
	}
	zone := p.now.closing
	for !live.empty() {
		c := live.pop()
		if i := p.zones.images[c][symmetry]; i >= keptCells || kept>>8>>i&1 != 0 {
			zone.add(c)
		}
	}
	return zone
}

// judged returns the zone of the position; the method judge must have refuted the position.
func (p *prover) judged() set {
	var broken set
	if p.turn == defender && !p.hopeless() {
		broken = p.strongest()
	}
	if !p.planned(broken) {
		return p.live().or(p.now.closing)
	}
	return p.plan.zone.or(p.now.closing).or(broken)
}

// strongest returns the cell that the defender must take, or, if there is none, the most valuable cell.
func (p *prover) strongest() set {
	if forced := p.now.win[attacker]; !forced.empty() {
		return forced
	}
	best, most := 0, uint32(0)
	for live := p.live(); !live.empty(); {
		c := live.pop()
		if w := p.worth(c, attacker); w > most {
			best, most = c, w
		}
	}
	return one(best)
}

// The method fails is called after a move was taken back, if the position after this move is refuted. It adds the zone of
// the refuted position to the zone of the current position. If the move was the attacker's, it marks his moves outside the
// zone as failed, because they fail for the same reason, and returns the remaining moves.
func (p *prover) fails(children []child) (others set) {
	z := p.zones
	z.refuted = false
	if p.turn == defender {
		move := p.plies[p.ply+1].stones[defender].minus(p.now.stones[defender])
		z.cells[p.ply] = z.last.or(move)
		return p.all
	}
	z.cells[p.ply] = z.cells[p.ply].or(z.last)
	for i := range children {
		if k := &children[i]; k.Phi != 0 && !z.last.has(int(k.Move)) {
			k.Numbers = dfpn.Achieved
		}
	}
	return z.last
}
