// SPDX-License-Identifier: Apache-2.0

package gomoku

// A pattern is what a stone on a cell makes of its four lines, whatever the order: a multiset of four shapes. The
// patterns without a five are numbered from 0, those with greater shapes later:
//
//	pattern of a >= b >= c >= d  =  C(a+3, 4) + C(b+2, 3) + C(c+1, 2) + d
const numPatterns = 14 * 15 * 16 * 17 / 24 // multisets of 4 of the 14 shapes below five

// patternOf returns the pattern of a code, or numPatterns if a five is in it.
func patternOf(code uint32) int {
	a, b, c, d := int(code&15), int(code>>4&15), int(code>>8&15), int(code>>12&15)
	a, b = max(a, b), min(a, b)
	c, d = max(c, d), min(c, d)
	a, c = max(a, c), min(a, c)
	b, d = max(b, d), min(b, d)
	b, c = max(b, c), min(b, c)
	return min((a+3)*(a+2)*(a+1)*a/24+(b+2)*(b+1)*b/6+(c+1)*c/2+d, numPatterns)
}

// linesOf returns the shapes of a code.
func linesOf(code uint32) (lines [4]shape) {
	for d := range lines {
		lines[d] = min(shape(code>>(4*d)&15), numShapes-1)
	}
	return lines
}
