// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"fmt"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
)

// Opponent is a player to choose, which has a name of its own.
type Opponent struct {
	Name    string `json:"name" doc:"what the page calls it; the texts of the page explain it"`
	Player  string `json:"player" doc:"its spec"`
	Level   int    `json:"level,omitempty" doc:"of the ladder, from 1 for beginners; only these are ordered by strength"`
	Elo     int    `json:"elo,omitempty" doc:"of a level: measured, above level 1"`
	Usual   bool   `json:"usual,omitempty" doc:"the level to begin with"`
	System  string `json:"system,omitempty" doc:"the published system that it is, as its authors would pick it: A to E"`
	Rival   string `json:"rival,omitempty" doc:"the published systems whose rival it is"`
	Doc     string `json:"doc"`
	Analyst bool   `json:"analyst,omitempty" doc:"says what it thinks of a position"`
}

// opponents stand apart from the ladder: nobody measured all of them against each other.
var opponents = []Opponent{
	{Name: "random", Player: "random", Doc: "any move that no rule forbids"},
	{Name: "glance", Player: "greedy", Doc: "the move that looks best one ply ahead"},
	{Name: "rules", Player: "rules", Doc: "win, block, fork, prevent a fork, most lines"},
	{Name: "shevchenko", Player: "alphabeta:depth=2,eval=shevchenko", Rival: "A, E", Doc: "own threats only, two plies"},
	{Name: "indicators", Player: "minimax:depth=4,eval=indicators", System: "B", Doc: "indicators of moves, looked at four plies deep"},
	{Name: "chua", Player: "alphabeta:depth=4,eval=chua", Rival: "A, E", Doc: "threats of both sides alike, four plies"},
	{Name: "brute", Player: "alphabeta:depth=4,eval=brute", Rival: "E", Doc: "threats with fixed weights, four plies"},
	{Name: "threats", Player: "alphabeta:depth=4,eval=generic", System: "A, E", Doc: "threats with weights learned on such a board, four plies"},
	{Name: "lines", Player: "lines", System: "C", Doc: "lines that one side holds alone, as deep as the position allows"},
	{Name: "mics", Player: "mics:time=1s", System: "D", Doc: "the best cells by missing stones, one second"},
	{Name: "best", Player: "best:time=1s", Doc: "the strongest there is, one second"},
	{Name: "patient", Player: "best:time=5s", Doc: "the strongest there is, five seconds"},
}

// Opponents returns the levels of g, the weakest first, and then the other players of g.
func Opponents(g game.Game) []Opponent {
	all := []Opponent{}
	for _, l := range Levels(g) {
		doc := "for beginners"
		if l.Level > 1 {
			doc = fmt.Sprintf("%d Elo above level 1", l.Elo)
		}
		all = append(all, Opponent{
			Name: "level", Player: fmt.Sprintf("level:%d", l.Level), Level: l.Level, Elo: l.Elo, Usual: l.Level == Middle(g), Doc: doc, Analyst: true,
		})
	}
	for _, o := range opponents {
		p, err := Player(g, o.Player, 1)
		if err != nil {
			continue
		}
		_, o.Analyst = p.(player.Analyst)
		player.Close(p)
		all = append(all, o)
	}
	return all
}
