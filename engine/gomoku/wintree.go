// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// area is a set of cells, with a bit for each cell. A cell has the number column + row*columns, as in the rules.
type area [(maxSide*maxSide + 63) / 64]uint64

func (a *area) add(c int)      { a[c/64] |= 1 << (c % 64) }
func (a *area) remove(c int)   { a[c/64] &^= 1 << (c % 64) }
func (a *area) has(c int) bool { return a[c/64]>>(c%64)&1 != 0 }

func (a *area) join(b *area) {
	for i := range a {
		a[i] |= b[i]
	}
}

// less returns the number of cells of a that are not in b, or -1 if one of these cells is in the set none.
func (a *area) less(b, none *area) (n int) {
	for i := range a {
		d := a[i] &^ b[i]
		if d&none[i] != 0 {
			return -1
		}
		n += bits.OnesCount64(d)
	}
	return n
}

func (a *area) within(b *area) bool {
	for i := range a {
		if a[i]&^b[i] != 0 {
			return false
		}
	}
	return true
}

// cells returns the cells of the area, ordered by number.
func (a *area) cells() (all []int) {
	for i, w := range a {
		for ; w != 0; w &= w - 1 {
			all = append(all, i*64+bits.TrailingZeros64(w))
		}
	}
	return all
}

// tree is a proof that one side, the attacker, wins. It has the form of certificates with zones: it contains the attacker's
// move, and a tree for each answer that matters. Package proof explains which answers matter.
//
//	move ─┬─ pass        the attacker's tree if the other side passes, with one stone more unseen
//	      └─ answers     a tree for each cell in the zone of pass, the lowest first
//
// If pass is nil, the move of the tree wins at once. A tree may be a part of several trees, and it never changes.
type tree struct {
	move  uint16
	plies uint16 // greatest number of plies to the win
	// Number of stones that the other side may have on unknown cells outside the zone, in addition to its stones on the board.
	unseen  uint8
	join    []uint16 // cells of the zone that are not in the zones of its subtrees
	zone    area
	pass    *tree
	answers []*tree
}

// noCell is used as the move of a tree in which the other side is to move.
const noCell = 0xffff

// line is a line of k cells.
type line struct {
	cells []uint16
	ends  [2]int // the cells before and after the line, or -1 if there is none
}

// treeBuilder makes trees for one attacker on a board.
type treeBuilder struct {
	*worker
	attacker game.Side
	defends  bool // whether the attacker's opponent is to move at the root
	unseen   int
	grid     []uint16 // by cell: the index of the cell on the engine's board
	lines    []line
	through  [][]uint16
	on       [2][]uint8 // by side and line: the number of stones of the side on the line
	stones   [2]area
	proved   map[area][]proved // trees to look up; the key is the set of the attacker's stones
	count    int               // number of trees made and positions stored
	nodes    uint64            // node limit of each search for an attack by the engine's prover
	most     int               // maximum number of plies of a tree to be found, or 0 if there is no limit
}

// proved is a tree together with the defender's stones in the position in which it was made.
type proved struct {
	defender area
	tree     *tree
}

func newTreeBuilder(w *worker, attacker game.Side) *treeBuilder {
	n := w.rule.columns * w.rule.rows
	g := &treeBuilder{worker: w, attacker: attacker, through: make([][]uint16, n), proved: map[area][]proved{}}
	at := func(x, y int) int {
		if x < 0 || y < 0 || x >= w.rule.columns || y >= w.rule.rows {
			return -1
		}
		return x + y*w.rule.columns
	}
	k := w.rule.side[0].k
	for c := range n {
		x, y := c%w.rule.columns, c/w.rule.columns
		g.grid = append(g.grid, uint16(w.cellAt(x, y)))
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			if at(x+d[0]*(k-1), y+d[1]*(k-1)) < 0 {
				continue
			}
			l := line{ends: [2]int{at(x-d[0], y-d[1]), at(x+d[0]*k, y+d[1]*k)}}
			for i := range k {
				on := at(x+d[0]*i, y+d[1]*i)
				l.cells = append(l.cells, uint16(on))
				g.through[on] = append(g.through[on], uint16(len(g.lines)))
			}
			g.lines = append(g.lines, l)
		}
	}
	for s := range g.on {
		g.on[s] = make([]uint8, len(g.lines))
	}
	return g
}

