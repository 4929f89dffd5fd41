// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Jobs run long work: matches, learning, studies. A few run at a time. Their results are stored, so that a job can stop at any
// moment and continue later. A job whose turn is over makes room if others wait.
type Jobs struct {
	o    JobOptions
	gate *Gate

	mu  sync.Mutex
	all map[string]*job
}

// JobOptions are the settings of Jobs.
type JobOptions struct {
	Slots int             // number of jobs that run at once
	Life  context.Context // ends all jobs when it is done
	Busy  *sync.WaitGroup // counts the goroutines of all jobs
	Wait  time.Duration   // how long Stop waits at most until a job has ended

	Failed   func(key string, err error) string // returns the error message for a job that err ended
	Panicked func(why any)                      // is called with the value of a panic in a job
}

type job struct {
	Work
	*Ticket
	cancel context.CancelFunc
	ended  chan struct{} // closed when its state has been set
}

// Work is the state of a job.
type Work struct {
	State string `json:"state" enum:"waiting,running,stopped,failed" doc:"of what has ended, stopped"`
	Note  string `json:"note,omitempty" doc:"how far it is"`
	Error string `json:"error,omitempty"`
}

// The states of a job. A job that nobody has begun since the server started is Stopped.
const (
	Waiting = "waiting"
	Running = "running"
	Stopped = "stopped"
	Failed  = "failed"
)

// Going reports whether a job waits or runs.
func (w Work) Going() bool { return w.State == Running || w.State == Waiting }

const (
	maxJobs = 200 // waiting jobs
	// jobsOfOne is the maximum number of jobs of one client, running or waiting. Visitors may join only while less than half of
	// maxJobs wait.
	jobsOfOne = 21
	// jobTurn is how long a job may run before it must make room for waiting ones.
	jobTurn = time.Minute
)

// NewJobs returns a runner of jobs that has none yet.
func NewJobs(o JobOptions) *Jobs {
	room := bounds{slots: o.Slots, what: "jobs", most: maxJobs, visitors: maxJobs / 2, ofMember: jobsOfOne, ofVisitor: jobsOfOne}
	return &Jobs{o: o, gate: &Gate{bounds: room}, all: map[string]*job{}}
}

// errTurn ends the turn of a job.
var errTurn = errors.New("the turn is over")

// Start runs f in the job's turn, and calls it again in later turns until it ends without an interruption. f calls note with a
// text about its progress. begin stores the job's settings and returns its key; it is not called if too many jobs wait. If a job
// with this key waits or runs already, Start leaves it alone.
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

// runTurn waits for the job's turn and calls f until f ends or the turn is over: then the error is errTurn.
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

// Stop cancels a job, and waits for its end, but not longer than JobOptions.Wait.
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

// Look returns the state of a job.
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

// Quit calls end, which must cancel JobOptions.Life. No job can start during or after the call.
func (j *Jobs) Quit(end func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	end()
}
