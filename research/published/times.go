// SPDX-License-Identifier: Apache-2.0

package published

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/research"
)

// Cost is the time and the number of nodes of a search. Time is wall time, the shortest of several repeats.
type Cost struct {
	Nodes uint64        `json:"nodes"`
	Time  time.Duration `json:"time"`
}

// Sample contains the costs of three searches of a position in which the player was to move, each with other weights. Each search
// begins with an empty table.
type Sample struct {
	Ply    int  `json:"ply"` // ply of the player's move, from 1
	Fixed  Cost `json:"fixed"`
	Frozen Cost `json:"frozen"` // cost with the weights learned before the game
	Online Cost `json:"online"` // cost with the weights learned before and during the game
	// Update is the time for learning from the move. Online does not include it.
	Update time.Duration `json:"update"`
}

// Times contains the samples from the game of one cell.
type Times struct {
	Cell    Cell
	Samples []Sample
}

const (
	// repeats is the number of times that each search is measured. The shortest time counts, because a disturbance can only make a
	// search longer.
	repeats = 3
	every   = 3 // every third move of the player is measured, beginning with the first
)

// Time measures the extra time of a learned player's moves, for each game that Run plays with the same options. The variant
// must have an Update. Games that are not in the store are played first. Measurements are stored under keys of their own; a
// measurement that is stored is not repeated. While Time measures, nothing else should run on the machine; the session's Jobs
// apply only to the games. Cells with the same game share one Times.
func Time(ctx context.Context, s *research.Session, o Options) ([]Times, error) {
	if o.Variant.Update == nil {
		return nil, errors.New("there is nothing to compare in a variant in which nobody learns during play")
	}
	rows, err := Run(ctx, s, o)
	if err != nil {
		return nil, err
	}
	r := &runner{o, s}
	var out []Times
	known := map[string]bool{}
	for _, row := range rows {
		key := "time " + r.rowKey(row.Cell)
		if known[key] {
			continue
		}
		known[key] = true
		samples, err := research.Piece(s, key, func() ([]Sample, error) {
			w, err := r.weights(ctx, row.Cell)
			if err != nil {
				return nil, err
			}
			return measure(ctx, row, w, r.Variant)
		})
		if err != nil {
			return nil, fmt.Errorf("table %s, %s: %w", row.Cell.Table, row.Cell.Game, err)
		}
		out = append(out, Times{row.Cell, samples})
	}
	return out, nil
}

func measure(ctx context.Context, row Row, learned generic.Weights, v Variant) (samples []Sample, err error) {
	c := row.Cell
	g, err := c.game()
	if err != nil {
		return nil, err
	}
	online, _, err := seats(g, c, learned, v)
	if err != nil {
		return nil, err
	}
	frozen, err := newSide(g, online.weights, v)
	if err != nil {
		return nil, err
	}
	fixed, err := newSide(g, v.fixed(c.K), v)
	if err != nil {
		return nil, err
	}
	turns := 0
	err = follow(c, g, row.Result, func(p game.Position, m game.Move) (bool, error) {
		var s *Sample
		if turns++; turns%every == 1 {
			samples = append(samples, Sample{Ply: p.Ply() + 1})
			s = &samples[len(samples)-1]
			if err := s.search(ctx, p, fixed, frozen, online); err != nil {
				return false, err
			}
		}
		return true, online.timed(p, m, s)
	})
	return samples, err
}

// search measures searches of p by three sides. The sides alternate, so that a disturbance affects all of them.
func (s *Sample) search(ctx context.Context, p game.Position, fixed, frozen, online *side) error {
	for i := range repeats {
		for _, one := range []struct {
			side *side
			cost *Cost
		}{{fixed, &s.Fixed}, {frozen, &s.Frozen}, {online, &s.Online}} {
			nodes := one.side.Nodes
			one.side.search.Clear()
			start := time.Now()
			if _, err := one.side.move(ctx, p); err != nil {
				return err
			}
			took := time.Since(start)
			if i == 0 || took < one.cost.Time {
				*one.cost = Cost{one.side.Nodes - nodes, took}
			}
		}
	}
	return nil
}

// timed plays the side's move m and learns from it. Unless sample is nil, it also measures the update of the weights several
// times, and stores the shortest time in sample.Update.
func (s *side) timed(p game.Position, m game.Move, sample *Sample) error {
	w := s.weights
	if err := s.advance(p, m); err != nil || sample == nil {
		return err
	}
	for i := range repeats {
		start := time.Now()
		if _, err := s.update(w, p); err != nil {
			return err
		}
		if took := time.Since(start); i == 0 || took < sample.Update {
			sample.Update = took
		}
	}
	return nil
}
