// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/krow-lab/krow/arena/work"
)

// OrganiserOptions say how an organiser works.
type OrganiserOptions struct {
	Build string     // of this process; only workers of the same build get its units
	Kinds work.Kinds // does the units whose results are disputed
	Files *Files     // those that units name; nil where none does
	// Memory keeps the streams in memory, Replicas is on how many servers they are: both are of streams that are not there yet.
	Memory   bool
	Replicas int
	// Patience is the silence after which a worker has lost its unit; 0 means 30 s.
	Patience time.Duration
	Longest  time.Duration     // a unit that takes longer is given to another worker too; 0 means an hour
	Checks   float64           // the share of units that are done twice; 0 means 0.01, and less means none
	Tick     time.Duration     // how often an organiser looks around; 0 means a second
	Log      func(text string) // unless nil, hears what a person may want to know
}

// Organiser hands out units and takes results. Several runs may use it at once.
type Organiser struct {
	OrganiserOptions
	nc *nats.Conn
	js jetstream.JetStream

	mu      sync.Mutex
	workers map[string]heard[WorkerState]
	runs    map[string]heard[RunState] // of all organisers
	banned  map[string]bool
}

// heard is what somebody said last, and when.
type heard[T any] struct {
	state T
	at    time.Time
}

// NewOrganiser returns an organiser, and makes the streams it needs. It lives as long as its connection.
func NewOrganiser(ctx context.Context, nc *nats.Conn, o OrganiserOptions) (*Organiser, error) {
	o.Patience, o.Tick = cmp.Or(o.Patience, 30*time.Second), cmp.Or(o.Tick, time.Second)
	o.Checks, o.Longest = cmp.Or(o.Checks, 0.01), cmp.Or(o.Longest, time.Hour)
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(1<<14), jetstream.WithPublishAsyncTimeout(ackTime))
	if err != nil {
		return nil, err
	}
	org := &Organiser{
		OrganiserOptions: o, nc: nc, js: js,
		workers: map[string]heard[WorkerState]{}, runs: map[string]heard[RunState]{}, banned: map[string]bool{},
	}
	if err := org.ask(ctx, org.ensure); err != nil {
		return nil, err
	}
	return org, org.listen()
}

// ask asks the server for something until it answers: it may be away for a while, or choose who leads.
func (o *Organiser) ask(ctx context.Context, what func(context.Context) error) error {
	for told := false; ; told = true {
		err := what(ctx)
		if !isLate(err) || ctx.Err() != nil || o.nc.IsClosed() {
			return err
		}
		if !told {
			o.log("waiting for the server: " + err.Error())
		}
		sleep(ctx, retryTime)
	}
}

// isLate says whether an error is that of a server that does not answer now, and may answer later.
func isLate(err error) bool {
	const unavailable = 10008 // CITE: nats-server, errors.json: "JetStream system temporarily unavailable"
	api := new(jetstream.APIError)
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, nats.ErrReconnectBufExceeded) ||
		errors.As(err, &api) && api.ErrorCode == unavailable
}

func (o *Organiser) ensure(ctx context.Context) error {
	return storage{o.Memory, o.Replicas, o.Patience}.ensure(ctx, o.js, o.Build)
}

// listen keeps what workers and runs say about themselves.
func (o *Organiser) listen() error {
	if err := hear(o.nc, "krow.worker.*", func(w WorkerState) { o.workers[w.Name] = heard[WorkerState]{w, time.Now()} }, &o.mu); err != nil {
		return err
	}
	return hear(o.nc, "krow.run.*", func(r RunState) { o.runs[r.Name] = heard[RunState]{r, time.Now()} }, &o.mu)
}

// hear calls f with each valid message of a subject, under the lock.
func hear[T any](nc *nats.Conn, subject string, f func(T), mu *sync.Mutex) error {
	_, err := nc.Subscribe(subject, func(m *nats.Msg) {
		var state T
		if json.Unmarshal(m.Data, &state) != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		f(state)
	})
	return err
}

