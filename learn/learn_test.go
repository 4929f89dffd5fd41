// SPDX-License-Identifier: Apache-2.0

package learn_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/krow-lab/krow/learn"
)

// adder is a learner that adds up random numbers.
type adder struct {
	Rng  *learn.Source
	Done int
	Sum  uint64
}

func (a *adder) Steps() (done, total int)   { return a.Done, 3 }
func (a *adder) State() ([]byte, error)     { return json.Marshal(a) }
func (a *adder) Restore(state []byte) error { return json.Unmarshal(state, a) }
func (a *adder) Save(string) error          { return nil }
func (a *adder) Step(ctx context.Context) (learn.CurvePoint, error) {
	if ctx.Err() != nil {
		return learn.CurvePoint{}, ctx.Err()
	}
	a.Done++
	a.Sum += rand.New(a.Rng).Uint64()
	return learn.CurvePoint{Step: a.Done}, nil
}

var _ learn.Learner = (*adder)(nil)

func TestRun(t *testing.T) {
	keep := func([]byte, learn.CurvePoint) error { return nil }
	whole := &adder{Rng: learn.NewSource(7)}
	steps := 0
	err := learn.Run(t.Context(), whole, func(_ []byte, p learn.CurvePoint) error {
		if steps++; p.Step != steps {
			t.Errorf("point of step %d saved as number %d", p.Step, steps)
		}
		return nil
	})
	if err != nil || steps != 3 {
		t.Fatalf("%v after %d steps, want 3", err, steps)
	}
	full := errors.New("disk full")
	for cut := 1; cut <= 3; cut++ {
		l, state := &adder{Rng: learn.NewSource(7)}, []byte(nil)
		err := learn.Run(t.Context(), l, func(s []byte, p learn.CurvePoint) error {
			if state = s; p.Step == cut {
				return full
			}
			return nil
		})
		if !errors.Is(err, full) {
			t.Fatalf("cut after %d: %v", cut, err)
		}
		again := &adder{Rng: learn.NewSource(8)}
		if err := again.Restore(state); err != nil {
			t.Fatal(err)
		}
		if err := learn.Run(t.Context(), again, keep); err != nil || again.Sum != whole.Sum {
			t.Errorf("cut after %d: sum %d, %v, want %d", cut, again.Sum, err, whole.Sum)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := learn.Run(ctx, &adder{}, keep); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestSource(t *testing.T) {
	a := learn.NewSource(1)
	a.Uint64()
	text, err := json.Marshal(struct{ R *learn.Source }{a})
	if err != nil {
		t.Fatal(err)
	}
	var b struct{ R *learn.Source }
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	if x, y := a.Uint64(), b.R.Uint64(); x != y {
		t.Errorf("%s goes on with %d, want %d", text, y, x)
	}
	for _, bad := range []string{`""`, `"00"`, `"` + strings.Repeat("g", 32) + `"`, `"` + strings.Repeat("0", 34) + `"`, `7`} {
		if err := json.Unmarshal([]byte(bad), new(learn.Source)); err == nil {
			t.Errorf("%s is a source", bad)
		}
	}
}
