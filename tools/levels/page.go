// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"fmt"
	"strings"
)

const head = `# Levels

Each game has a ladder of levels: players of measured strength, from one for beginners to the strongest there is. ` + "`level:3`" + ` names
the third, as an opponent (` + "`krow play gomoku --level 3`" + `), in a match and in an analysis. ` + "`level`" + ` is the middle one.

Each level was measured against the level below it, in 400 games, half of them with the sides exchanged. Elo has its interval of 95 %.
Standard gomoku, gomoku, renju and caro begin with even openings of five stones. Tic-tac-toe begins with the
empty board, ultimate and atari-go with four random moves, the others with two. The levels are limited by nodes and by chances, so that they are the same on
every machine, and the same seed plays the same game.

A level is a ` + "`limited`" + ` player: see [names](../reference/names.md). It thinks for so many nodes (` + "`nodes`" + `), and with the chance
` + "`overlook`" + ` it moves by the eye instead. The eye takes a win at once. Otherwise it weighs the stones in the rows through each cell, and
multiplies by chance (` + "`noise`" + `): it stops most fours, misses many threes, and plays near the stones.

The last level takes a second for a move. It was measured as the player named beside it, which thinks less. So its Elo here is a
lower bound, and the last step is greater than the table says: how much was not measured. Atari-go has no such level yet.

Sizes of a game share its ladder. A game of m,n,k has that of the nearest game in the table: tic-tac-toe up to 16 cells, ` + "`mnk:7,7,4`" + `
where up to four in a row win, gomoku else. The steps hold for the games that were measured.

Commands: ` + "`go run ./tools/levels fit GAME`" + ` looks for the players, from 100 games for each guess; ` + "`go run ./tools/levels measure`" + `
plays the steps that were not measured with their present players, and writes this page. Many of the players were then set by hand
from the slopes that earlier measurements showed, and measured again with the same seed where a step was too small or too great. So the
steps are a little nearer to 200 than games of another seed would say. Machine: x86-64 server, two cores, busy with other work.
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
