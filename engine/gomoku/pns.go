// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"cmp"
	"slices"

	"github.com/krow-lab/krow/internal/rng"
)

// Limits of the search for a proof tree.
const (
	quickNodes = 30_000 // node limit of a search for a win by threats after a move of the defender
	exactNodes = 3_000  // the same limit for rules under which only exactly five in a row win, except renju
	deepNodes  = 20_000 // node limit of another search for a win by threats if the engine sees a win
	passNodes  = 30_000 // node limit of a search for a win by threats after a pass of the defender
	widest     = 14     // maximum number of the attacker's moves that are tried
	atOnce     = 3      // maximum number of a position's unproved children; the other answers wait in pnNode.later
	penalty    = 30     // added to the proof number of a defender's position until his answers are listed
	unnamed    = 1000   // if the engine sees no win: the proof number of the moves that it does not propose
	bleak      = 1000   // proof number of a position in which the engine sees the attacker lose
	never      = 1 << 24
)

// questions are the searches that the engine makes for one position, one after another, until a search sees a win. Each
// question contains three numbers: the node limit of the search; the proof number of the position if the search sees no win;
// and, if the search sees a win, the proof number of all the attacker's moves except the move that wins. The proof numbers
// increase from question to question, because a win that only a longer search sees takes longer to prove.
var questions = [...]struct {
	nodes         uint64
	proof, behind uint32
}{{20_000, 2, 400}, {100_000, 5, 400}, {500_000, 12, 400}, {2_000_000, 30, 800}, {10_000_000, 60, 1600}, {60_000_000, 0, 3200}}

// pnNode is a position in a proof-number search for a proof tree. The leaves of such a tree are wins by threats.
//
//	the attacker to move   children are his moves; one must succeed
//	the defender to move   children[0] is his pass, and when that has a tree the answers in its zone; all must
//
// Positions with the attacker to move share a node if they result from the same moves in a different order. CITE: Allis, van der
// Meulen and van den Herik, Proof-Number Search, 1994. CITE: Shih, Wu, Wei and Wu, A Novel Approach to Solving Goal-Achieving
// Problems for Board Games, 2021.
type pnNode struct {
	proof, disproof uint32
	tried           uint64 // node limit of the last search for a win by threats, which failed
	moves           []int16
	children        []*pnNode
	later           []int16 // the defender's answers that are not yet children
	// The proof tree, or nil if nothing is proved. If the attacker is to move, the tree begins at this position. Otherwise it
	// begins with the attacker's move that led to this position.
	tree     *tree
	expanded bool
	asked    uint8
	// Whether the win after a pass is proved and the answers that may spoil this win are listed: the cells in its zone.
	answering bool
}

const passed = -1

// pnSearch searches for a proof tree of a win for the attacker. The attacker is to move at the root unless defends is set.
type pnSearch struct {
	*treeBuilder
	root       *pnNode
	known      map[uint64]*pnNode // by hash of the position: the nodes with the attacker to move
	orderer    *moveOrderer
	path       []int // moves and passes from the root to the current position
	first      int   // the attacker's move at the root that is tried before other moves, or noCell
	expansions uint64
	most       int // maximum number of trees and positions; when it is reached, the search is full
	full       bool
}

func newPNSearch(g *treeBuilder, e *moveOrderer, defends bool, most int) *pnSearch {
	g.defends = defends
	return &pnSearch{treeBuilder: g, orderer: e, first: noCell, most: most, root: &pnNode{proof: 1, disproof: 1}, known: map[uint64]*pnNode{}}
}

// done reports whether the root is proved or disproved.
func (s *pnSearch) done() bool { return s.root.proof == 0 || s.root.disproof == 0 }

// expandMostProving expands the most proving position of the tree.
func (s *pnSearch) expandMostProving() {
	s.expansions++
	s.descend(s.root, passed)
}

func (s *pnSearch) enter(c int) {
	s.path = append(s.path, c)
	if c == passed {
		s.skip()
	} else {
		s.place(c)
	}
}

func (s *pnSearch) leave(c int) {
	s.path = s.path[:len(s.path)-1]
	if c == passed {
		s.back()
	} else {
		s.lift(c)
	}
}

