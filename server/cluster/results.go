// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/krow-lab/krow/internal/humanize"
)

// arrival is a message of the stream of results.
type arrival struct {
	id     answerID
	seq    uint64
	reply  reply
	forged bool // it does not come from the worker of its subject
}

// watch has the results of the run sent to arrivals, and takes those that are there already.
func (r *running) watch(ctx context.Context) error {
	subject := "krow.result." + r.run.Name + ".>"
	var info *jetstream.StreamInfo
	err := r.ask(ctx, func(ctx context.Context) error {
		stream, err := r.js.Stream(ctx, resultStream)
		if err == nil {
			info, err = stream.Info(ctx, jetstream.WithSubjectFilter(subject))
		}
		return err
	})
	if err != nil {
		return err
	}
	r.streams = info.Created
	there := 0
	for _, n := range info.State.Subjects {
		there += int(n)
	}
	ctx, r.forget = context.WithCancel(ctx)
	go r.follow(ctx, subject)
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

// follow sends the results of a subject to arrivals, until ctx is done. The server that it reads from may die at any time.
func (r *running) follow(ctx context.Context, subject string) {
	for next := uint64(1); ctx.Err() == nil; sleep(ctx, retryTime) {
		next = r.read(ctx, subject, next)
	}
}

// read sends the results from a place in the stream on to arrivals, until one is missing or the server is silent. It returns
// where to go on.
func (r *running) read(ctx context.Context, subject string, next uint64) uint64 {
	short, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	consumer, err := r.js.CreateConsumer(short, resultStream, jetstream.ConsumerConfig{
		FilterSubject: subject, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: next,
		AckPolicy: jetstream.AckNonePolicy, MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute,
	})
	if err != nil {
		return next
	}
	messages, err := consumer.Messages(jetstream.PullHeartbeat(heartbeat), jetstream.PullExpiry(10*time.Second))
	if err != nil {
		return next
	}
	defer messages.Stop()
	for n := uint64(1); ; n++ {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return next
		}
		meta, err := m.Metadata()
		if err != nil || meta.Sequence.Consumer != n {
			return next
		}
		a := parseArrival(m.Subject(), m.Headers(), m.Data())
		a.seq, next = meta.Sequence.Stream, meta.Sequence.Stream+1
		select {
		case r.arrivals <- a:
		case <-ctx.Done():
			return next
		}
	}
}

// parseArrival reads a message. What is no result has no worker.
func parseArrival(subject string, h nats.Header, data []byte) (a arrival) {
	parts := strings.Split(subject, ".")
	if len(parts) != 6 || !humanize.Name(parts[5]) {
		return a
	}
	n, err := strconv.Atoi(parts[4])
	if err != nil || n < 0 || n > 1 {
		return a
	}
	return arrival{id: answerID{parts[3], n}, reply: reply{parts[5], data, h.Get(failedHeader)}, forged: h.Get(byHeader) != parts[5]}
}

