// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// longestOpening is how many bytes a line of openings may have: more than the longest game there is has.
const longestOpening = 1 << 18

// readOpenings reads a list of moves, or of Gomocup's offsets, from each line; empty lines and those that begin with # are
// passed over.
func readOpenings(g game.Game, name string) ([][]game.Move, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("openings: %w", err)
	}
	defer f.Close()
	var all [][]game.Move
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, longestOpening)
	n := 1
	for ; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
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
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("openings %s: line %d: longer than %d bytes", name, n, longestOpening)
	case err != nil:
		return nil, fmt.Errorf("openings: %w", err)
	case len(all) == 0:
		return nil, fmt.Errorf("openings %s: no opening in it", name)
	}
	return all, nil
}
