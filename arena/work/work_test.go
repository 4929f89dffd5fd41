// SPDX-License-Identifier: Apache-2.0

package work_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/arena/work"
)

// squares are the units 0 to n-1, whose results are their squares.
func squares(t *testing.T, n int) iter.Seq2[work.Unit, error] {
	return func(yield func(work.Unit, error) bool) {
		for i := range n {
			u, err := work.New("square", i, 0)
			if err != nil {
				t.Error(err)
			}
			if !yield(u, nil) {
				return
			}
		}
	}
}

func square(_ context.Context, u work.Unit) ([]byte, error) {
	n, err := strconv.Atoi(string(u.Args))
	return []byte(strconv.Itoa(n * n)), err
}

func TestPoolKeepsTheOrder(t *testing.T) {
	for _, jobs := range []int{0, 1, 3, 16} {
		t.Run(fmt.Sprintf("jobs=%d", jobs), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var running, most atomic.Int32
				slow := func(ctx context.Context, u work.Unit) ([]byte, error) {
					now := running.Add(1)
					defer running.Add(-1)
					for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
					}
					time.Sleep(time.Duration(1+7*len(u.Args)%5) * time.Second)
					return square(ctx, u)
				}
				var got []string
				pool := work.Pool{Jobs: jobs, Kinds: work.Kinds{"square": slow}}
				err := pool.Run(t.Context(), squares(t, 40), func(i int, r []byte) error {
					if want := strconv.Itoa(i * i); string(r) != want {
						t.Errorf("result %d is %s, want %s", i, r, want)
					}
					got = append(got, string(r))
					return nil
				})
				if err != nil || len(got) != 40 {
					t.Errorf("%d results, %v", len(got), err)
				}
				if want := int32(max(jobs, 1)); most.Load() != want {
					t.Errorf("%d units at once, want %d", most.Load(), want)
				}
			})
		})
	}
}

// The first error in the order of units is that of Run, and all before it are delivered.
func TestPoolErrors(t *testing.T) {
	bad := errors.New("bad")
	failing := func(ctx context.Context, u work.Unit) ([]byte, error) {
		if string(u.Args) == "5" {
			return nil, bad
		}
		return square(ctx, u)
	}
	tests := []struct {
		name   string
		do     work.Do
		units  iter.Seq2[work.Unit, error]
		result error // of the fifth
		want   int
	}{
		{"unit", failing, squares(t, 9), nil, 5},
		{"result", square, squares(t, 9), bad, 5},
		{"sequence", square, func(yield func(work.Unit, error) bool) {
			for u := range squares(t, 3) {
				yield(u, nil)
			}
			yield(work.Unit{}, bad)
		}, nil, 3},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			n := 0
			err := work.Pool{Jobs: 4, Kinds: work.Kinds{"square": tc.do}}.Run(t.Context(), tc.units, func(int, []byte) error {
				if n++; n == 5 {
					return tc.result
				}
				return nil
			})
			if !errors.Is(err, bad) || n != tc.want {
				t.Errorf("%d results, %v, want %d", n, err, tc.want)
			}
		})
	}
	if _, err := (work.Kinds{}).Do(t.Context(), work.Unit{Kind: "tea"}); err == nil {
		t.Error("a kind that is not in the table was done")
	}
}

func TestPoolIsStopped(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	wait := func(ctx context.Context, u work.Unit) ([]byte, error) {
		if string(u.Args) == "3" {
			cancel(stop)
			<-ctx.Done()
			return nil, context.Cause(ctx)
		}
		return square(ctx, u)
	}
	n := 0
	err := work.Pool{Kinds: work.Kinds{"square": wait}}.Run(ctx, squares(t, 9), func(int, []byte) error { n++; return nil })
	if !errors.Is(err, stop) || n != 3 {
		t.Errorf("%d results, %v", n, err)
	}
}

// Equal arguments are equal bytes, and what is no data is no argument.
func TestArgumentsOfUnit(t *testing.T) {
	u, err := work.New("game", map[string]int{"b": 1, "a": 2}, 7)
	if err != nil || string(u.Args) != `{"a":2,"b":1}` {
		t.Errorf("%s, %v", u.Args, err)
	}
	if _, err := work.New("game", func() {}, 0); err == nil {
		t.Error("a function became an argument")
	}
}
