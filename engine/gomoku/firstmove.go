// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/search"
)

// firstMove is the proof, finished or not, that the side with the only stone on the board wins. Each answer of the other side is
// proved separately. If a symmetry that leaves the stone in its place maps answers to each other, only one of these answers is
// proved.
type firstMove struct {
	p game.Position // the position after the stone
	// If begins is true, the proof begins with the empty board, and the stone is its first move. Otherwise the proof begins with
	// the stone on the board.
	begins bool
	stone  int
	// One answer for each class of answers that symmetries map to each other: the answer on the cell with the lowest number.
	answers []reply
	class   []int // by cell: the index in answers of the answer that represents the cell, or -1 for the cell of the stone
	image   []int // by cell: the number, for symmetry.Image, of the symmetry that maps this answer to the cell
	nodes   uint64
	failed  bool // whether an answer could not be proved; another first move may still win
	full    bool // whether an answer needed more memory than allowed
}

type reply struct {
	cell  int
	tree  []byte // the proof tree as packTree writes it; nil if there is no tree yet
	plies int    // greatest number of plies from the answer to the win
	work  []byte // the unfinished work on the answer, as Solver.Save writes it, or nil
	short bool   // whether the tree was shortened
}

// setTree sets the proof tree.
func (r *reply) setTree(t *tree) { r.tree, r.plies = packTree(t), int(t.plies)+1 }

// newFirstMove returns the firstMove of p if p has one stone. If p is empty, it returns the firstMove of p after a stone in the
// middle. Otherwise it returns nil.
func newFirstMove(p game.Position) *firstMove {
	stones := 0
	columns, rows := p.(game.Board).Size()
	o := &firstMove{p: p.Clone(), stone: rows/2*columns + columns/2}
	for c, s := range p.(game.Board).Cells() {
		if s != game.Empty {
			stones, o.stone = stones+1, c
		}
	}
	switch {
	case stones > 1 || p.Turn() != game.Side(stones):
		return nil
	case stones == 0:
		o.begins = true
		o.p.Play(game.Move(o.stone))
	}
	if o.p.Outcome() != game.Ongoing {
		return nil
	}
	o.classes(columns, rows)
	return o
}

// classes sets the fields answers, class and image: answers that a symmetry maps to each other get the same class.
func (o *firstMove) classes(columns, rows int) {
	o.class, o.image = make([]int, columns*rows), make([]int, columns*rows)
	for c := range o.class {
		o.class[c] = -1
	}
	for c := range o.class {
		if c == o.stone || o.class[c] >= 0 {
			continue
		}
		for s := 0; s < 4 || s < 8 && columns == rows; s++ {
			to := symmetry.Image(columns, rows, c, s)
			if symmetry.Image(columns, rows, o.stone, s) == o.stone && o.class[to] < 0 {
				o.class[to], o.image[to] = len(o.answers), s
			}
		}
		o.answers = append(o.answers, reply{cell: c})
	}
}

// proved returns the number of answers for which a proof tree was found.
func (o *firstMove) proved() (n int) {
	for _, a := range o.answers {
		if a.tree != nil {
			n++
		}
	}
	return n
}

// inOrder returns the indices of the answers that have no proof tree yet; the answers nearest to the stone come first.
func (o *firstMove) inOrder(columns int) (list []int) {
	far := func(i int) int {
		dx, dy := o.answers[i].cell%columns-o.stone%columns, o.answers[i].cell/columns-o.stone/columns
		return dx*dx + dy*dy
	}
	for i, a := range o.answers {
		if a.tree == nil {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(far(a), far(b)) })
	return list
}

