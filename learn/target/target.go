// SPDX-License-Identifier: Apache-2.0

// Package target defines targets: sets of parameters that a learner can learn from the results of games alone. A target
// consists of parameters, and of a function that makes a player from values of these parameters. A learner that needs only
// the results of games (learn/spsa, learn/cmaes, learn/genetic) can learn any target.
//
// # Basics
//
//	t, err := target.Generic(g, 2)     // the threat heuristic, searched two plies deep
//	x := make([]float64, len(t.Params)) // where learning starts
//	scores, err := t.Play(ctx, []target.Pair{{A: x, B: y, Seed: 1}}, target.Playing{Plies: 6})
//	err = t.Save("learned.json", x, origin)
//
// # Coordinates
//
// A learner changes coordinates, not the parameters themselves. The units of the coordinates are chosen so that a step of 1 has
// about the same effect on the play in every coordinate. At the coordinate x = 0 a parameter has its initial value, Start:
//
//	linear   value = Start + Unit x     the weight of an indicator
//	log      value = Start · Unit^x     the weight of a threat: 1 doubles it, and it stays above 0
//
// # Caveats
//
// Games must be repeatable, so the search of a player is limited by depth or nodes, and never by time.
package target

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Target is a set of parameters to learn, with the game and the players that use the parameters. It is safe for concurrent use.
type Target struct {
	Name   string
	Game   game.Game
	Params []Param
	// Settings contains the other settings on which the players depend. They are stored in files of weights.
	Settings map[string]any

	evaluator func(values []float64) (eval.Evaluator, error) // makes the heuristic; nil if there is none
	searcher  func(values []float64) (search.Searcher, search.Limits, error)
	// player returns a player with these values of the parameters. If the function player is nil, the player chooses its moves by
	// the search that the function searcher returns.
	player func(values []float64) (player.Player, error)
	save   func(name string, values []float64, o weights.Origin) error
}

// Param describes a parameter and its coordinate.
type Param struct {
	Name  string
	Start float64
	// Unit is the number by which the value grows if the coordinate grows by 1. If Log is true, the value is not increased by
	// Unit but multiplied by it.
	Unit      float64
	Log       bool
	Whole     bool    // whether the value is rounded to an integer
	Low, High float64 // the bounds of the coordinate: Low <= 0 <= High
}

// Value returns the value of the parameter at the coordinate x. For a coordinate beyond a bound it returns the value at the bound.
func (p Param) Value(x float64) float64 {
	x = p.clamp(x)
	v := p.Start + p.Unit*x
	if p.Log {
		v = p.Start * math.Pow(p.Unit, x)
	}
	if p.Whole {
		v = math.Round(v)
	}
	return v
}

func (p Param) clamp(x float64) float64 { return min(max(x, p.Low), p.High) }

// Values returns the values of the parameters. x contains the coordinate of each parameter; the package comment defines the
// coordinates.
func (t *Target) Values(x []float64) []float64 {
	v := make([]float64, len(x))
	for i, p := range t.Params {
		v[i] = p.Value(x[i])
	}
	return v
}

// Names returns the names of the parameters.
func (t *Target) Names() []string {
	names := make([]string, len(t.Params))
	for i, p := range t.Params {
		names[i] = p.Name
	}
	return names
}

// Clamp moves each coordinate that is beyond a bound to that bound.
func (t *Target) Clamp(x []float64) {
	for i, p := range t.Params {
		x[i] = p.clamp(x[i])
	}
}

// Fits reports whether x, which was read from a file, consists of valid coordinates within the bounds.
func (t *Target) Fits(x []float64) bool {
	if len(x) != len(t.Params) {
		return false
	}
	for i, p := range t.Params {
		if !(x[i] >= p.Low && x[i] <= p.High) {
			return false
		}
	}
	return true
}

// Player returns a player with the parameters at coordinates x. Only one goroutine may use it.
func (t *Target) Player(x []float64) (player.Player, error) {
	if t.player != nil {
		return t.player(t.Values(x))
	}
	s, lim, err := t.searcher(t.Values(x))
	if err != nil {
		return nil, err
	}
	return player.FromSearcher(t.Name, s, lim), nil
}

