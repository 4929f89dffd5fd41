// SPDX-License-Identifier: Apache-2.0

package tt

import (
	"encoding/binary"
	"errors"
	"io"
)

// Save writes what the table holds, for Load. No other goroutine may store meanwhile.
func (t *Table) Save(w io.Writer) error {
	var b [bucketBytes]byte
	for i := range t.buckets {
		for j := range t.buckets[i] {
			e := &t.buckets[i][j]
			binary.LittleEndian.PutUint64(b[16*j:], e.check.Load())
			binary.LittleEndian.PutUint64(b[16*j+8:], e.data.Load())
		}
		if _, err := w.Write(b[:]); err != nil {
			return err
		}
	}
	return nil
}

// Load reads what a table of the same size has saved, and forgets what was known before.
func (t *Table) Load(r io.Reader) error {
	var b [bucketBytes]byte
	for i := range t.buckets {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return errors.New("the table ends too soon")
		}
		for j := range t.buckets[i] {
			e := &t.buckets[i][j]
			e.check.Store(binary.LittleEndian.Uint64(b[16*j:]))
			e.data.Store(binary.LittleEndian.Uint64(b[16*j+8:]))
		}
	}
	return nil
}
