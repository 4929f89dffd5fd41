// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/tt"
)

// Solver proves wins on large boards. It writes them as certificates with zones; a zone is the set of cells that can affect a
// win. Only one goroutine may use it.
type Solver struct {
	// Report, unless nil, is called from time to time while Solve is running.
	Report func(Answer)
	// Short makes Certify search for proofs with shorter lines, which takes longer.
	Short bool

	g         game.Game
	bytes     int
	threads   int
	w         *worker
	orderer   *moveOrderer
	first     int           // move of the side to move that is tried before other moves, or noCell
	opening   *firstMove    // the first-move proof of the position that was solved last, or nil
	saveEvery time.Duration // the constant saveEvery, except in tests
	key       uint64        // key of the position on which the searches work
	searches  [2]*pnSearch  // the search for a win of the side to move, and the search for a win of the other side
	nodes     [2]uint64
}

// Answer describes the state of the work on a position: the value, if it is proved, and the amount of work.
type Answer struct {
	Value           int    // 1 means that the side to move wins, -1 that the other side wins, 0 that nothing is proved
	Over            bool   // whether the work has ended, because there is nothing more to try
	Full            bool   // whether the memory is used up
	Nodes           uint64 // number of positions entered by the searches for threats and by the engine
	Positions       uint64 // number of positions expanded by the proof-number searches
	Trees           int    // number of wins that the search found, plus the number of stored positions
	Proof, Disproof uint32 // proof and disproof number for the side that is more likely to win

	Answers, Proved int // for an opening of one stone: the number of answers to the stone, and the number of proved answers
}

// treeBytes is the approximate memory of a tree or a stored position.
const treeBytes = 250

// NewSolver returns a solver that uses at most about the given number of bytes, or an error. For an opening of one stone, the given
// number of threads proves the answers in parallel; each thread gets an equal share of the bytes. For any other position one thread
// is used.
func NewSolver(g game.Game, bytes, threads int) (*Solver, error) {
	s, err := New(g, Options{Hash: 1 << 16, off: techTable})
	if err != nil {
		return nil, err
	}
	if !s.workers[0].rule.zoned() {
		return nil, fmt.Errorf("certificates with zones do not support %s yet", g)
	}
	z := &Solver{g: g, w: s.workers[0], bytes: bytes, threads: max(threads, 1), first: noCell, saveEvery: saveEvery}
	z.w.proof.table, z.w.strict = make([]verdict, 1<<20), true
	z.orderer, err = newMoveOrderer(g, bytes/4)
	return z, err
}

// Clear removes all results, and frees the memory of the engine's searches.
func (z *Solver) Clear() {
	z.searches, z.opening = [2]*pnSearch{}, nil
	z.orderer.clear()
}

// load prepares two searches for p: one for a win of the side to move, and one for a win of the other side.
func (z *Solver) load(p game.Position) {
	fresh := z.searches[0] == nil || z.key != p.Key()
	z.key = p.Key()
	if fresh {
		z.opening = newFirstMove(p)
	}
	for i := range z.searches {
		if fresh {
			z.searches[i] = newPNSearch(newTreeBuilder(z.w, p.Turn()^game.Side(i)), z.orderer, i == 1, z.bytes/4*3/treeBytes)
			z.nodes[i] = 0
			if z.w.rule.side[0].renju && z.searches[i].attacker != game.First {
				z.searches[i].root.proof, z.searches[i].root.disproof = never, 0 // certificates do not prove wins of White
			}
		}
		z.searches[i].load(p)
	}
	z.searches[0].first = z.first
}

// Solve searches for a proof that one of the sides wins p, in which the game must not be over. It ends when ctx is done or the
// given number of nodes was visited.
func (z *Solver) Solve(ctx context.Context, p game.Position, lim search.Limits) Answer {
	z.w.beginSearch(&shared{table: tt.New(0), ctx: ctx}, p)
	z.load(p)
	if z.byAnswers() {
		if z.answerAll(ctx, lim); z.byAnswers() {
			return z.progress()
		}
	}
	z.orderer.startAt(ctx, p, lim.Nodes)
	for {
		a := z.progress()
		switch {
		case a.Value != 0 || a.Over || a.Full || ctx.Err() != nil || lim.Nodes > 0 && a.Nodes >= lim.Nodes:
			return a
		case z.Report != nil:
			z.Report(a)
		}
		i := z.next()
		before := z.w.visited + z.orderer.spent
		z.searches[i].expandMostProving()
		z.nodes[i] += z.w.visited + z.orderer.spent - before
	}
}

