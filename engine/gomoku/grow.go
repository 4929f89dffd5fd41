// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"cmp"
	"slices"

	"github.com/krow-lab/krow/internal/rng"
)

// The limits of a search for a tree, in nodes of the search for threats, and its numbers.
const (
	quickNodes = 30_000 // after an answer,
	exactNodes = 3_000  // or this where exactly five win,
	deepNodes  = 20_000 // and then again where the engine sees a win,
	passNodes  = 30_000 // and after a pass
	widest     = 14     // moves of hero that are tried
	atOnce     = 3      // answers that are open at a time
	penalty    = 30     // for the answers that come after a pass
	unnamed    = 1000   // for moves of hero that the engine does not name, where it sees no win
	bleak      = 1000   // for a position that hero loses, as the engine sees it
	never      = 1 << 24
)

// questions are the searches of the engine of one position: how long they are, the proof number where they see no win, and
// where they see one that of hero's other moves. A win that is seen late takes long to prove.
var questions = [...]struct {
	nodes       uint64
	yes, behind uint32
}{{20_000, 2, 400}, {100_000, 5, 400}, {500_000, 12, 400}, {2_000_000, 30, 800}, {10_000_000, 60, 1600}, {60_000_000, 0, 3200}}

// spot is a position of a proof-number search for a tree, whose leaves are wins by threats.
//
//	hero to move      kids are his moves; one must succeed
//	villain to move   kids[0] is his pass, and when that has a tree the answers in its zone; all must
//
// Positions with hero to move that come about by other orders of moves share a spot. CITE: Allis, van der Meulen and van
// den Herik, Proof-Number Search, 1994. CITE: Shih, Wu, Wei and Wu, A Novel Approach to Solving Goal-Achieving Problems for
// Board Games, 2021.
type spot struct {
	yes, no   uint32
	tried     uint64 // nodes for an attack that failed
	moves     []int16
	kids      []*spot
	later     []int16 // answers that are not among the kids yet
	tree      *tree   // found, of hero to move or of the move to here
	unfolded  bool
	asked     uint8
	answering bool // the pass has a tree
}

const passed = -1

// seek looks for a tree of a position that hero, who is to move unless defends is set, may win.
type seek struct {
	*grower
	root   *spot
	known  map[uint64]*spot // with hero to move
	guide  *guide
	path   []int // moves from the root, and passes
	first  int   // hero's move at the root that is tried before others, or noCell
	rounds uint64
	most   int // trees and positions, then it is full
	full   bool
}

func newSeek(g *grower, e *guide, defends bool, most int) *seek {
	g.defends = defends
	return &seek{grower: g, guide: e, first: noCell, most: most, root: &spot{yes: 1, no: 1}, known: map[uint64]*spot{}}
}

// done says whether the root is settled.
func (s *seek) done() bool { return s.root.yes == 0 || s.root.no == 0 }

// round unfolds one position.
func (s *seek) round() {
	s.rounds++
	s.descend(s.root, passed)
}

func (s *seek) enter(c int) {
	s.path = append(s.path, c)
	if c == passed {
		s.skip()
	} else {
		s.place(c)
	}
}

func (s *seek) leave(c int) {
	s.path = s.path[:len(s.path)-1]
	if c == passed {
		s.back()
	} else {
		s.lift(c)
	}
}

// descend goes on with a position that c led to.
func (s *seek) descend(p *spot, c int) {
	defends := s.turn != s.hero
	switch {
	case !p.unfolded && defends:
		s.unfoldVillain(p)
	case !p.unfolded:
		s.unfoldHero(p)
	case defends && p.answering && len(p.later) > 0 && p.open() < atOnce:
		s.addAnswers(p)
	default:
		if i := p.choose(defends); i >= 0 {
			s.enter(int(p.moves[i]))
			s.descend(p.kids[i], int(p.moves[i]))
			s.leave(int(p.moves[i]))
		}
	}
	s.update(p, c)
}

// open returns how many kids are not proved.
func (p *spot) open() (n int) {
	for _, k := range p.kids {
		if k.yes > 0 {
			n++
		}
	}
	return n
}

// choose returns the kid that is nearest to what the position needs, or -1.
func (p *spot) choose(defends bool) int {
	best := -1
	for i, k := range p.kids {
		if k.yes == 0 || k.no == 0 {
			continue
		}
		if best < 0 || defends && k.no < p.kids[best].no || !defends && k.yes < p.kids[best].yes {
			best = i
		}
	}
	return best
}

// update counts the numbers of a position from those of its kids, and puts its tree together.
func (s *seek) update(p *spot, c int) {
	if !p.unfolded || p.yes == 0 || p.no == 0 {
		return
	}
	if s.turn == s.hero {
		s.updateHero(p)
	} else {
		s.updateVillain(p, c)
	}
	if p.yes == 0 || p.no == 0 {
		p.kids, p.moves, p.later = nil, nil, nil
	}
}

func (s *seek) updateHero(p *spot) {
	p.yes, p.no = never, 0
	for _, k := range p.kids {
		p.yes, p.no = min(p.yes, k.yes), min(p.no+k.no, never)
		if k.yes == 0 {
			p.tree, p.no = k.tree, never
			s.keep(p.tree)
			return
		}
	}
}

