// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// jobs are long work: matches, learning, studies. A few run at a time. Their results are stored, so that they can stop at
// any moment and go on later: after its turn a job makes room where others wait.
type jobs struct {
	s *Server

	gate *gate

	mu  sync.Mutex
	all map[string]*job
}

type job struct {
	Work
	*ticket
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
	waiting = "waiting"
	running = "running"
	stopped = "stopped"
	failed  = "failed"
)

func (w Work) going() bool { return w.State == running || w.State == waiting }

const (
	maxJobs = 200 // that wait
	// jobsOfOne is how many of one client run or wait. Half of the room is for members.
	jobsOfOne = 21
	// jobTurn is how long a job runs while others wait.
	jobTurn = time.Minute
)

func newJobs(s *Server, slots int) *jobs {
	return &jobs{s: s, gate: &gate{bounds: bounds{slots: slots, what: "jobs", most: maxJobs, visitors: maxJobs / 2, ofMember: jobsOfOne, ofVisitor: jobsOfOne}}, all: map[string]*job{}}
}

// start runs f in its turn, and again in its next turn when it was interrupted. f calls note to say how far it is. begin
// stores what the job is about and returns its key; nothing is stored where there is no room. A job of the same key that
// runs or waits is left alone.
func (j *jobs) start(client string, begin func() (string, error), f func(ctx context.Context, note func(string)) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.s.life.Err() != nil {
		return busy.with("the server stops", "")
	}
	t, err := j.gate.join(client)
	if err != nil {
		return err
	}
	key, err := begin()
	if old := j.all[key]; err != nil || key == "" || old != nil && old.going() {
		j.gate.leave(t)
		return err
	}
	ctx, cancel := context.WithCancel(j.s.life)
	b := &job{Work{State: waiting}, t, cancel, make(chan struct{})}
	j.all[key] = b
	j.s.busy.Go(func() {
		defer cancel()
		defer close(b.ended)
		err := errTurn
		for err == errTurn {
			err = j.run(ctx, b, f)
		}
		j.mu.Lock()
		defer j.mu.Unlock()
		b.Work = Work{State: stopped}
		if err != nil && ctx.Err() == nil {
			b.Work = Work{State: failed, Error: problemOf(err).Detail}
			j.s.log.Warn("job failed", "job", key, "error", err)
		}
	})
	return nil
}

// run waits for a turn of a job and lets it work until its end or that of its turn, which is errTurn.
func (j *jobs) run(ctx context.Context, b *job, f func(context.Context, func(string)) error) (err error) {
	defer func() {
		if err != errTurn {
			j.gate.leave(b.ticket)
		}
	}()
	select {
	case <-b.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	turn, end := context.WithCancelCause(ctx)
	defer end(nil)
	watch := time.NewTicker(jobTurn)
	defer watch.Stop()
	over, client := make(chan struct{}), b.client
	defer close(over)
	j.s.busy.Go(func() {
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
			j.s.panicked("a job", r)
			err = fmt.Errorf("panic: %v", r)
		}
		if err != nil && ctx.Err() == nil && context.Cause(turn) == errTurn {
			err = errTurn
			j.mu.Lock()
			b.Work.State, b.ticket = waiting, j.gate.again(b.ticket)
			j.mu.Unlock()
		}
	}()
	note := func(text string) {
		j.mu.Lock()
		defer j.mu.Unlock()
		b.Work = Work{State: running, Note: text}
	}
	note("")
	return f(turn, note)
}

// stopTime is how long stop waits for the end of a job.
const stopTime = 3 * time.Second

func (j *jobs) stop(ctx context.Context, key string) {
	j.mu.Lock()
	b := j.all[key]
	j.mu.Unlock()
	if b == nil {
		return
	}
	b.cancel()
	ctx, cancel := context.WithTimeout(ctx, j.s.within(stopTime))
	defer cancel()
	select {
	case <-b.ended:
	case <-ctx.Done():
	}
}

func (j *jobs) look(key string) Work {
	j.mu.Lock()
	defer j.mu.Unlock()
	if b := j.all[key]; b != nil {
		return b.Work
	}
	return Work{State: stopped}
}

// running returns how many jobs run.
func (j *jobs) running() int {
	n, _ := j.gate.lengths()
	return n
}
