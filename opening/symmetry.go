// SPDX-License-Identifier: Apache-2.0

package opening

import "github.com/krow-lab/krow/game"

// normalForm returns the stones of b in the first, by order of text, of the ways to see them: turned and mirrored where
// the board is a square, turned by half and mirrored where it is another rectangle, and mirrored from left to right where
// stones fall.
func normalForm(b game.Board) string {
	columns, rows := b.Size()
	falls := b.Game().Moves() != len(b.Cells())
	least := ""
	for view := range 8 {
		flipX, flipY, transpose := view&1 != 0, view&2 != 0, view&4 != 0
		if transpose && columns != rows || falls && (flipY || transpose) {
			continue
		}
		if s := seen(b.Cells(), columns, rows, flipX, flipY, transpose); least == "" || s < least {
			least = s
		}
	}
	return least
}

func seen(cells []game.Stone, columns, rows int, flipX, flipY, transpose bool) string {
	text := make([]byte, len(cells))
	for cell, stone := range cells {
		x, y := cell%columns, cell/columns
		if flipX {
			x = columns - 1 - x
		}
		if flipY {
			y = rows - 1 - y
		}
		if transpose {
			x, y = y, x
		}
		text[x+y*columns] = '0' + byte(stone)
	}
	return string(text)
}