// descend expands the most proving position below p, and then updates the proof and disproof numbers on the path back to p. The
// parameter c is the move that led to p.
func (s *pnSearch) descend(p *pnNode, c int) {
	defends := s.turn != s.attacker
	switch {
	case !p.expanded && defends:
		s.expandDefender(p)
	case !p.expanded:
		s.expandAttacker(p)
	case defends && p.answering && len(p.later) > 0 && p.open() < atOnce:
		s.addAnswers(p)
	default:
		if i := p.choose(defends); i >= 0 {
			s.enter(int(p.moves[i]))
			s.descend(p.children[i], int(p.moves[i]))
			s.leave(int(p.moves[i]))
		}
	}
	s.update(p, c)
}

// open returns the number of children that are not proved.
func (p *pnNode) open() (n int) {
	for _, k := range p.children {
		if k.proof > 0 {
			n++
		}
	}
	return n
}

// choose returns the index of the most proving child, or -1 if all children are proved or disproved.
func (p *pnNode) choose(defends bool) int {
	best := -1
	for i, k := range p.children {
		if k.proof == 0 || k.disproof == 0 {
			continue
		}
		if best < 0 || defends && k.disproof < p.children[best].disproof || !defends && k.proof < p.children[best].proof {
			best = i
		}
	}
	return best
}

// update computes the proof and disproof numbers of p from the numbers of its children. If p is proved, update also sets its
// proof tree. The parameter c is the move that led to p.
func (s *pnSearch) update(p *pnNode, c int) {
	if !p.expanded || p.proof == 0 || p.disproof == 0 {
		return
	}
	if s.turn == s.attacker {
		s.updateAttacker(p)
	} else {
		s.updateDefender(p, c)
	}
	if p.proof == 0 || p.disproof == 0 {
		p.children, p.moves, p.later = nil, nil, nil
	}
}

func (s *pnSearch) updateAttacker(p *pnNode) {
	p.proof, p.disproof = never, 0
	for _, k := range p.children {
		p.proof, p.disproof = min(p.proof, k.proof), min(p.disproof+k.disproof, never)
		if k.proof == 0 {
			p.tree, p.disproof = k.tree, never
			s.keep(p.tree)
			return
		}
	}
}

func (s *pnSearch) updateDefender(p *pnNode, c int) {
	if !p.answering && p.children[0].proof == 0 {
		s.listAnswers(p)
		s.addAnswers(p)
	}
	p.proof, p.disproof = 0, never
	for _, k := range p.children {
		p.proof, p.disproof = min(p.proof+k.proof, never), min(p.disproof, k.disproof)
	}
	switch {
	case p.disproof == 0:
		p.proof = never
	case !p.answering:
		// The answers that may spoil the win after a pass are not listed yet. The penalty estimates the work of proving them.
		p.proof = min(p.proof+penalty, never)
	case len(p.later) > 0:
		p.proof = min(p.proof+1+uint32(len(p.later))/8, never)
	case p.proof == 0:
		s.complete(p, c)
	}
}

// complete builds the proof tree whose first move is c, from the trees of the children of p. The move c led to p.
func (s *pnSearch) complete(p *pnNode, c int) {
	at := map[int]*tree{}
	for i, k := range p.children {
		at[int(p.moves[i])] = k.tree
	}
	var answers []*tree
	pass := at[passed]
	for _, d := range pass.zone.cells() {
		answers = append(answers, at[d])
	}
	if p.tree = s.tree(c, pass, answers); p.tree == nil {
		p.proof, p.disproof = never, 0
	}
}

