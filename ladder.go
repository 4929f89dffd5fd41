// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
)

// Level is a player of measured strength, one of the levels of a game's ladder.
type Level struct {
	Level  int    `json:"level" doc:"from 1 for beginners"`
	Player string `json:"player" doc:"spec of the player"`
	Elo    int    `json:"elo" doc:"measured, above level 1"`
}

// Step is a line of ladders.jsonl: a level, and the result of its match against the level below.
type Step struct {
	Game   string `json:"game"`
	Level  int    `json:"level"`
	Player string `json:"player"`
	As     string `json:"as,omitempty"` // the player that was measured, if it is not Player itself: Player is then limited by time
	// The following fields are zero for level 1, and for a level that was not measured yet.
	Against string `json:"against,omitempty"` // the player of the level below
	Games   int    `json:"games,omitempty"`
	Won     int    `json:"won,omitempty"`
	Drawn   int    `json:"drawn,omitempty"`
	Lost    int    `json:"lost,omitempty"`
	Elo     int    `json:"elo,omitempty"`
	Low     int    `json:"low,omitempty"` // lower end of the 95 % interval of Elo; High is the upper end
	High    int    `json:"high,omitempty"`
	Seed    uint64 `json:"seed,omitempty"`
	Date    string `json:"date,omitempty"`
}

// Measured returns the spec of the player that was measured.
func (s Step) Measured() string { return cmp.Or(s.As, s.Player) }

//go:embed ladders.jsonl
var laddersFile []byte

// Ladders returns the steps of all games, as tools/levels measured them. The steps of a game begin with level 1.
var Ladders = sync.OnceValue(func() []Step {
	all, err := ReadLadders(laddersFile)
	if err != nil {
		panic("ladders.jsonl: " + err.Error()) // the file is embedded, so this is a bug
	}
	return all
})

// ReadLadders reads steps from data in the format of ladders.jsonl: one step per line.
func ReadLadders(data []byte) (all []Step, err error) {
	for line := range bytes.Lines(data) {
		var s Step
		if err := json.Unmarshal(line, &s); err != nil {
			return nil, fmt.Errorf("line %d: %w", len(all)+1, err)
		}
		all = append(all, s)
	}
	return all, nil
}

// Levels returns the ladder of g, from level 1 up. A game without a measured ladder has the ladder of the most similar game: see
// LadderOf.
func Levels(g game.Game) (all []Level) {
	of, elo := LadderOf(g), 0
	for _, s := range Ladders() {
		if s.Game == of {
			elo += s.Elo
			all = append(all, Level{Level: s.Level, Player: s.Player, Elo: elo})
		}
	}
	return all
}

// Middle returns the level that is suggested to a person who has not played before: the middle of the ladder.
func Middle(g game.Game) int { return (len(Levels(g)) + 1) / 2 }

// LadderOf names the game on which the ladder of g was measured. All board sizes of a game share one ladder. The specs of mnk
// and tictactoe use one of three ladders: the ladder of tic-tac-toe if the board is so small that a search reaches the end of
// the game, otherwise the ladder of mnk:7,7,4 if k is at most 4, and otherwise the ladder of gomoku.
func LadderOf(g game.Game) string {
	name, _, _ := strings.Cut(g.String(), ":")
	if name != "mnk" && name != "tictactoe" {
		return name
	}
	b, ok := g.Start().(game.Lined)
	switch {
	case ok && len(b.Cells()) <= smallBoard:
		return "tictactoe"
	case ok && b.K() <= 4:
		return "mnk:7,7,4"
	}
	return "gomoku"
}

// Opponent is a player that a person can choose by name.
type Opponent struct {
	Name    string `json:"name" doc:"name of the opponent in the page"`
	Player  string `json:"player" doc:"its spec"`
	Level   int    `json:"level,omitempty" doc:"level of the ladder, from 1 for beginners; only levels are ordered by strength"`
	Elo     int    `json:"elo,omitempty" doc:"measured Elo of a level above level 1"`
	Usual   bool   `json:"usual,omitempty" doc:"whether it is the default level"`
	System  string `json:"system,omitempty" doc:"letter of the published system, A to E, that it implements with the authors' best settings"`
	Rival   string `json:"rival,omitempty" doc:"published systems that were tested against this player"`
	By      string `json:"by,omitempty" doc:"authors of the published systems in system or rival"`
	Doc     string `json:"doc"`
	Analyst bool   `json:"analyst,omitempty" doc:"whether it can analyse a position"`
	Side    string `json:"side,omitempty" enum:"first,second" doc:"side with which it cannot lose, because it has a certificate of the empty board"`
}

// byE and byA name the authors of the published systems E and A. System E is the thesis on which the paper of system A is
// based.
const byE, byA = "Abdoulaye 2017", "Abdoulaye, Houndji, Ezin, Aglin 2018; " + byE

