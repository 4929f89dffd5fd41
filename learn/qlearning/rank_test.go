// SPDX-License-Identifier: Apache-2.0

package qlearning

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/krow-lab/krow/eval/generic"
)

func TestByValue(t *testing.T) {
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
			if got := names(byValue(tc.k, []generic.Vector{w.Own, w.Enemy}[i]), tc.k); got != want {
				t.Errorf("k=%d, vector %d: %s, want %s", tc.k, i, got, want)
			}
		}
	}
}

func TestIndexAndText(t *testing.T) {
	tests := []struct {
		k           int
		index, text string
	}{
		{1, "complete-1", "complete-1"},
		{2, "half-open-1 open-1 complete-2", "half-open-1 open-1 complete-2"},
		{3, "half-open-1 open-1 half-open-2 open-2 complete-3", "half-open-1 half-open-2 open-1 open-2 complete-3"},
		{
			4, "half-open-1 open-1 half-open-2 open-2 half-open-3 open-3 complete-4",
			"half-open-1 open-1 half-open-2 half-open-3 open-2 open-3 complete-4",
		},
	}
	for _, tc := range tests {
		for exchanged, want := range map[bool]string{false: tc.index, true: tc.text} {
			if got := names(byIndex(tc.k, exchanged), tc.k); got != want {
				t.Errorf("k=%d, exchanged=%t: %s, want %s", tc.k, exchanged, got, want)
			}
		}
	}
}

func names(r ranking, k int) string {
	var all []string
	for _, kind := range r {
		all = append(all, fmt.Sprintf("%s-%d", kind.Class(k), kind.Size()))
	}
	return strings.Join(all, " ")
}

// TestAdjust updates any parameters to anything: the vector must be in order again, those not updated as
// they were, and a parameter that is where it may be must stay there.
func TestAdjust(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 6).Draw(t, "k")
		v := generic.Fixed(k).Own
		r := byValue(k, v)
		updated := make([]bool, len(v))
		for _, kind := range r[:len(r)-1] {
			if updated[kind] = rapid.Bool().Draw(t, "updated"); updated[kind] {
				v[kind] = rapid.Float64Range(-10, 2e6).Draw(t, "x")
			}
		}
		before := append(generic.Vector(nil), v...)
		r.adjust(v, updated)
		if !r.ordered(v) {
			t.Fatalf("%v became %v", before, v)
		}
		for i, kind := range r {
			if (!updated[kind] || r.ordered(before)) && v[kind] != before[kind] {
				t.Fatalf("%v became %v at rank %d", before, v, i)
			}
		}
	})
}
