// SPDX-License-Identifier: Apache-2.0

package pente

import (
	"sync"

	"github.com/krow-lab/krow/game"
)

// pattern is what a stone on an empty cell would make with the stones of its side in one line.
type pattern uint8

const (
	none pattern = iota // no five, or no stone of its side near
	two
	openTwo // becomes an open three
	three
	openThree // becomes a straight four
	four
	straightFour // two cells complete it
	five
)

// What a stone would do with its neighbours on one side of one line.
const (
	nothing  = iota
	captures // it takes the pair there
	attacks  // it could take the pair there with its next move
	risks    // it makes a pair that the enemy can take at once
)

// A summary adds up what a stone on a cell would make in its four lines, so that a change of a line is a subtraction and
// an addition:
//
//	bit   0     3          6      9            12      15         19        23            32          48
//	      | five | straight | four | open three | three | captures | attacks | risks       | worth     | urgency
//
// The worth is for the evaluation, and the urgency for the order of moves.
type summary uint64

const (
	fiveAt, straightAt, fourAt, openThreeAt, threeAt = 0, 3, 6, 9, 12

	capturesAt, attacksAt, risksAt, worthAt, urgencyAt = 15, 19, 23, 32, 48
)

// The sets of cells that the board keeps for each side.
const (
	makesFive = iota
	makesFour // any four
	makesThree
	takes
	threatens // a capture
	classes
)

// masks are the bits of a summary that put a cell into the set.
var masks = [classes]summary{
	7 << fiveAt, 7<<straightAt | 7<<fourAt, 7 << openThreeAt, 15 << capturesAt, 15 << attacksAt,
}

func (s summary) captures() int { return int(s >> capturesAt & 15) }
func (s summary) worth() int32  { return int32(s >> worthAt & 0xffff) }
func (s summary) urgency() int32 {
	return int32(s>>urgencyAt) - riskCost*int32(s>>risksAt&15)
}

// forking reports whether the stone would make two threats of a row.
func (s summary) forking() bool {
	return (s>>straightAt&7)*2+s>>fourAt&7+s>>openThreeAt&7 >= 2
}

// The worth and the urgency of each pattern.
var (
	worths    = [8]summary{0, 2, 5, 9, 24, 30, 70, 120}
	urgencies = [8]summary{0, 3, 8, 12, 40, 50, 300, 1000}
)

const (
	captureWorth, captureUrgency = 30, 70
	attackWorth, attackUrgency   = 4, 20
	riskCost                     = 30
)

// lines has, for each content of the eight cells around an empty cell in a line, an index into summaries for each side.
// Two bits stand for a cell, the lowest for the cell four steps back.
type lines struct {
	index     [1 << 16][2]uint8
	summaries [1 << 7]summary
}

var table = sync.OnceValue(newLines)

func newLines() *lines {
	t := &lines{}
	for i := range t.summaries {
		p := i & 7
		s := worths[p]<<worthAt | urgencies[p]<<urgencyAt
		if at := [8]int{five: fiveAt, straightFour: straightAt, four: fourAt, openThree: openThreeAt, three: threeAt}; p >= int(three) {
			s += 1 << at[p]
		}
		for _, way := range [2]int{i >> 3 & 3, i >> 5} {
			switch way {
			case captures:
				s += 1<<capturesAt | captureWorth<<worthAt | captureUrgency<<urgencyAt
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
			t.index[key][s] = view(key, s, known)
		}
	}
	return t
}

// The cells of a line as one side sees them.
const (
	free = iota
	own
	enemy
	edge
)

func view(key int, s game.Side, known map[[9]uint8]pattern) uint8 {
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
	back, forth := way(&line, -1), way(&line, 1)
	for i := range line {
		if line[i] == edge {
			line[i] = enemy
		}
	}
	return uint8(classify(line, known)) | back<<3 | forth<<5
}

func way(line *[9]uint8, d int) uint8 {
	switch a, b, c := line[4+d], line[4+2*d], line[4+3*d]; {
	case a == enemy && b == enemy && c == own:
		return captures
	case a == enemy && b == enemy && c == free:
		return attacks
	case a == own && (b == enemy && line[4-d] == free || b == free && line[4-d] == enemy):
		return risks
	}
	return nothing
}

// classify returns the pattern of the line, whose middle is a stone of the side.
func classify(line [9]uint8, known map[[9]uint8]pattern) pattern {
	if p, ok := known[line]; ok {
		return p
	}
	var next [8]int // cells that lead to each pattern
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
