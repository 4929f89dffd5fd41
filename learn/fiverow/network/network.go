// SPDX-License-Identifier: Apache-2.0

// Package network trains the network of the gomoku engine, its evaluation and its policy, on games of the engine against
// itself.
//
// # Basics
//
//	l, err := network.New(g, network.Options{Dir: "games", Passes: 6, Rate: 0.004, Lambda: 0.9, Seed: 1})
//	err = learn.Run(ctx, l, save)
//	err = l.Save("gomoku.net")
//
// The games are files that package fiverow writes, of the rule of g on boards of any size. A step is a pass over their
// positions. The label of a position is the chance that its search gave to the side to move, mixed with what the rest of the
// game showed: see package fiverow. The policy learns which of the moves that the search would look at the engine chose;
// positions beside a game have no choice. The chance of a draw learns from the results of games that were played out, and the
// rest of the network does not change for it. One game in ten is held out, and the losses are measured on those.
//
// # Caveats
//
// A state holds the parameters, not the games: the folder must hold the same files when a run goes on.
package network

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"

	engine "github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
)

// Options are the settings of a Learner.
type Options struct {
	Dir    string          // with the files of games
	From   *engine.Network // where training begins; nil: at random parameters
	Passes int             // over their positions
	Rate   float64
	Lambda float64 // weight of the rest of the game in the labels
	Seed   uint64
	Jobs   int // goroutines; 0: the number of processors
}

// Learner is a learn.Learner.
type Learner struct {
	g             game.Game
	o             Options
	done          int
	steps         int // of the descent
	positions     int // that were learned from
	p, m, v       *parameters
	base          table   // the rows where training began
	scale         float64 // of the values, so that they are spread as those of the engine without a network
	learned, held samples // read at the first step
}

var _ learn.Learner = (*Learner)(nil)

// New returns a learner for gomoku, standard, caro or renju, or an error in one line.
func New(g game.Game, o Options) (*Learner, error) {
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if _, err := gameOf(g.String()); err != nil {
		return nil, fmt.Errorf("network: the network is for ultimate tic-tac-toe, gomoku, standard, caro and renju, not %s", g)
	}
	if o.Dir == "" {
		return nil, errors.New("network: name the folder with the files of games: data=DIR")
	}
	if err := errors.Join(
		learn.Within("network: passes", o.Passes, 1, 10_000), learn.Within("network: jobs", o.Jobs, 1, learn.MaxJobs),
		learn.Positive("network: rate", o.Rate, 1), learn.Within("network: lambda", o.Lambda, 0, 1),
	); err != nil {
		return nil, err
	}
	if _, err := files(o.Dir, g); err != nil {
		return nil, err
	}
	l := &Learner{g: g, o: o, p: initial(o.Seed), m: new(parameters), v: new(parameters), scale: 1}
	if o.From != nil {
		p := o.From.Parameters()
		l.base, p.Rows = p.Rows, table{}
		if l.p = (&parameters{Parameters: *p}); !o.From.Ordered() {
			l.p.Looks = 1
		}
	}
	return l, nil
}

