// SPDX-License-Identifier: Apache-2.0

package generations

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
)

// engine says how the networks of an engine are made.
type engine struct {
	family string // of the games: the name of their rule
	mix    []string
	anew   bool // training begins at random whatever the run began with
	nodes  uint64
	rate   string // argument of a learner that begins at a network
	held   string // value of a point of the curve
	player string // spec of a player; its network follows
	// Matches begin with even openings or with random ones. These are their numbers of plies.
	openings, random int
}

// fiveInARow is the engine of the games of the networks that package learn/gomoku/network trains. Three files of games in ten
// are on other boards than 15x15.
var fiveInARow = engine{
	mix: []string{"", "", ":20", "", "", ":9", "", "", ":12", ""}, nodes: 400, rate: ",rate=0.001", held: "held-out label",
	player: "gomoku:net=", openings: 6,
}

// ultimateEngine is the engine of the networks that package learn/ultimate trains, one network for both draw rules.
var ultimateEngine = engine{
	family: "ultimate", mix: []string{"", ":draw=boards"}, nodes: 2000, rate: ",rate=0.0005", held: "held-out",
	player: "ultimate:proof=off,net=", random: 4,
}

var fiveFamilies = []string{"gomoku", "standard", "renju", "caro"}

// engineOf returns the engine of all games, and the games. One alone may stand for a mix.
func engineOf(specs []string) (e engine, kinds []game.Game, err error) {
	for _, text := range specs {
		g, err := krow.Game(text)
		if err != nil {
			return e, nil, err
		}
		kinds = append(kinds, g)
	}
	for i, g := range kinds {
		of, ok := engineFor(g.String())
		if !ok {
			return e, nil, &spec.Error{Msg: fmt.Sprintf("networks are learned of gomoku, standard, renju and caro on a square board, and of ultimate with won boards closed, not of %s", g)}
		}
		if i > 0 && of.family != e.family {
			return e, nil, &spec.Error{Msg: fmt.Sprintf("the games of a network are all of one rule: %s and %s are not", kinds[0], g)}
		}
		e = of
	}
	if len(kinds) != 1 || kinds[0].String() != e.family {
		return e, kinds, nil
	}
	kinds = nil
	for _, size := range e.mix {
		g, err := krow.Game(e.family + size)
		if err != nil {
			return e, nil, err
		}
		kinds = append(kinds, g)
	}
	return e, kinds, nil
}

func engineFor(name string) (e engine, ok bool) {
	family, args, sized := strings.Cut(name, ":")
	if family == ultimateEngine.family {
		return ultimateEngine, !sized || args == "draw=boards"
	}
	e = fiveInARow
	e.family, e.anew = family, family == "gomoku"
	_, err := strconv.Atoi(args)
	return e, slices.Contains(fiveFamilies, family) && (!sized || err == nil)
}

// readNetwork returns the file of a network of g: default, none or the name of a file. Without a network it returns nil.
func readNetwork(g game.Game, name string) (file []byte, err error) {
	if e, _ := engineFor(g.String()); e.family == ultimateEngine.family {
		n, e := krow.UltimateNet(name)
		if err = e; n != nil {
			file = n.Append(nil)
		}
	} else if nets, e := krow.GomokuNet(name); e != nil {
		err = e
	} else if n := nets(g); n != nil {
		file = n.Append(nil)
	}
	if err != nil {
		return nil, fmt.Errorf("the network to begin with: %w", err)
	}
	return file, nil
}

// settings fills in the numbers that o leaves to the engine. start is the network that the run begins with.
func (e engine) settings(o Options, kinds []game.Game, start []byte) Settings {
	s := Settings{From: none, Games: o.Games, Nodes: cmp.Or(o.Nodes, e.nodes), Match: o.Match, MatchNodes: o.MatchNodes, Seed: o.Seed}
	for _, g := range kinds {
		s.Kinds = append(s.Kinds, g.String())
	}
	passes, rate := 6, ""
	if start != nil {
		s.From = checksum(start)
		if !e.anew {
			passes, rate = 3, e.rate
		}
	}
	s.Learner = fmt.Sprintf("network:passes=%d%s", cmp.Or(o.Passes, passes), rate)
	return s
}
