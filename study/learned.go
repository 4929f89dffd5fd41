// SPDX-License-Identifier: Apache-2.0

package study

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/learn"
)

// Learned is what a learner came to.
type Learned struct {
	File  string // its weights, in the Lab's directory
	Curve []learn.Point
}

// Learn makes the steps that are left of a learner, keeps its state and its curve after each, and writes the weights
// to a file.
func (l *Lab) Learn(ctx context.Context, gameSpec, learner string, seed uint64) (none Learned, err error) {
	title := fmt.Sprintf("%s: %s, seed %d", gameSpec, learner, seed)
	fail := func(err error) (Learned, error) { return none, fmt.Errorf("%s: %w", title, err) }
	g, err := catalog.Game(gameSpec)
	if err != nil {
		return none, err
	}
	maker, err := catalog.Learner(g, learner, seed)
	if err != nil {
		return fail(err)
	}
	key := fmt.Sprintf("learn/2/%s/%s/seed=%d", gameSpec, learner, seed)
	var state json.RawMessage
	found, err := l.get(key, &state)
	if err != nil {
		return none, err
	}
	if found {
		if err := maker.Restore(state); err != nil {
			return fail(err)
		}
	}
	done, total := maker.Steps()
	if l.ReadOnly && done < total {
		return fail(fmt.Errorf("%d of %d steps: %w", done, total, ErrMissing))
	}
	curve, err := l.curve(key, done)
	if err != nil {
		return fail(err)
	}
	// The point goes first: cut between the two, the step is made again, and comes to the same point.
	err = learn.Run(ctx, maker, func(state []byte, p learn.Point) error {
		curve = append(curve, p)
		l.Did(title, 0, false)
		if err := l.put(pointKey(key, p.Step), p); err != nil {
			return err
		}
		return l.put(key, json.RawMessage(state))
	})
	if err != nil {
		return fail(err)
	}
	file := filepath.Join(l.Dir, fmt.Sprintf("%x.json", hash(key)))
	return Learned{file, curve}, maker.Save(file)
}

func pointKey(key string, step int) string { return fmt.Sprintf("%s/%d", key, step) }

// curve reads the first points of a learning curve.
func (l *Lab) curve(key string, steps int) ([]learn.Point, error) {
	points := make([]learn.Point, steps)
	for i := range points {
		found, err := l.get(pointKey(key, i+1), &points[i])
		if err == nil && !found {
			err = fmt.Errorf("step %d has no point", i+1)
		}
		if err != nil {
			return nil, err
		}
	}
	return points, nil
}
