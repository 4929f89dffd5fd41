// SPDX-License-Identifier: Apache-2.0

// Package connect4 solves Connect Four exactly, for any k and all boards that fit into 128 bits.
//
// # Basics
//
//	s, err := connect4.NewSolver(g, connect4.Options{})
//	r := s.Solve(ctx, s.FromGame(p))
//	fmt.Println(r.Lower, r.Exact()) // -1 true: the side to move loses with the last stone
//
// # Scores
//
// A score is for the side to move. A draw has the score 0. A win is worth half of the number of cells (rounded down), plus one,
// minus the number of stones that the winner will have placed. A loss is worth the winner's score with a minus sign.
// [Position.Plies] converts a score to a distance.
//
// # How
//
// The solver tests scores with null windows. It begins with the extreme scores and continues towards 0, since short wins are
// cheap to find. Each test is an alpha-beta search. Before the search enters a position, the parent node examines it: it
// plays the forced moves, looks into the table, and checks whether a side can answer every stone of the opponent with a
// stone on top of it. Such answers give bounds of the score (parity.go). This examination settles most positions. Only
// positions that the search enters count as nodes.
//
// # Caveats
//
// Only one goroutine may use a Solver. With one thread it is deterministic. With more threads the scores are the same, but the
// numbers of nodes and the lines of best moves vary.
//
// CITE: Allis, A Knowledge-based Approach of Connect-Four, 1988 (claimeven and the other rules of replying).
// CITE: Tromp, The Fhourstones benchmark, 1996 (bit boards with a spare bit, table entries replaced by work).
// CITE: Pons, Solving Connect 4: how to build a perfect AI, 2019 (null windows by bisection, order by threats).
// CITE: Steininger, c4, 2025 (forced moves and claimeven at each node, 8-byte entries with work).
package connect4

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/proof"
)

// Options are the settings of the solver. The zero value is the normal solver.
type Options struct {
	Weak     bool // find only whether the position is a win, a draw or a loss, not its score
	NoParity bool // search without the bounds of parity.go; this is slower, but checks results independently of these bounds
	Threads  int  // number of threads, which share the table; 0 means 1
	Hash     int  // maximum size of the table in bytes; 0 means 64 MiB
}

const defaultHash = 64 << 20

// Solver solves positions on one size of board.
type Solver struct {
	// Report, unless nil, is called by Solve when its bounds have become tighter, and also from time to time without new bounds.
	// Report must not use the Solver, except that it may call Save if the bounds are new.
	Report func(Result)

	// Book, unless nil, is looked up before a search. It must be for the Solver's game.
	Book *Book

	g       wideGeometry
	weak    bool
	limits  limits
	spent   uint64 // number of nodes visited in all tasks
	table   store
	workers []searcher
}

// newSolver returns a Solver with an empty table. k is at least 2.
func newSolver(columns, rows, k int, o Options) (*Solver, error) {
	if columns < 1 || rows < 1 || k < 2 {
		return nil, fmt.Errorf("connect four on %d x %d with %d in a row is not supported", columns, rows, k)
	}
	stride, ok := fits(columns, rows)
	if !ok {
		return nil, fmt.Errorf("a board of %d x %d is too large for the solver, which has %d bits", columns, rows, wideBoardBits)
	}
	s := &Solver{g: newGeometry(columns, rows, k)}
	s.use(o, columns*int(stride) > boardBits)
	return s, nil
}

func (s *Solver) use(o Options, wide bool) {
	if o.Hash <= 0 {
		o.Hash = defaultHash
	}
	s.weak = o.Weak
	make, threads := newWorkers, newThreads(&s.g, o, &s.limits)
	if wide {
		make = newWideWorkers
	}
	s.table, s.workers = make(&s.g, o.Hash, threads)
}

// fits returns the stride of a board with these columns and rows, and reports whether the board fits into two words.
func fits(columns, rows int) (stride uint, ok bool) {
	if columns <= 8 && rows <= 7 {
		return 8, true
	}
	return uint(rows + 1), columns <= wideBoardBits && rows < wideBoardBits && columns*(rows+1) <= wideBoardBits
}

func newGeometry(columns, rows, k int) wideGeometry {
	stride, _ := fits(columns, rows)
	g := wideGeometry{columns: columns, rows: rows, k: k, stride: stride, cells: columns * rows, quick: k == 4 && stride < 31}
	g.shifts = [4]uint{1, stride - 1, stride, stride + 1}
	for c := range columns {
		at := c * int(stride)
		spare := wideBit(at + rows)
		whole := spare
		for r := range rows {
			b := wideBit(at + r)
			whole = whole.or(b)
			if (rows-r)%2 == 1 {
				g.reply = g.reply.or(b)
			} else {
				g.mine = g.mine.or(b)
			}
			edge := min(c, columns-1-c)
			g.centerAt[at+r] = int8(edge)
			g.weightAt[at+r] = columnWeights[min(edge, len(columnWeights)-1)] + rowWeights[min(rows-1-r, len(rowWeights)-1)]
		}
		for r := range rows {
			g.columnAt[at+r] = whole
		}
		g.column = append(g.column, whole)
		g.bottom, g.top = g.bottom.or(wideBit(at)), g.top.or(spare)
	}
	g.all = g.mine.or(g.reply)
	return g
}

// narrow converts g to a geometry for boards of one word. The cells and spare bits must fit into one word.
func (g *wideGeometry) narrow() geometry {
	n := geometry{
		columns: g.columns, rows: g.rows, k: g.k, stride: g.stride, cells: g.cells, quick: g.k == 4 && g.stride == 8,
		bottom: narrow(g.bottom), top: narrow(g.top), all: narrow(g.all), mine: narrow(g.mine), reply: narrow(g.reply),
		shifts: g.shifts,
	}
	for _, c := range g.column {
		n.column = append(n.column, narrow(c))
	}
	for i := range n.columnAt {
		n.columnAt[i], n.centerAt[i], n.weightAt[i] = narrow(g.columnAt[i]), g.centerAt[i], g.weightAt[i]
	}
	return n
}

