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
// The solver asks whether one side, the attacker, can force k in a row; package dfpn searches for the answer. The answers to two
// questions, one with each side as the attacker, give the value. Two positions count as the same if they have the same lines that
// are still open:
//
//	place a stone -> close the lines that it breaks, and the lines with two cells that no other line has -> the key of the rest
//
// For each question two games are searched. In the strong game, which is the real game, both sides can win. In the weak game only
// the attacker can win: every row of k of the attacker wins, and the defender can only break lines. In the weak game more positions
// count as the same. An attacker who fails in the weak game also fails in the real game, but an attacker who wins in the weak game
// may not win in the real game.
//
// If k is greater than 4, the attacker mostly fails in the weak game. Each refuted position of this game then gets a zone:
// the cells that the defender needs. All moves of the attacker outside the zone are refuted as well. For each new position,
// the solver quickly makes a plan for the defender. The plan consists of pairs of cells: if the attacker takes one cell of a
// pair, the defender takes the other, and so breaks every line through both. The more lines this plan leaves unbroken, the
// worse the initial proof and disproof numbers of the position are for the defender.
//
// In standard gomoku and caro some rows of k do not win, so the solver searches only the weak game, in which they win. An attacker
// who fails in the weak game also fails in standard gomoku and caro. So the solver can prove a draw if each side can break all
// lines of the other side, but it cannot prove a win.
//
// Several threads search one question together. They share the table, and a thread avoids moves below which another thread is
// searching.
//
// # Caveats
//
// Values are proved. The solver does not compute distances to a win. Keys have 64 bits: in a search of 10^9 nodes, two different
// positions have the same key with a probability of about 1 in 10^7. The check of a certificate does not depend on keys.
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

// Options contains the limits of a Solver.
type Options struct {
	Hash    int // size of the table in bytes; 0 means 64 MiB
	Threads int // number of threads, which share the table; less than 1 means 1
}

const (
	defaultHash = 64 << 20
	MaxCells    = 128
)

// Solver proves values. Only one goroutine may use it at a time; it starts other goroutines itself. It keeps its table for the
// next question.
type Solver struct {
	// Report, unless nil, is called from time to time with the current result of Solve.
	Report func(Answer)

	g      *geometry
	rule   string // rule in certificates: proof.Exact or proof.Caro, or "" if every row of k or more wins
	table  *tt.Table
	strong team
	weak   team
	nodes  uint64 // number of nodes of the last Solve
	before uint64 // number of nodes of the loaded work; the next Solve continues this work
}

// ruleOf contains the name that the rule of a game has in certificates; the key is the name of the game. Games that are not
// in the map cannot be solved.
var ruleOf = map[string]string{"mnk": "", "tictactoe": "", "gomoku": "", "standard": proof.Exact, "caro": proof.Caro}

func unplayed(g game.Game) error { return fmt.Errorf("the m,n,k solver does not support %s", g) }

// New returns a solver for g, or an error if the package cannot solve g.
func New(g game.Game, o Options) (*Solver, error) {
	p, ok := g.Start().(game.Lined)
	name, _, _ := strings.Cut(g.String(), ":")
	rule, known := ruleOf[name]
	if !ok || !known || p.Exact(game.First) != (rule == proof.Exact) {
		return nil, unplayed(g)
	}
	columns, rows := p.Size()
	if columns*rows > MaxCells {
		return nil, fmt.Errorf("the m,n,k solver supports boards of up to %d cells, not %d x %d", MaxCells, columns, rows)
	}
	if o.Hash < 0 {
		return nil, fmt.Errorf("the m,n,k solver does not support a table of %d bytes", o.Hash)
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

// Save writes the solver's table and its number of nodes. A new solver of the same game can Load them; its next Solve then
// continues where this solver has stopped.
func (s *Solver) Save(w io.Writer) error {
	if err := binary.Write(w, binary.LittleEndian, s.nodes); err != nil {
		return err
	}
	return s.table.Save(w)
}

// Load reads data that the method Save of another solver has written. The parameter hash is the size in bytes of that
// solver's table; 0 means 64 MiB.
func (s *Solver) Load(r io.Reader, hash int) error {
	if err := binary.Read(r, binary.LittleEndian, &s.before); err != nil {
		return err
	}
	return s.table.Load(r, cmp.Or(hash, defaultHash))
}

// Answer contains the known bounds of a position. Values are for the side to move: 1 is a win, 0 a draw, -1 a loss.
type Answer struct {
	Low, High int       // the value is at least Low and at most High
	Best      game.Move // a move that reaches Low; it is only an estimate if Low is -1 or is known without a search
	// Proof and Disproof are set in a Report: the proof and disproof number of the claim that is being searched. The first claim is
	// that the side to move wins. If it is false, the next claim is that the other side wins.
	Proof, Disproof uint32
	Failed          int    // in a Report: number of examined moves that do not reach the goal of the side to move
	Moves           int    // in a Report: number of examined moves
	Stuck           bool   // if true, more work cannot find the value; only in standard gomoku and caro
	Nodes           uint64 // number of visited positions, including the loaded work
}

// Solved reports whether the value is known.
func (a Answer) Solved() bool { return a.Low == a.High }

// Solve returns the value of p, or bounds of it, as far as the limits of nodes and time allow. The game must not be over in p.
// Reaching a limit is not an error.
func (s *Solver) Solve(ctx context.Context, p game.Position, lim search.Limits) (Answer, error) {
	if p.Outcome() != game.Ongoing {
		return Answer{}, game.ErrOver
	}
	b := search.NewBudget(ctx, lim)
	a := Answer{Low: -1, High: 1, Best: game.NoMove}
	// From the start of the game the second side cannot have a winning strategy, because the first side could use it too: its
	// additional stone does no harm.
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
