// SPDX-License-Identifier: Apache-2.0

package tactics

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/krow-lab/krow/game"
)

// Strategy returns the move of a side that is said to win, or false when it has none. It leaves p as it found it.
type Strategy func(ctx context.Context, p game.Position) (game.Move, bool)

// Checker replays wins on the rules, which is all that it knows: it asks the winner's strategy for each move and tries
// the loser's answers. It leaves out no answer for the look of it: where the winner threatens to end the game, it places the
// answer and then the stone that ends it, and asks the rules who has won.
//
// Two positions with the same key are taken to be the same.
type Checker struct {
	Attack Strategy
	// Full says whether all answers are tried; otherwise Sample of them at each position, drawn by Rng, of those after which
	// the winner does not win at once.
	Full   bool
	Sample int
	Rng    *rand.Rand

	Answers uint64 // stones of the loser that were tried
	won     map[uint64]bool
}

// ErrFalse is what every refuted win is.
var ErrFalse = errors.New("not a win")

// Wins returns nil if the side to move in p, which must be ongoing, wins by its strategy, and else an error that tells
// the moves after which it does not.
func (c *Checker) Wins(ctx context.Context, p game.Position) error {
	m, ok := c.Attack(ctx, p)
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
	return c.Loses(ctx, p)
}

// Loses returns nil if the side to move in p loses, whatever it does, to the strategy of the other, and else an error.
func (c *Checker) Loses(ctx context.Context, p game.Position) error {
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
	if !c.Full && len(rest) > c.Sample {
		c.Rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		rest = rest[:c.Sample]
	}
	for _, a := range rest {
		p.Play(a)
		err := c.Wins(ctx, p)
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
func (c *Checker) threat(p game.Position, answers []game.Move) (ends []game.Move) {
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

// open says whether the game goes on after answer a, and none of the stones ends it; an answer that wins or draws is an error.
func (c *Checker) open(p game.Position, a game.Move, ends []game.Move) (bool, error) {
	c.Answers++
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

// after returns the outcome after m.
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
	return fmt.Errorf("%w: %s after%s", ErrFalse, why, text)
}
