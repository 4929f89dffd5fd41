// SPDX-License-Identifier: Apache-2.0

package network

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/learn/adam"
)

// A batch has a fixed number of shards. Their gradients are added in order, so the sum does not depend on how many shards
// are computed at once.
const (
	shards = 4
)

type trainer struct {
	p           *network.Parameters
	m, v        network.Parameters // moments of the gradient
	steps       int
	size        int // positions in a batch
	gradients   [shards]gradient
	jobs        int
	loss, count float64 // of the pass so far
}

type gradient struct {
	network.Parameters
	set      [network.Inputs]bool // the inputs of which In is not 0
	loss     float64
	index    []uint16
	x, a, dx row
}

// clear makes the gradient 0. Few of the inputs are set in a small batch.
func (g *gradient) clear() {
	for i, set := range &g.set {
		if set {
			g.In[i], g.set[i] = row{}, false
		}
	}
	g.Weights, g.Bias, g.Out, g.Offset, g.loss = [network.Second]row{}, second{}, second{}, 0, 0
}

// pass trains on each sample once and returns the mean loss. The rate follows from the share of the pass that is done.
func (t *trainer) pass(ctx context.Context, s *samples, rate func(done float64) float64, rng *rand.Rand) (float64, error) {
	t.loss, t.count = 0, 0
	order := rng.Perm(s.len())
	for at := 0; at < len(order); at += t.size {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		t.batch(s, order[at:min(at+t.size, len(order))], rng.Uint64())
		t.step(rate(float64(at) / float64(len(order))))
	}
	return t.loss / max(t.count, 1), nil
}

func (t *trainer) batch(s *samples, order []int, turns uint64) {
	var wg sync.WaitGroup
	room := make(chan struct{}, t.jobs)
	for k := range shards {
		room <- struct{}{}
		wg.Go(func() {
			g := &t.gradients[k]
			g.clear()
			for n := k; n < len(order); n += shards {
				g.add(t.p, &s.views[order[n]], s.labels[order[n]], uint8(turns>>(n%61)&7))
			}
			<-room
		})
	}
	wg.Wait()
	for k := range t.gradients {
		t.loss += t.gradients[k].loss
	}
	t.count += float64(len(order))
}

// add adds the gradient of the cross entropy between the label and the network's output for a position under a symmetry.
// With x, a, h, c and z as in [network.Parameters], c(h) standing for h clipped to 0..1:
//
//	y = 1/(1+exp(-z))    dz = y - label                 dOut = dz c
//	dh = dz Out where 0 < h < 1                         dWeights = dh a
//	da = sum of dh Weights                              dx = 2 c(x) da where 0 < x < 1
func (g *gradient) add(p *network.Parameters, v *network.View, label float32, turn uint8) {
	turned := turnedView(v, turn)
	g.index = turned.Inputs(g.index[:0])
	var h second
	y := g.forward(p, &h)
	g.loss += crossEntropy(float64(label), float64(y))
	dz := y - label
	g.Offset += dz
	g.dx = row{}
	for k, x := range &h {
		g.Out[k] += dz * min(max(x, 0), 1)
		if d := dz * p.Out[k]; x > 0 && x < 1 {
			g.Bias[k] += d
			addTimes(&g.Weights[k], &g.a, d)
			addTimes(&g.dx, &p.Weights[k], d)
		}
	}
	for j, c := range &g.x {
		if c > 0 && c < 1 {
			g.dx[j] *= 2 * c
		} else {
			g.dx[j] = 0
		}
	}
	addToRows(&g.In, &g.dx, g.index)
	for _, i := range g.index {
		g.set[i] = true
	}
}

