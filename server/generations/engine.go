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

// engine describes how networks for an engine are trained and tested.
type engine struct {
	family string // the rule of the games: the part of their specs before the colon
	mix    []string
	anew   bool // whether the training of each generation begins with random weights, even if the run began with a network
	nodes  uint64
	rate   string // argument that sets the learning rate if the learner begins with a network
	held   string // name under which the learning curve contains the loss on the held-out games
	player string // beginning of a player's spec; the name of the network's file follows
	// The games of a match begin with a balanced opening or with random moves. openings is the number of plies of the opening,
	// and random is the number of random moves. One of the two fields is 0.
	openings, random int
}

// fiveInARow is the engine for five in a row. Package learn/gomoku/network trains its networks. Three of every ten files of
// games are on boards other than 15x15.
var fiveInARow = engine{
	mix: []string{"", "", ":20", "", "", ":9", "", "", ":12", ""}, nodes: 400, rate: ",rate=0.001", held: "held-out label",
	player: "gomoku:net=", openings: 6,
}

// ultimateEngine is the engine for ultimate tic-tac-toe. Package learn/ultimate trains its networks. One network plays under
// both draw rules.
var ultimateEngine = engine{
	family: "ultimate", mix: []string{"", ":draw=boards"}, nodes: 2000, rate: ",rate=0.0005", held: "held-out",
	player: "ultimate:proof=off,net=", random: 4,
}

var fiveFamilies = []string{"gomoku", "standard", "renju", "caro"}

// engineOf returns the engine that plays the games with these specs, and the parsed games. If there is only one spec, and it is
// the name of a rule without arguments, the result contains all games of the engine's field mix.
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

// readNetwork returns the content of the file of a network for g. name is "default", "none" or the name of a file. For "none"
// the result is nil.
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

// settings returns the settings for the options o, with the engine's defaults in place of numbers that are 0. start is the
// content of the file of the network that the run begins with.
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
