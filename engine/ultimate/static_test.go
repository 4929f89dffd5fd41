// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"testing"

	"github.com/krow-lab/krow/game"
	rules "github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
)

// TestQuiet plays random games and tries every cell that quiet returns: a move to it must not end the game, and no answer must win
// it by a line. quiet must return most of the cells for which this is true.
func TestQuiet(t *testing.T) {
	for _, r := range []rules.Rules{{}, {Draw: rules.Boards}, {Open: true}, {Draw: rules.Boards, Open: true}} {
		dice, calm, called := rng.Rand(5), 0, 0
		var moves [rules.Moves]uint8
		for range 200 {
			for b := rules.NewBoard(r); b.Result == game.Ongoing; b.Play(moves[dice.Below(b.List(&moves))]) {
				c, q := tryQuiet(t, &b)
				calm, called = calm+c, called+q
			}
		}
		if called < calm*3/4 {
			t.Errorf("%+v: %d of %d moves are called quiet", r, called, calm)
		}
	}
}

// tryQuiet returns the number of moves that are quiet, and of those that quiet returns.
func tryQuiet(t *testing.T, b *rules.Board) (calm, called int) {
	var moves [rules.Moves]uint8
	for _, m := range moves[:b.List(&moves)] {
		next := *b
		next.Play(m)
		is := next.Result == game.Ongoing && !wins(&next)
		if is {
			calm++
		}
		if quiet(b, m/9, b.Threats(b.Turn^1))>>(m%9)&1 != 0 {
			called++
			if !is {
				t.Errorf("%d is called quiet: %+v", m, *b)
			}
		}
		if next.Result == game.Ongoing && winsNow(&next) != wins(&next) {
			t.Errorf("wins now: %v, want %v: %+v", winsNow(&next), wins(&next), next)
		}
	}
	return calm, called
}

// wins reports whether a move wins by three small boards in a row.
func wins(b *rules.Board) bool {
	var moves [rules.Moves]uint8
	for _, m := range moves[:b.List(&moves)] {
		next := *b
		if next.Play(m); rules.HasLine(next.Won[b.Turn&1]) {
			return true
		}
	}
	return false
}
