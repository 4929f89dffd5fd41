// SPDX-License-Identifier: Apache-2.0

package prover

// guess returns the first numbers of a position with so many moves worth trying. A side needs the more work, the more
// small boards it lacks and the more rows are left to the other; and all the moves of the other must fail.
//
// CITE: Winands and Schadd, Evaluation-Function Based Proof-Number Search, 2010 (the idea of numbers from a heuristic).
func (s *state) guess(moves int) goal {
	own, other := s.Turn&1, s.Turn&1^1
	return goal{
		least: number(1+s.rows[other]) << (s.lacks[own] - 1),
		most:  number(1+s.rows[own]) << (s.lacks[other] - 1) * number(moves),
	}
}
