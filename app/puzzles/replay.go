// SPDX-License-Identifier: Apache-2.0

package puzzles

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// strategy returns the move of a side that is said to win, or false when it has none. It leaves p as it found it.
type strategy func(ctx context.Context, p game.Position) (game.Move, bool)

// checker replays wins on the rules alone: it asks the winner's strategy for each move and tries the loser's answers. An
// answer is refuted at once where a stone that the winner threatens still ends the game. Equal keys mean equal
// positions.
type checker struct {
	attack  strategy
	full    bool // all answers are tried
	sample  int  // or this number of random moves at each position, among the moves after which the winner does not win at once
	rng     *rand.Rand
	answers uint64 // stones of the loser that were tried
	won     map[uint64]bool
}

var errFalse = errors.New("not a win")

// wins returns nil if the side to move in p, which is ongoing, wins by its strategy, and else an error with the moves.
func (c *checker) wins(ctx context.Context, p game.Position) error {
	m, ok := c.attack(ctx, p)
	if !ok || !game.Legal(p, m) {
		return refuted(p, "no move")
	}
	me := p.Turn()
	p.Play(m)
	defer p.Undo()
	if o := p.Outcome(); o != game.Ongoing {
		if w, won := o.Winner(); !won || w != me {
			return refuted(p, o.String())
		}
		return nil
	}
	return c.loses(ctx, p)
}

// loses returns nil if the side to move in p loses, whatever it does, to the strategy of the other, and else an error.
func (c *checker) loses(ctx context.Context, p game.Position) error {
	key := p.Key()
	if c.won[key] {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	answers := p.AppendMoves(nil)
	ends := c.threat(p, answers)
	var rest []game.Move
	for _, a := range answers {
		open, err := c.open(p, a, ends)
		if err != nil {
			return err
		}
		if open {
			rest = append(rest, a)
		}
	}
	if !c.full && len(rest) > c.sample {
		c.rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		rest = rest[:c.sample]
	}
	for _, a := range rest {
		p.Play(a)
		err := c.wins(ctx, p)
		p.Undo()
		if err != nil {
			return err
		}
	}
	if c.won == nil {
		c.won = map[uint64]bool{}
	}
	c.won[key] = true
	return nil
}

// threat returns the winner's stones that end the game after some answer that does not stop them.
func (c *checker) threat(p game.Position, answers []game.Move) (ends []game.Move) {
	me := p.Turn()
	for _, a := range answers[:min(len(answers), 3)] {
		p.Play(a)
		if p.Outcome() == game.Ongoing {
			for _, m := range p.AppendMoves(nil) {
				if after(p, m) == game.WinFor(me.Other()) {
					ends = append(ends, m)
				}
			}
		}
		p.Undo()
	}
	return ends
}

// open reports whether the game continues after answer a, and none of the stones ends it. An answer that wins or
// draws is an error.
func (c *checker) open(p game.Position, a game.Move, ends []game.Move) (bool, error) {
	c.answers++
	me := p.Turn()
	p.Play(a)
	defer p.Undo()
	if o := p.Outcome(); o != game.Ongoing {
		if o == game.WinFor(me.Other()) {
			return false, nil // a forbidden move
		}
		return false, refuted(p, o.String())
	}
	for _, m := range ends {
		if m != a && after(p, m) == game.WinFor(me.Other()) {
			return false, nil
		}
	}
	return true, nil
}

func after(p game.Position, m game.Move) game.Outcome {
	p.Play(m)
	defer p.Undo()
	return p.Outcome()
}

// refuted returns the error that the win which led to p is none.
func refuted(p game.Position, why string) error {
	text := ""
	for _, m := range p.AppendHistory(nil) {
		text += " " + p.Game().Format(m)
	}
	return fmt.Errorf("%w: %s after%s", errFalse, why, text)
}

// byEngine returns the strategy of an engine of g with this number of nodes per move. It has no move if it proves no
// win.
func byEngine(g game.Game, nodes uint64) (strategy, error) {
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
