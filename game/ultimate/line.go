// SPDX-License-Identifier: Apache-2.0

package ultimate

// lines are the eight rows of three as sets of cells, bit c for cell c:
//
//	0 1 2
//	3 4 5
//	6 7 8
var lines = [8]uint16{
	0b000000111, 0b000111000, 0b111000000,
	0b001001001, 0b010010010, 0b100100100,
	0b100010001, 0b001010100,
}

// hasLine and completing tell of each set of nine cells what HasLine and Completing return.
var hasLine, completing = tables()

func tables() (has [512]bool, completing [512]uint16) {
	for set := range uint16(512) {
		for _, l := range lines {
			switch rest := l &^ set; {
			case rest == 0:
				has[set] = true
			case rest&(rest-1) == 0:
				completing[set] |= rest
			}
		}
	}
	return has, completing
}

// HasLine says whether a set of nine cells, or of small boards, holds three in a row. Bit c is cell c.
func HasLine(set uint16) bool { return hasLine[set&allCells] }

// Completing returns the cells outside the set with which a line of it would be complete.
func Completing(set uint16) uint16 { return completing[set&allCells] }

// place gives each move its cell on the map.
var place = func() (t [cells]uint8) {
	for m := range t {
		board, cell := m/9, m%9
		column, fromTop := board%3*3+cell%3, board/3*3+cell/3
		t[m] = uint8(column + 9*(8-fromTop))
	}
	return t
}()
