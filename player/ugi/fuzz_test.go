// SPDX-License-Identifier: Apache-2.0

package ugi

import (
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
)

// FuzzParseInfo reads what a program says, and holds that its score is in range and its moves are legal.
func FuzzParseInfo(f *testing.F) {
	for _, text := range []string{
		"depth 3 multipv 1 score cp 41 nodes 12 time 3 pv a1 b2", "score mate -3 lowerbound pv c3", "pv a1 a1", "string pv a1",
		"score mate -9223372036854775808 pv a1", "score cp 9223372036854775807 pv a1", "depth -1 time 9223372036854775807 pv a1",
	} {
		f.Add(text)
	}
	g, err := mnk.MNK(3, 3, 3)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, line string) {
		i, ok := parseInfo(g.Start(), line)
		if !ok {
			return
		}
		p := g.Start()
		for _, m := range i.PV {
			if err := game.Play(p, m); err != nil {
				t.Error(err)
			}
		}
		if i.Score < -eval.WinScore || i.Score > eval.WinScore || i.Depth < 0 || i.Line < 0 || i.Time < 0 {
			t.Errorf("%q is read as %+v", line, i)
		}
	})
}
