// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// jobs are what takes long and is watched: matches, learning, studies. One runs at a time, the others wait in no
// order. What they compute is in the store, so that they can be stopped at any moment, and begun again where they
// were.
type jobs struct {
	s    *Server
	slot chan struct{}

	mu  sync.Mutex
	all map[string]*job
}

type job struct {
	state  string
	note   string
	err    error
	cancel context.CancelFunc
	ended  chan struct{} // closed when its state has been set
}

// The states of a job. One that nobody has begun since the server started is stopped.
const (
	waiting = "waiting"
	running = "running"
	stopped = "stopped"
	failed  = "failed"
)

// maxJobs bounds the jobs that wait.
const maxJobs = 50

var errJobs = busy.because("too many jobs are waiting", "")

func newJobs(s *Server) *jobs {
	return &jobs{s: s, slot: make(chan struct{}, 1), all: map[string]*job{}}
}

// start runs f in its turn; a job of the same key that runs or waits is left alone. f is given a function by which it
// says how far it is.
func (j *jobs) start(key string, f func(ctx context.Context, note func(string)) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if old := j.all[key]; old != nil && (old.state == waiting || old.state == running) {
		return nil
	}
	busy := 0
	for _, o := range j.all {
		if o.state == waiting {
			busy++
		}
	}
	if busy >= maxJobs || j.s.life.Err() != nil {
		return errJobs
	}
	ctx, cancel := context.WithCancel(j.s.life)
	b := &job{state: waiting, cancel: cancel, ended: make(chan struct{})}
	j.all[key] = b
	j.s.busy.Add(1)
	go func() {
		defer j.s.busy.Done()
		defer cancel()
		defer close(b.ended)
		err := j.run(ctx, b, f)
		j.mu.Lock()
		defer j.mu.Unlock()
		b.state, b.note = stopped, ""
		if err != nil && ctx.Err() == nil {
			b.state, b.err = failed, err
			j.s.log.Warn("job failed", "job", key, "error", err)
		}
	}()
	return nil
}

func (j *jobs) run(ctx context.Context, b *job, f func(context.Context, func(string)) error) (err error) {
	select {
	case j.slot <- struct{}{}:
		defer func() { <-j.slot }()
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	j.mu.Lock()
	b.state = running
	j.mu.Unlock()
	return f(ctx, func(text string) {
		j.mu.Lock()
		defer j.mu.Unlock()
		b.note = text
	})
}

// stopTime is how long whoever stops a job waits for its end, so as to be told that it is stopped.
const stopTime = 3 * time.Second

// stop ends a job, if there is one.
func (j *jobs) stop(ctx context.Context, key string) {
	j.mu.Lock()
	b := j.all[key]
	j.mu.Unlock()
	if b == nil {
		return
	}
	b.cancel()
	ctx, cancel := context.WithTimeout(ctx, stopTime)
	defer cancel()
	select {
	case <-b.ended:
	case <-ctx.Done():
	}
}

// Work is how a job stands.
type Work struct {
	State string `json:"state" enum:"waiting,running,stopped,failed" doc:"of what has ended, stopped"`
	Note  string `json:"note,omitempty" doc:"how far it is"`
	Error string `json:"error,omitempty"`
}

func (j *jobs) look(key string) Work {
	j.mu.Lock()
	defer j.mu.Unlock()
	b := j.all[key]
	if b == nil {
		return Work{State: stopped}
	}
	w := Work{State: b.state, Note: b.note}
	if b.err != nil {
		w.Error = oneLine(b.err.Error())
	}
	return w
}
