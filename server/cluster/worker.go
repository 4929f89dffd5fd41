// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/internal/rescue"
)

// Worker does units.
type Worker struct {
	Name  string // see humanize.Name; no two workers have the same
	Build string
	Cores int // units at once; 0 means 1
	Kinds work.Kinds
	Files *Files // for those that units name; nil: such units fail
	// Patience is that of the organiser: a worker says three times in it that it is still at a unit. 0 means 30 s.
	Patience time.Duration
	Log      func(text string) // unless nil, hears what a person may want to know

	mu    sync.Mutex
	state WorkerState
	js    jetstream.JetStream
}

// WorkerState is what a worker does.
type WorkerState struct {
	Name    string  `json:"name"`
	Build   string  `json:"build"`
	Cores   int     `json:"cores"`
	Doing   []Doing `json:"doing"` // one for each unit that is being done
	Done    int     `json:"done"`
	Failed  int     `json:"failed"`
	Busy    float64 `json:"busy"` // share of its time, of all cores, since it came
	Waiting string  `json:"waiting,omitempty"`
	Since   int64   `json:"since"` // when it came, in nanoseconds
}

// Doing is a unit that is being done.
type Doing struct {
	Run   string `json:"run"`
	Unit  string `json:"unit"` // its key
	Check int    `json:"check,omitempty"`
}

// requestTime is how long a worker waits for an answer of the server before it asks again: the one that leads may be gone.
const requestTime = 2 * time.Second

// retryTime is how long a worker waits before it asks again.
const retryTime = 250 * time.Millisecond

// ErrBanned is the error of a worker that gave a wrong result.
var ErrBanned = errors.New("this worker gave a wrong result, and was set aside: look for what is wrong with the machine")

// Run does units until ctx is done, or the worker is set aside.
func (w *Worker) Run(ctx context.Context, nc *nats.Conn) (err error) {
	w.Patience, w.Cores = cmp.Or(w.Patience, 30*time.Second), max(w.Cores, 1)
	if w.js, err = jetstream.New(nc, jetstream.WithDefaultTimeout(requestTime)); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	nc.SetClosedHandler(func(nc *nats.Conn) {
		if errors.Is(nc.LastError(), nats.ErrAuthorization) { // a connection never gives up but for that
			cancel(errors.New("the server does not know these keys any more"))
		}
	})
	sub, err := nc.Subscribe("krow.banned", func(m *nats.Msg) {
		if string(m.Data) == w.Name {
			cancel(ErrBanned)
		}
	})
	if err != nil {
		return err
	}
	defer sub.Unsubscribe()
	since := time.Now().UnixNano()
	same, err := nc.Subscribe("krow.worker."+w.Name, func(m *nats.Msg) {
		var other WorkerState
		if json.Unmarshal(m.Data, &other) == nil && other.Since < since {
			cancel(fmt.Errorf("another worker is called %s", w.Name))
		}
	})
	if err != nil {
		return err
	}
	defer same.Unsubscribe()
	w.state = WorkerState{Name: w.Name, Build: w.Build, Cores: w.Cores, Doing: make([]Doing, w.Cores), Since: since}
	var all sync.WaitGroup
	all.Go(func() { w.announce(ctx, nc) })
	for core := range w.Cores {
		all.Go(func() { w.serve(ctx, core) })
	}
	all.Wait()
	return context.Cause(ctx)
}

// announce says every second what the worker does.
func (w *Worker) announce(ctx context.Context, nc *nats.Conn) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	began, busy := time.Now(), 0.0
	for {
		w.mu.Lock()
		s := w.state
		s.Doing = nil
		for _, d := range w.state.Doing {
			if d.Run != "" {
				s.Doing = append(s.Doing, d)
			}
		}
		w.mu.Unlock()
		busy += float64(len(s.Doing)) / float64(w.Cores)
		s.Busy = busy / (time.Since(began).Seconds() + 1)
		if data, err := json.Marshal(s); err == nil {
			nc.Publish("krow.worker."+w.Name, data)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// serve does one unit after the other.
func (w *Worker) serve(ctx context.Context, core int) {
	for ctx.Err() == nil {
		units, err := w.js.Consumer(ctx, workStream, consumerName(w.Build))
		if err != nil {
			w.waits(reason(err))
			sleep(ctx, retryTime)
			continue
		}
		w.waits("")
		for w.take(ctx, core, units) == nil {
		}
		sleep(ctx, retryTime) // the server, the stream or the consumer may be gone
	}
}

// take waits for a unit and does it.
func (w *Worker) take(ctx context.Context, core int, units jetstream.Consumer) error {
	within, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	batch, err := units.Fetch(1, jetstream.FetchContext(within), jetstream.FetchHeartbeat(heartbeat))
	if err != nil {
		return err
	}
	none := true
	for m := range batch.Messages() {
		none = false
		w.do(ctx, core, m)
	}
	if err := batch.Error(); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, nats.ErrTimeout) {
		return err
	}
	if none {
		w.waits("")
	}
	return ctx.Err()
}

// reason says why there is no work.
func reason(err error) string {
	if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		return "for an organiser of the same build"
	}
	return waitsForServer
}

