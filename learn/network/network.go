// SPDX-License-Identifier: Apache-2.0

// Package network learns the network of the ultimate engine from games of the engine against itself.
//
// # Basics
//
//	err := selfplay.Generate(ctx, network.Engine{Net: n}, games, selfplay.Options{...}, nil) // plays games into a folder
//	l, err := network.NewCorpus(g, network.CorpusOptions{Dir: folder, Passes: 4, ...})
//	err = learn.Run(ctx, l, save) // a step is a pass over all positions
//	err = l.Save("net")           // ultimate:net=net
//
// Package server/generations repeats this: games of the previous network, a network from all games, and a match of the two.
//
// # Caveats
//
// The same seed, settings and files give the same network on the same kind of processor, whatever Jobs is. Processors that
// fuse multiplications with additions round differently.
//
// CITE: Silver et al., Mastering Chess and Shogi by Self-Play with a General Reinforcement Learning Algorithm, 2017.
// CITE: Kingma and Ba, Adam: A Method for Stochastic Optimization, 2014.
package network

import (
	"math"
	"math/rand/v2"

	engine "github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/internal/rng"
)

const most = 1_000_000

// initial returns random parameters with which most cells lie between 0 and 1.
func initial(seed uint64) *engine.Parameters {
	r := rand.New(rand.NewPCG(seed, rng.Mix(seed, 0)))
	p := new(engine.Parameters)
	for i := range p.In {
		for j := range p.In[i] {
			p.In[i][j] = float32(r.NormFloat64() * 0.05)
			if i >= engine.Inputs-2 {
				p.In[i][j] += 0.4 // of the rules: one of them is always set
			}
		}
	}
	for k := range p.Weights {
		for j := range p.Weights[k] {
			p.Weights[k][j] = float32(r.NormFloat64() / math.Sqrt(engine.Hidden))
		}
		p.Bias[k], p.Out[k] = 0.3, float32(r.NormFloat64()*0.2)
	}
	return p
}
