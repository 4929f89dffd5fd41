// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"math/rand/v2"
	"testing"
)

// TestThreads solves positions that leave threads room to share with four of them and with one.
func TestThreads(t *testing.T) {
	for _, wide := range []bool{false, true} {
		g, one := solver(t, 7, 6, 4, Defaults())
		o := Defaults()
		o.Threads = 4
		_, four := solver(t, 7, 6, 4, o)
		if wide {
			four.core = newWideCore(7, 6, 4, o)
		}
		rng := rand.New(rand.NewPCG(5, 6))
		for n := 0; n < 5; {
			p := late(g, rng, sharedCells+3+rng.IntN(4))
			if p == nil {
				continue
			}
			n++
			want, got := one.Solve(t.Context(), one.FromGame(p)), four.Solve(t.Context(), four.FromGame(p))
			if got.Lower != want.Lower || got.Upper != want.Upper {
				t.Errorf("wide=%t: four threads prove %v, one %v: %v", wide, got, want, p.AppendHistory(nil))
			}
			one.Clear()
			four.Clear()
		}
	}
}
