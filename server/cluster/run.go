// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/krow-lab/krow/arena/work"
)

// activeRun is a run in progress. Only the goroutine that runs handleEvents uses its fields, except the channels, on which other
// goroutines send.
//
//	units ──> order: [7] [6] [5] [4]  ──> result, the oldest first
//	                  │    └ answered, and perhaps checked
//	                  └ published
type activeRun struct {
	*Organiser
	Run
	// id is unique. If a run was interrupted and is continued, the answers to the units of the interrupted run have a different
	// ID, and are not received.
	id     string
	next   func() (work.Unit, error, bool)
	result func(int, []byte) error
	cancel context.CancelCauseFunc
	began  time.Time
	subs   []*nats.Subscription

	order     []*openUnit
	room      int             // maximum number of units without a result
	waiting   int             // number of units in the field order that have no result
	delivered map[string]int  // maps each worker to the index of the first unit of which it gave the delivered result
	known     map[string]bool // workers whose first unit was checked or is being checked
	sent      map[string]bool // names of files that are already in the object store
	streams   string          // the text that lookAtStreams returned last
	judging   int             // number of units that the organiser is doing itself
	alone     int             // number of successive ticks without a worker

	answers chan answer
	lost    chan uint64 // sequence numbers of messages that the server no longer delivers
	orders  chan Order
	judged  chan judgement

	count, done int
	exhausted   bool
	over        error // error that ended the sequence of units; handleEvents returns it after all results
	later       bool  // the next unit can be made only after more results
	paused      bool
	pausedAt    time.Time
	priority    int
	state       RunState
}

// openUnit is a unit whose result has not been delivered.
type openUnit struct {
	index    int
	unit     work.Unit
	seq      uint64    // sequence number of its message in the stream; 0 if the unit must be published
	gone     bool      // whether the message was missing when the stream was last checked
	since    time.Time // when the unit was last published
	not      string    // name of the worker that must not do the unit
	failures int
	first    *answer   // answer of the first worker; while final is nil, this answer is being checked
	asked    time.Time // when the check began
	judging  bool      // whether the organiser itself is doing the unit
	final    *answer
}

// answer is a worker's message about a unit.
type answer struct {
	index  int
	worker string
	data   []byte
	failed string // why there is no result
	back   string // why the unit was not tried
}

