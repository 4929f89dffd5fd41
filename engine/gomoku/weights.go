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
		one: -2, openOne: -1, two: -1, openTwo: 8, openTwo2: 4, openTwo3: 3, three: 6, openThree: -14,
		openThree2: -4, four: 30, openFour: 75,
	},
	Class: [numClasses]int16{
		makesTwo: -8, makesTwos: 3, makesThree: 28, makesThree2: 46, doubleThree: 40, makesFour: 30,
		makesFour2: 89, fourThree: 171, openFours: 77,
	},
	Tempo: [numTempos]int16{
		ownThree: 161, ownDoubleThree: 133, ownFour: 57, ownFourThree: 476, enemyThree: -62,
		enemyDoubleThree: -38, enemyFour: 28, enemyFourThree: -66, enemyOpenFour: -83, toMove: 122,
	},
	Attack: Order{
		Line: [numShapes]int16{
			dead: -30, one: -27, openOne: -22, two: -16, openTwo2: -5, openTwo3: 29, three: 40, openThree: 23,
			openThree2: 85, four: 93, openFour: 2, five: 109,
		},
		Class: [numClasses]int16{
			quiet: -45, makesTwo: -29, makesTwos: -9, makesThree: 55, makesThree2: 72, doubleThree: 126,
			makesFour: 54, makesFour2: 88, fourThree: 267, openFours: 281, makesFive: 1651,
		},
	},
	Defend: Order{
		Line: [numShapes]int16{
			dead: 14, one: 15, openOne: 9, two: 14, openTwo2: 32, openTwo3: 42, three: 41, openThree: 64,
			openThree2: 104, four: 97, openFour: 73, five: 109,
		},
		Class: [numClasses]int16{
			quiet: 43, makesTwo: 36, makesTwos: 23, makesThree: 88, makesThree2: 78, doubleThree: 100,
			makesFour: 103, makesFour2: 103, fourThree: 187, openFours: 202, makesFive: 1155,
		},
	},
}
