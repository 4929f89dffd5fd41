// SPDX-License-Identifier: Apache-2.0

package qlearning

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/krow-lab/krow/eval/generic"
)

func TestRanking(t *testing.T) {
	tests := []struct {
		k          int
		own, enemy string
	}{
		{1, "complete-1", "complete-1"},
		{2, "half-open-1 open-1 complete-2", "half-open-1 open-1 complete-2"},
		{3, "half-open-1 half-open-2 open-1 open-2 complete-3", "half-open-1 open-1 half-open-2 open-2 complete-3"},
		{
			5, "half-open-1 half-open-2 open-1 half-open-3 open-2 half-open-4 open-3 open-4 complete-5",
			"half-open-1 half-open-2 open-1 half-open-3 open-2 open-3 half-open-4 open-4 complete-5",
		},
	}
	for _, tc := range tests {
		w := generic.Fixed(tc.k)
		for i, want := range []string{tc.own, tc.enemy} {
			var names []string
			for _, kind := range newRanking(tc.k, []generic.Vector{w.Own, w.Enemy}[i]) {
				names = append(names, fmt.Sprintf("%s-%d", kind.Class(tc.k), kind.Size()))
			}
			if got := strings.Join(names, " "); got != want {
				t.Errorf("k=%d, vector %d: %s, want %s", tc.k, i, got, want)
			}
		}
	}
}

// TestAdjust updates any parameters to anything: the vector must be in order again, those not updated as
// they were, and a parameter that is where it may be must stay there.
func TestAdjust(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 6).Draw(t, "k")
		v := generic.Fixed(k).Own
		r := newRanking(k, v)
		updated := make([]bool, len(r))
		for i := range r[:len(r)-1] {
			if updated[i] = rapid.Bool().Draw(t, "updated"); updated[i] {
				v[r[i]] = rapid.Float64Range(-10, 2e6).Draw(t, "x")
			}
		}
		before := append(generic.Vector(nil), v...)
		r.adjust(v, updated)
		if !r.ordered(v) {
			t.Fatalf("%v became %v", before, v)
		}
		for i, kind := range r {
			if (!updated[i] || r.ordered(before)) && v[kind] != before[kind] {
				t.Fatalf("%v became %v at rank %d", before, v, i)
			}
		}
	})
}
