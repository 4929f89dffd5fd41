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

// learning is kept after each step.
type learning struct {
	State json.RawMessage `json:"state"`
	Curve []learn.Point   `json:"curve"`
}

// Learn makes the steps that are left of a learner, keeps its state after each, and writes the weights to a file.
func (l *Lab) Learn(ctx context.Context, gameSpec, learner string, seed uint64) (none Learned, err error) {
	title := fmt.Sprintf("%s: %s, seed %d", gameSpec, learner, seed)
	g, err := catalog.Game(gameSpec)
	if err != nil {
		return none, err
	}
	maker, err := catalog.Learner(g, learner, seed)
	if err != nil {
		return none, fmt.Errorf("%s: %w", title, err)
	}
	key := fmt.Sprintf("learn/1/%s/%s/seed=%d", gameSpec, learner, seed)
	var kept learning
	found, err := l.get(key, &kept)
	if err != nil {
		return none, err
	}
	if found {
		if err := maker.Restore(kept.State); err != nil {
			return none, fmt.Errorf("%s: %w", title, err)
		}
	}
	done, total := maker.Steps()
	if l.ReadOnly && done < total {
		return none, fmt.Errorf("%s: %d of %d steps: %w", title, done, total, ErrMissing)
	}
	err = learn.Run(ctx, maker, func(state []byte, p learn.Point) error {
		kept = learning{state, append(kept.Curve, p)}
		l.Did(title, 0, false)
		return l.put(key, kept)
	})
	if err != nil {
		return none, fmt.Errorf("%s: %w", title, err)
	}
	file := filepath.Join(l.Dir, fmt.Sprintf("%x.json", hash(key)))
	return Learned{file, kept.Curve}, maker.Save(file)
}
