// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/krow-lab/krow/engine/atarigo"
	"github.com/krow-lab/krow/engine/connect6"
	"github.com/krow-lab/krow/engine/pente"
	"github.com/krow-lab/krow/game"
	atarirules "github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
)

// treeEngine proves wins and losses in games with captures or with turns of several stones: it searches until the search reports
// that the position is solved. The certificate has a move for each position in which the winner does not win in one turn, and the
// search chooses this move too.
type treeEngine struct {
	traits
	open   func() (search.Searcher, error)
	search search.Searcher
	key    uint64
	best   search.Info // the answer for the position with this key
}

// firstNodes is the node limit of the first search of a position. Each further search has four times the limit.
const firstNodes = 1 << 14

// newTrees returns a solver that uses the engine of the game, or alpha-beta if the engine does not play this variant.
func newTrees(g game.Game, o Options) (engine, error) {
	if o.Threads > 1 {
		return nil, fmt.Errorf("the solver of %s uses one thread, not %d", g, o.Threads)
	}
	e := &treeEngine{traits: traits{weak: true, apart: true}}
	e.open = func() (search.Searcher, error) {
		switch {
		case connect6.Plays(g):
			return connect6.New(g, connect6.Options{Hash: o.Hash})
		case pente.Plays(g):
			return pente.New(g, pente.Options{Hash: o.Hash})
		case atarigo.Plays(g):
			return atarigo.New(g, atarigo.Options{Hash: o.Hash})
		}
		return alphabeta.New(g, alphabeta.Options{TT: o.Hash, Deepening: true, Killer: true, History: true, PVS: true})
	}
	var err error
	e.search, err = e.open()
	return e, err
}

func (e *treeEngine) clear() { e.search, _ = e.open() } // newTrees has returned the error, if there is one

// prove searches p until its value is proved, more nodes do not help, or ctx is done.
func (e *treeEngine) prove(ctx context.Context, p game.Position, report func(search.Info)) (info search.Info, nodes uint64) {
	for most := uint64(firstNodes); !info.Solved && most < 1<<62 && ctx.Err() == nil; most *= 4 {
		info, _ = e.search.Search(ctx, p, search.Limits{Nodes: most}, report)
		nodes += info.Nodes
	}
	return info, nodes
}

func (e *treeEngine) solve(ctx context.Context, p game.Position, report func(Solution)) Solution {
	v := Solution{Lower: -1, Upper: 1}
	hear := func(i search.Info) {
		if report != nil {
			w := v
			w.Nodes, w.Progress = i.Nodes, fmt.Sprintf("depth %d", i.Depth)
			report(w)
		}
	}
	e.key = p.Key()
	e.best, v.Nodes = e.prove(ctx, p, hear)
	if _, sign := e.best.Score.Distance(); e.best.Solved {
		v.Lower, v.Upper = sign, sign
	}
	if !e.best.Solved && ctx.Err() == nil {
		v.stuck = "the engine proves only some wins, and finds none here"
	}
	return v
}

func (e *treeEngine) line(ctx context.Context, p game.Position, _ Solution) []game.Move {
	if e.key != p.Key() {
		e.solve(ctx, p, nil)
	}
	return e.best.PV
}

func (e *treeEngine) certify(ctx context.Context, p game.Position, w io.Writer) error {
	if e.key != p.Key() || !e.best.Solved {
		e.solve(ctx, p, nil)
	}
	_, sign := e.best.Score.Distance()
	if !e.best.Solved || sign == 0 {
		return cmp.Or(ctx.Err(), errors.New("in this game only a proved win or loss has a certificate"))
	}
	claim, err := treeClaim(p, sign)
	if err != nil {
		return err
	}
	var expected []int // the path to the next stone of the current turn, with this stone
	return proof.WriteTree(w, claim, func(path []int) (int, error) {
		if n := len(path); n < len(expected) && slices.Equal(path, expected[:n]) {
			return expected[n], nil
		}
		q := p.Clone()
		for _, c := range path {
			q.Play(game.Move(c))
		}
		info, _ := e.prove(ctx, q, nil)
		if _, sign := info.Score.Distance(); !info.Solved || sign <= 0 {
			return 0, cmp.Or(ctx.Err(), fmt.Errorf("the engine does not prove its win again after %v", path))
		}
		expected = append(expected[:0], path...)
		for side := q.Turn(); len(info.PV) > 0 && q.Outcome() == game.Ongoing && q.Turn() == side; info.PV = info.PV[1:] {
			expected = append(expected, int(info.PV[0]))
			q.Play(info.PV[0])
		}
		return expected[len(path)], nil
	})
}

