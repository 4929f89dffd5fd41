// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Jobs are long work: matches, learning, studies. A few run at a time. Their results are stored, so that they can stop at any moment
// and continue later: a job whose turn is over makes room where others wait.
type Jobs struct {
	o    JobOptions
	gate *Gate

	mu  sync.Mutex
	all map[string]*job
}

// JobOptions say how jobs run.
type JobOptions struct {
	Slots int             // number of jobs that run at once
	Life  context.Context // which all jobs end with
	Busy  *sync.WaitGroup // of the goroutines of all jobs
	Wait  time.Duration   // how long Stop waits for the end of a job

	Failed   func(key string, err error) string // returns the text for the error that ended a job
	Panicked func(why any)                      // is called by the goroutine of a job that panicked
}

type job struct {
	Work
	*Ticket
	cancel context.CancelFunc
	ended  chan struct{} // closed when its state has been set
}

// Work is how a job stands.
type Work struct {
	State string `json:"state" enum:"waiting,running,stopped,failed" doc:"of what has ended, stopped"`
	Note  string `json:"note,omitempty" doc:"how far it is"`
	Error string `json:"error,omitempty"`
}

// The states of a job. One that nobody has begun since the server started is stopped.
const (
	Waiting = "waiting"
	Running = "running"
	Stopped = "stopped"
	Failed  = "failed"
)

// Going reports whether a job waits or runs.
func (w Work) Going() bool { return w.State == Running || w.State == Waiting }

const (
	maxJobs = 200 // that wait
	// jobsOfOne is the maximum number of jobs of one client that run or wait. Half of the room is for members.
	jobsOfOne = 21
	// jobTurn is the time that a job runs while others wait.
	jobTurn = time.Minute
)

// NewJobs returns the jobs of a server, none yet.
func NewJobs(o JobOptions) *Jobs {
	room := bounds{slots: o.Slots, what: "jobs", most: maxJobs, visitors: maxJobs / 2, ofMember: jobsOfOne, ofVisitor: jobsOfOne}
	return &Jobs{o: o, gate: &Gate{bounds: room}, all: map[string]*job{}}
}

// errTurn ends the turn of a job.
var errTurn = errors.New("the turn is over")

// Start runs f in its turn, and again in its next turn when it was interrupted. f calls note to say how far it is. begin
// stores what the job is about and returns its key; nothing is stored where there is no room. A job of the same key that
// runs or waits is left alone.
func (j *Jobs) Start(client Client, begin func() (string, error), f func(ctx context.Context, note func(string)) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.o.Life.Err() != nil {
		return busy("the server stops")
	}
	t, err := j.gate.Join(client)
	if err != nil {
		return err
	}
	key, err := begin()
	if old := j.all[key]; err != nil || key == "" || old != nil && old.Going() {
		j.gate.Leave(t)
		return err
	}
	ctx, cancel := context.WithCancel(j.o.Life)
	b := &job{Work{State: Waiting}, t, cancel, make(chan struct{})}
	j.all[key] = b
	j.o.Busy.Go(func() {
		defer cancel()
		defer close(b.ended)
		err := errTurn
		for err == errTurn {
			err = j.runTurn(ctx, b, f)
		}
		j.mu.Lock()
		defer j.mu.Unlock()
		b.Work = Work{State: Stopped}
		if err != nil && ctx.Err() == nil {
			b.Work = Work{State: Failed, Error: j.o.Failed(key, err)}
		}
	})
	return nil
}

// runTurn waits for a turn of a job and lets it work until it ends, or until its turn is over: then the error is errTurn.
func (j *Jobs) runTurn(ctx context.Context, b *job, f func(context.Context, func(string)) error) (err error) {
	defer func() {
		if err != errTurn {
			j.gate.Leave(b.Ticket)
		}
	}()
	select {
	case <-b.Turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	turn, end := context.WithCancelCause(ctx)
	defer end(nil)
	watch := time.NewTicker(jobTurn)
	defer watch.Stop()
	over, client := make(chan struct{}), b.client
	defer close(over)
	j.o.Busy.Go(func() {
		for {
			select {
			case <-over:
				return
			case <-watch.C:
				if j.gate.Others(client) {
					end(errTurn)
				}
			}
		}
	})
	defer func() {
		if r := recover(); r != nil {
			j.o.Panicked(r)
			err = fmt.Errorf("panic: %v", r)
		}
		if err != nil && ctx.Err() == nil && context.Cause(turn) == errTurn {
			err = errTurn
			j.mu.Lock()
			b.State, b.Ticket = Waiting, j.gate.Again(b.Ticket)
			j.mu.Unlock()
		}
	}()
	note := func(text string) {
		j.mu.Lock()
		defer j.mu.Unlock()
		b.Work = Work{State: Running, Note: text}
	}
	note("")
	return f(turn, note)
}

// Stop ends a job, and waits a while for that.
func (j *Jobs) Stop(ctx context.Context, key string) {
	j.mu.Lock()
	b := j.all[key]
	j.mu.Unlock()
	if b == nil {
		return
	}
	b.cancel()
	ctx, cancel := context.WithTimeout(ctx, j.o.Wait)
	defer cancel()
	select {
	case <-b.ended:
	case <-ctx.Done():
	}
}

// Look returns how a job stands.
func (j *Jobs) Look(key string) Work {
	j.mu.Lock()
	defer j.mu.Unlock()
	if b := j.all[key]; b != nil {
		return b.Work
	}
	return Work{State: Stopped}
}

// Running returns the number of running jobs.
func (j *Jobs) Running() int {
	n, _ := j.gate.Lengths()
	return n
}

// Quit calls end, which ends the lives of all jobs. No job begins afterwards.
func (j *Jobs) Quit(end func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	end()
}