// byAnswers reports whether the answers to the opening are proved separately. This is so for an opening of one stone, until an
// answer cannot be proved.
func (z *Solver) byAnswers() bool { return z.opening != nil && !z.opening.failed }

// fairNodes is the number of nodes that the searches for both sides share equally before the more promising search is
// preferred.
const fairNodes = 2_000_000

// next returns the index of the search that runs next. At first the two searches take turns, and later mostly the more
// promising search runs.
func (z *Solver) next() int {
	switch {
	case z.searches[0].done():
		return 1
	case z.searches[1].done():
		return 0
	case z.nodes[0]+z.nodes[1] < fairNodes:
		return int(b2u(z.nodes[1] < z.nodes[0]))
	}
	better := z.better()
	if z.nodes[1-better] < z.nodes[better]/16 {
		return 1 - better
	}
	return better
}

func b2u(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// better returns the index of the more promising search: the search whose root has the smaller quotient of proof number and
// disproof number.
func (z *Solver) better() int {
	a, b := z.searches[0].root, z.searches[1].root
	return int(b2u(uint64(b.proof)*uint64(a.disproof) < uint64(a.proof)*uint64(b.disproof)))
}

func (z *Solver) progress() Answer {
	if z.byAnswers() {
		return z.opening.progress()
	}
	a := Answer{Nodes: z.nodes[0] + z.nodes[1], Over: z.searches[0].done() && z.searches[1].done()}
	r := z.searches[z.better()].root
	a.Proof, a.Disproof = r.proof, r.disproof
	for i, s := range z.searches {
		a.Positions += s.expansions
		a.Trees += s.count
		a.Full = a.Full || s.full
		if s.root.proof == 0 {
			a.Value = 1 - 2*i
		}
	}
	return a
}

// proved returns the Answer for p, or an error if the value of p is not proved.
func (z *Solver) proved(p game.Position) (Answer, error) {
	if z.searches[0] != nil && z.key == p.Key() {
		if a := z.progress(); a.Value != 0 {
			return a, nil
		}
	}
	return Answer{}, errors.New("nothing is proved")
}

// won returns the search that has proved the value.
func (z *Solver) won(value int) *pnSearch { return z.searches[(1-value)/2] }

// Line returns moves from p to the end of the game in which the loser holds out for long, or nil if the value of p is not proved.
func (z *Solver) Line(p game.Position) []game.Move {
	a, err := z.proved(p)
	switch {
	case err != nil:
		return nil
	case z.byAnswers():
		return z.opening.line()
	}
	return z.won(a.Value).root.tree.line(p)
}

// line returns moves of the tree from p on, in which the loser holds out as long as the tree allows.
func (t *tree) line(p game.Position) (line []game.Move) {
	p = p.Clone()
	play := func(c int) {
		p.Play(game.Move(c))
		line = append(line, game.Move(c))
	}
	for {
		if t.move != noCell {
			play(int(t.move))
		}
		if t.pass == nil {
			return line
		}
		var next *tree
		answer := -1
		for i, c := range t.pass.zone.cells() {
			if a := t.answers[i]; next == nil || a.plies > next.plies {
				next, answer = a, c
			}
		}
		for c, stone := range p.(game.Board).Cells() {
			if stone == game.Empty && !t.pass.zone.has(c) && (next == nil || t.pass.plies > next.plies) {
				next, answer = t.pass, c // for the trees, a stone outside the zone is a pass
			}
		}
		play(answer)
		t = next
	}
}

// Certify writes a certificate of p, whose value must be proved.
func (z *Solver) Certify(ctx context.Context, p game.Position, w io.Writer) error {
	a, err := z.proved(p)
	if err == nil && z.Short {
		err = z.shorten(ctx, p, z.won(a.Value))
	}
	if err != nil {
		return err
	}
	rule := proof.Free
	switch r := z.w.rule.side[0]; {
	case r.renju:
		rule = proof.Renju
	case r.exact:
		rule = proof.Exact
	case r.blocked:
		rule = proof.Caro
	}
	return proof.WriteZones(w, proof.NewClaim(p.(game.Lined), a.Value), rule, func(out *proof.ZoneWriter) error {
		e := &emitter{ZoneWriter: out}
		if z.byAnswers() {
			return e.writeOpening(z.opening)
		}
		s := z.won(a.Value)
		if e.beginTree(s.root.tree); s.defends {
			e.answers(s.root.tree)
		} else {
			e.tree(s.root.tree)
		}
		return nil
	})
}

// emitter writes trees into a certificate.
type emitter struct {
	*proof.ZoneWriter
	used     map[*tree]int
	kept     map[*tree][]written
	number   int  // number of trees in kept: later parts of the certificate can refer to them
	defender area // stones that the defender has played on the path to the current tree
	unseen   int
}

// written describes a tree in the certificate to which later parts of the certificate can refer.
type written struct {
	number, unseen int
	defender       area
}

// count counts how often each tree is used.
func (e *emitter) count(t *tree) {
	if e.used[t]++; e.used[t] > 1 || t.pass == nil {
		return
	}
	e.count(t.pass)
	for _, a := range t.answers {
		e.count(a)
	}
}

// beginTree prepares the emitter to write a tree that has no subtree in common with the trees written before.
func (e *emitter) beginTree(root *tree) {
	e.used, e.kept, e.defender = map[*tree]int{}, map[*tree][]written{}, area{}
	e.count(root)
}

func (e *emitter) tree(t *tree) {
	for _, k := range e.kept[t] {
		if n := e.defender.less(&k.defender, &t.zone); k.defender.within(&e.defender) && n >= 0 && n+e.unseen <= k.unseen {
			e.Share(0, e.number-1-k.number)
			return
		}
	}
	keep := e.used[t] > 1 && t.pass != nil
	if keep {
		e.Keep(int(t.move))
	} else {
		e.Move(int(t.move))
	}
	if t.pass != nil {
		e.answers(t)
	}
	if keep {
		e.kept[t] = append(e.kept[t], written{e.number, e.unseen, e.defender})
		e.number++
	}
}

func (e *emitter) answers(t *tree) {
	e.unseen++
	e.tree(t.pass)
	e.unseen--
	for i, c := range t.pass.zone.cells() {
		e.defender.add(c)
		e.tree(t.answers[i])
		e.defender.remove(c)
	}
	var join []int
	for _, c := range t.join {
		join = append(join, int(c))
	}
	e.Join(join)
}

// Save writes the known trees of the position that was solved last:
//
//	for the side to move, then for the other:
//	  nodes: visited by this side's search
//	  trees, each after its subtrees: move, unseen, cells that join, and 0 if it wins at once, or 1 + number of pass, numbers of answers
//	  positions: the attacker's stones, the defender's stones, number of the tree
//	and for an opening of one stone: nodes, whether it has failed, and for each answer its trees and the work on it, in bytes
//
// Numbers are uvarints; lists begin with their length. The positions are sorted by the attacker's stones, so that the same
// search gives the same bytes.
func (z *Solver) Save(w io.Writer) error {
	out := &saver{Writer: bufio.NewWriter(w)}
	for i, s := range z.searches {
		out.put(z.nodes[i])
		out.numbers = map[*tree]uint64{}
		var order []*tree
		attackers := slices.SortedFunc(maps.Keys(s.proved), func(a, b area) int { return slices.Compare(a[:], b[:]) })
		for _, attacker := range attackers {
			for _, p := range s.proved[attacker] {
				order = out.collect(p.tree, order)
			}
		}
		out.trees(order)
		out.put(uint64(len(s.proved)))
		for _, attacker := range attackers {
			places := s.proved[attacker]
			out.cells(attacker.cells())
			out.put(uint64(len(places)))
			for _, p := range places {
				out.cells(p.defender.cells())
				out.put(out.numbers[p.tree])
			}
		}
	}
	if z.opening != nil {
		z.opening.save(out)
	}
	return out.Flush()
}

type saver struct {
	*bufio.Writer
	numbers map[*tree]uint64
}

func (s *saver) put(n uint64) { _, _ = s.Write(binary.AppendUvarint(nil, n)) } // the error is ignored, because Flush returns it again

func (s *saver) bytes(all []byte) {
	s.put(uint64(len(all)))
	_, _ = s.Write(all)
}

func (s *saver) cells(all []int) {
	s.put(uint64(len(all)))
	for _, c := range all {
		s.put(uint64(c))
	}
}

// collect numbers the subtrees of a tree and then the tree itself, and appends them to order. It skips trees that already have
// a number.
func (s *saver) collect(t *tree, order []*tree) []*tree {
	if _, done := s.numbers[t]; done {
		return order
	}
	if t.pass != nil {
		order = s.collect(t.pass, order)
		for _, a := range t.answers {
			order = s.collect(a, order)
		}
	}
	s.numbers[t] = uint64(len(order))
	return append(order, t)
}

func (s *saver) trees(order []*tree) {
	s.put(uint64(len(order)))
	for _, t := range order {
		s.tree(t)
	}
}

func (s *saver) tree(t *tree) {
	s.put(uint64(t.move))
	s.put(uint64(t.unseen))
	s.put(uint64(len(t.join)))
	for _, c := range t.join {
		s.put(uint64(c))
	}
	if t.pass == nil {
		s.put(0)
		return
	}
	s.put(1 + s.numbers[t.pass])
	for _, a := range t.answers {
		s.put(s.numbers[a])
	}
}

// Load reads data that Save has written for p.
func (z *Solver) Load(p game.Position, r io.Reader) error {
	z.Clear()
	z.load(p)
	in := &loader{Reader: bufio.NewReader(r), cells: len(p.(game.Board).Cells())}
	for i, s := range z.searches {
		z.nodes[i] = in.get(1 << 62)
		trees := in.trees()
		s.count = len(trees)
		for n := in.get(1 << 40); n > 0 && in.err == nil; n-- {
			attacker := in.area()
			for m := in.get(1 << 40); m > 0 && in.err == nil; m-- {
				defender := in.area()
				if at := in.get(uint64(len(trees))); in.err == nil {
					s.proved[attacker] = append(s.proved[attacker], proved{defender, trees[at]})
				}
			}
		}
	}
	if z.opening != nil {
		z.opening.load(in)
	}
	return in.err
}

type loader struct {
	*bufio.Reader
	cells int
	err   error
}

var errTree = errors.New("no such tree")

// get reads a number. The number must be less than the parameter most.
func (l *loader) get(most uint64) uint64 {
	n, err := binary.ReadUvarint(l)
	if err == nil && n >= most {
		err = errTree
	}
	if l.err == nil {
		l.err = err
	}
	if l.err != nil {
		return 0
	}
	return n
}

// bytes reads data that saver.bytes has written; it returns nil if the data is empty.
func (l *loader) bytes() []byte {
	n := int64(l.get(1 << 32))
	if n == 0 || l.err != nil {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(l, n))
	if l.err = err; err == nil && int64(len(data)) < n {
		l.err = io.ErrUnexpectedEOF
	}
	return data
}

func (l *loader) area() (a area) {
	for n := l.get(uint64(l.cells) + 1); n > 0 && l.err == nil; n-- {
		a.add(int(l.get(uint64(l.cells))))
	}
	return a
}

func (l *loader) trees() []*tree {
	all := make([]*tree, 0, 1<<10)
	for n := l.get(1 << 40); n > 0 && l.err == nil; n-- {
		all = append(all, l.tree(all))
	}
	return all
}

func (l *loader) tree(before []*tree) *tree {
	t := &tree{move: uint16(l.get(noCell + 1)), unseen: uint8(l.get(1 << 8)), plies: 1}
	for n := l.get(uint64(l.cells) + 1); n > 0 && l.err == nil; n-- {
		t.join = append(t.join, uint16(l.get(uint64(l.cells))))
	}
	if t.move != noCell {
		t.zone.add(int(t.move) % l.cells)
	}
	for _, c := range t.join {
		t.zone.add(int(c))
	}
	pass := l.get(uint64(len(before)) + 1)
	if pass == 0 || l.err != nil {
		return t
	}
	t.pass, t.plies = before[pass-1], before[pass-1].plies+2
	t.zone.join(&t.pass.zone)
	for range t.pass.zone.cells() {
		at := l.get(uint64(len(before)))
		if l.err != nil {
			return t
		}
		a := before[at]
		t.answers = append(t.answers, a)
		t.zone.join(&a.zone)
		t.plies = max(t.plies, a.plies+2)
	}
	return t
}