// treeClaim returns the claim that p is a win (1) or a loss (-1) for the side to move.
func treeClaim(p game.Position, value int) (proof.Claim, error) {
	b, memory := p.(game.Board), p.(game.Settable).Setup().Memory
	c := proof.Claim{Turn: p.Turn().String(), Value: map[int]string{1: "win", -1: "loss"}[value], Rule: proof.AtariGo}
	c.Columns, c.Rows = b.Size()
	for _, st := range b.Cells() {
		c.Cells += string(".XO"[st])
	}
	g, rows := p.Game().(*mnk.Game)
	if !rows {
		return c, nil
	}
	r := g.Rules()
	switch c.K = r.K; {
	case r.Distance > 0 && p.Ply() < 3:
		return c, errors.New("a certificate begins after the third stone, because it knows no opening rule")
	case r.Captures == 0:
		c.Rule, c.Each, c.Left = proof.Connect, r.Turn, 1
		if len(memory) > 0 {
			c.Left = int(memory[0])
		} else if n := len(p.AppendHistory(nil)); n == p.Ply() { // played from the start, where the first turn may have more stones
			_, c.Left = g.StonesLeft(n)
		}
	default:
		c.Rule, c.Captures, c.Taken = proof.Pente, r.Captures, fmt.Sprintf("%d,%d", memory[0], memory[1])
		if r.Threes {
			c.Rule = proof.Keryo
		}
	}
	return c, nil
}

// treePosition returns the position of a claim of TreeVersion; s has its stones.
func treePosition(c proof.Claim, s game.Setup) (game.Position, error) {
	if c.Rule == proof.AtariGo {
		g, err := atarirules.New(c.Columns)
		if err != nil {
			return nil, err
		}
		return g.SetUp(s)
	}
	g, err := mnk.New(mnk.Rules{
		Name: c.Rule, Columns: c.Columns, Rows: c.Rows, K: c.K, Opening: c.Left, Turn: c.Each, Captures: c.Captures, Threes: c.Rule == proof.Keryo,
	})
	if err != nil {
		return nil, err
	}
	switch taken := takenBy(c); {
	case c.Rule != proof.Connect:
		s.Memory = []uint8{uint8(taken[0]), uint8(taken[1])}
	case c.Each > 1:
		s.Memory = []uint8{uint8(c.Left)}
	}
	return g.SetUp(s)
}

// takenBy returns the captures of each side in a verified claim.
func takenBy(c proof.Claim) (taken [2]int) {
	_, _ = fmt.Sscanf(c.Taken, "%d,%d", &taken[0], &taken[1]) // a claim without captures has none
	return taken
}

// treeRule describes in words how a game of a claim of TreeVersion is won.
func treeRule(c proof.Claim) string {
	row, taken := fmt.Sprintf("%d in a row", c.K), takenBy(c)
	switch c.Rule {
	case proof.Connect:
		return fmt.Sprintf("%s, %s in a turn, of which %d left", row, humanize.Amount(c.Each, "stone", "stones"), c.Left)
	case proof.Pente, proof.Keryo:
		what := map[string]string{proof.Pente: "captured pairs", proof.Keryo: "stones captured as twos and threes"}[c.Rule]
		return fmt.Sprintf("%s or %d %s, captured so far: X %d, O %d", row, c.Captures, what, taken[0], taken[1])
	}
	return "the first capture wins, as in Atari-Go"
}
