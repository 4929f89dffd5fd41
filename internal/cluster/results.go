// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/krow-lab/krow/internal/words"
)

// arrival is a message of the stream of results.
type arrival struct {
	id    answerID
	seq   uint64
	reply reply
}

// watch has the results of the run sent to arrivals, and takes those that are there already.
func (r *running) watch(ctx context.Context) error {
	stream, err := r.js.Stream(ctx, resultStream)
	if err != nil {
		return err
	}
	subject := "krow.result." + r.run.Name + ".>"
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(subject))
	if err != nil {
		return err
	}
	r.streams = info.Created
	there := 0
	for _, n := range info.State.Subjects {
		there += int(n)
	}
	ctx, r.forget = context.WithCancel(ctx)
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{FilterSubjects: []string{subject}})
	if err != nil {
		return err
	}
	c, err := consumer.Consume(func(m jetstream.Msg) {
		a := parseArrival(m.Subject(), m.Headers(), m.Data())
		if meta, err := m.Metadata(); err == nil {
			a.seq = meta.Sequence.Stream
		}
		select {
		case r.arrivals <- a:
		case <-ctx.Done():
		}
	}, jetstream.PullHeartbeat(time.Second), jetstream.PullExpiry(10*time.Second))
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, c.Stop)
	for range there {
		select {
		case a := <-r.arrivals:
			if err := r.arrive(ctx, a); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// parseArrival reads a message. What is no result has no worker.
func parseArrival(subject string, h nats.Header, data []byte) (a arrival) {
	parts := strings.Split(subject, ".")
	if len(parts) != 6 || !words.Name(parts[5]) {
		return a
	}
	n, err := strconv.Atoi(parts[4])
	if err != nil || n < 0 || n > 1 {
		return a
	}
	return arrival{id: answerID{parts[3], n}, reply: reply{parts[5], data, h.Get(failedHeader)}}
}

// arrive takes a result.
func (r *running) arrive(ctx context.Context, a arrival) error {
	open := r.open[a.id.key]
	r.taken++
	switch {
	case a.reply.worker == "":
		return nil
	case r.isBanned(a.reply.worker), a.reply.failed != "" && len(open) == 0: // an old dead letter: the unit is tried again
		r.remove(ctx, a.seq)
		if len(open) > 0 && open[0].final == nil {
			return r.again(open[0], a.id.n)
		}
		return nil
	case r.known[a.id].seq > 0 && r.known[a.id].worker != a.reply.worker, r.begun && r.known[a.id].seq == 0 && len(open) == 0:
		r.remove(ctx, a.seq) // the unit has a result already, or nobody has asked for it
		return nil
	case a.seq > 0:
		r.known[a.id] = known{a.seq, a.reply.worker}
	}
	if len(open) == 0 || open[0].final != nil {
		return nil
	}
	return r.answered(ctx, open[0], a.id.n, a.reply)
}

// again hands out a unit or its check another time.
func (r *running) again(e *open, n int) error {
	if n == 1 {
		if e.first == nil || e.asked.IsZero() {
			return nil
		}
		return r.publish(e, e.first.worker)
	}
	e.first, e.asked = nil, time.Time{}
	return r.publish(e, "")
}

// recall takes a result that is in the stream already.
func (r *running) recall(ctx context.Context, e *open, id answerID) error {
	stream, err := r.js.Stream(ctx, resultStream)
	if err != nil {
		return err
	}
	m, err := stream.GetMsg(ctx, r.known[id].seq)
	if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
		return err
	}
	var a arrival
	if err == nil {
		a = parseArrival(m.Subject, m.Header, m.Data)
	}
	if a.id != id { // it is gone
		delete(r.known, id)
		return r.again(e, id.n)
	}
	return r.answered(ctx, e, id.n, a.reply)
}

func (r *running) remove(ctx context.Context, seq uint64) {
	if seq == 0 {
		return
	}
	if stream, err := r.js.Stream(ctx, resultStream); err == nil {
		stream.DeleteMsg(ctx, seq)
	}
}

// settle makes an answer the result of a unit, and of those that are equal to it.
func (r *running) settle(e *open, a *reply) {
	for _, twin := range r.open[e.key] {
		if twin.final == nil {
			twin.final = a
			r.waiting--
		}
	}
}

// look sees whether the streams are as they should be, and tells how the run goes.
func (r *running) look(ctx context.Context) error {
	defer r.tell()
	r.room = r.window()
	r.tellAlone()
	if r.silent++; r.taken > 0 {
		r.silent, r.taken = 0, 0
	}
	short, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	results, err := r.js.Stream(short, resultStream)
	if err == nil && results.CachedInfo().Created.Equal(r.streams) {
		if err := r.hurry(ctx); err != nil {
			return err
		}
		return r.findLost(short)
	}
	if err == nil || errors.Is(err, jetstream.ErrStreamNotFound) {
		return r.renew(short, ctx)
	}
	return nil // the server is away
}

// tellAlone says when nobody works.
func (r *running) tellAlone() {
	team, _ := r.team()
	switch {
	case len(team) > 0:
		r.alone = 0
	case r.alone == aloneTicks:
		r.log("no worker of this build is there: krow work --join")
		fallthrough
	default:
		r.alone++
	}
}

// aloneTicks is for how many ticks there must be no worker before that is told.
const aloneTicks = 10

// renew makes the streams again after they were lost, and hands out all units that have no result.
func (r *running) renew(short, ctx context.Context) error {
	if err := r.ensure(short); err != nil {
		return r.away(err)
	}
	r.forget()
	clear(r.known)
	clear(r.sent)
	if err := r.watch(ctx); err != nil {
		return r.away(err)
	}
	r.log("the streams of the cluster are new: the units without a result are handed out again")
	return r.republish(short)
}

// away forgives an error of a server that is not there now.
func (r *running) away(err error) error {
	if r.nc.IsClosed() {
		return err
	}
	r.state.Trouble = err.Error()
	return nil
}

func (r *running) republish(ctx context.Context) error {
	for _, e := range r.order {
		if e.final != nil || r.open[e.key][0] != e {
			continue
		}
		if err := r.send(ctx, e.unit.Inputs); err != nil {
			return r.away(err)
		}
		n := 0
		if e.first != nil {
			n = 1
		}
		if n == 1 && (e.asked.IsZero() || e.judged) {
			continue
		}
		if err := r.again(e, n); err != nil {
			return err
		}
	}
	return nil
}

// silentTicks is for how many ticks there must be no result before something is done about it: results may be on the way.
const silentTicks = 3

// findLost acts where no results come. It makes room in the stream of results, and compares the units in the stream with those
// that are waited for.
func (r *running) findLost(ctx context.Context) error {
	stream, err := r.js.Stream(ctx, workStream)
	if err != nil {
		return r.away(err)
	}
	subject := workSubject(r.Build, r.run.Name)
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(subject))
	if err != nil {
		return r.away(err)
	}
	r.state.Trouble = ""
	waiting := 0
	for _, e := range r.order {
		if e.final == nil && !e.judged && r.open[e.key][0] == e {
			waiting++
		}
	}
	r.state.Queued = int(info.State.Subjects[subject])
	if r.silent < silentTicks {
		return nil
	}
	r.silent = 0
	if err := r.free(ctx); err != nil {
		return r.away(err)
	}
	lost := waiting - r.state.Queued
	if r.idle() {
		lost = waiting // a server that died has given them to nobody
	}
	if lost <= 0 {
		return nil
	}
	r.log(fmt.Sprintf("%d units of work were lost, and are handed out again", lost))
	return r.republish(ctx)
}

// free makes room in the stream of results, which may be full: those delivered are not needed any more.
func (r *running) free(ctx context.Context) error {
	needed := uint64(math.MaxUint64)
	last := uint64(0)
	for id, k := range r.known {
		if last = max(last, k.seq); len(r.open[id.key]) > 0 {
			needed = min(needed, k.seq)
		}
	}
	needed = min(needed, last+1)
	if needed <= 1 {
		return nil
	}
	stream, err := r.js.Stream(ctx, resultStream)
	if err != nil {
		return err
	}
	for id, k := range r.known {
		if k.seq < needed {
			delete(r.known, id)
		}
	}
	return stream.Purge(ctx, jetstream.WithPurgeSubject("krow.result."+r.run.Name+".>"), jetstream.WithPurgeSequence(needed))
}
