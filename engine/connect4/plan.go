// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/proof"
)

// plan is a proof.Plan for boards of one word, except that it always takes the leftmost of several cells.
type plan []planRule

// planRule is a rule of a plan.
type planRule struct {
	on    board // the cell to play on, or all cells of the even rows
	after board // a cell on which the opponent must have a stone, or no cell
}

// move returns the move of the plan and the number of the rule that it follows. If no rule applies, this number is len(p).
func (p plan) move(playable, opponent board) (m board, rule int) {
	for i, r := range p {
		if m := playable & r.on; m != 0 && (r.after == 0 || r.after&opponent != 0) {
			return m.lowest(), i
		}
	}
	return playable.lowest(), len(p)
}

// planner finds plans. In its functions me contains the stones of the prover, and opp the stones of the opponent.
type planner struct {
	*Solver
	ctx   context.Context
	g     geometry
	rng   *rand.Rand
	even  board // the cells of the second, fourth and so on row
	wins  bool  // whether the goal is to win; if not, it is not to lose
	kept  []won // results of the solver, by hash
	met   [1 << metBits]metPosition
	walks uint32 // number of walks; the entries of met with this number belong to the current walk
	count int    // number of positions of the current walk
	path  []decision
	// refutes contains, by depth, the opponent's moves on the path of the last walk that failed. The next walk tries them first,
	// because most plans fail in the same place as the plan from which they were made.
	refutes [boardBits]board
}

// won reports whether the prover reaches the goal in a position in which the opponent is to move.
type won struct {
	me, opp board
	known   bool
	yes     bool
}

// metPosition is a position that a walk has met, with the opponent to move.
type metPosition struct {
	me, opp board
	walk    uint32
}

// decision is a move of the prover on the path from the root of a walk to its present position.
type decision struct {
	me, opp board
	last    board // the opponent's last move
	rule    int   // the rule that gave the move, or -1 if it was forced
}

// The sizes of the tables of a planner, as powers of two, and its limits. They were chosen so that a certificate of 7 x 6 takes
// some minutes.
const (
	wonBits, metBits = 21, 15
	planPositions    = 30_000 // maximum number of positions of a walk
	planRepairs      = 150    // maximum number of walks that find makes
	planRules        = 40     // maximum number of rules of a plan
	planSeed         = 1
)

func newPlanner(ctx context.Context, s *Solver, wins bool) *planner {
	p := &planner{Solver: s, ctx: ctx, g: s.g.narrow(), rng: rand.New(rand.NewPCG(planSeed, 1)), wins: wins, kept: make([]won, 1<<wonBits)}
	for c := range p.g.columns {
		for r := 1; r < p.g.rows; r += 2 {
			p.even |= 1 << (c*int(p.g.stride) + r)
		}
	}
	return p
}

func planHash(me, opp board, bits int) uint64 {
	h := uint64(me)*0x9E3779B97F4A7C15 ^ uint64(opp)*0xC2B2AE3D27D4EB4F
	return (h ^ h>>29) * 0xBF58476D1CE4E5B9 >> (64 - bits)
}

// holds reports whether the prover reaches the goal. The opponent is to move.
func (p *planner) holds(me, opp board) bool {
	k := &p.kept[planHash(me, opp, wonBits)]
	if k.me == me && k.opp == opp && k.known {
		return k.yes
	}
	q, most := Position{&p.Solver.g, wideBoard{low: uint64(opp)}, wideBoard{low: uint64(me)}}, 0
	if p.wins {
		most = -1
	}
	var yes bool
	switch {
	case q.won():
		yes = true
	case q.Left() == 0:
		yes = !p.wins
	default:
		yes = p.atMost(p.ctx, q, most)
	}
	*k = won{me, opp, true, yes}
	return yes
}

// meet reports whether the walk has met a position before, and keeps it.
func (p *planner) meet(me, opp board) bool {
	i := planHash(me, opp, metBits)
	for ; p.met[i].walk == p.walks; i = (i + 1) % (1 << metBits) {
		if p.met[i].me == me && p.met[i].opp == opp {
			return true
		}
	}
	p.met[i] = metPosition{me, opp, p.walks}
	p.count++
	return false
}

