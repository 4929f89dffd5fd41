// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"cmp"
	"slices"
)

// The limits of a search for a tree.
const (
	quickNodes = 2_000   // for the fours and threats that answer a move
	deepNodes  = 60_000  // for a position that the search has come to
	widest     = 14      // moves of hero that are tried
	never      = 1 << 24 // the number of what cannot be
)

// spot is a position of a proof-number search for a tree, whose leaves are wins by threats.
//
//	hero to move      kids are his moves; one must succeed
//	villain to move   kids[0] is his pass, and when that has a tree the answers in its zone; all must
//
// CITE: Allis, van der Meulen and van den Herik, Proof-Number Search, 1994. CITE: Shih, Wu, Wei and Wu, A Novel Approach to
// Solving Goal-Achieving Problems for Board Games, 2021.
type spot struct {
	cell      int32 // played to come here, or -1 for a pass
	yes, no   uint32
	tried     uint64 // nodes for an attack that failed
	kids      []*spot
	tree      *tree // hero to move: found
	unfolded  bool
	toDefend  bool // the villain is to move
	answering bool // the answers are among the kids
}

// seek looks for a tree of a position that hero, who is to move unless defends is set, may win.
type seek struct {
	*grower
	root   *spot
	rounds uint64
	most   int // trees and positions, then it is full
	full   bool
}

func newSeek(g *grower, defends bool, most int) *seek {
	return &seek{grower: g, most: most, root: &spot{cell: -1, yes: 1, no: 1, toDefend: defends}}
}

// done says whether the root is settled.
func (s *seek) done() bool { return s.root.yes == 0 || s.root.no == 0 }

// round unfolds one position.
func (s *seek) round() {
	s.rounds++
	s.descend(s.root)
}

func (s *seek) enter(k *spot) {
	if k.cell < 0 {
		s.skip()
	} else {
		s.place(int(k.cell))
	}
}

func (s *seek) leave(k *spot) {
	if k.cell < 0 {
		s.back()
	} else {
		s.lift(int(k.cell))
	}
}

func (s *seek) descend(p *spot) {
	switch {
	case !p.unfolded && p.toDefend:
		s.unfoldVillain(p)
	case !p.unfolded:
		s.unfoldHero(p)
	default:
		k := s.choose(p)
		s.enter(k)
		s.descend(k)
		s.leave(k)
	}
	s.update(p)
}

// choose returns the kid that is nearest to what the position needs.
func (s *seek) choose(p *spot) (best *spot) {
	for _, k := range p.kids {
		if k.yes == 0 || k.no == 0 {
			continue
		}
		if best == nil || p.toDefend && k.no < best.no || !p.toDefend && k.yes < best.yes {
			best = k
		}
	}
	return best
}

// update counts the numbers of a position from those of its kids, and puts its tree together.
func (s *seek) update(p *spot) {
	if !p.unfolded || p.yes == 0 || p.no == 0 {
		return
	}
	yes, no, sum := uint32(never), uint32(never), uint32(0)
	if p.toDefend {
		yes = 0
	}
	for _, k := range p.kids {
		if p.toDefend {
			yes, no = min(yes+k.yes, never), min(no, k.no)
		} else {
			yes, sum = min(yes, k.yes), min(sum+k.no, never)
		}
	}
	if !p.toDefend {
		no = sum
	}
	p.yes, p.no = yes, no
	switch {
	case p.toDefend && !p.answering && len(p.kids) > 0 && p.kids[0].yes == 0:
		s.addAnswers(p)
	case p.toDefend && !p.answering:
		p.yes = min(p.yes+4, never) // the answers will be to prove
	case p.toDefend && p.yes == 0:
		s.complete(p)
	case !p.toDefend && p.yes == 0:
		for _, k := range p.kids {
			if k.yes == 0 {
				p.tree = k.tree
			}
		}
		s.keep(p.tree)
		p.kids = nil
	case p.no == 0:
		p.kids = nil
	}
}

// complete puts the tree of the move together that led here, from those of the answers.
func (s *seek) complete(p *spot) {
	var answers []*tree
	for _, k := range p.kids[1:] {
		answers = append(answers, k.tree)
	}
	pass := p.kids[0].tree
	p.kids = nil
	if p.tree = s.tree(int(p.cell), pass, answers); p.tree == nil {
		p.yes, p.no = never, 0
	}
}

// unfoldHero looks for a win by threats, with more and more nodes, and then lists hero's moves.
func (s *seek) unfoldHero(p *spot) {
	if s.try(p, quickNodes) || s.try(p, deepNodes) {
		return
	}
	p.unfolded = true
	s.full = s.full || s.count > s.most
	if s.full || s.unseen > s.rule.side[0].k-4 {
		p.yes, p.no = never, 0
		return
	}
	list := &s.lists[0]
	moves := list[:s.generate(list)]
	slices.SortFunc(moves, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	for i, m := range moves[:min(len(moves), widest)] {
		s.count++
		p.kids = append(p.kids, &spot{cell: int32(s.board.move(int(m.cell))), yes: 2 + uint32(i)/2, no: 1, toDefend: true})
	}
	if len(p.kids) == 0 {
		p.yes, p.no = never, 0
	}
}

// try looks for a win by threats, unless it was looked for with as many nodes, and says whether the position is settled.
func (s *seek) try(p *spot, nodes uint64) bool {
	if p.tried >= nodes {
		return false
	}
	if t := s.find(); t != nil {
		p.tree, p.yes, p.no, p.unfolded = t, 0, never, true
		return true
	}
	p.tried, s.nodes = nodes, nodes
	if p.tree = s.attack(); p.tree != nil {
		p.yes, p.no, p.unfolded = 0, never, true
		return true
	}
	return false
}

// unfoldVillain lets the villain pass.
func (s *seek) unfoldVillain(p *spot) {
	p.unfolded = true
	if s.counts[1-s.hero][makesFive] > 0 {
		p.yes, p.no = never, 0
		return
	}
	k := &spot{cell: -1, yes: 4, no: 1}
	s.count++
	p.kids = []*spot{k}
	s.skip()
	s.try(k, quickNodes)
	s.back()
}

// addAnswers adds the villain's answers in the zone of the tree for a pass, and counts those that threats do not meet.
func (s *seek) addAnswers(p *spot) {
	p.answering, p.yes = true, 1
	for _, c := range p.kids[0].tree.zone.cells() {
		k := &spot{cell: int32(c), yes: 1, no: 1}
		s.count++
		p.kids = append(p.kids, k)
		s.place(c)
		s.try(k, quickNodes)
		s.lift(c)
	}
	s.update(p)
}
