// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/krow-lab/krow/arena/work"
)

// Jobs is a queue of long work: matches, learning runs and studies. A few jobs run at the same time. Jobs store their results,
// so that a job can stop at any moment and continue later. When the turn of a job is over and others wait, the job stops and
// waits for its next turn.
type Jobs struct {
	o    JobOptions
	gate *Gate

	mu  sync.Mutex
	all map[string]*job
}

// JobOptions are the settings of Jobs.
type JobOptions struct {
	Slots int             // number of jobs that run at once
	Life  context.Context // all jobs end when this context is done
	Busy  *sync.WaitGroup // counts the goroutines of all jobs
	Wait  time.Duration   // maximum time that Stop waits for the end of a job

	Failed   func(key string, err error) string // returns the error message for a job that ended with err
	Panicked func(why any)                      // is called with the value of a panic in a job
}

type job struct {
	Work
	*Ticket
	cancel context.CancelFunc
	ended  chan struct{} // closed when the job has ended and its state is set
}

// Work is the state of a job.
type Work struct {
	State string `json:"state" enum:"waiting,running,stopped,failed" doc:"state of the job; stopped also if it has ended"`
	Note  string `json:"note,omitempty" doc:"progress of the job"`
	Error string `json:"error,omitempty"`
}

// The states of a job. A job that was not begun since the start of the server is Stopped.
const (
	Waiting = "waiting"
	Running = "running"
	Stopped = "stopped"
	Failed  = "failed"
)

// Going reports whether a job waits or runs.
func (w Work) Going() bool { return w.State == Running || w.State == Waiting }

const (
	maxJobs = 200 // maximum number of waiting jobs
	// jobsOfOne is the maximum number of jobs of one client, running or waiting. Jobs of visitors are accepted only while fewer
	// than half of maxJobs jobs wait.
	jobsOfOne = 21
	// jobTurn is the time that a job may run before it must make room for waiting jobs.
	jobTurn = time.Minute
)

// NewJobs returns an empty queue of jobs.
func NewJobs(o JobOptions) *Jobs {
	room := bounds{slots: o.Slots, what: "jobs", most: maxJobs, visitors: maxJobs / 2, ofMember: jobsOfOne, ofVisitor: jobsOfOne}
	return &Jobs{o: o, gate: &Gate{bounds: room}, all: map[string]*job{}}
}

// errTurn is the cause with which the context of a job is cancelled when the turn of the job ends.
var errTurn = errors.New("the turn is over")

// Start adds a job. It calls f in the job's turn. If the end of the turn interrupts f, Start calls f again in the next turn. f
// calls note with a text about its progress. begin stores the job's settings and returns the job's key; begin is not called if
// too many jobs wait. If a job with this key waits or runs already, Start leaves it alone.
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
		if err != nil && ctx.Err() == nil && !errors.Is(err, work.ErrCancelled) {
			b.Work = Work{State: Failed, Error: j.o.Failed(key, err)}
		}
	})
	return nil
}

// runTurn waits for the job's turn and calls f. If f ends because the turn is over, the error is errTurn.
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
				if j.gate.others(client) {
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
