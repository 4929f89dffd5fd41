// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"encoding/hex"
	"errors"
	"math/rand/v2"

	"github.com/krow-lab/krow/internal/rng"
)

// Source is a source of random numbers that can be kept in a state. In JSON it is a string of the generator's
// two words in 32 hexadecimal digits, high word first. The zero value is a source too, seeded with zeros.
type Source struct{ pcg rand.PCG }

// magic is what the library puts before the two words.
const magic = "pcg:"

// NewSource returns the source of a seed.
func NewSource(seed uint64) *Source {
	s := new(Source)
	s.pcg.Seed(seed, rng.Mix(seed))
	return s
}

// Uint64 returns the next number.
func (s *Source) Uint64() uint64 { return s.pcg.Uint64() }

// MarshalText writes the state of the source.
func (s *Source) MarshalText() ([]byte, error) {
	b, err := s.pcg.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return hex.AppendEncode(nil, b[len(magic):]), nil
}

// UnmarshalText makes the source what MarshalText wrote, or refuses what it did not write.
func (s *Source) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(text))
	if err != nil || len(b) != 16 {
		return errors.New("a random source is 32 hexadecimal digits")
	}
	return s.pcg.UnmarshalBinary(append([]byte(magic), b...))
}
