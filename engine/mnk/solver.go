// SPDX-License-Identifier: Apache-2.0

// Package mnk proves the values of positions of m,n,k games, on boards of up to 128 cells.
//
// # Basics
//
//	s, err := mnk.New(g, mnk.Options{})
//	a, err := s.Solve(ctx, g.Start(), search.Limits{Time: time.Minute})
//	fmt.Println(a.Low, a.High, g.Format(a.Best)) // 1 1 c3: the side to move wins
//
// # How it works
//
// Package mnk answers the question whether one side, the attacker, can force k in a row. Two questions, one for each side, make
// a value. Positions count as the same if they do not differ in the lines that are still open:
//
//	place a stone -> close the lines that it breaks, and those with two cells of their own -> the key of what is left
//
// A question is asked in two games. In the strong game, the real one, both sides can win. In the weak game only the
// attacker can. More positions are the same there, and an attacker who fails there also fails in the real game. An attacker who
// wins there may not win in the real game.
//
// With k over 4 the attacker mostly fails in the weak game. There each refuted position gets a zone, the cells on which the
// defender holds it: all moves of the attacker outside are refuted with it. A position looks worse for the defender if a quick
// plan of pairs leaves more lines unbroken.
//
// In standard gomoku and caro, where not every row of k wins, the solver asks only about the weak game: an attacker who
// fails there also fails in these games. So it proves draws that both sides hold by breaking lines, and no wins.
//
// Threads search one question together. They share the table, and a thread avoids moves that another thread is searching.
//
// # Caveats
//
// Values are proved. The solver does not compute distances to a win. Keys have 64 bits: in a search of 10^9 nodes two positions
// are taken for one with a probability of about 1 in 10^7. The check of a certificate does not rest on keys.
package mnk

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/dfpn"
	"github.com/krow-lab/krow/search/tt"
)

// Options limits the memory and threads of a Solver.
type Options struct {
	Hash    int // bytes of the table; 0 means 64 MiB
	Threads int // threads that share the table; below 1 means 1
}

const (
	defaultHash = 64 << 20
	MaxCells    = 128
)

// Solver proves values. It belongs to one goroutine at a time, in addition to the goroutines that it starts itself, and
// keeps its table from one question to the next.
type Solver struct {
	// Report, unless it is nil, is called now and then with the current result of Solve.
	Report func(Answer)

	g      *geometry
	rule   string // of certificates: proof.Exact or proof.Caro, or "" where every row of k or more wins
	table  *tt.Table
	strong team
	weak   team
	nodes  uint64 // of the last Solve
	before uint64 // nodes of loaded work, which the next Solve continues
}

// ruleOf are the rules of the games that are played, by name.
var ruleOf = map[string]string{"mnk": "", "tictactoe": "", "gomoku": "", "standard": proof.Exact, "caro": proof.Caro}

func unplayed(g game.Game) error { return fmt.Errorf("the m,n,k solver does not play %s", g) }

// New returns a solver of g, or an error if the package cannot solve g.
func New(g game.Game, o Options) (*Solver, error) {
	p, ok := g.Start().(game.Lined)
	name, _, _ := strings.Cut(g.String(), ":")
	rule, known := ruleOf[name]
	if !ok || !known || p.Exact(game.First) != (rule == proof.Exact) {
		return nil, unplayed(g)
	}
	columns, rows := p.Size()
	if columns*rows > MaxCells {
		return nil, fmt.Errorf("the m,n,k solver takes boards of up to %d cells, not %d x %d", MaxCells, columns, rows)
	}
	if o.Hash < 0 {
		return nil, fmt.Errorf("the table of the m,n,k solver cannot have %d bytes", o.Hash)
	}
	s := &Solver{g: newGeometry(columns, rows, p.K()), rule: rule, table: tt.New(cmp.Or(o.Hash, defaultHash))}
	s.strong, s.weak = newTeam(s.g, false, s.table, o.Threads), newTeam(s.g, true, s.table, o.Threads)
	return s, nil
}

// Clear empties the table.
func (s *Solver) Clear() {
	s.before = 0
	s.table.Clear()
}

// Save writes the solver's table and its number of nodes. A new solver of the same game can Load it: its next Solve then continues
// where this one has stopped.
func (s *Solver) Save(w io.Writer) error {
	if err := binary.Write(w, binary.LittleEndian, s.nodes); err != nil {
		return err
	}
	return s.table.Save(w)
}

// Load reads what a solver with a table of the given bytes (0 means the default) has saved.
func (s *Solver) Load(r io.Reader, hash int) error {
	if err := binary.Read(r, binary.LittleEndian, &s.before); err != nil {
		return err
	}
	return s.table.Load(r, cmp.Or(hash, defaultHash))
}

// Answer is the known result of a position for the side to move: 1 is a win, 0 a draw, -1 a loss.
type Answer struct {
	Low, High       int       // bounds of its value
	Best            game.Move // a move that reaches Low; a guess where Low is -1 or known without a search
	Proof, Disproof uint32    // in a Report: proof and disproof number of the question
	Failed          int       // in a Report: of the moves looked at, the moves after which the side to move does not reach its goal
	Moves           int       // in a Report: moves looked at
	Stuck           bool      // in standard gomoku and caro: more work cannot find the value
	Nodes           uint64    // positions entered, including the positions of loaded work
}

// Solved reports whether the value is known.
func (a Answer) Solved() bool { return a.Low == a.High }

// Solve returns the value of p, which must be ongoing, as far as the limits of nodes and time allow. Running into a
// limit is not an error.
func (s *Solver) Solve(ctx context.Context, p game.Position, lim search.Limits) (Answer, error) {
	if p.Outcome() != game.Ongoing {
		return Answer{}, game.ErrOver
	}
	b := search.NewBudget(ctx, lim)
	a := Answer{Low: -1, High: 1, Best: game.NoMove}
	// Nobody wins from the start by moving second: the first side could take over that strategy.
	if p.Ply() == 0 && s.rule == "" {
		a.Low = 0
	}
	q := question{p.(game.Board).Cells(), p.Turn(), p.Turn(), b, s.before}
	s.before = 0
	known := func() {
		if s.nodes = q.before + b.Nodes; s.Report != nil {
			r := a
			r.Proof, r.Disproof, r.Nodes = s.strong[0].proof, s.strong[0].disproof, s.nodes
			r.Failed, r.Moves = s.settled()
			s.Report(r)
		}
	}
	switch v, best, _ := s.ask(q, known); v {
	case dfpn.Proven:
		a.Low, a.Best = 1, best
	case dfpn.Unknown:
		a.Best = best
	case dfpn.Refuted:
		a.High = 0
		q.by = q.by.Other()
		switch v, best, _ := s.ask(q, known); v {
		case dfpn.Proven:
			a.High = -1
		case dfpn.Refuted:
			a.Low, a.Best = 0, best
		}
	}
	if a.Best == game.NoMove {
		a.Best = p.AppendMoves(nil)[0]
	}
	s.nodes = q.before + b.Nodes
	a.Nodes, a.Stuck = s.nodes, !a.Solved() && !b.Stopped()
	return a, nil
}
