// SPDX-License-Identifier: Apache-2.0

package indicators

import (
	"fmt"
	"math"
)

// Indicator is one of the questions about a move.
type Indicator uint8

// The indicators: ten of the text, and two that stand in the authors' program alone.
const (
	Corner      Indicator = iota // is the cell a corner of its small board?
	Centre                       // is it the centre?
	Edge                         // is it neither?
	OwnStones                    // how many stones has the mover in the board sent to?
	EnemyStones                  // how many has the opponent there?
	Decided                      // is that board won or full?
	Empty                        // is it empty?
	EnemyCanWin                  // can the opponent win it?
	Capture                      // does the move win its small board?
	Win                          // does it win the game?
	Block                        // the program's: does it take a cell with which the opponent would win the small board?
	Either                       // the program's: can either side win the board sent to?

	Count = 12 // of indicators
)

var names = [Count]string{
	"corner", "centre", "edge", "own-stones", "enemy-stones", "decided", "empty", "enemy-can-win", "capture",
	"win", "block", "either-can-win",
}

// String returns the name, such as "own-stones".
func (i Indicator) String() string { return names[i] }

// place gives each cell of a small board its indicator.
var place = [9]Indicator{
	Corner, Edge, Corner,
	Edge, Centre, Edge,
	Corner, Edge, Corner,
}

// Vector is what the indicators say of one move.
type Vector [Count]int8

// Weights are the weights of the indicators. That of Win is infinite; those of Block and Either count only
// where Options ask for them.
type Weights [Count]float64

// MaxWeight is the greatest weight, but for that of Win.
const MaxWeight = 1e6

// Default returns the weights that the authors set by hand: 3, 2, 1, ..., 1 and infinity.
func Default() Weights {
	var w Weights
	for i := range w {
		w[i] = 1
	}
	w[Centre], w[Corner], w[Win] = 3, 2, math.Inf(1)
	return w
}

// Check returns an error in one line if there is a weight that cannot be used.
func (w Weights) Check() error {
	for i, x := range w {
		switch {
		case Indicator(i) == Win:
			if !math.IsInf(x, 1) {
				return fmt.Errorf("the weight of a won game is infinite, not %g", x)
			}
		case math.IsNaN(x) || math.Abs(x) > MaxWeight:
			return fmt.Errorf("the weight of %s must be a number from %g to %g, not %g", Indicator(i), -MaxWeight, MaxWeight, x)
		}
	}
	return nil
}
