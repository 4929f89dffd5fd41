// SPDX-License-Identifier: Apache-2.0

package tt

import (
	"bytes"
	"testing"
)

// TestSave: a table that has read what another saved answers as that one does, a smaller table answers less and nothing
// else, and a file cut short is refused.
func TestSave(t *testing.T) {
	const size = 1 << 14
	a := New(size)
	for i := range uint64(3000) {
		a.Store(i*0x9e3779b97f4a7c15, i<<8|i&0x3f+1)
	}
	var file bytes.Buffer
	if err := a.Save(&file); err != nil {
		t.Fatal(err)
	}
	if file.Len() != size {
		t.Errorf("%d bytes for a table of %d", file.Len(), size)
	}
	if err := New(size).Load(bytes.NewReader(file.Bytes()[:size-100]), size); err == nil {
		t.Error("a file cut short was read")
	}
	for _, other := range []int{size, 4 * size, size / 4} {
		b := New(other)
		b.Store(77, 77)
		if err := b.Load(bytes.NewReader(file.Bytes()), size); err != nil {
			t.Fatal(err)
		}
		lost := 0
		for i := range uint64(3000) {
			key := i * 0x9e3779b97f4a7c15
			want, known := a.Probe(key)
			if got, ok := b.Probe(key); known && !ok {
				lost++
			} else if got != want {
				t.Fatalf("key %d: %x %v, want %x %v", i, got, ok, want, known)
			}
		}
		if most := max(0, size-other) / 16; lost > most || (lost == 0) != (most == 0) {
			t.Errorf("%d entries are lost from %d bytes to %d", lost, size, other)
		}
		if _, ok := b.Probe(77); ok {
			t.Error("what was known before is still there")
		}
	}
}
