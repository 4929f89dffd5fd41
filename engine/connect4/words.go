// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"encoding/binary"
	"io"
)

const wordsAtOnce = 1 << 12

// saveWords writes words, the lowest byte first.
func saveWords(w io.Writer, words []uint64) error {
	part := make([]byte, 0, 8*wordsAtOnce)
	for len(words) > 0 {
		n := min(len(words), wordsAtOnce)
		part = part[:0]
		for _, x := range words[:n] {
			part = binary.LittleEndian.AppendUint64(part, x)
		}
		if _, err := w.Write(part); err != nil {
			return err
		}
		words = words[n:]
	}
	return nil
}

// loadWords fills words with what saveWords wrote.
func loadWords(r io.Reader, words []uint64) error {
	part := make([]byte, 8*wordsAtOnce)
	for len(words) > 0 {
		n := min(len(words), wordsAtOnce)
		if _, err := io.ReadFull(r, part[:8*n]); err != nil {
			return err
		}
		for i := range n {
			words[i] = binary.LittleEndian.Uint64(part[8*i:])
		}
		words = words[n:]
	}
	return nil
}
