// SPDX-License-Identifier: Apache-2.0

// Package network values positions of ultimate tic-tac-toe by a small neural network in whole numbers.
//
// # Basics
//
//	e := network.Default().NewEvaluator()
//	e.Base(&root)                        // now and then: what follows is computed as a difference from it
//	v := e.Value(&b)                     // the expected score of the side to move, 0 to 1
//	n := e.Children(&b, &values)         // that side's expected score after each of its moves
//
// # The network
//
// A position is seen from the side to move. It sets some of 190 inputs. The stones of a small board that is won count
// no more:
//
//	  0.. 80   own stones           162..170   own small boards
//	 81..161   stones of the enemy  171..179   small boards of the enemy
//	180..188   the forced board     189        any board
//
//	inputs -> 256 sums of 16 bits -> clipped to 0..One and squared -> one sum of 32 bits -> logistic function
//
// An input has a row of 256 weights, and the hidden layer is the sum of the rows that are set. So two positions of a
// search differ by a few rows, and a child differs from its parent by one: the new stone and the board to which it sends
// have a row together. All children of a parent have the same side to move.
//
// # Caveats
//
// An Evaluator belongs to one goroutine, a Network to all. The network does not know when a game is over: it returns a
// number for such a position too.
//
// # Speed
//
// The inner loops are in assembly for AVX2 and for AVX512 with VNNI. They agree with their twins in Go bit for bit.
//
// CITE: Nasu, Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi, 2018.
package network

import (
	_ "embed"
	"math"
	"sync"

	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/cpu"
)

// Sizes of the network, and the unit of its hidden layer.
const (
	Inputs = 190
	Hidden = 256
	One    = 511
)

// Where the inputs begin, and the rows that are sums of two: an enemy stone and the forced board after it.
const (
	ownStones   = 0
	enemyStones = 81
	ownBoards   = 162
	enemyBoards = 171
	forced      = 180
	sending     = 190 // a stone that sends to the board of its cell
	freeing     = 271 // a stone that lets the other side choose the board
	numRows     = 352
)

// Network is a trained network. It does not change.
type Network struct {
	rows   [numRows][Hidden]int16
	bias   [Hidden]int16
	out    [Hidden]int16
	unit   float32 // of the output's sum, in logits
	offset float32 // added to it, in logits
	recipe string  // how it came about, for whoever reads the file
}

//go:embed default.net
var defaultFile []byte

// Default returns the network that the engine comes with.
var Default = sync.OnceValue(func() *Network {
	n, err := Parse(defaultFile)
	if err != nil {
		panic(err) // a test reads it, too
	}
	return n
})

func (n *Network) combine() {
	for m := range ultimate.Moves {
		for j := range Hidden {
			stone := n.rows[enemyStones+m][j]
			n.rows[sending+m][j] = stone + n.rows[forced+m%9][j]
			n.rows[freeing+m][j] = stone + n.rows[forced+ultimate.Any][j]
		}
	}
}

func (n *Network) score(sum int32) float32 { return logistic(float32(float32(sum)*n.unit) + n.offset) }

// The logistic function is a table of logits from -reach to reach, with straight lines in between.
const (
	reach = 10
	steps = 64 // in a logit
)

var curve = func() (t [2*reach*steps + 2]float32) {
	for i := range t {
		t[i] = float32(1 / (1 + math.Exp(reach-float64(i)/steps)))
	}
	return t
}()

func logistic(x float32) float32 {
	// Comparisons are cheaper than min and max, which look for what is not a number.
	if x < -reach {
		x = -reach
	}
	if x > reach {
		x = reach
	}
	at := (x + reach) * steps
	i := int(at)
	// The conversion keeps processors from fusing the two operations, some of which would.
	return curve[i] + float32((curve[i+1]-curve[i])*(at-float32(i)))
}

// The kernels are the two inner loops, in Go and, on amd64, in assembly. The twins agree in every bit, since all numbers
// are whole.
//
//	accumulate   dst[j] = src[j] + sum of rows[add][j] - sum of rows[sub][j]
//	outputs      sums[i] = sum over j of out[j] * square(base[j] + rows[index[i]][j])
//
// A sum of 16 bits may wrap around on the way: the result fits, see Parse.

// level is what the kernels may use. Tests lower it.
var level = cpu.Best

// outputsGo is the reference of outputs.
func outputsGo(base, out *[Hidden]int16, rows *[numRows][Hidden]int16, index []uint16, sums []int32) {
	for i, r := range index {
		row, sum := &rows[r], int32(0)
		for j, x := range base {
			sum += int32(out[j]) * square(x+row[j])
		}
		sums[i] = sum
	}
}

// square clips x to 0..One and returns its square, an eighth of it to the nearest whole number: 0 to 1<<15 - 128.
func square(x int16) int32 {
	v := int32(min(max(x, 0), One))
	return (v*v + 4) >> 3
}

// accumulateGo is the reference of accumulate.
func accumulateGo(dst, src *[Hidden]int16, rows *[numRows][Hidden]int16, add, sub []uint16) {
	*dst = *src
	for _, r := range add {
		for j, w := range &rows[r] {
			dst[j] += w
		}
	}
	for _, r := range sub {
		for j, w := range &rows[r] {
			dst[j] -= w
		}
	}
}