// Evaluator returns the heuristic with these values of its parameters. Some targets, such as [MICS], have no heuristic.
func (t *Target) Evaluator(values []float64) (eval.Evaluator, error) { return t.evaluator(values) }

// Save writes the values at coordinates x to a file of weights that the player can load.
func (t *Target) Save(name string, x []float64, o weights.Origin) error {
	return t.SaveValues(name, t.Values(x), o)
}

// SaveValues writes the values of the parameters to a file of weights.
func (t *Target) SaveValues(name string, values []float64, o weights.Origin) error {
	return t.save(name, values, o)
}

// Curve returns the values for a point of the learning curve, by name. They are the values in more and the values of the
// parameters at coordinates x. Curve does not change more.
func (t *Target) Curve(x []float64, more map[string]float64) map[string]float64 {
	all := maps.Clone(more)
	for i, v := range t.Values(x) {
		all[t.Params[i].Name] = v
	}
	return all
}

// Origin returns a description of a learner of t, for the files that it writes.
func (t *Target) Origin(learner string, seed uint64, settings map[string]any) weights.Origin {
	all := map[string]any{"target": t.Name}
	maps.Copy(all, t.Settings)
	maps.Copy(all, settings)
	return weights.Origin{Game: t.Game.String(), Learner: learner, Seed: seed, Settings: all}
}

// MaxPlies is the maximum number of random plies at the beginning of a pair of games.
const MaxPlies = 128 * 128

// Pair is two games from the same opening between the players at the coordinates A and B. Each player moves first in one game.
type Pair struct {
	A, B []float64 // coordinates of the parameters of the two players
	Seed uint64    // seed of the opening
}

// Playing contains settings of pairs of games.
type Playing struct {
	Plies int // number of random plies at the beginning
	// Jobs is the number of pairs that are played at the same time; 0 means the number of processors. The results do not depend on
	// Jobs.
	Jobs int
}

// Play returns the share of the points that A won in each pair: 0, 1/4, 1/2, 3/4 or 1. The error may be an error of ctx.
func (t *Target) Play(ctx context.Context, pairs []Pair, o Playing) ([]float64, error) {
	scores := make([]float64, len(pairs))
	err := learn.Parallel(ctx, len(pairs), cmp.Or(o.Jobs, runtime.GOMAXPROCS(0)), func(ctx context.Context) (func(int) error, error) {
		return func(i int) (err error) {
			scores[i], err = t.pair(ctx, pairs[i], o.Plies)
			return err
		}, nil
	})
	if err != nil {
		return nil, err
	}
	return scores, nil
}

func (t *Target) pair(ctx context.Context, pair Pair, plies int) (float64, error) {
	a, err := t.Player(pair.A)
	if err != nil {
		return 0, err
	}
	defer player.Close(a)
	b, err := t.Player(pair.B)
	if err != nil {
		return 0, err
	}
	defer player.Close(b)
	opening := t.opening(pair.Seed, plies)
	score := 0.0
	for side, players := range [][2]player.Player{game.First: {a, b}, game.Second: {b, a}} {
		p := opening.Clone()
		for p.Outcome() == game.Ongoing {
			m, err := players[p.Turn()].Move(ctx, p, search.Limits{})
			if err == nil {
				err = ctx.Err() // if ctx stops a search, it returns a move and no error
			}
			if err != nil {
				return 0, fmt.Errorf("ply %d: %w", p.Ply()+1, err)
			}
			p.Play(m)
		}
		switch p.Outcome() {
		case game.WinFor(game.Side(side)):
			score += 0.5
		case game.Draw:
			score += 0.25
		}
	}
	return score, nil
}

// opening returns the position after plies random moves. If a random move ends the game, opening takes this move back.
func (t *Target) opening(seed uint64, plies int) game.Position {
	rng := rand.New(learn.NewSource(seed))
	p := t.Game.Start()
	if game.PlayRandom(p, plies, rng.IntN); p.Outcome() != game.Ongoing {
		p.Undo()
	}
	return p
}
