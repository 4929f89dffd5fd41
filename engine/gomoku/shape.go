// SPDX-License-Identifier: Apache-2.0

package gomoku

import "sync"

// shape is the kind of row that a stone on an empty cell makes in one of the four lines through the cell, for the side that
// places it. Most shapes are defined recursively, by the shape that results from one more stone of the side in the line:
//
//	five        a row that wins
//	openFour    no single enemy stone stops every five
//	four        one more stone makes five
//	openThree   one more stone makes an open four; openThree2: on two or more cells
//	three       one more stone makes a four
//	openTwo     one more stone makes an open three; openTwo2: on two cells, openTwo3: on more
//	two         one more stone makes a three
//	openOne     one more stone makes an open two
//	one         one more stone makes a two or, if k is large, an open one or a one
//	twinFour    renju's black only: two fours in one line that are not an open four
//	overline    a row too long to win
//	dead        none of these
//
// The names are for k = 5. If k is different, they describe the number of missing stones: a four always lacks one.
type shape uint8

// The shapes, ordered by their value.
const (
	dead shape = iota
	overline
	one
	openOne
	two
	openTwo
	openTwo2
	openTwo3
	three
	openThree
	openThree2
	four
	twinFour
	openFour
	five
	numShapes
)

func (s shape) open3() bool { return s == openThree || s == openThree2 }

// A key contains the contents of the cells around a cell in one line, two bits for each, from the furthest cell in the
// backward direction to the furthest in the forward direction. The cell itself is left out:
//
//	bit 0              2*reach           4*reach
//	    -reach ... -1  | +1 ... +reach
//
// The two bits are 00 for an empty cell, 01 for an own stone or a stone of the first side, 10 for a stone of the enemy
// or of the second side, and 11 for a cell outside the board.
const (
	codeEmpty, codeOwn, codeEnemy, codeWall = 0, 1, 2, 3

	maxReach = 5
	numKeys  = 1 << (4 * maxReach)
	keyMask  = numKeys - 1
	unknown  = shape(0xff)
)

type shaper struct {
	sideRule
	reach int
	known []shape // by key: the shape, or the constant unknown if the shape was not computed yet
}

func newShaper(r sideRule, reach int) *shaper {
	s := &shaper{r, reach, make([]shape, 1<<(4*reach))}
	for i := range s.known {
		s.known[i] = unknown
	}
	return s
}

func (s *shaper) shape(key uint32) shape {
	if s.known[key] == unknown {
		s.known[key] = s.find(key)
	}
	return s.known[key]
}

func (s *shaper) find(key uint32) shape {
	back, forth := s.rowLength(key)
	if n := back + 1 + forth; n >= s.k {
		return s.long(key, n, back, forth)
	}
	var made [numShapes]int
	for i := range 2 * s.reach {
		if key>>(2*i)&3 == codeEmpty {
			made[s.shape(key|codeOwn<<(2*i))]++
		}
	}
	fives, straight := made[five], back+1+forth == s.k-1
	opens, open3 := made[openFour], made[openThree]+made[openThree2]
	switch {
	case fives >= 2 && s.renju && !straight:
		return twinFour
	case fives >= 2 && s.unstoppable(key):
		return openFour
	case fives > 0:
		return four
	case opens >= 2:
		return openThree2
	case opens == 1:
		return openThree
	case made[four]+made[twinFour] > 0:
		return three
	case open3 > 0:
		return openTwo + shape(min(open3, 3)-1)
	case made[three] > 0:
		return two
	case made[openTwo]+made[openTwo2]+made[openTwo3] > 0:
		return openOne
	case made[two]+made[one]+made[openOne] > 0:
		return one
	}
	return dead
}

// rowLength returns the number of own stones next to the cell in each direction, as far as the key contains the cells.
func (s *shaper) rowLength(key uint32) (back, forth int) {
	for back < s.reach && key>>(2*(s.reach-1-back))&3 == codeOwn {
		back++
	}
	for forth < s.reach && key>>(2*(s.reach+forth))&3 == codeOwn {
		forth++
	}
	return back, forth
}

// long returns the shape of a row of n stones, where n is at least k. If the cell at one end of the row is outside the key, it
// is treated as a cell without an enemy stone.
func (s *shaper) long(key uint32, n, back, forth int) shape {
	if n > s.k && s.exact {
		return overline
	}
	if s.blocked && back < s.reach && forth < s.reach &&
		key>>(2*(s.reach-1-back))&3 == codeEnemy && key>>(2*(s.reach+forth))&3 == codeEnemy {
		return dead
	}
	return five
}

// unstoppable reports whether the side can make five in the line with its next stone, wherever in the line the enemy plays
// first.
func (s *shaper) unstoppable(key uint32) bool {
	for i := range 2 * s.reach {
		if key>>(2*i)&3 == codeEmpty && !s.canFive(key|codeEnemy<<(2*i)) {
			return false
		}
	}
	return true
}

func (s *shaper) canFive(key uint32) bool {
	for i := range 2 * s.reach {
		if key>>(2*i)&3 == codeEmpty && s.shape(key|codeOwn<<(2*i)) == five {
			return true
		}
	}
	return false
}

// shapes contains the shapes of each key for both sides; the low four bits are the first side's.
type shapes [numKeys]uint8

func newShapes(r *rule) *shapes {
	t, reach := new(shapes), r.reach()
	first, second := newShaper(r.side[0], reach), newShaper(r.side[1], reach)
	for key := range uint32(1) << (4 * reach) {
		if proper(key, reach) {
			t[key] = uint8(first.shape(key)) | uint8(second.shape(swap(key)))<<4
		}
	}
	return t
}

// proper reports whether a key is possible: beyond a cell outside the board there must only be cells outside the board.
func proper(key uint32, reach int) bool {
	for i := range reach - 1 {
		back, ahead := key>>(2*(reach-2-i)), key>>(2*(reach+i))
		if back&15 != codeWall<<2|codeWall && back>>2&3 == codeWall || ahead&15 != codeWall<<2|codeWall && ahead&3 == codeWall {
			return false
		}
	}
	return true
}

// swap exchanges the stones' colours in a key.
func swap(key uint32) uint32 {
	low, high := key&0x55555555, key>>1&0x55555555
	wall := low & high
	return (low&^wall)<<1 | high&^wall | wall | wall<<1
}

// tables contains the tables that have been made, by the rules of both sides. The values are functions that return a
// *shapes.
var tables sync.Map

func shapesOf(r *rule) *shapes {
	made, _ := tables.LoadOrStore(r.side, sync.OnceValue(func() *shapes { return newShapes(r) }))
	return made.(func() *shapes)()
}
