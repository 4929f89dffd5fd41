// SPDX-License-Identifier: Apache-2.0

package gomoku

// Weights are the parameters of the evaluation, in hundredths of the unit of a score. A position is worth, to
// the side to move,
//
//	sum over the empty cells of (Class + sum of Line) of its own less the enemy's, plus the Tempo of each
//	threat that one side or the other has
//
// A move looks as good, in the units of the order of moves, as the sum of Attack over what it makes and of Defend over
// what it takes from the enemy.
type Weights struct {
	Line  [numShapes]int16  // of each of the four lines of an empty cell
	Class [numClasses]int16 // of the cell
	Tempo [numTempos]int16

	Attack, Defend Order
}

// Order is what the order of moves is made of.
type Order struct {
	Line  [numShapes]int16
	Class [numClasses]int16
}

// The threats that bear on whose move it is. A side has one when it has a cell of that class or a better one.
const (
	ownThree = iota
	ownDoubleThree
	ownFour
	ownFourThree
	enemyThree
	enemyDoubleThree
	enemyFour
	enemyFourThree
	enemyOpenFour
	toMove // always
	numTempos
)

// DefaultWeights are what the engine plays with: the output of command tune.
var DefaultWeights = Weights{
	Line: [numShapes]int16{
		one: 1, openTwo: 8, openTwo2: 16, openTwo3: 15,
		three: 6, openThree: 6, openThree2: 9, four: 30, openFour: 39,
	},
	Class: [numClasses]int16{
		makesTwo: -15, makesTwos: -24, makesThree: 5, makesThree2: 17, doubleThree: 17,
		makesFour: -2, makesFour2: 33, fourThree: 119, openFours: 64,
	},
	Tempo: [numTempos]int16{
		ownThree: 67, ownDoubleThree: 142, ownFour: 28, ownFourThree: 373,
		enemyThree: 5, enemyDoubleThree: -53, enemyFour: 19, enemyFourThree: -95, enemyOpenFour: -60,
		toMove: 64,
	},
	Attack: Order{
		Line: [numShapes]int16{
			one: 2, openOne: 6, two: 9, openTwo: 18, openTwo2: 22, openTwo3: 27,
			three: 24, openThree: 44, openThree2: 52, four: 48, openFour: 200, five: 400,
		},
		Class: [numClasses]int16{
			makesTwos: 15, makesThree: 20, makesThree2: 45, doubleThree: 150,
			makesFour: 10, makesFour2: 45, fourThree: 400, openFours: 600, makesFive: 2000,
		},
	},
	Defend: Order{
		Line: [numShapes]int16{
			one: 1, openOne: 4, two: 6, openTwo: 13, openTwo2: 16, openTwo3: 20,
			three: 16, openThree: 34, openThree2: 40, four: 36, openFour: 160, five: 400,
		},
		Class: [numClasses]int16{
			makesTwos: 10, makesThree: 10, makesThree2: 25, doubleThree: 90,
			makesFour: 5, makesFour2: 25, fourThree: 200, openFours: 300, makesFive: 1500,
		},
	},
}
