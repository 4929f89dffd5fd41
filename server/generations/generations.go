// SPDX-License-Identifier: Apache-2.0

// Package generations trains a network on games of the engine against itself, generation by generation. It can begin without a
// network. It keeps a record of how each generation was made and tested.
//
// # Basics
//
//	r, err := generations.Begin(generations.Options{Kinds: []string{"gomoku"}, Dir: "games", From: "none", Games: 10_000, Seed: 1, ...})
//	defer r.Close()
//	err = r.Make(ctx, 3, nil) // up to generation 3
//	err = r.Save("gomoku.net")
//
// # A generation
//
//	games    played by the current best network against itself, of all kinds in turn
//	network  learned from all games of the folder: from random weights in gomoku, elsewhere from the first network
//	match    of the new network against the current best network, at equal nodes; both play each side of each
//	         opening. The match is a sequential test of 0 against 15 Elo. The new network becomes the best if the
//	         test accepts it, or if all games are played and 15 Elo is likelier than 0
//	record   one line about the generation
//
// # The folder
//
//	generations.jsonl               the settings, then a Generation on each line
//	generation-000.net              the network that the run began with, unless that was none
//	gomoku-seed-1001-00000.games.gz games of generation 1 of seed 1
//	openings.txt                    the openings of the matches
//	generation-001.state            the state of the training; deleted when the line of the generation is written
//	generation-001.net              the learned network
//	generation-001.match.jsonl      the match of this network; the name ends with .part until the match is over
//
// # Caveats
//
// Each file is written whole, and the next step depends only on the existing files. A run that was killed therefore
// continues, with the same results as an uninterrupted run. Another build may get other results, because its engine
// plays differently.
package generations

import (
	"fmt"
	"strings"

	"github.com/krow-lab/krow/internal/spec"
)

// Options describes a run. A number that is 0 stands for the default of the engine, which [Run.Settings] contains.
type Options struct {
	// Kinds contains specs of games. The first is the game of the matches. If the only spec is a name without arguments, such as
	// gomoku, the new games have different boards or rules: see engine.mix.
	Kinds      []string
	Dir        string // the folder of the run
	From       string // network that the run begins with: default, none or a file
	Games      int    // number of new games of a generation
	Nodes      uint64 // number of nodes searched for each move of the new games
	Passes     int    // number of passes of the training over the positions
	Match      int    // maximum number of games of a match
	MatchNodes uint64 // number of nodes searched for each move of a match
	Seed       uint64
}

// Settings contain everything on which the results of a run depend, except the build.
type Settings struct {
	Kinds      []string `json:"kinds"`
	From       string   `json:"from"` // checksum of the network, or none
	Learner    string   `json:"learner"`
	Games      int      `json:"games"`
	Nodes      uint64   `json:"nodes"`
	Match      int      `json:"match"`
	MatchNodes uint64   `json:"match_nodes"`
	Seed       uint64   `json:"seed"`
}

// Generation is a line of the record.
type Generation struct {
	Generation int      `json:"generation"`
	Games      int      `json:"games"`     // number of games in the folder
	Positions  int      `json:"positions"` // number of positions from which the network learned
	Loss       float64  `json:"loss"`      // training loss of the last pass
	HeldOut    *float64 `json:"held_out"`  // loss on the games held out from training; null if there are none
	Won        int      `json:"won"`       // number of games of the match that the new network won
	Drawn      int      `json:"drawn"`
	Lost       int      `json:"lost"`
	Elo        float64  `json:"elo"`
	EloError   float64  `json:"elo_error"` // half the width of the 95 % confidence interval of Elo
	LLR        float64  `json:"llr"`
	Accepted   bool     `json:"accepted"`
	Hours      float64  `json:"hours"`   // processor time of this machine since the run was last begun or continued
	Seed       uint64   `json:"seed"`    // seed of the generation
	Played     string   `json:"played"`  // checksum of the network that played the games, or none
	Network    string   `json:"network"` // checksum of the network that was learned: the first digits of its SHA-256
}

// none stands for no network.
const none = "none"

// Bounds of the options.
const (
	MostGenerations = 999
	maxSeed         = 1_000_000_000
	minGames        = 10 // at least ten, because a tenth of the games is held out from training
)

// seed returns the seed of a generation: for example, 7003 is the seed of generation 3 of the run with seed 7.
func (s Settings) seed(generation int) uint64 { return 1000*s.Seed + uint64(generation) }

func (o Options) checkNumbers() error {
	switch {
	case o.Dir == "" || strings.ContainsAny(o.Dir, ",()"):
		return &spec.Error{Msg: fmt.Sprintf("the name of a folder for games has no comma and no parenthesis: %q", o.Dir)}
	case o.Games < minGames || o.Games > 10_000_000:
		return &spec.Error{Msg: fmt.Sprintf("a generation has %d to 10000000 games, not %d", minGames, o.Games)}
	case o.Passes < 0 || o.Passes > 1000:
		return &spec.Error{Msg: fmt.Sprintf("training takes 1 to 1000 passes, not %d", o.Passes)}
	case o.Match < 2 || o.Match > 1_000_000 || o.Match%2 != 0:
		return &spec.Error{Msg: fmt.Sprintf("a match has an even number of games, 2 to 1000000, not %d", o.Match)}
	case o.MatchNodes < 1:
		return &spec.Error{Msg: "a match has at least 1 node for each move"}
	case o.Seed > maxSeed:
		return &spec.Error{Msg: fmt.Sprintf("the seed is at most %d, not %d", uint64(maxSeed), o.Seed)}
	}
	return nil
}
