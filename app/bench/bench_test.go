// SPDX-License-Identifier: Apache-2.0

package bench_test

import (
	"context"
	"errors"
	"testing"

	"github.com/krow-lab/krow/app/bench"
)

// TestRun: an interrupted search and a caller who has enough end it, and there is no signature then. The signature itself is
// in the script of krow bench.
func TestRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if n, err := bench.Run(ctx, func(bench.Result) error { return nil }); !errors.Is(err, context.Canceled) || n != 0 {
		t.Errorf("interrupted: %d, %v", n, err)
	}
	enough, calls := errors.New("enough"), 0
	n, err := bench.Run(t.Context(), func(r bench.Result) error {
		if calls++; r.Nodes == 0 || r.Best == "" {
			t.Errorf("%+v", r)
		}
		return enough
	})
	if !errors.Is(err, enough) || n != 0 || calls != 1 {
		t.Errorf("%d calls: %d, %v", calls, n, err)
	}
}
