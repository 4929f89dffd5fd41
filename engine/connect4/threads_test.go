// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"
)

// TestThreadsAgreeWithOne solves positions that leave threads room to share with four of them and with one.
func TestThreadsAgreeWithOne(t *testing.T) {
	for _, wide := range []bool{false, true} {
		g, one := solver(t, 7, 6, 4, Options{})
		o := Options{Threads: 4}
		_, four := solver(t, 7, 6, 4, o)
		if wide {
			four.use(o, true)
		}
		rng := rand.New(rand.NewPCG(5, 6))
		for n := 0; n < 5; {
			p := late(g, rng, sharedCells+3+rng.IntN(4))
			if p == nil {
				continue
			}
			n++
			want, got := one.Solve(t.Context(), one.FromGame(p)), four.Solve(t.Context(), four.FromGame(p))
			if got.Lower != want.Lower || got.Upper != want.Upper {
				t.Errorf("wide=%t: four threads prove %v, one %v: %v", wide, got, want, p.AppendHistory(nil))
			}
			one.Clear()
			four.Clear()
		}
	}
}

// lateClock is a context that does not report the end of its time until somebody waits for it.
type lateClock struct {
	context.Context
	stop context.CancelFunc
}

func (lateClock) Deadline() (time.Time, bool) { return time.Unix(1, 0), true }

func (c lateClock) Done() <-chan struct{} {
	c.stop()
	return c.Context.Done()
}

// TestLateClock: the solver compares the time with the deadline itself.
func TestLateClock(t *testing.T) {
	for _, columns := range []int{7, 9} {
		for _, threads := range []int{1, 2} {
			_, s := solver(t, columns, 7, 4, Options{Threads: threads, Hash: 1 << 20})
			s.LimitNodes(1 << 20)
			ctx, stop := context.WithCancel(t.Context())
			if r := s.Solve(lateClock{ctx, stop}, s.Start()); r.Exact() || r.Nodes > 1<<14 || ctx.Err() == nil {
				t.Errorf("%d columns, %d threads: %+v, %v", columns, threads, r, ctx.Err())
			}
		}
	}
}
