// SPDX-License-Identifier: Apache-2.0

package limited_test

import (
	"math"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player/limited"
)

// TestLikelihoodsSumToOne adds the likelihoods of all moves of a position, in which no move wins at once.
func TestLikelihoodsSumToOne(t *testing.T) {
	p := gametest.Must[*mnk.Game](t)(mnk.Gomoku(9)).Start()
	if err := notation.Play(p, "e5 d5 e6 e4 d6"); err != nil {
		t.Fatal(err)
	}
	moves := game.AppendSound(nil, p)
	for _, overlook := range []float64{0, 0.3, 1} {
		l := limited.New(nil, limited.Options{Overlook: overlook, Noise: 1.4})
		sum := 0.0
		for i, m := range moves {
			strong := 0.0
			if i == 7 {
				strong = 1
			}
			sum += l.Likelihood(p, m, strong)
		}
		if math.Abs(sum-1) > 0.02 {
			t.Errorf("overlook %v: the likelihoods add up to %v", overlook, sum)
		}
	}
}
