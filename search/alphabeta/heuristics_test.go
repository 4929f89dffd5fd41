// SPDX-License-Identifier: Apache-2.0

package alphabeta_test

import (
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
)

// hash is a heuristic of as many pseudo-random values, centred on 0.
type hash struct {
	values  uint64
	scale   eval.Score // 0 means 1
	unequal bool       // one side's view says nothing of the other's
	last    bool       // it depends on the move made last, too
}

func (h hash) Evaluate(p game.Position, s game.Side) eval.Score {
	x, sign := p.Key(), eval.Score(1)
	if h.unequal {
		x += uint64(s) * 77
	} else if s == game.Second {
		sign = -1
	}
	if past := p.AppendHistory(nil); h.last && len(past) > 0 {
		x += uint64(past[len(past)-1]) << 32
	}
	return sign * max(h.scale, 1) * (eval.Score(rng.Nth(x)%h.values) - eval.Score(h.values/2))
}

// dice scores moves at random.
type dice struct{}

func (dice) ScoreMove(p game.Position, m game.Move) eval.Score {
	return eval.Score(rng.Nth(p.Key()^uint64(m)) % 5)
}
