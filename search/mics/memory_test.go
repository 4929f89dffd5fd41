// SPDX-License-Identifier: Apache-2.0

package mics_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/krow-lab/krow/game/gametest"
	rules "github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/mics"
)

// BenchmarkMemory measures the heap that a searcher holds after its first search, by cell of a square board.
func BenchmarkMemory(b *testing.B) {
	held := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for _, n := range []int{8, 16, 32, 64, 128} {
		b.Run(fmt.Sprintf("%dx%d", n, n), func(b *testing.B) {
			p := gametest.Must[*rules.Game](b)(rules.MNK(n, n, 5)).Start()
			before := held()
			all := make([]*mics.Searcher, 0, b.N)
			for range b.N {
				s, err := mics.New(p.Game(), mics.Options{Branching: 8, Depth: 4, Nodes: 1000})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := s.Search(b.Context(), p, search.Limits{}, nil); err != nil {
					b.Fatal(err)
				}
				all = append(all, s)
			}
			b.ReportMetric(float64(held()-before)/float64(b.N*n*n), "B/cell")
			runtime.KeepAlive(all)
		})
	}
}
