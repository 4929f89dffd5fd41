// SPDX-License-Identifier: Apache-2.0

package pente

import (
	"sync"

	"github.com/krow-lab/krow/game"
)

// pattern is the row that a stone on an empty cell would make with the stones of its side in one line.
type pattern uint8

const (
	none pattern = iota // no five is possible, or no stone of the side is near
	two
	openTwo // one more stone can make it an open three
	three
	openThree // one more stone can make it a straight four
	four
	straightFour // a stone on either of two cells completes five
	five
)

// The effects of a stone on its neighbours in one direction of a line.
const (
	nothing  = iota
	captures // the stone captures the pair next to it
	attacks  // the stone threatens to capture the stones next to it
	risks    // the stone makes a pair (or a three in keryo) that the enemy can capture at once
	captures3
	ways
)

// A summary is the sum of the effects of a stone in the four lines through its cell. If a line changes, the summary is
// updated by a subtraction and an addition:
//
//	bit   0     3          6      9            12      15         20        24            32          48
//	      | five | straight | four | open three | three | captures | attacks | risks       | worth     | urgency
//
// Captures are numbers of pairs, or of stones in keryo. The worth is the value of the stone in the evaluation, which adds the
// worths of all cells of a side. The urgency is its value in move ordering.
type summary uint64

const (
	fiveAt, straightAt, fourAt, openThreeAt, threeAt = 0, 3, 6, 9, 12

	capturesAt, attacksAt, risksAt, worthAt, urgencyAt = 15, 20, 24, 32, 48

	setBits = 1<<risksAt - 1 // these bits of a cell's summary determine which sets contain the cell
)

// The sets of cells that the board stores for each side.
const (
	makesFive = iota
	makesFour // a move that makes a four of any kind
	makesThree
	takes
	threatens // a move that threatens a capture
	classes
)

// masks contains a mask for each set. A cell is in the set if its summary has a bit of the mask.
var masks = [classes]summary{
	7 << fiveAt, 7<<straightAt | 7<<fourAt, 7 << openThreeAt, 31 << capturesAt, 15 << attacksAt,
}

func (s summary) captures() int { return int(s >> capturesAt & 31) }
func (s summary) worth() int32  { return int32(s >> worthAt & 0xffff) }
func (s summary) urgency() int32 {
	return int32(s>>urgencyAt) - riskCost*int32(s>>risksAt&15)
}

// worths contains the worth of each pattern in the evaluation, and urgencies contains its urgency in move ordering.
var (
	worths    = [8]summary{0, 1, 2, 4, 28, 95, 175, 200}
	urgencies = [8]summary{0, 3, 8, 12, 40, 50, 300, 1000}
)

const (
	captureWorth, captureUrgency = 245, 70
	attackWorth, attackUrgency   = 40, 20
	riskCost                     = 30
)

// lines is a table of the effects of a stone in one line. It considers an empty cell and the eight cells around it in the
// line. For each content of these eight cells, it contains two indices into summaries, one for each side. The content is a
// number with two bits for each cell; the lowest two bits are for the cell four steps back.
type lines struct {
	index     [1 << 16][2]uint8
	summaries [8 * ways * ways]summary
	keryo     bool // whether three stones can also be captured, as in keryo
}

// tables contains functions that return the lines of pente and of keryo.
var tables = [2]func() *lines{
	sync.OnceValue(func() *lines { return newLines(false) }), sync.OnceValue(func() *lines { return newLines(true) }),
}

// counts returns by how much a capture increases the number of captures: by the given number of stones in keryo, and otherwise
// by 1.
func (t *lines) counts(stones int) int {
	if t.keryo {
		return stones
	}
	return 1
}

func newLines(keryo bool) *lines {
	t := &lines{keryo: keryo}
	for i := range t.summaries {
		p := i & 7
		s := worths[p]<<worthAt | urgencies[p]<<urgencyAt
		if at := [8]int{five: fiveAt, straightFour: straightAt, four: fourAt, openThree: openThreeAt, three: threeAt}; p >= int(three) {
			s += 1 << at[p]
		}
		for _, way := range [2]int{i >> 3 % ways, i >> 3 / ways} {
			switch way {
			case captures:
				s += summary(t.counts(2))<<capturesAt | captureWorth<<worthAt | captureUrgency<<urgencyAt
			case captures3:
				s += 3<<capturesAt | captureWorth*3/2<<worthAt | captureUrgency*3/2<<urgencyAt
			case attacks:
				s += 1<<attacksAt | attackWorth<<worthAt | attackUrgency<<urgencyAt
			case risks:
				s += 1 << risksAt
			}
		}
		t.summaries[i] = s
	}
	known := map[[9]uint8]pattern{}
	for key := range t.index {
		for s := range game.Side(2) {
			t.index[key][s] = t.view(key, s, known)
		}
	}
	return t
}

// The contents of the cells of a line from the view of one side.
const (
	free = iota
	own
	enemy
	edge
)

func (t *lines) view(key int, s game.Side, known map[[9]uint8]pattern) uint8 {
	line := [9]uint8{4: own}
	seen := [4]uint8{free, own, enemy, edge}
	if s == game.Second {
		seen = [4]uint8{free, enemy, own, edge}
	}
	for i := range 8 {
		at := i
		if i >= 4 {
			at++
		}
		line[at] = seen[key>>(2*i)&3]
	}
	back, forth := t.way(&line, -1), t.way(&line, 1)
	for i := range line {
		if line[i] == edge {
			line[i] = enemy
		}
	}
	return uint8(classify(line, known)) | (back+forth*ways)<<3
}

func (t *lines) way(line *[9]uint8, d int) uint8 {
	a, b, c := line[4+d], line[4+2*d], line[4+3*d]
	if t.keryo && a != free && b == a && c == a {
		// If three enemy stones are next to the new stone, it captures them or threatens to capture them.
		switch end := line[4+4*d]; {
		case a == enemy && end == own:
			return captures3
		case a == enemy && end == free:
			return attacks
		}
	}
	switch {
	case t.keryo && a == own && b == own && (c == enemy && line[4-d] == free || c == free && line[4-d] == enemy):
		return risks
	case a == enemy && b == enemy && c == own:
		return captures
	case a == enemy && b == enemy && c == free:
		return attacks
	case a == own && (b == enemy && line[4-d] == free || b == free && line[4-d] == enemy):
		return risks
	}
	return nothing
}

// classify returns the pattern of the line, whose middle cell has an own stone.
func classify(line [9]uint8, known map[[9]uint8]pattern) pattern {
	if p, ok := known[line]; ok {
		return p
	}
	var next [8]int // by pattern: the number of cells on which one more stone makes this pattern
	best := none
	for i := range 5 {
		if line[i] == own && line[i+1] == own && line[i+2] == own && line[i+3] == own && line[i+4] == own {
			best = five
		}
	}
	for i := range line {
		if best != five && line[i] == free {
			line[i] = own
			next[classify(line, known)]++
			line[i] = free
		}
	}
	switch {
	case best == five:
	case next[five] >= 2:
		best = straightFour
	case next[five] == 1:
		best = four
	case next[straightFour] > 0:
		best = openThree
	case next[four] > 0:
		best = three
	case next[openThree] > 0:
		best = openTwo
	case next[three] > 0:
		best = two
	}
	known[line] = best
	return best
}
