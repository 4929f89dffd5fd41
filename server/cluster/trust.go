// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/krow-lab/krow/arena/work"
)

// answered takes an answer to a unit: that of the first worker, or of the one that checks it.
func (r *running) answered(ctx context.Context, e *open, n int, a reply) error {
	if n == 0 && e.first != nil {
		return nil // a second one
	}
	if n == 0 {
		e.first = &a
		if !r.shouldCheck(e.unit, a) {
			r.settle(e, &a)
			return nil
		}
		r.first[a.worker] = true
		team, _ := r.team()
		delete(team, a.worker)
		switch {
		case len(team) == 0 && a.failed != "":
			r.settle(e, &a)
			return nil
		case len(team) == 0: // the organiser is the only other one
			r.doItself(ctx, e, nil)
			return nil
		}
		e.asked = time.Now()
		if id := (answerID{e.key, 1}); r.known[id].seq > 0 {
			return r.recall(ctx, e, id)
		}
		return r.publish(e, a.worker)
	}
	switch {
	case e.first == nil || e.asked.IsZero() || e.judged:
		return nil // nobody asked for it yet, or any more
	case e.first.failed != "":
		r.settle(e, &a) // a second worker failed as well, or did not
	case a.worker == e.first.worker, a.failed != "" || !bytes.Equal(a.data, e.first.data):
		r.doItself(ctx, e, &a)
	default:
		r.state.Checked++
		r.settle(e, e.first)
	}
	return nil
}

// shouldCheck draws whether a unit is done by another worker too, which nobody can know before the answer. One that failed
// always is.
func (r *running) shouldCheck(u work.Unit, a reply) bool {
	return a.failed != "" || !u.Clock && r.Checks >= 0 && (!r.first[a.worker] || rand.Float64() < r.Checks)
}

// hurry does the units itself whose check nobody has done, and hands out again those that a worker has had for too long.
func (r *running) hurry(ctx context.Context) error {
	for _, e := range r.order {
		switch {
		case e.final != nil || e.judged || r.open[e.key][0] != e:
		case e.first == nil && time.Since(e.given) > r.Longest:
			e.given = time.Now()
			if err := r.publish(e, ""); err != nil {
				return err
			}
		case e.first == nil || time.Since(e.asked) < 2*r.Patience:
		case e.first.failed != "":
			r.settle(e, e.first)
		default:
			r.doItself(ctx, e, nil)
		}
	}
	return nil
}

// judgement is a unit that the organiser has done itself.
type judgement struct {
	e     *open
	check *reply // unless nil, the answer of the second worker
	data  []byte
	err   error
}

func (r *running) doItself(ctx context.Context, e *open, check *reply) {
	e.judged = true
	r.judging++
	go func() {
		data, err := r.Kinds.Do(ctx, e.unit)
		r.judged <- judgement{e, check, data, err}
	}()
}

// judge sets aside who was wrong.
func (r *running) judge(ctx context.Context, j judgement) error {
	r.judging--
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if j.e.first == nil || j.e.final != nil {
		return nil // its worker was set aside meanwhile
	}
	if j.err != nil {
		return fmt.Errorf("unit %d of the work, which two workers did differently: %w", j.e.index+1, j.err)
	}
	r.state.Checked++
	truth := &reply{worker: "", data: j.data}
	first := j.e.first
	r.settle(j.e, truth)
	var liars []string
	if !bytes.Equal(first.data, j.data) {
		liars = append(liars, first.worker)
	}
	if j.check != nil && j.check.failed == "" && !bytes.Equal(j.check.data, j.data) && j.check.worker != first.worker {
		liars = append(liars, j.check.worker)
	}
	for _, w := range liars {
		if err := r.withdraw(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

// withdraw sets a worker aside. What it did is done again: here, or by another Run where it was delivered already.
func (r *running) withdraw(ctx context.Context, name string) error {
	r.ban(name)
	r.state.Banned = append(r.state.Banned, name)
	r.log(fmt.Sprintf("worker %s gave a wrong result: it gets no credit any more, and its results are done again", name))
	for id, k := range r.known {
		if k.worker == name {
			r.remove(ctx, k.seq)
			delete(r.known, id)
		}
	}
	if i, was := r.delivered[name]; was {
		return &work.WithdrawnError{First: i, Who: name}
	}
	for _, e := range r.order {
		wrong := e.final != nil && e.final.worker == name || e.final == nil && e.first != nil && e.first.worker == name
		if !wrong {
			continue
		}
		if e.final != nil {
			e.final = nil
			r.waiting++
		}
		if r.open[e.key][0] != e {
			continue
		}
		e.judged = false
		if err := r.again(e, 0); err != nil {
			return err
		}
	}
	return nil
}
