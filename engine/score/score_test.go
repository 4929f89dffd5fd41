// SPDX-License-Identifier: Apache-2.0

package score

import (
	"testing"

	"github.com/krow-lab/krow/search/tt"
)

// TestTable: Probe returns a stored entry with its bound, and the plies of wins count from the root.
func TestTable(t *testing.T) {
	table := tt.New(1 << 16)
	for i, e := range []Entry{
		{0, -WinIn(9), 1, exact}, {16, WinIn(7), 1<<38 - 1, lower}, {3, -7, 300, upper}, {5, 120, 2, exact},
	} {
		from, beta := int32(-Infinity), int32(Infinity)
		switch e.bound {
		case lower:
			beta = e.Score
		case upper:
			from = e.Score
		}
		key := uint64(i+1) * 0x9e3779b97f4a7c15
		Store(table, key, 4, e, from, beta)
		if got, ok := Probe(table, key, 4); !ok || got != e {
			t.Errorf("%v came back as %v", e, got)
		}
		got, _ := Probe(table, key, 0)
		if want := fromRoot(e.Score, -4); got.Score != want {
			t.Errorf("%v at the root scores %d, want %d", e, got.Score, want)
		}
	}
}

// TestMemory: a memory keeps its table until it is closed, and refuses a negative size.
func TestMemory(t *testing.T) {
	if _, err := NewMemory(Options{Hash: -1}); err == nil {
		t.Error("a negative size is accepted")
	}
	m, err := NewMemory(Options{Hash: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	Store(m.Open(), 7, 0, Entry{Depth: 3, Score: 5}, -Infinity, Infinity)
	if _, ok := Probe(m.Open(), 7, 0); !ok {
		t.Error("the table is lost between two searches")
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if _, ok := Probe(m.Open(), 7, 0); ok {
		t.Error("the table is not empty after Close")
	}
}

func TestDecides(t *testing.T) {
	for _, tc := range []struct {
		e    Entry
		want bool
	}{
		{Entry{4, 50, 0, exact}, true},
		{Entry{3, 50, 0, exact}, false},
		{Entry{4, 50, 0, lower}, false},
		{Entry{4, 200, 0, lower}, true},
		{Entry{4, 50, 0, upper}, false},
		{Entry{4, -200, 0, upper}, true},
		{Entry{0, WinIn(3), 0, lower}, true},
		{Entry{0, WinIn(3), 0, upper}, false},
		{Entry{0, -WinIn(3), 0, upper}, true},
	} {
		if got := tc.e.Decides(-100, 100, 4); got != tc.want {
			t.Errorf("%+v decides: %v", tc.e, got)
		}
	}
}
