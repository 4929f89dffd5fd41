// SPDX-License-Identifier: Apache-2.0

package proof_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	rules "github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search/oracle"
)

// treeGames are small games of each rule, with the number of free cells that a position has at most.
var treeGames = []struct {
	proof.Claim
	free int
}{
	{proof.Claim{Columns: 4, Rows: 3, K: 4, Rule: proof.Connect, Each: 2, Left: 1}, 12},
	{proof.Claim{Columns: 4, Rows: 4, K: 4, Rule: proof.Connect, Each: 2, Left: 1}, 9},
	{proof.Claim{Columns: 9, Rows: 2, K: 5, Rule: proof.Connect, Each: 3, Left: 2}, 9},
	{proof.Claim{Columns: 3, Rows: 3, K: 3, Rule: proof.Connect, Each: 1, Left: 1}, 9},
	{proof.Claim{Columns: 4, Rows: 4, K: 4, Rule: proof.Pente, Captures: 1}, 8},
	{proof.Claim{Columns: 5, Rows: 4, K: 4, Rule: proof.Pente, Captures: 2}, 7},
	{proof.Claim{Columns: 9, Rows: 1, K: 4, Rule: proof.Pente, Captures: 3}, 7},
	{proof.Claim{Columns: 10, Rows: 1, K: 5, Rule: proof.Keryo, Captures: 3}, 7},
	{proof.Claim{Columns: 5, Rows: 5, K: 5, Rule: proof.Keryo, Captures: 5}, 5},
	{proof.Claim{Columns: 3, Rows: 3, Rule: proof.AtariGo}, 9},
	{proof.Claim{Columns: 8, Rows: 1, K: 6, Rule: proof.Pente, Captures: 3}, 8},
	{proof.Claim{Columns: 4, Rows: 4, Rule: proof.AtariGo}, 10},
}

func treeGame(c proof.Claim) (game.Game, error) {
	if c.Rule == proof.AtariGo {
		return atarigo.New(c.Columns)
	}
	return rules.New(rules.Rules{
		Name: c.Rule, Columns: c.Columns, Rows: c.Rows, K: c.K, Opening: c.Left, Turn: c.Each, Captures: c.Captures, Threes: c.Rule == proof.Keryo,
	})
}

// treeTruth returns what the oracle says of the position of a claim of TreeVersion.
func treeTruth(c proof.Claim, turn game.Side) (oracle.Result, error) {
	g, err := treeGame(c)
	if err != nil {
		return oracle.Result{}, err
	}
	s := game.Setup{Cells: stones(c.Cells), Turn: turn, Ply: 1}
	var x, o uint8
	switch n, _ := fmt.Sscanf(c.Taken, "%d,%d", &x, &o); {
	case n == 2:
		s.Memory = []uint8{x, o}
	case c.Each > 1:
		s.Memory = []uint8{uint8(c.Left)}
	}
	p, err := g.(game.Setter).SetUp(s)
	if err != nil {
		return oracle.Result{}, err
	}
	return oracle.Solve(p, 3_000_000)
}

// claimOf sets the fields of a claim that depend on the position.
func claimOf(c proof.Claim, p game.Position, value string) proof.Claim {
	for _, s := range p.(game.Board).Cells() {
		c.Cells += string(".XO"[s])
	}
	c.Turn, c.Value = p.Turn().String(), value
	switch memory := p.(game.Settable).Setup().Memory; {
	case c.Captures > 0:
		c.Taken = fmt.Sprintf("%d,%d", memory[0], memory[1])
	case c.Each > 1:
		c.Left = int(memory[0])
	}
	return c
}

// results contains the results of positions with best play.
type results map[uint64]game.Outcome

// of returns the result of p with best play, by a search of all moves.
func (r results) of(p game.Position) game.Outcome {
	if o := p.Outcome(); o != game.Ongoing {
		return o
	}
	if o, known := r[p.Key()]; known {
		return o
	}
	me, best := p.Turn(), game.WinFor(p.Turn().Other())
	for _, m := range p.AppendMoves(nil) {
		p.Play(m)
		o := r.of(p)
		p.Undo()
		if o == game.WinFor(me) || o == game.Draw && best != game.WinFor(me) {
			best = o
		}
	}
	r[p.Key()] = best
	return best
}

// guess returns a move that keeps the win. If there is none, it returns any move, and with the probability wrong any cell.
func (r results) guess(p game.Position, wrong float64, rng *rand.Rand) int {
	me, moves := p.Turn(), p.AppendMoves(nil)
	if rng.Float64() < wrong {
		return rng.IntN(p.Game().Moves())
	}
	for _, m := range moves {
		p.Play(m)
		o := r.of(p)
		p.Undo()
		if o == game.WinFor(me) {
			return int(m)
		}
	}
	return int(moves[rng.IntN(len(moves))])
}

// TestRandomTrees: random trees about random positions are accepted only if the claim is true by a search of all moves, and trees
// with the right moves are accepted.
func TestRandomTrees(t *testing.T) {
	amount := 2_000
	switch {
	case os.Getenv("KROW_LONG") != "":
		amount = 100_000
	case testing.Short():
		amount = 1_000
	}
	accepted, guessed, refuted := 0, 0, 0
	for i, tg := range treeGames {
		t.Run(fmt.Sprintf("%d/rule=%s", i, tg.Rule), func(t *testing.T) {
			g, err := treeGame(tg.Claim)
			if err != nil {
				t.Fatal(err)
			}
			known := results{}
			rng := rand.New(rand.NewPCG(uint64(i), 9))
			for range amount / len(treeGames) {
				p := g.Start()
				for p.Outcome() == game.Ongoing && len(p.AppendMoves(nil)) > 1+rng.IntN(tg.free) {
					moves := p.AppendMoves(nil)
					if p.Play(moves[rng.IntN(len(moves))]); p.Outcome() != game.Ongoing {
						p.Undo()
						break
					}
				}
				if len(p.AppendMoves(nil)) > tg.free {
					continue
				}
				value, winner := "win", p.Turn()
				if rng.IntN(2) == 0 {
					value, winner = "loss", winner.Other()
				}
				wrong := []float64{0, 0.1, 0.5}[rng.IntN(3)]
				var file bytes.Buffer
				err := proof.WriteTree(&file, claimOf(tg.Claim, p, value), func(path []int) (int, error) {
					q := p.Clone()
					for _, c := range path {
						q.Play(game.Move(c))
					}
					return known.guess(q, wrong, rng), nil
				})
				switch truth := known.of(p) == game.WinFor(winner); {
				case err == nil && !truth, err != nil && truth && wrong == 0:
					t.Fatalf("a %s of %v, truth %v: %v", value, p.(game.Settable).Setup(), truth, err)
				case err != nil && truth:
					guessed++
				case err != nil:
					refuted++
				default:
					accepted++
					if r, err := proof.Verify(t.Context(), bytes.NewReader(file.Bytes()), proof.Limits{}); err != nil || !r.Parts[0].Wins {
						t.Fatalf("the checker refuses a written file: %v", err)
					}
				}
			}
		})
	}
	t.Logf("%d accepted, %d refused because of a wrong move, %d refused because the claim is false", accepted, guessed, refuted)
	if min(accepted, guessed, refuted) < amount/200 {
		t.Error("too few trees of one kind")
	}
}
