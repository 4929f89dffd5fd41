// SPDX-License-Identifier: Apache-2.0

package score

import (
	"context"
	"fmt"
	"time"

	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/tt"
)

// DefaultHash is the default size of an engine's table in bytes.
const DefaultHash = 16 << 20

// Options are the settings of an engine.
type Options struct {
	Hash int // size of the table in bytes; 0 means DefaultHash
}

// Memory is the transposition table of an engine, which keeps it for the next search.
type Memory struct {
	size  int
	table *tt.Table
}

// NewMemory returns a memory, or an error if its size is negative.
func NewMemory(o Options) (Memory, error) {
	if o.Hash < 0 {
		return Memory{}, fmt.Errorf("the size of the table must be positive, not %d", o.Hash)
	}
	if o.Hash == 0 {
		o.Hash = DefaultHash
	}
	return Memory{size: o.Hash}, nil
}

// Open returns the table for a new search.
func (m *Memory) Open() *tt.Table {
	if m.table == nil {
		m.table = tt.New(m.size)
	}
	m.table.Age()
	return m.table
}

// Close frees the memory of the table. A later search begins with an empty table.
func (m *Memory) Close() error {
	if m.table != nil {
		m.table.Free()
		m.table = nil
	}
	return nil
}

// Timed reports whether a search with the limits lim is limited by time, and not by a number of nodes or a depth.
func (m *Memory) Timed(lim search.Limits) bool { return lim.Nodes == 0 && lim.Depth == 0 }

// Begin returns the reports of a search, and its limits: a search without limits takes a second. If lim has no depth, the depth
// limit is deepest.
func Begin(ctx context.Context, lim search.Limits, deepest int, report func(search.Info)) (Reports, search.Limits) {
	if lim.Time == 0 && lim.Nodes == 0 && lim.Depth == 0 {
		lim.Time = time.Second
	}
	r := Reports{Budget: search.NewBudget(ctx, lim), Report: report, Most: lim.Depth}
	if r.Most == 0 {
		r.Most = deepest
	}
	return r, lim
}

// Tenth returns the number of nodes that a search for threats may use before the main search: a tenth of the limit of nodes.
// Without this limit it is the number of nodes that takes about a tenth of the time, where perMillisecond nodes take a tenth of a
// millisecond.
func Tenth(lim search.Limits, perMillisecond int) int {
	if lim.Nodes == 0 {
		return 1000 + int(min(lim.Time, time.Minute)/time.Millisecond)*perMillisecond
	}
	return int(lim.Nodes / 10)
}

// Deepen calls deepen with depths from 1 to most. It ends when deepen returns false, when the position is decided, or when half of
// the time is over, because the next depth would probably not be completed.
func (r *Reports) Deepen(lim search.Limits, most int, deepen func(depth int) bool) {
	for depth := 1; depth <= most && deepen(depth); depth++ {
		_, decided := r.Best.Score.Distance()
		if decided != 0 || lim.Time > 0 && lim.Nodes == 0 && r.Budget.Elapsed() > lim.Time/2 {
			break
		}
	}
}
