// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"testing"

	"github.com/krow-lab/krow/game"
	rules "github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
)

// TestQuiet plays random games and tries every cell that is called quiet: no move to it ends the game, and no answer
// wins it by a line. Of those that are so, most are to be called quiet.
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

// tryQuiet returns how many moves are quiet, and are called so.
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

// wins says whether a move wins by three small boards in a row.
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
