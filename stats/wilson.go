// SPDX-License-Identifier: Apache-2.0

package stats

import "math"

// Wilson returns the 95 % interval of a probability of which hits of n independent trials came out: Wilson's
// score interval, which stays within 0 and 1. Without trials it is from 0 to 1.
//
// CITE: Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927.
func Wilson(hits, n int) (lo, hi float64) {
	if n <= 0 {
		return 0, 1
	}
	z, p, m := z95, float64(hits)/float64(n), float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(middle-half, 0), min(middle+half, 1)
}