func (g *wideGeometry) wideNarrow() wideGeometry { return *g }

// Clear empties the tables.
func (s *Solver) Clear() {
	used := false
	for _, w := range s.workers {
		used = w.clear() || used
	}
	if used {
		s.table.clear()
	}
}

// Save writes the table of results. The data has about as many bytes as the table.
func (s *Solver) Save(w io.Writer) error { return s.table.save(w) }

// Load reads data that Save has written in a solver for the same board with a table of the same size.
func (s *Solver) Load(r io.Reader) error {
	for _, w := range s.workers {
		w.self().useAll()
	}
	return s.table.load(r)
}

// Position is a state of the board. Equal positions are == to each other.
type Position struct {
	g           *wideGeometry
	turn, other wideBoard
}

// Start returns the empty board.
func (s *Solver) Start() Position { return Position{g: &s.g} }

// Play returns the position after a stone was placed in a column, counted from 0. It returns false if the move is illegal.
func (p Position) Play(column int) (q Position, ok bool) {
	if column < 0 || column >= p.g.columns || p.over() {
		return p, false
	}
	m := p.g.playable(p.stones()).and(p.g.column[column])
	return Position{p.g, p.other, p.turn.or(m)}, !m.empty()
}

// children yields the legal columns, from the center outwards, each with the position after a stone there.
func (p Position) children() iter.Seq2[int, Position] {
	return func(yield func(int, Position) bool) {
		for i := range p.g.columns {
			c := (p.g.columns-1)/2 + (i+1)/2*(2*(i%2)-1)
			if q, legal := p.Play(c); legal && !yield(c, q) {
				return
			}
		}
	}
}

func (p Position) first() int {
	for c := range p.children() {
		return c
	}
	return -1
}

func (p Position) over() bool { return p.won() || p.Left() == 0 }

func (p Position) won() bool { return p.g.hasLine(p.other) }

// Left returns the number of empty cells.
func (p Position) Left() int { return p.g.cells - p.stones().count() }

func (p Position) stones() wideBoard { return p.turn.or(p.other) }

// Plies returns the number of stones that will be placed with best play, if p has the given score.
func (p Position) Plies(score int) int {
	left := p.Left()
	switch {
	case score > 0: // the number of stones is odd, because the side to move also places the last stone
		return (left + 2 - 2*score - 1) | 1
	case score < 0:
		return (left + 2 + 2*score) &^ 1
	}
	return left
}

// checkerPositions is the number of positions that a checker of the certificate may enter to find a move that the certificate
// leaves out. A larger number makes certificates smaller and the check slower.
const checkerPositions = 100

// Certify writes a certificate of the value of p, a position of the solver's game. The value is win, draw or loss, not the score.
// It returns an error if ctx is done before everything is written.
func (s *Solver) Certify(ctx context.Context, p game.Position, w io.Writer) error {
	return s.certify(ctx, p, checkerPositions, w)
}

func (s *Solver) certify(ctx context.Context, p game.Position, search int, w io.Writer) error {
	sign, known := s.Solve(ctx, s.FromGame(p)).Sign()
	if !known {
		return errors.New("a certificate needs a proved value")
	}
	c := proof.NewClaim(p.(game.Lined), sign)
	c.Gravity, c.Search = true, search
	s.LimitNodes(0)
	return proof.Write(w, c, &witness{s, ctx})
}

// CertifyByPlans does the same as Certify, but writes plans into the certificate: rules that a person can follow from a position
// to the end of the game. The certificate has far fewer positions and takes longer to write. The board must fit into one word.
func (s *Solver) CertifyByPlans(ctx context.Context, p game.Position, w io.Writer) error {
	if !Plays(p.Game()) {
		return errors.New("plans need a board of one word")
	}
	if b := standard(); s.Book == nil && b.For(s) {
		s.Book = b
		defer func() { s.Book = nil }()
	}
	sign, known := s.Solve(ctx, s.FromGame(p)).Sign()
	if !known {
		return errors.New("a certificate needs a proved value")
	}
	c := proof.NewClaim(p.(game.Lined), sign)
	c.Gravity = true
	s.LimitNodes(0)
	return proof.Write(w, c, &planWitness{witness: &witness{s, ctx}})
}

type witness struct {
	*Solver
	ctx context.Context
}

// Root implements proof.Chooser. It is never called in games in which stones fall.
func (w *witness) Root(proof.Position) (bool, error) { return false, nil }

// Move implements proof.Chooser. It tries all moves with a small limit of nodes for each move, and then with larger and larger
// limits. So the first move that is proved has nearly the shortest proof.
func (w *witness) Move(q proof.Position) (int, error) {
	p, goal := w.position(q.Cells, q.Turn), 0
	if q.Wins {
		goal = 1
	}
	defer w.LimitNodes(0)
	for nodes := uint64(100); w.ctx.Err() == nil; nodes *= 8 {
		w.LimitNodes(nodes)
		if c := w.Best(w.ctx, p, goal); c >= 0 {
			return c + w.g.columns*p.stones().and(w.g.column[c]).count(), nil
		}
		if nodes > 1<<40 {
			return 0, errors.New("the value of a position of the certificate differs from the value that the solver assumed")
		}
	}
	return 0, fmt.Errorf("the certificate is not finished: %w", w.ctx.Err())
}
