// SPDX-License-Identifier: Apache-2.0

// Package network learns the network of the ultimate engine from nothing but games of the engine against itself.
//
// # Basics
//
//	l, err := network.New(g, network.Options{Seed: 1})
//	err = learn.Run(ctx, l, save) // a step is a generation
//	err = l.Save("net")           // ultimate:net=net
//
// A generation is
//
//	play    games of the best network so far against itself, a few hundred nodes a move; the first generation
//	        plays with the engine's heuristic, without a network
//	read    each position that was searched: what the search said of it, and how the game ended
//	train   a copy of the network on the games of the last generations, each position turned and mirrored at
//	        random
//	match   against the best: a network that does not lose becomes the best; training goes on from the
//	        trained one anyway
//
// The games begin with random moves, and now and then a random move comes later. The label of a position is
//
//	(1-Result) * what the search said + Result * how the game ended
//
// where no random move came in between, else what the search said alone.
//
// # Files
//
// With Data the games of each generation are kept as a compressed file, and not played again where that file is
// there: a generation that was cut goes on with its training. The state has all that is needed without them.
//
// # Caveats
//
// The same seed and settings give the same network on the same kind of processor, whatever Jobs is. Processors that
// fuse multiplications with additions, as those of Arm do, come to other roundings, and so to another network.
//
// CITE: Silver et al., Mastering Chess and Shogi by Self-Play with a General Reinforcement Learning Algorithm, 2017.
// CITE: Kingma and Ba, Adam: A Method for Stochastic Optimization, 2014.
package network

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"

	engine "github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/learn"
)

// Options are the settings. Where a default is told, zero stands for it.
type Options struct {
	Generations int     // 100
	Games       int     // a generation: 2000
	Nodes       int     // a move: 400
	Window      int     // generations to train on: 8
	Passes      int     // over their positions: 4
	Match       int     // games at most against the best network: 400
	Plies       int     // random moves at the beginning of a game, at most: 12
	Epsilon     float64 // the share of random moves after them
	Result      float64 // the share of the result in a label
	Rate        float64 // of learning, at the beginning of a generation's training: 0.001
	Data        string  // folder for the games, or nothing
	Seed        uint64
	Jobs        int // games at once: the number of processors
}

const most = 1_000_000

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		field *int
		value int
	}{
		{&o.Generations, 100},
		{&o.Games, 2000},
		{&o.Nodes, 400},
		{&o.Window, 8},
		{&o.Passes, 4},
		{&o.Match, 400},
		{&o.Plies, 12},
		{&o.Jobs, runtime.GOMAXPROCS(0)},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if o.Rate == 0 {
		o.Rate = 0.001
	}
	return o
}

func (o Options) check() error {
	switch {
	case min(o.Generations, o.Games, o.Nodes, o.Window, o.Passes, o.Match, o.Jobs) < 1:
		return errors.New("network: generations, games, nodes, window, passes, match and jobs must be positive")
	case max(o.Generations, o.Games, o.Nodes, o.Window, o.Passes, o.Match, o.Jobs) > most:
		return fmt.Errorf("network: at most %d generations, games, nodes, passes and jobs", most)
	case o.Plies < 0 || o.Plies > 40:
		return fmt.Errorf("network: 0 to 40 random plies, not %d", o.Plies)
	case !(o.Epsilon >= 0 && o.Epsilon < 1) || !(o.Result >= 0 && o.Result <= 1) || !(o.Rate > 0 && o.Rate < 1):
		return errors.New("network: epsilon, result and rate must lie between 0 and 1")
	}
	return nil
}

// Learner is a learn.Learner.
type Learner struct {
	g      *ultimate.Game
	o      Options
	done   int
	played uint64             // games in all
	p      *engine.Parameters // in training
	best   *engine.Network    // nil at first
	spare  *engine.Network    // the one that lost least to the heuristic, until there is a best
	behind float64            // what spare lost by, in Elo
	elo    float64            // of best above the heuristic: the sum of all gains
	window []*games           // of the last generations
}

var _ learn.Learner = (*Learner)(nil)

// New returns a learner for ultimate tic-tac-toe, or an error in one line.
func New(g game.Game, o Options) (*Learner, error) {
	u, ok := g.(*ultimate.Game)
	if !ok {
		return nil, fmt.Errorf("network: the network is for ultimate tic-tac-toe, not %s", g)
	}
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	return &Learner{g: u, o: o, p: initial(o.Seed)}, nil
}

// Steps returns the generations.
func (l *Learner) Steps() (done, total int) { return l.done, l.o.Generations }

// Save writes the best network so far: where none has held its own against the heuristic, the one that came nearest.
// Before the first match it is the one that training begins with.
func (l *Learner) Save(name string) error {
	n := l.best
	if n == nil {
		n = l.spare
	}
	if n == nil {
		var err error
		if n, err = l.p.Network(l.recipe()); err != nil {
			return err
		}
	}
	return wholefile.Write(name, n.Append(nil))
}

// recipe tells how the network in training came about.
func (l *Learner) recipe() string {
	o := l.o
	return fmt.Sprintf("krow learn network:games=%d,nodes=%d,window=%d,passes=%d,match=%d,plies=%d,epsilon=%g,result=%g,rate=%g "+
		"--game %s --seed %d: generation %d, %d games",
		o.Games, o.Nodes, o.Window, o.Passes, o.Match, o.Plies, o.Epsilon, o.Result, o.Rate, l.g, o.Seed, l.done, l.played)
}

func (l *Learner) origin() weights.Origin {
	o := l.o
	return weights.Origin{Game: l.g.String(), Learner: "network", Seed: o.Seed, Settings: map[string]any{
		"generations": o.Generations, "games": o.Games, "nodes": o.Nodes, "window": o.Window, "passes": o.Passes,
		"match": o.Match, "plies": o.Plies, "epsilon": o.Epsilon, "result": o.Result, "rate": o.Rate,
	}}
}

// initial returns parameters drawn so that the hidden cells lie between 0 and 1 in most positions.
func initial(seed uint64) *engine.Parameters {
	r := rand.New(rand.NewPCG(seed, rng.Mix(seed, 0)))
	p := new(engine.Parameters)
	for j := range engine.Hidden {
		for i := range engine.Inputs {
			p.In[i][j] = float32(r.NormFloat64() * 0.07)
		}
		p.Bias[j], p.Out[j] = 0.4, float32(r.NormFloat64()*0.05)
	}
	return p
}
