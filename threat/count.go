// SPDX-License-Identifier: Apache-2.0

package threat

import "github.com/krow-lab/krow/game"

// Counts is how many threats of each kind each side has.
type Counts [2][]int32 // by side, then by Kind

// Of returns how many threats of a size and class s has.
func (c *Counts) Of(s game.Side, size int, class Class) int { return int(c[s][KindOf(size, class)]) }

// zero makes the counts nothing for k in a row.
func (c *Counts) zero(k int) {
	for s := range c {
		if len(c[s]) != Kinds(k) {
			c[s] = make([]int32, Kinds(k))
		}
		clear(c[s])
	}
}

// Count counts the threats on a board into c. A Counter that is Reset does the same without allocating.
func Count(b game.Lined, c *Counts) {
	var n Counter
	n.Reset(b)
	*c = n.counts
}