// load sets the position.
func (g *treeBuilder) load(p game.Position) {
	g.board.load(p.(game.Board), p)
	g.stones, g.unseen = [2]area{}, 0
	for s := range g.on {
		clear(g.on[s])
	}
	for c, stone := range p.(game.Board).Cells() {
		if stone != game.Empty {
			g.tally(int(stone)-1, c, 1)
			g.stones[stone-1].add(c)
		}
	}
}

func (g *treeBuilder) tally(s, c int, by uint8) {
	for _, l := range g.through[c] {
		g.on[s][l] += by
	}
}

// place plays a stone on a cell, and lift takes it back.
func (g *treeBuilder) place(c int) {
	s := int(g.turn)
	g.board.playStone(int(g.grid[c]))
	g.stones[s].add(c)
	g.tally(s, c, 1)
}

func (g *treeBuilder) lift(c int) {
	g.board.undo()
	s := int(g.turn)
	g.stones[s].remove(c)
	g.tally(s, c, 0xff)
}

// skip makes a pass of the other side, and back takes it back.
func (g *treeBuilder) skip() {
	g.board.pass()
	g.unseen++
}

func (g *treeBuilder) back() {
	g.board.undo()
	g.unseen--
}

// lookup returns an earlier tree that is also valid in this position, or nil.
func (g *treeBuilder) lookup() *tree {
	defender := &g.stones[1-g.attacker]
	for _, p := range g.proved[g.stones[g.attacker]] {
		if int(p.tree.unseen) < g.unseen || g.most > 0 && int(p.tree.plies) > g.most || !p.defender.within(defender) {
			continue
		}
		if n := defender.less(&p.defender, &p.tree.zone); n >= 0 && n+g.unseen <= int(p.tree.unseen) {
			return p.tree
		}
	}
	return nil
}

// keep stores a tree that was made in this position.
func (g *treeBuilder) keep(t *tree) {
	key := g.stones[g.attacker]
	g.proved[key] = append(g.proved[key], proved{g.stones[1-g.attacker], t})
}

// five returns the tree of a row that the attacker can complete at once, or nil.
func (g *treeBuilder) five() *tree {
	if g.counts[g.attacker][makesFive] == 0 {
		return nil
	}
	at := g.board.find(g.attacker, makesFive)
	t := &tree{move: uint16(g.board.move(at)), plies: 1, unseen: uint8(g.unseen)}
	t.zone.add(int(t.move))
	if g.rule.side[0].blocked {
		if end := g.openEnd(at); end > 0 {
			c := uint16(g.board.move(end))
			t.join = []uint16{c}
			t.zone.add(int(c))
		}
	}
	g.count++
	return t
}

// openEnd is for caro, where a row wins only if the enemy does not have stones at both ends. It returns an empty cell next to
// the row that the attacker completes with a stone on the cell at. The row wins as long as the returned cell is empty. If a
// completed row touches the edge of the board, it wins in any case, and openEnd returns 0.
func (g *treeBuilder) openEnd(at int) (end int) {
	stone := uint8(g.attacker) + 1
	for _, step := range [4]int{1, stride, stride + 1, stride - 1} {
		n, ends := 1, [2]int{}
		for i, d := range [2]int{-step, step} {
			c := at + d
			for ; g.board.stones[c&cellMask] == stone; c += d {
				n++
			}
			ends[i] = c & cellMask
		}
		if n < g.rule.side[0].k {
			continue
		}
		if g.board.stones[ends[0]] == codeWall || g.board.stones[ends[1]] == codeWall {
			return 0
		}
		for _, c := range ends {
			if end == 0 && g.board.stones[c] == codeEmpty {
				end = c
			}
		}
	}
	return end
}

// fours returns the tree of a win by fours, or nil.
func (g *treeBuilder) fours() *tree {
	if t := g.five(); t != nil {
		return t
	}
	g.proof.budget = g.visited + g.nodes
	if !g.someFours() {
		return nil
	}
	return g.after(int(g.board.move(int(g.pv[0][0]))), g.five, g.fours)
}

// someFours searches for a win by fours, and stores its line in pv[0]. If the number of plies is limited, it searches for the shortest
// win.
func (g *treeBuilder) someFours() bool {
	for g.proof.most = min(g.most, 3); g.proof.most < g.most; g.proof.most += 2 {
		if g.byFours(0) > 0 {
			return true
		}
	}
	return g.byFours(0) > 0
}

