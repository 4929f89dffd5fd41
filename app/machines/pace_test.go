// SPDX-License-Identifier: Apache-2.0

package machines

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/work"
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

// TestRuns: units that run at once add up, and time in which none runs does not count.
func TestRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p pace
		do := p.counted(func(context.Context, work.Unit) ([]byte, error) {
			time.Sleep(2 * time.Second)
			return nil, nil
		})
		go do(t.Context(), work.Unit{})
		time.Sleep(time.Second)
		go do(t.Context(), work.Unit{})
		time.Sleep(time.Hour)
		if got := p.runs(0); got != 4*time.Second {
			t.Errorf("they ran %v together, want 4s", got)
		}
	})
}

func TestQuiet(t *testing.T) {
	for _, tc := range []struct {
		ran, took time.Duration
		want      bool
	}{
		{time.Second, time.Second, true},
		{time.Second, 1100 * time.Millisecond, true},
		{time.Second, 890 * time.Millisecond, false},
		{100 * time.Millisecond, 0, true},
	} {
		if got := quiet(tc.ran, tc.took); got != tc.want {
			t.Errorf("%v of a processor in %v: %t", tc.took, tc.ran, got)
		}
	}
}

// TestPace: times grow by as much as this machine is slower. Without a speed there are no clocks.
func TestPace(t *testing.T) {
	var p pace
	if _, _, err := p.pace(t.Context(), 1000); err == nil || errors.Is(err, work.ErrBusy) {
		t.Errorf("without a speed: %v", err)
	}
}
