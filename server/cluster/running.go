// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/krow-lab/krow/arena/work"
)

// running is a run that goes on. All of it belongs to the goroutine of loop.
//
//	units ──> order: [7] [6] [5] [4]  ──> result, the oldest first
//	                  │    └ answered, and perhaps checked
//	                  └ handed out
type running struct {
	*Organiser
	run         Run
	next        func() (work.Unit, error, bool)
	result      func(int, []byte) error
	cancel      context.CancelCauseFunc
	incarnation string // part of the names of messages, so that the server takes a unit again from an organiser begun again

	order     []*open
	open      map[string][]*open // by key; equal units have one result
	known     map[answerID]known // results in the stream
	delivered map[string]int     // the first unit that was delivered of each worker
	first     map[string]bool    // workers whose first unit was checked
	sent      map[string]bool    // files of units that are in the object store
	begun     bool               // what was in the stream of results at the beginning is known

	arrivals  chan arrival
	judged    chan judgement
	orders    chan Order
	back      chan Doing // units that workers gave back
	found     chan inquiry
	inquiring bool
	judging   int
	began     time.Time
	streams   time.Time // when the stream of results was made
	forget    context.CancelFunc
	silent    int       // ticks in a row without a result
	resulted  time.Time // when the last result came, or all units were handed out again
	resent    int       // how often they were since the last result
	taken     int       // results since the last tick
	alone     int       // ticks in a row without a worker
	published int       // messages, for their names

	room    int // units without a result at most
	waiting int // units of order without a result

	count, done int
	over        error // of the sequence of units, after the units before it
	exhausted   bool
	later       bool // the next unit depends on results
	paused      bool
	state       RunState
}

// open is a unit whose result is not delivered.
type open struct {
	index  int
	unit   work.Unit
	key    string
	given  time.Time // when it was handed out first
	handed handed
	first  *reply    // the answer of the first worker
	asked  time.Time // when the check was handed out; zero where there is none
	judged bool      // the organiser is doing it itself
	final  *reply
}

// handed is the message that a unit, or its check, was handed out by last.
type handed struct {
	msg   *nats.Msg
	rank  int                    // of all messages, in their order
	ack   jetstream.PubAckFuture // of the server; nil when it came
	sent  time.Time
	seen  time.Time // when a worker said last that it was at it, or when others were done that were handed out later
	times int       // how often it was lost
}

// reply is what a worker said a unit's result is.
type reply struct {
	worker string
	data   []byte
	failed string
}

type answerID struct {
	key string
	n   int // 0, or 1 for a check
}

type known struct {
	seq    uint64
	worker string
}