// attack returns the tree of a win by fours and other threats, or nil.
func (g *treeBuilder) attack() *tree {
	if t := g.fours(); t != nil {
		return t
	}
	if t := g.lookup(); t != nil {
		return t
	}
	if g.proof.most = g.most; g.prove(g.nodes, true, false) == 0 {
		return nil
	}
	t := g.after(int(g.board.move(int(g.pv[0][0]))), g.fours, g.attack)
	if t != nil {
		g.keep(t)
	}
	return t
}

// after returns the tree that begins with the attacker's move c, which does not win at once, or nil if it finds no tree. The
// function pass must return the attacker's tree after a pass of the other side, and the function answer must return his tree
// after another answer.
func (g *treeBuilder) after(c int, pass, answer func() *tree) *tree {
	if !g.mayPlay(int(g.grid[c])) {
		return nil
	}
	g.place(c)
	defer g.lift(c)
	if g.counts[1-g.attacker][makesFive] > 0 || g.most == 1 || g.most == 2 {
		return nil
	}
	most := g.most
	defer func() { g.most = most }()
	g.most = max(most-2, 0)
	g.skip()
	then := pass()
	g.back()
	if then == nil {
		return nil
	}
	var answers []*tree
	for _, d := range then.zone.cells() {
		g.place(d)
		t := answer()
		g.lift(d)
		if t == nil {
			return nil
		}
		answers = append(answers, t)
	}
	return g.tree(c, then, answers)
}

// tree makes a tree from its parts; the attacker's move is c, or there is no move if c is negative. It returns nil if the other
// side may complete a row.
func (g *treeBuilder) tree(c int, pass *tree, answers []*tree) *tree {
	t := &tree{move: uint16(c), plies: pass.plies + 2, unseen: uint8(g.unseen), zone: pass.zone, pass: pass, answers: answers}
	for _, a := range answers {
		t.zone.join(&a.zone)
		t.plies = max(t.plies, a.plies+2)
	}
	if !g.guard(t) {
		return nil
	}
	if c >= 0 {
		t.zone.add(c)
	}
	g.count++
	return t
}

// guard adds cells to the zone of a tree, so that the other side, which is to move, cannot complete a row with stones outside the
// zone. For this the zone must contain two free cells of each line that the other side could complete. It first adds the cells
// that are on the most such lines.
func (g *treeBuilder) guard(t *tree) bool {
	type short struct {
		line  *line
		lacks int // number of cells of the line that must still be added to the zone
	}
	var open []short
	for i := range g.lines {
		l, lacks := &g.lines[i], g.rule.side[0].k-int(g.on[1-g.attacker][i])
		if g.on[g.attacker][i] > 0 || lacks > g.unseen+1 || g.harmless(l) {
			continue
		}
		if lacks < 2 || g.unseen > g.rule.side[0].k-2 {
			return false
		}
		inside := 0
		for _, c := range l.cells {
			if t.zone.has(int(c)) {
				inside++
			}
		}
		if inside < 2 {
			open = append(open, short{l, 2 - inside})
		}
	}
	for len(open) > 0 {
		var serves [maxSide * maxSide]uint8
		best := uint16(0)
		for _, s := range open {
			for _, c := range s.line.cells {
				if g.board.stones[g.grid[c]&cellMask] != codeEmpty || t.zone.has(int(c)) {
					continue
				}
				if serves[c]++; serves[c] > serves[best] {
					best = c
				}
			}
		}
		t.zone.add(int(best))
		t.join = append(t.join, best)
		left := open[:0]
		for _, s := range open {
			for _, c := range s.line.cells {
				if c == best {
					s.lacks--
				}
			}
			if s.lacks > 0 {
				left = append(left, s)
			}
		}
		open = left
	}
	return true
}

// harmless reports whether the stones at the ends of a line prevent a winning row of the other side on the line.
func (g *treeBuilder) harmless(l *line) bool {
	is := func(c int, s game.Side) bool { return c >= 0 && g.stones[s].has(c) }
	switch r := g.rule.side[1-g.attacker]; {
	case r.exact && r.blocked:
		return false
	case r.exact:
		return is(l.ends[0], 1-g.attacker) || is(l.ends[1], 1-g.attacker)
	case r.blocked:
		return is(l.ends[0], g.attacker) && is(l.ends[1], g.attacker)
	}
	return false
}
