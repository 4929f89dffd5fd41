// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// jobs are long work: matches, learning, studies. One runs at a time, the others wait in no order. Their results are
// stored, so that they can stop at any moment and go on later.
type jobs struct {
	s    *Server
	slot chan struct{}

	mu  sync.Mutex
	all map[string]*job
}

type job struct {
	Work
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

const maxJobs = 50

func newJobs(s *Server) *jobs {
	return &jobs{s: s, slot: make(chan struct{}, 1), all: map[string]*job{}}
}

// start runs f in its turn. A job of the same key that runs or waits is left alone. f calls note to say how far it is.
func (j *jobs) start(key string, f func(ctx context.Context, note func(string)) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if old := j.all[key]; old != nil && old.going() {
		return nil
	}
	queue := 0
	for _, o := range j.all {
		if o.State == waiting {
			queue++
		}
	}
	if queue >= maxJobs || j.s.life.Err() != nil {
		return busy.because("too many jobs are waiting", "")
	}
	ctx, cancel := context.WithCancel(j.s.life)
	b := &job{Work: Work{State: waiting}, cancel: cancel, ended: make(chan struct{})}
	j.all[key] = b
	j.s.busy.Go(func() {
		defer cancel()
		defer close(b.ended)
		err := j.run(ctx, b, f)
		j.mu.Lock()
		defer j.mu.Unlock()
		b.Work = Work{State: stopped}
		if err != nil && ctx.Err() == nil {
			b.Work = Work{State: failed, Error: oneLine(err.Error())}
			j.s.log.Warn("job failed", "job", key, "error", err)
		}
	})
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
	note := func(text string) {
		j.mu.Lock()
		defer j.mu.Unlock()
		b.Work = Work{State: running, Note: text}
	}
	note("")
	return f(ctx, note)
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
	ctx, cancel := context.WithTimeout(ctx, stopTime)
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
