// SPDX-License-Identifier: Apache-2.0

package network

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"

	engine "github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/learn/adam"
)

// A batch has a fixed number of shards. Their gradients are added in order, so the sum does not depend on how many shards
// are computed at once.
const (
	batch  = 512
	shards = 2
)

type trainer struct {
	p         *parameters
	m, v      *parameters // moments of the gradient
	base      *table      // where the rows of the patterns began
	now       *engine.Parameters
	steps     int
	gradients [shards]gradient
	jobs      int
}

type gradient struct {
	engine.Parameters
	state
	loss float64
}

// clear sets all but the state to 0.
func (g *gradient) clear() { g.Parameters, g.loss = engine.Parameters{}, 0 }

// join adds another gradient.
func (g *gradient) join(o *gradient) {
	for i := range g.Rows {
		add(g.Rows[i][:], o.Rows[i][:])
	}
	for i := range g.Hidden {
		add(g.Hidden[i][:], o.Hidden[i][:])
	}
	for i := range g.Masks {
		add(g.Masks[i][:], o.Masks[i][:])
	}
	add(g.Out[:], o.Out[:])
	add(g.Base[:], o.Base[:])
	for i := range g.Query {
		add(g.Query[i][:], o.Query[i][:])
	}
	add(g.Near[:], o.Near[:])
	add(g.Drawn[:], o.Drawn[:])
	g.Even += o.Even
	g.Full += o.Full
	g.Room += o.Room
	g.Clear += o.Clear
	g.Looks += o.Looks
	g.Offset += o.Offset
	g.Share += o.Share
}

// pass makes a pass over the samples in random order, at rates that fall along half a cosine from where the training was
// to where it will be, 0 to 1. It returns the mean loss.
func (t *trainer) pass(ctx context.Context, s *samples, rate, from, to float64, rng *rand.Rand) (float64, error) {
	t.now = t.p.network(t.base)
	order := rng.Perm(s.len())
	batches := (len(order) + batch - 1) / batch
	loss := 0.0
	for i := range batches {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		part := order[i*batch : min((i+1)*batch, len(order))]
		t.batch(s, part)
		for k := range t.gradients {
			loss += t.gradients[k].loss
		}
		done := from + (to-from)*float64(i)/float64(batches)
		t.step(rate*(1+math.Cos(math.Pi*done))/2, len(part))
	}
	return loss / float64(len(order)), nil
}

func (t *trainer) batch(s *samples, order []int) {
	var wg sync.WaitGroup
	room := make(chan struct{}, t.jobs)
	for k := range shards {
		room <- struct{}{}
		wg.Go(func() {
			g := &t.gradients[k]
			g.clear()
			for n := k; n < len(order); n += shards {
				g.add(t.now, &s.looks, &s.positions[order[n]], s.cellsOf(order[n]))
			}
			<-room
		})
	}
	wg.Wait()
}

// state is what the network computes of a position on the way to its value.
type state struct {
	x, dx   row
	h, dh   hidden
	clipped hidden
	q, dq   query
	worth   []float32 // of the moves
}

// value returns the value in logits.
func (t *state) value(p *engine.Parameters, at *position, list []cells) float32 {
	t.x = row{}
	sumCells(&t.x, &p.Rows, list)
	t.h = p.Masks[at.mask]
	forward(&t.h, &t.x, &p.Hidden)
	z := p.Offset + p.Share*float32(at.static)/engine.LogitUnit
	for j, x := range t.h {
		z += p.Out[j] * min(max(x, 0), 1)
	}
	return z
}

func chance(z float32) float64 { return 1 / (1 + math.Exp(-float64(z))) }

