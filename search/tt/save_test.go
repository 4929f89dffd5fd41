// SPDX-License-Identifier: Apache-2.0

package tt

import (
	"bytes"
	"testing"
)

// TestSave: a table that has read what another saved answers as that one does, and a file cut short is refused.
func TestSave(t *testing.T) {
	a, b := New(1<<12), New(1<<12)
	for i := range uint64(1000) {
		a.Store(i*0x9e3779b97f4a7c15, i<<8|i&0x3f+1)
	}
	b.Store(77, 77)
	var file bytes.Buffer
	if err := a.Save(&file); err != nil {
		t.Fatal(err)
	}
	if file.Len() != 1<<12 {
		t.Errorf("%d bytes for a table of %d", file.Len(), 1<<12)
	}
	if err := New(1 << 12).Load(bytes.NewReader(file.Bytes()[:4000])); err == nil {
		t.Error("a file cut short was read")
	}
	if err := b.Load(&file); err != nil {
		t.Fatal(err)
	}
	for i := range uint64(1000) {
		key := i * 0x9e3779b97f4a7c15
		want, known := a.Probe(key)
		if got, ok := b.Probe(key); got != want || ok != known {
			t.Fatalf("key %d: %x %v, want %x %v", i, got, ok, want, known)
		}
	}
	if _, ok := b.Probe(77); ok {
		t.Error("what was known before is still there")
	}
}