// initial returns random parameters with which the network hardly corrects the engine.
func initial(seed uint64) *parameters {
	r := rand.New(rand.NewPCG(seed, rng.Mix(seed, 0)))
	p := new(parameters)
	fill := func(row []float32, middle, spread float64) {
		for j := range row {
			row[j] = float32(middle + r.NormFloat64()*spread)
		}
	}
	for _, list := range shared {
		if len(list) == 1 { // of one line
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

// Steps returns the passes.
func (l *Learner) Steps() (done, total int) { return l.done, l.o.Passes }

// Step makes the next pass. The point of the curve holds the loss of the pass, in bits, and these of games held out:
//
//	static, held-out, whole    loss of result, score and label: without a network, with it, and with it in whole numbers
//	policy                     loss of the policy, in bits a move
//	top                        share of positions in which the policy likes the engine's choice best
//	draws, constant            loss of the chance of a draw, and that of the same chance for all
func (l *Learner) Step(ctx context.Context) (learn.Point, error) {
	if l.done >= l.o.Passes {
		return learn.Point{}, errors.New("all passes are done")
	}
	if l.learned.len() == 0 {
		var err error
		if l.learned, l.held, err = read(ctx, l.o.Dir, l.g, l.o.Lambda, l.o.Jobs); err != nil {
			return learn.Point{}, err
		}
	}
	p, m, v := *l.p, *l.m, *l.v // so that an error leaves l as it was
	t := &trainer{p: &p, m: &m, v: &v, base: &l.base, steps: l.steps, jobs: l.o.Jobs}
	total := float64(l.o.Passes)
	loss, err := t.pass(ctx, &l.learned, l.o.Rate, float64(l.done)/total, float64(l.done+1)/total,
		rand.New(rand.NewPCG(l.o.Seed, rng.Mix(l.o.Seed, uint64(l.done+1)))))
	if err != nil {
		return learn.Point{}, err
	}
	var s state
	before := measure(&l.held, static)
	after := measure(&l.held, func(at *position, list []cells) float32 { return s.value(t.now, at, list) })
	scale := before.spread / max(after.spread, 1)
	n, err := t.now.Network(l.g.String(), "", 1)
	if err != nil {
		return learn.Point{}, err
	}
	policy, top := policyLoss(&l.held, t.now)
	draws, constant := drawLoss(&l.held, t.now)
	values := map[string]float64{"draws": draws, "constant": constant, "loss": loss, "positions": float64(l.learned.len()), "scale": scale, "policy": policy, "top": top}
	for name, x := range map[string]losses{"static": before, "held-out": after, "whole": measure(&l.held, whole(n))} {
		values[name+" result"], values[name+" score"], values[name+" label"] = x.result, x.score, x.label
	}
	l.p, l.m, l.v, l.steps, l.scale, l.done, l.positions = &p, &m, &v, t.steps, scale, l.done+1, l.learned.len()
	return learn.Point{Step: l.done, Values: values}, nil
}

// Save writes the network so far.
func (l *Learner) Save(name string) error {
	n, err := l.p.network(&l.base).Network(family(l.g), l.recipe(), l.scale)
	if err != nil {
		return err
	}
	return atomicfile.Write(name, n.Append(nil))
}

func (l *Learner) recipe() string {
	from := ""
	if l.o.From != nil {
		from = ",from=" + l.o.From.Game()
	}
	return fmt.Sprintf("krow learn network:passes=%d,rate=%v,lambda=%v%s --game %s --seed %d: pass %d, %d positions",
		l.o.Passes, l.o.Rate, l.o.Lambda, from, l.g, l.o.Seed, l.done, l.positions)
}

func (l *Learner) origin() weights.Origin {
	o, from := l.o, ""
	if o.From != nil {
		from = fmt.Sprintf("%08x", crc32.ChecksumIEEE(o.From.Append(nil)))
	}
	names, _ := files(o.Dir, l.g) // New has found them
	for i, name := range names {
		names[i] = "/" + filepath.Base(name)
	}
	return weights.Origin{Game: l.g.String(), Learner: "network", Seed: o.Seed, Settings: map[string]any{
		"from": from, "passes": o.Passes, "rate": o.Rate, "lambda": o.Lambda, "files": len(names),
		"names": fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(strings.Join(names, "\n")))),
	}}
}

// kept is what a Learner cannot tell from its game, options and games.
type kept struct {
	Done       int     `json:"done"`
	Steps      int     `json:"steps"`
	Positions  int     `json:"positions"`
	Scale      float64 `json:"scale"`
	Parameters []byte  `json:"parameters"` // and their two moments: floats of 4 bytes, little-endian
}

// State returns the network in training.
func (l *Learner) State() ([]byte, error) {
	s := kept{Done: l.done, Steps: l.steps, Positions: l.positions, Scale: l.scale}
	for _, p := range []*parameters{l.p, l.m, l.v} {
		s.Parameters, _ = binary.Append(s.Parameters, binary.LittleEndian, p) // numbers of a fixed size always fit
	}
	return learn.Encode(l.origin(), s)
}

// Restore continues from a state of a learner of the same game, options and files; Jobs and Dir may differ.
func (l *Learner) Restore(data []byte) error {
	var s kept
	if err := learn.Decode(data, l.origin(), &s); err != nil {
		return err
	}
	all := new([3]parameters)
	if s.Done < 0 || s.Done > l.o.Passes || len(s.Parameters) != binary.Size(all) || !(s.Scale > 0) {
		return learn.ErrDamaged
	}
	_, _ = binary.Decode(s.Parameters, binary.LittleEndian, all)
	if _, err := all[0].network(&l.base).Network("", "", s.Scale); err != nil {
		return learn.ErrDamaged
	}
	l.done, l.steps, l.positions, l.scale = s.Done, s.Steps, s.Positions, s.Scale
	l.p, l.m, l.v = &all[0], &all[1], &all[2]
	return nil
}