// add adds the gradient of the cross entropy between the label and the network's output for a position.
func (g *gradient) add(p *engine.Parameters, l *looks, at *position, list []cells) {
	t := &g.state
	t.dx, t.dh, t.dq = row{}, hidden{}, query{}
	y, label := chance(t.value(p, at, list)), at.shown
	g.loss += crossEntropy(float64(label), y)
	d := float32(y) - label
	g.Offset += d
	g.Share += d * float32(at.static) / engine.LogitUnit
	if at.moves > 0 {
		g.order(p, l, at, list)
	}
	if at.tellsDraws() {
		g.expectDraw(p, at)
	}
	for j, x := range t.h {
		g.Out[j] += d * min(max(x, 0), 1)
		if t.dh[j] += d * p.Out[j]; !(x > 0 && x < 1) {
			t.dh[j] = 0
		}
		g.Masks[at.mask][j] += t.dh[j]
	}
	backward(&g.Hidden, &t.dx, &t.x, &p.Hidden, &t.dh)
	spread(&g.Rows, &t.dx, &p.Rows, list)
}

// crossEntropy is in bits.
func crossEntropy(label, y float64) float64 {
	const least = 1e-9
	return -label*math.Log2(max(y, least)) - (1-label)*math.Log2(max(1-y, least))
}

// losses are means over positions, in bits.
type losses struct {
	result float64 // cross entropy of the results
	score  float64 // of the scores, less their own entropy
	label  float64 // of what is learned
	spread float64 // standard deviation of the value in hundredths of a unit, of which no more than four units count
}

// measure returns the losses of a value in logits.
func measure(s *samples, value func(at *position, list []cells) float32) losses {
	var l losses
	var results, sum, squares float64
	n := float64(s.len())
	for i := range s.positions {
		at := &s.positions[i]
		z := value(at, s.cellsOf(i))
		y, score := chance(z), float64(at.score)
		l.score += (crossEntropy(score, y) - crossEntropy(score, score)) / n
		l.label += crossEntropy(float64(at.shown), y) / n
		if at.final {
			l.result += crossEntropy(float64(at.result), y)
			results++
		}
		v := float64(max(-2, min(z, 2))) * engine.LogitUnit
		sum, squares = sum+v, squares+v*v
	}
	l.result /= max(results, 1)
	l.spread = math.Sqrt(squares/n - sum/n*sum/n)
	return l
}

// static is the value that the engine has without a network.
func static(at *position, _ []cells) float32 { return float32(at.static) / engine.LogitUnit }

// whole returns the value of a network in whole numbers.
func whole(n *engine.Network) func(at *position, list []cells) float32 {
	var all []engine.Cell
	return func(at *position, list []cells) float32 {
		all = all[:0]
		for _, c := range list {
			for range c.n {
				all = append(all, engine.Cell{First: c.own, Second: c.enemy})
			}
		}
		sums := n.Sum(all)
		return float32(n.Value(&sums, 0, uint32(at.mask), int32(at.static))) / engine.LogitUnit
	}
}

func (t *trainer) step(rate float64, n int) {
	t.steps++
	p, m, v, g := t.p, t.m, t.v, &t.gradients[0]
	for k := range t.gradients[1:] {
		g.join(&t.gradients[1+k])
	}
	p.stepRows(m, v, &g.Rows, rate, n, t.steps)
	a := adam.New(rate, n, t.steps)
	for i := range p.Hidden {
		move(a, p.Hidden[i][:], m.Hidden[i][:], v.Hidden[i][:], g.Hidden[i][:])
		for j, w := range p.Hidden[i] {
			p.Hidden[i][j] = max(-engine.MostHidden, min(w, engine.MostHidden))
		}
	}
	for i := range p.Masks {
		move(a, p.Masks[i][:], m.Masks[i][:], v.Masks[i][:], g.Masks[i][:])
	}
	move(a, p.Base[:], m.Base[:], v.Base[:], g.Base[:])
	for i := range p.Query {
		move(a, p.Query[i][:], m.Query[i][:], v.Query[i][:], g.Query[i][:])
	}
	moveGo(a, p.Near[:], m.Near[:], v.Near[:], g.Near[:])
	a.Move(&p.Looks, &m.Looks, &v.Looks, g.Looks)
	p.stepDraws(a, m, v, g)
	move(a, p.Out[:], m.Out[:], v.Out[:], g.Out[:])
	a.Move(&p.Offset, &m.Offset, &v.Offset, g.Offset)
	a.Move(&p.Share, &m.Share, &v.Share, g.Share)
	t.now = p.network(t.base)
}
