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

// DefaultWeights are what the engine plays with, but for renju: the output of command tune.
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

// RenjuWeights are what the engine plays renju with, from the same command.
var RenjuWeights = Weights{
	Line: [numShapes]int16{
		overline: -31, one: 1, two: 1, openTwo: 8, openTwo2: 16, openTwo3: 11, three: 17, openThree: -36,
		openThree2: -26, four: 24, twinFour: -4, openFour: 74,
	},
	Class: [numClasses]int16{
		forbidden: -52, makesTwo: -13, makesTwos: -20, makesThree: 52, makesThree2: 55, doubleThree: 52,
		makesFour: 49, makesFour2: 91, fourThree: 221, openFours: 81,
	},
	Tempo: [numTempos]int16{
		ownThree: 185, ownDoubleThree: 90, ownFour: 24, ownFourThree: 556, enemyThree: -112,
		enemyDoubleThree: 12, enemyFour: 63, enemyFourThree: -58, enemyOpenFour: -144, toMove: 157,
	},
	Attack: Order{
		Line: [numShapes]int16{
			dead: -15, overline: -1, one: -8, openOne: -7, two: -1, openTwo2: 4, openTwo3: 44, three: 66,
			openThree: -36, openThree2: 21, four: 91, openFour: -3,
		},
		Class: [numClasses]int16{
			quiet: -78, makesTwo: -59, makesTwos: -42, makesThree: 97, makesThree2: 127, doubleThree: 37,
			makesFour: 54, makesFour2: 81, fourThree: 356, openFours: 26, makesFive: 1304,
		},
	},
	Defend: Order{
		Line: [numShapes]int16{
			dead: 13, overline: 2, one: 13, openOne: 5, two: 10, openTwo2: 29, openTwo3: 40, three: 43,
			openThree: 44, openThree2: 78, four: 45, twinFour: 12, openFour: 90,
		},
		Class: [numClasses]int16{
			quiet: 7, makesTwo: -7, makesTwos: -31, makesThree: 62, makesThree2: 40, doubleThree: 32,
			makesFour: 105, makesFour2: 104, fourThree: 171, openFours: 177, makesFive: 814,
		},
	},
}

// weights returns w, or what the engine plays the game with.
func (r *rule) weights(w *Weights) *Weights {
	switch {
	case w != nil:
		return w
	case r.side[0].renju:
		return &RenjuWeights
	}
	return &DefaultWeights
}
