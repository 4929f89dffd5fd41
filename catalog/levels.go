// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
)

// Opponent is a player of a certain strength, which has a name of its own.
type Opponent struct {
	Name    string `json:"name" doc:"what the page calls it; the texts of the page explain it"`
	Player  string `json:"player" doc:"its spec"`
	System  string `json:"system,omitempty" doc:"the published system that it is, as its authors would pick it: A to E"`
	Rival   string `json:"rival,omitempty" doc:"the published systems whose rival it is"`
	Doc     string `json:"doc"`
	Analyst bool   `json:"analyst,omitempty" doc:"says what it thinks of a position"`
}

// opponents go from the weakest to the strongest. In the middle the order is by experience, not by measurement.
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
	{Name: "level", Player: "ultimate:level=2", Doc: "the second of the engine's ten grades"},
	{Name: "level", Player: "ultimate:level=4", Doc: "the fourth of ten grades"},
	{Name: "level", Player: "ultimate:level=6", Doc: "the sixth of ten grades"},
	{Name: "level", Player: "ultimate:level=8", Doc: "the eighth of ten grades"},
	{Name: "swift", Player: "best:time=100ms", Doc: "the strongest there is, a tenth of a second"},
	{Name: "best", Player: "best:time=1s", Doc: "the strongest there is, one second"},
	{Name: "patient", Player: "best:time=5s", Doc: "the strongest there is, five seconds"},
}

// Opponents returns the graded opponents that play g, the weakest first: level 1, 2, and so on.
func Opponents(g game.Game) []Opponent {
	all := []Opponent{}
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
