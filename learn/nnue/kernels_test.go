// SPDX-License-Identifier: Apache-2.0

package nnue

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// drawn returns n random numbers.
func drawn(r *rand.Rand, n int) []float32 {
	all := make([]float32, n)
	for i := range all {
		all[i] = float32(r.NormFloat64() * 100)
	}
	return all
}

// FuzzRows holds the kernels of rows equal to their twins in Go, bit for bit.
func FuzzRows(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, []byte{0, 189, byte(seed), 7, 7})
	}
	f.Fuzz(func(t *testing.T, seed uint64, picks []byte) {
		r := rand.New(rand.NewPCG(seed, 1))
		rows := make([]Row, 300)
		for i := range rows {
			copy(rows[i][:], drawn(r, len(rows[i])))
		}
		sum := Row(drawn(r, len(Row{})))
		index := []uint16{uint16(seed % uint64(len(rows)))}
		for _, b := range picks {
			index = append(index, uint16(b)%uint16(len(rows)))
		}
		want, got := sum, sum
		sumRowsGo(&want, rows, index)
		if SumRows(&got, rows, index); got != want {
			t.Errorf("SumRows: got %v, want %v", got, want)
		}
		if a, b := dotGo(&sum, &rows[1]), Dot(&sum, &rows[1]); a != b {
			t.Errorf("Dot: got %v, want %v", b, a)
		}
		want, got = rows[2], rows[2]
		addTimesGo(&want, &sum, 0.3)
		if AddTimes(&got, &sum, 0.3); got != want {
			t.Errorf("AddTimes: got %v, want %v", got, want)
		}
		same := slices.Clone(rows)
		addToRowsGo(rows, &sum, index)
		if AddToRows(same, &sum, index); !slices.Equal(same, rows) {
			t.Error("AddToRows differs from its twin")
		}
	})
}

// TestKernelsEqualGo holds the kernels of dense layers, of addition and of the optimiser equal to their twins in Go, at several widths.
func TestKernelsEqualGo(t *testing.T) {
	for _, width := range []int{32, 64, 7, 48} {
		for n := range 5 {
			inputs := 1 + 37*n
			r := rand.New(rand.NewPCG(uint64(width), uint64(n)))
			x, w, d := drawn(r, inputs), drawn(r, inputs*width), drawn(r, width)
			dst, dx, gradient := drawn(r, width), drawn(r, inputs), drawn(r, inputs*width)
			wantDst, wantDX, wantGradient := slices.Clone(dst), slices.Clone(dx), slices.Clone(gradient)
			Forward(dst, x, w)
			forwardGo(wantDst, x, w)
			Backward(gradient, dx, x, w, d)
			backwardGo(wantGradient, wantDX, x, w, d)
			if !slices.Equal(dst, wantDst) || !slices.Equal(dx, wantDX) || !slices.Equal(gradient, wantGradient) {
				t.Errorf("%d inputs, %d outputs: a layer and its twin differ", inputs, width)
			}
			step := NewStep(0.01, 3, n+1)
			p, m, v := drawn(r, inputs), make([]float32, inputs), make([]float32, inputs)
			wantP, wantM, wantV := slices.Clone(p), slices.Clone(m), slices.Clone(v)
			for range 3 {
				Move(step, p, m, v, x)
				moveGo(step, wantP, wantM, wantV, x)
			}
			if !slices.Equal(p, wantP) || !slices.Equal(m, wantM) || !slices.Equal(v, wantV) {
				t.Errorf("%d weights: Move and its twin differ", inputs)
			}
			Add(p, x)
			addGo(wantP, x)
			if !slices.Equal(p, wantP) {
				t.Errorf("%d weights: Add and its twin differ", inputs)
			}
		}
	}
}

func BenchmarkLayer(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	x, w, d, gradient := drawn(r, 128), drawn(r, 128*32), drawn(r, 32), drawn(r, 128*32)
	dst, dx := drawn(r, 32), drawn(r, 128)
	for b.Loop() {
		Forward(dst, x, w)
		Backward(gradient, dx, x, w, d)
	}
}
