// SPDX-License-Identifier: Apache-2.0

package ugi

import (
	"math"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// A score that is sent and read again means the same chance to win, whatever the scale of the player that sends it.
func TestScoresKeepTheirChance(t *testing.T) {
	g, err := mnk.MNK(3, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start()
	for _, from := range []float64{player.Share, 1, 2.2, 3.5, player.UsualScale} {
		for share := -0.98; share < 1; share += 0.07 {
			units := from * math.Log((1+share)/(1-share)) / math.Log(3)
			if from == player.Share {
				units = share
			}
			sent := search.Info{Depth: 1, Nodes: 1, Score: eval.Score(units * float64(eval.Unit)), PV: []game.Move{4}}
			read, ok := parseInfo(p, formatInfo(g, from, sent))
			want, got := player.Chance(from, sent), player.Chance((&Program{}).Scale(), read)
			if !ok || math.Abs(want-got) > 0.003 {
				t.Errorf("scale %v, %v units: the chance is %v, and %v after it was sent", from, units, want, got)
			}
		}
	}
}
