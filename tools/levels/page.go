// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"fmt"
	"strings"
)

const head = `# Levels

`

// page returns the page of all ladders.
func (l *ladders) page() string {
	var b strings.Builder
	b.WriteString(head)
	game, sum := "", 0
	for _, s := range l.steps {
		if s.Game != game {
			game, sum = s.Game, 0
			fmt.Fprintf(&b, "\n## %s\n\n| level | player | won, drawn, lost | Elo above the level below (95 %%) | above level 1 |\n|---|---|---|---|---|\n", game)
		}
		sum += s.Elo
		as := ""
		if s.As != "" {
			as = fmt.Sprintf(", measured as `%s`", s.As)
		}
		if s.Games == 0 {
			fmt.Fprintf(&b, "| %d | `%s`%s | | | |\n", s.Level, s.Player, as)
			continue
		}
		fmt.Fprintf(&b, "| %d | `%s`%s | %d, %d, %d | %+d (%+d to %+d) | %+d |\n", s.Level, s.Player, as, s.Won, s.Drawn, s.Lost, s.Elo, s.Low, s.High, sum)
	}
	return b.String()
}
