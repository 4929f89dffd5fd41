// SPDX-License-Identifier: Apache-2.0

// Package network trains the network that computes the evaluation and the policy of the gomoku engine. The training uses games
// that the engine plays against itself.
//
// # Basics
//
//	l, err := network.New(g, network.Options{Options: nnue.Options{Dir: "games", Passes: 6, Rate: 0.004, Lambda: 0.9, Seed: 1}})
//	err = learn.Run(ctx, l, save)
//	err = l.Save("gomoku.net")
//
// The games are in files written by package learn/gomoku. The games follow the rule of g, on boards of any size. The label of a
// position is a weighted average of two winning chances: one from the search of the position, the other one from the later game
// (see package learn/gomoku). The policy learns to find the engine's choice among the moves that a search would consider. A
// position that was searched but is not part of the game has no such choice. The prediction of draws is trained only on games
// with a known result, and this training changes no other weights of the network. One game in ten is held out: the network is
// not trained on it, and the losses are measured on it.
package network

import (
	"context"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"path/filepath"
	"strings"

	engine "github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn/nnue"
)

// Options are the settings of the training.
type Options struct {
	nnue.Options
	From *engine.Network // network at which training begins; nil: random parameters
}

// Learner is the type of the learner that New returns.
type Learner = nnue.Learner[parameters]

const (
	batch  = 512
	shards = 2
)

// net implements nnue.Net: the network in training.
type net struct {
	g             game.Game
	o             Options
	base          table // initial rows of the training
	now           *engine.Parameters
	gradients     [shards]gradient
	learned, held samples
}