// expandAttacker searches for a win by threats. If there is none, the engine searches the position, with a larger node limit
// at each visit to p. Finally it lists the attacker's moves: the engine's move with a small proof number, and the other moves
// with much larger proof numbers.
func (s *pnSearch) expandAttacker(p *pnNode) {
	if s.try(p, s.quick()) {
		return
	}
	s.full = s.full || s.count > s.most
	if s.full || s.unseen > s.rule.side[0].k-4 {
		p.expanded, p.proof, p.disproof = true, never, 0
		return
	}
	if s.first != noCell && len(s.path) == 0 {
		p.expanded = true
		s.listMoves(p, s.first, unnamed)
		return
	}
	question := questions[p.asked]
	move, score := s.orderer.ask(s.path, question.nodes)
	s.resume()
	wins := score > mateBound
	if wins && s.try(p, deepNodes) || !wins && s.orderer.ended() {
		return
	}
	p.asked++
	if !wins && int(p.asked) < len(questions) {
		p.proof = question.proof
		if score < -mateBound {
			p.proof = bleak
		}
		return
	}
	p.expanded = true
	behind := uint32(unnamed)
	if wins {
		behind = question.behind
	}
	s.listMoves(p, move, behind)
	if len(p.children) == 0 {
		p.proof, p.disproof = never, 0
	}
}

// listMoves makes the children of a position with the attacker to move: the given move, unless it is noCell, and then the
// other moves with the best ratings. The parameter behind is the initial proof number of the other moves.
func (s *pnSearch) listMoves(p *pnNode, move int, behind uint32) {
	add := func(c int, proof uint32) {
		if !s.mayPlay(int(s.grid[c])) {
			return
		}
		s.count++
		p.children = append(p.children, &pnNode{proof: proof, disproof: 1})
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

// quick returns the node limit of a search for a win by threats after a move of the defender.
func (s *pnSearch) quick() uint64 {
	if r := s.rule.side[0]; r.exact && !r.renju {
		return exactNodes
	}
	return quickNodes
}

// try searches for a win by threats within the given number of nodes, unless a search with at least as many nodes has already
// failed. It reports whether the position is proved.
func (s *pnSearch) try(p *pnNode, nodes uint64) bool {
	if p.proof == 0 {
		return true
	}
	if t := s.lookup(); t != nil {
		p.tree, p.proof, p.disproof, p.expanded = t, 0, never, true
		return true
	}
	if p.tried >= nodes || p.expanded {
		return false
	}
	p.tried, s.nodes = nodes, nodes
	if p.tree = s.attack(); p.tree != nil {
		p.proof, p.disproof, p.expanded = 0, never, true
		return true
	}
	return false
}

// addChild adds the position after the defender's move c to the children of p, and searches there for a win of the attacker by
// threats.
func (s *pnSearch) addChild(p *pnNode, c int) {
	s.enter(c)
	key := s.hash() ^ uint64(s.unseen)*rng.Golden
	k := s.known[key]
	if k == nil {
		k = &pnNode{proof: 1, disproof: 1}
		s.known[key] = k
		s.count++
	}
	nodes := s.quick()
	if c == passed {
		nodes = passNodes
	}
	s.try(k, nodes)
	s.leave(c)
	p.children, p.moves = append(p.children, k), append(p.moves, int16(c))
}

// expandDefender adds the defender's pass as the first child. If the defender can make five, p has no child and is disproved.
func (s *pnSearch) expandDefender(p *pnNode) {
	p.expanded = true
	if s.counts[1-s.attacker][makesFive] > 0 {
		p.proof, p.disproof = never, 0
		return
	}
	s.addChild(p, passed)
}

// listAnswers lists the answers that may spoil the win after a pass: the cells in the zone of the tree for the pass. The
// answers with the best ratings come first.
func (s *pnSearch) listAnswers(p *pnNode) {
	p.answering = true
	for _, c := range p.children[0].tree.zone.cells() {
		p.later = append(p.later, int16(c))
	}
	slices.SortStableFunc(p.later, func(a, b int16) int {
		return cmp.Compare(s.appearance(int(s.grid[b])), s.appearance(int(s.grid[a])))
	})
}

// addAnswers adds answers as children, until the number of unproved children is atOnce.
func (s *pnSearch) addAnswers(p *pnNode) {
	for open := p.open(); len(p.later) > 0 && open < atOnce; {
		c := p.later[0]
		p.later = p.later[1:]
		s.addChild(p, int(c))
		if p.children[len(p.children)-1].proof > 0 {
			open++
		}
	}
}
