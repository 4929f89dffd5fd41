// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"cmp"
	"context"
	"iter"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/krow-lab/krow/arena/work"
)

// OrganiserOptions are the settings of an organiser.
type OrganiserOptions struct {
	Build string // build of this process; only workers of the same build get its units
	// Kinds contains the functions with which the organiser itself does a unit if two workers return different results for it.
	Kinds work.Kinds
	Files *Files // the files that units name; nil if units name no files
	// Patience is the time of silence after which a worker's unit is given to another worker; 0 means 30 s.
	Patience time.Duration
	Checks   float64           // the share of units that are done twice; 0 means 0.01, and a negative value means none
	Log      func(text string) // receives messages for the person who runs the organiser; may be nil
}

// Organiser publishes units and receives results. Several runs may use it at once.
type Organiser struct {
	OrganiserOptions
	*roster
	nc *nats.Conn
	js jetstream.JetStream

	bans   sync.Mutex
	banned map[string]bool
}

// NewOrganiser returns an organiser, and creates the streams that it needs. The organiser works as long as its connection is
// open.
func NewOrganiser(ctx context.Context, nc *nats.Conn, o OrganiserOptions) (*Organiser, error) {
	o.Patience, o.Checks = cmp.Or(o.Patience, 30*time.Second), cmp.Or(o.Checks, 0.01)
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncTimeout(requestTime))
	if err != nil {
		return nil, err
	}
	short, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	if err := ensureStreams(short, js, o.Build, o.Patience); err != nil && !isLate(err) {
		return nil, err
	}
	r, err := newRoster(nc)
	return &Organiser{OrganiserOptions: o, roster: r, nc: nc, js: js, banned: map[string]bool{}}, err
}

// View returns the state of the cluster, from the latest reports of workers and runs.
func (o *Organiser) View() View { return o.view() }

// Give sends an order to a run of this organiser, or of another organiser on the same server.
func (o *Organiser) Give(run string, order Order) error { return Give(o.nc, run, order) }

// Employ runs a worker in this process until ctx is done.
func (o *Organiser) Employ(ctx context.Context, w *Worker) error { return w.Run(ctx, o.nc) }

// team returns the workers that can do units of this organiser, and the number of units that all of them do at once.
func (o *Organiser) team() (names map[string]bool, slots int) {
	names = map[string]bool{}
	for _, w := range o.view().Workers {
		if w.Build == o.Build && !o.isBanned(w.Name) {
			names[w.Name] = true
			slots += max(w.Cores, 1)
		}
	}
	return names, slots
}

// hasOther reports whether the team has a worker other than the named one.
func (o *Organiser) hasOther(name string) bool {
	team, _ := o.team()
	delete(team, name)
	return len(team) > 0
}

// ban excludes a worker: its results no longer count. ban also informs the worker, so that an honest worker on a faulty machine
// stops.
func (o *Organiser) ban(name string) {
	o.bans.Lock()
	o.banned[name] = true
	o.bans.Unlock()
	_ = o.nc.Publish("krow.banned", []byte(name))
}

func (o *Organiser) isBanned(name string) bool {
	o.bans.Lock()
	defer o.bans.Unlock()
	return o.banned[name]
}

func (o *Organiser) log(text string) {
	if o.Log != nil {
		o.Log(text)
	}
}

// Run describes a run, which is a queue of units.
type Run struct {
	// Name is the name of the run in the subjects of messages. It is the same when the run continues after an interruption.
	Name  string
	Title string // the name that people see
	Units int    // number of units; 0 if unknown
}

// Queue returns a queue that does the units of r on the cluster.
func (o *Organiser) Queue(r Run) work.Queue { return &queue{o, r} }

type queue struct {
	*Organiser
	run Run
}

// Run implements [work.Queue]. A worker may turn out to compute wrong results after some of its results were delivered. In
// this case the error is a [work.WithdrawnError]. The caller can then call Run again for the units from the first withdrawn
// result on.
func (q *queue) Run(ctx context.Context, units iter.Seq2[work.Unit, error], result func(int, []byte) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next, stop := iter.Pull2(units)
	defer stop()
	r := &activeRun{
		Organiser: q.Organiser, Run: q.run, id: nats.NewInbox()[len("_INBOX."):], next: next, result: result, cancel: cancel, began: time.Now(),
		delivered: map[string]int{}, known: map[string]bool{}, sent: map[string]bool{},
		answers: make(chan answer, 256), lost: make(chan uint64, 16), orders: make(chan Order), judged: make(chan judgement),
	}
	return r.handleEvents(ctx)
}