// New returns a learner for gomoku, standard, caro or renju.
func New(g game.Game, o Options) (*Learner, error) {
	if _, err := gameOf(g.String()); err != nil {
		return nil, fmt.Errorf("network: the network is for ultimate tic-tac-toe, gomoku, standard, caro and renju, not %s", g)
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	if _, err := files(o.Dir, g); err != nil {
		return nil, err
	}
	n, p := &net{g: g, o: o}, initial(o.Seed)
	if o.From != nil {
		from := o.From.Parameters()
		n.base, from.Rows = from.Rows, table{}
		if p = (&parameters{Parameters: *from}); !o.From.Ordered() {
			p.Looks = 1
		}
	}
	return nnue.New(n, nnue.Schedule{Options: o.Options, Batch: batch, Shards: shards, First: 1, Even: true}, p), nil
}

// initial returns random parameters with which the network hardly changes the engine's evaluation.
func initial(seed uint64) *parameters {
	r := rand.New(rand.NewPCG(seed, rng.Mix(seed, 0)))
	p := new(parameters)
	fill := func(row []float32, middle, spread float64) {
		for j := range row {
			row[j] = float32(middle + r.NormFloat64()*spread)
		}
	}
	for _, list := range shared() {
		if len(list) == 1 { // the pattern has one live line, so this row belongs to a single line and not to a combination
			fill(p.Shared[list[0]][:], 0, 0.05)
		}
	}
	for i := range p.Hidden {
		fill(p.Hidden[i][:], 0, 0.1)
	}
	start := make([]float32, engine.Hidden)
	fill(start, 0.4, 0.1)
	for i := range p.Masks {
		copy(p.Masks[i][:], start)
	}
	fill(p.Out[:], 0, 0.05)
	p.Share, p.Looks = 1, 1
	return p
}

// Read reads the files of games.
func (n *net) Read(ctx context.Context) (positions int, err error) {
	n.learned, n.held, err = read(ctx, n.o.Dir, n.g, n.o.Lambda, n.o.Jobs)
	return n.learned.len(), err
}

// Use sets the parameters with which gradients are computed.
func (n *net) Use(p *parameters) { n.now = p.network(&n.base) }

// Clear sets the gradient of a shard to 0. A shard is a part of a batch of positions; the shards run in parallel.
func (n *net) Clear(shard int) { n.gradients[shard].Parameters = engine.Parameters{} }

// Add adds the gradient of position i to the gradient of a shard. It ignores its third argument, a symmetry of the board,
// because symmetric positions have the same inputs.
func (n *net) Add(shard, i int, _ uint8) (loss float64) {
	return n.gradients[shard].add(n.now, &n.learned.looks, &n.learned.positions[i], n.learned.cellsOf(i))
}

// Move moves the parameters by the sum of the gradients.
func (n *net) Move(w *nnue.Weights[parameters], rate float64, positions, steps int) {
	g := &n.gradients[0].Parameters
	for k := range n.gradients[1:] {
		nnue.Add(nnue.Floats(g), nnue.Floats(&n.gradients[1+k].Parameters))
	}
	moveRows(w, &g.Rows, rate, positions, steps)
	rest := func(p *engine.Parameters) []float32 { return nnue.Floats(p)[len(nnue.Floats(&p.Rows)):] }
	nnue.Move(nnue.NewStep(rate, positions, steps), rest(&w.P.Parameters), rest(&w.M.Parameters), rest(&w.V.Parameters), rest(g))
	all := nnue.Floats(&w.P.Hidden)
	for i, x := range all {
		all[i] = max(-engine.MostHidden, min(x, engine.MostHidden))
	}
}

// Measure adds the losses on the held-out games to values, in bits:
//
//	static, held-out, whole    losses of result, score and label: without a network, with it, and with it rounded to integers
//	policy                     loss of the policy for a move
//	top                        share of positions in which the policy rates the engine's choice highest
//	draws, constant            loss of the chance of a draw, and of a constant chance
//
// Measure returns a scale factor. Multiplied by this factor, the network's values have the same standard deviation as the
// engine's evaluation without a network.
func (n *net) Measure(values map[string]float64) (scale float64, err error) {
	var s state
	before := measure(&n.held, static)
	after := measure(&n.held, func(at *position, list []cells) float32 { return s.value(n.now, at, list) })
	scale = before.spread / max(after.spread, 1)
	integers, err := n.now.Network(n.g.String(), "", 1)
	if err != nil {
		return 0, err
	}
	values["scale"] = scale
	values["policy"], values["top"] = policyLoss(&n.held, n.now)
	values["draws"], values["constant"] = drawLoss(&n.held, n.now)
	for name, x := range map[string]losses{"static": before, "held-out": after, "whole": measure(&n.held, whole(integers))} {
		values[name+" result"], values[name+" score"], values[name+" label"] = x.result, x.score, x.label
	}
	return scale, nil
}

// File returns the network in the format of its file.
func (n *net) File(p *parameters, scale float64, pass, positions int) ([]byte, error) {
	from := ""
	if n.o.From != nil {
		from = ",from=" + n.o.From.Game()
	}
	recipe := fmt.Sprintf("krow learn network:passes=%d,rate=%v,lambda=%v%s %s --seed %d: pass %d, %d positions",
		n.o.Passes, n.o.Rate, n.o.Lambda, from, n.g, n.o.Seed, pass, positions)
	made, err := p.network(&n.base).Network(family(n.g), recipe, scale)
	if err != nil {
		return nil, err
	}
	return made.Append(nil), nil
}

// Origin returns a description of the settings and of the files of games.
func (n *net) Origin() weights.Origin {
	o, from := n.o, ""
	if o.From != nil {
		from = fmt.Sprintf("%08x", crc32.ChecksumIEEE(o.From.Append(nil)))
	}
	names, _ := files(o.Dir, n.g) // no error, because New has found the files
	for i, name := range names {
		names[i] = "/" + filepath.Base(name)
	}
	return weights.Origin{Game: n.g.String(), Learner: "network", Seed: o.Seed, Settings: map[string]any{
		"from": from, "passes": o.Passes, "rate": o.Rate, "lambda": o.Lambda, "files": len(names),
		"names": fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(strings.Join(names, "\n")))),
	}}
}
