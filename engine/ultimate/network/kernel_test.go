// SPDX-License-Identifier: Apache-2.0

package network

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/krow-lab/krow/internal/cpu"
)

// wild returns rows of random numbers, including extreme ones, and weights whose sums cannot overflow.
func wild(seed uint64) (rows []row, last *tail, base *row) {
	rng := rand.New(rand.NewPCG(seed, 5))
	rows, last, base = make([]row, 300), new(tail), new(row)
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
	for i := range rows {
		for j := range rows[i] {
			rows[i][j] = draw()
		}
	}
	for j := range base {
		base[j] = draw()
	}
	for i := range last.weights {
		for k := range last.weights[i] {
			for q := range last.weights[i][k] {
				last.weights[i][k][q] = int8(rng.IntN(255) - 127)
				if rng.IntN(4) == 0 {
					last.weights[i][k][q] = int8(127 - 254*(k&1))
				}
			}
		}
	}
	for k := range Second {
		last.bias[k], last.out[k] = int32(rng.IntN(20001)-10000), int32(rng.IntN(30001)-15000)
	}
	last.spread()
	return rows, last, base
}

// plainOutputs is the reference of outputs.
func plainOutputs(base *row, rows []row, last *tail, index [][3]uint16) (sums []int32) {
	for _, t := range index {
		second, sum := last.bias, int32(0)
		for j, x := range base {
			v := int32(square(x + rows[t[0]][j] + rows[t[1]][j] + rows[t[2]][j]))
			for k := range second {
				second[k] += v * int32(last.weights[j/4][k][j%4])
			}
		}
		for k, x := range second {
			sum += last.out[k] * min(max(x, 0), secondOne)
		}
		sums = append(sums, sum)
	}
	return sums
}

// eachLevel calls f with each kind of kernels that the processor has.
func eachLevel(f func()) {
	defer func() { level = cpu.Best }()
	for level = cpu.Go; level <= cpu.Best; level++ {
		f()
	}
}

// FuzzKernels compares the kernels of every level with their references.
func FuzzKernels(f *testing.F) {
	for seed := range uint64(30) {
		f.Add(seed, []byte{1, 2, 3, byte(seed)})
	}
	f.Add(uint64(7), []byte(nil))
	f.Fuzz(func(t *testing.T, seed uint64, picks []byte) {
		rows, last, base := wild(seed)
		var index []uint16
		var children [][3]uint16
		for i, b := range picks[:min(len(picks), 81)] {
			r := (uint16(b)*257 + uint16(i)) % uint16(len(rows))
			index = append(index, r)
			children = append(children, [3]uint16{r, uint16(b), uint16(i)})
		}
		var want, got row
		addGo(&want, rows, index)
		sums := plainOutputs(base, rows, last, children)
		eachLevel(func() {
			add(&got, rows, index)
			if got != want {
				t.Errorf("%s: add: got %v, want %v", level, got, want)
			}
			same := make([]int32, len(index))
			outputs(base, rows, last, children, same)
			if !slices.Equal(same, sums) {
				t.Errorf("%s: outputs: got %v, want %v", level, same, sums)
			}
		})
	})
}

// square is right for all numbers that a sum can be.
func TestSquare(t *testing.T) {
	for x := math.MinInt16; x <= math.MaxInt16; x++ {
		v := min(max(float64(x), 0), firstOne)
		if got, want := square(int16(x)), uint64(math.Floor(v*v/8192+0.5)); got != want {
			t.Fatalf("square(%d) = %d, want %d", x, got, want)
		}
	}
}

// BenchmarkOutputs measures the layers alone, for nine children at a time.
func BenchmarkOutputs(b *testing.B) {
	rows, last, base := wild(1)
	index, sums := make([][3]uint16, 9), make([]int32, 9)
	eachLevel(func() {
		b.Run("kernel="+level.String(), func(b *testing.B) {
			k := 0
			for b.Loop() {
				for i := range index {
					index[i] = [3]uint16{uint16((k + i) % 81), uint16(90 + i), 100}
				}
				k += 9
				outputs(base, rows, last, index, sums)
			}
			b.ReportMetric(9*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevals/s")
		})
	})
}
