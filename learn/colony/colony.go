// SPDX-License-Identifier: Apache-2.0

// Package colony makes players of the members of colonies that package learn/genetic bred, and writes them to files of
// weights.
//
// # Basics
//
//	c, err := colony.New(g, l)                 // l is a genetic.Learner after some generations
//	err = c.Save(3, "third.json")              // greedy:eval=indicators(weights=third.json)
//	f := c.Factory(1, "best")                  // for a match
//
// # Caveats
//
// Members play without a look ahead and without drawing lots: two of them play the same game again and again
// unless it begins with random plies.
//
// CITE: Eustache and Genuyt, Création d'une intelligence artificielle pour le Tic Tac Toe 9x9, 2018, whose program
// trains a colony and lets its players meet.
package colony

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/genetic"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/greedy"
)

// Colony is a generation of players.
type Colony struct {
	Game    game.Game
	Members []Member // the best first

	origin  weights.Origin
	options indicators.Options // how the members read the indicators
}

// Member is a player of a colony.
type Member struct {
	Weights indicators.Weights
	Fitness float64 // share of the games of the last generation that it won, from 0 to 1; half a draw with half_draws
	Born    int     // the generation it appeared in, from 1
}

// settings are what a colony needs of its learner's, by the names they have in files.
type settings struct {
	Target              string // empty for the published learner, whose games are won or lost against random moves
	Block, Either, Ever bool
}

// New returns the colony of a learner of a variant g of ultimate, or an error in one line when it breeds none, or
// other weights than those of the indicators, or has not begun.
func New(g game.Game, l learn.Learner) (*Colony, error) {
	bred, ok := l.(interface{ Colony() []genetic.Member })
	if !ok {
		return nil, fmt.Errorf("the learner breeds no colony")
	}
	c := &Colony{Game: g}
	state, err := l.State()
	if err == nil {
		err = json.Unmarshal(state, &c.origin) // a state begins with the same fields
	}
	if err != nil {
		return nil, fmt.Errorf("colony: %w", err)
	}
	var s struct{ Settings settings }
	if err := json.Unmarshal(state, &s); err != nil {
		return nil, fmt.Errorf("colony: settings: %w", err)
	}
	if s.Settings.Target != "" {
		return nil, fmt.Errorf("the colony is of the target %s, and no players of ultimate", s.Settings.Target)
	}
	c.options = indicators.Options{Block: s.Settings.Block, Either: s.Settings.Either, Ever: s.Settings.Ever}
	for _, m := range bred.Colony() {
		c.Members = append(c.Members, Member{c.weights(m.Values), m.Fitness, m.Born})
	}
	if len(c.Members) == 0 {
		return nil, fmt.Errorf("the colony has no members before its first generation")
	}
	return c, nil
}

// weights returns the weights of all indicators; values are of those that were bred.
func (c *Colony) weights(values []float64) indicators.Weights {
	var w indicators.Weights
	w[indicators.Win] = math.Inf(1)
	for n, i := range c.Indicators() {
		w[i] = values[n]
	}
	return w
}

// Indicators returns those whose weights were bred.
func (c *Colony) Indicators() []indicators.Indicator { return c.options.Learned() }

// Check returns an error in one line unless there is a member of this number; 1 is the best.
func (c *Colony) Check(member int) error {
	if member < 1 || member > len(c.Members) {
		return fmt.Errorf("the colony has the members 1 to %d, and no %d", len(c.Members), member)
	}
	return nil
}

// Save writes the weights of a member, from 1, to a file that the indicators can load.
func (c *Colony) Save(member int, name string) error {
	o := c.origin
	o.Settings = map[string]any{"member": member}
	for key, value := range c.origin.Settings {
		o.Settings[key] = value
	}
	return c.Members[member-1].Weights.Save(name, o)
}

// Spec returns the player that plays as a member does whose weights are in the file.
func (c *Colony) Spec(file string) string {
	text := "greedy:eval=indicators(weights=" + file
	for _, o := range []struct {
		name string
		on   bool
	}{{"block", c.options.Block}, {"either", c.options.Either}, {"ever", c.options.Ever}} {
		if o.on {
			text += "," + o.name + "=on"
		}
	}
	return text + ")"
}

// Factory makes players that play as a member does.
func (c *Colony) Factory(member int, name string) arena.Factory {
	o := c.options
	o.Weights = c.Members[member-1].Weights
	return arena.Factory{Name: name, New: func(uint64) (player.Player, error) {
		s, err := indicators.New(c.Game, o)
		if err != nil {
			return nil, err
		}
		return player.FromSearcher(name, greedy.New(s), search.Limits{}), nil
	}}
}
