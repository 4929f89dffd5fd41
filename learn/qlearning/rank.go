// SPDX-License-Identifier: Apache-2.0

package qlearning

import (
	"cmp"
	"slices"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/threat"
)

// ranking is the kinds of threats by importance, least first; the last one is a row of k.
type ranking []threat.Kind

// none is the rank of no threat.
const none = -1

// newRanking ranks the kinds by these parameters. Closed ones are no threats.
func newRanking(k int, v generic.Vector) ranking {
	var r ranking
	for kind := range threat.Kind(threat.Kinds(k)) {
		if kind.Class(k) != threat.Closed {
			r = append(r, kind)
		}
	}
	slices.SortStableFunc(r, func(a, b threat.Kind) int { return cmp.Compare(v[a], v[b]) })
	return r
}

// top returns the rank of the most important threat that is counted, or none.
func (r ranking) top(counts []int32) int {
	for i := len(r) - 1; i >= 0; i-- {
		if counts[r[i]] != 0 {
			return i
		}
	}
	return none
}

// adjust puts the parameters in order of rank: each that was updated is clamped between the nearest
// neighbours that were not, and where several stand together none is less than the one before it.
// Invariant: those not updated are in order among themselves, and the last one is never updated.
//
//	updated    .  *  .  *  *  .          before   2  9  4  1  3  8
//	                                     after    2  4  4  4  4  8
func (r ranking) adjust(v generic.Vector, updated []bool) {
	high := v[r[len(r)-1]]
	for i := len(r) - 2; i >= 0; i-- {
		if updated[i] {
			v[r[i]] = min(v[r[i]], high)
			continue
		}
		high = v[r[i]]
	}
	low := 0.0
	for _, kind := range r {
		v[kind] = max(v[kind], low)
		low = v[kind]
	}
}

// ordered says whether the parameters are in order of rank.
func (r ranking) ordered(v generic.Vector) bool {
	low := 0.0
	for _, kind := range r {
		if v[kind] < low {
			return false
		}
		low = v[kind]
	}
	return true
}
