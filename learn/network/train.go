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
	batch  = 1024
	shards = 4
)

type trainer struct {
	p           *network.Parameters
	m, v        network.Parameters // moments of the gradient
	steps       int
	gradients   [shards]gradient
	jobs        int
	loss, count float64 // of the pass so far
}

type gradient struct {
	network.Parameters
	loss  float64
	index []uint16
	x     row // the hidden layer
}

// train makes passes over the samples, each turned and mirrored at random. The rate falls to 0 along half a cosine. It
// returns the mean loss of the last pass.
func (t *trainer) train(ctx context.Context, s *samples, passes int, rate float64, rng *rand.Rand) (float64, error) {
	batches := (s.len() + batch - 1) / batch
	for pass := range passes {
		t.loss, t.count = 0, 0
		order := rng.Perm(s.len())
		for i := range batches {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			t.batch(s, order[i*batch:min((i+1)*batch, len(order))], rng.Uint64())
			done := float64(pass*batches+i) / float64(passes*batches)
			t.step(rate * (1 + math.Cos(math.Pi*done)) / 2)
		}
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
			*g = gradient{index: g.index}
			for n := k; n < len(order); n += shards {
				g.add(t.p, s.of(order[n]), s.labels[order[n]], uint8(turns>>(n%61)&7))
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

// add adds the gradient of the cross entropy between the label and the network's output for a position under a symmetry:
//
//	x = Bias + sum of In     c = x clipped to 0..1     z = Offset + Out c c     y = 1/(1+exp(-z))
//	dz = y - label           dOut = dz c c             dx = dz Out 2c where 0 < x < 1
func (g *gradient) add(p *network.Parameters, inputs []uint8, label float32, turn uint8) {
	g.index = g.index[:0]
	for _, i := range inputs {
		g.index = append(g.index, turned[turn&7][i])
	}
	g.x = p.Bias
	sumRows(&g.x, &p.In, g.index)
	z := p.Offset + forward(&g.x, &p.Out)
	y := float32(1 / (1 + math.Exp(-float64(z))))
	g.loss += crossEntropy(float64(label), float64(y))
	dz := y - label
	g.Offset += dz
	backward(&g.x, &p.Out, &g.Out, &g.Bias, dz)
	addToRows(&g.In, &g.x, g.index)
}

func crossEntropy(label, y float64) float64 {
	const least = 1e-9
	return -label*math.Log(max(y, least)) - (1-label)*math.Log(max(1-y, least))
}

func loss(p *network.Parameters, s *samples) float64 {
	sum := 0.0
	var index []uint16
	var x row
	for i, label := range s.labels {
		index = index[:0]
		for _, in := range s.of(i) {
			index = append(index, uint16(in))
		}
		x = p.Bias
		sumRows(&x, &p.In, index)
		z := p.Offset + forward(&x, &p.Out)
		sum += crossEntropy(float64(label), 1/(1+math.Exp(-float64(z))))
	}
	return sum / max(float64(s.len()), 1)
}

func (t *trainer) step(rate float64) {
	t.steps++
	a := adam.New(rate, batch, t.steps)
	g := &t.gradients
	for i := range t.p.In {
		move(a, &t.p.In[i], &t.m.In[i], &t.v.In[i], [shards]*row{&g[0].In[i], &g[1].In[i], &g[2].In[i], &g[3].In[i]})
	}
	move(a, &t.p.Bias, &t.m.Bias, &t.v.Bias, [shards]*row{&g[0].Bias, &g[1].Bias, &g[2].Bias, &g[3].Bias})
	move(a, &t.p.Out, &t.m.Out, &t.v.Out, [shards]*row{&g[0].Out, &g[1].Out, &g[2].Out, &g[3].Out})
	a.Move(&t.p.Offset, &t.m.Offset, &t.v.Offset, g[0].Offset+g[1].Offset+g[2].Offset+g[3].Offset)
}

func move(a adam.Step, p, m, v *row, g [shards]*row) {
	for j := range p {
		a.Move(&p[j], &m[j], &v[j], g[0][j]+g[1][j]+g[2][j]+g[3][j])
	}
}

type row = [network.Hidden]float32

type layer = [network.Inputs]row

// The kernels of training are in Go here. Where the processor has AVX2 they are twins in assembly, which agree in every
// bit. A list of indices is never empty: the forced board is always an input.
var (
	sumRows   = sumRowsGo
	addToRows = addToRowsGo
	forward   = forwardGo
	backward  = backwardGo
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

// forwardGo clips x to 0..1 and returns the sum of out x x, in eight lanes as vectors do.
func forwardGo(x, out *row) float32 {
	var z [8]float32
	for j := range x {
		c := min(max(x[j], 0), 1)
		x[j] = c
		z[j%8] += out[j] * c * c
	}
	return ((z[0] + z[4]) + (z[2] + z[6])) + ((z[1] + z[5]) + (z[3] + z[7]))
}

// backwardGo takes dz, the gradient of the sum, back: it adds the gradients of out and of the bias, and leaves in x the
// gradient before x was clipped, 0 where x is 0 or 1.
func backwardGo(x, out, gradOut, gradBias *row, dz float32) {
	for j, c := range x {
		a := c * dz
		gradOut[j] += a * c
		d := a * out[j]
		d += d
		if c >= 1 {
			d = 0
		}
		x[j] = d
		gradBias[j] += d
	}
}
