// SPDX-License-Identifier: Apache-2.0

package tactics

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
)

// Miner plays games of the engine against itself and takes the positions in which it announces a win.
type Miner struct {
	Seed  uint64
	Nodes uint64 // of a move
	// Proof is how many nodes the prover has for a win, Others for each other move, which must not win.
	Proof, Others uint64

	g      game.Game
	engine *gomoku.Searcher
	prover *gomoku.Prover
}

// NewMiner returns a miner of g, or an error in one line when the engine does not play it.
func NewMiner(g game.Game, seed uint64) (*Miner, error) {
	engine, err := gomoku.New(g, gomoku.Options{Hash: 4 << 20})
	if err != nil {
		return nil, err
	}
	prover, err := gomoku.NewProver(g)
	if err != nil {
		return nil, err
	}
	return &Miner{Seed: seed, Nodes: 3000, Proof: 20_000, Others: 8_000, g: g, engine: engine, prover: prover}, nil
}

// strayPlies is how many moves a game begins with that are drawn near the middle; every strayEvery-th later one on average
// is drawn among the cells near stones, so that there is something to win.
const (
	strayPlies = 5
	strayEvery = 12
)

// Game plays game number n and calls found for each position in which the engine announces a win of the side to move.
func (m *Miner) Game(ctx context.Context, n int, found func(p game.Position, plies int) error) error {
	rng := rand.New(rand.NewPCG(m.Seed, uint64(n)))
	p := m.g.Start()
	for p.Outcome() == game.Ongoing {
		if p.Ply() < strayPlies {
			p.Play(near(rng, p, 2+strayPlies/2))
			continue
		}
		info, err := m.engine.Search(ctx, p, search.Limits{Nodes: m.Nodes}, nil)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if plies, sign := info.Score.Distance(); info.Solved && sign > 0 {
			if err := found(p, plies); err != nil {
				return err
			}
		}
		move := info.PV[0]
		if rng.IntN(strayEvery) == 0 {
			move = near(rng, p, 2)
		}
		p.Play(move)
	}
	return nil
}

// near draws a move that is sound, and at most so many columns and rows from the last stone or the middle.
func near(rng *rand.Rand, p game.Position, far int) game.Move {
	b := p.(game.Board)
	columns, rows := b.Size()
	x, y := columns/2, rows/2
	if history := p.AppendHistory(nil); len(history) > 0 {
		last := b.Cell(history[len(history)-1])
		if p.Ply() >= strayPlies {
			x, y = last%columns, last/columns
		}
	}
	sound := game.AppendSound(nil, p)
	var close []game.Move
	for _, m := range sound {
		dx, dy := int(m)%columns-x, int(m)/columns-y
		if max(dx, -dx, dy, -dy) <= far {
			close = append(close, m)
		}
	}
	if len(close) > 0 {
		sound = close
	}
	return sound[rng.IntN(len(sound))]
}

// The plies of the wins that are puzzles.
const shortest, longest = 5, 25

// Puzzle makes a puzzle of p, game number n, and says whether it is one: a win of 5 to 25 plies after one move, and
// after no other.
func (m *Miner) Puzzle(ctx context.Context, p game.Position, n int) (Puzzle, bool) {
	proof, ok := m.prover.Win(ctx, p, m.Proof)
	if !ok || proof.Plies < shortest || proof.Plies > longest || len(proof.Line) == 0 {
		return Puzzle{}, false
	}
	for _, other := range p.AppendMoves(nil) {
		if other != proof.Line[0] && m.wins(ctx, p, other) {
			return Puzzle{}, false
		}
	}
	mode := "VCT"
	if proof.Fours {
		mode = "VCF"
	}
	return Puzzle{
		m.g.String(), notation.FormatMoves(m.g, p.AppendHistory(nil)), mode, proof.Plies,
		notation.FormatMoves(m.g, proof.Line), fmt.Sprintf("self-play %d/%d", m.Seed, n),
	}, ctx.Err() == nil
}

// wins says whether the prover finds a win after a move, or the move wins.
func (m *Miner) wins(ctx context.Context, p game.Position, move game.Move) bool {
	me := p.Turn()
	p.Play(move)
	defer p.Undo()
	if o := p.Outcome(); o != game.Ongoing {
		return o == game.WinFor(me)
	}
	_, won := m.prover.Loss(ctx, p, m.Others)
	return won
}

// Engine returns the strategy of an engine of g with so many nodes a move, which goes by what it proves and has no move
// where it announces no win.
func Engine(g game.Game, nodes uint64) (Strategy, error) {
	prover, err := gomoku.NewProver(g)
	if err != nil {
		return nil, err
	}
	quiet, err := gomoku.NewProver(g)
	if err != nil {
		return nil, err
	}
	quiet.Quiet = true
	engine, err := gomoku.New(g, gomoku.Options{Hash: 4 << 20})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, p game.Position) (game.Move, bool) {
		for _, pr := range []*gomoku.Prover{prover, quiet} {
			if proof, ok := pr.Win(ctx, p, nodes); ok {
				return proof.Line[0], true
			}
		}
		info, err := engine.Search(ctx, p, search.Limits{Nodes: nodes}, nil)
		if err != nil {
			return game.NoMove, false
		}
		_, sign := info.Score.Distance()
		return info.PV[0], info.Solved && sign > 0
	}, nil
}
