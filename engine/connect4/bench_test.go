// SPDX-License-Identifier: Apache-2.0

package connect4

import "testing"

// BenchmarkSolve solves a position of 9 plies from an empty table, with the bounds of parity and without.
func BenchmarkSolve(b *testing.B) {
	for _, tc := range []struct {
		name  string
		o     Options
		moves []int
	}{
		{"parity=on", Options{}, []int{3, 3, 3, 3, 3, 3, 2, 4, 4}},
		{"parity=off", Options{NoParity: true}, []int{3, 3, 3, 3, 3, 3, 2, 4, 4, 4, 0}},
	} {
		b.Run(tc.name, func(b *testing.B) {
			_, s := solver(b, 7, 6, 4, tc.o)
			p := s.Start()
			for _, c := range tc.moves {
				var legal bool
				if p, legal = p.Play(c); !legal {
					b.Fatal(tc.moves)
				}
			}
			nodes := uint64(0)
			for b.Loop() {
				s.Clear()
				nodes += s.Solve(b.Context(), p).Nodes
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
		})
	}
}
