// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/internal/rescue"
)

// takeAnswer handles an answer to a unit. The answer comes from the first worker of the unit, or from a second worker that
// checks the result.
func (r *activeRun) takeAnswer(ctx context.Context, a answer) error {
	e := r.find(a.index)
	switch {
	case e == nil || e.final != nil || e.judging:
		return nil
	case r.isBanned(a.worker):
		e.seq = 0
		return nil
	case a.back != "": // publish the unit again at once, for another worker
		return r.publishUnits(ctx, []*openUnit{e})
	case e.first == nil && a.failed != "":
		if e.failures++; e.failures >= maxTries {
			r.settle(e, &a)
		}
		e.not, e.seq = a.worker, 0
		return nil
	case e.first == nil:
		return r.takeFirst(ctx, e, &a)
	case a.worker == e.first.worker: // the same worker has answered twice: the second answer is ignored
		return nil
	case a.failed != "" || !bytes.Equal(a.data, e.first.data):
		r.doItself(ctx, e, &a)
		return nil
	}
	r.state.Checked++
	r.settle(e, e.first)
	return nil
}

// takeFirst accepts the first result of a unit, or has the result checked. Another worker checks the result, or the organiser
// if there is no other worker. The choice of the checked units is random, so that no worker can foresee it.
func (r *activeRun) takeFirst(ctx context.Context, e *openUnit, a *answer) error {
	e.first = a
	if e.unit.Clock || r.Checks < 0 || r.known[a.worker] && rand.Float64() >= r.Checks {
		r.settle(e, a)
		return nil
	}
	r.known[a.worker] = true
	if !r.hasOther(a.worker) {
		r.doItself(ctx, e, nil)
		return nil
	}
	e.not, e.seq, e.asked = a.worker, 0, time.Now()
	return r.publishUnits(ctx, []*openUnit{e})
}

// giveUp marks a unit as failed after the server has stopped delivering it. If the unit already has a first result, the
// organiser checks that result itself instead.
func (r *activeRun) giveUp(ctx context.Context, seq uint64) {
	for _, e := range r.order {
		switch {
		case e.seq != seq || e.final != nil || e.judging:
		case e.first != nil:
			r.doItself(ctx, e, nil)
		default:
			r.settle(e, &answer{failed: fmt.Sprintf("its workers were lost %d times", maxTries)})
		}
	}
}

// judgement is the organiser's own result of a unit.
type judgement struct {
	e     *openUnit
	check *answer // the second worker's answer; nil if there was none
	data  []byte
	err   error
}

func (r *activeRun) doItself(ctx context.Context, e *openUnit, check *answer) {
	e.judging = true
	r.judging++
	go func() {
		j := judgement{e: e, check: check}
		defer func() { r.judged <- j }()
		defer rescue.Into(&j.err)
		j.data, j.err = r.Kinds.Do(ctx, e.unit)
	}()
}

// settleDispute makes the organiser's own result the final result, and excludes each worker whose result differs.
func (r *activeRun) settleDispute(ctx context.Context, j judgement) error {
	r.judging--
	e, first := j.e, j.e.first
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case first == nil || e.final != nil:
		return nil // the first worker was excluded meanwhile
	case j.err != nil:
		return fmt.Errorf("unit %d of the work, which a worker did: %w", e.index+1, j.err)
	}
	r.state.Checked++
	r.settle(e, &answer{index: e.index, data: j.data})
	for _, a := range []*answer{first, j.check} {
		if a != nil && a.failed == "" && !bytes.Equal(a.data, j.data) {
			if err := r.withdraw(a.worker); err != nil {
				return err
			}
		}
	}
	return nil
}

// withdraw excludes a worker. Its units are done again by this run. If results of the worker were delivered already, withdraw
// returns a [work.WithdrawnError], and the caller's next Run does the units again.
func (r *activeRun) withdraw(name string) error {
	r.ban(name)
	r.state.Banned = append(r.state.Banned, name)
	r.log(fmt.Sprintf("worker %s gave a wrong result: it gets no credit any more, and its results are done again", name))
	if i, was := r.delivered[name]; was {
		return &work.WithdrawnError{First: i, Who: name}
	}
	for _, e := range r.order {
		switch {
		case e.final != nil && e.final.worker == name:
			e.final = nil
			r.waiting++
		case e.final != nil || e.first == nil || e.first.worker != name:
			continue
		}
		e.first, e.judging, e.not, e.seq = nil, false, name, 0
	}
	return nil
}
