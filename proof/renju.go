// SPDX-License-Identifier: Apache-2.0

package proof

// foul reports whether the attacker's stone on c, which does not win, makes an overline, two fours or two threes in renju. A three
// counts even if its straight four would be forbidden. So a stone of the defender can only remove shapes, never add one.
func (z *zones) foul(c int) bool {
	black := func(at int) bool { return at >= 0 && z.stones[0].has(at) }
	free := func(at int) bool { return at >= 0 && z.empty.has(at) }
	fours, threes := 0, 0
	for _, d := range directions {
		at := func(n int) int { return z.cell(c, d[0], d[1], n) }
		// lacksOne reports whether n cells, beginning at the given place, contain n-1 stones of the attacker and an empty cell.
		lacksOne := func(from, n int) bool {
			stones, empty := 0, 0
			for i := from; i < from+n; i++ {
				if black(at(i)) {
					stones++
				} else if free(at(i)) {
					empty++
				}
			}
			return stones == n-1 && empty == 1
		}
		inLine, three := 0, false
		for from := -4; from <= 0; from++ {
			if lacksOne(from, 5) && !black(at(from-1)) && !black(at(from+5)) {
				inLine++
			}
			three = three || from > -4 && lacksOne(from, 4) && free(at(from-1)) && free(at(from+4)) && !black(at(from-2)) && !black(at(from+5))
		}
		switch n, _ := z.run(c, d); {
		case n > 5:
			return true
		case n == 4:
			inLine = min(inLine, 1) // the fours of a run of four are one four
		}
		fours += inLine
		if three {
			threes++
		}
	}
	return fours > 1 || threes > 1
}
