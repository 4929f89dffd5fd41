// SPDX-License-Identifier: Apache-2.0

package work

import (
	"context"
	"iter"
)

// Pool is a Queue whose units are done in this process.
type Pool struct {
	Jobs  int // number of units that are done at the same time; 0 means 1
	Kinds Kinds
}

// future is the channel on which the result of a unit arrives. The pool keeps the futures in a queue, in the order of their
// units:
//
//	start ──> [unit 5] [unit 4] [unit 3] [unit 2] ──> deliver
//	           running  done     running  running
//
// start adds a unit to the queue, and does the unit as soon as fewer than Jobs units are running. deliver takes the oldest
// future from the queue and waits for its result.
type future chan answer

type answer struct {
	result []byte
	err    error
}

// The queue holds at most ahead units for each job, so that many units can be finished while the oldest unit is still running.
const ahead = 16

// Run implements [Queue].
func (p Pool) Run(ctx context.Context, units iter.Seq2[Unit, error], result func(int, []byte) error) error {
	ctx, cancel := context.WithCancel(ctx)
	delivered := make(chan struct{}, 1)
	queue := p.start(ctx, units, delivered)
	err := deliver(queue, result, delivered)
	cancel()
	for f := range queue {
		<-f // wait for a unit whose result is no longer needed
	}
	return err
}

func (p Pool) start(ctx context.Context, units iter.Seq2[Unit, error], delivered <-chan struct{}) <-chan future {
	slots := max(p.Jobs, 1)
	free := make(chan struct{}, slots)
	queue := make(chan future, ahead*slots)
	go func() {
		defer close(queue)
		for u, err := range units {
			if err == ErrLater {
				select {
				case <-delivered:
					continue
				case <-ctx.Done():
					err = context.Cause(ctx)
				}
			}
			f := make(future, 1)
			select {
			case free <- struct{}{}:
			case <-ctx.Done():
				err = context.Cause(ctx)
			}
			if err != nil {
				f <- answer{err: err}
				queue <- f
				return
			}
			queue <- f
			go func() {
				data, err := p.Kinds.Do(ctx, u)
				f <- answer{data, err}
				<-free
			}()
		}
	}()
	return queue
}

func deliver(queue <-chan future, result func(int, []byte) error, delivered chan<- struct{}) error {
	i := 0
	for f := range queue {
		a := <-f
		if a.err != nil {
			return a.err
		}
		if err := result(i, a.result); err != nil {
			return err
		}
		select {
		case delivered <- struct{}{}:
		default:
		}
		i++
	}
	return nil
}
