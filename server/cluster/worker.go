// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/internal/rescue"
)

// Worker takes units from a cluster and does them. It takes only units that the same build of the program has published.
type Worker struct {
	Name  string // a valid humanize.Name that no other worker has
	Build string
	Cores int // number of units that the worker does at the same time; 0 means 1
	Kinds work.Kinds
	Files *Files            // stores the files that units name; if it is nil, units that name files fail
	Log   func(text string) // receives messages for the person who runs the worker; may be nil

	mu    sync.Mutex
	state WorkerState
	js    jetstream.JetStream
}

// errBanned is the error of a worker that gave a wrong result.
var errBanned = errors.New("this worker gave a wrong result, and was excluded: look for what is wrong with the machine")

// Run does units until ctx is done or the organiser excludes the worker.
func (w *Worker) Run(ctx context.Context, nc *nats.Conn) (err error) {
	w.Cores = max(w.Cores, 1)
	if w.js, err = jetstream.New(nc, jetstream.WithDefaultTimeout(requestTime)); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	nc.SetClosedHandler(func(nc *nats.Conn) {
		if errors.Is(nc.LastError(), nats.ErrAuthorization) { // after any other error, the connection reconnects
			cancel(errors.New("the server no longer accepts these keys"))
		}
	})
	banned, err := nc.Subscribe("krow.banned", func(m *nats.Msg) {
		if string(m.Data) == w.Name {
			cancel(errBanned)
		}
	})
	if err != nil {
		return err
	}
	defer banned.Unsubscribe()
	since := time.Now().UnixNano()
	same, err := nc.Subscribe("krow.worker."+w.Name, func(m *nats.Msg) {
		var other WorkerState
		if json.Unmarshal(m.Data, &other) == nil && other.Since < since {
			cancel(fmt.Errorf("another worker has the name %s", w.Name))
		}
	})
	if err != nil {
		return err
	}
	defer same.Unsubscribe()
	w.state = WorkerState{Name: w.Name, Build: w.Build, Cores: w.Cores, Doing: make([]string, w.Cores), Since: since}
	var all sync.WaitGroup
	all.Go(func() { w.announce(ctx, nc) })
	for core := range w.Cores {
		all.Go(func() { w.serveCore(ctx, core) })
	}
	all.Wait()
	return context.Cause(ctx)
}

// announce publishes the state of the worker every second.
func (w *Worker) announce(ctx context.Context, nc *nats.Conn) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	began, busy := time.Now(), 0.0
	for {
		s := w.State()
		busy += float64(len(s.Doing)) / float64(w.Cores)
		s.Busy = busy / (time.Since(began).Seconds() + 1)
		if data, err := json.Marshal(s); err == nil {
			_ = nc.Publish("krow.worker."+w.Name, data)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// State returns the state of the worker, except its share of busy time.
func (w *Worker) State() WorkerState {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.state
	s.Doing = nil
	for _, run := range w.state.Doing {
		if run != "" {
			s.Doing = append(s.Doing, run)
		}
	}
	return s
}

// serveCore does one unit after the other until ctx is done.
func (w *Worker) serveCore(ctx context.Context, core int) {
	for ctx.Err() == nil {
		units, err := w.js.Consumer(ctx, workStream, consumerName(w.Build))
		if err != nil {
			w.waitFor(reason(err))
		}
		for err == nil {
			err = w.doNext(ctx, core, units)
		}
		sleep(ctx, retryTime) // wait, because the server, the stream or the consumer may be missing
	}
}

// doNext waits for a unit and does it.
func (w *Worker) doNext(ctx context.Context, core int, units jetstream.Consumer) error {
	within, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	m, err := units.Next(jetstream.FetchContext(within), jetstream.FetchHeartbeat(2*time.Second))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout):
		w.waitFor("") // there is no unit at present, which is not an error
		return nil
	case err != nil:
		return err
	}
	w.waitFor("")
	w.doUnit(ctx, core, m, units.CachedInfo().Config.AckWait)
	return nil
}

