// SPDX-License-Identifier: Apache-2.0

package published

import (
	"errors"
	"testing"
)

// A run that may only read plays no episode for nothing, whatever a learner has done before.
func TestRunReadOnly(t *testing.T) {
	o, steps := small(1)
	store := o.Store.(*memory)
	store.room = 1 // the state after the first episode
	for run := range 2 {
		o.ReadOnly = run > 0
		if _, err := Run(t.Context(), o); !errors.Is(err, errFull) {
			t.Fatalf("run %d: error %v, want %v", run, err, errFull)
		}
	}
	// The second episode of the first run was played before anyone knew; the second run had a state to go on from.
	if got := steps.Load(); got != 2 {
		t.Errorf("%d episodes were played, want 2", got)
	}
}
