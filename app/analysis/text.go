// SPDX-License-Identifier: Apache-2.0

package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
)

// Row returns the answer as a row of a table with the columns depth, score, nodes, time and pv. It contains at most eight
// moves of pv, so that it fits into 80 columns.
func (i Info) Row() string {
	pv := strings.Join(i.PV[:min(len(i.PV), 8)], " ")
	if len(i.PV) > 8 {
		pv += " ..."
	}
	return fmt.Sprintf("%6d %9s %9s %6.1f s   %s", i.Depth, i.Short(), humanize.Count(i.Nodes), i.Time.Seconds(), pv)
}

// Summary returns the final answer of a search in words.
func (i Info) Summary() string {
	worth := ""
	if i.Solved {
		worth = "   solved: " + i.Value
	} else if i.WDL != nil {
		worth = "   " + i.WDL.String()
	}
	return fmt.Sprintf("best %s   %s nodes   %s%s", i.Best, humanize.Count(i.Nodes), humanize.Rate(i.Nodes, i.Time), worth)
}

// Columns returns the value of each column of a position p with falling stones: +41 wins in 41 plies, -40 loses in 40, = is a
// draw, and ~ marks an estimate. In other games it returns "".
func (l Lines) Columns(p game.Position) string {
	b, ok := p.(game.Board)
	if !ok || diagram.Look(b) != "falling" {
		return ""
	}
	names, worth, guess := "column", "worth ", ""
	for _, name := range diagram.New(b).Across {
		text := ""
		if i := slices.IndexFunc(l.Lines, func(i Info) bool { return i.Best == name }); i >= 0 {
			switch l := l.Lines[i]; {
			case !l.Solved:
				text, guess = fmt.Sprintf("~%.2f", l.Score.Units()), "   ~ estimate"
			case l.WinIn != nil:
				text = fmt.Sprintf("+%d", *l.WinIn)
			case l.LossIn != nil:
				text = fmt.Sprintf("-%d", *l.LossIn)
			default:
				text = map[string]string{"draw": "=", "win": "+", "loss": "-"}[l.Value]
			}
		}
		names, worth = names+fmt.Sprintf("%7s", name), worth+fmt.Sprintf("%7s", text)
	}
	return names + "\n" + worth + guess + "\n"
}
