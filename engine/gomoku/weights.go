// SPDX-License-Identifier: Apache-2.0

package gomoku

// Weights are the parameters of the evaluation, in hundredths of the unit of a score. A position is worth, to
// the side to move,
//
//	sum over the empty cells of (Class + sum of Line) of its own less the enemy's, plus the Tempo of each
//	threat that one side or the other has
type Weights struct {
	Line  [numShapes]int16  // of each of the four lines of an empty cell
	Class [numClasses]int16 // of the cell
	Tempo [numTempos]int16
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

// DefaultWeights are what the engine plays with.
var DefaultWeights = Weights{
	Line: [numShapes]int16{
		one: 1, openOne: 3, two: 4, openTwo: 8, openTwo2: 10, openTwo3: 13,
		three: 13, openThree: 26, openThree2: 32, four: 45, openFour: 80,
	},
	Class: [numClasses]int16{
		makesTwos: 4, makesThree: 4, makesThree2: 12, doubleThree: 45,
		makesFour: 5, makesFour2: 20, fourThree: 110, openFours: 120,
	},
	Tempo: [numTempos]int16{
		ownThree: 30, ownDoubleThree: 150, ownFour: 20, ownFourThree: 350,
		enemyThree: -10, enemyDoubleThree: -60, enemyFour: -5, enemyFourThree: -120, enemyOpenFour: -150,
		toMove: 25,
	},
}

// How good a move looks before it is searched: what it makes, and what it keeps the enemy from making.
var (
	lineAttack = [numShapes]int16{
		one: 2, openOne: 6, two: 9, openTwo: 18, openTwo2: 22, openTwo3: 27,
		three: 24, openThree: 44, openThree2: 52, four: 48, openFour: 200, five: 400,
	}
	lineDefend = [numShapes]int16{
		one: 1, openOne: 4, two: 6, openTwo: 13, openTwo2: 16, openTwo3: 20,
		three: 16, openThree: 34, openThree2: 40, four: 36, openFour: 160, five: 400,
	}
	classAttack = [numClasses]int16{
		makesTwos: 15, makesThree: 20, makesThree2: 45, doubleThree: 150,
		makesFour: 10, makesFour2: 45, fourThree: 400, openFours: 600, makesFive: 2000,
	}
	classDefend = [numClasses]int16{
		makesTwos: 10, makesThree: 10, makesThree2: 25, doubleThree: 90,
		makesFour: 5, makesFour2: 25, fourThree: 200, openFours: 300, makesFive: 1500,
	}
)
