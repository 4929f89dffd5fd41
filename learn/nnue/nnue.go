// SPDX-License-Identifier: Apache-2.0

// Package nnue trains the networks of package engine/nnue: small networks with integer weights, in which a move changes only a few
// inputs.
//
// # Basics
//
//	l := nnue.New(net, nnue.Schedule{Options: o, Batch: 512, Shards: 2}, parameters)
//	err = learn.Run(ctx, l, save) // a step is a pass over all positions
//	err = l.Save("gomoku.net")
//
// A [Net] implements what differs between games: positions and their labels, the forward pass and its gradient, and the
// learning rate of each parameter. This package implements what all games share: the passes over the positions, the batches,
// the parts of a batch that run in parallel (shards), the schedule of the learning rate, the optimiser, the kernels of dense
// layers, and the saved states.
//
// # Caveats
//
// The same seed, settings and files give the same network on the same kind of processor, independent of Jobs. Some kinds of
// processors fuse a multiplication with an addition and then round differently, so their networks differ slightly. A state
// holds the parameters, not the games: when training resumes, the folder Options.Dir must contain the same files.
//
// CITE: Silver et al., Mastering Chess and Shogi by Self-Play with a General Reinforcement Learning Algorithm, 2017.
package nnue

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"unsafe"

	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
)

// Net is a network in training, together with the positions on which it is trained. P is the type of its parameters, a struct that
// contains only float32.
type Net[P any] interface {
	// Origin returns a description of all data and settings on which the result depends.
	Origin() weights.Origin
	// Read reads the positions on which the network is trained, and returns their number.
	Read(ctx context.Context) (positions int, err error)
	// Use sets the parameters with which the next gradients are computed.
	Use(p *P)
	// Clear sets the gradient of a shard to 0. Add adds the gradient of the loss at position i to the shard's gradient, and returns
	// the loss. It may first transform the position by one of eight symmetries. Several goroutines may call Add at once, for
	// different shards.
	Clear(shard int)
	Add(shard, position int, symmetry uint8) (loss float64)
	// Move moves the parameters by one step of the optimiser. The gradient is the sum of the gradients of all shards, and so a
	// sum over n positions. steps is the number of the step, from 1.
	Move(w *Weights[P], rate float64, n, steps int)
	// Measure is called after a pass. It adds to values the numbers that become part of the pass's point of the learning curve.
	// It returns the scale: the factor by which File multiplies the values of the network.
	Measure(values map[string]float64) (scale float64, err error)
	// File returns the network in the format of its file.
	File(p *P, scale float64, pass, positions int) ([]byte, error)
}

// Weights contains the parameters P and the two moments of their gradient: the running averages M of the gradient and V of
// its square (see [Step.Move]).
type Weights[P any] struct{ P, M, V P }

// Floats returns a slice of all numbers in a struct or array that contains only float32. The slice shares the memory of the
// struct or array.
func Floats[P any](p *P) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(p)), unsafe.Sizeof(*p)/4)
}

// Options are the settings that all networks have.
type Options struct {
	Dir    string // folder with the files of games
	Passes int    // number of passes over the positions
	Rate   float64
	// Lambda is the weight that the rest of the game has in the label of a position. 1 - Lambda is the weight of the search at
	// the position.
	Lambda float64
	Seed   uint64
	Jobs   int // number of goroutines; 0 means the number of processors
}

// Check returns an error for invalid options. If Jobs is 0, Check sets it to the number of processors.
func (o *Options) Check() error {
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if o.Dir == "" {
		return errors.New("network: name the folder with the files of games: data=DIR")
	}
	return errors.Join(
		learn.Within("network: passes", o.Passes, 1, 10_000), learn.Within("network: jobs", o.Jobs, 1, learn.MaxJobs),
		learn.Positive("network: rate", o.Rate, 1), learn.Within("network: lambda", o.Lambda, 0, 1),
	)
}

// Files returns the names of the files of a folder that match a pattern, or an error if there are none.
func Files(dir, pattern string) (names []string, err error) {
	names, err = fs.Glob(os.DirFS(dir), pattern) // filepath.Glob would also treat special characters in the folder's name as a pattern
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("no files of games: %s", filepath.Join(dir, pattern))
	}
	for i, name := range names {
		names[i] = filepath.Join(dir, name)
	}
	return names, err
}

// Schedule contains the settings of the passes.
type Schedule struct {
	Options
	Batch  int // number of positions in a step of the optimiser
	Shards int // number of parts of a batch; the parts' gradients are added in a fixed order, so Jobs does not change the sum
	First  int // number of the first pass; the order of the positions in a pass depends on its number
	// If Even is true, the learning rate falls by the same amount after every batch. Otherwise it falls in proportion to the batch's
	// size, so it falls less after the shorter last batch of a pass.
	Even bool
}

// Learner is a learn.Learner that trains a network.
type Learner[P any] struct {
	Schedule
	net       Net[P]
	w         *Weights[P]
	done      int
	steps     int // number of steps that the optimiser has made
	positions int // number of positions in a pass; 0 before the first pass
	scale     float64
	read      bool
}

// New returns a learner that begins at the parameters p.
func New[P any](net Net[P], s Schedule, p *P) *Learner[P] {
	return &Learner[P]{Schedule: s, net: net, w: &Weights[P]{P: *p}, scale: 1}
}

