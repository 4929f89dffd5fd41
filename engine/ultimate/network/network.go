// SPDX-License-Identifier: Apache-2.0

// Package network implements a small neural network with integer weights that values positions of ultimate tic-tac-toe.
//
// # Basics
//
//	e := network.Default().NewEvaluator()
//	v := e.Value(&b)                     // the expected score of the side to move, 0 to 1
//	n := e.Children(&b, &values)         // that side's expected score after each of its moves
//
// # The network
//
// The inputs describe a position from the view of the side to move. Each small board has a code for its stones or, if it is
// closed, for its result. A row consists of 128 weights. A position has a row for each small board and its code, a row for the
// forced board and its code, and a row for the results of the nine small boards. The sum of these rows is the first layer:
//
//	9 small boards | forced board | results -> 128 sums of 16 bits -> clipped and squared, 7 bits
//	                                        -> 16 sums of 32 bits -> clipped -> one sum -> logistic function
//
// A small board has 19,683 codes, which are too many for learning a row for each. So a row is itself a sum of rows: over the
// eight lines of a small board, each with the 27 states of its three cells, or over the eight lines of results. The learned
// parameters, which are in the file, are the rows of these states: see [View.Inputs].
//
// A move changes only one small board. So the first layer after a move is the sum of a part that is the same for all moves
// in one small board, and of three rows: for this board, for the forced board and for the results.
//
// # Caveats
//
// Only one goroutine may use an Evaluator; several goroutines may use a Network at once. The network does not see that a game is
// over: it also returns a value for such a position.
//
// # Speed
//
// An Evaluator stores the rows of the codes that it has seen; a search has few different codes. The inner loops use vector
// instructions on AVX2, AVX512 with VNNI, arm64 and WebAssembly. They give the same results as the versions in Go, bit for bit.
//
// CITE: Nasu, Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi, 2018.
package network

import (
	"math"
	"sync"

	"github.com/krow-lab/krow/internal/cpu"
)

// Sizes of the network, and the units of its layers: the integers that represent 1.
const (
	Hidden    = 128
	Second    = 16
	firstOne  = 1019                      // unit of the sums of the first layer
	weightOne = 64                        // unit of the weights between the layers
	secondOne = firstOne * firstOne / 128 // unit of the second layer: firstOne*firstOne/8192 * weightOne
)

type row = [Hidden]int16

// Network is a trained network. It does not change.
type Network struct {
	inputs [Inputs]row
	last   tail
	unit   float32 // number of logits that one unit of the integer output stands for
	offset float32 // number of logits that is added to the output
	recipe string  // the command that made the network, for readers of the file
}

// tail computes the layers after the first one.
type tail struct {
	weights [Hidden / 4][Second][4]int8 // by group of four neurons of the first layer, and by neuron of the second
	bias    [Second]int32
	out     [Second]int32
	words   [Hidden][Second / 4]uint64 // the same weights, each increased by wordBias and stored in 16 bits: see spread
}

const (
	wordBias  = 128
	evenWords = 0x0000_ffff_0000_ffff
)

// spread computes the field words from the field weights.
func (t *tail) spread() {
	for j := range t.words {
		for k := range Second {
			t.words[j][k/4] |= uint64(int(t.weights[j/4][k][j%4])+wordBias) << (16 * (k % 4))
		}
	}
}

// Default returns krow's own network.
var Default = sync.OnceValue(func() *Network {
	data, err := files.ReadFile("default.net")
	if err != nil {
		panic(err) // cannot happen, because a test reads the embedded file
	}
	n, err := Parse(data)
	if err != nil {
		panic(err) // cannot happen, because a test reads the embedded file
	}
	return n
})

func (n *Network) score(sum int32) float32 { return logistic(float32(float32(sum)*n.unit) + n.offset) }

// The logistic function is computed by a table for logits from -reach to reach, with linear interpolation.
const (
	reach = 10
	steps = 64 // number of table entries per logit
)

var curve = func() (t [2*reach*steps + 2]float32) {
	for i := range t {
		t[i] = float32(1 / (1 + math.Exp(reach-float64(i)/steps)))
	}
	return t
}()

func logistic(x float32) float32 {
	// Comparisons are cheaper than min and max, which must check for NaN.
	if x < -reach {
		x = -reach
	}
	if x > reach {
		x = reach
	}
	at := (x + reach) * steps
	i := int(at)
	// The conversion prevents the compiler from fusing the two operations on some processors, which would change the result.
	return curve[i] + float32((curve[i+1]-curve[i])*(at-float32(i)))
}

// The kernels are the two inner loops. There are versions in Go and, for some processors, in vector instructions. All versions
// give exactly the same results, since they compute with integers.
//
//	add       dst[j] = sum of rows[index][j]
//	outputs   sums[i] = the output of the network for base plus three rows
//
// While rows are added, a sum of 16 bits may overflow. This does no harm, because Parse ensures that the final sum fits into 16
// bits.

// level is the highest instruction-set level, such as AVX2, that the kernels may use. Tests lower it.
var level = cpu.Best

// addGo is add without vector instructions.
func addGo(dst *row, rows []row, index []uint16) {
	*dst = row{}
	for _, r := range index {
		for j, w := range &rows[r] {
			dst[j] += w
		}
	}
}

// outputsGo is outputs without vector instructions: a 64-bit word contains four weights, so one multiplication computes four
// products.
func outputsGo(base *row, rows []row, last *tail, index [][3]uint16, sums []int32) {
	for i, t := range index {
		a, b, c := &rows[t[0]], &rows[t[1]], &rows[t[2]]
		var even, odd [Second / 4]uint64
		// a0 to a3 are the sums of the neurons with even numbers, b0 to b3 the sums of the neurons with odd numbers.
		var a0, a1, a2, a3, b0, b1, b2, b3 uint64
		total := uint64(0)
		for j := range Hidden / 2 {
			v := square(base[2*j] + a[2*j] + b[2*j] + c[2*j])
			w := square(base[2*j+1] + a[2*j+1] + b[2*j+1] + c[2*j+1])
			total += v + w
			x, y := &last.words[2*j], &last.words[2*j+1]
			// The sum of two products fits into 16 bits: 2 * 127 * 255.
			p := v*x[0] + w*y[0]
			a0, b0 = a0+p&evenWords, b0+p>>16&evenWords
			p = v*x[1] + w*y[1]
			a1, b1 = a1+p&evenWords, b1+p>>16&evenWords
			p = v*x[2] + w*y[2]
			a2, b2 = a2+p&evenWords, b2+p>>16&evenWords
			p = v*x[3] + w*y[3]
			a3, b3 = a3+p&evenWords, b3+p>>16&evenWords
		}
		even, odd = [Second / 4]uint64{a0, a1, a2, a3}, [Second / 4]uint64{b0, b1, b2, b3}
		sums[i] = 0
		for k, x := range last.bias {
			words := &even
			if k%2 == 1 {
				words = &odd
			}
			x += int32(words[k/4]>>(16*(k&2))) - int32(total*wordBias)
			sums[i] += last.out[k] * min(max(x, 0), secondOne)
		}
	}
}

// square clips x to 0..firstOne, squares it, divides the square by 1<<13, and rounds to the nearest integer: 0 to 127.
func square(x int16) uint64 {
	v := uint64(min(max(x, 0), firstOne))
	return (4*v*v + 1<<14) >> 15
}