func (r *running) loop(ctx context.Context) (err error) {
	r.rename()
	order, err := r.takeOrders(ctx)
	if err != nil {
		return err
	}
	defer order.Unsubscribe() // again, where takeBack fails
	back, err := r.takeBack(ctx)
	if err != nil {
		return err
	}
	defer back.Unsubscribe()
	defer func() {
		order.Unsubscribe() // the server knows it when leave has its answers: see rename
		r.leave(err)
	}()
	if err := r.begin(ctx); err != nil {
		return err
	}
	defer func() { r.forget() }()
	tick := time.NewTicker(r.Tick)
	defer tick.Stop()
	for {
		if err := r.handOut(ctx); err != nil {
			return err
		}
		before := r.done
		if over, err := r.deliver(); over || err != nil {
			return err
		}
		if r.later && r.done > before {
			continue // there may be units now
		}
		select {
		case a := <-r.arrivals:
			err = r.arrive(ctx, a)
		case d := <-r.back:
			err = r.givenBack(d)
		case j := <-r.judged:
			err = r.judge(ctx, j)
		case o := <-r.orders:
			r.obey(o)
		case <-tick.C:
			err = r.look(ctx)
		case f := <-r.found:
			err = r.consider(ctx, f)
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// rename gives the run a name of its own, where another organiser, or another part of this one, is at a run of the same name. They would
// throw away each other's units and results.
func (r *running) rename() {
	name := r.run.Name
	for n := 2; Give(r.nc, r.run.Name, Order{}) == nil; n++ {
		r.run.Name = fmt.Sprintf("%s-%d", name, n)
	}
}

// begin throws away what is left of an earlier organiser's units, and finds the results that are there.
func (r *running) begin(ctx context.Context) error {
	err := r.ask(ctx, func(ctx context.Context) error {
		if err := r.ensure(ctx); err != nil {
			return err
		}
		return r.purge(ctx, workStream, workSubject(r.Build, r.run.Name))
	})
	if err != nil {
		return err
	}
	r.room = r.window()
	err = r.watch(ctx)
	r.begun = true
	return err
}

func (r *running) purge(ctx context.Context, stream, subject string) error {
	s, err := r.js.Stream(ctx, stream)
	if err != nil {
		return err
	}
	return s.Purge(ctx, jetstream.WithPurgeSubject(subject))
}

// handOut hands out units as long as there is room.
func (r *running) handOut(ctx context.Context) error {
	room := r.room
	for !r.exhausted && !r.paused && r.waiting < room && len(r.order) < 64*room {
		u, err, more := r.next()
		if r.later = err == work.ErrLater; r.later {
			break
		}
		if !more || err != nil {
			r.exhausted, r.over = true, err
			break
		}
		u.Build = r.Build
		e := &open{index: r.count, unit: u, key: u.Key(), given: time.Now()}
		r.count++
		r.order = append(r.order, e)
		twins := r.open[e.key]
		r.open[e.key] = append(twins, e)
		r.waiting++
		switch id := (answerID{e.key, 0}); {
		case len(twins) > 0:
			if twins[0].final != nil {
				r.settle(e, twins[0].final)
			}
		case r.known[id].seq > 0:
			if err := r.recall(ctx, e, id); err != nil {
				return err
			}
		default:
			if err := r.send(ctx, u.Inputs); err != nil {
				return err
			}
			if err := r.publish(e, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// publish hands out a unit, or its check by anybody but a worker. What is lost on the way is found by look.
func (r *running) publish(e *open, not string) error {
	data, err := json.Marshal(e.unit)
	if err != nil {
		return err
	}
	if len(data) > maxResult {
		return fmt.Errorf("unit of work %d has %d bytes, more than %d", e.index, len(data), maxResult)
	}
	r.published++
	m := &nats.Msg{Subject: workSubject(r.Build, r.run.Name), Data: data, Header: nats.Header{}}
	m.Header.Set(nats.MsgIdHdr, fmt.Sprintf("%s.%d", r.incarnation, r.published))
	if not != "" {
		m.Header.Set(checkHeader, not)
	}
	if e.handed.times > 0 {
		m.Header.Set(triesHeader, strconv.Itoa(min(e.handed.times, maxTries-1)))
	}
	e.handed = handed{msg: m, rank: r.published, times: e.handed.times}
	return r.post(e)
}

// post sends the message of a unit, perhaps once more: the server takes it once.
func (r *running) post(e *open) (err error) {
	h := &e.handed
	h.sent = time.Now()
	h.ack, err = r.js.PublishMsgAsync(&nats.Msg{Subject: h.msg.Subject, Header: h.msg.Header, Data: h.msg.Data})
	if err != nil && !r.nc.IsClosed() {
		return nil // away: see look
	}
	return err
}

// deliver gives back the oldest results, and says whether all were.
func (r *running) deliver() (over bool, err error) {
	for len(r.order) > 0 && r.order[0].final != nil {
		e := r.order[0]
		if e.final.failed != "" {
			r.bury(e)
			return false, &work.DeadError{Index: e.index, Reason: e.final.failed}
		}
		if err := r.result(e.index, e.final.data); err != nil {
			return false, err
		}
		if _, is := r.delivered[e.final.worker]; !is {
			r.delivered[e.final.worker] = e.index
		}
		r.order[0], r.order = nil, r.order[1:]
		r.done++
		if r.open[e.key] = r.open[e.key][1:]; len(r.open[e.key]) == 0 {
			delete(r.open, e.key)
		}
	}
	return r.exhausted && len(r.order) == 0, r.endOf()
}

func (r *running) endOf() error {
	if r.exhausted && len(r.order) == 0 {
		return r.over
	}
	return nil
}

// leave takes back the units, and the results where nobody will ask for them any more.
func (r *running) leave(err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	r.cancel(nil)
	r.state.Finished = true
	r.tell()
	r.purge(ctx, workStream, workSubject(r.Build, r.run.Name))
	if err == nil {
		r.purge(ctx, resultStream, "krow.result."+r.run.Name+".>")
	}
	for range r.judging {
		<-r.judged
	}
}

// ErrCancelled is the error of a run that was cancelled by krow cluster.
var ErrCancelled = errors.New("cancelled by krow cluster")
