// SPDX-License-Identifier: Apache-2.0

package puzzles

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
)

// Verified counts the puzzles that were replayed, by theme.
type Verified struct {
	Puzzles int           `json:"puzzles"`
	Wins    int           `json:"wins"` // that were replayed: of a defence, one for each wrong move that was tried
	Full    int           `json:"full"` // of those, against every answer
	Answers uint64        `json:"answers"`
	Refuted int           `json:"refuted"`
	Themes  map[Theme]int `json:"themes"`
}

// A win of up to verifyPlies is replayed against every answer, and a longer one against verifySample answers at each
// position. For a defence, verifyWrong wrong moves are tried.
const (
	verifyNodes  = 1_000_000 // of the winner, for a move
	verifyPlies  = 15
	verifySample = 4
	verifyWrong  = 30
)

// Verify replays the win of each puzzle on the rules alone; of a defence, the win after wrong moves that are drawn. It calls
// told, unless nil, after each puzzle, with the error of one that is refuted.
func Verify(ctx context.Context, all []Puzzle, told func(v Verified, refuted error)) (v Verified, err error) {
	v.Themes = map[Theme]int{}
	for i := range all {
		bad := all[i].verify(ctx, &v)
		if err := ctx.Err(); err != nil {
			return v, err
		}
		if bad != nil {
			if !errors.Is(bad, errFalse) {
				return v, fmt.Errorf("puzzle %d: %w", i+1, bad)
			}
			v.Refuted++
			bad = fmt.Errorf("puzzle %d: %w", i+1, bad)
		}
		v.Puzzles++
		v.Themes[all[i].Theme]++
		if told != nil {
			told(v, bad)
		}
	}
	return v, nil
}

func (p *Puzzle) verify(ctx context.Context, v *Verified) error {
	g, err := krow.Game(p.Game)
	if err != nil {
		return fmt.Errorf("%v", err)
	}
	pos, right, err := p.Position(g)
	if err != nil {
		return err
	}
	attack, err := byOracle(g)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(1, pos.Key()))
	if p.Theme != Defence {
		first := right
		return p.replay(ctx, v, rng, pos, func(ctx context.Context, at game.Position) (game.Move, bool) {
			if first != game.NoMove {
				m := first
				first = game.NoMove
				return m, true
			}
			return attack(ctx, at)
		})
	}
	wrong := pos.AppendMoves(nil)
	rng.Shuffle(len(wrong), func(i, j int) { wrong[i], wrong[j] = wrong[j], wrong[i] })
	tried := 0
	for _, m := range wrong {
		if m == right || tried == verifyWrong {
			continue
		}
		tried++
		pos.Play(m)
		var err error
		switch o := pos.Outcome(); {
		case o == game.Ongoing:
			err = p.replay(ctx, v, rng, pos, attack)
		case o != game.WinFor(pos.Turn()):
			err = refuted(pos, o.String())
		}
		pos.Undo()
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *Puzzle) replay(ctx context.Context, v *Verified, rng *rand.Rand, pos game.Position, attack strategy) error {
	c := checker{attack: attack, full: p.Plies <= verifyPlies, sample: verifySample, rng: rng}
	if err := c.wins(ctx, pos); err != nil {
		return err
	}
	v.Wins, v.Answers = v.Wins+1, v.Answers+c.answers
	v.Full += b2i(c.full)
	return nil
}

// byOracle returns the strategy of the prover or the exact solver of g.
func byOracle(g game.Game) (strategy, error) {
	o, err := newOracle(g)
	if err != nil {
		return nil, err
	}
	if !o.exact() {
		return byEngine(g, verifyNodes)
	}
	return func(ctx context.Context, p game.Position) (game.Move, bool) {
		v := o.value(ctx, p, verifyNodes, win)
		if v.sign <= 0 {
			return game.NoMove, false
		}
		line := o.line(ctx, p, v)
		if len(line) == 0 {
			return game.NoMove, false
		}
		return line[0], true
	}, nil
}
