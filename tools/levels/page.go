// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

const head = `# Levels

Each game has a ladder of levels: players of measured strength, from a beginner to the strongest player of krow. ` + "`level:3`" + ` names
the third level, as an opponent (` + "`krow play gomoku --level 3`" + `), in a match or in an analysis. ` + "`level`" + ` is the middle level.

Each level was measured against the previous one in 400 games, half of them with the sides exchanged.
Gomoku, standard, renju and caro begin with balanced openings of five stones, tic-tac-toe with the empty board, ultimate and atari-go with four random
moves, and the other games with two random moves. Limits of nodes and random errors make a level weaker; a clock does not. A level is therefore equally
strong on every machine, and a match with the same seed has the same games.

A level is a ` + "`limited`" + ` player ([names](../reference/names.md)). It takes an immediate win. Otherwise it searches ` + "`nodes`" + ` nodes,
or, with the probability ` + "`overlook`" + `, chooses a cell without a search. A cell then has a value, by the stones in the rows through
it, times a random factor (` + "`noise`" + `).

The last level has no limit of nodes: it takes a second for a move. In its place a weaker player was measured, which the row names
(*measured as*), so the Elo of the level is a lower bound.

All sizes of a game share a ladder. An m,n,k game has the ladder of tic-tac-toe if its board has at most 16 cells, otherwise
the ladder of ` + "`mnk:7,7,4`" + ` if k is at most 4, and the ladder of gomoku if k is greater. The Elo differences were measured only for the games below.

The review of a game estimates the level of each side. It was within one level for 80 of 87 sides of gomoku, 77 of 83 of renju, 71 of 91
of Connect Four, 99 of 100 of ultimate, 88 of 90 of pente, 85 of 87 of keryo, 86 of 94 of Connect6 and 59 of 61 of atari-go (2026-11-28, ` + "`KROW_LONG=1 go test ./app/analysis -run Levels`" + `).

| command | what it does |
|---|---|
| ` + "`go run ./tools/levels fit GAME`" + ` | finds the players of the levels, with 100 games for each candidate |
| ` + "`go run ./tools/levels measure`" + ` | measures the levels whose players have changed, and writes this page |

Many players were adjusted by hand and measured again with the same seed, so the differences are a little nearer to the intended
200 Elo than games of another seed would show. The machine was an x86-64 server with two cores and other work.
`

// page returns the page docs/measurements/levels.md with the levels of all games.
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