// arrive takes a result.
func (r *running) arrive(ctx context.Context, a arrival) error {
	open := r.open[a.id.key]
	r.taken++
	switch {
	case a.reply.worker == "":
		return nil
	case a.forged, r.isBanned(a.reply.worker), a.reply.failed != "" && len(open) == 0: // an old dead letter: the unit is tried again
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

// takeBack hears of the units that workers give back.
func (r *running) takeBack(ctx context.Context) (*nats.Subscription, error) {
	return r.nc.Subscribe("krow.back.*", func(m *nats.Msg) {
		var d Doing
		if json.Unmarshal(m.Data, &d) != nil || d.Run != r.run.Name {
			return
		}
		select {
		case r.back <- d:
		case <-ctx.Done():
		}
	})
}

// givenBack hands out again what a worker gave back.
func (r *running) givenBack(d Doing) error {
	if r.state.GivenBack++; r.state.GivenBack == 1 {
		r.log("a machine whose cores are busy gave a unit of work back: it waits for idle cores")
	}
	open := r.open[d.Unit]
	if len(open) == 0 || open[0].final != nil || open[0].judged || open[0].stage() != d.Check {
		return nil
	}
	return r.again(open[0], d.Check)
}

// recall takes a result that is in the stream already.
func (r *running) recall(ctx context.Context, e *open, id answerID) error {
	var m *jetstream.RawStreamMsg
	err := r.ask(ctx, func(ctx context.Context) error {
		stream, err := r.js.Stream(ctx, resultStream)
		if err == nil {
			m, err = stream.GetMsg(ctx, r.known[id].seq)
		}
		return err
	})
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

// look sees to it that units are where they should be, and tells how the run goes. Nothing in it waits for the server, which
// may be away.
func (r *running) look(ctx context.Context) error {
	r.room = r.window()
	r.tellAlone()
	if r.silent++; r.taken > 0 {
		r.silent, r.taken, r.resulted, r.resent = 0, 0, time.Now(), 0
	}
	if !r.inquiring {
		r.inquiring = true
		go func() { r.found <- r.inquire(ctx) }()
	}
	r.tell()
	return r.findMissing()
}

// inquiry is what the server says about its streams.
type inquiry struct {
	made   time.Time // when the stream of results was made
	queued int       // units of this run
	err    error
}

func (r *running) inquire(ctx context.Context) (f inquiry) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	results, err := r.js.Stream(ctx, resultStream)
	if err != nil {
		return inquiry{err: err}
	}
	f.made = results.CachedInfo().Created
	stream, err := r.js.Stream(ctx, workStream)
	if err != nil {
		return inquiry{err: err}
	}
	subject := workSubject(r.Build, r.run.Name)
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(subject))
	if err != nil {
		return inquiry{err: err}
	}
	f.queued = int(info.State.Subjects[subject])
	return f
}

// consider acts on what the server said.
func (r *running) consider(ctx context.Context, f inquiry) error {
	r.inquiring = false
	short, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	switch {
	case f.err == nil && f.made.Equal(r.streams):
		r.state.Trouble = ""
		if err := r.hurry(ctx); err != nil {
			return err
		}
		return r.findLost(short, f.queued)
	case f.err == nil, errors.Is(f.err, jetstream.ErrStreamNotFound):
		return r.renew(short, ctx)
	}
	return r.away(f.err)
}

// ackTime is after how long a message that the server has not acknowledged is sent again.
const ackTime = time.Second

// missingTime is after how long a unit is missing that no worker is at, while later ones are done; or after how long all are, where
// no result comes. A worker says every second what it is at. The time doubles whenever it is over: a machine may be so slow that
// nothing is missing.
const missingTime = 3 * time.Second

// maxDoubled is how often it doubles at most.
const maxDoubled = 5

// findMissing hands out again what a server that died has taken with it: messages that it did not acknowledge, and units that it
// gave to a worker that never got them.
func (r *running) findMissing() error {
	busy, now, front := r.busy(), time.Now(), 0
	at := func(e *open) bool { return busy[Doing{r.run.Name, e.key, e.stage()}] }
	for _, e := range r.order {
		if e.final != nil || at(e) {
			front = max(front, e.handed.rank)
		}
	}
	for _, e := range r.order {
		h := &e.handed
		if e.final != nil || e.judged || h.msg == nil || r.open[e.key][0] != e {
			continue
		}
		if h.ack != nil {
			if err := r.acknowledged(e); err != nil {
				return err
			}
			continue
		}
		if at(e) || h.rank > front || h.seen.IsZero() {
			h.seen = now
		}
		if now.Sub(h.seen) < missingTime<<min(h.times, maxDoubled) {
			continue
		}
		h.times++
		if err := r.again(e, e.stage()); err != nil {
			return err
		}
	}
	return nil
}

// stage is 1 for a unit that waits for its check, and 0 for others.
func (e *open) stage() int {
	if e.first != nil {
		return 1
	}
	return 0
}

// acknowledged sends a message again that the server does not acknowledge.
func (r *running) acknowledged(e *open) error {
	h := &e.handed
	select {
	case <-h.ack.Ok():
		h.ack = nil
		return nil
	case <-h.ack.Err():
	default:
		if time.Since(h.sent) < ackTime {
			return nil
		}
	}
	return r.post(e)
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
func (r *running) findLost(ctx context.Context, queued int) error {
	r.state.Queued = queued
	if r.silent >= silentTicks {
		r.silent = 0
		if err := r.free(ctx); err != nil {
			return r.away(err)
		}
	}
	if time.Since(r.resulted) < missingTime<<min(r.resent, maxDoubled) {
		return nil
	}
	waiting := 0
	for _, e := range r.order {
		if e.final == nil && !e.judged && r.open[e.key][0] == e {
			waiting++
		}
	}
	lost := waiting - r.state.Queued
	if r.idle() {
		lost = waiting // a server that died has given them to nobody
	}
	if lost <= 0 {
		return nil
	}
	r.resulted, r.resent = time.Now(), r.resent+1
	r.log(fmt.Sprintf("%d units of work were lost, and are handed out again", lost))
	return r.republish(ctx)
}

// free makes room in the stream of results, which may be full: those delivered are not needed any more. Where all workers wait for
// room, none that has arrived is needed: they are in memory too.
func (r *running) free(ctx context.Context) error {
	needed := uint64(math.MaxUint64)
	last, all := uint64(0), r.stuck()
	for id, k := range r.known {
		if last = max(last, k.seq); !all && len(r.open[id.key]) > 0 {
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
