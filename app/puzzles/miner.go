// SPDX-License-Identifier: Apache-2.0

package puzzles

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
)

// Miner plays games of the engine against itself and takes the positions in which it announces a win.
type Miner struct {
	seed   uint64
	g      game.Game
	engine *gomoku.Searcher
	prover *gomoku.Prover
}

// NewMiner returns a miner of the game that a spec names, or an error in one line when the engine does not play it.
func NewMiner(spec string, seed uint64) (*Miner, error) {
	g, err := catalog.Game(spec)
	if err != nil {
		return nil, err
	}
	engine, err := gomoku.New(g, gomoku.Options{Hash: 4 << 20})
	if err != nil {
		return nil, err
	}
	prover, err := gomoku.NewProver(g)
	if err != nil {
		return nil, err
	}
	return &Miner{seed, g, engine, prover}, nil
}

// The nodes for a move of a game, for the proof of a win, and for each other move, which must not win.
const moveNodes, proofNodes, otherNodes = 3000, 20_000, 8_000

// The first strayPlies moves of a game are drawn near the middle, and then one in strayEvery near the stones.
const (
	strayPlies = 5
	strayEvery = 12
)

var errEnough = errors.New("enough")

// barrenGames is how many games may go by without what is looked for: on a small board it may never come.
const barrenGames = 500

// games plays games from number first on, and calls found with each announced win, until found returns errEnough. found
// says whether it wants the position; 500 games without one are an error.
func (m *Miner) games(ctx context.Context, first int, what string, found func(n int, p game.Position, plies int) (bool, error)) error {
	for n, last := first, first; n-last < barrenGames; n++ {
		err := m.game(ctx, n, func(p game.Position, plies int) error {
			good, err := found(n, p, plies)
			if good {
				last = n
			}
			return err
		})
		if errors.Is(err, errEnough) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return fmt.Errorf("no %s in %d games of %s", what, barrenGames, m.g)
}

// Puzzles calls found with each puzzle, at most one of either mode from a game, until it returns false. 500 games
// without one are an error.
func (m *Miner) Puzzles(ctx context.Context, first int, found func(Puzzle) bool) error {
	at, modes := -1, map[string]bool{}
	return m.games(ctx, first, "puzzle", func(n int, p game.Position, plies int) (bool, error) {
		if n != at {
			at, modes = n, map[string]bool{}
		}
		if plies < shortest || len(modes) == 2 {
			return false, nil
		}
		puzzle, ok := m.puzzle(ctx, p, n)
		if !ok || modes[puzzle.Mode] {
			return false, ctx.Err()
		}
		modes[puzzle.Mode] = true
		if !found(puzzle) {
			return true, errEnough
		}
		return true, nil
	})
}

// game plays game number n and calls found for each position in which the engine announces a win of the side to move.
func (m *Miner) game(ctx context.Context, n int, found func(p game.Position, plies int) error) error {
	rng := rand.New(rand.NewPCG(m.seed, uint64(n)))
	p := m.g.Start()
	for p.Outcome() == game.Ongoing {
		if p.Ply() < strayPlies {
			p.Play(near(rng, p, 2+strayPlies/2))
			continue
		}
		info, err := m.engine.Search(ctx, p, search.Limits{Nodes: moveNodes}, nil)
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
	if history := p.AppendHistory(nil); p.Ply() >= strayPlies {
		last := b.Cell(history[len(history)-1])
		x, y = last%columns, last/columns
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

const shortest, longest = 5, 25

// puzzle makes a puzzle of p if exactly one move wins there, in 5 to 25 plies. n is the number of the game.
func (m *Miner) puzzle(ctx context.Context, p game.Position, n int) (Puzzle, bool) {
	proof, ok := m.prover.Win(ctx, p, proofNodes)
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
		notation.FormatMoves(m.g, proof.Line), fmt.Sprintf("self-play %d/%d", m.seed, n),
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
	_, won := m.prover.Loss(ctx, p, otherNodes)
	return won
}