// works reports whether the prover reaches the goal by a plan if the opponent is to move. If not, path leads to a position in
// which he does not.
func (p *planner) works(l plan, me, opp board) bool {
	p.walks++
	p.count, p.path = 0, p.path[:0]
	if p.walk(l, me, opp, p.g.wins(opp)) {
		return true
	}
	for i, d := range p.path {
		p.refutes[i] = d.last
	}
	return false
}

// walk does the work of works. It is the walk of package proof. theirs contains the cells on which the opponent wins.
func (p *planner) walk(l plan, me, opp, theirs board) bool {
	g := &p.g
	moves, ours := g.playable(me|opp), g.wins(me)
	switch mine := moves & ours; {
	case moves&theirs != 0:
		return false
	case moves == 0:
		return !p.wins
	case mine.many():
		return true
	case mine != 0:
		moves = mine
	}
	if p.meet(me, opp) {
		return true
	}
	if p.count > planPositions {
		return false
	}
	depth := len(p.path)
	for answer := moves & p.refutes[depth]; moves != 0; answer = 0 {
		if answer == 0 {
			answer = moves.lowest()
		}
		moves = moves.not(answer)
		other := opp | answer
		now := g.playable(me | other)
		if now&ours != 0 || now == 0 && !p.wins {
			continue
		}
		theirs := g.wins(other)
		m, rule := now&theirs, -1
		switch {
		case now == 0, m.many():
			return false
		case m == 0:
			m, rule = l.move(now, other)
		}
		p.path = append(p.path, decision{me, other, answer, rule})
		if !p.walk(l, me|m, other, theirs) {
			return false
		}
		p.path = p.path[:depth]
	}
	return true
}

// find looks for a plan with which the prover reaches the goal if the opponent is to move. It begins with the plan l. After each
// walk that fails it finds the last decision in which another move still reached the goal, and adds a rule for such a move.
func (p *planner) find(l plan, me, opp board) (plan, bool) {
	for range planRepairs {
		if p.works(l, me, opp) {
			return l, true
		}
		if p.count > planPositions {
			break
		}
		var better board
		i := len(p.path) - 1
		for ; i >= 0; i-- {
			if d := p.path[i]; d.rule >= 0 {
				if better = p.good(d.me, d.opp); better != 0 {
					break
				}
			}
		}
		if i < 0 {
			break
		}
		if l = p.repair(l, p.path[i], better); len(l) > planRules {
			break
		}
	}
	return nil, false
}

// good returns the moves with which the prover, who is to move, reaches the goal.
func (p *planner) good(me, opp board) (good board) {
	for m := p.g.playable(me | opp); m != 0; m = m.rest() {
		if p.holds(me|m.lowest(), opp) {
			good |= m.lowest()
		}
	}
	return good
}

// repair returns the plan l with a rule for one of the better moves, before the rule that gave the move of d.
func (p *planner) repair(l plan, d decision, better board) plan {
	for n := p.rng.IntN(better.count()); n > 0; n-- {
		better = better.rest()
	}
	r := planRule{on: better.lowest()}
	if p.rng.IntN(3) == 0 {
		r.after = d.last
	}
	at := d.rule
	if p.rng.IntN(2) == 0 {
		at = p.rng.IntN(at + 1)
	}
	longer := make(plan, 0, len(l)+1)
	for i := range len(l) + 1 {
		if i == at {
			longer = append(longer, r)
		}
		if i < len(l) && l[i] != r {
			longer = append(longer, l[i])
		}
	}
	return longer
}

// shorten removes rules that the plan does not need.
func (p *planner) shorten(l plan, me, opp board) plan {
	for i := len(l) - 1; i >= 0; i-- {
		if q := slices.Delete(slices.Clone(l), i, i+1); p.works(q, me, opp) {
			l = q
		}
	}
	return l
}

// planTree is a tree of the prover's moves whose leaves are plans.
type planTree struct {
	*planner
	nodes  map[[2]board]*planNode // by position, with the prover to move: the smaller one of the position and its mirror image
	recent []plan                 // the plans that were found or used last, the last one first
	sum    [boardBits]float64     // by number of stones: the sum of the sizes of the finished trees
	number [boardBits]float64     // by number of stones: their number
}

// planNode is a position in which the prover is to move.
type planNode struct {
	rounds int // how often a plan was looked for
	leaf   bool
	size   int // number of positions of the tree below; 0 if it is not known yet
	move   board
	plan   plan // the plan after the move, if the node is a leaf
}

