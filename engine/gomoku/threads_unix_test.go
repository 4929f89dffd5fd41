// SPDX-License-Identifier: Apache-2.0

//go:build unix

package gomoku

import (
	"fmt"
	"syscall"
	"testing"

	"github.com/krow-lab/krow/search"
)

// BenchmarkThreads searches with one thread and with two, a million nodes a position. The result is nodes per second of processor
// time, which other work of the machine affects little.
func BenchmarkThreads(b *testing.B) {
	g := testGames(b)[0]
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			nodes, used := uint64(0), 0.0
			for b.Loop() {
				for _, moves := range benchPositions {
					s, err := New(g, Options{Threads: threads})
					if err != nil {
						b.Fatal(err)
					}
					before := processor(b)
					info, err := s.Search(b.Context(), played(b, g, moves), search.Limits{Nodes: 1_000_000}, nil)
					if err != nil {
						b.Fatal(err)
					}
					used += processor(b) - before
					nodes += info.Nodes
				}
			}
			b.ReportMetric(float64(nodes)/used, "nodes/cpu-s")
		})
	}
}

// processor returns the seconds of processor time that the process has used.
func processor(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
