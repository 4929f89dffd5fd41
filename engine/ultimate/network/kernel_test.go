// SPDX-License-Identifier: Apache-2.0

package network

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/krow-lab/krow/internal/cpu"
)

// wild returns rows of any numbers, extreme ones among them, and an output whose sum cannot overflow.
func wild(seed uint64) (n *Network, base *[Hidden]int16) {
	rng := rand.New(rand.NewPCG(seed, 5))
	n, base = new(Network), new([Hidden]int16)
	spread := []int{3, 600, 1 << 16}[rng.IntN(3)]
	draw := func() int16 {
		switch rng.IntN(40) {
		case 0:
			return math.MaxInt16
		case 1:
			return math.MinInt16
		}
		return int16(rng.IntN(spread) - spread/2)
	}
	for i := range n.rows {
		for j := range Hidden {
			n.rows[i][j] = draw()
		}
	}
	for j := range Hidden {
		base[j], n.out[j] = draw(), int16(rng.IntN(511)-255)
	}
	n.out[rng.IntN(Hidden)] = math.MinInt16
	n.unit = 1e-9
	return n, base
}

// eachLevel calls f with each kind of kernels that the processor has.
func eachLevel(f func()) {
	defer func() { level = cpu.Best }()
	for level = cpu.Go; level <= cpu.Best; level++ {
		f()
	}
}

// FuzzKernels holds the kernels of every level equal to their twins in Go.
func FuzzKernels(f *testing.F) {
	for seed := range uint64(30) {
		f.Add(seed, []byte{1, 2, 3, byte(seed)})
	}
	f.Add(uint64(7), []byte(nil))
	f.Fuzz(func(t *testing.T, seed uint64, picks []byte) {
		n, base := wild(seed)
		var index []uint16
		for i, b := range picks[:min(len(picks), 81)] {
			index = append(index, (uint16(b)*257+uint16(i))%numRows)
		}
		cut := int(seed % uint64(len(index)+1))
		var want, got [Hidden]int16
		accumulateGo(&want, base, &n.rows, index[:cut], index[cut:])
		sums := make([]int32, len(index))
		outputsGo(base, &n.out, &n.rows, index, sums)
		eachLevel(func() {
			accumulate(&got, base, &n.rows, index[:cut], index[cut:])
			if got != want {
				t.Errorf("%s: accumulate: got %v, want %v", level, got, want)
			}
			same := make([]int32, len(index))
			outputs(base, &n.out, &n.rows, index, same)
			if !slices.Equal(same, sums) {
				t.Errorf("%s: outputs: got %v, want %v", level, same, sums)
			}
		})
	})
}

// The square is that of all numbers a sum can be.
func TestSquare(t *testing.T) {
	for x := math.MinInt16; x <= math.MaxInt16; x++ {
		v := min(max(float64(x), 0), One)
		if got, want := square(int16(x)), int32(math.Floor(v*v/8+0.5)); got != want {
			t.Fatalf("square(%d) = %d, want %d", x, got, want)
		}
	}
}

// BenchmarkOutputs measures the hidden layer and the output alone, for nine children at a time.
func BenchmarkOutputs(b *testing.B) {
	n, base := wild(1)
	index, sums := make([]uint16, 9), make([]int32, 9)
	eachLevel(func() {
		b.Run("kernel="+level.String(), func(b *testing.B) {
			k := 0
			for b.Loop() {
				for i := range index {
					index[i] = uint16(sending + (k+i)%81)
				}
				k += 9
				outputs(base, &n.out, &n.rows, index, sums)
			}
			b.ReportMetric(9*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevals/s")
		})
	})
}
