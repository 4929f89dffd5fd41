// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/search/dfpn"
)

// tree is the upper part of a proof, whose leaves are searched elsewhere. It asks whether one side wins.
//
//	root ─┬─ known: it wins
//	      ├─ leaf, busy: somebody searches it
//	      ├─ leaf, idle
//	      └─ node ─┬─ ...      a node has all moves of its position; a position is there once
//
// Proof numbers say where to go on: how many leaves must at least be proved until the side wins, and how many until it does
// not. A leaf that is busy has the numbers that it will have if its search finds nothing, so that the next leaf is another.
//
// CITE: Wu, Lin, Lin, Huang, Shan and Tsan, Job-Level Proof-Number Search for Connect6, 2010 (the tree of jobs, and numbers
// that are changed before a job is done).
type tree struct {
	by    game.Side // who wins, or not
	root  *node
	start game.Position
	views []symmetry.View
	nodes map[string]*node // by key
	busy  int
}

type node struct {
	moves   []game.Move // one way from the start to here
	turn    game.Side
	width   int // legal moves
	known   [2]dfpn.Verdict
	kids    []*node // none of a leaf
	parents []*node
	busy    bool
	idle    bool // here or below is a leaf that is not busy
	yes, no dfpn.Number
}

func newTree(p game.Position) *tree {
	t := &tree{by: p.Turn(), start: p.Clone(), views: symmetry.Of(p.Game()), nodes: map[string]*node{}}
	t.root = t.node(t.start)
	return t
}

// key is equal for positions that the rules do not tell apart, and for no others.
func (t *tree) key(p game.Position) string {
	s := p.(game.Settable).Setup()
	views := t.views
	if len(s.Memory) > 0 {
		views = views[:1] // what the rules remember is not turned
	}
	var least []byte
	for _, v := range views {
		seen := make([]byte, len(s.Cells), len(s.Cells)+1+len(s.Memory))
		for c, stone := range s.Cells {
			seen[v.Cell(c)] = byte(stone)
		}
		if least == nil || bytes.Compare(seen, least) < 0 {
			least = seen
		}
	}
	return string(append(append(least, byte(s.Turn)), s.Memory...))
}

// node returns the node of a position, which may be new.
func (t *tree) node(p game.Position) *node {
	key := t.key(p)
	if n := t.nodes[key]; n != nil {
		return n
	}
	n := &node{moves: p.AppendHistory(nil), turn: p.Turn(), width: len(p.AppendMoves(nil))}
	if o := p.Outcome(); o != game.Ongoing {
		winner, won := o.Winner()
		for side := range n.known {
			n.known[side] = dfpn.Refuted
			if won && winner == game.Side(side) {
				n.known[side] = dfpn.Proven
			}
		}
	}
	t.nodes[key] = n
	t.count(n)
	return n
}

// position returns that of a node.
func (t *tree) position(n *node) game.Position {
	p := t.start.Clone()
	for _, m := range n.moves[len(t.root.moves):] {
		p.Play(m)
	}
	return p
}

// next takes the leaf on which most depends and that nobody searches, or returns nil.
func (t *tree) next() *node {
	n := t.root
	if !n.idle {
		return nil
	}
	for len(n.kids) > 0 {
		var best *node
		for _, k := range n.kids {
			if k.idle && (best == nil || t.missing(n, k) < t.missing(n, best)) {
				best = k
			}
		}
		n = best
	}
	n.busy = true
	t.busy++
	t.changed(n)
	return n
}

// missing says how much is missing until a kid settles its parent.
func (t *tree) missing(n, kid *node) dfpn.Number {
	if n.turn == t.by {
		return kid.yes
	}
	return kid.no
}

// learn takes what was found out about a leaf: whether a side wins.
func (t *tree) learn(n *node, by game.Side, v dfpn.Verdict) {
	n.busy = false
	t.busy--
	if v == dfpn.Unknown && n.known[by] == dfpn.Unknown {
		t.expand(n)
	} else {
		n.learn(by, v)
	}
	t.changed(n)
}

// settled says whether the value of a node is known.
func (n *node) settled() bool {
	return n.known[game.First] != dfpn.Unknown && n.known[game.Second] != dfpn.Unknown
}

// learn notes whether a side wins. If it does, the other one does not.
func (n *node) learn(by game.Side, v dfpn.Verdict) {
	if v == dfpn.Unknown || n.known[by] != dfpn.Unknown {
		return
	}
	n.known[by] = v
	if v == dfpn.Proven {
		n.known[by.Other()] = dfpn.Refuted
	}
}