// answerAll proves, in parallel, that each answer to an opening loses. It ends when ctx is done, lim.Nodes nodes were visited, or
// an answer cannot be proved.
func (z *Solver) answerAll(ctx context.Context, lim search.Limits) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	list, next := z.opening.inOrder(z.w.rule.columns), atomic.Int64{}
	results, before, nodes := make(chan finished), z.opening.nodes, atomic.Uint64{}
	var threads sync.WaitGroup
	for range z.threads {
		threads.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(list) && ctx.Err() == nil; i = next.Add(1) - 1 {
				left := lim.Nodes
				if used := before + nodes.Load(); left > 0 && used >= left {
					return
				} else if left > 0 {
					left -= used
				}
				results <- z.answerOne(ctx, list[i], left, &nodes, results)
			}
		})
	}
	go func() {
		threads.Wait()
		close(results)
	}()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case f, more := <-results:
			if !more {
				return
			}
			if z.opening.answers[f.at] = f.reply; f.tree == nil && !f.goesOn && ctx.Err() == nil && !f.cut {
				z.opening.failed, z.opening.full = !f.full, f.full
				stop()
			}
		case <-tick.C:
		}
		z.opening.nodes = before + nodes.Load()
		if z.Report != nil {
			z.Report(z.opening.progress())
		}
	}
}

// finished is the state of the work on one answer; at is the index of this answer. If the answer has no proof tree, the work
// continues (goesOn), was cancelled, reached its node limit (cut), used up its memory (full), or found that there is no proof.
type finished struct {
	reply
	at                int
	full, cut, goesOn bool
}

// saveEvery is the time between two copies of the work on an answer. Save writes the last copy. Work after the last copy must be
// repeated after an interruption.
const saveEvery = time.Minute

// answerOne tries to prove that an answer loses; at is the index of this answer. It gives up after most nodes (0 means no
// limit), and adds the number of visited nodes to nodes. Each time saveEvery has passed, it sends a copy of its work to the
// channel kept. The result does not depend on the work on other answers.
func (z *Solver) answerOne(ctx context.Context, at int, most uint64, nodes *atomic.Uint64, kept chan<- finished) finished {
	f := finished{reply: z.opening.answers[at], at: at}
	one, err := NewSolver(z.g, z.bytes/z.threads, 1)
	if err != nil {
		panic(err) // impossible, because z was made for the same game
	}
	defer one.Clear()
	one.first = z.opening.second(f.cell)
	p, known, saved, loaded := z.opening.p.Clone(), uint64(0), time.Now(), f.work
	p.Play(game.Move(f.cell))
	if f.work != nil {
		if err := one.Load(p, bytes.NewReader(f.work)); err != nil {
			one.Clear() // the saved work cannot be used: begin again
		} else if known = one.progress().Nodes; most > 0 {
			most += known
		}
	}
	save := func() {
		var b bytes.Buffer
		_ = one.Save(&b) // writing to a buffer cannot fail
		f.work, saved = b.Bytes(), time.Now()
	}
	one.Report = func(a Answer) {
		nodes.Add(a.Nodes - known)
		if known = a.Nodes; time.Since(saved) >= z.saveEvery {
			save()
			kept <- finished{reply: f.reply, at: at, goesOn: true}
		}
	}
	a := one.Solve(ctx, p, search.Limits{Nodes: most})
	nodes.Add(a.Nodes - known)
	f.full, f.cut = a.Full, most > 0 && a.Nodes >= most
	if a.Value == 1 {
		root := one.searches[0].root.tree
		if f.short = z.Short; f.short {
			save()
			kept <- finished{reply: f.reply, at: at, goesOn: true}
			root = z.shortened(ctx, p, root)
		}
		if !f.short || ctx.Err() == nil {
			f.setTree(root)
			f.work = nil
		}
		return f
	}
	switch {
	case f.cut:
		// The clock decides when the work is copied to f.work. With a node limit the result must not depend on the clock, so keep
		// the work that was loaded at the beginning.
		f.work = loaded
	case ctx.Err() != nil && time.Since(saved) >= z.saveEvery:
		save()
	}
	return f
}

// second returns the move that is tried first after an answer, or noCell if the engine must choose the move. After an answer
// diagonally next to the stone, the move next to the stone on the other diagonal wins in gomoku much sooner than the moves that
// the engine prefers. Renju calls this opening Hogetsu. CITE: Renju International Federation, names of the openings.
func (o *firstMove) second(answer int) int {
	columns, rows := o.p.(game.Board).Size()
	x, y := o.stone%columns, o.stone/columns
	dx, dy := answer%columns-x, answer/columns-y
	if dx*dx != 1 || dy*dy != 1 || x+dx < 0 || x+dx >= columns || y-dy < 0 || y-dy >= rows {
		return noCell
	}
	return x + dx + (y-dy)*columns
}