// forward returns the expected score for the inputs in index. It leaves the layers.
func (g *gradient) forward(p *network.Parameters, h *second) float32 {
	g.x = row{}
	sumRows(&g.x, &p.In, g.index)
	for j, x := range &g.x {
		c := min(max(x, 0), 1)
		g.a[j] = c * c
	}
	z := p.Offset
	for k := range h {
		h[k] = p.Bias[k] + dot(&g.a, &p.Weights[k])
		z += float32(p.Out[k] * min(max(h[k], 0), 1))
	}
	return float32(1 / (1 + math.Exp(-float64(z))))
}

func crossEntropy(label, y float64) float64 {
	const least = 1e-9
	return -label*math.Log(max(y, least)) - (1-label)*math.Log(max(1-y, least))
}

func loss(p *network.Parameters, s *samples) float64 {
	sum := 0.0
	var g gradient
	var h second
	for i, label := range s.labels {
		g.index = s.views[i].Inputs(g.index[:0])
		sum += crossEntropy(float64(label), float64(g.forward(p, &h)))
	}
	return sum / max(float64(s.len()), 1)
}

// step moves the weights of the inputs that were set, and all of the rest. Those of other inputs stay, and so do their
// moments.
func (t *trainer) step(rate float64) {
	t.steps++
	a := adam.New(rate, t.size, t.steps)
	g := &t.gradients
	for i := range t.p.In {
		if g[0].set[i] || g[1].set[i] || g[2].set[i] || g[3].set[i] {
			move(a, t.p.In[i][:], t.m.In[i][:], t.v.In[i][:], g[0].In[i][:], g[1].In[i][:], g[2].In[i][:], g[3].In[i][:])
		}
	}
	for k := range t.p.Weights {
		w := &t.p.Weights[k]
		move(a, w[:], t.m.Weights[k][:], t.v.Weights[k][:], g[0].Weights[k][:], g[1].Weights[k][:], g[2].Weights[k][:], g[3].Weights[k][:])
		for j, x := range w {
			w[j] = min(max(x, -network.MaxWeight), network.MaxWeight)
		}
	}
	move(a, t.p.Bias[:], t.m.Bias[:], t.v.Bias[:], g[0].Bias[:], g[1].Bias[:], g[2].Bias[:], g[3].Bias[:])
	move(a, t.p.Out[:], t.m.Out[:], t.v.Out[:], g[0].Out[:], g[1].Out[:], g[2].Out[:], g[3].Out[:])
	a.Move(&t.p.Offset, &t.m.Offset, &t.v.Offset, g[0].Offset+g[1].Offset+g[2].Offset+g[3].Offset)
}

func move(a adam.Step, p, m, v, g0, g1, g2, g3 []float32) {
	for j := range p {
		a.Move(&p[j], &m[j], &v[j], g0[j]+g1[j]+g2[j]+g3[j])
	}
}

type (
	row    = [network.Hidden]float32
	layer  = [network.Inputs]row
	second = [network.Second]float32
)

// The kernels of training are in Go here. Where the processor has AVX2 they are twins in assembly, which agree in every
// bit. A list of indices is never empty: the forced board is always an input.
var (
	sumRows   = sumRowsGo
	addToRows = addToRowsGo
	dot       = dotGo
	addTimes  = addTimesGo
)

func sumRowsGo(dst *row, rows *layer, index []uint16) {
	for _, r := range index {
		for j, x := range &rows[r] {
			dst[j] += x
		}
	}
}

func addToRowsGo(rows *layer, src *row, index []uint16) {
	for _, r := range index {
		dst := &rows[r]
		for j, x := range src {
			dst[j] += x
		}
	}
}

// dotGo adds up in eight lanes as vectors do.
func dotGo(x, y *row) float32 {
	var z [8]float32
	for j := range x {
		z[j%8] += float32(x[j] * y[j])
	}
	return ((z[0] + z[4]) + (z[2] + z[6])) + ((z[1] + z[5]) + (z[3] + z[7]))
}

func addTimesGo(dst, src *row, factor float32) {
	for j, x := range src {
		dst[j] += float32(x * factor)
	}
}
