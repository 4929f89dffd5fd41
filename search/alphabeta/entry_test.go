// SPDX-License-Identifier: Apache-2.0

package alphabeta

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// TestEntry packs an entry and unpacks it at another ply, where distances are other ones.
func TestEntry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ply, plies := rapid.IntRange(0, 500).Draw(t, "ply"), rapid.IntRange(0, 500).Draw(t, "distance")
		later := rapid.IntRange(0, 500).Draw(t, "later ply")
		exact := rapid.Bool().Draw(t, "exact")
		sign := eval.Score(rapid.SampledFrom([]int{-1, 1}).Draw(t, "sign"))
		want := entry{
			bound: search.Bound(rapid.IntRange(0, 2).Draw(t, "bound")), depth: rapid.IntRange(1, 600).Draw(t, "depth"),
			move: game.Move(rapid.IntRange(-1, maxMoves-1).Draw(t, "move")), proved: rapid.Bool().Draw(t, "proved"),
			valued: true,
		}
		e := want
		if rapid.Bool().Draw(t, "decided") {
			e.score, want.score = sign*eval.Win(ply+plies), sign*eval.Win(later+plies)
			if !exact {
				want.score = e.score
			}
		} else {
			e.score = sign * eval.Score(rapid.Int64Range(0, int64(eval.WinBound)).Draw(t, "score"))
			want.score = e.score
		}
		got := unpack(e.pack(ply, exact), later, exact)
		tooMuch := e.depth > maxKept || max(e.score, -e.score) > scoreMost && max(e.score, -e.score) <= eval.WinBound
		if tooMuch {
			want = entry{depth: min(e.depth, maxKept), move: e.move}
		}
		if got != want {
			t.Errorf("%+v came back as %+v, want %+v", e, got, want)
		}
	})
}
