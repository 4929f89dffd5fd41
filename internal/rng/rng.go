// SPDX-License-Identifier: Apache-2.0

// Package rng implements the generator SplitMix64: random numbers for playouts, keys of stones, and seeds
// computed from other seeds.
//
//	r := rng.Rand(seed)
//	i := r.Below(len(moves))
//	key := rng.Nth(uint64(cell))           // always the same number for the cell
//	seed := rng.Mix(matchSeed, gameNumber) // always the same seed for the game
//
// # Caveats
//
// Old games, experiments and searches can be repeated only with exactly these numbers, so this package must not
// change.
//
// CITE: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014.
package rng

// Golden is the step of the generator: 2^64 divided by the golden ratio.
const Golden = 0x9e3779b97f4a7c15

// Rand is a generator. Its value is its state. Any number may be the first value, the seed.
type Rand uint64

// Next returns 64 random bits.
func (r *Rand) Next() uint64 {
	*r += Golden
	return Spread(uint64(*r))
}

// Below returns a random number from 0 to n-1. The probabilities of these numbers are equal, except for a relative difference
// of at most n/2^32.
func (r *Rand) Below(n int) int { return int(r.Next() >> 32 * uint64(n) >> 32) }

// Nth returns a number of the sequence that the generator with the seed 0 makes. The first number has n = 0.
func Nth(n uint64) uint64 { return Spread((n + 1) * Golden) }

// Spread is the output function of the generator. It is a bijection. If one bit of x changes, about half of the bits of the
// result change.
func Spread(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Mix combines several numbers, such as a seed, a step and a game, into one number with well mixed bits. Their
// order matters.
func Mix(words ...uint64) uint64 {
	x := uint64(len(words))
	for _, w := range words {
		x = Spread((x ^ w) + Golden)
	}
	return x
}