// progress returns the value of the position, if it is proved, and the progress of the proof.
func (o *firstMove) progress() Answer {
	a := Answer{Nodes: o.nodes, Answers: len(o.answers), Proved: o.proved(), Full: o.full}
	switch {
	case a.Proved < a.Answers:
	case o.begins:
		a.Value = 1
	default:
		a.Value = -1
	}
	return a
}

// line returns moves of the proof up to the win. It follows the answer after which the win takes the most plies.
func (o *firstMove) line() (line []game.Move) {
	last := slices.MaxFunc(o.answers, func(a, b reply) int { return cmp.Compare(a.plies, b.plies) })
	t, err := unpackTree(last.tree, len(o.class))
	if err != nil {
		return nil
	}
	if o.begins {
		line = append(line, game.Move(o.stone))
	}
	p := o.p.Clone()
	p.Play(game.Move(last.cell))
	return append(append(line, game.Move(last.cell)), t.line(p)...)
}

func (o *firstMove) save(out *saver) {
	out.put(o.nodes)
	out.put(uint64(b2u(o.failed)))
	for _, a := range o.answers {
		out.bytes(a.tree)
		if a.short && a.tree != nil {
			a.work = []byte{1}
		}
		out.bytes(a.work)
	}
}

func (o *firstMove) load(in *loader) {
	o.nodes, o.failed = in.get(1<<62), in.get(2) == 1
	for i := range o.answers {
		data := in.bytes()
		if o.answers[i].work = in.bytes(); in.err != nil {
			return
		}
		if data == nil {
			continue
		}
		t, err := unpackTree(data, len(o.class))
		if err != nil {
			in.err = err
			return
		}
		a := &o.answers[i]
		a.tree, a.plies, a.short, a.work = data, int(t.plies)+1, len(a.work) > 0, nil
	}
}

// packTree writes a tree: first the number of its subtrees, including the tree itself, and then each subtree. A subtree comes
// before the trees that contain it.
func packTree(root *tree) []byte {
	var b bytes.Buffer
	out := &saver{Writer: bufio.NewWriter(&b), numbers: map[*tree]uint64{}}
	out.trees(out.collect(root, nil))
	_ = out.Flush() // writing to a buffer cannot fail
	return b.Bytes()
}

// unpackTree is the inverse of packTree.
func unpackTree(data []byte, cells int) (*tree, error) {
	in := &loader{Reader: bufio.NewReader(bytes.NewReader(data)), cells: cells}
	trees := in.trees()
	if in.err == nil && len(trees) == 0 {
		in.err = errTree
	}
	if in.err != nil {
		return nil, in.err
	}
	return trees[len(trees)-1], nil
}

// writeOpening writes the proof of an opening: first the stone, if it is a move of the proof; then the mark All, which
// replaces the tree for a pass; then a tree for each answer. If the tree of an answer is an image of the tree of another
// answer, a reference to the other tree is written instead.
func (e *emitter) writeOpening(o *firstMove) error {
	if o.begins {
		e.Move(o.stone)
	}
	e.All()
	// By index of the answer: the number of its tree among the trees to which later parts of the certificate can refer.
	numbers := map[int]int{}
	for c, class := range o.class {
		switch n, known := numbers[class]; {
		case class < 0:
		case known:
			e.Share(o.image[c], e.number-1-n)
		default:
			t, err := unpackTree(o.answers[class].tree, len(o.class))
			if err != nil {
				return err
			}
			e.beginTree(t)
			e.used[t] = 2 // counted as two uses, so that the tree is kept and its images can refer to it
			e.defender.add(c)
			e.tree(t)
			numbers[class] = e.number - 1
		}
	}
	e.Join(nil)
	return nil
}
