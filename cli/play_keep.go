// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
)

// gameKeeper writes the game in progress to a file.
type gameKeeper struct {
	file  string // name of the file; if it is "", save chooses the first free name
	names [2]string
}

// save writes the game that led to the position p, and returns the name of the file.
func (k *gameKeeper) save(p game.Position) (string, error) {
	b, ok := p.(game.Board)
	if !ok {
		return "", fmt.Errorf("%s has no board of cells, so its games cannot be saved to a file", p.Game())
	}
	word, _, _ := strings.Cut(p.Game().String(), ":")
	for n, name := 1, ""; k.file == ""; n++ {
		name = fmt.Sprintf("%s-%d.sgf", word, n)
		if _, err := os.Stat(name); err != nil {
			k.file = name
		}
	}
	format := gamefile.ByName(k.file)
	if format == "" {
		format = "sgf"
	}
	data, err := gamefile.Write(format, []gamefile.Game{gamefile.New(b.Clone().(game.Board), k.names)})
	if err != nil {
		return "", err
	}
	return k.file, atomicfile.Write(k.file, data)
}

// saved returns the message with the name of the saved file, for a person who leaves the game.
func (k *gameKeeper) saved() string {
	return fmt.Sprintf("the game is in %s: krow play --resume %[1]s, krow review %[1]s", k.file)
}
