// SPDX-License-Identifier: Apache-2.0

package request

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/krow-lab/krow/app/training"
	"github.com/krow-lab/krow/internal/fault"
)

// savedID matches the IDs that a page without a server gives its games.
var savedID = regexp.MustCompile(`^[0-9a-f-]{13}$`)

// ReadSaved returns the games and the tries at puzzles of a file in which a page without a server saves everything. It leaves out
// games that it cannot read. The moves of the games are not checked.
func ReadSaved(data []byte) (games []Game, tries []training.Try, err error) {
	var file struct {
		Format string
		Kept   map[string]json.RawMessage
	}
	if json.Unmarshal(data, &file) != nil || file.Format != "krow site 1" {
		return nil, nil, fault.As("bad-text", errors.New("the file was not saved by a page without a server"))
	}
	for key, data := range file.Kept {
		var g Game
		if strings.HasPrefix(key, "game/") && json.Unmarshal(data, &g) == nil && key == "game/"+g.ID && savedID.MatchString(g.ID) {
			games = append(games, g)
		}
	}
	var text string
	var m training.Memory
	if json.Unmarshal(file.Kept["training"], &text) == nil && json.Unmarshal([]byte(text), &m.Kept) == nil {
		tries = m.Kept.Tries
	}
	return games, tries, nil
}
