// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"fmt"
	"runtime/debug"

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

// set returns the player with the settings, as far as its spec takes them: a table of half the memory where no size
// is asked for, and threads.
func set(g game.Game, text string, seed uint64, s gomocup.Settings) (player.Player, error) {
	hash := s.Hash
	if s.Memory > 0 && (hash == 0 || hash > s.Memory/2) {
		hash = s.Memory / 2
	}
	var threads []string
	if s.Threads > 0 {
		threads = []string{fmt.Sprintf("threads=%d", s.Threads)}
	}
	tries := [][]string{threads, nil}
	if mb := hash >> 20; mb > 0 {
		table := fmt.Sprintf("hash=%dM", mb)
		tries = [][]string{append([]string{table}, threads...), {table}, threads, nil}
	}
	for _, args := range tries {
		if p, err := Player(g, spec.With(text, args...), seed); err == nil {
			return p, nil
		}
	}
	return Player(g, text, seed)
}
