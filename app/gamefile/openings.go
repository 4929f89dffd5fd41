// SPDX-License-Identifier: Apache-2.0

package gamefile

import (
	"fmt"
	"os"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// ReadOpenings reads a file of openings: moves or offsets on each line. Empty lines and those that begin with # are
// passed over.
func ReadOpenings(g game.Game, name string) ([][]game.Move, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("openings: %w", err)
	}
	var all [][]game.Move
	n := 0
	for text := range strings.Lines(string(data)) {
		n++
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		p := g.Start()
		if err := notation.Play(p, text); err != nil {
			return nil, fmt.Errorf("openings %s: line %d: %w", name, n, err)
		}
		if p.Outcome() != game.Ongoing {
			return nil, fmt.Errorf("openings %s: line %d: the game is over: %s", name, n, p.Outcome())
		}
		all = append(all, p.AppendHistory(nil))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("openings %s: no opening in it", name)
	}
	return all, nil
}
