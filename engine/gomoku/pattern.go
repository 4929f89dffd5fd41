// SPDX-License-Identifier: Apache-2.0

package gomoku

// class is the combined shape that a stone on an empty cell makes in all four lines, for the side that places it.
type class uint8

// The classes, from the least forcing to the most.
const (
	quiet       class = iota
	forbidden         // renju's black: an overline, or two fours, and no five
	makesTwo          // an open two
	makesTwos         // several open twos
	makesThree        // an open three
	makesThree2       // an open three and an open two, or a closed three
	doubleThree       // two open threes; for renju's black forbidden if both are real
	makesFour         // a four, which has one answer
	makesFour2        // a four, and an open two or a closed three
	fourThree         // a four and an open three
	openFours         // an open four or two fours: wins unless the enemy makes five first
	makesFive         // a win
	numClasses
)

// kind is the meaning of a cell's pattern for one side.
type kind struct {
	value  int16 // of the cell to the side, in the evaluation
	attack int16 // rating of a move there by the side
	defend int16 // rating of a move there by its enemy
	class  class
	// maybeForbidden is set for Renju's black: the point is forbidden if two of its threes are real.
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

// fiveLooks is the score of a move that makes or stops a five.
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

// A pattern is a multiset of four shapes: what a stone makes of the four lines of its cell, in any order. The patterns
// without a five have numbers, which grow with the greatest shape:
//
//	pattern of a >= b >= c >= d  =  C(a+3, 4) + C(b+2, 3) + C(c+1, 2) + d
const numPatterns = 14 * 15 * 16 * 17 / 24 // multisets of 4 of the 14 shapes below five

// patterns holds patternOf of every code.
var patterns = func() (t [1 << 16]uint16) {
	for code := range t {
		t[code] = uint16(patternOf(uint32(code)))
	}
	return t
}()

// patternOf returns the pattern of a code, or numPatterns if a five is in it. A code is four shapes of four bits each:
// the shape of line d starts at bit 4*d.
func patternOf(code uint32) int {
	a, b, c, d := int(code&15), int(code>>4&15), int(code>>8&15), int(code>>12&15)
	a, b = max(a, b), min(a, b)
	c, d = max(c, d), min(c, d)
	a, c = max(a, c), min(a, c)
	b, d = max(b, d), min(b, d)
	b, c = max(b, c), min(b, c)
	return min((a+3)*(a+2)*(a+1)*a/24+(b+2)*(b+1)*b/6+(c+1)*c/2+d, numPatterns)
}

// Lines returns the shapes of the four lines of a pattern, the greatest first: numbers from 0 for a dead line to 13.
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
