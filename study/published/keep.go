// SPDX-License-Identifier: Apache-2.0

package published

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/learn"
)

// What a run keeps, and under which keys. Cells that are the same game, as those of 4.13 and 4.1, share theirs:
//
//	published/1/LEARNER/state/GAME                                 of the learner, after each episode
//	published/1/LEARNER/VARIANT/GAME/PLAYER/OPPONENT/first|second  a played
//	time published/1/...the same...                                []Sample, the only one that holds times
//
// The 1 is the version of the format.

// played is what is kept of a cell.
type played struct {
	Result      Result       `json:"result"`
	Explanation *Explanation `json:"explanation,omitempty"`
}

// key returns a key of the store.
func (r *runner) key(parts ...string) string {
	return "published/1/" + r.Learner + "/" + strings.Join(parts, "/")
}

// rowKey returns the key of the game of c.
func (r *runner) rowKey(c Cell) string {
	return r.key(r.Variant.String(), c.Game, c.Player, c.Opponent, c.seat().String())
}

// get reads the value of a key into v, and says whether there is one.
func (r *runner) get(key string, v any) (bool, error) {
	data, err := r.Store.Get(key)
	if err != nil || data == nil {
		return false, err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return false, fmt.Errorf("%s: %w", key, err)
	}
	return true, nil
}

func (r *runner) put(key string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return r.Store.Put(key, data)
}

// weights returns the weights learned for the game of c, after the episodes that are left.
func (r *runner) weights(ctx context.Context, c Cell) (none generic.Weights, err error) {
	g, err := c.game()
	if err != nil {
		return none, err
	}
	l, err := r.Learn(g)
	if err != nil {
		return none, fmt.Errorf("%s: %w", c.Game, err)
	}
	key := r.key("state", c.Game)
	state, err := r.Store.Get(key)
	if err != nil {
		return none, err
	}
	if state != nil {
		if err := l.Restore(state); err != nil {
			return none, fmt.Errorf("%s: %w", key, err)
		}
		if done, total := l.Steps(); r.ReadOnly && done < total {
			return none, r.Store.Put(key, state)
		}
	}
	save := func(state []byte, _ learn.Point) error { return r.Store.Put(key, state) }
	if err := learn.Run(ctx, l, save); err != nil {
		return none, fmt.Errorf("%s: %w", c.Game, err)
	}
	return l.Weights(), nil
}

// row returns the row of c: from the store, or played now.
func (r *runner) row(ctx context.Context, c Cell, w generic.Weights) (Row, error) {
	key := r.rowKey(c)
	var kept played
	known, err := r.get(key, &kept)
	if err != nil {
		return Row{}, err
	}
	if !known {
		if kept, err = r.compute(ctx, c, w); err != nil {
			return Row{}, err
		}
		if err := r.put(key, kept); err != nil {
			return Row{}, err
		}
	}
	return Row{c, kept.Result, kept.Explanation}, nil
}

// compute plays c, and explains it when it is lost.
func (r *runner) compute(ctx context.Context, c Cell, w generic.Weights) (played, error) {
	result, err := Play(ctx, c, w, r.Variant)
	if err != nil || result.Verdict != Loss {
		return played{Result: result}, err
	}
	why, err := Explain(ctx, c, result, w, r.Variant)
	return played{result, &why}, err
}
