// SPDX-License-Identifier: Apache-2.0

package prover

import "math/bits"

// guess returns the first numbers of a position with so many moves worth trying. A side needs the more work, the more
// small boards it lacks and the more rows are left to the other; and all the moves of the other must fail.
//
// CITE: Winands and Schadd, Evaluation-Function Based Proof-Number Search, 2010 (the idea of numbers from a heuristic).
func (s *state) guess(moves int) goal {
	own, other := s.Turn&1, s.Turn&1^1
	lacks, rows := s.prospects(own)
	lacksOther, rowsOther := s.prospects(other)
	return goal{
		least: number((1 + rowsOther) << (lacks - 1)),
		most:  number((1 + rows) << (lacksOther - 1) * moves),
	}
}

// prospects returns how many small boards side lacks for the row it has most of, and the number of rows it can still
// fill; 4 and 0 where there is none.
func (s *state) prospects(side uint8) (lacks, rows int) {
	lacks = 4
	for _, l := range lines {
		if l&^s.reach[side] == 0 {
			rows++
			lacks = min(lacks, bits.OnesCount16(l&^s.Won[side]))
		}
	}
	return lacks, rows
}
