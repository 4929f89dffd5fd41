// SPDX-License-Identifier: Apache-2.0

// Package ultimate trains the network of the ultimate engine on games of the engine against itself.
//
// # Basics
//
//	err := selfplay.Generate(ctx, ultimate.Engine{Net: n}, games, selfplay.Options{...}, nil) // plays games into a folder
//	l, err := ultimate.New(g, ultimate.Options{Options: nnue.Options{Dir: folder, Passes: 4, ...}, Visits: 40})
//	err = learn.Run(ctx, l, save) // a step is a pass over all positions
//	err = l.Save("net")           // ultimate:net=net
//
// The learner uses the searched positions of the games. It also uses some children of each searched position: positions one
// move later in the tree of the search. The games come from [Engine]. Games under the two draw rules (see
// Rules.Draw in game/ultimate) may be mixed.
//
// CITE: Silver et al., Mastering Chess and Shogi by Self-Play with a General Reinforcement Learning Algorithm, 2017.
package ultimate

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"

	engine "github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn/nnue"
)

// Options are the settings of the training.
type Options struct {
	nnue.Options
	From *engine.Network // training begins with this network; nil means random parameters
	// Training uses a child of a searched position with probability 1/3 if the child has at least Visits visits, otherwise with
	// probability 1/10.
	Visits int
}

// Learner is the type of the learner that New returns.
type Learner = nnue.Learner[engine.Parameters]

const (
	batch  = 4096
	shards = 4
)

// net implements nnue.Net: the network in training.
type net struct {
	o             Options
	now           *engine.Parameters
	batch         int
	gradients     [shards]gradient
	learned, held samples
}

// New returns a learner for ultimate tic-tac-toe.
func New(g game.Game, o Options) (*Learner, error) {
	if _, ok := g.(*ultimate.Game); !ok {
		return nil, fmt.Errorf("network: the network is for ultimate tic-tac-toe, not %s", g)
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	p := initial(o.Seed)
	if o.From != nil {
		p = o.From.Parameters()
	}
	return newLearner(&net{o: o, batch: batch}, o, batch, p), nil
}

func newLearner(n nnue.Net[engine.Parameters], o Options, batch int, p *engine.Parameters) *Learner {
	return nnue.New(n, nnue.Schedule{Options: o.Options, Batch: batch, Shards: shards}, p)
}

// initial returns random parameters, chosen so that most values of the layers are between 0 and 1.
func initial(seed uint64) *engine.Parameters {
	r := rand.New(rand.NewPCG(seed, rng.Mix(seed, 0)))
	p := new(engine.Parameters)
	for i := range p.In {
		for j := range p.In[i] {
			p.In[i][j] = float32(r.NormFloat64() * 0.05)
			if i >= engine.Inputs-2 {
				// The last two inputs stand for the two draw rules. Each position sets exactly one of them, so the
				// values of the first layer begin near 0.4.
				p.In[i][j] += 0.4
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

// Use sets the parameters with which gradients are computed.
func (n *net) Use(p *engine.Parameters) { n.now = p }

// Clear sets the gradient of a shard to 0.
func (n *net) Clear(shard int) { n.gradients[shard].clear() }

// Add transforms position i by a symmetry, and adds its gradient to the gradient of a shard.
func (n *net) Add(shard, i int, symmetry uint8) (loss float64) {
	return n.gradients[shard].add(n.now, &n.learned.views[i], n.learned.labels[i], symmetry)
}

// Move moves all parameters, except the weights of inputs that were 0 in all positions of this batch. These weights and their
// moments do not change.
func (n *net) Move(w *nnue.Weights[engine.Parameters], rate float64, _, steps int) {
	step, g := nnue.NewStep(rate, n.batch, steps), &n.gradients[0]
	rest := func(p *engine.Parameters) []float32 { return nnue.Floats(p)[len(nnue.Floats(&p.In)):] }
	for k := range n.gradients[1:] {
		more := &n.gradients[1+k]
		for i, set := range &more.set {
			if set {
				nnue.Add(g.In[i][:], more.In[i][:])
				g.set[i] = true
			}
		}
		nnue.Add(rest(&g.Parameters), rest(&more.Parameters))
	}
	for i, set := range &g.set {
		if set {
			nnue.Move(step, w.P.In[i][:], w.M.In[i][:], w.V.In[i][:], g.In[i][:])
		}
	}
	nnue.Move(step, rest(&w.P), rest(&w.M), rest(&w.V), rest(&g.Parameters))
	all := nnue.Floats(&w.P.Weights)
	for i, x := range all {
		all[i] = min(max(x, -engine.MaxWeight), engine.MaxWeight)
	}
}

// Measure adds the loss on the held-out files to values. Like the loss of a pass, it is in nats.
func (n *net) Measure(values map[string]float64) (scale float64, err error) {
	if n.held.len() > 0 {
		values["held-out"] = loss(n.now, &n.held)
	}
	return 1, nil
}

// File returns the network in the format of its file.
func (n *net) File(p *engine.Parameters, _ float64, pass, positions int) ([]byte, error) {
	from := ""
	if n.o.From != nil {
		from = ",from=" + checksum(n.o.From)
	}
	made, err := p.Network(fmt.Sprintf("krow learn network:data=DIR%s,passes=%d,rate=%v,lambda=%v,visits=%d ultimate --seed %d: pass %d over %d positions",
		from, n.o.Passes, n.o.Rate, n.o.Lambda, n.o.Visits, n.o.Seed, pass, positions))
	if err != nil {
		return nil, err
	}
	return made.Append(nil), nil
}

// Origin returns a description of the training: its settings, and the name of the folder with the games.
func (n *net) Origin() weights.Origin {
	o := n.o
	return weights.Origin{Game: "ultimate", Learner: "network", Seed: o.Seed, Settings: map[string]any{
		"passes": o.Passes, "rate": o.Rate, "lambda": o.Lambda, "visits": o.Visits, "data": filepath.Base(o.Dir), "from": checksum(o.From),
	}}
}

// checksum returns the checksum at the end of a network's file, or "" if n is nil.
func checksum(n *engine.Network) string {
	if n == nil {
		return ""
	}
	file := n.Append(nil)
	return fmt.Sprintf("%08x", binary.LittleEndian.Uint32(file[len(file)-4:]))
}
