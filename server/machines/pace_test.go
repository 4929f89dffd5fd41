// SPDX-License-Identifier: Apache-2.0

package machines

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/arena/work"
)

func TestParseStat(t *testing.T) {
	s, ok := parseStat([]byte("cpu  10 1 4 80 5 0 0 0 3 0\ncpu0 5 1 2 40 2 0 0 0 3 0\ncpu1 5 0 2 40 3 0 0 0 0 0\nintr 7 0\n"))
	if want := (stat{all: 100, idle: 85, cores: 2}); s != want || !ok {
		t.Errorf("got %+v, %t, want %+v", s, ok, want)
	}
	if s, ok := parseStat([]byte("nothing here\n")); ok {
		t.Errorf("got %+v of nothing", s)
	}
}

// machine is a pace on a machine with so many idle cores, whose process gets a share of what it wants.
func machine(idle, share float64) *pace {
	p := &pace{speed: 500}
	p.idle = func(context.Context) (float64, bool) {
		time.Sleep(looking)
		return idle, true
	}
	p.processor = func() time.Duration { return time.Duration(share * float64(p.runs(0))) }
	return p
}

// TestPace: times are doubled on a machine half as quick. A game waits for an idle core of its own, and counts where it was
// not disturbed.
func TestPace(t *testing.T) {
	for _, tc := range []struct {
		name                      string
		idle, share               float64
		games, begun, undisturbed int
	}{
		{"quiet", 2, 1, 2, 2, 2},
		{"one core is idle", 1, 1, 3, 1, 1},
		{"busy", 0.7, 1, 2, 0, 0},
		{"others came", 2, 0.89, 2, 2, 0},
		{"others did little", 2, 0.91, 2, 2, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := machine(tc.idle, tc.share)
				var mu sync.Mutex
				begun, undisturbed := 0, 0
				do := p.counted(func(ctx context.Context, _ work.Unit) ([]byte, error) {
					scale, good, err := p.beginGame(ctx, 1000)
					if errors.Is(err, work.ErrBusy) {
						return nil, nil
					}
					if err != nil || scale != 2 {
						t.Errorf("times %g, %v, want 2", scale, err)
					}
					time.Sleep(time.Minute)
					mu.Lock()
					defer mu.Unlock()
					if begun++; good() {
						undisturbed++
					}
					return nil, nil
				})
				for range tc.games {
					go do(t.Context(), work.Unit{})
				}
				time.Sleep(time.Hour)
				if begun != tc.begun || undisturbed != tc.undisturbed {
					t.Errorf("%d begun, %d undisturbed, want %d, %d", begun, undisturbed, tc.begun, tc.undisturbed)
				}
			})
		})
	}
}

// TestPaceShort: a game that is too short to tell counts. Where nobody knows how quick a machine is, none is played.
func TestPaceShort(t *testing.T) {
	if !quiet(tooShort-1, 0) {
		t.Error("a short game was disturbed")
	}
	p := machine(1, 1)
	p.speed = 0
	p.measured(1000, 0) // no time of a processor
	if _, _, err := p.beginGame(t.Context(), 1000); !errors.Is(err, work.ErrBusy) {
		t.Errorf("without a speed: %v", err)
	}
}

// TestIdle: the time that cores have waited for disks may shrink. That makes none of them idle.
func TestIdle(t *testing.T) {
	for _, tc := range []struct {
		name          string
		before, after stat
		cores         float64
		known         bool
	}{
		{"half", stat{100, 50, 2}, stat{200, 100, 2}, 1, true},
		{"busy", stat{100, 50, 2}, stat{200, 50, 2}, 0, true},
		{"less than before", stat{100, 50, 2}, stat{200, 49, 2}, 0, true},
		{"no time", stat{100, 50, 2}, stat{100, 50, 2}, 0, false},
	} {
		if cores, known := tc.before.idleUntil(tc.after); max(cores, 0) != tc.cores || known != tc.known {
			t.Errorf("%s: %g cores, %t, want %g, %t", tc.name, cores, known, tc.cores, tc.known)
		}
	}
}

// TestPaceBots: a bot has a process of its own, so that its games do not look as if they had waited for the processor.
func TestPaceBots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, start := machine(2, 1), time.Now()
		p.processor = func() time.Duration { return time.Since(start) } // of one core
		sleep := func(context.Context, work.Unit) ([]byte, error) { time.Sleep(time.Hour); return nil, nil }
		go p.counted(sleep)(t.Context(), work.Unit{Args: []byte(`{"a":"random","b":"limited:of=bot:@0/x.star"}`)})
		p.counted(func(ctx context.Context, _ work.Unit) ([]byte, error) {
			_, good, err := p.beginGame(ctx, 1000)
			if err != nil {
				t.Fatal(err)
			}
			if time.Sleep(time.Minute); !good() {
				t.Error("a game beside a bot was disturbed")
			}
			return nil, nil
		})(t.Context(), work.Unit{Args: []byte(`{"a":"random","b":"mcts"}`)})
		time.Sleep(time.Hour)
	})
}