// handleEvents runs the run: it publishes units, and handles answers, orders and losses until all results are delivered.
func (r *activeRun) handleEvents(ctx context.Context) (err error) {
	r.chooseName()
	defer func() { r.leave(err) }()
	if err := r.subscribe(ctx); err != nil {
		return err
	}
	if err := r.restore(ctx); err != nil {
		return err
	}
	r.room = r.window()
	tick := time.NewTicker(min(time.Second, r.Patience/8))
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
			continue // the sequence may yield more units after the new results
		}
		select {
		case a := <-r.answers:
			err = r.takeAnswer(ctx, a)
		case seq := <-r.lost:
			r.giveUp(ctx, seq)
		case j := <-r.judged:
			err = r.settleDispute(ctx, j)
		case o := <-r.orders:
			r.obeyOrder(o)
		case <-tick.C:
			err = r.lookAround(ctx)
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// chooseName changes the name of the run if a run of this name is in progress, in this process or elsewhere: two runs with the
// same name would delete each other's units.
func (r *activeRun) chooseName() {
	name := r.Name
	for n := 2; Give(r.nc, r.Name, Order{}) == nil; n++ {
		r.Name = fmt.Sprintf("%s-%d", name, n)
	}
}

func (r *activeRun) subscribe(ctx context.Context) error {
	for subject, hear := range map[string]func(context.Context, *nats.Msg){
		answerSubject(r.id+".*", "*"): r.hearAnswer,
		"krow.order." + r.Name:        r.hearOrder,
		"$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + workStream + "." + consumerName(r.Build): r.hearLoss,
	} {
		sub, err := r.nc.Subscribe(subject, func(m *nats.Msg) { hear(ctx, m) })
		if err != nil {
			return err
		}
		r.subs = append(r.subs, sub)
	}
	return nil
}

// hearAnswer passes a worker's answer to handleEvents, and confirms it to the worker. The confirmation goes to the subject that
// the worker names, which must be an inbox: otherwise a worker could have the organiser write to any subject.
func (r *activeRun) hearAnswer(ctx context.Context, m *nats.Msg) {
	parts := strings.Split(m.Subject, ".")
	index, err := strconv.Atoi(parts[3])
	if err != nil || m.Header.Get(byHeader) != parts[4] || !strings.HasPrefix(m.Reply, "_INBOX.") {
		return
	}
	select {
	case r.answers <- answer{index, parts[4], m.Data, m.Header.Get(failedHeader), m.Header.Get(backHeader)}:
		_ = m.Respond(nil)
	case <-ctx.Done():
	}
}

// hearOrder passes an order to handleEvents, and confirms it.
func (r *activeRun) hearOrder(ctx context.Context, m *nats.Msg) {
	var o Order
	if err := json.Unmarshal(m.Data, &o); err != nil {
		_ = m.Respond([]byte(err.Error()))
		return
	}
	select {
	case r.orders <- o:
		_ = m.Respond(nil)
	case <-ctx.Done():
	}
}

// hearLoss receives the server's message that it has given up a unit after maxTries deliveries without an acknowledgement.
func (r *activeRun) hearLoss(ctx context.Context, m *nats.Msg) {
	var advisory struct {
		Seq uint64 `json:"stream_seq"`
	}
	if json.Unmarshal(m.Data, &advisory) == nil {
		select {
		case r.lost <- advisory.Seq:
		case <-ctx.Done():
		}
	}
}

func (r *activeRun) obeyOrder(o Order) {
	if o.Pause != nil && *o.Pause != r.paused {
		if r.paused = *o.Pause; r.paused {
			r.pausedAt = time.Now()
		} else { // the pause does not count in the rate
			r.began = r.began.Add(time.Since(r.pausedAt))
		}
	}
	if o.Priority != nil {
		r.priority = *o.Priority
	}
	if o.Cancel {
		r.cancel(work.ErrCancelled)
	}
	r.publishState()
}

// handOut publishes further units while fewer than r.room units are without a result.
func (r *activeRun) handOut(ctx context.Context) error {
	var units []*openUnit
	for !r.exhausted && !r.paused && r.waiting < r.room && len(r.order) < 64*r.room {
		u, err, more := r.next()
		if r.later = err == work.ErrLater; r.later {
			break
		}
		if !more || err != nil {
			r.exhausted, r.over = true, err
			break
		}
		u.Build, u.Inputs = r.Build, append(u.Inputs, r.Files.namedIn(u.Args)...)
		e := &openUnit{index: r.count, unit: u}
		units = append(units, e)
		r.order = append(r.order, e)
		r.count++
		r.waiting++
	}
	return r.publishUnits(ctx, units)
}

// window returns the maximum number of units of the run that may be without a result at the same time. The number is a little
// more than twice the run's share of the workers' cores, so that workers always find a unit. It is not larger, so that a changed
// priority of runs takes effect soon.
func (r *activeRun) window() int {
	_, slots := r.team()
	return window(r.Name, r.Build, r.priority, r.view().Runs, slots)
}

func window(name, build string, priority int, runs []RunState, slots int) int {
	sharing := 1
	for _, o := range runs {
		switch {
		case o.Name == name || o.Build != build || o.Paused || o.Finished || !o.HandsOut || o.Priority < priority:
		case o.Priority > priority:
			return 0
		default:
			sharing++
		}
	}
	return (2*slots + 15 + sharing) / sharing
}

// publishUnits publishes units. A unit that the server does not accept is published again at the next tick.
func (r *activeRun) publishUnits(ctx context.Context, units []*openUnit) error {
	taken := make([]jetstream.PubAckFuture, len(units))
	for i, e := range units {
		if e.first != nil && !r.hasOther(e.not) {
			r.doItself(ctx, e, nil)
			continue
		}
		data, err := json.Marshal(e.unit)
		if err != nil {
			return err
		}
		if len(data) > maxResult {
			return fmt.Errorf("unit of work %d has %d bytes, more than %d", e.index, len(data), maxResult)
		}
		if err := r.sendFiles(ctx, e.unit.Inputs); err != nil {
			return err
		}
		m := nats.NewMsg(workSubject(r.Build, r.Name))
		m.Data = data
		m.Header.Set(unitHeader, fmt.Sprintf("%s.%d", r.id, e.index))
		if e.not != "" && r.hasOther(e.not) {
			m.Header.Set(notHeader, e.not)
		}
		e.since, e.gone = time.Now(), false
		if taken[i], err = r.js.PublishMsgAsync(m); err != nil {
			r.state.Trouble = err.Error()
		}
	}
	for i, e := range units {
		if taken[i] == nil {
			continue
		}
		select {
		case ack := <-taken[i].Ok():
			e.seq = ack.Sequence
		case err := <-taken[i].Err():
			r.state.Trouble = err.Error()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// settle sets the final answer to unit e.
func (r *activeRun) settle(e *openUnit, a *answer) {
	e.final = a
	r.waiting--
}

// deliver calls result with the answers at the head of order, the oldest first, and reports whether all results of the run are
// delivered.
func (r *activeRun) deliver() (over bool, err error) {
	for len(r.order) > 0 && r.order[0].final != nil {
		e := r.order[0]
		if e.final.failed != "" {
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
	}
	if r.exhausted && len(r.order) == 0 {
		return true, r.over
	}
	return false, nil
}

// find returns the unit with the given index, or nil if the result of the unit was delivered.
func (r *activeRun) find(index int) *openUnit {
	if i := index - r.done; i >= 0 && i < len(r.order) {
		return r.order[i]
	}
	return nil
}

// longest is the time after which a unit without an answer is published again, for another worker.
const longest = time.Hour

// lookAround runs at each tick: it publishes missing units again, and reports the progress of the run.
func (r *activeRun) lookAround(ctx context.Context) error {
	if err := r.restore(ctx); err != nil {
		return err
	}
	if team, _ := r.team(); len(team) > 0 {
		r.alone = 0
	} else if r.alone++; r.alone == aloneTicks {
		r.log("no worker of this build is there: krow work --join")
	}
	r.room = r.window()
	var units []*openUnit
	for _, e := range r.order {
		switch {
		case e.final != nil || e.judging:
		case e.first != nil && time.Since(e.asked) > 2*r.Patience:
			r.doItself(ctx, e, nil) // because no worker has checked the answer in time
		case e.seq == 0 || time.Since(e.since) > longest:
			units = append(units, e)
		}
	}
	r.publishState()
	return r.publishUnits(ctx, units)
}

// aloneTicks is the number of ticks without a worker after which the run logs that there is none.
const aloneTicks = 10

// restore checks the streams. If the streams are new, or the connection was interrupted, restore removes the remaining units
// of the run from the streams. Then it marks all units without a result to be published again. If the server does not answer,
// restore sets Trouble, and is called again at the next tick.
func (r *activeRun) restore(ctx context.Context) error {
	short, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	streams, err := r.lookAtStreams(short)
	if errors.Is(err, jetstream.ErrStreamNotFound) || err == nil && streams != r.streams {
		if err = ensureStreams(short, r.js, r.Build, r.Patience); err == nil {
			err = r.purge(short)
		}
		if err == nil {
			streams, err = r.lookAtStreams(short)
		}
		if err == nil {
			if r.streams != "" {
				r.log("the server of the cluster was away: the units without a result are handed out again")
			}
			r.streams = streams
			clear(r.sent)
			for _, e := range r.order {
				e.seq = 0
			}
		}
	}
	r.state.Trouble = ""
	switch {
	case err == nil:
	case r.nc.IsClosed(), r.streams == "" && !isLate(err):
		return err
	default:
		r.state.Trouble = err.Error()
	}
	return nil
}

// isLate reports whether an error means that the server does not answer now, but may answer later.
func isLate(err error) bool {
	const unavailable = 10008 // CITE: nats-server, errors.json: "JetStream system temporarily unavailable"
	api := new(jetstream.APIError)
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, nats.ErrReconnectBufExceeded) ||
		errors.As(err, &api) && api.ErrorCode == unavailable
}

// lookAtStreams finds units that have no answer although their messages are no longer in the stream. Either a worker deleted
// the message, or the answer is on its way. A unit that is missing at two successive checks must be published again. The
// returned text identifies the stream and the connection. If the text differs from the text of the previous call, the stream is
// new or the connection was interrupted, and messages may be lost.
func (r *activeRun) lookAtStreams(ctx context.Context) (text string, err error) {
	stream, err := r.js.Stream(ctx, workStream)
	if err != nil {
		return "", err
	}
	subject := workSubject(r.Build, r.Name)
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(subject))
	if err != nil {
		return "", err
	}
	r.state.Queued = int(info.State.Subjects[subject])
	out := 0
	for _, e := range r.order {
		if e.final == nil && e.seq > 0 {
			out++
		}
	}
	for _, e := range r.order {
		if out <= r.state.Queued {
			break
		}
		if e.final != nil || e.judging || e.seq == 0 {
			continue
		}
		if _, err := stream.GetMsg(ctx, e.seq); errors.Is(err, jetstream.ErrMsgNotFound) {
			if e.gone {
				e.seq = 0
			}
			e.gone = true
		}
	}
	return fmt.Sprint(info.Created.UnixNano(), " ", r.nc.Stats().Reconnects), nil
}

// purge deletes the units of the run from the stream.
func (r *activeRun) purge(ctx context.Context) error {
	s, err := r.js.Stream(ctx, workStream)
	if err != nil {
		return err
	}
	return s.Purge(ctx, jetstream.WithPurgeSubject(workSubject(r.Build, r.Name)))
}

// publishState publishes the state of the run.
func (r *activeRun) publishState() {
	s := &r.state
	s.Name, s.Title, s.Build, s.Priority, s.Paused = r.Name, r.Title, r.Build, r.priority, r.paused
	s.HandsOut, s.Done, s.Open, s.Total = !r.exhausted, r.done, len(r.order), r.Units
	s.Rate, s.Left = 0, 0
	if !r.paused {
		s.Rate = float64(r.done) / max(time.Since(r.began).Seconds(), 0.001)
	}
	if s.Rate > 0 && s.Total > 0 {
		s.Left = float64(s.Total-s.Done) / s.Rate
	}
	if data, err := json.Marshal(s); err == nil {
		_ = r.nc.Publish("krow.run."+s.Name, data)
	}
}

// leave ends the run: it publishes the last state, deletes the remaining units and waits for the goroutines of doItself.
func (r *activeRun) leave(err error) {
	ctx, cancel := context.WithTimeout(context.Background(), requestTime)
	defer cancel()
	r.cancel(err)
	r.state.Finished = true
	r.publishState()
	for _, sub := range r.subs {
		// When the purge below returns, the server has also received this Unsubscribe. The name of the run is then free again,
		// because chooseName avoids only names to which somebody is subscribed.
		_ = sub.Unsubscribe()
	}
	_ = r.purge(ctx)
	for range r.judging {
		<-r.judged
	}
}
