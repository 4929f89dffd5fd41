// SPDX-License-Identifier: Apache-2.0

// Package target says what can be learned by playing alone: parameters of a player, and how to make that player.
// A learner that knows no more than the results of games (learn/spsa, learn/cmaes, learn/genetic) learns any of them.
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
// A learner moves in coordinates in which a step of 1 means about as much everywhere. 0 is the start:
//
//	linear   value = Start + Unit x     the weight of an indicator
//	log      value = Start · Unit^x     the weight of a threat: 1 doubles it, and it stays above 0
//
// # Caveats
//
// A player must choose its move by the position and the parameters alone, since games are to be the same whenever
// they are played: its limits are a depth or a number of nodes, never a time.
package target

import (
	"maps"
	"math"

	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
)

// Target is what is learned. It is safe for concurrent use.
type Target struct {
	Name     string
	Game     game.Game
	Params   []Param
	Settings map[string]any // what else the players depend on, for files
	player   func(values []float64) (player.Player, error)
	save     func(name string, values []float64, o weights.Origin) error
}

// Param is a parameter.
type Param struct {
	Name      string
	Start     float64
	Unit      float64 // what a step of 1 adds or, with Log, multiplies by
	Log       bool
	Whole     bool    // the value is rounded
	Low, High float64 // the bounds of the coordinate, at most 0 and at least 0
}

// Value returns the value at a coordinate, which counts as the bound it lies beyond.
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

// Values returns the parameters' values at coordinates.
func (t *Target) Values(x []float64) []float64 {
	v := make([]float64, len(x))
	for i, p := range t.Params {
		v[i] = p.Value(x[i])
	}
	return v
}

// Clamp moves coordinates that lie beyond the bounds to them.
func (t *Target) Clamp(x []float64) {
	for i, p := range t.Params {
		x[i] = p.clamp(x[i])
	}
}

// Fits says whether x, read from a file, are coordinates within the bounds.
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

// Player returns the player at coordinates, for one goroutine.
func (t *Target) Player(x []float64) (player.Player, error) { return t.player(t.Values(x)) }

// Save writes the values at coordinates to a file of weights that the player can load.
func (t *Target) Save(name string, x []float64, o weights.Origin) error {
	return t.save(name, t.Values(x), o)
}

// Curve returns the values by name, to plot beside more.
func (t *Target) Curve(x []float64, more map[string]float64) map[string]float64 {
	all := maps.Clone(more)
	for i, v := range t.Values(x) {
		all[t.Params[i].Name] = v
	}
	return all
}

// Origin tells of a learner of t in files.
func (t *Target) Origin(learner string, seed uint64, settings map[string]any) weights.Origin {
	all := map[string]any{"target": t.Name}
	maps.Copy(all, t.Settings)
	maps.Copy(all, settings)
	return weights.Origin{Game: t.Game.String(), Learner: learner, Seed: seed, Settings: all}
}