// reason returns the text for the field WorkerState.Waiting after an error of the consumer, from which the worker takes units.
func reason(err error) string {
	if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		return "for an organiser of the same build"
	}
	return "for the server"
}

func (w *Worker) waitFor(what string) {
	w.mu.Lock()
	changed := w.state.Waiting != what
	w.state.Waiting = what
	w.mu.Unlock()
	if changed && what != "" {
		w.log("waiting " + what)
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

// doUnit does the unit of a message, and sends the answer. If the worker is silent for the duration given by patience, the
// server considers the worker lost.
func (w *Worker) doUnit(ctx context.Context, core int, m jetstream.Msg, patience time.Duration) {
	var u work.Unit
	if err := json.Unmarshal(m.Data(), &u); err != nil || m.Headers().Get(unitHeader) == "" {
		_ = m.TermWithReason("no unit of work")
		return
	}
	if m.Headers().Get(notHeader) == w.Name {
		w.giveAnswer(ctx, m, backHeader, "another one checks it", nil)
		sleep(ctx, retryTime)
		return
	}
	w.note(core, strings.TrimPrefix(m.Subject(), workSubject(w.Build, "")))
	data, err := w.keepAlive(ctx, m, u, patience)
	w.note(core, "")
	switch {
	case ctx.Err() != nil:
		w.giveAnswer(ctx, m, backHeader, "stopped", nil)
	case err == nil && len(data) > maxResult:
		w.fail(ctx, m, fmt.Sprintf("its result has %d bytes, more than %d", len(data), maxResult))
	case err != nil:
		w.fail(ctx, m, humanize.OneLine(err.Error(), 200))
	default:
		w.giveAnswer(ctx, m, byHeader, w.Name, data)
		w.count(1, 0)
	}
}

// fail sends the organiser the reason why a unit has no result.
func (w *Worker) fail(ctx context.Context, m jetstream.Msg, why string) {
	w.log("a unit of " + strings.TrimPrefix(m.Subject(), workSubject(w.Build, "")) + " failed: " + why)
	w.giveAnswer(ctx, m, failedHeader, why, nil)
	w.count(0, 1)
}

// keepAlive does a unit and returns its result. Meanwhile it reports to the server that the unit is in progress. The time
// between two reports is a third of patience.
func (w *Worker) keepAlive(ctx context.Context, m jetstream.Msg, u work.Unit, patience time.Duration) (data []byte, err error) {
	ctx, cancel := context.WithCancel(ctx)
	var alive sync.WaitGroup
	alive.Go(func() {
		tick := time.NewTicker(patience / 3)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = m.InProgress()
			case <-ctx.Done():
				return
			}
		}
	})
	defer alive.Wait()
	defer cancel()
	defer rescue.Into(&err)
	if len(u.Inputs) > 0 && w.Files == nil {
		return nil, errors.New("this worker keeps no files")
	}
	if err := w.Files.fetch(ctx, w.js, u.Inputs); err != nil {
		return nil, err
	}
	return w.Kinds.Do(ctx, u)
}

// note sets the name of the run whose unit a core does, or "" for none.
func (w *Worker) note(core int, run string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state.Doing[core] = run
}

func (w *Worker) count(done, failed int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state.Done += done
	w.state.Failed += failed
}

// giveAnswer sends an answer to the organiser and, when the organiser has confirmed it, removes the unit from the queue. If the
// organiser cannot be reached for some seconds, the answer is dropped, and the server delivers the unit again.
func (w *Worker) giveAnswer(ctx context.Context, m jetstream.Msg, header, value string, data []byte) {
	msg := nats.NewMsg(answerSubject(m.Headers().Get(unitHeader), w.Name))
	msg.Data = data
	msg.Header.Set(byHeader, w.Name)
	msg.Header.Set(header, value)
	for range 3 {
		if _, err := w.js.Conn().RequestMsg(msg, requestTime); err == nil {
			_ = m.Ack()
			return
		}
		if sleep(ctx, 2*retryTime); ctx.Err() != nil {
			return
		}
	}
}
