// SPDX-License-Identifier: Apache-2.0

package gamefile

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
)

// Keeper writes a game in progress to a file.
type Keeper struct {
	File  string // name of the file; if it is "", Save chooses the first free name
	Names [2]string
}

// Save writes the game that led to the position p, and returns the name of the file. The extension of the name determines the
// format, which is SGF for an unknown extension.
func (k *Keeper) Save(p game.Position) (string, error) {
	b, ok := p.(game.Board)
	if !ok {
		return "", fmt.Errorf("%s has no board of cells, so its games cannot be saved to a file", p.Game())
	}
	word, _, _ := strings.Cut(p.Game().String(), ":")
	for n := 1; k.File == ""; n++ {
		name := fmt.Sprintf("%s-%d.sgf", word, n)
		if _, err := os.Stat(name); err != nil {
			k.File = name
		}
	}
	data, err := Write(cmp.Or(ByName(k.File), "sgf"), []Game{New(b.Clone().(game.Board), k.Names)})
	if err != nil {
		return "", err
	}
	return k.File, atomicfile.Write(k.File, data)
}