// expand gives a leaf its moves, those near other stones first. Those that are equal are one.
func (t *tree) expand(n *node) {
	p := t.position(n)
	moves := p.AppendMoves(nil)
	if b, ok := p.(game.Board); ok {
		slices.SortStableFunc(moves, func(a, c game.Move) int { return cmp.Compare(nearness(b, b.Cell(c)), nearness(b, b.Cell(a))) })
	}
	for _, m := range moves {
		p.Play(m)
		if kid := t.node(p); !slices.Contains(n.kids, kid) {
			n.kids, kid.parents = append(n.kids, kid), append(kid.parents, n)
		}
		p.Undo()
	}
}

// nearness is greater for cells near stones, and then for those near the middle.
func nearness(b game.Board, cell int) int {
	columns, rows := b.Size()
	x, y, sum := cell%columns, cell/columns, 0
	for dy := -2; dy <= 2; dy++ {
		for dx := -2; dx <= 2; dx++ {
			if x+dx >= 0 && x+dx < columns && y+dy >= 0 && y+dy < rows && b.Cells()[x+dx+(y+dy)*columns] != game.Empty {
				sum += 3 - max(dx, -dx, dy, -dy)
			}
		}
	}
	return 1000*sum - max(2*x-columns+1, columns-1-2*x) - max(2*y-rows+1, rows-1-2*y)
}

// changed counts a node again, and those above it as far as that changes them.
func (t *tree) changed(n *node) {
	for todo := []*node{n}; len(todo) > 0; todo = todo[1:] {
		if t.count(todo[0]) {
			todo = append(todo, todo[0].parents...)
		}
	}
}

// count finds out what is known of a node and its numbers, from its moves, and says whether that is new.
func (t *tree) count(n *node) (changed bool) {
	known, idle, yes, no := n.known, n.idle, n.yes, n.no
	for side := range n.known {
		n.conclude(game.Side(side))
	}
	n.idle = n.known[t.by] == dfpn.Unknown && len(n.kids) == 0 && !n.busy
	n.yes, n.no = 1, 1
	switch {
	case n.known[t.by] == dfpn.Proven:
		n.yes, n.no = 0, dfpn.Infinite
	case n.known[t.by] == dfpn.Refuted:
		n.yes, n.no = dfpn.Infinite, 0
	case len(n.kids) > 0:
		n.add(t.by)
	case n.busy && n.turn == t.by:
		n.no = dfpn.Number(n.width)
	case n.busy:
		n.yes = dfpn.Number(n.width)
	}
	return known != n.known || idle != n.idle || yes != n.yes || no != n.no
}

// conclude finds out whether a side wins, from the moves: one that gets the side to move its way is enough.
func (n *node) conclude(by game.Side) {
	if n.known[by] != dfpn.Unknown || len(n.kids) == 0 {
		return
	}
	mine := dfpn.For(n.turn == by)
	all := true
	for _, k := range n.kids {
		if k.known[by] == mine {
			n.learn(by, mine)
			return
		}
		all = all && k.known[by] != dfpn.Unknown
	}
	if all {
		n.learn(by, dfpn.For(n.turn != by))
	}
}

// add makes the numbers of a node of those of its moves.
func (n *node) add(by game.Side) {
	yes, no, least := uint64(0), uint64(0), dfpn.Goal{Least: dfpn.Infinite - 1, Most: dfpn.Infinite - 1}
	for _, k := range n.kids {
		n.idle = n.idle || k.idle
		yes, no = yes+uint64(k.yes), no+uint64(k.no)
		least.Least, least.Most = min(least.Least, k.yes), min(least.Most, k.no)
	}
	n.yes, n.no = least.Least, sum(no)
	if n.turn != by {
		n.yes, n.no = sum(yes), least.Most
	}
}

// sum is a number of proof. One beyond all numbers proves nothing.
func sum(n uint64) dfpn.Number { return dfpn.Number(min(n, uint64(dfpn.Infinite-1))) }

// ask asks whether another side wins.
func (t *tree) ask(by game.Side) {
	t.by = by
	all := make([]*node, 0, len(t.nodes))
	for _, n := range t.nodes {
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b *node) int { return cmp.Compare(len(b.moves), len(a.moves)) })
	for _, n := range all {
		t.count(n)
	}
}

// line returns moves from the root that keep its value, as far as they are in the tree. It has none as long as the value is
// not known.
func (t *tree) line() (line []game.Move) {
	if !t.root.settled() {
		return nil
	}
	p := t.start.Clone()
	for n := t.root; p.Outcome() == game.Ongoing && len(n.kids) > 0; n = t.nodes[t.key(p)] {
		best := game.NoMove
		for _, m := range p.AppendMoves(nil) {
			p.Play(m)
			keeps := t.nodes[t.key(p)].known == n.known
			p.Undo()
			if keeps {
				best = m
				break
			}
		}
		if best == game.NoMove {
			break
		}
		p.Play(best)
		line = append(line, best)
	}
	return line
}
