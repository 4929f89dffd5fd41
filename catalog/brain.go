// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"fmt"
	"runtime/debug"
	"strconv"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/gomocup"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
)

// Brain returns a brain of the Gomocup protocol that plays as the player that a spec names.
func Brain(text, version string, seed uint64) gomocup.Brain {
	return gomocup.Brain{
		About: fmt.Sprintf(`name="krow", version=%q, author="the krow authors", country="", www="https://github.com/krow-lab/krow", email=""`, version),
		New: func(g game.Game, s gomocup.Settings) (player.Player, error) {
			if s.Memory > 0 {
				// What the table leaves is Go's to keep to: it collects garbage sooner rather than grow.
				debug.SetMemoryLimit(s.Memory - s.Memory/8)
			}
			return set(g, text, seed, s)
		},
		Seed: seed,
	}
}

// set returns the player with a table of half the memory and the threads of the settings, as far as its spec takes
// them and does not set them itself.
func set(g game.Game, text string, seed uint64, s gomocup.Settings) (player.Player, error) {
	hash := s.Hash
	if s.Memory > 0 && (hash == 0 || hash > s.Memory/2) {
		hash = s.Memory / 2
	}
	p, err := build("player", text, false, players, func(f newPlayer, own *spec.Spec) (player.Player, error) {
		if s.Threads > 0 {
			own.Default("threads", strconv.Itoa(min(s.Threads, maxThreads)))
		}
		if hash >= 1<<20 {
			own.Default("hash", fmt.Sprintf("%dM", hash>>20))
		}
		return f(g, own, seed)
	})
	if err != nil { // too much memory, too many threads: the spec alone
		return Player(g, text, seed)
	}
	return p, nil
}
