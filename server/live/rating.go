// SPDX-License-Identifier: Apache-2.0

package live

import (
	"time"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/server/store"
)

// Pool returns the name of the pool of a game and a class of speed, such as "gomoku blitz". A pool is a set of ratings, one for
// each member.
func Pool(game, speed string) string { return game + " " + speed }

// rating returns a function that applies a result to the ratings of both sides. Each game is a rating period of Glicko-2, and
// the days since the previous game increase the deviation of a rating.
func rating(outcome string, now time.Time) store.Rate {
	score := 0.5
	switch outcome {
	case game.WinFor(game.First).String():
		score = 1
	case game.WinFor(game.Second).String():
		score = 0
	}
	return func(first, second store.PoolRating) (store.PoolRating, store.PoolRating) {
		for _, r := range []*store.PoolRating{&first, &second} {
			if days := now.Sub(r.At).Hours() / 24; r.Games > 0 && days > 0 {
				r.Glicko = r.Idle(days)
			}
			r.Games++
			r.At = now
		}
		a, b := first.Glicko, second.Glicko
		first.Glicko = a.After([]stats.Encounter{{Opponent: b, Score: score}})
		second.Glicko = b.After([]stats.Encounter{{Opponent: a, Score: 1 - score}})
		return first, second
	}
}
