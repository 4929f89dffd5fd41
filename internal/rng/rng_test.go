// SPDX-License-Identifier: Apache-2.0

package rng_test

import (
	"testing"

	"github.com/krow-lab/krow/internal/rng"
)

// The numbers are those that implementations of SplitMix64 give for the seed 1234567.
func TestNext(t *testing.T) {
	r := rng.Rand(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if got := r.Next(); got != want {
			t.Errorf("number %d is %d, want %d", i, got, want)
		}
	}
}

func TestNth(t *testing.T) {
	r := rng.Rand(0)
	for n := range uint64(5) {
		if got, want := rng.Nth(n), r.Next(); got != want {
			t.Errorf("Nth(%d) = %d, want %d", n, got, want)
		}
	}
}

// Each of three numbers comes about as often as the others.
func TestBelow(t *testing.T) {
	const draws = 30_000
	r, counts := rng.Rand(1), [3]int{}
	for range draws {
		counts[r.Below(3)]++
	}
	for i, n := range counts {
		if n < draws/3-500 || n > draws/3+500 { // six standard deviations
			t.Errorf("%d was drawn %d times of %d", i, n, draws)
		}
	}
}

func TestMix(t *testing.T) {
	seen := map[uint64]bool{}
	for _, w := range [][]uint64{{}, {0}, {0, 0}, {0, 1}, {1, 0}, {1}, {1, 1}} {
		x := rng.Mix(w...)
		if seen[x] || x != rng.Mix(w...) {
			t.Errorf("Mix(%d) = %d again", w, x)
		}
		seen[x] = true
	}
}
