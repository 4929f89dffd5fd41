// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"fmt"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/search/dfpn"
)

// tree holds all positions that can follow a position, with their results under best play.
type tree struct {
	results map[ultimate.Board]game.Outcome
	left    int // positions that may still be looked at
}

// solve returns the result of b by a search of all positions, or Ongoing if there are too many.
func (t *tree) solve(b ultimate.Board) game.Outcome {
	if b.Result != game.Ongoing {
		return b.Result
	}
	if r, ok := t.results[b]; ok {
		return r
	}
	if t.left--; t.left < 0 {
		return game.Ongoing
	}
	own := game.WinFor(game.Side(b.Turn))
	best := game.Ongoing
	var moves [ultimate.Moves]uint8
	for _, m := range moves[:b.List(&moves)] {
		next := b
		next.Play(m)
		r := t.solve(next)
		switch {
		case t.left < 0:
			return game.Ongoing
		case r == own, best == game.Ongoing, r == game.Draw && best != own:
			best = r
		}
	}
	t.results[b] = best
	return best
}

// TestStatic checks every position that can follow random late positions: results without a search are true, and positions with
// the same key have the same answer.
func TestStatic(t *testing.T) {
	for variant := range 4 {
		r := ultimate.Rules{Draw: ultimate.DrawRule(variant & 1), Open: variant > 1}
		t.Run(ultimate.New(r).String(), func(t *testing.T) {
			judged, shared := 0, 0
			for seed := range 60 {
				tr := &tree{map[ultimate.Board]game.Outcome{}, 6000}
				b := late(r, seed)
				if tr.solve(b) == game.Ongoing {
					continue
				}
				keys := map[key]string{}
				for at, result := range tr.results {
					s := newState(at)
					for attacker := range uint8(2) {
						want := dfpn.Refuted
						if result == game.WinFor(game.Side(attacker)) {
							want = dfpn.Proven
						}
						v, n := s.judge(attacker)
						if v != dfpn.Unknown && v != want {
							t.Fatalf("seed %d: %+v: judged %d for %d, want %d", seed, at, v, attacker, want)
						}
						if v != dfpn.Unknown {
							judged++
							continue
						}
						var moves [ultimate.Moves]uint8
						if got := s.moves(&moves); got != n {
							t.Fatalf("seed %d: %+v: %d moves, %d counted", seed, at, got, n)
						}
						k := s.key(attacker)
						text := fmt.Sprint(want)
						if old, ok := keys[k]; ok {
							shared++
							if old[:1] != text {
								t.Fatalf("seed %d: %+v for %d: %s, and another with key %v is %s", seed, at, attacker, text, k, old)
							}
						}
						keys[k] = text + fmt.Sprintf(" %+v", at)
					}
				}
			}
			if judged < 1000 || shared < 1000 {
				t.Errorf("only %d positions judged, %d with the key of another: this tests too little", judged, shared)
			}
		})
	}
}

// late returns a random position shortly before the end of a game.
func late(r ultimate.Rules, seed int) ultimate.Board {
	dice := rng.Rand(seed)
	plies := 4 + dice.Below(10)
	var past []ultimate.Board
	var moves [ultimate.Moves]uint8
	for b := ultimate.NewBoard(r); b.Result == game.Ongoing; b.Play(moves[dice.Below(b.List(&moves))]) {
		past = append(past, b)
	}
	return past[max(0, len(past)-plies)]
}
