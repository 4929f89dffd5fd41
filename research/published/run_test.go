// SPDX-License-Identifier: Apache-2.0

package published

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/research"
)

var errFull = errors.New("disk full")

// memory is a research.Store that is full after so many more pieces, if room is at least 0.
type memory struct {
	mu   sync.Mutex
	data map[string][]byte
	room int
}

func (m *memory) Piece(key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.data[key], nil
}

func (m *memory) PutPiece(key string, value []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.room == 0 {
		return errFull
	}
	m.room--
	m.data[key] = value
	return nil
}

// pupil is a learner of two steps, which become the weights of other.
type pupil struct {
	k, done int
	steps   *atomic.Int64 // of all pupils
}

func (l *pupil) Steps() (done, total int) { return l.done, 2 }

func (l *pupil) Step(ctx context.Context) (learn.CurvePoint, error) {
	if err := ctx.Err(); err != nil {
		return learn.CurvePoint{}, err
	}
	l.done++
	l.steps.Add(1)
	return learn.CurvePoint{Step: l.done}, nil
}

func (l *pupil) State() ([]byte, error) { return fmt.Append(nil, l.done), nil }

func (l *pupil) Restore(state []byte) error {
	_, err := fmt.Sscan(string(state), &l.done)
	return err
}

func (l *pupil) Save(string) error { return errors.New("not kept in files") }

func (l *pupil) Weights() generic.Weights {
	if l.done == 2 {
		return other(l.k)
	}
	return generic.Fixed(l.k)
}

// session returns a session with an empty store, and the store.
func session(jobs int) (*research.Session, *memory) {
	m := &memory{data: map[string][]byte{}, room: -1}
	return &research.Session{Store: m, Jobs: jobs}, m
}

// small returns options for the cells on boards up to 4 x 4, and where the steps of learners are counted.
func small() (Options, *atomic.Int64) {
	steps := new(atomic.Int64)
	o := Options{
		Learner: "pupil",
		Learn: func(g game.Game) (Learner, error) {
			k, err := generic.K(g)
			return &pupil{k: k, steps: steps}, err
		},
	}
	for _, c := range Cells() {
		if c.Size <= 4 {
			o.Cells = append(o.Cells, c)
		}
	}
	return o, steps
}

// TestRun compares rows with games played one by one.
func TestRun(t *testing.T) {
	o, steps := small()
	s, _ := session(1)
	s.Plan(len(o.Cells))
	calls := 0
	s.Progress = func(p research.Progress) {
		if calls++; p.Done != calls || p.Total != len(o.Cells) {
			t.Errorf("progress %d of %d, want %d of %d", p.Done, p.Total, calls, len(o.Cells))
		}
	}
	rows, err := Run(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	losses := 0
	for i, r := range rows {
		want, err := playCell(t.Context(), o.Cells[i], other(o.Cells[i].K), Variant{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(o.Cells[i], r.Cell) + cmp.Diff(want, r.Result); d != "" {
			t.Errorf("row %d (-want +got):\n%s", i, d)
		}
		if (r.Explanation != nil) != (want.Verdict == Loss) {
			t.Errorf("%s: explanation %v of a %s", r.Cell.Game, r.Explanation, want.Verdict)
		}
		if want.Verdict == Loss {
			losses++
		}
	}
	// Two steps for each of mnk:3,3,3, mnk:4,4,3, mnk:4,4,4 and the same three of Connect Four.
	if calls != len(rows) || steps.Load() != 12 || losses == 0 {
		t.Errorf("%d calls for %d rows, %d steps of learning, want 12; %d losses", calls, len(rows), steps.Load(), losses)
	}
}

// TestRunGoesOn stops runs after a number of Puts and lets them go on: the rows are those of an uninterrupted
// run, and nothing is learned twice.
func TestRunGoesOn(t *testing.T) {
	o, steps := small()
	whole, all := session(1)
	want, err := Run(t.Context(), whole, o)
	if err != nil {
		t.Fatal(err)
	}
	puts := len(all.data)
	for room := 0; room < puts; room += 3 {
		s, store := session(1 + room%2)
		store.room = room
		if _, err := Run(t.Context(), s, o); !errors.Is(err, errFull) {
			t.Fatalf("room=%d: error %v, want %v", room, err, errFull)
		}
		store.room = -1
		steps.Store(0)
		before := len(store.data)
		got, err := Run(t.Context(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("room=%d (-uninterrupted +resumed):\n%s", room, d)
		}
		if before == 0 && steps.Load() != 12 || before > 1 && steps.Load() >= 12 {
			t.Errorf("room=%d: %d steps of learning after the stop", room, steps.Load())
		}
	}
}

// TestRunKeys checks that another variant and another learner share nothing but, for the variant, the learning.
func TestRunKeys(t *testing.T) {
	o, steps := small()
	s, store := session(2)
	o.Cells = o.Cells[:1]
	run := func(wantSteps, wantKeys int) {
		t.Helper()
		steps.Store(0)
		if _, err := Run(t.Context(), s, o); err != nil {
			t.Fatal(err)
		}
		if n := len(store.data); int(steps.Load()) != wantSteps || n != wantKeys {
			t.Errorf("%d steps and %d keys, want %d and %d", steps.Load(), n, wantSteps, wantKeys)
		}
	}
	run(2, 2)
	run(0, 2)
	o.Variant.Exact = true
	run(0, 3)
	o.Learner = "another"
	run(2, 5)
}

func TestRunRefuses(t *testing.T) {
	const state = "published/1/pupil/state/mnk:3,3,3"
	const played = "published/1/pupil/eval,frozen,gap=exact/mnk:3,3,3/improved/brute/first"
	tests := []struct{ name, key, value, want string }{
		{"state", state, "damaged", state + ": "},
		{"cell", played, `{"result":`, "table 4.1, mnk:3,3,3: " + played + ": "},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			o, _ := small()
			s, store := session(1)
			store.data[tc.key] = []byte(tc.value)
			if _, err := Run(t.Context(), s, o); err == nil || !strings.HasPrefix(err.Error(), tc.want) {
				t.Errorf("error %v, want it to begin with %q", err, tc.want)
			}
			if got := string(store.data[tc.key]); got != tc.value {
				t.Errorf("%s is now %s", tc.key, got)
			}
		})
	}
	t.Run("done", func(t *testing.T) {
		o, _ := small()
		s, _ := session(2)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Run(ctx, s, o); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

// A session that may only read plays no episode for nothing, whatever a learner has done before.
func TestRunReadOnly(t *testing.T) {
	o, steps := small()
	s, store := session(1)
	store.room = 1 // the state after the first episode
	if _, err := Run(t.Context(), s, o); !errors.Is(err, errFull) {
		t.Fatalf("error %v, want %v", err, errFull)
	}
	s.ReadOnly = true
	if _, err := Run(t.Context(), s, o); !errors.Is(err, research.ErrMissing) {
		t.Fatalf("error %v, want %v", err, research.ErrMissing)
	}
	// The second episode of the first run was played before the store was known to be full.
	if got := steps.Load(); got != 2 {
		t.Errorf("%d episodes were played, want 2", got)
	}
}