// ofB contains the opponents that are players of the published system B in ultimate tic-tac-toe. The key is the name of the
// opponent, and the value is the player's name in the report of system B.
var ofB = map[string]string{"random": "IA dummy", "glance": "IA heuri", "indicators": "IA mini"}

// opponents contains the players that are not levels of a ladder: they were not all measured against each other, so they are
// not ordered by strength.
var opponents = []Opponent{
	{Name: "random", Player: "random", Doc: "any move that no rule forbids"},
	{Name: "glance", Player: "greedy", Doc: "the move that looks best one ply ahead"},
	{Name: "rules", Player: "rules", Doc: "win, block, fork, prevent a fork, most lines"},
	{Name: "shevchenko", Player: "alphabeta:depth=4,eval=shevchenko", Rival: "A, E", By: byA, Doc: "own threats only, four plies"},
	{Name: "indicators", Player: "minimax:depth=4,eval=indicators", System: "B", Doc: "indicators of moves, looked at four plies deep"},
	{Name: "chua", Player: "alphabeta:depth=4,eval=chua", Rival: "A, E", By: byA, Doc: "threats of both sides alike, four plies"},
	{Name: "brute", Player: "alphabeta:depth=4,eval=brute", Rival: "E", By: byE, Doc: "threats with fixed weights, four plies"},
	{Name: "threats", Player: "alphabeta:depth=4,eval=generic", System: "A, E", By: byA, Doc: "threats with weights learned on such a board, four plies"},
	{Name: "lines", Player: "lines", System: "C", By: "Li, Nguyen, Talasila, Zhang", Doc: "lines that one side holds alone, as deep as the position allows"},
	{Name: "mics", Player: "mics:time=1s,weights=authors", System: "D", By: "Huang, Spadaccini 2022", Doc: "the best cells by missing stones, once"},
	{Name: "deepened", Player: "mics:time=1s", Doc: "system D's player with values tuned here, deeper and deeper for one second"},
	{Name: "best", Player: "best:time=1s", Doc: "the strongest there is, one second"},
	{Name: "patient", Player: "best:time=5s", Doc: "the strongest there is, five seconds"},
	{Name: "proof", Player: "proof", Doc: "the moves of a certificate, and the strongest there is where it has none"},
}

// Opponents returns the levels of g, the weakest first, and then the other opponents of g.
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
		// The player is made only to see whether it plays g, so a small transposition table is enough.
		r := request{kind: "player", text: o.Player, game: g, prepare: func(s *spec.Spec) { s.Default("hash", "1M") }}
		p, err := build(r, players, func(f newPlayer, s *spec.Spec) (player.Player, error) { return f(g, s, 1) })
		if err != nil {
			continue
		}
		_, o.Analyst = p.(player.Analyst)
		player.Close(p)
		if o.Name == "proof" {
			o.Side = proofSide(g)
		}
		if name := ofB[o.Name]; name != "" && engine.Plays(g) {
			o.System, o.By = "B", "Eustache, Genuyt 2018, "+name
		}
		all = append(all, o)
	}
	return all
}

// MenuItem is a line of a menu of opponents.
type MenuItem struct {
	Player string // spec of the opponent
	Group  string // heading above the first line of the group
	Name   string
	About  string // description in one sentence
}

// Menu returns the lines of a menu of the opponents of g, and the index of the default opponent. The levels come first, then the
// players that implement published systems, then all other opponents.
func Menu(g game.Game) (items []MenuItem, usual int) {
	var levels, systems, others []MenuItem
	for _, o := range Opponents(g) {
		switch {
		case o.Level > 0:
			if o.Usual {
				o.Doc, usual = o.Doc+", the usual one", len(levels)
			}
			levels = append(levels, MenuItem{o.Player, "levels, measured against each other", fmt.Sprintf("level %d", o.Level), o.Doc})
		case o.System != "":
			name := fmt.Sprintf("system %s: %s", o.System, o.By)
			systems = append(systems, MenuItem{o.Player, "players of published texts, as their authors would pick them", name, o.Doc})
		default:
			if o.Rival != "" {
				o.Doc = "a published opponent: " + o.Doc
			}
			others = append(others, MenuItem{o.Player, "other players", o.Name, o.Doc})
		}
	}
	return slices.Concat(levels, systems, others), usual
}

// OpponentNamed returns the spec of the opponent of g with the name text. It returns text itself if there is no such opponent, or
// if text is already the name of a player.
func OpponentNamed(g game.Game, text string) string {
	if slices.ContainsFunc(List("players"), func(e Item) bool { return e.Name == text }) {
		return text
	}
	for _, o := range Opponents(g) {
		if o.Name == text && o.Level == 0 {
			return o.Player
		}
	}
	return text
}

// ShownName returns the name of a player as a board shows it: "level 5" for a level of g, otherwise the spec.
func ShownName(g game.Game, text string) string {
	if text == "level" {
		return fmt.Sprintf("level %d", Middle(g))
	}
	return strings.Replace(text, "level:", "level ", 1)
}
