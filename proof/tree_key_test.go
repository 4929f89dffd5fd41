// SPDX-License-Identifier: Apache-2.0

package proof

import "testing"

// TestTreeKey: symmetric positions have the same key, and positions that differ in a stone or in the captures do not.
func TestTreeKey(t *testing.T) {
	key := func(cells, taken string) string {
		tree, err := newTree(&Claim{Columns: 3, Rows: 3, K: 3, Cells: cells, Turn: "first", Value: "win", Rule: Pente, Captures: 5, Taken: taken})
		if err != nil {
			t.Fatal(err)
		}
		return tree.key()
	}
	want := key("XO.......", "1,2")
	for _, image := range []string{".OX......", "X..O.....", "..X..O...", ".......OX"} {
		if key(image, "1,2") != want {
			t.Errorf("%s is an image and has another key", image)
		}
	}
	for cells, taken := range map[string]string{"OX.......": "1,2", "XX.......": "1,2", "X.O......": "1,2", "XO.......": "2,3"} {
		if key(cells, taken) == want {
			t.Errorf("%s with the captures %s has the same key", cells, taken)
		}
	}
}