// What a worker waits for: its server is away or has no room, or its cores are busy with other work.
const (
	waitsForServer = "for the server"
	waitsForCores  = "for idle cores"
)

func (w *Worker) waits(why string) {
	w.mu.Lock()
	changed := w.state.Waiting != why
	w.state.Waiting = why
	w.mu.Unlock()
	if changed && why != "" {
		w.log("waiting " + why)
	}
}

func (w *Worker) log(text string) {
	if w.Log != nil {
		w.Log(text)
	}
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// do does the unit of a message.
func (w *Worker) do(ctx context.Context, core int, m jetstream.Msg) {
	var u work.Unit
	meta, err := m.Metadata()
	if err == nil {
		err = json.Unmarshal(m.Data(), &u)
	}
	if err != nil {
		m.TermWithReason("no unit of work")
		return
	}
	run := m.Subject()[len(workSubject(w.Build, "")):]
	n, not := 0, m.Headers().Get(checkHeader)
	switch {
	case not == w.Name:
		m.NakWithDelay(w.Patience / 60) // another one checks it
		return
	case not != "":
		n = 1
	}
	result := answerTo{run, u.Key(), n}
	earlier, _ := strconv.Atoi(m.Headers().Get(triesHeader))
	tries := int(meta.NumDelivered) + earlier
	if tries > maxTries && not == "" || tries > 20*maxTries {
		w.fail(ctx, m, result, fmt.Sprintf("its workers were lost %d times", maxTries))
		return
	}
	unit := Doing{run, result.key, n}
	w.doing(core, unit)
	defer w.doing(core, Doing{})
	data, err := w.keepingAlive(ctx, m, u)
	switch {
	case ctx.Err() != nil:
		m.Nak() // for another worker, at once
	case errors.Is(err, work.ErrBusy):
		w.giveBack(m, unit)
		w.doing(core, Doing{})
		w.waits(waitsForCores)
		sleep(ctx, w.Patience/6)
	case err == nil && len(data) > maxResult:
		w.fail(ctx, m, result, fmt.Sprintf("its result has %d bytes, more than %d", len(data), maxResult))
	case err == nil:
		w.publish(ctx, m, result, data, "")
	case tries >= maxTries || not != "":
		w.fail(ctx, m, result, err.Error())
	default:
		w.log(fmt.Sprintf("run %s, try %d: %v", run, tries, err))
		w.count(0, 1)
		m.NakWithDelay(w.Patience / 30)
	}
}

// keepingAlive does a unit, and says three times in the organiser's patience that it is still at it.
func (w *Worker) keepingAlive(ctx context.Context, m jetstream.Msg, u work.Unit) (data []byte, err error) {
	ctx, cancel := context.WithCancel(ctx)
	var alive sync.WaitGroup
	alive.Go(func() {
		tick := time.NewTicker(w.Patience / 3)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				m.InProgress()
			case <-ctx.Done():
				return
			}
		}
	})
	defer func() {
		cancel()
		alive.Wait()
	}()
	defer rescue.Into(&err)
	if len(u.Inputs) > 0 {
		if w.Files == nil {
			return nil, errors.New("this worker keeps no files")
		}
		if err := w.Files.fetch(ctx, w.js, u.Inputs); err != nil {
			return nil, err
		}
	}
	return w.Kinds.Do(ctx, u)
}

func (w *Worker) doing(core int, d Doing) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state.Doing[core] = d
}

func (w *Worker) count(done, failed int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state.Done += done
	w.state.Failed += failed
}

// fail publishes a dead letter.
func (w *Worker) fail(ctx context.Context, m jetstream.Msg, result answerTo, why string) {
	w.log(fmt.Sprintf("given up: %s", why))
	w.publish(ctx, m, result, nil, why)
}

// answerTo says which unit a result is of.
type answerTo struct {
	run, key string
	n        int
}

// publish publishes a result, or why there is none, until the server has it, and then acknowledges the unit.
func (w *Worker) publish(ctx context.Context, m jetstream.Msg, to answerTo, data []byte, why string) {
	h := nats.Header{byHeader: {w.Name}}
	if why != "" {
		h.Set(failedHeader, humanize.OneLine(why, 200))
	}
	of := func(worker string) string { return resultSubject(to.run, to.key, to.n, worker) }
	for ctx.Err() == nil {
		msg := &nats.Msg{Subject: of(w.Name), Data: data, Header: h}
		_, err := w.js.PublishMsg(ctx, msg, jetstream.WithExpectLastSequenceForSubject(0, of("*")))
		api := new(jetstream.APIError)
		if err == nil || errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence { // it has one already
			m.Ack()
			w.count(1, 0)
			w.waits("")
			return
		}
		w.waits(waitsForServer)
		m.InProgress()
		sleep(ctx, retryTime)
	}
}

// giveBack has the organiser hand out a unit again, which is no try. Where that is lost the organiser finds the unit missing.
func (w *Worker) giveBack(m jetstream.Msg, d Doing) {
	if data, err := json.Marshal(d); err == nil {
		w.js.Conn().Publish("krow.back."+w.Name, data)
	}
	m.Ack()
}

// State returns what the worker did.
func (w *Worker) State() WorkerState {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state
}