// The effort of a planTree: the number of rounds in which it looks for a plan after each good move, first when it compares
// moves and then before it lets the tree grow; the number of recent plans; the number of stones from which plans are looked for
// with the full effort; and the maximum number of moves for which it makes a tree.
const (
	quickRounds, fullRounds, recentPlans, fullFrom, treeMoves = 3, 15, 64, 8, 2
	noPlan                                                    = 1 << 20 // the rounds of a node in which no plan can begin
)

func (t *planTree) key(me, opp board) (key [2]board, mirrored bool) {
	if a, b := t.g.mirror(me), t.g.mirror(opp); a < me || a == me && b < opp {
		return [2]board{a, b}, true
	}
	return [2]board{me, opp}, false
}

// expected returns the expected size of a tree from a position with this number of stones.
func (t *planTree) expected(stones int) float64 {
	prior := 3.0
	switch {
	case stones < 8:
		prior = 80
	case stones < 10:
		prior = 20
	case stones < 12:
		prior = 6
	}
	return (t.sum[stones] + 4*prior) / (t.number[stones] + 4)
}

// look searches for a plan in a position until the number of search rounds in this position is rounds. It returns the node of the
// position.
func (t *planTree) look(key [2]board, rounds int) *planNode {
	n := t.nodes[key]
	if n == nil {
		n = &planNode{}
		t.nodes[key] = n
	}
	me, opp := key[0], key[1]
	switch {
	case n.leaf || n.size == 1 || n.rounds >= rounds:
		return n
	case t.g.playable(me|opp)&t.g.wins(opp) != 0:
		n.rounds = noPlan
		return n
	}
	good := t.good(me, opp)
	if n.rounds == 0 {
		for i, l := range t.recent {
			for m := good; m != 0; m = m.rest() {
				if t.works(l, me|m.lowest(), opp) {
					t.recent = slices.Delete(t.recent, i, i+1)
					t.settle(n, m.lowest(), l)
					return n
				}
			}
		}
	}
	for ; n.rounds < rounds; n.rounds++ {
		for m := good; m != 0; m = m.rest() {
			begin := plan{{on: t.even}}
			if t.rng.IntN(2) == 0 && len(t.recent) > 0 {
				begin = t.recent[t.rng.IntN(len(t.recent))]
			}
			if l, ok := t.find(begin, me|m.lowest(), opp); ok {
				t.settle(n, m.lowest(), t.shorten(l, me|m.lowest(), opp))
				return n
			}
		}
	}
	return n
}

// settle makes a node a leaf.
func (t *planTree) settle(n *planNode, move board, l plan) {
	n.leaf, n.size, n.move, n.plan = true, 1, move, l
	t.recent = slices.Insert(t.recent, 0, l)
	t.recent = t.recent[:min(len(t.recent), recentPlans)]
}

