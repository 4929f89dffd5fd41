// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/threat"
)

// threatJSON is a threat with its cells by name, whatever the moves of the game are called.
type threatJSON struct {
	Side  string   `json:"side"`
	Size  int      `json:"size"`
	Class string   `json:"class"`
	Dir   string   `json:"dir"`
	Cells []string `json:"cells"`
	Gap   string   `json:"gap,omitempty"`
}

func newThreatsJSON(b game.Lined, threats []threat.Threat) []threatJSON {
	columns, _ := b.Size()
	list := make([]threatJSON, len(threats))
	for i, t := range threats {
		list[i] = threatJSON{Side: t.Side.String(), Size: t.Size, Class: t.Class.String(), Dir: t.Dir.String()}
		for _, c := range t.Cells {
			list[i].Cells = append(list[i].Cells, game.FormatCell(c, columns))
		}
		if t.Gap >= 0 {
			list[i].Gap = game.FormatCell(t.Gap, columns)
		}
	}
	return list
}

// printThreats lists the threats of two stones and more; single stones are threats too, but too many to read.
func printThreats(w io.Writer, b game.Lined, threats []threat.Threat) {
	for _, t := range newThreatsJSON(b, threats) {
		if t.Size < 2 {
			continue
		}
		gap := ""
		if t.Gap != "" {
			gap = "   gap " + t.Gap
		}
		fmt.Fprintf(w, "threat %-6s %d %-9s %s%s\n", t.Side, t.Size, t.Class, strings.Join(t.Cells, " "), gap)
	}
}
