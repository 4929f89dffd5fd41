// SPDX-License-Identifier: Apache-2.0

package gomoku

// class is the combination of the shapes that a stone on an empty cell makes in all four lines, for the side that
// places it.
type class uint8

// The classes, ordered from the least forcing to the most forcing.
const (
	quiet       class = iota
	forbidden         // only for Black in renju: an overline, or two fours, and no five
	makesTwo          // an open two
	makesTwos         // several open twos
	makesThree        // an open three
	makesThree2       // an open three and an open two, or a closed three (a three with one end blocked)
	doubleThree       // two open threes; in renju forbidden for Black if both are real (see the method doubleThree)
	makesFour         // a four, which the enemy can only stop by one move
	makesFour2        // a four, and an open two or a closed three
	fourThree         // a four and an open three
	openFours         // an open four or two fours, which win unless the enemy makes a five first
	makesFive         // a win
	numClasses
)

// kind contains data about a cell's pattern for one side.
type kind struct {
	value  int16 // value of the cell for the side, in the evaluation
	attack int16 // rating of a move on the cell by the side
	defend int16 // rating of a move on the cell by its enemy
	class  class
	// maybeForbidden is set if Black in renju makes two or more threes: the point is forbidden if two of these threes are real
	// (see the method doubleThree).
	maybeForbidden bool
}

type kinds [numPatterns + 1]kind

func classify(lines *[4]shape, renju bool) (c class, maybeForbidden bool) {
	var n [numShapes]int
	for _, s := range lines {
		n[s]++
	}
	threes, twos := n[openThree]+n[openThree2], n[openTwo]+n[openTwo2]+n[openTwo3]
	fours := n[four] + n[openFour] + 2*n[twinFour]
	switch {
	case n[five] > 0:
		return makesFive, false
	case renju && (fours > 1 || n[overline] > 0):
		return forbidden, false
	}
	maybeForbidden = renju && threes > 1
	switch {
	case (n[openFour] > 0 || fours > 1) && !maybeForbidden:
		return openFours, false
	case fours > 0 && threes > 0:
		return fourThree, maybeForbidden
	case fours > 0 && (twos > 0 || n[three] > 0):
		return makesFour2, false
	case fours > 0:
		return makesFour, false
	case threes > 1:
		return doubleThree, maybeForbidden
	case threes > 0 && (twos > 0 || n[three] > 0):
		return makesThree2, false
	case threes > 0:
		return makesThree, false
	case twos > 1:
		return makesTwos, false
	case twos > 0:
		return makesTwo, false
	}
	return quiet, false
}

// fiveLooks is the rating of a move that makes or stops a five.
const fiveLooks = 3000

func newKinds(w *SideWeights, renju bool) *kinds {
	t := new(kinds)
	for code, p := range patterns {
		lines := linesOf(uint32(code))
		k := kind{attack: fiveLooks, defend: fiveLooks}
		k.class, k.maybeForbidden = classify(&lines, renju)
		if p < numPatterns {
			k.value, k.attack, k.defend = w[p], w[atAttack+p], w[atDefend+p]
		}
		t[p] = k
	}
	return t
}

// A pattern is the multiset of the four shapes that a stone makes in the four lines through its cell. Patterns without a five
// are numbered. They are ordered by their greatest shape, then by their second greatest shape, and so on:
//
//	pattern of a >= b >= c >= d  =  C(a+3, 4) + C(b+2, 3) + C(c+1, 2) + d
const numPatterns = 14 * 15 * 16 * 17 / 24 // number of multisets of 4 shapes from the 14 shapes that are less than a five

// patterns contains the result of patternOf for every code.
var patterns = func() (t [1 << 16]uint16) {
	for code := range t {
		t[code] = uint16(patternOf(uint32(code)))
	}
	return t
}()

// patternOf returns the number of the pattern of a code, or numPatterns if the pattern contains a five. A code is four shapes
// of four bits each: the shape of line d starts at bit 4*d.
func patternOf(code uint32) int {
	a, b, c, d := int(code&15), int(code>>4&15), int(code>>8&15), int(code>>12&15)
	a, b = max(a, b), min(a, b)
	c, d = max(c, d), min(c, d)
	a, c = max(a, c), min(a, c)
	b, d = max(b, d), min(b, d)
	b, c = max(b, c), min(b, c)
	return min((a+3)*(a+2)*(a+1)*a/24+(b+2)*(b+1)*b/6+(c+1)*c/2+d, numPatterns)
}

// Lines returns the shapes of the four lines of a pattern, the greatest first. The shapes are numbers from 0, a dead
// line, to 13.
func Lines(pattern int) (all [4]uint8) {
	for i, choose := range []func(n int) int{
		func(n int) int { return (n + 3) * (n + 2) * (n + 1) * n / 24 },
		func(n int) int { return (n + 2) * (n + 1) * n / 6 },
		func(n int) int { return (n + 1) * n / 2 },
		func(n int) int { return n },
	} {
		for choose(int(all[i])+1) <= pattern {
			all[i]++
		}
		pattern -= choose(int(all[i]))
	}
	return all
}

func linesOf(code uint32) (lines [4]shape) {
	for d := range lines {
		lines[d] = min(shape(code>>(4*d)&15), numShapes-1)
	}
	return lines
}