func (s *seek) updateVillain(p *spot, c int) {
	if !p.answering && p.kids[0].yes == 0 {
		s.listAnswers(p)
		s.addAnswers(p)
	}
	p.yes, p.no = 0, never
	for _, k := range p.kids {
		p.yes, p.no = min(p.yes+k.yes, never), min(p.no, k.no)
	}
	switch {
	case p.no == 0:
		p.yes = never
	case !p.answering:
		p.yes = min(p.yes+penalty, never) // the answers will be to prove
	case len(p.later) > 0:
		p.yes = min(p.yes+1+uint32(len(p.later))/8, never)
	case p.yes == 0:
		s.complete(p, c)
	}
}

// complete puts the tree of the move c together that led here.
func (s *seek) complete(p *spot, c int) {
	at := map[int]*tree{}
	for i, k := range p.kids {
		at[int(p.moves[i])] = k.tree
	}
	var answers []*tree
	pass := at[passed]
	for _, d := range pass.zone.cells() {
		answers = append(answers, at[d])
	}
	if p.tree = s.tree(c, pass, answers); p.tree == nil {
		p.yes, p.no = never, 0
	}
}

// unfoldHero looks for a win by threats, asks the engine, longer each time the search comes back, and at last lists hero's
// moves: the engine's, and far behind it the others.
func (s *seek) unfoldHero(p *spot) {
	if s.try(p, s.quick()) {
		return
	}
	s.full = s.full || s.count > s.most
	if s.full || s.unseen > s.rule.side[0].k-4 {
		p.unfolded, p.yes, p.no = true, never, 0
		return
	}
	if s.first != noCell && len(s.path) == 0 {
		p.unfolded = true
		s.listMoves(p, s.first, unnamed)
		return
	}
	question := questions[p.asked]
	move, score := s.guide.ask(s.path, question.nodes)
	wins := score > mateBound
	if wins && s.try(p, deepNodes) || !wins && s.guide.ended() {
		return
	}
	p.asked++
	if !wins && int(p.asked) < len(questions) {
		p.yes = question.yes
		if score < -mateBound {
			p.yes = bleak
		}
		return
	}
	p.unfolded = true
	behind := uint32(unnamed)
	if wins {
		behind = question.behind
	}
	s.listMoves(p, move, behind)
	if len(p.kids) == 0 {
		p.yes, p.no = never, 0
	}
}

// listMoves makes the kids of a position with hero to move: the move that is named, unless it is noCell, and others, whose
// proof numbers are that far behind.
func (s *seek) listMoves(p *spot, move int, behind uint32) {
	add := func(c int, yes uint32) {
		s.count++
		p.kids = append(p.kids, &spot{yes: yes, no: 1})
		p.moves = append(p.moves, int16(c))
	}
	if move != noCell {
		add(move, 1)
	}
	list := &s.lists[0]
	moves := list[:s.generate(list)]
	slices.SortFunc(moves, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.cell, b.cell)) })
	for i, m := range moves[:min(len(moves), widest)] {
		if c := int(s.board.move(int(m.cell))); c != move {
			add(c, behind+behind/8*uint32(i))
		}
	}
}

// quick returns how many nodes a search for threats after an answer takes at most.
func (s *seek) quick() uint64 {
	if s.rule.side[0].exact {
		return exactNodes
	}
	return quickNodes
}

// try looks for a win by threats, unless it was looked for with as many nodes, and says whether the position is settled.
func (s *seek) try(p *spot, nodes uint64) bool {
	if p.yes == 0 {
		return true
	}
	if t := s.find(); t != nil {
		p.tree, p.yes, p.no, p.unfolded = t, 0, never, true
		return true
	}
	if p.tried >= nodes || p.unfolded {
		return false
	}
	p.tried, s.nodes = nodes, nodes
	if p.tree = s.attack(); p.tree != nil {
		p.yes, p.no, p.unfolded = 0, never, true
		return true
	}
	return false
}

// kid adds a position with hero to move after a move of the villain.
func (s *seek) kid(p *spot, c int) {
	s.enter(c)
	key := s.hash() ^ uint64(s.unseen)*rng.Golden
	k := s.known[key]
	if k == nil {
		k = &spot{yes: 1, no: 1}
		s.known[key] = k
		s.count++
	}
	nodes := s.quick()
	if c == passed {
		nodes = passNodes
	}
	s.try(k, nodes)
	s.leave(c)
	p.kids, p.moves = append(p.kids, k), append(p.moves, int16(c))
}

// unfoldVillain lets the villain pass.
func (s *seek) unfoldVillain(p *spot) {
	p.unfolded = true
	if s.counts[1-s.hero][makesFive] > 0 {
		p.yes, p.no = never, 0
		return
	}
	s.kid(p, passed)
}

// listAnswers lists the answers in the zone of the tree for a pass, the likely ones first.
func (s *seek) listAnswers(p *spot) {
	p.answering = true
	for _, c := range p.kids[0].tree.zone.cells() {
		p.later = append(p.later, int16(c))
	}
	slices.SortStableFunc(p.later, func(a, b int16) int {
		return cmp.Compare(s.appearance(int(s.grid[b])), s.appearance(int(s.grid[a])))
	})
}

// addAnswers tries answers until a few are not met by threats.
func (s *seek) addAnswers(p *spot) {
	for open := p.open(); len(p.later) > 0 && open < atOnce; {
		c := p.later[0]
		p.later = p.later[1:]
		s.kid(p, int(c))
		if p.kids[len(p.kids)-1].yes > 0 {
			open++
		}
	}
}