// silence is after how long somebody who says nothing is gone. Workers and runs say something every second.
const silence = 10 * time.Second

// team returns the workers that can do units of this organiser, and how many units they do at once.
func (o *Organiser) team() (names map[string]bool, slots int) {
	names = map[string]bool{}
	o.mu.Lock()
	defer o.mu.Unlock()
	for name, w := range o.workers {
		switch {
		case time.Since(w.at) > silence:
			delete(o.workers, name)
		case w.state.Build == o.Build && !o.banned[name]:
			names[name] = true
			slots += max(w.state.Cores, 1)
		}
	}
	return names, slots
}

// idle says whether there are workers, and all of them want a unit.
func (o *Organiser) idle() bool {
	team, _ := o.team()
	o.mu.Lock()
	defer o.mu.Unlock()
	for name := range team {
		if w := o.workers[name].state; len(w.Doing) > 0 || w.Waiting != "" {
			return false
		}
	}
	return len(team) > 0
}

// stuck says whether there are workers, and all of them wait for the server.
func (o *Organiser) stuck() bool {
	team, _ := o.team()
	o.mu.Lock()
	defer o.mu.Unlock()
	for name := range team {
		if o.workers[name].state.Waiting != waitsForServer {
			return false
		}
	}
	return len(team) > 0
}

// busy returns the units that workers say they are at.
func (o *Organiser) busy() map[Doing]bool {
	all := map[Doing]bool{}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, w := range o.workers {
		for _, d := range w.state.Doing {
			all[d] = true
		}
	}
	return all
}

// others returns the runs of the same build that are going on elsewhere or here, but for one.
func (o *Organiser) others(name string) (all []RunState) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for n, r := range o.runs {
		switch {
		case time.Since(r.at) > silence:
			delete(o.runs, n)
		case n != name && r.state.Build == o.Build:
			all = append(all, r.state)
		}
	}
	return all
}

// ban sets a worker aside, and tells it so that an honest one with a broken machine stops.
func (o *Organiser) ban(name string) {
	o.mu.Lock()
	o.banned[name] = true
	o.mu.Unlock()
	o.nc.Publish("krow.banned", []byte(name))
}

func (o *Organiser) isBanned(name string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.banned[name]
}

func (o *Organiser) log(text string) {
	if o.Log != nil {
		o.Log(text)
	}
}

// Run is what a queue of units is called, and how much of the workers it gets.
type Run struct {
	Name  string // a part of subjects: see words.Name. A run that is begun again has the same name and finds its results
	Title string // for people
	// Of the runs with the greatest Priority that have units left, each gets workers by its Share. 0 means a share of 1.
	Priority int
	Share    float64
	Units    int // how many there are; 0 where nobody knows
}

// Queue returns the queue of a run.
func (o *Organiser) Queue(r Run) work.Queue {
	r.Share = cmp.Or(r.Share, 1)
	return &queue{o, r}
}

type queue struct {
	*Organiser
	run Run
}

// Run implements [work.Queue]. A worker that is found out to have been wrong after its results were delivered is a
// [work.WithdrawnError]: another Run goes on with what is not withdrawn.
func (q *queue) Run(ctx context.Context, units iter.Seq2[work.Unit, error], result func(int, []byte) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next, stop := iter.Pull2(units)
	defer stop()
	r := &running{
		Organiser: q.Organiser, run: q.run, next: next, result: result, cancel: cancel, incarnation: nats.NewInbox()[7:],
		open: map[string][]*open{}, known: map[answerID]known{}, delivered: map[string]int{}, first: map[string]bool{}, sent: map[string]bool{},
		arrivals: make(chan arrival, 256), back: make(chan Doing), found: make(chan inquiry, 1), judged: make(chan judgement), began: time.Now(), resulted: time.Now(),
	}
	return r.loop(ctx)
}
