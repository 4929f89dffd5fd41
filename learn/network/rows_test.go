// SPDX-License-Identifier: Apache-2.0

package network

import (
	"math/rand/v2"
	"testing"
)

// FuzzRows holds the kernels equal to their twins in Go, bit for bit.
func FuzzRows(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, []byte{0, 189, byte(seed), 7, 7})
	}
	f.Fuzz(func(t *testing.T, seed uint64, picks []byte) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var rows layer
		var sum row
		for i := range rows {
			for j := range rows[i] {
				rows[i][j] = float32(rng.NormFloat64() * 100)
			}
		}
		for j := range sum {
			sum[j] = float32(rng.NormFloat64())
		}
		index := []uint16{uint16(seed % uint64(len(rows)))}
		for _, b := range picks {
			index = append(index, uint16(b)%uint16(len(rows)))
		}
		want, got := sum, sum
		sumRowsGo(&want, &rows, index)
		if sumRows(&got, &rows, index); got != want {
			t.Errorf("sumRows: got %v, want %v", got, want)
		}
		if a, b := dotGo(&sum, &rows[1]), dot(&sum, &rows[1]); a != b {
			t.Errorf("dot: got %v, want %v", b, a)
		}
		want, got = rows[2], rows[2]
		addTimesGo(&want, &sum, 0.3)
		if addTimes(&got, &sum, 0.3); got != want {
			t.Errorf("addTimes: got %v, want %v", got, want)
		}
		same := rows
		addToRowsGo(&rows, &sum, index)
		if addToRows(&same, &sum, index); same != rows {
			t.Error("addToRows differs from its twin")
		}
	})
}
