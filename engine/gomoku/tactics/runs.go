// SPDX-License-Identifier: Apache-2.0

package tactics

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// errEnough ends a game of which no more positions are wanted.
var errEnough = errors.New("enough")

// barrenGames is how many games may go by without what is looked for: on a small board it may never come.
const barrenGames = 500

// Puzzles plays games from number first on and calls found with each puzzle, until that returns false: at most one of either
// mode from a game. That 500 games have none is an error.
func (m *Miner) Puzzles(ctx context.Context, first int, found func(Puzzle) bool) error {
	for n, last := first, first; n-last < barrenGames; n++ {
		modes := map[string]bool{}
		err := m.Game(ctx, n, func(p game.Position, plies int) error {
			if plies < shortest || len(modes) == 2 {
				return nil
			}
			puzzle, ok := m.Puzzle(ctx, p, n)
			if !ok || modes[puzzle.Mode] {
				return ctx.Err()
			}
			modes[puzzle.Mode], last = true, n
			if !found(puzzle) {
				return errEnough
			}
			return nil
		})
		if errors.Is(err, errEnough) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return fmt.Errorf("no puzzle in %d games of %s", barrenGames, m.g)
}

// Answer is what a search makes of a puzzle.
type Answer struct {
	Move   game.Move
	Right  bool // the move of the solution
	Solved bool // a win is announced as proved
}

// Solve lets s answer a puzzle of g.
func (p *Puzzle) Solve(ctx context.Context, g game.Game, s search.Searcher, lim search.Limits) (Answer, error) {
	pos, err := p.Position(g)
	if err != nil {
		return Answer{}, err
	}
	right, err := p.Solution(pos)
	if err != nil {
		return Answer{}, err
	}
	info, err := s.Search(ctx, pos, lim, nil)
	if err != nil {
		return Answer{}, err
	}
	_, sign := info.Score.Distance()
	return Answer{info.PV[0], info.PV[0] == right, info.Solved && sign > 0}, nil
}

// Tally counts the wins that were replayed.
type Tally struct {
	Games, Wins, Full, Longest int
	Answers                    uint64
}

// The nodes that the winner has for a move, the plies up to which a win is replayed against every answer, and how many
// answers at a position are tried in longer ones.
const (
	replayNodes  = 1_000_000
	replayPlies  = 15
	replaySample = 4
)

// Replay plays games from number first on until so many wins were announced, and checks each of them; after each game it
// calls done. The error of a false win is ErrFalse; that none is announced in 500 games is another.
func (m *Miner) Replay(ctx context.Context, first, wins int, done func(Tally)) error {
	attack, err := Engine(m.g, replayNodes)
	if err != nil {
		return err
	}
	var t Tally
	for n, last := first, first; t.Wins < wins; n++ {
		if n-last == barrenGames {
			return fmt.Errorf("no win announced in %d games of %s", barrenGames, m.g)
		}
		t.Games++
		rng := rand.New(rand.NewPCG(m.Seed, uint64(n)))
		err := m.Game(ctx, n, func(p game.Position, plies int) error {
			if t.Wins == wins {
				return errEnough
			}
			c := Checker{Attack: attack, Full: plies <= replayPlies, Sample: replaySample, Rng: rng}
			err := c.Wins(ctx, p)
			t.Wins, last = t.Wins+1, n
			if c.Full {
				t.Full++
			}
			t.Longest, t.Answers = max(t.Longest, plies), t.Answers+c.Answers
			return err
		})
		if err != nil && !errors.Is(err, errEnough) {
			return err
		}
		done(t)
	}
	return nil
}