// Steps returns the number of completed passes, and of all passes.
func (l *Learner[P]) Steps() (done, total int) { return l.done, l.Passes }

// Step makes the next pass over the positions. The returned point of the learning curve contains the mean loss, the number of
// positions, and the values that the Net adds.
func (l *Learner[P]) Step(ctx context.Context) (learn.CurvePoint, error) {
	next := *l // a copy, so that l is unchanged after an error
	if !l.read {
		var err error
		if next.positions, err = l.net.Read(ctx); err != nil {
			return learn.CurvePoint{}, err
		}
		l.read, next.read, l.positions = true, true, next.positions
	}
	w := *l.w
	next.w = &w
	loss, err := next.makePass(ctx)
	if err != nil {
		return learn.CurvePoint{}, err
	}
	next.done++
	values := map[string]float64{"loss": loss, "positions": float64(next.positions)}
	if next.scale, err = l.net.Measure(values); err != nil {
		return learn.CurvePoint{}, err
	}
	*l = next
	return learn.CurvePoint{Step: l.done, Values: values}, nil
}

// makePass makes a pass over the positions in random order, and returns their mean loss. Over all passes the learning rate
// falls from Rate to 0; its curve is the half of a cosine from the maximum to the minimum.
func (l *Learner[P]) makePass(ctx context.Context) (loss float64, err error) {
	dice := rand.New(rand.NewPCG(l.Seed, rng.Mix(l.Seed, uint64(l.done+l.First))))
	order := dice.Perm(l.positions)
	batches := (len(order) + l.Batch - 1) / l.Batch
	l.net.Use(&l.w.P)
	for i := range batches {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		at := i * l.Batch
		part := order[at:min(at+l.Batch, len(order))]
		loss += l.addBatch(part, dice.Uint64())
		share := float64(at) / float64(len(order))
		if l.Even {
			share = float64(i) / float64(batches)
		}
		l.steps++
		l.net.Move(l.w, l.Rate*(1+math.Cos(math.Pi*(float64(l.done)+share)/float64(l.Passes)))/2, len(part), l.steps)
		l.net.Use(&l.w.P)
	}
	return loss / max(float64(len(order)), 1), nil
}

// addBatch computes the gradients of a batch, and returns the sum of the losses.
func (l *Learner[P]) addBatch(positions []int, symmetries uint64) (sum float64) {
	var wg sync.WaitGroup
	room, losses := make(chan struct{}, l.Jobs), make([]float64, l.Shards)
	for k := range losses {
		room <- struct{}{}
		wg.Go(func() {
			l.net.Clear(k)
			for n := k; n < len(positions); n += l.Shards {
				losses[k] += l.net.Add(k, positions[n], uint8(symmetries>>(n%61)&7))
			}
			<-room
		})
	}
	wg.Wait()
	for _, loss := range losses {
		sum += loss
	}
	return sum
}

// CrossEntropy returns the cross entropy of a label and a predicted chance y. The function log determines the unit of the
// result, for example bits for math.Log2.
func CrossEntropy(label, y float64, log func(float64) float64) float64 {
	const least = 1e-9
	return -label*log(max(y, least)) - (1-label)*log(max(1-y, least))
}

// Chance converts a value in logits to a chance.
func Chance(z float32) float64 { return 1 / (1 + math.Exp(-float64(z))) }

// Parameters returns the parameters after the completed passes.
func (l *Learner[P]) Parameters() *P { return &l.w.P }

// Save writes the network.
func (l *Learner[P]) Save(name string) error {
	data, err := l.net.File(&l.w.P, l.scale, l.done, l.positions)
	if err != nil {
		return err
	}
	return atomicfile.Write(name, data)
}

type state struct {
	Done       int     `json:"done"`
	Steps      int     `json:"steps"`
	Positions  int     `json:"positions"`
	Scale      float64 `json:"scale"`
	Parameters []byte  `json:"parameters"` // the parameters and their two moments: floats of 4 bytes, little-endian
}

// State returns the parameters and the moments of their gradient.
func (l *Learner[P]) State() ([]byte, error) {
	s := state{Done: l.done, Steps: l.steps, Positions: l.positions, Scale: l.scale}
	s.Parameters, _ = binary.Append(nil, binary.LittleEndian, Floats(l.w)) // Append returns no error, because all numbers have a fixed size
	return learn.Encode(l.net.Origin(), s)
}

// Restore continues from a state of a learner with the same game, options and files. Only Jobs and the path of Dir may differ.
func (l *Learner[P]) Restore(data []byte) error {
	var s state
	if err := learn.Decode(data, l.net.Origin(), &s); err != nil {
		return err
	}
	w := new(Weights[P])
	if s.Done < 0 || s.Done > l.Passes || s.Steps < 0 || s.Positions < 0 || len(s.Parameters) != binary.Size(Floats(w)) || !(s.Scale > 0) {
		return learn.ErrDamaged
	}
	_, _ = binary.Decode(s.Parameters, binary.LittleEndian, Floats(w))
	if _, err := l.net.File(&w.P, s.Scale, s.Done, s.Positions); err != nil {
		return learn.ErrDamaged
	}
	l.w, l.done, l.steps, l.scale = w, s.Done, s.Steps, s.Scale
	if !l.read {
		l.positions = s.Positions
	}
	return nil
}
