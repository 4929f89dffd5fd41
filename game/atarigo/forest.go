// SPDX-License-Identifier: Apache-2.0

package atarigo

// forest is the groups as trees of stones. A group is known by its root, which alone holds how large it is
// and how many liberties it has, a free point counting once for each stone of the group next to it: that is
// easy to keep, and zero exactly when there is no liberty.
//
//	X X .      up: a2 -> b2 <- b1     root b2, stones 3
//	. X .      liberties: c2 (next to b2), c1 (next to b1), a1 (next to a2 and to b1): 4
//
// Links are made from the smaller tree to the larger one, so that no path is longer than log2 of the stones,
// and never shortened, so that cut can undo them.
type forest struct {
	up        []int16 // towards the root, which points to itself
	stones    []int16
	liberties []int32
	links     []int16 // the roots that were linked to other ones, in order
}

func newForest(n int) forest {
	return forest{make([]int16, n), make([]int16, n), make([]int32, n), make([]int16, 0, n)}
}

// add makes a group of one stone.
func (f *forest) add(c int16, liberties int32) {
	f.up[c], f.stones[c], f.liberties[c] = c, 1, liberties
}

// find returns the root of the group of the stone at c.
func (f *forest) find(c int16) int16 {
	for f.up[c] != c {
		c = f.up[c]
	}
	return c
}

// join makes one group of two stones' groups.
func (f *forest) join(a, b int16) {
	a, b = f.find(a), f.find(b)
	if a == b {
		return
	}
	if f.stones[a] > f.stones[b] {
		a, b = b, a
	}
	f.up[a] = b
	f.stones[b] += f.stones[a]
	f.liberties[b] += f.liberties[a]
	f.links = append(f.links, a)
}

// cut takes back the links made last, down to n.
func (f *forest) cut(n int) {
	for len(f.links) > n {
		a := f.links[len(f.links)-1]
		f.links = f.links[:len(f.links)-1]
		b := f.up[a]
		f.stones[b] -= f.stones[a]
		f.liberties[b] -= f.liberties[a]
		f.up[a] = a
	}
}

func (f *forest) clone() forest {
	return forest{
		append([]int16(nil), f.up...), append([]int16(nil), f.stones...), append([]int32(nil), f.liberties...),
		append(make([]int16, 0, cap(f.links)), f.links...),
	}
}