// answers returns the keys of the positions after the opponent's moves in which the prover has no winning move.
func (t *planTree) answers(me, opp board) (keys [][2]board) {
	moves := t.g.playable(me | opp)
	if mine := moves & t.g.wins(me); mine.many() {
		return nil
	} else if mine != 0 {
		moves = mine
	}
	for ; moves != 0; moves = moves.rest() {
		other := opp | moves.lowest()
		now := t.g.playable(me | other)
		if now == 0 || now&t.g.wins(me) != 0 {
			continue
		}
		if k, _ := t.key(me, other); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// guess returns the size of the tree of a position, or its expected size.
func (t *planTree) guess(key [2]board) float64 {
	n, stones := t.nodes[key], (key[0] | key[1]).count()
	if stones+1 >= fullFrom {
		n = t.look(key, quickRounds)
	}
	if n != nil && n.size > 0 {
		return float64(n.size)
	}
	return t.expected(stones)
}

// grow makes the tree of a position.
func (t *planTree) grow(key [2]board) *planNode {
	n, stones := t.look(key, quickRounds), (key[0] | key[1]).count()
	if n.size == 0 && stones >= fullFrom {
		t.look(key, fullRounds)
	}
	if n.size > 0 || t.ctx.Err() != nil {
		return n
	}
	type option struct {
		move    board
		size    float64
		answers [][2]board
	}
	var options []option
	moves := t.g.playable(key[0] | key[1])
	if forced := moves & t.g.wins(key[1]); forced != 0 {
		moves = forced
	}
	for ; moves != 0; moves = moves.rest() {
		if m := moves.lowest(); t.holds(key[0]|m, key[1]) {
			o := option{move: m, answers: t.answers(key[0]|m, key[1])}
			for _, k := range o.answers {
				o.size += t.guess(k)
			}
			options = append(options, o)
		}
	}
	slices.SortStableFunc(options, func(a, b option) int { return cmp.Compare(a.size, b.size) })
	best := 0
	for i, o := range options[:min(len(options), treeMoves)] {
		if i > 0 && o.size >= float64(best) {
			break
		}
		if size := t.below(o.answers, best); i == 0 || size < best {
			best, n.move = size, o.move
		}
	}
	n.size = best
	t.sum[stones] += float64(best)
	t.number[stones]++
	return n
}

// below makes the trees of some positions and returns the sum of their sizes, plus one. If it sees that the sum will not be less
// than most, it ends early; 0 means no limit.
func (t *planTree) below(keys [][2]board, most int) int {
	size := 1
	for i, k := range keys {
		size += t.grow(k).size
		rest := 0.0
		for _, k := range keys[i+1:] {
			rest += min(t.guess(k), 3)
		}
		if most > 0 && float64(size)+rest >= float64(most) {
			return most
		}
	}
	return size
}

// planWitness finds moves and plans for a certificate.
type planWitness struct {
	*witness
	trees  []*planTree // the trees of the part that is being written
	prover game.Side   // the prover of this part
}

// node returns the node of a position, and reports whether it is the node of the mirror image. It grows one tree for each
// position that is in no earlier tree. If the first position has only one good move, its tree ends after this move.
func (w *planWitness) node(q proof.Position) (t *planTree, n *planNode, mirrored bool) {
	if w.prover != q.Prover {
		w.trees = nil
	}
	w.prover = q.Prover
	p := w.position(q.Cells, q.Turn)
	for _, t := range w.trees {
		key, mirrored := t.key(narrow(p.turn), narrow(p.other))
		if n := t.nodes[key]; n != nil {
			return t, n, mirrored
		}
	}
	t = &planTree{planner: newPlanner(w.ctx, w.Solver, q.Wins), nodes: map[[2]board]*planNode{}}
	key, mirrored := t.key(narrow(p.turn), narrow(p.other))
	if good := t.good(key[0], key[1]); len(w.trees) == 0 && !good.many() && (key[0]|key[1]).count() < fullFrom {
		t.nodes[key] = &planNode{size: 1, move: good}
	} else {
		t.grow(key)
	}
	used := map[[2]board]*planNode{}
	t.use(key, used)
	n, t.nodes = t.nodes[key], used
	w.trees = append(w.trees, t)
	return t, n, mirrored
}

// use adds the nodes of a finished tree to used.
func (t *planTree) use(key [2]board, used map[[2]board]*planNode) {
	n := t.nodes[key]
	if n == nil || n.size == 0 || used[key] != nil {
		return
	}
	if used[key] = n; !n.leaf {
		for _, k := range t.answers(key[0]|n.move, key[1]) {
			t.use(k, used)
		}
	}
}

// cell returns the number of a cell in package proof.
func (t *planTree) cell(b board, mirrored bool) int {
	column, row := b.first()/int(t.g.stride), b.first()%int(t.g.stride)
	if mirrored {
		column = t.g.columns - 1 - column
	}
	return column + row*t.g.columns
}

// Plan implements proof.Planner.
func (w *planWitness) Plan(q proof.Position) (cell int, l proof.Plan, ok bool) {
	t, n, mirrored := w.node(q)
	if !n.leaf {
		return 0, l, false
	}
	l.Rightmost = mirrored
	for _, r := range n.plan {
		rule := proof.Rule{Cell: proof.Even, After: proof.Always}
		if r.on != t.even {
			rule.Cell = t.cell(r.on, mirrored)
		}
		if r.after != 0 {
			rule.After = t.cell(r.after, mirrored)
		}
		l.Rules = append(l.Rules, rule)
	}
	return t.cell(n.move, mirrored), l, true
}

// Move implements proof.Chooser.
func (w *planWitness) Move(q proof.Position) (int, error) {
	t, n, mirrored := w.node(q)
	switch {
	case w.ctx.Err() != nil:
		return 0, w.ctx.Err()
	case n.move == 0:
		return 0, errors.New("the value of a position of the certificate differs from the value that the solver assumed")
	}
	return t.cell(n.move, mirrored), nil
}
